import { createHash } from 'node:crypto';
import { FORM, HARD_CAP, OVERHEAD } from '../src/domain/upload-limits.ts';
import {
  type FormField,
  MULTIPART_PROBLEMS,
  REQUIRED_FIELDS,
  type ReadUpload,
} from '../src/uploads/transport/parts.ts';
import { inMemory, TooLarge } from '../src/uploads/transport/spool.ts';
import type { PageExchange } from './exchange.ts';

/**
 * Reads an upload in a page with the browser's `formData()`, completely in memory. Throws when the form is not valid or
 * the file is too large.
 */
export const readUpload: ReadUpload = async (http, _boundary, begin, _hold, heard) => {
  const { request } = http as PageExchange;
  const form = await request.formData().catch((cause: unknown) => {
    throw MULTIPART_PROBLEMS.unreadable(cause);
  });
  const parts = [...form.entries()];
  const fields: FormField[] = [];
  let file: File | undefined;
  let cap: number | undefined;
  if (parts.length > FORM.parts) throw MULTIPART_PROBLEMS.tooManyParts();
  for (const [name, value] of parts) {
    if (typeof value === 'string') {
      if (name === 'file') throw MULTIPART_PROBLEMS.fileWithoutName();
      if (cap !== undefined) throw MULTIPART_PROBLEMS.fieldTooLate(name);
      if (fields.length === FORM.fields) throw MULTIPART_PROBLEMS.tooManyFields();
      const isCut = new TextEncoder().encode(value).length > FORM.fieldBytes;
      fields.push({ name, value: isCut ? value.slice(0, FORM.fieldBytes) : value, isCut });
      heard?.(fields, null);
      continue;
    }
    if (file !== undefined) throw MULTIPART_PROBLEMS.tooManyFiles();
    if (name !== 'file') throw MULTIPART_PROBLEMS.otherName();
    if (value.name === '') throw MULTIPART_PROBLEMS.nothingChosen();
    file = value;
    heard?.(fields, file.name);
    const isEarly = !REQUIRED_FIELDS.every((needed) => fields.some((field) => field.name === needed));
    if (!isEarly) cap = await begin(fields);
  }
  if (file === undefined) throw MULTIPART_PROBLEMS.noFile();
  if (file.size > Math.min(cap ?? HARD_CAP, HARD_CAP + OVERHEAD)) throw new TooLarge();
  if (cap === undefined) await begin(fields);
  const content = new Uint8Array(await file.arrayBuffer());
  return { name: file.name, file: inMemory(content, createHash('sha256').update(content).digest('hex')) };
};
