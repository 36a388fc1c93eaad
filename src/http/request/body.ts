import leven, { closestMatch } from 'leven';
import * as z from 'zod';
import { chooseFrom, type FieldFault, Problem, type Sentence, wrongBody } from '../../problem.ts';
import {
  JSON_LIMITS,
  type JsonFault,
  type JsonLimits,
  memberText,
  offsetOfFault,
  pathAt,
  repeatedMembers,
  scanJson,
} from '../../wire/json.ts';
import { json, MAX_FAULTS } from '../../wire/primitives.ts';
import type { Exchange } from '../exchange.ts';

/** Maximum size of a JSON body, in bytes. */
export const MAX_BODY = 256 * 1024;
// A parameter may be empty (RFC 9110, 5.6.6).
const JSON_TYPE = /^application\/json\s*(;\s*(charset\s*=\s*"?utf-8"?\s*)?)*$/i;

// Maximum number of unknown members in a body; a refusal names the first of them.
const UNKNOWN_MEMBERS = 1_000;

export interface JsonBody {
  readonly text: string;
  readonly value: unknown;
  /** Returns a member of the outermost object as the client sent it; undefined when there is none. */
  written(name: string): string | undefined;
}

/**
 * Reads and checks a JSON body. Throws 415 for another Content-Type or a Content-Encoding; 400 for bytes that are not
 * UTF-8, invalid JSON, and a text beyond one of `limits`, with a pointer to the first value that is. Errors of `read`,
 * which reads from the transport, are thrown unchanged.
 */
export async function readBody(http: Exchange, limits: BodyLimits, read: () => Promise<Uint8Array>): Promise<JsonBody> {
  if (!JSON_TYPE.test(contentTypeOf(http))) {
    const [other, inEnglish] = /^application\/json\s*;\s*charset=/i.test(contentTypeOf(http))
      ? [' in UTF-8, zonder een andere `charset`', ' in UTF-8, without another `charset`']
      : ['', ''];
    throw new Problem('mediatype-niet-ondersteund', {
      detail: `Stuur de inhoud als \`Content-Type: application/json\`${other}.`,
      english: `Send the body as \`Content-Type: application/json\`${inEnglish}.`,
    });
  }
  demandUnencoded(http, 'de inhoud', 'the body');
  const text = textOf(await read());
  http.state.sent = text;
  const scanned = scanJson(text, limits);
  if (scanned.fault !== null) throw beyondLimit(text, scanned.fault, scanned.at, limits);
  const value = parseJson(text);
  // No operation has a text as its body.
  if (typeof value === 'string' && /^\s*[{[]/.test(value)) throw new Problem('ongeldig-verzoek', JSON_TWICE);
  const repeats = repeatedMembers(text, scanned, value).filter(({ length }) => length === 1 || !limits.hasFreeMember);
  if (repeats.length > 0) throw repeated(repeats);
  return { text, value, written: (name) => memberText(text, scanned, name) };
}

const repeated = (paths: readonly (readonly (string | number)[])[]): Problem => {
  const said = { detail: 'Dit veld staat er meer dan één keer.', english: 'This member occurs more than once.' };
  const errors = paths
    .slice(0, MAX_FAULTS)
    .map((path) => ({ pointer: pointerOf(path), code: 'ongeldige-waarde' as const, ...said }));
  return wrongBody(errors, paths.length);
};

export interface BodyLimits extends JsonLimits {
  /** A member may be anything, such as a draft: also an object that has a member more than once. */
  readonly hasFreeMember: boolean;
}

/** reliability.md, "Bounded". */
export function limitsOf(schema: z.ZodType): BodyLimits {
  const names = new Set<string>();
  const members = addNames(schema, names) + UNKNOWN_MEMBERS;
  const limits = { ...JSON_LIMITS, outermost: UNKNOWN_MEMBERS, hasFreeMember: members === Number.POSITIVE_INFINITY };
  return members > JSON_LIMITS.values ? limits : { ...limits, members, unknown: UNKNOWN_MEMBERS, names };
}

// Returns the number of members that a value can have, with those of the values in it; infinity when a part may have
// any.
function addNames(schema: z.core.$ZodType, names: Set<string>): number {
  if (schema === json) return Number.POSITIVE_INFINITY;
  if (schema instanceof z.ZodArray) return JSON_LIMITS.items * addNames(schema.element, names);
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodDefault || schema instanceof z.ZodOptional)
    return addNames(schema.unwrap(), names);
  if (!(schema instanceof z.ZodObject)) return 0;
  return Object.entries<z.core.$ZodType>(schema.shape).reduce(
    (sum, [name, member]) => sum + 1 + addNames(member, names.add(name)),
    0,
  );
}

function beyondLimit(text: string, fault: JsonFault, at: number, limits: JsonLimits): Problem {
  const limit = limits[fault] ?? 0;
  const { detail, english } = DETAILS[fault];
  const said = {
    detail: detail.replace('{}', limit.toLocaleString('nl-NL')),
    english: english.replace('{}', String(limit)),
  };
  // The whole body has too many values or members; of a list that is too long, the path leads to its last item.
  const isOfWhole = fault === 'values' || fault === 'members' || fault === 'unknown' || fault === 'outermost';
  const path = isOfWhole ? [] : pathAt(text, at).slice(0, fault === 'items' ? -1 : undefined);
  return new Problem('ongeldig-verzoek', said, {
    errors: [{ pointer: pointerOf(path), code: 'buiten-bereik', ...said }],
  });
}

// `{}` stands for the limit.
const DETAILS: Readonly<Record<JsonFault, Sentence>> = {
  depth: { detail: 'De inhoud is dieper genest dan {} lagen.', english: 'The body is nested deeper than {} levels.' },
  items: {
    detail: 'Een lijst in de inhoud heeft meer dan {} onderdelen.',
    english: 'A list in the body has more than {} items.',
  },
  values: { detail: 'De inhoud heeft meer dan {} waarden.', english: 'The body has more than {} values.' },
  outermost: { detail: 'De inhoud heeft meer dan {} velden.', english: 'The body has more than {} members.' },
  members: {
    detail: 'De inhoud heeft, met alles wat erin staat, meer dan {} velden.',
    english: 'The body and what is in it have more than {} members.',
  },
  unknown: {
    detail: 'De inhoud heeft, met alles wat erin staat, meer dan {} onbekende velden.',
    english: 'The body and what is in it have more than {} unknown members.',
  },
  characters: {
    detail: 'Een tekst in de inhoud heeft meer dan {} tekens.',
    english: 'A text in the body has more than {} characters.',
  },
};

/**
 * An empty string when the header is absent or sent more than once: a gateway may have used another value of it than
 * Node does (RFC 9110, 5.3).
 */
export function contentTypeOf({ req }: Exchange): string {
  const [type = '', ...others] = req.headersDistinct['content-type'] ?? [];
  return others.length === 0 ? type : '';
}

/** Throws 415 `mediatype-niet-ondersteund` for a body with a Content-Encoding. */
export function demandUnencoded(http: Exchange, what: string, inEnglish: string): void {
  const encoding = http.get('Content-Encoding');
  if (encoding !== '' && encoding.toLowerCase() !== 'identity')
    throw new Problem('mediatype-niet-ondersteund', {
      detail: `Stuur ${what} onverpakt, zonder Content-Encoding.`,
      english: `Send ${inEnglish} without Content-Encoding.`,
    });
}

export const bodyTooLarge = (): Problem => new Problem('verzoek-te-groot', 'De inhoud mag ten hoogste 256 KiB zijn.');

const utf8 = new TextDecoder('utf-8', { fatal: true });

function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Problem('ongeldig-verzoek', {
      detail: 'De inhoud is geen geldige UTF-8.',
      english: 'The body is not valid UTF-8.',
    });
  }
}

/** Throws 400 `ongeldig-verzoek` for a text that is not JSON, with the place of the fault. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const position = offsetOfFault(text, error);
    const [where, inEnglish] =
      position === null ? ['', ''] : [` (teken ${position + 1})`, ` (character ${position + 1})`];
    throw new Problem(
      'ongeldig-verzoek',
      MISTAKES[text.trim()] ?? {
        detail: `De inhoud is geen geldige JSON${where}.`,
        english: `The body is not valid JSON${inEnglish}.`,
      },
    );
  }
}

const JSON_TWICE = {
  detail: 'De inhoud is JSON in een tekst: stuur het object zelf, in JavaScript met één keer JSON.stringify.',
  english: 'The body is JSON in a text: send the object itself, in JavaScript with JSON.stringify called once.',
};

const MISTAKES: Readonly<Record<string, Sentence>> = {
  '': { detail: 'De inhoud is leeg; stuur JSON.', english: 'The body is empty; send JSON.' },
  '[object Object]': {
    detail: 'De inhoud is [object Object]; stuur JSON, in JavaScript met JSON.stringify.',
    english: 'The body is [object Object]; send JSON, in JavaScript with JSON.stringify.',
  },
  undefined: { detail: 'De inhoud is undefined; stuur JSON.', english: 'The body is undefined; send JSON.' },
};

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
  throw wrongBody(errors, count);
}

/** The messages of zod are not used. The one for unknown members would name all of them. */
const NO_MESSAGES = { error: () => '' };

type Issue = z.core.$ZodIssue;

// A number that could be a BSN. The JSON Pointers in answers have `…` instead.
const NUMBER = /\d{8,}/g;

// UTF-16 units of one name in a JSON Pointer.
const MAX_NAME = 100;

/** RFC 6901. A long name is cut before it is escaped, so that no escape is cut in two. */
const pointerOf = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => String(part).replace(NUMBER, '…').slice(0, MAX_NAME).toWellFormed())
    .map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');

function toFaults(issue: Issue, schema: z.core.$ZodType): FieldFault[] {
  const pointer = pointerOf(issue.path);
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = membersAt(schema, issue.path);
      return issue.keys
        .slice(0, MAX_FAULTS)
        .map((key, index) => ({
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
      return [{ pointer, code: 'buiten-bereik', ...limitOf(issue) }];
    case 'invalid_value':
      return [{ pointer, code: 'ongeldige-waarde', ...chooseFrom(issue.values) }];
    case 'invalid_format':
      return [{ pointer, code: 'ongeldige-waarde', ...(FORMATS[issue.format] ?? NOT_HERE) }];
    case 'invalid_union':
      return unionFaults(pointer, issue, schema);
    default:
      return [{ pointer, code: 'ongeldige-waarde', ...NOT_HERE }];
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

const limitOf = (issue: Extract<Issue, { code: 'too_big' | 'too_small' }>): Sentence =>
  issue.code === 'too_big'
    ? {
        detail: `Ten hoogste ${issue.maximum}${issue.origin === 'string' ? ' tekens' : ''}.`,
        english: `At most ${issue.maximum}.`,
      }
    : issue.inclusive
      ? { detail: `Ten minste ${issue.minimum}.`, english: `At least ${issue.minimum}.` }
      : { detail: `Meer dan ${issue.minimum}.`, english: `More than ${issue.minimum}.` };

function hintFor(unknown: string, known: readonly string[]): Sentence {
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

const NOT_HERE = { detail: 'Deze waarde kan hier niet.', english: 'This value is not possible here.' };
const FORMATS: Readonly<Record<string, Sentence>> = {
  date: { detail: 'Schrijf een dag als 2026-06-01.', english: 'Write a day as 2026-06-01.' },
  datetime: {
    detail: 'Schrijf een moment als 2026-06-01T12:00:00Z.',
    english: 'Write a moment as 2026-06-01T12:00:00Z.',
  },
};

// The details of the options when they have one to three faults in total; otherwise a general text.
function unionFaults(
  pointer: string,
  issue: Extract<Issue, { code: 'invalid_union' }>,
  schema: z.core.$ZodType,
): FieldFault[] {
  const faults = issue.errors.flatMap((issues) => issues.flatMap((one) => toFaults(one, schema)));
  const said = {
    detail: [...new Set(faults.map(({ detail }) => detail))].join(' Of: '),
    english: [...new Set(faults.map(({ english }) => english))].join(' Or: '),
  };
  return [{ pointer, code: 'ongeldige-waarde', ...(faults.length > 0 && faults.length < 4 ? said : NOT_HERE) }];
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
