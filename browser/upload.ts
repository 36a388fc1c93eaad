import { createHash } from 'node:crypto';
import { FORM, HARD_CAP, OVERHEAD } from '../src/domain/upload-limits.ts';
import { type FormField, isComplete, MULTIPART_PROBLEMS, type ReadUpload } from '../src/uploads/form.ts';
import { inMemory, TooLarge } from '../src/uploads/spool.ts';
import type { PageExchange } from './exchange.ts';

/**
 * Reads an upload in a page, completely in memory. Throws when the form is not valid or the file is too large.
 */
export const readUpload: ReadUpload = async (http, { boundary, begin, onPart }) => {
  const { request } = http as PageExchange;
  const parts = partsOf(new Uint8Array(await request.arrayBuffer()), boundary);
  if (parts === null) throw MULTIPART_PROBLEMS.unreadable();
  const fields: FormField[] = [];
  let file: { readonly name: string; readonly content: Uint8Array<ArrayBuffer> } | undefined;
  let cap: number | undefined;
  if (parts.length > FORM.parts) throw MULTIPART_PROBLEMS.tooManyParts();
  for (const { name, fileName, content } of parts) {
    if (fileName === null) {
      if (name === 'file') throw MULTIPART_PROBLEMS.fileWithoutName();
      if (cap !== undefined) throw MULTIPART_PROBLEMS.fieldTooLate(name);
      if (fields.length === FORM.fields) throw MULTIPART_PROBLEMS.tooManyFields();
      const value = new TextDecoder().decode(content.subarray(0, FORM.fieldBytes));
      fields.push({ name, value, isCut: content.length > FORM.fieldBytes });
      onPart?.(fields, null);
      continue;
    }
    if (file !== undefined) throw MULTIPART_PROBLEMS.tooManyFiles();
    if (name !== 'file') throw MULTIPART_PROBLEMS.otherName();
    if (fileName === '') throw MULTIPART_PROBLEMS.nothingChosen();
    file = { name: fileName, content };
    onPart?.(fields, fileName);
    if (isComplete(fields)) cap = await begin(fields);
  }
  if (file === undefined) throw MULTIPART_PROBLEMS.noFile();
  if (file.content.length > Math.min(cap ?? HARD_CAP, HARD_CAP + OVERHEAD)) throw new TooLarge();
  if (cap === undefined) await begin(fields);
  const { name, content } = file;
  return { name, file: inMemory(content, createHash('sha256').update(content).digest('hex')) };
};

/** One part of a form: its name, the name of its file (null for a text), and its content. */
export interface Part {
  readonly name: string;
  readonly fileName: string | null;
  readonly content: Uint8Array<ArrayBuffer>;
}

const DISPOSITION = /^content-disposition:[^\r\n]*/im;
const NAME = /;\s*name=(?:"([^"]*)"|([^;\s]+))/i;
const FILE_NAME = /;\s*filename=(?:"([^"]*)"|([^;\s]+))/i;

// Returns the parts of a form; null when the form is not valid. `formData()` is not used: that of jsdom cannot make a
// File in Node 24, and that of happy-dom reads file names as Latin-1.
function partsOf(body: Uint8Array<ArrayBuffer>, boundary: string): readonly Part[] | null {
  const delimiter = `\r\n--${boundary}`;
  // The text has one character for each byte. The first delimiter has no line end before it, so one is added.
  const text = `\r\n${new TextDecoder('latin1').decode(body)}`;
  const bytes = (start: number, end: number) => body.slice(start - 2, end - 2);
  const parts: Part[] = [];
  let start = text.indexOf(delimiter);
  while (start !== -1) {
    start += delimiter.length;
    if (text.startsWith('--', start)) return parts;
    const end = text.indexOf(delimiter, start);
    const content = text.indexOf('\r\n\r\n', start) + 4;
    if (content < 4 || content > end) return null;
    const head = DISPOSITION.exec(new TextDecoder().decode(bytes(start, content)))?.[0] ?? '';
    const name = parameterOf(head, NAME);
    if (name === null) return null;
    parts.push({ name, fileName: parameterOf(head, FILE_NAME), content: bytes(content, end) });
    start = end;
  }
  return null;
}

function parameterOf(head: string, parameter: RegExp): string | null {
  const [, quoted, bare] = parameter.exec(head) ?? [];
  return quoted ?? bare ?? null;
}
