import { FORM } from '../../domain/upload-limits.ts';
import type { Exchange } from '../../http/exchange.ts';
import { Problem } from '../../problem.ts';
import type { Spool } from './spool.ts';

/** A text field of a multipart form. */
export interface FormField {
  readonly name: string;
  readonly value: string;
  /** True when the client sent a longer value than the maximum; `value` then has only the first part of that value. */
  readonly isCut: boolean;
}

/** A file that has been received completely. */
export interface ReceivedUpload {
  /** File name as the client sent it. */
  readonly name: string;
  readonly file: Spool;
}

/**
 * A function that reads one file and its fields from a multipart request (RFC 7578). It throws a `Problem` for an
 * invalid or slow request, `TooLarge` for a file above its size limit, or `ClientDisconnected`; after such an error it
 * has stopped reading and has kept no data.
 *
 * @param begin - called once with all fields: before the file is read when all required fields came before it, else
 *   after the file. It returns the maximum size of the file in bytes
 * @param reserve - called with the number of bytes of each chunk before that chunk is kept; it throws when no space is
 *   left
 * @param onPart - called when a part arrives, with all fields so far and the file name (null before the file arrives)
 */
export type ReadUpload = (
  http: Exchange,
  boundary: string,
  begin: (fields: readonly FormField[]) => Promise<number>,
  reserve: (bytes: number) => void,
  onPart?: (fields: readonly FormField[], name: string | null) => void,
) => Promise<ReceivedUpload>;

/** The names of the required form fields. A client should send them before the file. */
export const REQUIRED_FIELDS = ['categoryId', 'localId', 'wizardId'];

/**
 * Matches a `Content-Type` with a boundary: between quotes (RFC 2046, 5.1.1), or without quotes (RFC 2045, 5.1) and
 * only the characters that clients use.
 */
const MULTIPART =
  /^multipart\/form-data\s*;\s*boundary=(?:"([\w'()+,./:=? -]{0,69}[\w'()+,./:=?-])"|([\w'()+,./:=?-]{1,70}))\s*$/i;

/** Returns the boundary in a `Content-Type: multipart/form-data` without other parameters; null for any other value. */
export function boundaryOf(contentType: string): string | null {
  const [, quoted, bare] = MULTIPART.exec(contentType) ?? [];
  return quoted ?? bare ?? null;
}

/** Functions that return the `Problem` for an invalid multipart upload. The server and the browser build use them. */
export const MULTIPART_PROBLEMS = {
  unreadable: (cause?: unknown): Problem =>
    new Problem('upload-onjuist', 'De upload is niet compleet of geen geldige multipart.', { cause }),
  tooManyFields: (): Problem => new Problem('upload-onjuist', `Een upload heeft ten hoogste ${FORM.fields} velden.`),
  tooManyParts: (): Problem => new Problem('upload-onjuist', `Een upload heeft ten hoogste ${FORM.parts} onderdelen.`),
  tooManyFiles: (): Problem => new Problem('upload-te-veel-bestanden', 'Stuur één bestand per verzoek.'),
  noFile: (): Problem => withoutFile('Er is geen onderdeel `file`.'),
  fileWithoutName: (): Problem => withoutFile('Het onderdeel `file` heeft geen bestandsnaam.'),
  otherName: (): Problem => withoutFile('Het onderdeel met het bestand heet `file`.'),
  nothingChosen: (): Problem => withoutFile('Er is geen bestand gekozen, of het heeft geen naam.'),
  /**
   * Returns the 400 problem for a field that comes after the file, when the upload has already begun with the fields
   * before the file. `name` is then unknown, or was sent before.
   */
  fieldTooLate(name: string): Problem {
    const fault = REQUIRED_FIELDS.includes(name) ? FIELD_FAULTS.repeated : FIELD_FAULTS.unknown;
    return new Problem('upload-veld-onjuist', 'Niet alle velden van de upload kloppen.', {
      errors: [{ pointer: `/${safeName(name)}`, ...fault }],
    });
  },
};

/** The faults of a form field that can come before and after the file. */
export const FIELD_FAULTS = {
  unknown: { code: 'onbekend-veld', detail: 'Dit veld bestaat niet.' },
  repeated: { code: 'ongeldige-waarde', detail: 'Stuur dit veld één keer.' },
} as const;

/**
 * Returns the name of a form field for a response or for the simulator's journal; `…` for a name that could contain
 * personal data.
 */
export const safeName = (name: string): string => (/^[A-Za-z_]{1,40}$/.test(name) ? name : '…');

const withoutFile = (detail: string): Problem => new Problem('upload-zonder-bestand', detail);
