import type { Fault } from '../problem.ts';
import { type Category, categoriesFor, type Situation } from './categories.ts';

/** A reference to a document as a request carries it. */
export interface DocumentRef {
  readonly categoryId: string | null;
  readonly channel: string | null;
  readonly documentId: string | null;
}

/** Whether a document is there for the caller to use; `unknown` is also someone else's. */
export type DocumentState = 'uploaded' | 'pending' | 'rejected' | 'unknown';

/**
 * Everything that is wrong with the documents of a request (domain.md 4.7, "Document rules"): a category that is not asked
 * for, one that is missing, two where one is asked, a channel that is not open, a document that is not there.
 */
export function checkDocuments(
  situation: Situation,
  documents: readonly DocumentRef[],
  stateOf: (documentId: string) => DocumentState,
): Fault[] {
  const asked = new Map(categoriesFor(situation).map((category) => [category.categoryId, category]));
  const seen = new Set<string>();
  const faults = documents.flatMap((document, index) => {
    const at = `/documents/${index}`;
    const category = asked.get(document.categoryId ?? '');
    if (category === undefined) return [fault(`${at}/categoryId`, 'Deze categorie wordt hier niet gevraagd.')];
    const twice = seen.has(category.categoryId) && !category.multiple;
    seen.add(category.categoryId);
    return [
      ...(twice ? [fault(at, `Van ‘${category.label}’ is er één genoeg.`)] : []),
      ...checkChannel(at, document, category, stateOf),
    ];
  });
  const missing = [...asked.values()].filter(({ required, categoryId }) => required && !seen.has(categoryId));
  return [...faults, ...missing.map(({ label }) => fault('/documents', `Dit document ontbreekt: ${label}.`))];
}

function checkChannel(
  at: string,
  document: DocumentRef,
  category: Category,
  stateOf: (id: string) => DocumentState,
): Fault[] {
  switch (document.channel) {
    case 'post':
      return [
        ...(category.post ? [] : [fault(`${at}/channel`, 'Dit document kan niet per post.')]),
        ...(document.documentId === null
          ? []
          : [fault(`${at}/documentId`, 'Een document per post heeft geen documentId.')]),
      ];
    case 'digital':
      if (document.documentId === null)
        return [fault(`${at}/documentId`, 'Een digitaal document heeft een documentId.')];
      return DETAILS[stateOf(document.documentId)].map((detail) => fault(`${at}/documentId`, detail));
    default:
      return [fault(`${at}/channel`, 'Kies digital of post.')];
  }
}

const DETAILS: Readonly<Record<DocumentState, readonly string[]>> = {
  uploaded: [],
  pending: ['Dit document wordt nog gecontroleerd.'],
  rejected: ['Dit document is afgekeurd.'],
  unknown: ['Dit document kennen wij niet.'],
};

const fault = (pointer: string, detail: string): Fault => ({ pointer, code: 'documenten-ongeldig', detail });
