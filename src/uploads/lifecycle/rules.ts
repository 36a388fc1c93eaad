import { rule } from '../../domain/rule.ts';
import { MIB, type QUOTA } from '../../domain/upload-limits.ts';
import type { Upload, UploadKey } from '../../ports/store/uploads.ts';
import { Problem } from '../../problem.ts';
import type { Inspected } from '../inspection/inspect.ts';

/** Returns the 409 problem for an upload that is in progress; the client can try again after two seconds. */
export const uploadBusy = (): Problem =>
  new Problem('upload-bezig', 'Deze upload is nog onderweg.', { headers: { 'Retry-After': '2' } });

/**
 * Input of the rule `demandClaim`: the name of an upload, and the upload. `upload` is null when its name could not be
 * claimed (locked).
 */
interface ClaimFacts extends UploadKey {
  readonly upload: Upload | null;
}

/** Returns the claimed (locked) upload. Throws 409 `upload-bezig` when its name could not be claimed. */
export const demandClaim = rule(
  'uploads.md, "Retries"',
  function demandClaim({ upload }: ClaimFacts): Upload {
    if (upload === null) throw uploadBusy();
    return upload;
  },
  {
    facts: ({ owner, wizardId, localId, upload }) => ({ owner, wizardId, localId, found: upload?.state ?? 'onderweg' }),
    outcome: () => undefined,
  },
);

/** The properties of a file that are compared when a client sends a `localId` (its own id of an upload) again. */
interface FileIdentity {
  /** SHA-256 in hexadecimal; null for an upload without a file. */
  readonly sha256: string | null;
  readonly categoryId: string;
}

interface SameFileFacts {
  readonly stored: FileIdentity;
  readonly sent: FileIdentity;
  /** False when the stored document has been deleted, or is being deleted, by now. */
  readonly isStillStored: boolean;
}

/** Returns true for the same bytes in the same category. */
export const isSameFile = (one: FileIdentity, other: FileIdentity): boolean =>
  one.sha256 === other.sha256 && one.categoryId === other.categoryId;

/**
 * Throws 409 `upload-anders` when another file is stored under this `localId` (the client's id of an upload), and 409
 * `upload-bezig` when the same file was stored but its document is not available any more.
 */
export const demandSameFile = rule(
  'uploads.md, "Retries"',
  function demandSameFile({ stored, sent, isStillStored }: SameFileFacts): void {
    if (!isSameFile(stored, sent))
      throw new Problem(
        'upload-anders',
        'Hier staat al een ander bestand. Voeg dit bestand apart toe, of verwijder eerst het andere.',
      );
    if (!isStillStored) throw uploadBusy();
  },
  { facts: ({ stored, sent }) => ({ stored, sent }) },
);

interface InspectionFacts {
  /** File name as the client sent it. */
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
  readonly sha256: string;
  readonly categoryId: string;
  readonly maxSizeMb: number;
  readonly acceptedTypes: readonly string[];
  /** Result of `inspect`, or the problem that `inspect` threw. */
  readonly result: Inspected | Problem;
}

/** Returns the result of the inspection of a file. Throws the problem of the inspection when the file was refused. */
export const demandInspected = rule(
  'uploads.md, "Checks"',
  function demandInspected({ result }: InspectionFacts): Inspected {
    if (result instanceof Problem) throw result;
    return result;
  },
  { facts: ({ result: _, ...facts }) => facts },
);

/** Throws 422 `bestand-geinfecteerd` when the virus scanner found a virus in a file. */
export const demandClean = rule(
  'uploads.md, "Checks"',
  function demandClean({ verdict }: { readonly sha256: string; readonly verdict: 'clean' | 'infected' }): void {
    if (verdict === 'infected')
      throw new Problem('bestand-geinfecteerd', 'In dit bestand zit een virus. Het is niet bewaard.');
  },
);

interface QuotaFacts {
  readonly most: typeof QUOTA;
  readonly wizardId: string;
  /** Size of the file in bytes. */
  readonly size: number;
  /** `received`: the file fits. `quota`: the quota is full. `lapsed`: the claim (lock on the upload) has expired. */
  readonly found: 'received' | 'quota' | 'lapsed';
}

/**
 * Throws 409 `upload-quotum` when the file does not fit in the quota: the maximum number of documents, and of bytes, of
 * one owner in one wizard (form of a portal).
 */
export const demandQuota = rule('uploads.md, "Limits"', function demandQuota({ most, found }: QuotaFacts): void {
  if (found !== 'quota') return;
  const detail = `U hebt voor deze aanvraag al ${most.documents} bestanden of ${most.bytes / MIB} MB klaarstaan.`;
  throw new Problem('upload-quotum', detail);
});

interface RemovalFacts {
  readonly documentId: string | undefined;
  readonly found: 'removed' | 'absent' | 'linked';
}

/**
 * Throws 409 `document-in-gebruik` when a submitted application, or another record in the document store, refers to the
 * document.
 */
export const demandRemovable = rule('domain.md 4.5', function demandRemovable({ found }: RemovalFacts): void {
  if (found !== 'linked') return;
  throw new Problem('document-in-gebruik', 'Dit document hoort bij een aanvraag die u hebt ingediend.');
});
