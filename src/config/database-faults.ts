import { existsSync } from 'node:fs';
import { findCertificateFaults, parseCertificates } from './certificates.ts';
import type { Config } from './config.ts';
import { addressOf, certificatesIn, type DatabaseAddress, isOnThisMachine } from './database.ts';
import type { Values } from './variables.ts';
import { contentOf } from './variables-kinds.ts';

/**
 * Returns the faults in the database settings. Production-like deployments need `sslmode=verify-full` for a database on
 * another machine, because the next major version of pg does not verify the server completely with other modes.
 */
export function findDatabaseFaults({ store, productionLike, deployment }: Config, values: Values): string[] {
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

/**
 * Returns the path of a certificate or key that a PostgreSQL URL names and that exists but is no file that can be read;
 * undefined when there is none. pg would wait for the content of a pipe without end.
 */
function unusableFileIn(url: string): string | undefined {
  const { searchParams } = new URL(url);
  const paths = ['sslcert', 'sslkey', 'sslrootcert'].flatMap((name) => searchParams.getAll(name));
  return paths.find((path) => existsSync(path) && contentOf(path) === null);
}
