import { createHash } from 'node:crypto';
import { FORM, HARD_CAP, OVERHEAD } from '../src/domain/upload-limits.ts';
import { type FormField, isComplete, MULTIPART_PROBLEMS, type ReadUpload } from '../src/uploads/form.ts';
import { inMemory, TooLarge } from '../src/uploads/spool.ts';
import type { PageExchange } from './exchange.ts';
import { partsOf } from './multipart.ts';

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
