import type { ApplicationDetailDto, DocumentRefDto } from 'zorgregister-bff/client';
import { type Outcome, outcomeOf } from '../calls/outcome.ts';
import { createSaver } from '../forms/saver.ts';
import { client } from '../session.ts';

/**
 * A document of a draft application. `localId` is the id from this page and `documentId` the id from the service; both
 * are null for a document that comes by post. `size` is in bytes.
 */
export interface DraftDocument {
  categoryId: string;
  channel: 'digital' | 'post';
  localId: string | null;
  documentId: string | null;
  name: string;
  size: number;
}

/** The answers of the user in a draft application. An answer that is not given is an empty text, object or list. */
export interface Answers {
  uren: string;
  scholing: '' | 'ja' | 'nee';
  punten: string;
  diplomaHerkomst: '' | 'duo' | 'handmatig' | 'buitenland';
  taalvaardigheid: '' | 'nederlandstalig' | 'taaltoets' | 'vooropleiding';
  beroep: string;
  /** answers to policy questions, keyed by the id of the question */
  antwoorden: Record<string, string>;
  documenten: DraftDocument[];
}

/**
 * A draft application as this page saves it: the answers (`draft`), the step that is shown (`stepIndex`, counted from
 * 0), the number of steps, and the ids of the uploaded documents.
 */
export type Draft = { draft: Answers; stepIndex: number; stepCount: number; documentIds: string[] };

/** The answers of a new draft application. */
const EMPTY: Answers = {
  uren: '',
  scholing: '',
  punten: '',
  diplomaHerkomst: '',
  taalvaardigheid: '',
  beroep: '',
  antwoorden: {},
  documenten: [],
};

/**
 * Returns the answers in a draft application that was read from the service. An answer that is missing becomes empty.
 * Members that this page does not know stay in the result.
 */
export function answersIn(draft: unknown): Answers {
  const found = typeof draft === 'object' && draft !== null ? (draft as Partial<Answers>) : {};
  return { ...EMPTY, ...found, uren: String(found.uren ?? ''), punten: String(found.punten ?? '') };
}

/**
 * Returns a saver (see `createSaver`) of the draft application with this id.
 * @param onRead called with the request each time that the draft is read
 */
export const draftSaver = (id: string, onRead: (found: ApplicationDetailDto) => void) =>
  createSaver({
    name: `concept:${id}`,
    /** Reads the draft application from the service. */
    async read(): Promise<Outcome<Draft>> {
      const outcome = await outcomeOf(client.GET('/applications/{id}', { params: { id } }));
      if (outcome.failure) return outcome;
      const { draft, status, documentIds } = outcome.data;
      onRead(outcome.data);
      const { stepIndex, stepCount } = status;
      const data = { draft: answersIn(draft), stepIndex: stepIndex ?? 0, stepCount: stepCount ?? 0, documentIds };
      return { response: outcome.response, data };
    },
    merge(before, mine, theirs) {
      if (!isEdited(before, theirs)) return [mine, mine];
      if (isEdited(before, mine)) return [mine, theirs];
      const merged = { ...theirs, stepIndex: mine.stepIndex, stepCount: mine.stepCount };
      return [merged, merged];
    },
    // Empty answers are left out, because the rules of the service would read them as answers.
    stored: ({ draft, ...rest }) => ({ draft: withoutEmpty(draft), ...rest }),
    write: ({ draft, ...rest }, headers) =>
      outcomeOf(
        client.PUT('/applications/{id}', { params: { id }, body: { draft: withoutEmpty(draft), ...rest }, headers }),
      ),
  });

/** Returns true when a user changed the answers. The service itself removes the id of a document that is deleted. */
const isEdited = (before: Draft, after: Draft) =>
  JSON.stringify(withoutEmpty(before.draft)) !== JSON.stringify(withoutEmpty(after.draft)) ||
  after.documentIds.some((one) => !before.documentIds.includes(one));

/**
 * Returns a copy of the answers, without the answers that are an empty text. The hours and the points become numbers
 * when the user typed a whole number.
 */
const withoutEmpty = (answers: Answers) => ({
  ...Object.fromEntries(Object.entries(answers).filter(([, value]) => value !== '')),
  ...(answers.uren !== '' && { uren: wholeNumber(answers.uren) ?? answers.uren }),
  ...(answers.punten !== '' && { punten: wholeNumber(answers.punten) ?? answers.punten }),
});

/**
 * Returns the whole number in a typed text such as `2600` or `2.600`; null when the text is not a whole number of at most
 * nine digits. A dot or a space may only be between thousands: `12.5` is not 125.
 */
export function wholeNumber(text: string) {
  const isWhole = /^(\d{1,9}|\d{1,3}([.\s]\d{3}){1,2})$/.test(text.trim());
  return isWhole ? Number(text.replaceAll(/[.\s]/g, '')) : null;
}

/**
 * Returns references to the documents of a draft application, to submit with it. An uploaded document without an id is
 * left out.
 */
export const refsOf = (documents: readonly DraftDocument[]): DocumentRefDto[] =>
  documents.flatMap(
    ({ categoryId, channel, documentId }) =>
      (channel === 'post'
        ? [{ categoryId, channel }]
        : documentId === null
          ? []
          : [{ categoryId, channel, documentId }]) as DocumentRefDto[],
  );

/** The Dutch name of each answer. */
const NAMES: Record<string, string> = {
  uren: 'Uren',
  scholing: 'Scholing gevolgd',
  punten: 'Punten',
  diplomaHerkomst: 'Herkomst van het diploma',
  taalvaardigheid: 'Nederlands',
  beroep: 'Beroep',
  antwoorden: 'Antwoorden',
  documenten: 'Documenten',
};

/**
 * Returns the answers that differ between two versions of a draft application: for each its Dutch name, its text in
 * `mine` and its text in `theirs`.
 */
export const differences = ({ draft: mine }: Draft, { draft: theirs }: Draft) =>
  Object.entries(NAMES)
    .map(([name, title]) => [title, shown(mine, name), shown(theirs, name)] as [string, string, string])
    .filter(([, here, there]) => here !== there);

/**
 * Returns an answer as Dutch text, for a list of differences; `leeg` or `geen` for an empty answer.
 * @param name the member of `answers`
 */
function shown(answers: Answers, name: string) {
  const value = answers[name as keyof Answers];
  if (Array.isArray(value)) return value.map((one) => one.name).join(', ') || 'geen';
  if (typeof value === 'object') return Object.values(value).join(', ') || 'geen';
  return value === '' ? 'leeg' : value;
}
