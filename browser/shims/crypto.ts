/** Replaces `node:crypto` in a browser, with the functions that the service needs (see `scripts/handlers.ts`). */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

export const randomUUID = (): string => crypto.randomUUID();

/** Creates a SHA-256 hash. Throws for any other algorithm. */
export function createHash(algorithm: 'sha256') {
  if (algorithm !== 'sha256') throw new Error(`unsupported hash: ${algorithm}`);
  const hash = sha256.create();
  const made = {
    update(data: string | Uint8Array) {
      hash.update(typeof data === 'string' ? new TextEncoder().encode(data) : data);
      return made;
    },
    digest(encoding: 'hex' | 'base64' | 'base64url'): string {
      const bytes = hash.digest();
      if (encoding === 'hex') return bytesToHex(bytes);
      const base64 = btoa(String.fromCharCode(...bytes));
      return encoding === 'base64' ? base64 : base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
    },
  };
  return made;
}
