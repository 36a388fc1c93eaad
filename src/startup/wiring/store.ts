import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { SQLITE_FILE } from '../../../adapters/store/files.ts';
import { type OnStatement, type OpenStore, openStore } from '../../../adapters/store/index.ts';
import { addressOf, isRemoteWithoutTls } from '../../config/database.ts';
import type { Config } from '../../config/index.ts';
import { START, StartError } from '../start-error.ts';

/** Opens the store. For a known cause it rejects with a message that says what the operator can do. */
export const openConfiguredStore = (
  { store, productionLike, timing }: Pick<Config, 'timing'> & StoreOf,
  onStatement?: OnStatement,
): Promise<OpenStore> =>
  openStore(store, onStatement, timing).catch((error) => {
    throw store.kind === 'postgres'
      ? postgresFault(error, store, productionLike)
      : dataFault(error, store.folder, SQLITE_FILE, productionLike);
  });

type StoreOf = Pick<Config, 'store' | 'productionLike'>;

/** Warns when other users have access to the database file, or the connection to the database is not encrypted. */
export function warnAboutStore({ store }: StoreOf, logger: Pick<Logger, 'warn'>): void {
  if (store.kind === 'sqlite') {
    const shared = accessibleToOthers(store.folder);
    if (shared.length > 0) logger.warn({ dataDir: { readableByOthers: shared, advice: 'chmod -R go-rwx' } });
  } else if (isRemoteWithoutTls(store)) {
    logger.warn({ database: { encrypted: false, advice: 'add sslmode=verify-full to DATABASE_URL' } });
  }
}

// sqlite.org/rescode.html.
const [CORRUPT, NOT_A_DATABASE] = [11, 26];
const [BUSY, LOCKED] = [5, 6];

/**
 * Returns a `StartError` that tells the operator what is wrong with the data folder (`DATA_DIR`) or its SQLite file,
 * and what to do. Returns `error` unchanged when it is neither an SQLite error nor a known error of the file system.
 *
 * @param file - name of the SQLite file that was opened
 */
export function dataFault(error: unknown, folder: string, file: string, productionLike = false): unknown {
  // Never advise production to keep nothing.
  const alternative = productionLike ? '' : `, or keep nothing: DATA_DIR=:memory: ${START}`;
  const { code = '', errcode = 0, path = folder, message } = error as Error & Coded;
  const fault = (text: string) => new StartError(`DATA_DIR: ${text}`, error);
  if (code !== 'ERR_SQLITE_ERROR') {
    if (!/^(EACCES|EPERM|EROFS|ENOTDIR|EEXIST|EISDIR|ENOSPC|EDQUOT|ENOENT|EMFILE|ENAMETOOLONG|EIO)$/.test(code))
      return error;
    return fault(`${path} cannot be used (${code}). Choose a folder that can be written${alternative}`);
  }
  const at = join(folder, file);
  switch (errcode & 0xff) {
    case CORRUPT:
    case NOT_A_DATABASE:
      return fault(
        `${at} is damaged, or no SQLite database (${message}). Nothing was changed. Put a backup in its place, or move it away to begin with nothing.`,
      );
    case BUSY:
    case LOCKED:
      return fault(`another process holds ${at}. Stop it, or choose another folder: DATA_DIR=.data2 ${START}`);
    default:
      return fault(`${at} cannot be opened (${message}). Choose a folder that can be written${alternative}`);
  }
}

interface Coded {
  readonly code?: string;
  readonly errcode?: number;
  readonly path?: string;
}

// The first matching entry counts. `sign` is matched with the code of the error, or with its message when it has no
// code. `at` is the host and port of the database, `host` the host alone.
const adviceOf = (at: string, host: string, productionLike: boolean): readonly (readonly [RegExp, string])[] => [
  [
    /^(UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|CERT_SIGNATURE|CERT_UNTRUSTED|INVALID_CA)/,
    `DATABASE_TLS_CA: no trusted CA signed the certificate of PostgreSQL at ${at}. Name the file with the CA that did`,
  ],
  [
    /^ERR_TLS_CERT_ALTNAME/,
    `the certificate of PostgreSQL is not for ${host}. Use the name that is in the certificate`,
  ],
  [/^CERT_/, `the certificate of PostgreSQL at ${at} has expired, or is not valid yet. Renew it`],
  [/SSL connection/, `PostgreSQL at ${at} has no TLS. Turn it on there (ssl = on)`],
  [/^(EPROTO|ERR_SSL|ERR_OSSL|ERR_TLS)/, `TLS with PostgreSQL at ${at} failed. Check the certificates on both sides`],
  [
    /^28|SASL|password/,
    `PostgreSQL at ${at} does not let this user in. Check the user name and the password, and its pg_hba.conf`,
  ],
  [/^55000/, `the database at ${at} takes no connections. Let it: ALTER DATABASE … ALLOW_CONNECTIONS true`],
  [/^3D000/, `PostgreSQL at ${at} has no database of that name. Make it, or name another`],
  [
    /^42501|^3F000/,
    `the user may not make tables, or not use those of another user, in the database at ${at}. Grant it CREATE on the schema, or rights on those tables`,
  ],
  [/^encoding/, `the database at ${at} cannot store every character. Make one with the encoding UTF8`],
  [/^isolation/, `transactions of the user at ${at} are not "read committed". Set its default_transaction_isolation`],
  [/^25006/, `PostgreSQL at ${at} is read-only. Name the primary, not a replica`],
  [
    /^08P01/,
    `what answers at ${at} refuses a setting of the connection, or a transaction. PgBouncer needs ignore_startup_parameters = statement_timeout, and pool_mode = transaction or session`,
  ],
  [/^53/, `PostgreSQL at ${at} is full: no connections, disk or memory left. Make room there`],
  [
    /^57014|timeout of the statement/,
    `PostgreSQL at ${at} took too long. See in pg_stat_activity which session holds a lock on the tables, or look at its disk and at the statement_timeout of the user`,
  ],
  [
    /^(57P|E[A-Z]+$|EAI_AGAIN)|timeout|terminated/,
    `no PostgreSQL answers at ${at}. Start it, or ${productionLike ? 'correct its address' : 'leave DATABASE_URL out to keep everything in DATA_DIR'}`,
  ],
  [/^[0-9A-Z]{5}$/, `PostgreSQL at ${at} refuses to bring its tables up to date. Its own log says why`],
  [/^/, `what answers at ${at} cannot be used as PostgreSQL. Check the address, and its own log`],
];

// A programming error is returned unchanged.
function postgresFault(error: unknown, store: Parameters<typeof addressOf>[0], productionLike: boolean): unknown {
  const { code = '', message = '' } = error as Error & Coded;
  if (error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError) return error;
  const { host, at } = addressOf(store);
  const [, advice = ''] = adviceOf(at, host, productionLike).find(([sign]) => sign.test(code || message)) ?? [];
  const variable = advice.startsWith('DATABASE_TLS_CA') ? '' : 'DATABASE_URL: ';
  return new StartError(`${variable}${advice}${code ? ` (${code})` : ''}.`, error);
}

// POSIX: group and others.
const OTHERS = 0o077;

// The folder and what is directly in it; empty when the folder itself is not shared or does not exist, and on Windows.
function accessibleToOthers(folder: string): readonly string[] {
  // Windows has no POSIX permissions.
  if (process.platform === 'win32' || !isShared(folder)) return [];
  return [folder, ...readdirSync(folder).map((name) => join(folder, name))].filter(isShared);
}

function isShared(path: string): boolean {
  return ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS) !== 0;
}
