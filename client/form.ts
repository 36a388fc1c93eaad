import { NetworkError } from './errors.ts';
import { randomUuid } from './uuid.ts';

/** The part of FileReader, which Node does not have, that the client uses. */
declare const FileReader: new () => {
  onload: () => void;
  onerror: () => void;
  readonly result: unknown;
  readonly error: unknown;
  readAsArrayBuffer(file: Blob): void;
};

/**
 * Returns true for a form. Its methods are checked, because a form of a simulated browser (jsdom, happy-dom) has
 * another class than the global `FormData`.
 */
export const isForm = (body: unknown): body is FormData =>
  typeof body === 'object' && body !== null && ['append', 'entries', 'getAll'].every((name) => name in body);

/** The body of a request, and the header that says what it is. */
export interface SentBody {
  readonly body: FormData | Uint8Array<ArrayBuffer> | string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A part of a form: its name, its text or file, and the name of the file. */
type Part = readonly [name: string, value: string | Blob, fileName?: string];

/**
 * Returns a form with these fields and this file as `fetch` of this environment can send it. A File that is not of this
 * environment, such as that of jsdom beside the FormData of Node, is written to bytes. Rejects with a `NetworkError` when
 * the file cannot be read.
 */
export async function sentUpload(
  fields: Readonly<Record<string, string>>,
  file: Blob,
  name: string,
): Promise<SentBody> {
  if (!(file instanceof Blob)) return multipart([...Object.entries(fields), ['file', file, name]]);
  const form = new FormData();
  // The fields come before the file: the service checks them before it reads the file.
  for (const [field, text] of Object.entries(fields)) form.append(field, text);
  form.append('file', file, name);
  return sentForm(form);
}

/**
 * Returns a form as `fetch` of this environment can send it. A form of another class, such as that of jsdom, is written
 * to bytes: a Blob made here could be of that other class too, and the FormData of Node would refuse it. Rejects with a
 * `NetworkError` when a file in the form cannot be read.
 */
export async function sentForm(form: FormData): Promise<SentBody> {
  if (typeof Response === 'undefined') return { body: form, headers: {} };
  const own = await new Response(new URLSearchParams()).formData();
  // `fetch` sets the Content-Type of its own form, with the boundary.
  if (form instanceof own.constructor) return { body: form, headers: {} };
  return multipart(Array.from(form, ([name, value]) => [name, value, typeof value === 'string' ? '' : value.name]));
}

async function multipart(parts: readonly Part[]): Promise<SentBody> {
  const boundary = randomUuid();
  const pieces: Uint8Array[] = [];
  const write = (text: string) => pieces.push(new TextEncoder().encode(text));
  for (const [name, value, fileName = ''] of parts) {
    write(`--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"`);
    if (typeof value === 'string') write(`\r\n\r\n${value}`);
    else {
      const type = value.type || 'application/octet-stream';
      write(`; filename="${escaped(fileName)}"\r\nContent-Type: ${type}\r\n\r\n`);
      pieces.push(new Uint8Array(await bytesOf(value)));
    }
    write('\r\n');
  }
  write(`--${boundary}--\r\n`);
  const body = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    body.set(piece, at);
    at += piece.length;
  }
  return { body, headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` } };
}

const escaped = (name: string): string => name.replace(/["\r\n]/g, (char) => encodeURIComponent(char));

const bytesOf = (file: Blob): Promise<ArrayBuffer> =>
  read(file).catch((cause: unknown) => {
    throw cause instanceof NetworkError ? cause : new NetworkError('unsupported', UNREADABLE, { cause });
  });

async function read(file: Blob): Promise<ArrayBuffer> {
  if (typeof file.arrayBuffer === 'function') return file.arrayBuffer();
  if (typeof FileReader === 'undefined') throw new NetworkError('unsupported', UNREADABLE);
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as ArrayBuffer);
    reader.onerror = () => reject(reader.error);
    reader.readAsArrayBuffer(file);
  });
}

const UNREADABLE =
  'This environment has a File that cannot be read, or the file is no longer there. Update jsdom or happy-dom, or make the form with the FormData and File of Node: import { File } from "node:buffer".';
