import { rule } from '../../domain/rule.ts';
import { MIB, type QUOTA } from '../../domain/upload-limits.ts';
import type { Upload, UploadKey } from '../../ports/uploads.ts';
import { Problem } from '../../problem.ts';
import type { Inspected } from '../inspection/inspect.ts';

const uploadBusy = (): Problem =>
  new Problem('upload-bezig', 'Deze upload is nog onderweg.', { headers: { 'Retry-After': '2' } });

/** The name of an upload, and the upload that the store claimed under it; null when another request has the claim. */
interface ClaimFacts extends UploadKey {
  readonly upload: Upload | null;
}

/** Returns the claimed upload. Throws 409 when another request is uploading under the same name. */
export const demandClaim = rule(
  'uploads.md, "Retries"',
  function claim({ upload }: ClaimFacts): Upload {
    if (upload === null) throw uploadBusy();
    return upload;
  },
  {
    facts: ({ owner, wizardId, localId, upload }) => ({ owner, wizardId, localId, found: upload?.state ?? 'onderweg' }),
    outcome: () => undefined,
  },
);

/** A file and its category, to compare two uploads under one name. */
interface FileIdentity {
  /** Hexadecimal; null for an upload without a file. */
  readonly sha256: string | null;
  readonly categoryId: string;
}

interface SameFileFacts {
  readonly stored: FileIdentity;
  readonly sent: FileIdentity;
  /** False when the stored document was deleted while this request was being received. */
  readonly isStillStored: boolean;
}

export const isSameFile = (one: FileIdentity, other: FileIdentity): boolean =>
  one.sha256 === other.sha256 && one.categoryId === other.categoryId;

/** Throws 409 for a `localId` that is already stored with another file, or whose document is being deleted. */
export const demandSameFile = Object.assign(
  rule(
    'uploads.md, "Retries"',
    function demandSameFile({ stored, sent, isStillStored }: SameFileFacts): void {
      if (!isSameFile(stored, sent))
        throw new Problem('upload-anders', 'Onder deze localId staat al een ander bestand.');
      if (!isStillStored) throw uploadBusy();
    },
    { facts: ({ stored, sent }) => ({ stored, sent }) },
  ),
  { rule: 'same localId again' },
);

interface InspectionFacts {
  /** File name as the client sent it. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
  readonly categoryId: string;
  readonly maxSizeMb: number;
  readonly acceptedTypes: readonly string[];
  /** What `inspect` returned, or the problem that it threw. */
  readonly result: Inspected | Problem;
}

/** Returns the result of the inspection. Throws its problem when the file was refused. */
export const demandInspected = rule(
  'uploads.md, "Checks"',
  function inspect({ result }: InspectionFacts): Inspected {
    if (result instanceof Problem) throw result;
    return result;
  },
  { facts: ({ result: _, ...facts }) => facts },
);

/** Throws 422 for a file in which the virus scanner found something. */
export const demandClean = rule(
  'uploads.md, "Checks"',
  function scan({ verdict }: { readonly sha256: string; readonly verdict: 'clean' | 'infected' }): void {
    if (verdict === 'infected')
      throw new Problem('bestand-geinfecteerd', 'In dit bestand zit een virus. Het is niet bewaard.');
  },
);

interface QuotaFacts {
  readonly most: typeof QUOTA;
  readonly wizardId: string;
  /** Bytes. */
  readonly size: number;
  /** What the store returned; `lapsed` when the claim had expired. */
  readonly found: 'received' | 'quota' | 'lapsed';
}

/** Throws 409 when the owner has too many documents, or too many bytes, in one wizard. */
export const demandQuota = rule('uploads.md, "Limits"', function quota({ most, found }: QuotaFacts): void {
  if (found !== 'quota') return;
  const detail = `U hebt voor deze aanvraag al ${most.documents} bestanden of ${most.bytes / MIB} MB klaarstaan.`;
  throw new Problem('upload-quotum', detail);
});

interface RemovalFacts {
  readonly documentId: string | undefined;
  readonly found: 'removed' | 'absent' | 'linked';
}

/** Throws 409 for a document that a submitted application refers to. */
export const demandRemovable = rule('domain.md 4.5', function remove({ found }: RemovalFacts): void {
  if (found !== 'linked') return;
  throw new Problem('document-in-gebruik', 'Dit document hoort bij een aanvraag die u hebt ingediend.');
});
