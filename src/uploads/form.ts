import { rule } from '../domain/rule.ts';
import { FORM } from '../domain/upload-limits.ts';
import type { Exchange } from '../http/exchange.ts';
import { type FieldFault, Problem, type Sentence } from '../problem.ts';
import { APPLICATION_TYPES, isOneOf } from '../wire/values.ts';
import { categoriesOf, categoryOf, type UploadCategory } from './categories.ts';
import type { Spool } from './spool.ts';

export interface FormField {
  readonly name: string;
  readonly value: string;
  /** The client sent a longer value than the maximum; `value` has its first part. */
  readonly isCut: boolean;
}

export interface ReceivedUpload {
  /** As the client sent it. */
  readonly name: string;
  readonly file: Spool;
}

export interface UploadReading {
  readonly boundary: string;
  /**
   * Called once with all fields: before the file is read when all required fields came before it, else after the file.
   * Returns the maximum size of the file in bytes.
   */
  begin(fields: readonly FormField[]): Promise<number>;
  /** Called with the bytes of each chunk before it is kept; throws when no space is left. */
  reserve(bytes: number): void;
  /** Called when a part arrives; `name` is null before the file arrives. */
  onPart?(fields: readonly FormField[], name: string | null): void;
}

/**
 * Reads one file and its fields from a multipart request (RFC 7578). Throws a `Problem` for an invalid or slow request,
 * `TooLarge`, or `ClientDisconnected`; it has then stopped reading and kept no data. The server reads from a socket,
 * the browser build from a `Request`.
 */
export type ReadUpload = (http: Exchange, reading: UploadReading) => Promise<ReceivedUpload>;

const REQUIRED_FIELDS = ['categoryId', 'localId', 'wizardId'];

/** The upload can begin before its file is read. */
export const isComplete = (fields: readonly FormField[]): boolean =>
  REQUIRED_FIELDS.every((needed) => fields.some(({ name }) => name === needed));

// Between quotes (RFC 2046, 5.1.1), or without quotes (RFC 2045, 5.1) and only the characters that clients use.
const MULTIPART =
  /^multipart\/form-data\s*;\s*boundary=(?:"([\w'()+,./:=? -]{0,69}[\w'()+,./:=?-])"|([\w'()+,./:=?-]{1,70}))\s*$/i;

/** Null for another value than `multipart/form-data` with only a boundary. */
export function boundaryOf(contentType: string): string | null {
  const [, quoted, bare] = MULTIPART.exec(contentType) ?? [];
  return quoted ?? bare ?? null;
}

/** The problems of a multipart form, for the server and the browser build. */
export const MULTIPART_PROBLEMS = {
  unreadable: (cause?: unknown): Problem =>
    new Problem(
      'upload-onjuist',
      {
        detail: 'De upload is niet compleet of geen geldige multipart: regels eindigen op CRLF.',
        english:
          'The upload is incomplete or no valid multipart: its lines end in CRLF, and the last is the boundary with -- at both ends.',
      },
      { cause },
    ),
  tooManyFields: (): Problem =>
    new Problem('upload-onjuist', {
      detail: `Een upload heeft ten hoogste ${FORM.fields} velden.`,
      english: `Send at most ${FORM.fields} fields.`,
    }),
  tooManyParts: (): Problem =>
    new Problem('upload-onjuist', {
      detail: `Een upload heeft ten hoogste ${FORM.parts} onderdelen.`,
      english: `Send at most ${FORM.parts} parts.`,
    }),
  tooManyFiles: (): Problem => new Problem('upload-te-veel-bestanden', 'Stuur één bestand per verzoek.'),
  // Nothing tells about a part whose `Content-Disposition` cannot be read.
  noFile: (): Problem => withoutFile('Er is geen onderdeel `file` met een geldige `Content-Disposition`.'),
  fileWithoutName: (): Problem => withoutFile('Het onderdeel `file` heeft geen bestandsnaam.'),
  otherName: (): Problem => withoutFile('Het onderdeel met het bestand heet `file`.'),
  nothingChosen: (): Problem => withoutFile('Er is geen bestand gekozen, of het heeft geen naam.'),
  /** After the file of an upload that has begun: its `name` is unknown, or was sent before. */
  fieldTooLate: (name: string): Problem =>
    wrongFields([fieldFault(name, REQUIRED_FIELDS.includes(name) ? REPEATED : UNKNOWN)]),
};

const withoutFile = (detail: string): Problem => new Problem('upload-zonder-bestand', detail);
const wrongFields = (errors: readonly FieldFault[]): Problem =>
  new Problem('upload-veld-onjuist', 'Niet alle velden van de upload kloppen.', { errors });

const FIELDS = `${REQUIRED_FIELDS.join(', ')}, file`;
const UNKNOWN: Omit<FieldFault, 'pointer'> = {
  code: 'onbekend-veld',
  detail: `Dit veld bestaat niet. Hier kan: ${FIELDS}.`,
  english: `There is no such field. The fields are: ${FIELDS}.`,
};
const REPEATED: typeof UNKNOWN = {
  code: 'ongeldige-waarde',
  detail: 'Stuur dit veld één keer.',
  english: 'Send this field once.',
};
const fieldFault = (name: string, fault: typeof UNKNOWN): FieldFault => ({ pointer: `/${safeName(name)}`, ...fault });

// Any other name could contain personal data.
const safeName = (name: string): string => (/^[A-Za-z_]{1,40}$/.test(name) ? name : '…');

export interface UploadPurpose {
  readonly wizardId: string;
  readonly localId: string;
  readonly category: UploadCategory;
}

const TYPES = APPLICATION_TYPES.join(', ');
function otherWizard(wizardId: string): Sentence {
  const known = categoriesOf(wizardId)
    .map(({ categoryId }) => categoryId)
    .join(', ');
  return known === ''
    ? { detail: 'Bij deze wizard horen geen documenten.', english: 'This wizardId has no documents.' }
    : {
        detail: `Deze categorie hoort niet bij deze wizard. Kies uit ${known}.`,
        english: `This wizardId has no such category. Choose from ${known}.`,
      };
}

const LOCAL_ID = /^[A-Za-z0-9_-]{1,64}$/;
/** 1 to 64 letters, digits, `_` and `-`. */
export const isLocalId = (text: string): boolean => LOCAL_ID.test(text);

/** Throws 400 `upload-veld-onjuist` or `categorie-onbekend`. */
export const purposeOf = rule(
  'uploads.md, "The way of a file"; domain.md 4.5',
  function purposeOf(fields: readonly FormField[]): UploadPurpose {
    const faults = fields
      .filter(({ name }) => !REQUIRED_FIELDS.includes(name))
      .map(({ name }) => fieldFault(name, UNKNOWN));
    const add = (name: string, code: FieldFault['code'], said: Sentence) =>
      faults.push(fieldFault(name, { code, ...said }));
    const [categoryId = '', localId = '', wizardId = ''] = REQUIRED_FIELDS.map((known) => {
      const [field, another] = fields.filter(({ name }) => name === known);
      if (another !== undefined) faults.push(fieldFault(known, REPEATED));
      else if (field === undefined || field.value === '')
        add(known, 'ontbreekt', { detail: 'Dit veld ontbreekt.', english: 'Missing.' });
      else if (field.isCut) add(known, 'buiten-bereik', { detail: 'Dit veld is te lang.', english: 'Too long.' });
      else return field.value;
      return undefined;
    });
    if (localId !== '' && !isLocalId(localId))
      add('localId', 'ongeldige-waarde', {
        detail: 'Gebruik 1 tot 64 letters, cijfers, _ en -.',
        english: 'Use 1 to 64 letters, digits, _ and -.',
      });
    if (wizardId !== '' && !isOneOf(APPLICATION_TYPES, wizardId))
      add('wizardId', 'ongeldige-waarde', { detail: `Kies uit ${TYPES}.`, english: `Choose from ${TYPES}.` });
    if (faults.length > 0) throw wrongFields(faults);
    const category = categoryOf(wizardId, categoryId);
    if (category !== null) return { wizardId, localId, category };
    const said = otherWizard(wizardId);
    throw new Problem('categorie-onbekend', said, {
      errors: [{ pointer: '/categoryId', code: 'categorie-onbekend', ...said }],
    });
  },
  {
    facts: (fields) => journalFieldsOf(fields),
    outcome: ({ wizardId, localId, category: { categoryId } }) => ({ wizardId, localId, categoryId }),
  },
);

/**
 * Returns the fields for the journal: the value of a known field is cut off after 100 characters; that of an unknown
 * field is null.
 */
export const journalFieldsOf = (fields: readonly FormField[]): Record<string, string | null> =>
  Object.fromEntries(
    fields.map(({ name, value }) =>
      REQUIRED_FIELDS.includes(name) ? [name, value.slice(0, 100)] : [safeName(name), null],
    ),
  );
