import type { Application } from '../../src/ports/store/applications.ts';
import type { Brief } from '../../src/ports/store/brief-store.ts';
import { isImpossibleClaim } from '../../src/ports/store/claim.ts';
import type { StoredAnswer } from '../../src/ports/store/keys.ts';
import type { Leftover, Upload } from '../../src/ports/store/uploads.ts';

/**
 * The claim with which a request has reserved a row: its token, and the moment at which it expires, in milliseconds
 * since 1970. Without a claim the token is null.
 */
interface ClaimColumns {
  claim: string | null;
  claimedUntil: number;
}

export type ApplicationRow = Omit<Application, 'claimed'> & ClaimColumns;

export type UploadRow = Omit<Upload, 'state' | 'linked'> &
  ClaimColumns & {
    readonly state: Exclude<Upload['state'], 'lost'>;
    /** Ids of the applications that refer to this document and were submitted, or are being submitted. */
    readonly links: readonly string[];
  };

export interface KeyRow {
  readonly fingerprint: string;
  /** Id of the application that the request with this key creates. */
  readonly id: string;
  readonly busyUntil: number;
  readonly answer: StoredAnswer | null;
}

/** The tables of the memory store. A row is never changed, only replaced. */
export interface MemoryTables {
  readonly applications: Map<string, ApplicationRow>;
  /** Uploads, keyed by owner, wizard and local id. */
  readonly uploads: Map<string, UploadRow>;
  readonly leftovers: Map<string, Leftover>;
  readonly leases: Map<string, { readonly holder: string; readonly until: number }>;
  /** The stored requests with an idempotency key, keyed by owner and idempotency key. */
  readonly keys: Map<string, KeyRow>;
  /** The id of the current letter, keyed by workspace (tenant). */
  readonly current: Map<string, string>;
  /** All letters, current and earlier, keyed by id. */
  readonly brieven: Map<string, Brief>;
  readonly rates: Map<string, number>;
}

export const emptyTables = (): MemoryTables => ({
  applications: new Map(),
  uploads: new Map(),
  leftovers: new Map(),
  leases: new Map(),
  keys: new Map(),
  current: new Map(),
  brieven: new Map(),
  rates: new Map(),
});

/**
 * Returns true when no request has claimed (reserved) a row, when the claim has expired, or when it would expire later
 * than any claim can (see `isImpossibleClaim`).
 */
export const isFree = ({ claim, claimedUntil }: ClaimColumns, now = Date.now()): boolean =>
  claim === null || claimedUntil <= now || isImpossibleClaim(claimedUntil, now);

/** The column values of a row that no request has claimed (reserved). */
export const UNCLAIMED = { claim: null, claimedUntil: 0 } as const;

/** Returns a map key for several values. It is JSON, so that two different lists of values never have the same key. */
export const keyOf = (...parts: readonly string[]): string => JSON.stringify(parts);
