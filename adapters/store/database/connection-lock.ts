import { type Driver, type SqliteDatabase, SqliteDialect } from 'kysely';

/** A lock that only one connection of this process holds at a time. All connections to one SQLite file share it. */
export interface ConnectionLock {
  readonly isHeld: boolean;
  /** Resolves when the caller has the lock; callers get it in the order of their calls. */
  acquire(): Promise<void>;
  release(): void;
}

/** Creates a lock that is not held. */
export function createConnectionLock(): ConnectionLock {
  let isHeld = false;
  const waiting: (() => void)[] = [];
  return {
    get isHeld() {
      return isHeld;
    },
    async acquire() {
      if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve));
      isHeld = true;
    },
    release() {
      const next = waiting.shift();
      if (next === undefined) isHeld = false;
      else next();
    },
  };
}

/**
 * A dialect of Kysely that acquires the lock before it uses its connection. Without the lock, a statement that waits
 * for another connection of this process would block the whole process, because Node calls SQLite synchronously.
 *
 * It rolls back only a transaction that is open: SQLite itself ends one at a full disk (sqlite.org/lang_transaction.html),
 * and the error of a second rollback would replace that of the disk.
 */
export class LockingSqliteDialect extends SqliteDialect {
  readonly #database: SqliteDatabase & { readonly isTransaction: boolean };
  readonly #lock: ConnectionLock;

  constructor(database: SqliteDatabase & { readonly isTransaction: boolean }, lock: ConnectionLock) {
    super({ database });
    this.#database = database;
    this.#lock = lock;
  }

  override createDriver(): Driver {
    const driver = super.createDriver();
    const acquire = driver.acquireConnection.bind(driver);
    const release = driver.releaseConnection.bind(driver);
    const rollback = driver.rollbackTransaction.bind(driver);
    return Object.assign(driver, {
      acquireConnection: async () => {
        await this.#lock.acquire();
        return acquire();
      },
      releaseConnection: async (...connection: Parameters<Driver['releaseConnection']>) => {
        await release(...connection);
        this.#lock.release();
      },
      rollbackTransaction: async (...connection: Parameters<Driver['rollbackTransaction']>) => {
        if (this.#database.isTransaction) await rollback(...connection);
      },
    });
  }
}
