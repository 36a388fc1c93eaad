import { createHash, createHmac } from 'node:crypto';
import type { Caller, IncomingRequest } from '../../src/auth/identity.ts';
import { StoreUnavailable } from '../../src/ports/store/store.ts';
import { remember } from './remember.ts';

/**
 * The owner names of a caller, under which the store has the data of this caller. `current` is the name for new data.
 * `former` are names that an earlier version of the service or an earlier key gave to the same caller.
 */
export interface Subjects {
  readonly current: string;
  readonly former: readonly string[];
}

/**
 * Returns the owner names of a caller. Each name is the kind and an HMAC-SHA256 of kind and `sub`: with the first key
 * for the current name, with the other keys for former names. A hash without a key gives one more former name, or the
 * current name when there are no keys. Keys are needed because `sub` can be a burgerservicenummer (citizen number),
 * which could be found by trying all numbers.
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

/**
 * A function that changes an owner name in the store, from one of the names `from` to the name `to`. It does so for
 * stored data and for the authors of the current letter of the workspace.
 */
export type RenameOwner = (from: readonly string[], to: string, workspace: string) => Promise<void>;

/**
 * Milliseconds after a search for data under former owner names of a caller during which that caller's requests do not
 * search again. Later they do, because an instance of the service that still has the former key stores data under a
 * former name.
 */
const RENAME_INTERVAL = 10_000;
const SAFE_METHODS = ['GET', 'HEAD'];

/**
 * Returns a function that moves a caller's stored data to the current owner name. It does nothing for a caller without
 * former owner names, or when the same caller was handled less than `RENAME_INTERVAL` ago. It throws the error of the
 * store, but ignores `StoreUnavailable` for a GET or HEAD request.
 */
export function createRenamer(rename: RenameOwner) {
  /** For each caller and workspace, the moment of `performance.now()` from which to search again. */
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
    remember(renamed, key, performance.now() + RENAME_INTERVAL);
  };
}
