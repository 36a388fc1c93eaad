import leven, { closestMatch } from 'leven';
import * as z from 'zod';
import { type FieldFault, Problem } from '../../problem.ts';
import { MAX_FAULTS } from '../../wire/primitives.ts';

/**
 * Throws 400 `ongeldig-verzoek` with at most `MAX_FAULTS` faults, each with a JSON Pointer to the wrong member (NL API
 * Design Rules).
 */
export function validated<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value, NO_MESSAGES);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const count = issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0);
  const errors = issues
    .slice(0, MAX_FAULTS)
    .flatMap((issue) => toFaults(issue, schema))
    .slice(0, MAX_FAULTS);
  throw new Problem('ongeldig-verzoek', toDetail(count), { errors });
}

/** The messages of zod are not used. The one for unknown members would name all of them. */
const NO_MESSAGES = { error: () => '' };

function toDetail(count: number): string {
  if (count === 1) return 'Er is één fout in de inhoud.';
  // The check of a list ends there, so the number of faults is not known.
  if (count > MAX_FAULTS)
    return `Er zijn meer dan ${MAX_FAULTS} fouten in de inhoud; hier staan de eerste ${MAX_FAULTS}.`;
  return `Er zijn ${count} fouten in de inhoud.`;
}

type Issue = z.core.$ZodIssue;

// Could be a BSN. The JSON Pointers in answers have `…` instead.
const NUMBER = /\d{8,}/g;

// UTF-16 units of one name in a JSON Pointer.
const MAX_NAME = 100;

/** RFC 6901. A long name is cut before it is escaped, so that no escape is cut in two. */
export const pointerOf = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => String(part).replace(NUMBER, '…').slice(0, MAX_NAME).toWellFormed())
    .map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');

function toFaults(issue: Issue, schema: z.core.$ZodType): FieldFault[] {
  const pointer = pointerOf(issue.path);
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = membersAt(schema, issue.path);
      return issue.keys.slice(0, MAX_FAULTS).map((key, index) => ({
        pointer: `${pointer}${pointerOf([key])}`,
        code: 'onbekend-veld',
        ...hintFor(key, index < MAX_HINTS ? known : []),
      }));
    }
    case 'invalid_type':
      return [
        {
          pointer,
          code: 'verkeerd-type',
          detail: `Dit moet ${TYPES[issue.expected] ?? issue.expected} zijn.`,
          english: `The type must be ${issue.expected}.`,
        },
      ];
    case 'too_big':
    case 'too_small':
      return [
        { pointer, code: 'buiten-bereik', detail: 'Deze waarde is te groot of te klein.', english: limitOf(issue) },
      ];
    case 'invalid_value':
      return [
        {
          pointer,
          code: 'ongeldige-waarde',
          detail: `Kies uit ${issue.values.join(', ')}.`,
          english: `Choose from ${issue.values.join(', ')}.`,
        },
      ];
    case 'invalid_format':
      return [{ pointer, code: 'ongeldige-waarde', detail: FORMATS[issue.format] ?? NOT_HERE }];
    case 'invalid_union':
      return unionFaults(pointer, issue, schema);
    default:
      return [{ pointer, code: 'ongeldige-waarde', detail: NOT_HERE }];
  }
}

// Unknown members of one object for which a known one is suggested.
const MAX_HINTS = 10;
const MAX_LISTED = 12;

function membersAt(schema: z.core.$ZodType | undefined, [first, ...rest]: readonly PropertyKey[]): readonly string[] {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodDefault || schema instanceof z.ZodOptional)
    return membersAt(schema.unwrap(), first === undefined ? [] : [first, ...rest]);
  if (schema instanceof z.ZodArray) return first === undefined ? [] : membersAt(schema.element, rest);
  if (!(schema instanceof z.ZodObject)) return [];
  return first === undefined ? Object.keys(schema.shape) : membersAt(schema.shape[String(first)], rest);
}

const limitOf = (issue: Extract<Issue, { code: 'too_big' | 'too_small' }>): string =>
  issue.code === 'too_big' ? `At most ${issue.maximum}.` : `At least ${issue.minimum}.`;

function hintFor(unknown: string, known: readonly string[]): Pick<FieldFault, 'detail' | 'english'> {
  const name = unknown.slice(0, MAX_NAME).toLowerCase();
  const near = closestMatch(name, known) ?? '';
  const isMeant = near !== '' && leven(name, near.toLowerCase()) <= Math.ceil(near.length / 3);
  const isFew = known.length > 0 && known.length <= MAX_LISTED;
  const listed = known.join(', ');
  return {
    detail: `Dit veld bestaat niet.${isMeant ? ` Bedoelde u ${near}?` : ''}${isFew ? ` Hier kan: ${listed}.` : ''}`,
    english: `There is no such member.${isMeant ? ` Did you mean ${near}?` : ''}${isFew ? ` The members are: ${listed}.` : ''}`,
  };
}

const NOT_HERE = 'Deze waarde kan hier niet.';
const FORMATS: Readonly<Record<string, string>> = {
  date: 'Schrijf een dag als 2026-06-01.',
  datetime: 'Schrijf een moment als 2026-06-01T12:00:00Z.',
};

// The details of the options when they have one to three faults in total; otherwise a general text.
function unionFaults(
  pointer: string,
  issue: Extract<Issue, { code: 'invalid_union' }>,
  schema: z.core.$ZodType,
): FieldFault[] {
  const details = issue.errors.flatMap((issues) =>
    issues.flatMap((one) => toFaults(one, schema)).map(({ detail }) => detail),
  );
  const detail = [...new Set(details)].join(' Of: ');
  return [{ pointer, code: 'ongeldige-waarde', detail: details.length > 0 && details.length < 4 ? detail : NOT_HERE }];
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'tekst',
  number: 'een getal',
  int: 'een geheel getal',
  boolean: 'waar of onwaar',
  array: 'een lijst',
  object: 'een object',
  record: 'een object',
};
