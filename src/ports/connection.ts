/**
 * TLS options as PEM texts: the client certificate, its key, and the trusted CAs. Without `cert` no client certificate
 * is sent; without `ca` the CAs of Node are trusted.
 */
export interface TlsOptions {
  readonly cert?: string;
  readonly key?: string;
  readonly ca?: string;
}

/** The OAuth2 client credentials grant for an upstream (RFC 6749, 4.4): the token endpoint, and the client. */
export interface ClientCredentials {
  readonly tokenUrl: URL;
  readonly clientId: string;
  /** The client secret. When undefined, the client certificate authenticates the service (RFC 8705, section 2). */
  readonly clientSecret: string | undefined;
  /**
   * How the client id and secret are sent: `post` sends them in the form (BRP), `basic` in `Authorization` (preferred
   * by RFC 6749, 2.3.1).
   */
  readonly clientAuth: 'post' | 'basic';
  readonly scope: string | undefined;
  /** Additional form parameters of the token request, as `name=value&name=value`; may be empty. */
  readonly parameters: string;
}
