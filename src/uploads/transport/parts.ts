import { FORM } from '../../domain/upload-limits.ts';
import type { Exchange } from '../../http/exchange.ts';
import { Problem } from '../../problem.ts';
import type { Spool } from './spool.ts';

/** A text field of a form as it was sent. */
export interface FormField {
  readonly name: string;
  readonly value: string;
  /** True when the value was longer than a field may be; `value` is then its first part. */
  readonly isCut: boolean;
}

export interface ReceivedUpload {
  /** File name as the client sent it. */
  readonly name: string;
  readonly file: Spool;
}

/**
 * Reads one file and its fields from a multipart request (RFC 7578), within all limits. Throws a `Problem`,
 * `TooLarge`, or `ClientDisconnected`; then nothing is kept, and the rest of the request is not read.
 *
 * @param begin - called once with all fields, before the file is read when the fields came first, else after it;
 * returns the largest size of the file in bytes
 * @param hold - called for each chunk before it is kept; may throw when there is no room
 * @param heard - called for each part when it arrives, with all fields so far and the name of the file or null
 */
export type ReadUpload = (
  http: Exchange,
  boundary: string,
  begin: (fields: readonly FormField[]) => Promise<number>,
  hold: (bytes: number) => void,
  heard?: (fields: readonly FormField[], name: string | null) => void,
) => Promise<ReceivedUpload>;

/** Fields that must come before the file, so that its category and size limit are known while it is read. */
export const REQUIRED_FIELDS = ['categoryId', 'localId', 'wizardId'];

/** A quoted boundary (RFC 2046, 5.1.1), or one without quotes (RFC 2045, 5.1) in the characters that clients use. */
const MULTIPART =
  /^multipart\/form-data\s*;\s*boundary=(?:"([\w'()+,./:=? -]{0,69}[\w'()+,./:=?-])"|([\w'()+,./:=?-]{1,70}))\s*$/i;

/** Returns the boundary of a `multipart/form-data` type with no other parameter; null for any other `Content-Type`. */
export function boundaryOf(contentType: string): string | null {
  const [, quoted, bare] = MULTIPART.exec(contentType) ?? [];
  return quoted ?? bare ?? null;
}

/** Problems with the parts of an upload, for the parsers of the service and of the browser. */
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
  /** A field after the file: the file may already be stored for another purpose than this field says. */
  fieldTooLate(): Problem {
    const detail = 'Stuur de velden vóór het bestand, elk één keer.';
    return new Problem('upload-veld-onjuist', detail, {
      errors: [{ pointer: '/file', code: 'ongeldige-waarde', detail }],
    });
  },
};

const withoutFile = (detail: string): Problem => new Problem('upload-zonder-bestand', detail);
