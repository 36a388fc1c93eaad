import { NetworkError } from './errors.ts';

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

/**
 * Returns a form that `fetch` of this environment can send. For a form of another class, such as that of jsdom, it
 * returns a copy. Rejects with a `NetworkError` when a file in the form cannot be read.
 */
export async function sendable(form: FormData): Promise<FormData> {
  if (typeof Response === 'undefined') return form;
  const own = await new Response(new URLSearchParams()).formData();
  if (form instanceof own.constructor) return form;
  for (const [name, value] of form.entries())
    if (typeof value === 'string') own.append(name, value);
    else own.append(name, await copyOf(value), value.name);
  return own;
}

async function copyOf(file: File): Promise<Blob> {
  return new Response(await bytesOf(file), { headers: { 'Content-Type': file.type } }).blob();
}

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
