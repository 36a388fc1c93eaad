/** Replaces `node:crypto` in a browser, with the functions that the service needs (see `scripts/handlers.ts`). */
import { md5 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

export const randomUUID = (): string => crypto.randomUUID();

const ALGORITHMS = { sha256, md5 };

/** Creates a SHA-256 or MD5 hash. */
export function createHash(algorithm: keyof typeof ALGORITHMS) {
  const hash = ALGORITHMS[algorithm].create();
  const made = {
    update(data: string | Uint8Array) {
      hash.update(typeof data === 'string' ? new TextEncoder().encode(data) : data);
      return made;
    },
    digest,
  };
  function digest(): Uint8Array;
  function digest(encoding: 'hex' | 'base64' | 'base64url'): string;
  function digest(encoding?: 'hex' | 'base64' | 'base64url'): Uint8Array | string {
    const bytes = hash.digest();
    if (encoding === undefined) return bytes;
    if (encoding === 'hex') return bytesToHex(bytes);
    const base64 = btoa(String.fromCharCode(...bytes));
    return encoding === 'base64' ? base64 : base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  }
  return made;
}
