import type { KeyObject } from 'node:crypto';

/**
 * TLS options as PEM texts. Without `cert`, no client certificate is sent; without `ca`, the CAs of Node are trusted.
 */
export interface TlsOptions {
  readonly cert?: string;
  readonly key?: string;
  readonly ca?: string;
}

/** A private key with which the service signs a JWT that identifies it at a token endpoint (RFC 7523, section 2.2). */
export interface ClientKey {
  readonly key: KeyObject;
  /** The members of the header of that JWT: the algorithm, and the names by which the token endpoint knows the key. */
  readonly header: { readonly alg: string; readonly kid?: string; readonly 'x5t#S256'?: string };
}

/** The OAuth2 client credentials grant (RFC 6749, 4.4), with which the service gets a token for an upstream. */
export interface ClientCredentials {
  readonly tokenUrl: URL;
  readonly clientId: string;
  /** When this and `clientKey` are undefined, the TLS client certificate authenticates the service (RFC 8705, section 2). */
  readonly clientSecret: string | undefined;
  readonly clientKey: ClientKey | undefined;
  /** Where the client id and secret are sent: `post` in the form body, `basic` in the header `Authorization`. */
  readonly clientAuth: 'post' | 'basic';
  readonly scope: string | undefined;
  /** Additional form parameters of the token request, as `name=value&name=value`; may be empty. */
  readonly parameters: string;
}

/** How tokens for a Documenten API are made (ZGW "Authenticatie en autorisatie"). */
export interface ZgwTokenOptions {
  /** Seconds by which `iat` is earlier than now, for a store whose clock is behind; default 0. */
  readonly backdateSeconds?: number;
  /** Seconds from `iat` to `exp`; undefined for tokens without `exp`. */
  readonly expiresSeconds?: number | undefined;
  /** More claims, or other values of the claims of ZGW. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/**
 * Host names: a list of names as `hostIn` returns them; `loopback` for those of this machine; `own-network` for IP
 * addresses and names that only a local network knows; null for every name.
 */
export type AllowedHosts = readonly string[] | 'loopback' | 'own-network' | null;
