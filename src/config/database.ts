import { existsSync } from 'node:fs';
import { parse } from 'pg-connection-string';
import { isLoopback } from '../domain/host-name.ts';
import { findCertificateFaults, parseCertificates } from './certificates.ts';
import type { Values } from './variables.ts';
import { contentOf } from './variables-kinds.ts';

/**
 * A PostgreSQL URL with an optional CA (PEM text), or the folder of a SQLite file. `defaultHost` is for a URL without a
 * host; `usesTlsByDefault` is for one without `sslmode`.
 */
export type StoreConfig =
  | {
      readonly kind: 'postgres';
      readonly url: string;
      readonly defaultHost: string;
      readonly usesTlsByDefault: boolean;
      readonly ca?: string;
    }
  | { readonly kind: 'sqlite'; readonly folder: string };

// With these values of PGSSLMODE pg uses TLS.
const TLS_MODES = ['prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/** `env` has PGHOST and PGSSLMODE, which pg uses for what a URL does not say. */
export function toStore(
  { DATABASE_URL, DATABASE_TLS_CA, DATA_DIR }: Values,
  env: Readonly<Record<string, string | undefined>>,
): StoreConfig {
  if (!DATABASE_URL) return { kind: 'sqlite', folder: DATA_DIR };
  return {
    kind: 'postgres',
    url: DATABASE_URL,
    defaultHost: env.PGHOST ?? 'localhost',
    usesTlsByDefault: TLS_MODES.includes(env.PGSSLMODE ?? ''),
    ...(DATABASE_TLS_CA !== undefined && { ca: DATABASE_TLS_CA }),
  };
}

/** Host and port of a database, as the driver (pg) reads them; query parameters can replace parts of the URL. */
export interface DatabaseAddress {
  /** Host name, IP address, or folder of a Unix socket. */
  readonly host: string;
  /** The host, with the port when the URL names one, for messages. */
  readonly at: string;
  /** Null when the URL has none, and pg uses the name of the user. */
  readonly database: string | null;
  readonly sslmode: string | undefined;
  readonly sslrootcert: string | undefined;
}

type PostgresConfig = Pick<Extract<StoreConfig, { kind: 'postgres' }>, 'url' | 'defaultHost'>;

/** Throws when pg cannot read the URL, or a file that the URL names. */
export function addressOf({ url, defaultHost }: PostgresConfig): DatabaseAddress {
  const { host: named, port, database, ...given } = parse(url);
  const { sslmode, sslrootcert } = given as { sslmode?: string; sslrootcert?: string };
  const host = named || defaultHost;
  // A query parameter can replace the port of the URL, which has been checked.
  if (port && !(Number(port) <= 65_535)) throw new Error('the port is not a number up to 65535');
  return { host, at: port ? `${host}:${port}` : host, database: database || null, sslmode, sslrootcert };
}

/**
 * PEM texts of the files that the URL names (`sslcert`, `sslrootcert`); undefined when it names none or does not use
 * TLS. Throws as `addressOf`.
 */
export function certificatesIn({ url }: Pick<PostgresConfig, 'url'>): string | undefined {
  const { ssl } = parse(url);
  if (typeof ssl !== 'object') return undefined;
  return [ssl.cert, ssl.ca].filter((pem) => pem !== undefined).join('\n') || undefined;
}

/** The PostgreSQL database is on another machine and the connection to it does not use TLS. */
export function isRemoteWithoutTls({
  url,
  defaultHost,
  usesTlsByDefault,
}: PostgresConfig & { readonly usesTlsByDefault: boolean }): boolean {
  const { host, ssl = usesTlsByDefault } = parse(url);
  return ssl === false && !isOnThisMachine(host || defaultHost);
}

// A loopback name or address, or the folder of a Unix socket.
const isOnThisMachine = (host: string): boolean => host.startsWith('/') || isLoopback(host);

/**
 * Production-like deployments need `sslmode=verify-full` for a database on another machine, because the next major
 * version of pg does not verify the server completely with other modes.
 */
export function findDatabaseFaults(
  { store, productionLike, deployment }: { store: StoreConfig; productionLike: boolean; deployment: string },
  values: Values,
): string[] {
  const { DATABASE_TLS_CA: ca } = values;
  if (store.kind === 'sqlite') return ca === undefined ? [] : ['DATABASE_TLS_CA: has no effect without DATABASE_URL'];
  const unusable = unusableFileIn(store.url);
  if (unusable !== undefined) return [`DATABASE_URL: ${unusable} is no file that can be read`];
  let address: DatabaseAddress;
  try {
    address = addressOf(store);
    const pem = certificatesIn(store);
    if (pem !== undefined) parseCertificates(pem);
  } catch (error) {
    const { code, path = 'a file in the URL' } = error as NodeJS.ErrnoException;
    return [`DATABASE_URL: ${code ? `${path} cannot be read (${code})` : 'is not a valid URL'}`];
  }
  const { host, sslmode, sslrootcert } = address;
  const isLocal = isOnThisMachine(host);
  const faults = findCertificateFaults('DATABASE_TLS_CA', { ...(ca !== undefined && { ca }) });
  if (productionLike && sslmode !== 'verify-full' && (!isLocal || sslmode === 'no-verify'))
    faults.push(
      `DATABASE_URL: the TLS certificate must be verified in ${deployment}; add sslmode=verify-full, and DATABASE_TLS_CA for a CA of your own`,
    );
  if (ca !== undefined && sslmode !== 'verify-full')
    faults.push('DATABASE_TLS_CA: has no effect without sslmode=verify-full in DATABASE_URL');
  if (ca !== undefined && sslrootcert !== undefined)
    faults.push('DATABASE_TLS_CA: DATABASE_URL also has sslrootcert; remove one of the two');
  return faults;
}

// A certificate or key that exists and cannot be read as a file: pg would wait for the content of a pipe without end.
function unusableFileIn(url: string): string | undefined {
  const { searchParams } = new URL(url);
  const paths = ['sslcert', 'sslkey', 'sslrootcert'].flatMap((name) => searchParams.getAll(name));
  return paths.find((path) => existsSync(path) && contentOf(path) === null);
}
