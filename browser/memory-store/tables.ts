import type { Brief } from '../../src/ports/brief-store.ts';
import type { Application, KeptAnswer } from '../../src/ports/store.ts';
import type { Leftover, Upload } from '../../src/ports/uploads.ts';

/** Who holds a row, and until when in milliseconds since 1970. */
interface Held {
  claim: string | null;
  claimedUntil: number;
}

export type ApplicationRow = Omit<Application, 'claimed'> & Held;

export type UploadRow = Omit<Upload, 'state' | 'linked'> &
  Held & {
    readonly state: Exclude<Upload['state'], 'lost'>;
    /** Requests that were handed in with it. */
    readonly links: readonly string[];
  };

export interface KeyRow {
  readonly fingerprint: string;
  /** Of what the request makes. */
  readonly id: string;
  readonly busyUntil: number;
  readonly answer: KeptAnswer | null;
}

/** All that is kept: what a database would have in rows. A row is never changed, only replaced. */
export interface Tables {
  readonly applications: Map<string, ApplicationRow>;
  /** By owner, wizard and local id. */
  readonly uploads: Map<string, UploadRow>;
  readonly leftovers: Map<string, Leftover>;
  readonly leases: Map<string, { readonly holder: string; readonly until: number }>;
  /** By owner and key. */
  readonly keys: Map<string, KeyRow>;
  /** The current letter of each workspace, and every letter that was kept beside one. */
  readonly current: Map<string, string>;
  readonly brieven: Map<string, Brief>;
  readonly rates: Map<string, number>;
}

export const emptyTables = (): Tables => ({
  applications: new Map(),
  uploads: new Map(),
  leftovers: new Map(),
  leases: new Map(),
  keys: new Map(),
  current: new Map(),
  brieven: new Map(),
  rates: new Map(),
});

/** Row is unclaimed or its lease has expired. */
export const isFree = ({ claim, claimedUntil }: Held, now = Date.now()): boolean =>
  claim === null || claimedUntil <= now;

export const UNCLAIMED = { claim: null, claimedUntil: 0 } as const;

/** A key of several parts, none of which can look like two. */
export const keyOf = (...parts: readonly string[]): string => JSON.stringify(parts);
