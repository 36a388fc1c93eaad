import type { Application, Submission } from '../../src/ports/store/applications.ts';
import type { Brief } from '../../src/ports/store/brief-store.ts';
import { isClaimed } from '../../src/ports/store/claim.ts';
import type { StoredAnswer } from '../../src/ports/store/store.ts';
import type { Upload } from '../../src/ports/store/uploads.ts';

/** The token is null for a row without a claim; the expiry time is in milliseconds since 1970. */
interface ClaimColumns {
  claim: string | null;
  claimedUntil: number;
}

export type ApplicationRow = Omit<Application, 'claimed'> & Pick<Submission, 'about'> & ClaimColumns;

export type UploadRow = Omit<Upload, 'state'> &
  ClaimColumns & {
    readonly state: Exclude<Upload['state'], 'lost'>;
    /** Ids of the applications that refer to this document and were submitted, or are being submitted. */
    readonly links: readonly string[];
  };

export interface KeyRow {
  readonly fingerprint: string;
  /** Id of the application that the request with this idempotency key creates. */
  readonly id: string;
  readonly busyUntil: number;
  readonly answer: StoredAnswer | null;
}

export interface MemoryTables {
  readonly applications: Map<string, ApplicationRow>;
  /** Uploads, keyed by owner, wizard and local id. */
  readonly uploads: Map<string, UploadRow>;
  /** The requests with an idempotency key, keyed by owner and idempotency key. */
  readonly keys: Map<string, KeyRow>;
  /** The id of the current letter, keyed by workspace. */
  readonly current: Map<string, string>;
  /** All letters, current and earlier, keyed by id. */
  readonly brieven: Map<string, Brief>;
}

export const emptyTables = (): MemoryTables => ({
  applications: new Map(),
  uploads: new Map(),
  keys: new Map(),
  current: new Map(),
  brieven: new Map(),
});

export const isFree = ({ claim, claimedUntil }: ClaimColumns): boolean =>
  !isClaimed({ claim, claimedUntil, now: Date.now() });

/** The columns of a row without a claim. */
export const UNCLAIMED = { claim: null, claimedUntil: 0 } as const;

/** Returns a map key for several values. Different lists of values never have the same key. */
export const keyOf = (...parts: readonly string[]): string => JSON.stringify(parts);
