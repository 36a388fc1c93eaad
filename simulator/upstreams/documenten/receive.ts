import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import { type ReceivedBody, receiveJson } from '../../transport/listener.ts';
import { parse, type ReceivedFile } from '../../transport/operation.ts';
import { splitInhoud } from './inhoud.ts';

/** Bodies up to here are read as any other. */
const SMALL = 64 * 1024;

/** What the store of documents is sent: JSON whose `inhoud` may be many megabytes of base64, or one part of a file. */
export const receiveInto =
  (folder: string) =>
  async (incoming: IncomingMessage): Promise<ReceivedBody> => {
    // Somebody may have thrown it away while this ran.
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const type = incoming.headers['content-type'] ?? '';
    if (type.startsWith('multipart/form-data')) return receivePart(incoming, join(folder, `${randomUUID()}.part`));
    const isSmall =
      Number(incoming.headers['content-length'] ?? 0) <= SMALL && incoming.headers['transfer-encoding'] === undefined;
    return isSmall && incoming.method !== 'POST'
      ? receiveJson(incoming)
      : receiveInline(incoming, join(folder, `${randomUUID()}.part`));
  };

/** Everything but `inhoud` as JSON, and that decoded into a file as it comes. */
async function receiveInline(incoming: IncomingMessage, path: string): Promise<ReceivedBody> {
  let handle: FileHandle | undefined;
  let left = '';
  let size = 0;
  let fault: string | null = null;
  const write = async (text: string): Promise<void> => {
    handle ??= await open(path, 'w');
    const base64 = left + text;
    const whole = base64.length - (base64.length % 4);
    left = base64.slice(whole);
    const ready = base64.slice(0, whole);
    if (!/^[A-Za-z0-9+/]*={0,2}$/.test(ready)) fault ??= 'invalid-base64';
    const bytes = Buffer.from(ready, 'base64');
    size += bytes.length;
    await handle.write(bytes);
  };
  try {
    const text = await splitInhoud(incoming, write);
    if (left !== '') fault ??= 'incorrect-base64-padding';
    const file = handle === undefined ? undefined : { path, size, fault, fields: {} };
    return { body: parse(text), ...(file && { file }) };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await handle?.close();
  }
}

async function receivePart(incoming: IncomingMessage, path: string): Promise<ReceivedBody> {
  const fields: Record<string, string> = {};
  let file: ReceivedFile | undefined;
  let writing: Promise<void> = Promise.resolve();
  const parser = busboy({ headers: incoming.headers });
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
    await pipeline(incoming, parser);
    await writing;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  if (file === undefined) await rm(path, { force: true });
  return { body: fields, ...(file && { file }) };
}
