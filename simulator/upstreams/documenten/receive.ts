import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseSimulatedJson, type ReceivedBody } from '../../transport/operation.ts';
import type { Receive, StreamedRequest } from '../../transport/respond.ts';

/**
 * Returns a function that reads the body of a request to the document store, and writes a file in it to a new file in
 * `folder`, which the caller must move or delete.
 */
export const receiveInto =
  (folder: string): Receive =>
  async (request) => {
    // The folder may have been deleted while the process runs.
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return receiveInline(chunksIn(request), join(folder, `${randomUUID()}.part`));
  };

async function* chunksIn({ body }: StreamedRequest): AsyncGenerator<Buffer, void> {
  for await (const { buffer, byteOffset, byteLength } of body) yield Buffer.from(buffer, byteOffset, byteLength);
}

// Writes the member `inhoud`, decoded from base64, to the file. Wrong base64 is reported in `file.fault`. Deletes the
// file and throws when the body breaks off or its other members are too large.
async function receiveInline(incoming: AsyncIterable<Buffer>, path: string): Promise<ReceivedBody> {
  let handle: FileHandle | undefined;
  /** Base64 characters that do not yet make a complete group of four. */
  let rest = '';
  let size = 0;
  let fault: string | null = null;
  const write = async (text: string): Promise<void> => {
    handle ??= await open(path, 'w');
    const base64 = rest + text;
    const end = base64.length - (base64.length % 4);
    rest = base64.slice(end);
    const complete = base64.slice(0, end);
    if (!/^[A-Za-z0-9+/]*={0,2}$/.test(complete)) fault ??= 'invalid-base64';
    const bytes = Buffer.from(complete, 'base64');
    size += bytes.length;
    // `appendFile` throws when it cannot write all bytes, unlike `write`.
    await handle.appendFile(bytes);
  };
  try {
    const text = await splitInhoud(incoming, write);
    if (rest !== '') fault ??= 'incorrect-base64-padding';
    const file = handle === undefined ? undefined : { path, size, fault };
    return { body: parseSimulatedJson(text), ...(file && { file }) };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await handle?.close();
  }
}

const [QUOTE, BACKSLASH, COLON, COMMA, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [...'"\\:,{}[]'].map((char) =>
  char.charCodeAt(0),
);

/** Maximum size in bytes of a JSON body without the content of the file. */
const MAX_METADATA_SIZE = 256 * 1024;

// Passes the top-level member `inhoud` on in pieces, so that a large file is never completely in memory. Returns the
// JSON text with an empty `inhoud`. Throws when that text is larger than 256 KiB.
async function splitInhoud(source: AsyncIterable<Buffer>, onInhoud: (text: string) => Promise<void>): Promise<string> {
  const kept: Buffer[] = [];
  let size = 0;
  let depth = 0;
  let inString = false;
  let isEscaped = false;
  let inInhoud = false;
  /**
   * The first 32 bytes of the last string at the top level, without escapes. When a colon follows, this is the name of
   * a member.
   */
  let text: number[] = [];
  let name = '';

  const keep = (bytes: Buffer): void => {
    size += bytes.length;
    if (size > MAX_METADATA_SIZE) throw new Error('the metadata is too large');
    kept.push(bytes);
  };

  for await (const chunk of source) {
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      if (inInhoud) {
        const end = chunk.indexOf(QUOTE ?? 0, at);
        const piece = chunk.toString('latin1', at, end === -1 ? chunk.length : end);
        // Some JSON libraries escape every slash.
        await onInhoud(piece.includes('\\') ? piece.replaceAll('\\', '') : piece);
        from = end === -1 ? chunk.length : end;
        if (end === -1) break;
        at = end;
        inInhoud = false;
        continue;
      }
      const byte = chunk[at];
      if (inString) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) inString = false;
        else if (depth === 1 && text.length < 32) text.push(byte ?? 0);
      } else if (byte === QUOTE) {
        if (depth === 1 && name === 'inhoud') {
          keep(Buffer.from(chunk.subarray(from, at + 1)));
          from = at + 1;
          inInhoud = true;
          name = '';
        } else {
          inString = true;
          text = [];
        }
      } else if (byte === COLON && depth === 1) name = String.fromCharCode(...text);
      else if (byte === COMMA && depth === 1) name = '';
      else if (byte === OPEN || byte === OPEN_LIST) depth += 1;
      else if (byte === CLOSE || byte === CLOSE_LIST) depth -= 1;
    }
    if (from < chunk.length) keep(Buffer.from(chunk.subarray(from)));
  }
  return Buffer.concat(kept).toString();
}
