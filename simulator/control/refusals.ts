import * as z from 'zod';
import type { Sentence } from '../../src/problem.ts';

/** The status of each code with which the control API refuses a request (`ControlError`). */
const REFUSALS = {
  'aantal-onbruikbaar': 400,
  'al-geregistreerd': 409,
  'alleen-hier': 403,
  'beroep-nodig': 409,
  'brief-niet-te-brengen': 409,
  'brief-onbekend': 404,
  'bron-niet-gesimuleerd': 409,
  'demonstratie-ongeldig': 400,
  'document-in-gebruik': 409,
  'document-onbekend': 404,
  'filter-onjuist': 400,
  'formaat-onbekend': 400,
  'geen-brief': 409,
  'geen-deadline': 409,
  'geen-demonstratie-hier': 409,
  'geen-getal': 400,
  'geen-map': 409,
  'geen-zaak': 409,
  'klok-onduidelijk': 400,
  'klok-te-ver': 400,
  'lopende-aanvraag': 409,
  'meekijken-kan-niet': 409,
  'map-onbruikbaar': 409,
  'methode-niet-toegestaan': 405,
  'momentopname-onbekend': 404,
  'momentopname-onbruikbaar': 409,
  'naam-onjuist': 400,
  'nog-niet-ontvangen': 409,
  'pad-onbekend': 404,
  'ongeldig-verzoek': 400,
  'persona-bestaat': 409,
  'persona-onbekend': 404,
  'persona-ongeldig': 400,
  'persona-zonder-post': 404,
  'persoon-onbekend': 409,
  'besluit-ongegrond': 409,
  'persoon-overleden': 409,
  'scenario-onbekend': 404,
  'schijf-vol': 503,
  'sjabloon-past-niet': 409,
  'storing-onbekend': 404,
  'storing-onmogelijk': 400,
  'upload-bezig': 409,
  'voorbeeld-onbekend': 404,
  'voorwaarde-onbruikbaar': 400,
  'wereld-bestaat': 409,
  'wereld-onbekend': 404,
  'zaak-onbekend': 404,
  'zaak-zonder-brief': 409,
} as const satisfies Readonly<Record<string, number>>;
export type RefusalCode = keyof typeof REFUSALS;

/** The schema of a whole number from `min` to `max` in a query. Another value is refused with this code. */
export const numberInQuery = (code: RefusalCode, said: Sentence, min = 0, max = 999_999_999_999_999) =>
  z
    .string()
    .refine((text) => /^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max, { params: { code, said } })
    .meta({ type: 'integer', minimum: min, maximum: max })
    .transform(Number);

/** An error in a request body. Without `code` it is about a persona file, and English only. */
export interface BodyError extends Sentence {
  /** JSON Pointer to the wrong member. */
  readonly pointer: string;
  readonly code?: string;
}

/** A refusal of the control API, answered as a problem (RFC 9457). */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly code: RefusalCode;
  readonly said: Sentence;
  readonly errors: readonly BodyError[];

  constructor(code: RefusalCode, said: Sentence, errors: readonly BodyError[] = []) {
    super(said.english);
    this.code = code;
    this.said = said;
    this.errors = errors;
  }

  get status(): number {
    return REFUSALS[this.code];
  }
}

/** The refusal of a name that is not there, with those that are; `none` when there are none. */
export function notThere(code: RefusalCode, said: Sentence, names: readonly string[], none: Sentence): ControlError {
  const there = names.join(', ');
  const known = { detail: `${said.detail} Er zijn: ${there}.`, english: `${said.english} There are: ${there}.` };
  return new ControlError(code, names.length > 0 ? known : none);
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
    return new ControlError('schijf-vol', {
      detail:
        'De schijf met DATA_DIR is vol of stuk. Maak ruimte, bijvoorbeeld door een momentopname te verwijderen, en doe het dan opnieuw.',
      english:
        'The disk with DATA_DIR is full or broken. Make room, for example by deleting a snapshot, and try again.',
    });
  return cause === undefined ? null : diskFull(cause);
}
