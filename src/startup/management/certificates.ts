import type { Logger } from 'pino';
import { missingIssuerOf, parseCertificates } from '../../config/certificates.ts';
import { certificatesIn } from '../../config/database.ts';
import type { Config } from '../../config/index.ts';
import { CONFIGURED_UPSTREAMS, VARIABLE_PREFIX } from '../../config/upstreams.ts';

/** The certificates in a configured file. Moments are in seconds since 1970. */
export interface ConfiguredCertificate {
  /** The environment variable that names the file. */
  readonly variable: string;
  /** The moment from which our client certificate is valid; null for a file with trusted authorities. */
  readonly from: number | null;
  /** The moment at which the first of the certificates expires. */
  readonly expires: number;
}

/** Returns one entry for each configured certificate file. */
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
  return named.flatMap(([variable, pem]) => (pem === undefined ? [] : [toConfigured(variable, pem)]));
}

function toConfigured(variable: string, pem: string): ConfiguredCertificate {
  const certificates = parseCertificates(pem);
  const [own] = variable.endsWith('_TLS_CERT') ? certificates : [];
  return {
    variable,
    from: own === undefined ? null : seconds(own.validFrom),
    expires: Math.min(...certificates.map(({ validTo }) => seconds(validTo))),
  };
}

const seconds = (date: string): number => Date.parse(date) / 1_000;

/**
 * Logs a warning for each configured file with a certificate that has expired, and for one that is not valid yet. Logs
 * which authority is missing in the file of a client certificate: when that is an intermediate one, the upstream refuses
 * the certificate, and often without a reason.
 */
export function warnAboutCertificates(config: Config, logger: Pick<Logger, 'info' | 'warn'>): void {
  for (const name of CONFIGURED_UPSTREAMS) {
    const upstream = config.upstreams[name];
    const missing = upstream.kind === 'url' ? missingIssuerOf(upstream.tls) : null;
    if (missing !== null)
      logger.info({ clientCertificate: { variable: `${VARIABLE_PREFIX[name]}_TLS_CERT`, withoutIssuer: missing } });
  }
  const now = Date.now() / 1_000;
  for (const { variable, from, expires } of certificatesOf(config)) {
    if (expires <= now) logger.warn({ certificate: { variable, expired: toIso(expires) } });
    else if (from !== null && from > now) logger.warn({ certificate: { variable, validFrom: toIso(from) } });
  }
}

const toIso = (moment: number): string => new Date(moment * 1_000).toISOString();
