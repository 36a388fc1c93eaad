import { parse } from 'pg-connection-string';
import type { Values } from './variables.ts';

/** The location of the store: a PostgreSQL URL with an optional CA (PEM), or the folder of an SQLite file. */
export type StoreConfig =
  | { readonly kind: 'postgres'; readonly url: string; readonly ca?: string }
  | { readonly kind: 'sqlite'; readonly folder: string };

/** Returns the store settings: PostgreSQL when `DATABASE_URL` is set, else SQLite. */
export function toStore({ DATABASE_URL, DATABASE_TLS_CA, DATA_DIR }: Values): StoreConfig {
  if (!DATABASE_URL) return { kind: 'sqlite', folder: DATA_DIR };
  return { kind: 'postgres', url: DATABASE_URL, ...(DATABASE_TLS_CA !== undefined && { ca: DATABASE_TLS_CA }) };
}

/**
 * The parts of a database URL, as pg reads them. pg also takes a part from a query parameter with its name, which then
 * replaces the part of the URL itself; of a repeated parameter it uses the last.
 */
export interface DatabaseAddress {
  /** Host name, IP address, or path of the folder of a Unix socket; empty when the URL has none of them. */
  readonly host: string;
  /** Port number as text; empty when the URL has none. */
  readonly port: string;
  readonly sslmode: string | undefined;
  readonly sslrootcert: string | undefined;
}

/** Returns the parts of a database URL. Throws when pg cannot read the URL, or a file that it names. */
export function addressOf(url: string): DatabaseAddress {
  const { host, port, ...given } = parse(url);
  const { sslmode, sslrootcert } = given as { sslmode?: string; sslrootcert?: string };
  return { host: host ?? '', port: port ?? '', sslmode, sslrootcert };
}

/**
 * Returns true when a database URL names another machine and does not use TLS: others on the network could then read
 * the data.
 */
export function isReadableOnTheWay(url: string): boolean {
  const { host, ssl = false } = parse(url);
  return ssl === false && !isOnThisMachine(host || 'localhost');
}

/** Returns true for a loopback name or address, and for the folder of a Unix socket. */
export const isOnThisMachine = (host: string): boolean => host.startsWith('/') || isLoopback(host);

/** Returns true for a host name or address of the loopback interface. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host);
