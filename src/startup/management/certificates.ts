import { parseCertificates } from '../../config/certificates.ts';
import { certificatesIn } from '../../config/database.ts';
import type { Config } from '../../config/index.ts';
import { CONFIGURED_UPSTREAMS, VARIABLE_PREFIX } from '../../config/upstreams.ts';

/**
 * A configured certificate: the environment variable that names its file, and the moment at which it expires, in
 * seconds since 1970.
 */
export interface ConfiguredCertificate {
  readonly variable: string;
  readonly expires: number;
}

/**
 * Returns one entry for each configured certificate file. For a file with several certificates, the entry has the time
 * at which the first of them expires.
 */
export function certificatesOf({ upstreams, store, identity }: Config): readonly ConfiguredCertificate[] {
  const named: [variable: string, pem: string | undefined][] = CONFIGURED_UPSTREAMS.flatMap((name) => {
    const upstream = upstreams[name];
    if (upstream.kind !== 'url') return [];
    const prefix = VARIABLE_PREFIX[name];
    return [
      [`${prefix}_TLS_CERT`, upstream.tls.cert],
      [`${prefix}_TLS_CA`, upstream.tls.ca],
    ];
  });
  if (store.kind === 'postgres') named.push(['DATABASE_TLS_CA', store.ca], ['DATABASE_URL', certificatesIn(store)]);
  if (identity.kind === 'oidc')
    named.push(['OIDC_TLS_CA', identity.professional.ca], ['OIDC_STAFF_TLS_CA', identity.staff?.ca]);
  return named.flatMap(([variable, pem]) => (pem === undefined ? [] : [{ variable, expires: firstExpiry(pem) }]));
}

const firstExpiry = (pem: string): number =>
  Math.min(...parseCertificates(pem).map(({ validTo }) => Date.parse(validTo) / 1_000));
