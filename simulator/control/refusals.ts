import * as z from 'zod';

/**
 * The problems with which the control API refuses a request (`ControlError`): the status of each code, and what it means
 * in English. The answer itself is Dutch, for the console, and has the names and values that are possible.
 */
const REFUSALS = {
  'aantal-onbruikbaar': [400, 'The number has to be a whole number within its limits.'],
  'al-geregistreerd': [409, 'This person is already registered in that profession.'],
  'alleen-hier': [403, 'The simulator can be controlled on its own machine only, by the name localhost or 127.0.0.1.'],
  'beroep-nodig': [409, 'Name the profession in which this person is registered.'],
  'brief-niet-te-brengen': [409, 'The service refused to bring the letter to that state.'],
  'brief-onbekend': [404, 'There is no such letter today.'],
  'bron-niet-gesimuleerd': [409, 'That upstream is not simulated here. Only a simulated upstream can have a fault.'],
  'demonstratie-ongeldig': [400, 'The demonstration has a step that is not possible.'],
  'document-in-gebruik': [409, 'This document belongs to a request, and cannot change.'],
  'document-onbekend': [404, 'There is no such document in this world.'],
  'filter-onjuist': [400, 'That filter of the journal is not possible.'],
  'formaat-onbekend': [400, 'The format is json or csv.'],
  'geen-brief': [409, 'No letter can be written in this world.'],
  'geen-deadline': [409, 'This person has no deadline. Choose a person who is registered.'],
  'geen-demonstratie-hier': [
    409,
    'A demonstration changes its world, so it is not played in default. Name another world.',
  ],
  'geen-getal': [400, 'It has to be a whole number, 0 or more.'],
  'geen-map': [409, 'There is no folder for your own personas. Set PERSONAS_DIR, or set DATA_DIR to a folder.'],
  'geen-zaak': [409, 'This person has no case that is undecided.'],
  'klok-onduidelijk': [400, 'The clock does not know that change.'],
  'klok-te-ver': [400, 'The clock does not go further than two hundred years.'],
  'lopende-aanvraag': [409, 'This person has another request of this kind in progress. Decide that one first.'],
  'meekijken-kan-niet': [409, 'This world cannot be opened to the network: the detail says why.'],
  'map-onbruikbaar': [409, 'The folder for personas cannot be written to.'],
  'methode-niet-toegestaan': [405, 'The control API has no such method at that path.'],
  'momentopname-onbekend': [404, 'There is no such snapshot.'],
  'momentopname-onbruikbaar': [409, 'This snapshot cannot be used.'],
  'naam-onjuist': [400, 'The name of a snapshot has lower-case letters, digits and hyphens, at most 64.'],
  'nog-niet-ontvangen': [409, 'The request is of a later day. Set the clock to that day, or to a later one.'],
  'pad-onbekend': [404, 'The control API has no such path.'],
  'ongeldig-verzoek': [400, 'The request has values that are not possible.'],
  'persona-bestaat': [409, 'There is already such a persona. Choose another name.'],
  'persona-onbekend': [404, 'There is no such persona.'],
  'persona-ongeldig': [400, 'The persona is not valid.'],
  'persona-zonder-post': [404, 'This person is not in the register, and gets no letters.'],
  'persoon-onbekend': [409, 'The register does not know this person, so this request cannot be granted.'],
  'besluit-ongegrond': [
    409,
    'The register did not ask the applicant to complete the request, or the term has not passed. Send the letter aanvulling-gevraagd first.',
  ],
  'persoon-overleden': [409, 'This person has died, so the request cannot be granted.'],
  'scenario-onbekend': [404, 'There is no such scenario.'],
  'schijf-vol': [503, 'The disk with DATA_DIR is full or broken. Make room, for example by deleting a snapshot.'],
  'sjabloon-past-niet': [409, 'That template is not for a letter about this case.'],
  'storing-onbekend': [404, 'There is no such fault in this world. Turn a scenario off as a scenario.'],
  'storing-onmogelijk': [400, 'That fault is not possible.'],
  'upload-bezig': [409, 'The upload is still in progress. Try again in a moment.'],
  'voorbeeld-onbekend': [404, 'There is no such sample file.'],
  'voorwaarde-onbruikbaar': [400, 'That condition cannot be used.'],
  'wereld-onbekend': [404, 'The name of a world has lower-case letters, digits and hyphens, at most 32.'],
  'zaak-onbekend': [404, 'There is no such case in this world.'],
  'zaak-zonder-brief': [409, 'No letter can be written about that case.'],
} as const satisfies Readonly<Record<string, readonly [status: number, meaning: string]>>;
export type RefusalCode = keyof typeof REFUSALS;

/** What the codes of a body that does not fit its schema mean, and those of one wrong value in it. */
const BODY_FAULTS = {
  'verzoek-te-groot': 'The request is too large.',
  'mediatype-niet-ondersteund': 'The request is not JSON.',
  'buiten-bereik': 'This value is too large or too small.',
  'ongeldige-waarde': 'This value is not possible here.',
  'onbekend-veld': 'There is no such member.',
  'verkeerd-type': 'This value has the wrong type.',
};

/** Returns what a refusal or a fault with this code means, in English; null for a code that is not of the control API. */
export const meaningOf = (code: string): string | null => MEANINGS.get(code) ?? null;

const MEANINGS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(REFUSALS).map(([code, [, meaning]]) => [code, meaning] as const),
  ...Object.entries(BODY_FAULTS),
]);

/**
 * Returns the schema of a whole number from `min` to `max` in a query. A request with another value is refused with this
 * code and the Dutch text `detail`.
 */
export const numberInQuery = (code: RefusalCode, detail: string, min = 0, max = 999_999_999_999_999) =>
  z
    .string()
    .refine((text) => /^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      params: { code },
      error: detail,
    })
    .meta({ type: 'integer', minimum: min, maximum: max })
    .transform(Number);

/** An error in a request body. Without `code` the `detail` is English: it is about a persona file. */
export interface BodyError {
  /** JSON Pointer to the wrong member. */
  readonly pointer: string;
  readonly code?: string;
  readonly detail: string;
}

/** A refusal of the control API, answered as a problem (RFC 9457). `detail` is a Dutch text for the user. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly code: RefusalCode;
  readonly errors: readonly BodyError[];

  constructor(code: RefusalCode, detail: string, errors: readonly BodyError[] = []) {
    super(detail);
    this.code = code;
    this.errors = errors;
  }

  get status(): number {
    return REFUSALS[this.code][0];
  }
}

/** Codes of Node for a file that cannot be written because the disk, the quota or the limit of a file is full. */
const FILE_CODES = ['ENOSPC', 'EDQUOT', 'EFBIG'];
/** Primary result codes of SQLite for a write that failed: SQLITE_IOERR and SQLITE_FULL. */
const SQLITE_CODES = [10, 13];

/** The 503 for an error that says that the disk of DATA_DIR is full or cannot be written to; null for another. */
export function diskFull(error: unknown): ControlError | null {
  const { code, errcode = 0, cause } = Object(error) as { code?: unknown; errcode?: number; cause?: unknown };
  const isFull =
    FILE_CODES.includes(String(code)) || (code === 'ERR_SQLITE_ERROR' && SQLITE_CODES.includes(errcode & 0xff));
  if (isFull)
    return new ControlError(
      'schijf-vol',
      'De schijf met DATA_DIR is vol of stuk. Maak ruimte, bijvoorbeeld door een momentopname te verwijderen, en doe het dan opnieuw.',
    );
  return cause === undefined ? null : diskFull(cause);
}
