import type { Upload } from '../ports/store/uploads.ts';
import type { ProblemFault } from '../problem.ts';
import { type ApplicantSituation, acceptedCategories, type UploadCategory } from './categories.ts';

/**
 * A reference to a document in a request, not validated yet. `channel` should be `digital` (`documentId` is then the id
 * of an uploaded document) or `post`.
 */
export interface DocumentRef {
  readonly categoryId: string | null;
  readonly channel: string | null;
  readonly documentId: string | null;
}

/** The data of an uploaded document that `checkDocuments` uses. */
export type DocumentFact = Pick<Upload, 'documentId' | 'state' | 'wizardId' | 'categoryId'>;

/** Returns the ids of the uploaded documents in a list of references. A document that is sent by post has no id. */
export const digitalOf = (documents: readonly DocumentRef[]): readonly string[] =>
  documents.flatMap(({ channel, documentId }) => (channel === 'digital' && documentId !== null ? [documentId] : []));

/**
 * Returns all faults in a request's document references (domain.md 4.7, "Document rules"), for example a category that
 * is missing or not asked for; an empty list when there are none.
 *
 * @param documents - the references in the request
 * @param uploads - the caller's uploads to which they can refer
 */
export function checkDocuments(
  situation: ApplicantSituation,
  documents: readonly DocumentRef[],
  uploads: readonly DocumentFact[],
): ProblemFault[] {
  const asked = new Map(acceptedCategories(situation).map((category) => [category.categoryId, category]));
  const seen = new Set<string>();
  const used = new Set<string>();
  const faults = documents.flatMap((document, index) => {
    const at = `/documents/${index}`;
    const category = asked.get(document.categoryId ?? '');
    if (category === undefined) return [fault(`${at}/categoryId`, 'Deze categorie wordt hier niet gevraagd.')];
    const twice = seen.has(category.categoryId) && !category.multiple;
    seen.add(category.categoryId);
    const again = document.documentId !== null && used.has(document.documentId);
    if (document.documentId !== null) used.add(document.documentId);
    return [
      ...(again ? [fault(`${at}/documentId`, 'Dit document staat er al bij.')] : []),
      ...(twice ? [fault(at, `Van ‘${category.label}’ is er één genoeg.`)] : []),
      ...checkChannel(at, document, category, situation.wizardId, uploads),
    ];
  });
  const missing = [...asked.values()].filter(({ required, categoryId }) => required && !seen.has(categoryId));
  return [...faults, ...missing.map(({ label }) => fault('/documents', `Dit document ontbreekt: ${label}.`))];
}

function checkChannel(
  at: string,
  document: DocumentRef,
  category: UploadCategory,
  wizardId: string,
  uploads: readonly DocumentFact[],
): ProblemFault[] {
  switch (document.channel) {
    case 'post':
      return [
        ...(category.post ? [] : [fault(`${at}/channel`, 'Dit document kan niet per post.')]),
        ...(document.documentId === null
          ? []
          : [fault(`${at}/documentId`, 'Dit document stuurt u per post. Haal het geüploade bestand hier weg.')]),
      ];
    case 'digital':
      if (document.documentId === null) return [fault(`${at}/documentId`, 'Upload dit document eerst.')];
      return checkDocument(
        uploads.find(({ documentId }) => documentId === document.documentId),
        category,
        wizardId,
      ).map((detail) => fault(`${at}/documentId`, detail));
    default:
      return [fault(`${at}/channel`, 'Kies of u dit document uploadt (digital) of per post stuurt (post).')];
  }
}

/**
 * Returns the fault of a reference to an uploaded document, as a list with one Dutch sentence; an empty list when the
 * document is stored and was uploaded for this wizard (form of a portal) and category.
 *
 * @param document - undefined when the caller has no such upload
 */
function checkDocument(
  document: DocumentFact | undefined,
  { categoryId, label }: UploadCategory,
  wizardId: string,
): string[] {
  if (document?.state === 'pending') return ['Dit document wordt nog gecontroleerd.'];
  if (document?.state === 'rejected') return ['Dit document is afgekeurd.'];
  if (document?.state !== 'uploaded') return ['Dit document kennen wij niet.'];
  if (document.wizardId !== wizardId) return [`Dit document hoort bij een ander soort aanvraag: ${document.wizardId}.`];
  return document.categoryId === categoryId ? [] : [`Dit document is niet ingestuurd als ‘${label}’.`];
}

const fault = (pointer: string, detail: string): ProblemFault => ({ pointer, code: 'documenten-ongeldig', detail });
