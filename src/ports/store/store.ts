import type { ApplicationStore } from './applications.ts';
import type { BriefStore } from './brief-store.ts';
import type { KeyStore } from './keys.ts';
import type { RateStore } from './rates.ts';
import type { UploadStore } from './uploads.ts';

/**
 * The database of the service. Every method of its five parts throws `StoreUnavailable` when the database cannot be
 * used now.
 */
export interface Store {
  readonly applications: ApplicationStore;
  readonly keys: KeyStore;
  readonly uploads: UploadStore;
  readonly brieven: BriefStore;
  readonly rates: RateStore;
  /** Reads one row. Throws the error of the database when that fails. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The error of a database that cannot be used now: it cannot be reached, is too slow, full, read-only or damaged. The
 * message gives the cause. After this error it is unknown whether the requested change was made.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}
