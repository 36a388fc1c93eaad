import getRawBody, { type RawBodyError } from 'raw-body';
import { Problem } from '../problem.ts';
import { scanJson } from './json.ts';
import type { Context } from './state.ts';

const MAX_BODY = 256 * 1024;
/** Milliseconds for all of it. */
const PATIENCE = 15_000;
const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

export interface JsonBody {
  readonly text: string;
  readonly value: unknown;
  /** The members of the outermost object, as they were written. */
  readonly members: ReadonlyMap<string, string>;
}

/** The JSON body of a request, bounded before it is read and while. Throws 400, 413 or 415. */
export async function readJson(ctx: Context): Promise<JsonBody> {
  if (!JSON_TYPE.test(ctx.get('Content-Type'))) {
    throw new Problem('mediatype-niet-ondersteund', 'Stuur de inhoud als `Content-Type: application/json`.');
  }
  const encoding = ctx.get('Content-Encoding');
  if (encoding !== '' && encoding.toLowerCase() !== 'identity') {
    throw new Problem('mediatype-niet-ondersteund', 'Stuur de inhoud onverpakt, zonder Content-Encoding.');
  }
  const bytes = await inTime(getRawBody(ctx.req, { limit: MAX_BODY, length: ctx.get('Content-Length') || null })).catch(
    unread,
  );
  const text = decode(bytes);
  ctx.state.sent = text;
  const value = parse(text);
  const { fault, members } = scanJson(text);
  if (fault === 'too-deep') throw new Problem('ongeldig-verzoek', 'De inhoud is dieper genest dan 32 lagen.');
  if (fault === 'too-long')
    throw new Problem('ongeldig-verzoek', 'Een lijst in de inhoud heeft meer dan 1.000 onderdelen.');
  return { text, value, members };
}

/** What comes too slowly holds nothing of ours but its socket. */
async function inTime(reading: Promise<Buffer>): Promise<Buffer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Problem('verzoek-te-traag', 'Het verzoek kwam niet op tijd binnen.')),
      PATIENCE,
    );
  });
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
  }
}

function unread(error: RawBodyError | Problem): never {
  if (error instanceof Problem) throw error;
  if (error.type === 'entity.too.large') {
    throw new Problem('verzoek-te-groot', 'De inhoud mag ten hoogste 256 KiB zijn.');
  }
  throw new Problem('ongeldig-verzoek', 'De inhoud kwam niet volledig aan.', { cause: error });
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer): string {
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
