import type { ApplicationStore } from './applications.ts';
import type { BriefStore } from './brief-store.ts';
import type { KeyStore } from './keys.ts';
import type { RateStore } from './rates.ts';
import type { UploadStore } from './uploads.ts';

/** The database of the service. Methods of its five parts throw `StoreUnavailable` when the database cannot be used. */
export interface Store {
  readonly applications: ApplicationStore;
  readonly keys: KeyStore;
  readonly uploads: UploadStore;
  readonly brieven: BriefStore;
  readonly rates: RateStore;
  /** Tests the connection, and with PostgreSQL that the server takes changes. Throws as the methods of its parts do. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The database cannot be used now. It is unknown whether the requested change was made. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}
