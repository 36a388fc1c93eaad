/**
 * Media types that are accepted. The type is read from a file's first bytes, as its name and declared type may be
 * false.
 */
export type FileType = 'application/pdf' | 'image/jpeg' | 'image/png';

/** Extensions that a name may have, by type. A name without one gets the first. */
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

/** Returns the type of a file by its first bytes; null when it is not an accepted type. */
export const typeOf = (start: Uint8Array): FileType | null =>
  SIGNATURES.find(([, signature]) => signature.every((byte, at) => start[at] === byte))?.[0] ?? null;
