import type { FileType } from '../../wire/values.ts';

/** The permitted file name extensions for each type. A name without an extension gets the first one. */
export const EXTENSIONS: Readonly<Record<FileType, readonly [string, ...string[]]>> = {
  'application/pdf': ['pdf'],
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'jfif'],
  'image/png': ['png'],
};

const SIGNATURES: readonly (readonly [FileType, readonly number[]])[] = [
  ['application/pdf', [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
];

/** Returns the type of a file, detected from its first bytes; null when the type is not accepted. */
export const typeOf = (start: Uint8Array): FileType | null =>
  SIGNATURES.find(([, signature]) => signature.every((byte, at) => start[at] === byte))?.[0] ?? null;
