import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { Config } from './config.ts';
import { addressOf, type DatabaseAddress } from './database.ts';
import type { IssuerConfig } from './identity.ts';
import type { TlsConfig } from './upstream.ts';
import { CONFIGURED_UPSTREAMS, VARIABLE_PREFIX } from './upstreams.ts';
import type { Values } from './variables.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns one line for each conflict between variables that are valid on their own (security.md 4). */
export const contradictions = (config: Config, values: Values, env: Environment): string[] => [
  ...(config.productionLike ? inProduction(config, values, env) : outside(config, values)),
  ...ofIdentity(config, values, env),
  ...ofUpstreams(config, values),
  ...ofDocuments(config, values),
  ...ofDatabase(config, values, env),
  ...ofProcessingLog(config, values),
];

/**
 * Minimum length of secrets in production-like deployments: shorter ones can be guessed, or are test values. API keys
 * may be shorter, because the gateway that issues them decides on their form.
 */
const MIN_LENGTH = { CLIENT_SECRET: 16, API_KEY: 8 };

function inProduction(config: Config, values: Values, env: Environment): string[] {
  const { deployment, identity, upstreams, scanner } = config;
  const faults: string[] = [];
  if (identity.kind === 'stand-in')
    faults.push(`IDENTITY: the stand-in can never run in ${deployment}; set IDENTITY=oidc and its issuers`);
  if (isPlain(values.OIDC_ISSUER)) faults.push(`OIDC_ISSUER: ${deployment} needs https`);
  if (isPlain(values.OIDC_STAFF_ISSUER)) faults.push(`OIDC_STAFF_ISSUER: ${deployment} needs https`);
  for (const name of CONFIGURED_UPSTREAMS) {
    const upstream = upstreams[name];
    const prefix = VARIABLE_PREFIX[name];
    if (upstream.kind === 'simulator')
      faults.push(`${prefix}_UPSTREAM: ${deployment} needs the URL of a real upstream, not a simulator`);
    else if (upstream.url.protocol !== 'https:') faults.push(`${prefix}_UPSTREAM: ${deployment} needs https`);
    if ((values[`${prefix}_API_KEY`]?.length ?? MIN_LENGTH.API_KEY) < MIN_LENGTH.API_KEY)
      faults.push(`${prefix}_API_KEY: is shorter than ${MIN_LENGTH.API_KEY} characters, and could be guessed`);
    if (prefix === 'DOCUMENTS') continue;
    if (isPlain(values[`${prefix}_OAUTH_TOKEN_URL`]))
      faults.push(`${prefix}_OAUTH_TOKEN_URL: ${deployment} needs https`);
    if ((values[`${prefix}_OAUTH_CLIENT_SECRET`]?.length ?? MIN_LENGTH.CLIENT_SECRET) < MIN_LENGTH.CLIENT_SECRET)
      faults.push(
        `${prefix}_OAUTH_CLIENT_SECRET: is shorter than ${MIN_LENGTH.CLIENT_SECRET} characters, and could be guessed`,
      );
  }
  if (config.documents?.kind === 's3' && (values.DOCUMENTS_SECRET?.length ?? 0) < MIN_LENGTH.CLIENT_SECRET)
    faults.push(`DOCUMENTS_SECRET: is shorter than ${MIN_LENGTH.CLIENT_SECRET} characters, and could be guessed`);
  if (values.SCANNER === undefined || scanner.kind === 'simulator')
    faults.push(`SCANNER: ${deployment} needs clamd://<host>:<port>, or "none" said in so many words`);
  if (values.SIMULATOR_TODAY !== undefined) faults.push(`SIMULATOR_TODAY: time does not stand still in ${deployment}`);
  if (values.ALLOW_STAND_IN === 'yes') faults.push(`ALLOW_STAND_IN: no key lets the stand-in into ${deployment}`);
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0')
    faults.push(
      `NODE_TLS_REJECT_UNAUTHORIZED: ${deployment} verifies whom it talks to; trust a CA by …_TLS_CA instead`,
    );
  return faults;
}

const isPlain = (url: string | undefined): boolean => url !== undefined && new URL(url).protocol !== 'https:';

function outside({ host, identity, upstreams }: Config, values: Values): string[] {
  if (identity.kind !== 'stand-in' || values.ALLOW_STAND_IN === 'yes') return [];
  const faults: string[] = [];
  if (!isLoopback(host)) {
    faults.push(
      `HOST: ${host} lets others in, and whoever gets in can be anyone; set ALLOW_STAND_IN=yes if that is what you want`,
    );
  }
  for (const name of CONFIGURED_UPSTREAMS) {
    const upstream = upstreams[name];
    if (upstream.kind === 'simulator' || isLoopback(upstream.url.hostname)) continue;
    faults.push(
      `${VARIABLE_PREFIX[name]}_UPSTREAM: with the stand-in, anyone can ask a real upstream about anyone; set ALLOW_STAND_IN=yes if that is what you want`,
    );
  }
  return faults;
}

function ofIdentity({ identity, productionLike }: Config, values: Values, env: Environment): string[] {
  const given = (prefix: string) =>
    Object.keys(env).filter((name) => name.startsWith(prefix) && Object.hasOwn(values, name));
  if (identity.kind === 'stand-in') {
    // A production-like deployment already has one fault for the stand-in, which is enough.
    if (productionLike) return [];
    return given('OIDC_').map((name) => `${name}: means nothing to the stand-in; set IDENTITY=oidc, or leave it out`);
  }
  const faults = incomplete('OIDC', identity.professional);
  if (identity.staff !== null) faults.push(...incomplete('OIDC_STAFF', identity.staff));
  else if (given('OIDC_STAFF_').length > 0) faults.push('OIDC_STAFF_ISSUER: the other OIDC_STAFF_ variables need it');
  if (identity.staff !== null && values.OIDC_ISSUER === values.OIDC_STAFF_ISSUER)
    faults.push(
      'OIDC_STAFF_ISSUER: is that of professionals; who calls follows from the issuer, so it must be another',
    );
  return faults;
}

const incomplete = (prefix: string, { issuer, audience, ca }: IssuerConfig): string[] => [
  ...(issuer === '' ? [`${prefix}_ISSUER: tokens cannot do without`] : []),
  ...(audience === '' ? [`${prefix}_AUDIENCE: tokens cannot do without`] : []),
  ...unusable(`${prefix}_TLS_CA`, { ...(ca && { ca }) }),
];

function ofUpstreams({ upstreams }: Config, values: Values): string[] {
  const faults: string[] = [];
  for (const source of CONFIGURED_UPSTREAMS) {
    const prefix = VARIABLE_PREFIX[source];
    const upstream = upstreams[source];
    if (upstream.kind === 'simulator') continue;
    const { cert, key, ca } = upstream.tls;
    if (cert && !key) faults.push(`${prefix}_TLS_KEY: ${prefix}_TLS_CERT cannot do without`);
    else if (key && !cert) faults.push(`${prefix}_TLS_CERT: ${prefix}_TLS_KEY cannot do without`);
    else faults.push(...unusable(`${prefix}_TLS_CERT`, { ...(cert && key && { cert, key }) }));
    faults.push(...unusable(`${prefix}_TLS_CA`, { ...(ca && { ca }) }));
    if (prefix === 'DOCUMENTS') continue;
    const { oauth, headers } = upstream;
    const parts = ['CLIENT_ID', 'CLIENT_SECRET', 'SCOPE', 'PARAMETERS'] as const;
    if (oauth === null) {
      const stray = parts.find((part) => values[`${prefix}_OAUTH_${part}`] !== undefined);
      if (stray) faults.push(`${prefix}_OAUTH_TOKEN_URL: ${prefix}_OAUTH_${stray} cannot do without`);
      continue;
    }
    if (oauth.clientId === '') faults.push(`${prefix}_OAUTH_CLIENT_ID: ${prefix}_OAUTH_TOKEN_URL cannot do without`);
    if (oauth.clientSecret === undefined && !cert)
      faults.push(`${prefix}_OAUTH_CLIENT_SECRET: needed, unless ${prefix}_TLS_CERT tells who we are`);
    if (headers.authorization !== undefined)
      faults.push(`${prefix}_HEADERS: holds authorization, which ${prefix}_OAUTH_TOKEN_URL sends as well`);
  }
  return faults;
}

/** Returns a fault when a PEM is no certificate, or when the certificate and the key do not match. */
function unusable(variable: string, tls: TlsConfig): string[] {
  try {
    if (tls.ca) new X509Certificate(tls.ca);
    if (!tls.cert || !tls.key || new X509Certificate(tls.cert).checkPrivateKey(createPrivateKey(tls.key))) return [];
  } catch {
    // Reported below.
  }
  return [`${variable}: is no certificate that can be used${tls.key ? ', or not the one of its _TLS_KEY' : ''}`];
}

/** Minimum number of bytes of the secret that signs the tokens with HMAC-SHA-256 (RFC 7518, 3.2). */
const MIN_SECRET_BYTES = 32;

function ofDocuments({ documents }: Config, values: Values): string[] {
  if (documents === null) return [];
  const needed = ['DOCUMENTS_CLIENT_ID', 'DOCUMENTS_SECRET'] as const;
  const missing =
    documents.kind === 's3' ? needed : ([...needed, 'DOCUMENTS_RSIN', 'DOCUMENTS_INFORMATIEOBJECTTYPE'] as const);
  const what = documents.kind === 's3' ? 'S3' : 'a Documenten API';
  const faults = missing
    .filter((name) => values[name] === undefined)
    .map((name) => `${name}: ${what} cannot do without`);
  if (documents.kind === 'zgw' && documents.secret !== '' && Buffer.byteLength(documents.secret) < MIN_SECRET_BYTES)
    faults.push(`DOCUMENTS_SECRET: is shorter than ${MIN_SECRET_BYTES} bytes, and could be guessed`);
  return faults;
}

/**
 * Returns the faults of the database settings. Production-like deployments require `sslmode=verify-full`: the modes
 * `require`, `prefer` and `verify-ca` verify the server completely in this major version of pg, but not in the next
 * one.
 */
function ofDatabase({ store, productionLike, deployment }: Config, values: Values, env: Environment): string[] {
  const { DATABASE_TLS_CA: ca } = values;
  if (store.kind === 'sqlite') return ca === undefined ? [] : ['DATABASE_TLS_CA: means nothing without DATABASE_URL'];
  let address: DatabaseAddress;
  try {
    address = addressOf(store.url);
  } catch (error) {
    const { code, path = 'a file that it names' } = error as NodeJS.ErrnoException;
    return [`DATABASE_URL: ${code ? `${path} cannot be read (${code})` : 'is no URL that can be used'}`];
  }
  const { host, sslmode, sslrootcert } = address;
  // Without a host in the URL pg uses PGHOST, else localhost. A path is the folder of a Unix socket.
  const place = host || env.PGHOST || 'localhost';
  const isLocal = place.startsWith('/') || isLoopback(place);
  const faults = unusable('DATABASE_TLS_CA', { ...(ca !== undefined && { ca }) });
  if (productionLike && sslmode !== 'verify-full' && (!isLocal || sslmode === 'no-verify'))
    faults.push(
      `DATABASE_URL: ${deployment} verifies whom it talks to; add sslmode=verify-full, and DATABASE_TLS_CA for a CA of your own`,
    );
  if (ca !== undefined && sslmode !== 'verify-full')
    faults.push('DATABASE_TLS_CA: means nothing without sslmode=verify-full in DATABASE_URL');
  if (ca !== undefined && sslrootcert !== undefined)
    faults.push('DATABASE_TLS_CA: DATABASE_URL names a sslrootcert as well; keep one of the two');
  return faults;
}

/**
 * Minimum number of bytes of the pseudonym key. A shorter one could be found by brute force, and with it every
 * pseudonym.
 */
const MIN_KEY_BYTES = 32;

function ofProcessingLog({ productionLike, deployment, processingLog: { to, key } }: Config, values: Values): string[] {
  const faults: string[] = [];
  if (productionLike && to === 'nowhere') faults.push(`PROCESSING_LOG: ${deployment} has to account for what it does`);
  if (productionLike && key === undefined)
    faults.push(`PROCESSING_LOG_KEY: ${deployment} needs one, the same in all instances`);
  if (values.PROCESSING_LOG_KEY !== undefined && Buffer.byteLength(values.PROCESSING_LOG_KEY) < MIN_KEY_BYTES)
    faults.push(`PROCESSING_LOG_KEY: is shorter than ${MIN_KEY_BYTES} bytes, and could be guessed`);
  return faults;
}

/** Returns true for a host name or address of the loopback interface. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host);
