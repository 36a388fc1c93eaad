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
  const boundary = randomUuid();
  return {
    body: await multipart(form, boundary),
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
  };
}

/** Returns a form as bytes of `multipart/form-data` (RFC 7578). */
async function multipart(form: FormData, boundary: string): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  const write = (text: string) => pieces.push(new TextEncoder().encode(text));
  for (const [name, value] of form.entries()) {
    write(`--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"`);
    if (typeof value === 'string') write(`\r\n\r\n${value}`);
    else {
      const type = value.type || 'application/octet-stream';
      write(`; filename="${escaped(value.name)}"\r\nContent-Type: ${type}\r\n\r\n`);
      pieces.push(new Uint8Array(await bytesOf(value)));
    }
    write('\r\n');
  }
  write(`--${boundary}--\r\n`);
  const bytes = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** Returns a name as a browser writes it between quotes. */
const escaped = (name: string): string => name.replace(/["\r\n]/g, (char) => encodeURIComponent(char));

const bytesOf = (file: File): Promise<ArrayBuffer> =>
  read(file).catch((cause: unknown) => {
    throw cause instanceof NetworkError ? cause : new NetworkError('unsupported', UNREADABLE, { cause });
  });

async function read(file: File): Promise<ArrayBuffer> {
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
