import { Problem } from '../../problem.ts';
import type { Exchange, JsonText } from '../exchange.ts';
import { type JsonFault, pathAt, scanJson } from './json.ts';
import { pointerOf } from './validation.ts';

/** Maximum size of a JSON body in bytes. */
export const MAX_BODY = 256 * 1024;
const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** A JSON request body: its text, its parsed value, and the text of each of its members. */
export interface JsonBody {
  readonly text: string;
  readonly value: unknown;
  /** Text of each member of the outermost object as the client sent it, keyed by member name. */
  readonly members: ReadonlyMap<string, string>;
}

/**
 * Reads and checks the JSON body of a request. Throws 415 for a Content-Type that is not JSON or a Content-Encoding;
 * 400 for invalid JSON, more than 32 levels of nesting, more than 1,000 items in a list, more than 20,000 values in total
 * or more than 10,000 characters in a string (reliability.md, "Bounded"), with a pointer to the first value that exceeds
 * such a limit. Errors of `read` are thrown unchanged.
 *
 * @param read - reads the text from the transport (Koa, or the browser build)
 */
export async function readBody(http: Exchange, read: () => Promise<JsonText>): Promise<JsonBody> {
  if (!JSON_TYPE.test(contentTypeOf(http))) {
    throw new Problem('mediatype-niet-ondersteund', 'Stuur de inhoud als `Content-Type: application/json`.');
  }
  const encoding = http.get('Content-Encoding');
  if (encoding !== '' && encoding.toLowerCase() !== 'identity') {
    throw new Problem('mediatype-niet-ondersteund', 'Stuur de inhoud onverpakt, zonder Content-Encoding.');
  }
  const { text, value: parsed } = await read();
  http.state.sent = text;
  const value = parsed === undefined ? parseJson(text) : parsed;
  const { fault, at, members } = scanJson(text);
  if (fault !== null) throw beyondLimit(fault, pathAt(text, at));
  return { text, value, members };
}

const LIMITS: Readonly<Record<JsonFault, string>> = {
  'too-deep': 'De inhoud is dieper genest dan 32 lagen.',
  'too-long': 'Een lijst in de inhoud heeft meer dan 1.000 onderdelen.',
  'too-many': 'De inhoud heeft meer dan 20.000 waarden.',
  'long-string': 'Een tekst in de inhoud heeft meer dan 10.000 tekens.',
};

/** Returns the 400 problem for a body that exceeds a limit. `path` leads to where it exceeds that limit. */
function beyondLimit(fault: JsonFault, path: readonly (string | number)[]): Problem {
  const detail = LIMITS[fault];
  // The whole body has too many values; of a list that is too long, the path leads to its last item.
  const wrong = { 'too-many': [], 'too-long': path.slice(0, -1), 'too-deep': path, 'long-string': path }[fault];
  return new Problem('ongeldig-verzoek', detail, {
    errors: [{ pointer: pointerOf(wrong), code: 'buiten-bereik', detail }],
  });
}

/**
 * Returns the `Content-Type` of a request; an empty string when the header is absent or sent more than once. A gateway
 * may have used another value of a repeated header than Node does (RFC 9110, 5.3).
 */
export function contentTypeOf({ req }: Exchange): string {
  const [type = '', ...others] = req.headersDistinct['content-type'] ?? [];
  return others.length === 0 ? type : '';
}

/** Returns the 413 problem for a body of more than `MAX_BODY` bytes. */
export const bodyTooLarge = (): Problem => new Problem('verzoek-te-groot', 'De inhoud mag ten hoogste 256 KiB zijn.');

/** Returns the 400 problem for a body that is not valid UTF-8. */
export const notUtf8 = (): Problem => new Problem('ongeldig-verzoek', 'De inhoud is geen geldige UTF-8.');

/** Returns the value of a JSON text. Throws 400, with the position of the syntax error when it is known. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The parser's message quotes the text, which may contain personal data; only the position, at its end, may be shown.
    const [, position] = / at position (\d+) \(line \d+ column \d+\)$/.exec(String(error)) ?? [];
    const where = position === undefined ? '' : ` (teken ${Number(position) + 1})`;
    throw new Problem(
      'ongeldig-verzoek',
      text.trim() === '' ? 'De inhoud is leeg; stuur JSON.' : `De inhoud is geen geldige JSON${where}.`,
    );
  }
}
