import { Problem } from '../problem.ts';
import type { Exchange } from './exchange.ts';
import { scanJson } from './json.ts';

/** Bytes of a body; more is not read. */
export const MAX_BODY = 256 * 1024;
const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

export interface JsonBody {
  readonly text: string;
  readonly value: unknown;
  /** The members of the outermost object, as they were written. */
  readonly members: ReadonlyMap<string, string>;
}

/** The JSON body of a request, bounded before it is read and while. Throws 400, 413 or 415. */
export async function readJson(http: Exchange, readBody: () => Promise<Uint8Array>): Promise<JsonBody> {
  if (!JSON_TYPE.test(http.get('Content-Type'))) {
    throw new Problem('mediatype-niet-ondersteund', 'Stuur de inhoud als `Content-Type: application/json`.');
  }
  const encoding = http.get('Content-Encoding');
  if (encoding !== '' && encoding.toLowerCase() !== 'identity') {
    throw new Problem('mediatype-niet-ondersteund', 'Stuur de inhoud onverpakt, zonder Content-Encoding.');
  }
  const text = decode(await readBody());
  http.state.sent = text;
  const value = parse(text);
  const { fault, members } = scanJson(text);
  if (fault === 'too-deep') throw new Problem('ongeldig-verzoek', 'De inhoud is dieper genest dan 32 lagen.');
  if (fault === 'too-long')
    throw new Problem('ongeldig-verzoek', 'Een lijst in de inhoud heeft meer dan 1.000 onderdelen.');
  return { text, value, members };
}

/** 413, for a body that goes on. */
export const bodyTooLarge = (): Problem => new Problem('verzoek-te-groot', 'De inhoud mag ten hoogste 256 KiB zijn.');

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Problem('ongeldig-verzoek', 'De inhoud is geen geldige UTF-8.');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The parser quotes what it choked on; only the place is told.
    const [, position] = /position (\d+)/.exec(String(error)) ?? [];
    const where = position === undefined ? '' : ` (teken ${Number(position) + 1})`;
    throw new Problem(
      'ongeldig-verzoek',
      text.trim() === '' ? 'De inhoud is leeg; stuur JSON.' : `De inhoud is geen geldige JSON${where}.`,
    );
  }
}
