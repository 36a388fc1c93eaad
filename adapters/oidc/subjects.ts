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
 * Returns the owner names of a caller: the kind, and a hash of kind and `sub` under each key (HMAC-SHA256). The first
 * key gives the current name; the other keys, and a hash without a key, give former names. Without keys, the hash
 * without a key is the current name.
 * It is a hash because some brokers put the burgerservicenummer in `sub`; with a key because a burgerservicenummer can
 * be found from its hash by trying all numbers; and with the kind so that a professional and a member of staff with the
 * same `sub` do not share data.
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
 * A function that gives data stored under one of the owner names `from` the owner name `to`. It does the same for the
 * author of the letter in the workspace (tenant) `workspace`.
 */
export type RenameOwner = (from: readonly string[], to: string, workspace: string) => Promise<void>;

/**
 * Milliseconds after which the store is searched again for data under former names of a caller. Another instance that
 * still has the former keys can have stored data under them.
 */
const RENAMED_FOR = 10_000;
/** Maximum number of callers, each in one workspace (tenant), for whom the time of the last search is kept. */
const MAX_RENAMED = 10_000;
const SAFE = ['GET', 'HEAD'];

/**
 * Returns a function that moves a caller's stored data to the current owner name, and resolves when that is done. It
 * does nothing when there are no former names, or when the same caller was handled less than `RENAMED_FOR` ago. When
 * the store fails, it throws `StoreUnavailable`, except for a GET or HEAD request, because requests that need no store
 * must work without it.
 */
export function createRenaming(rename: RenameOwner) {
  const renamed = new Map<string, number>();
  return async ({ current, former }: Subjects, workspace: string, { method = '' }: IncomingRequest): Promise<void> => {
    const place = `${current}|${workspace}`;
    if (former.length === 0 || (renamed.get(place) ?? 0) > Date.now()) return;
    try {
      await rename(former, current, workspace);
    } catch (error) {
      if (error instanceof StoreUnavailable && SAFE.includes(method)) return;
      throw error;
    }
    renamed.delete(place);
    renamed.set(place, Date.now() + RENAMED_FOR);
    const [oldest] = renamed.keys();
    if (renamed.size > MAX_RENAMED && oldest !== undefined) renamed.delete(oldest);
  };
}
