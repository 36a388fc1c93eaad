import * as z from 'zod';
import { Problem } from '../../problem.ts';
import { JSON_LIMITS, type JsonFault, type JsonLimits, memberText, pathAt, scanJson } from '../../wire/json.ts';
import { dutchNumber } from '../../wire/numbers.ts';
import { json } from '../../wire/primitives.ts';
import type { Exchange } from '../exchange.ts';
import { pointerOf } from './validation.ts';

/** In bytes. */
export const MAX_BODY = 256 * 1024;
const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

const isJsonWithCharset = (http: Exchange): boolean => /^application\/json\s*;\s*charset=/i.test(contentTypeOf(http));

// Up to this number the first unknown members are named.
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
export async function readBody(http: Exchange, limits: JsonLimits, read: () => Promise<Uint8Array>): Promise<JsonBody> {
  if (!JSON_TYPE.test(contentTypeOf(http))) {
    const other = isJsonWithCharset(http) ? ' in UTF-8, zonder een andere `charset`' : '';
    throw new Problem('mediatype-niet-ondersteund', `Stuur de inhoud als \`Content-Type: application/json\`${other}.`);
  }
  const encoding = http.get('Content-Encoding');
  if (encoding !== '' && encoding.toLowerCase() !== 'identity') {
    throw new Problem('mediatype-niet-ondersteund', 'Stuur de inhoud onverpakt, zonder Content-Encoding.');
  }
  const text = textOf(await read());
  http.state.sent = text;
  const scanned = scanJson(text, limits);
  if (scanned.fault !== null) throw beyondLimit(text, scanned.fault, scanned.at, limits);
  return { text, value: parseJson(text), written: (name) => memberText(text, scanned, name) };
}

/** reliability.md, "Bounded". */
export function limitsOf(schema: z.ZodType): JsonLimits {
  const names = new Set<string>();
  const members = addNames(schema, names) + UNKNOWN_MEMBERS;
  const limits = { ...JSON_LIMITS, outermost: UNKNOWN_MEMBERS };
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
  const detail = DETAILS[fault].replace('{}', dutchNumber(limits[fault] ?? 0));
  // The whole body has too many values or members; of a list that is too long, the path leads to its last item.
  const isOfWhole = fault === 'values' || fault === 'members' || fault === 'unknown' || fault === 'outermost';
  const path = isOfWhole ? [] : pathAt(text, at).slice(0, fault === 'items' ? -1 : undefined);
  return new Problem('ongeldig-verzoek', detail, {
    errors: [{ pointer: pointerOf(path), code: 'buiten-bereik', detail }],
  });
}

const DETAILS: Readonly<Record<JsonFault, string>> = {
  depth: 'De inhoud is dieper genest dan {} lagen.',
  items: 'Een lijst in de inhoud heeft meer dan {} onderdelen.',
  values: 'De inhoud heeft meer dan {} waarden.',
  outermost: 'De inhoud heeft meer dan {} velden.',
  members: 'De inhoud heeft, met alles wat erin staat, meer dan {} velden.',
  unknown: 'De inhoud heeft, met alles wat erin staat, meer dan {} onbekende velden.',
  characters: 'Een tekst in de inhoud heeft meer dan {} tekens.',
};

/**
 * An empty string when the header is absent or sent more than once: a gateway may have used another value of it than
 * Node does (RFC 9110, 5.3).
 */
export function contentTypeOf({ req }: Exchange): string {
  const [type = '', ...others] = req.headersDistinct['content-type'] ?? [];
  return others.length === 0 ? type : '';
}

export const bodyTooLarge = (): Problem => new Problem('verzoek-te-groot', 'De inhoud mag ten hoogste 256 KiB zijn.');

const utf8 = new TextDecoder('utf-8', { fatal: true });

function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Problem('ongeldig-verzoek', 'De inhoud is geen geldige UTF-8.');
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The parser's message quotes the text, which may contain personal data; only the position, at its end, may be shown.
    const [, position] = / at position (\d+) \(line \d+ column \d+\)$/.exec(String(error)) ?? [];
    const where = position === undefined ? '' : ` (teken ${Number(position) + 1})`;
    throw new Problem('ongeldig-verzoek', MISTAKES[text.trim()] ?? `De inhoud is geen geldige JSON${where}.`);
  }
}

const MISTAKES: Readonly<Record<string, string>> = {
  '': 'De inhoud is leeg; stuur JSON.',
  '[object Object]': 'De inhoud is [object Object]; stuur JSON, in JavaScript met JSON.stringify.',
  undefined: 'De inhoud is undefined; stuur JSON.',
};
