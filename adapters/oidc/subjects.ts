import { createHash, createHmac } from 'node:crypto';
import type { Caller, IncomingRequest } from '../../src/auth/identity.ts';
import { remember } from '../../src/domain/remember.ts';
import { StoreUnavailable } from '../../src/ports/store/store.ts';

/**
 * The owner names of a caller: `current` for new data, `former` of an earlier version of the service or an earlier key.
 */
export interface Subjects {
  readonly current: string;
  readonly former: readonly string[];
}

/**
 * Returns the owner names of a caller: an HMAC-SHA256 with each key, and a hash without a key, which is the current
 * name when there are no keys. Without a key, a `sub` that is a BSN could be found by trying all numbers.
 */
export function subjectsOf(kind: Caller['kind'], sub: string, keys: readonly Buffer[]): Subjects {
  const text = `${kind}\n${sub}`;
  const hashes = [
    ...keys.map((key) => createHmac('sha256', key).update(text).digest('base64url')),
    createHash('sha256').update(text).digest('base64url'),
  ];
  const [current = '', ...former] = hashes.map((hash) => `${kind}:${hash}`);
  return { current, former };
}

/** Gives the stored data of the names `from`, and the authors in the current letter of the workspace, the name `to`. */
export type RenameOwner = (from: readonly string[], to: string, workspace: string) => Promise<void>;

// Milliseconds until data under former names are searched again: an instance that still has the former key stores new
// data under a former name.
const RENAME_INTERVAL = 10_000;
const MAX_RENAMED = 10_000;
const SAFE_METHODS = ['GET', 'HEAD'];

/**
 * Returns a function that moves a caller's stored data to the current owner name, at most once per `RENAME_INTERVAL`.
 * It throws the error of the store, but ignores `StoreUnavailable` for a GET or HEAD request.
 */
export function createRenamer(rename: RenameOwner) {
  // For each caller and workspace, the moment of `performance.now()` from which to search again.
  const renamed = new Map<string, number>();
  return async ({ current, former }: Subjects, workspace: string, { method = '' }: IncomingRequest): Promise<void> => {
    const key = `${current}|${workspace}`;
    if (former.length === 0 || (renamed.get(key) ?? 0) > performance.now()) return;
    try {
      await rename(former, current, workspace);
    } catch (error) {
      if (error instanceof StoreUnavailable && SAFE_METHODS.includes(method)) return;
      throw error;
    }
    remember(renamed, key, performance.now() + RENAME_INTERVAL, MAX_RENAMED);
  };
}
