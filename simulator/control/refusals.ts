import * as z from 'zod';

/**
 * The codes of the problems with which the control API refuses a request (`ControlError`), and what each means in English.
 * The answer itself is Dutch, for the console, and has the names and values that are possible.
 */
const REFUSALS = {
  'aantal-onbruikbaar': 'The number has to be a whole number within its limits.',
  'al-geregistreerd': 'This person is already registered in that profession.',
  'alleen-hier': 'The simulator can be controlled on its own machine only, by the name localhost or 127.0.0.1.',
  'beroep-nodig': 'Name the profession in which this person is registered.',
  'brief-niet-te-brengen': 'The service refused to bring the letter to that state.',
  'brief-onbekend': 'There is no such letter today.',
  'bron-niet-gesimuleerd': 'That upstream is not simulated here. Only a simulated upstream can have a fault.',
  'demonstratie-ongeldig': 'The demonstration has a step that is not possible.',
  'document-in-gebruik': 'This document belongs to a request, and cannot change.',
  'document-onbekend': 'There is no such document in this world.',
  'filter-onjuist': 'That filter of the journal is not possible.',
  'formaat-onbekend': 'The format is json or csv.',
  'geen-brief': 'No letter can be written in this world.',
  'geen-deadline': 'This person has no deadline. Choose a person who is registered.',
  'geen-demonstratie-hier': 'A demonstration changes its world, so it is not played in default. Name another world.',
  'geen-getal': 'It has to be a whole number, 0 or more.',
  'geen-map': 'There is no folder for your own personas. Set PERSONAS_DIR, or set DATA_DIR to a folder.',
  'geen-zaak': 'This person has no case that is undecided.',
  'klok-onduidelijk': 'The clock does not know that change.',
  'klok-te-ver': 'The clock does not go further than two hundred years.',
  'lopende-aanvraag': 'This person has another request of this kind in progress. Decide that one first.',
  'meekijken-kan-niet': 'This world cannot be opened to the network: the detail says why.',
  'map-onbruikbaar': 'The folder for personas cannot be written to.',
  'methode-niet-toegestaan': 'The control API has no such method at that path.',
  'momentopname-onbekend': 'There is no such snapshot.',
  'momentopname-onbruikbaar': 'This snapshot cannot be used.',
  'naam-onjuist': 'The name of a snapshot has lower-case letters, digits and hyphens, at most 64.',
  'nog-niet-ontvangen': 'The request is of a later day. Set the clock to that day, or to a later one.',
  'pad-onbekend': 'The control API has no such path.',
  'persona-bestaat': 'There is already such a persona. Choose another name.',
  'persona-onbekend': 'There is no such persona.',
  'persona-ongeldig': 'The persona is not valid.',
  'persona-zonder-post': 'This person is not in the register, and gets no letters.',
  'persoon-onbekend': 'The register does not know this person, so this request cannot be granted.',
  'besluit-ongegrond':
    'The register did not ask the applicant to complete the request, or the term has not passed. Send the letter aanvulling-gevraagd first.',
  'persoon-overleden': 'This person has died, so the request cannot be granted.',
  'scenario-onbekend': 'There is no such scenario.',
  'schijf-vol': 'The disk with DATA_DIR is full or broken. Make room, for example by deleting a snapshot.',
  'sjabloon-past-niet': 'That template is not for a letter about this case.',
  'storing-onbekend': 'There is no such fault in this world. Turn a scenario off as a scenario.',
  'storing-onmogelijk': 'That fault is not possible.',
  'upload-bezig': 'The upload is still in progress. Try again in a moment.',
  'voorbeeld-onbekend': 'There is no such sample file.',
  'voorwaarde-onbruikbaar': 'That condition cannot be used.',
  'wereld-onbekend': 'The name of a world has lower-case letters, digits and hyphens, at most 32.',
  'zaak-onbekend': 'There is no such case in this world.',
  'zaak-zonder-brief': 'No letter can be written about that case.',
} as const;
export type RefusalCode = keyof typeof REFUSALS;

/** What the codes of a body that does not fit its schema mean, and those of one wrong value in it. */
const BODY_FAULTS = {
  'ongeldig-verzoek': 'The request has values that are not possible.',
  'verzoek-te-groot': 'The request is too large.',
  'mediatype-niet-ondersteund': 'The request is not JSON.',
  'buiten-bereik': 'This value is too large or too small.',
  'ongeldige-waarde': 'This value is not possible here.',
  'onbekend-veld': 'There is no such member.',
  'verkeerd-type': 'This value has the wrong type.',
};

/** Returns what a refusal or a fault with this code means, in English; null for a code that is not of the control API. */
export const meaningOf = (code: string): string | null =>
  Object.entries({ ...REFUSALS, ...BODY_FAULTS }).find(([known]) => known === code)?.[1] ?? null;

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

/**
 * An error that the control API answers with this status as a problem (RFC 9457) with this code. `detail` is a Dutch
 * text for the user.
 */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly status: number;
  readonly code: RefusalCode;
  readonly errors: readonly BodyError[];

  constructor(status: number, code: RefusalCode, detail: string, errors: ControlError['errors'] = []) {
    super(detail);
    this.status = status;
    this.code = code;
    this.errors = errors;
  }
}
