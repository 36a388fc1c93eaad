import { parse } from 'pg-connection-string';
import type { Values } from './variables.ts';

export type StoreConfig =
  | { readonly kind: 'postgres'; readonly url: string; readonly ca?: string }
  | { readonly kind: 'sqlite'; readonly folder: string };

export function toStore({ DATABASE_URL, DATABASE_TLS_CA, DATA_DIR }: Values): StoreConfig {
  if (!DATABASE_URL) return { kind: 'sqlite', folder: DATA_DIR };
  return { kind: 'postgres', url: DATABASE_URL, ...(DATABASE_TLS_CA !== undefined && { ca: DATABASE_TLS_CA }) };
}

/** What a database URL says, as pg reads it: a parameter goes before the rest of the URL, and the last of one name counts. */
export interface DatabaseAddress {
  /** Name or IP address; a path is the folder of a Unix socket; empty when the URL has none. */
  readonly host: string;
  readonly port: string;
  readonly sslmode: string | undefined;
  readonly sslrootcert: string | undefined;
}

/** Throws when pg cannot read the URL, or a file that it names. */
export function addressOf(url: string): DatabaseAddress {
  const { host, port, ...given } = parse(url);
  const { sslmode, sslrootcert } = given as { sslmode?: string; sslrootcert?: string };
  return { host: host ?? '', port: port ?? '', sslmode, sslrootcert };
}
