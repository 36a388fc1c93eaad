import type { ClientCredentials, TlsOptions } from '../ports/connection.ts';
import type { Values } from './variables.ts';

/** The upstreams that are configured; each can be real or simulated. */
export const CONFIGURED_UPSTREAMS = ['register', 'brp', 'duo', 'documenten'] as const;
export type ConfiguredUpstream = (typeof CONFIGURED_UPSTREAMS)[number];

/** The first part of the names of its environment variables. */
export const VARIABLE_PREFIX = {
  register: 'REGISTER',
  brp: 'BRP',
  duo: 'DUO',
  documenten: 'DOCUMENTS',
} as const satisfies Record<ConfiguredUpstream, string>;

/** What answers for an upstream: its simulator, or a URL with headers and credentials. */
export type UpstreamConfig =
  | { readonly kind: 'simulator' }
  | {
      readonly kind: 'url';
      readonly url: URL;
      readonly headers: Readonly<Record<string, string>>;
      readonly tls: TlsOptions;
      readonly oauth: ClientCredentials | null;
    };

export function toUpstream(values: Values, name: (typeof VARIABLE_PREFIX)[ConfiguredUpstream]): UpstreamConfig {
  const url = (values[`${name}_UPSTREAM`] ?? 'simulator').replace(/^s3:/, '');
  if (url === 'simulator') return { kind: 'simulator' };
  const key = values[`${name}_API_KEY`];
  return {
    kind: 'url',
    url: new URL(url),
    headers: { ...values[`${name}_HEADERS`], ...(key !== undefined && { 'x-api-key': key }) },
    tls: toTls(values, name),
    oauth: name === 'DOCUMENTS' ? null : toOAuth(values, name),
  };
}

function toTls(values: Values, name: (typeof VARIABLE_PREFIX)[ConfiguredUpstream]): TlsOptions {
  const [cert, key, ca] = [values[`${name}_TLS_CERT`], values[`${name}_TLS_KEY`], values[`${name}_TLS_CA`]];
  return { ...(cert && { cert }), ...(key && { key }), ...(ca && { ca }) };
}

function toOAuth(
  values: Values,
  name: Exclude<(typeof VARIABLE_PREFIX)[ConfiguredUpstream], 'DOCUMENTS'>,
): ClientCredentials | null {
  const tokenUrl = values[`${name}_OAUTH_TOKEN_URL`];
  if (tokenUrl === undefined) return null;
  return {
    tokenUrl: new URL(tokenUrl),
    clientId: values[`${name}_OAUTH_CLIENT_ID`] ?? '',
    clientSecret: values[`${name}_OAUTH_CLIENT_SECRET`],
    clientKey: values[`${name}_OAUTH_CLIENT_KEY`],
    clientAuth: values[`${name}_OAUTH_CLIENT_AUTH`],
    scope: values[`${name}_OAUTH_SCOPE`],
    parameters: values[`${name}_OAUTH_PARAMETERS`] ?? '',
  };
}
