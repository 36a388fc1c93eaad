import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import type { ReceivedBody } from '../../transport/dispatch.ts';
import { parseSimulatedJson, type SimulatedFile } from '../../transport/operation.ts';
import { type Receive, receiveJson, type StreamedRequest } from '../../transport/respond.ts';
import { splitInhoud } from './inhoud.ts';

/** Maximum size in bytes of a request body that is read into memory as a whole. */
const MAX_IN_MEMORY = 64 * 1024;

/**
 * Returns a function that reads the body of a request to the document store (JSON or multipart), and writes a file in
 * it to a new file in `folder`, which the caller must move or delete.
 */
export const receiveInto =
  (folder: string): Receive =>
  async (request) => {
    const { method, headers } = request;
    // The folder may have been deleted while the process runs.
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `${randomUUID()}.part`);
    const type = headers.get('content-type') ?? '';
    if (type.startsWith('multipart/form-data')) return receivePart(chunksIn(request), type, path);
    const isSmall =
      Number(headers.get('content-length') ?? 0) <= MAX_IN_MEMORY && headers.get('transfer-encoding') === null;
    return isSmall && method !== 'POST' ? receiveJson(request) : receiveInline(chunksIn(request), path);
  };

/** Yields the body of a request as buffers, without a copy of its bytes. */
async function* chunksIn({ body }: StreamedRequest): AsyncGenerator<Buffer, void> {
  for await (const { buffer, byteOffset, byteLength } of body) yield Buffer.from(buffer, byteOffset, byteLength);
}

/**
 * Reads a JSON body, and writes its member `inhoud`, decoded from base64, to the file `path`. Wrong base64 is reported
 * in `file.fault`. Deletes the file and throws when the body breaks off or its other members are too large.
 */
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
    // Throws when it cannot write all bytes, unlike `write`.
    await handle.appendFile(bytes);
  };
  try {
    const text = await splitInhoud(incoming, write);
    if (rest !== '') fault ??= 'incorrect-base64-padding';
    const file = handle === undefined ? undefined : { path, size, fault, fields: {} };
    return { body: parseSimulatedJson(text), ...(file && { file }) };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await handle?.close();
  }
}

/**
 * Reads a multipart body with the media type `type`, and writes its field `inhoud` to `path`. Deletes the file and
 * throws when the body breaks off.
 */
async function receivePart(incoming: AsyncIterable<Buffer>, type: string, path: string): Promise<ReceivedBody> {
  const fields: Record<string, string> = {};
  let file: SimulatedFile | undefined;
  let writing: Promise<void> = Promise.resolve();
  const parser = busboy({ headers: { 'content-type': type } });
  parser.on('field', (name, value) => {
    fields[name] = value;
  });
  parser.on('file', (name, stream) => {
    let size = 0;
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
    });
    writing = pipeline(stream, createWriteStream(path)).then(() => {
      if (name === 'inhoud') file = { path, size, fault: null, fields };
    });
    writing.catch(() => undefined);
  });
  try {
    await pipeline(Readable.from(incoming), parser);
    await writing;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  if (file === undefined) await rm(path, { force: true });
  return { body: fields, ...(file && { file }) };
}
