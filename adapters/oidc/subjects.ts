import { createHash, createHmac } from 'node:crypto';
import type { Caller, IncomingRequest } from '../../src/auth/identity.ts';
import { StoreUnavailable } from '../../src/ports/store/store.ts';

/**
 * The names under which a caller's data are stored: the current name, and the former names, which an earlier version of
 * the service or an earlier key made.
 */
export interface Subjects {
  readonly current: string;
  readonly former: readonly string[];
}

/**
 * Returns the owner names of a caller: the kind, and an HMAC-SHA256 of kind and `sub` under a key. The first key gives
 * the current name; the other keys, and a hash without a key, give former names. Without keys the hash without a key is
 * the current name. A key is needed because `sub` can be a burgerservicenummer (citizen number), which could be found
 * by trying all numbers.
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
 * A function that changes the owner of stored data, and the author of the letter of the workspace (tenant), from one of
 * the names `from` to the name `to`.
 */
export type RenameOwner = (from: readonly string[], to: string, workspace: string) => Promise<void>;

/**
 * Milliseconds after which the store is searched again for data under former names of a caller, because another
 * instance can still store data under them.
 */
const RENAME_INTERVAL = 10_000;
/** Maximum number of callers (each in one workspace, or tenant) for whom the last search is remembered. */
const MAX_RENAMED = 10_000;
const SAFE_METHODS = ['GET', 'HEAD'];

/**
 * Returns a function that moves a caller's stored data to the current owner name. It does nothing when there are no
 * former names, or when the same caller was handled less than `RENAME_INTERVAL` ago. It throws the error of the store, but
 * ignores `StoreUnavailable` for a GET or HEAD request.
 */
export function createRenamer(rename: RenameOwner) {
  const renamed = new Map<string, number>();
  return async ({ current, former }: Subjects, workspace: string, { method = '' }: IncomingRequest): Promise<void> => {
    const key = `${current}|${workspace}`;
    if (former.length === 0 || (renamed.get(key) ?? 0) > Date.now()) return;
    try {
      await rename(former, current, workspace);
    } catch (error) {
      if (error instanceof StoreUnavailable && SAFE_METHODS.includes(method)) return;
      throw error;
    }
    renamed.delete(key);
    renamed.set(key, Date.now() + RENAME_INTERVAL);
    const [oldest] = renamed.keys();
    if (renamed.size > MAX_RENAMED && oldest !== undefined) renamed.delete(oldest);
  };
}
