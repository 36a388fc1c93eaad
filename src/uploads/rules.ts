import { rule } from '../domain/rule.ts';
import { MIB, type QUOTA } from '../domain/upload-limits.ts';
import type { Upload, UploadKey } from '../ports/store/uploads.ts';
import { Problem, type ProblemFault, type Sentence } from '../problem.ts';
import { type ApplicantSituation, acceptedCategories, type UploadCategory } from './categories.ts';
import type { Inspected } from './inspection/inspect.ts';

/**
 * A document in a request, which is not validated yet. `channel` should be `digital` (`documentId` is then the id of an
 * uploaded document) or `post`.
 */
export interface DocumentRef {
  readonly categoryId: string | null;
  readonly channel: string | null;
  readonly documentId: string | null;
}

export type DocumentFact = Pick<Upload, 'documentId' | 'state' | 'wizardId' | 'categoryId'>;

/** A document that is sent by post has no id. */
export const digitalOf = (documents: readonly DocumentRef[]): readonly string[] =>
  documents.flatMap(({ channel, documentId }) => (channel === 'digital' && documentId !== null ? [documentId] : []));

/**
 * Returns all faults in a request's document references (domain.md 4.7, "Document rules").
 *
 * @param uploads - of the caller, to which they can refer
 */
export function checkDocuments(
  situation: ApplicantSituation,
  documents: readonly DocumentRef[],
  uploads: readonly DocumentFact[],
): ProblemFault[] {
  const asked = new Map(acceptedCategories(situation).map((category) => [category.categoryId, category]));
  const seen = new Set<string>();
  const used = new Set<string | null>();
  const faults: ProblemFault[] = [];
  const add = (pointer: string, said: Sentence) => faults.push({ pointer, code: 'documenten-ongeldig', ...said });
  for (const [index, { categoryId, channel, documentId }] of documents.entries()) {
    const at = `/documents/${index}`;
    const category = asked.get(categoryId ?? '');
    if (category === undefined) {
      add(`${at}/categoryId`, {
        detail: `Dit document wordt hier niet gevraagd. Wel: ${[...asked.values()].map(({ label }) => label).join(', ')}.`,
        english: `No document of this category is asked. Choose from ${[...asked.keys()].join(', ')}.`,
      });
      continue;
    }
    if (used.has(documentId)) add(`${at}/documentId`, REPEATED_DOCUMENT);
    if (documentId !== null) used.add(documentId);
    if (seen.has(category.categoryId) && !category.multiple)
      add(at, {
        detail: `Van ‘${category.label}’ is er één genoeg.`,
        english: `One document of ${category.categoryId} is enough.`,
      });
    seen.add(category.categoryId);
    if (channel === 'post') {
      if (!category.post) add(`${at}/channel`, NOT_BY_POST);
      if (documentId !== null) add(`${at}/documentId`, BY_POST);
    } else if (channel === 'digital') {
      const document = uploads.find((upload) => upload.documentId === documentId);
      const fault = documentId === null ? NO_DOCUMENT : faultOf(document, category, situation.wizardId);
      if (fault !== null) add(`${at}/documentId`, fault);
    } else add(`${at}/channel`, NO_CHANNEL);
  }
  for (const { required, categoryId, label } of asked.values())
    if (required && !seen.has(categoryId))
      add('/documents', {
        detail: `Dit document ontbreekt: ${label}.`,
        english: `A document of ${categoryId} is missing.`,
      });
  return faults;
}

function faultOf(
  document: DocumentFact | undefined,
  { categoryId, label }: UploadCategory,
  wizardId: string,
): Sentence | null {
  if (document?.state === 'pending') return BEING_CHECKED;
  if (document?.state === 'rejected') return REJECTED;
  if (document?.state !== 'uploaded') return UNKNOWN_DOCUMENT;
  const { wizardId: other, categoryId: sentAs } = document;
  if (other !== wizardId)
    return {
      detail: `Dit document hoort bij een ander soort aanvraag: ${other}.`,
      english: `This document was uploaded for another type of request: ${other}.`,
    };
  return sentAs === categoryId
    ? null
    : {
        detail: `Dit document is niet ingestuurd als ‘${label}’.`,
        english: `This document was uploaded as ${sentAs}.`,
      };
}

const REPEATED_DOCUMENT = { detail: 'Dit document staat er al bij.', english: 'This document is in the list already.' };
const NOT_BY_POST = { detail: 'Dit document kan niet per post.', english: 'This document cannot be sent by post.' };
const BY_POST = {
  detail: 'Dit document stuurt u per post. Haal het geüploade bestand hier weg.',
  english: 'A document that is sent by post has no documentId.',
};
const NO_DOCUMENT = {
  detail: 'Upload dit document eerst.',
  english: 'Upload this document first, and send its documentId.',
};
const NO_CHANNEL = {
  detail: 'Kies of u dit document uploadt (digital) of per post stuurt (post).',
  english: 'Choose digital for a document that was uploaded, or post.',
};
const BEING_CHECKED = {
  detail: 'Dit document wordt nog gecontroleerd.',
  english: 'This document is still being checked.',
};
const REJECTED = { detail: 'Dit document is afgekeurd.', english: 'This document was rejected.' };
export const UNKNOWN_DOCUMENT = {
  detail: 'Dit document kennen wij niet.',
  english: 'The caller has no such document.',
};

/** The client can try again after two seconds. */
export const uploadBusy = (): Problem =>
  new Problem('upload-bezig', 'Deze upload is nog onderweg.', { headers: { 'Retry-After': '2' } });

interface ClaimFacts extends UploadKey {
  // Null when its name could not be claimed.
  readonly upload: Upload | null;
}

/** Throws 409 `upload-bezig` when the name could not be claimed. */
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

// What is compared when a client sends a `localId` again.
interface FileIdentity {
  // Hexadecimal; null for an upload without a file.
  readonly sha256: string | null;
  readonly categoryId: string;
}

interface SameFileFacts {
  readonly stored: FileIdentity;
  readonly sent: FileIdentity;
  // False when the stored document has been, or is being, deleted.
  readonly isStillStored: boolean;
}

/** The same bytes in the same category. */
export const isSameFile = (one: FileIdentity, other: FileIdentity): boolean =>
  one.sha256 === other.sha256 && one.categoryId === other.categoryId;

/**
 * Throws 409 `upload-anders` when another file is stored under this `localId`, and 409 `upload-bezig` when the same
 * file was stored but is not available any more.
 */
export const demandSameFile = rule(
  'uploads.md, "Retries"',
  function demandSameFile({ stored, sent, isStillStored }: SameFileFacts): void {
    if (!isSameFile(stored, sent))
      throw new Problem(
        'upload-anders',
        stored.sha256 === sent.sha256
          ? 'Dit bestand staat hier al, bij een ander soort document. Voeg het apart toe, of verwijder het eerst.'
          : 'Hier staat al een ander bestand. Voeg dit bestand apart toe, of verwijder eerst het andere.',
      );
    if (!isStillStored) throw uploadBusy();
  },
  { facts: ({ stored, sent }) => ({ stored, sent }) },
);

interface InspectionFacts {
  // As the client sent it.
  readonly name: string;
  // In bytes.
  readonly size: number;
  readonly sha256: string;
  readonly categoryId: string;
  readonly maxSizeMb: number;
  readonly acceptedTypes: readonly string[];
  // The result of `inspect`, or the problem that it threw.
  readonly result: Inspected | Problem;
}

/** Throws the problem of the inspection when the file was refused. */
export const demandInspected = rule(
  'uploads.md, "Checks"',
  function demandInspected({ result }: InspectionFacts): Inspected {
    if (result instanceof Problem) throw result;
    return result;
  },
  { facts: ({ result: _, ...facts }) => facts },
);

/** Throws 422 `bestand-geinfecteerd`. */
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
  // In bytes.
  readonly size: number;
  // `lapsed`: the claim has expired.
  readonly found: 'received' | 'quota' | 'lapsed';
}

/** Throws 409 `upload-quotum` when the file does not fit in the quota of one owner in one wizard. */
export const demandQuota = rule('uploads.md, "Limits"', function demandQuota({ most, found }: QuotaFacts): void {
  if (found !== 'quota') return;
  const detail = `U hebt voor deze aanvraag al ${most.documents} bestanden of ${most.bytes / MIB} MB klaarstaan.`;
  throw new Problem('upload-quotum', detail);
});

/**
 * Throws 409 `document-in-gebruik` when a submitted application, or another record in the document store, refers to it.
 */
export const demandRemovable = rule(
  'domain.md 4.5',
  function demandRemovable({ found }: { documentId: string; found: 'removed' | 'absent' | 'linked' }): void {
    if (found !== 'linked') return;
    throw new Problem('document-in-gebruik', 'Dit document hoort bij een aanvraag die u hebt ingediend.');
  },
);
