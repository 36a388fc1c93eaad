import { FORM } from '../../domain/upload-limits.ts';
import type { Exchange } from '../../http/exchange.ts';
import { Problem } from '../../problem.ts';
import type { Spool } from './spool.ts';

/** A text field as it came; `isCut` when it was longer than a field may be. */
export interface Field {
  readonly name: string;
  readonly value: string;
  readonly isCut: boolean;
}

export interface ReceivedUpload {
  /** As the client had it. */
  readonly name: string;
  readonly file: Spool;
}

/**
 * Reads one file and its fields from a request (RFC 7578), never more than is allowed of anything. `begin` is called once,
 * with all fields: before the file is read when they came first, else after it; it gives the bytes that the file may have.
 * `heard` is told of what comes as it comes, the file by its name. `hold` is told of bytes before they are kept, and may throw.
 * Throws a `Problem`, `TooLarge`, or `CallerGone`; then nothing is left, and the rest of the request is unread.
 */
export type ReadUpload = (
  http: Exchange,
  boundary: string,
  begin: (fields: readonly Field[]) => Promise<number>,
  hold: (bytes: number) => void,
  heard?: (fields: readonly Field[], name: string | null) => void,
) => Promise<ReceivedUpload>;

/** Fields that must have come before a file can be judged while it is read. */
export const NEEDED = ['categoryId', 'localId', 'wizardId'];

/** RFC 2046, 5.1.1, between quotes; without them (RFC 2045, 5.1) everything that clients send bare. */
const MULTIPART =
  /^multipart\/form-data\s*;\s*boundary=(?:"([\w'()+,./:=? -]{0,69}[\w'()+,./:=?-])"|([\w'()+,./:=?-]{1,70}))\s*$/i;

/** The boundary of an upload's `Content-Type`, which says that and nothing else; null for any other type. */
export function boundaryOf(contentType: string): string | null {
  const [, quoted, bare] = MULTIPART.exec(contentType) ?? [];
  return quoted ?? bare ?? null;
}

/** What is wrong with the parts of an upload, whoever takes them apart. */
export const WRONG = {
  unreadable: (cause?: unknown): Problem =>
    new Problem('upload-onjuist', 'De upload is niet compleet of geen geldige multipart.', { cause }),
  tooManyFields: (): Problem => new Problem('upload-onjuist', `Een upload heeft ten hoogste ${FORM.fields} velden.`),
  tooManyParts: (): Problem => new Problem('upload-onjuist', `Een upload heeft ten hoogste ${FORM.parts} onderdelen.`),
  tooManyFiles: (): Problem => new Problem('upload-te-veel-bestanden', 'Stuur één bestand per verzoek.'),
  noFile: (): Problem => withoutFile('Er is geen onderdeel `file`.'),
  fileWithoutName: (): Problem => withoutFile('Het onderdeel `file` heeft geen bestandsnaam.'),
  otherName: (): Problem => withoutFile('Het onderdeel met het bestand heet `file`.'),
  nothingChosen: (): Problem => withoutFile('Er is geen bestand gekozen, of het heeft geen naam.'),
  /** Judged without it, the file may be on its way to somewhere else than this field says. */
  fieldTooLate(): Problem {
    const detail = 'Stuur de velden vóór het bestand, elk één keer.';
    return new Problem('upload-veld-onjuist', detail, {
      errors: [{ pointer: '/file', code: 'ongeldige-waarde', detail }],
    });
  },
};

const withoutFile = (detail: string): Problem => new Problem('upload-zonder-bestand', detail);
