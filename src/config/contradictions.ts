import type { TrustedIssuer } from '../auth/trusted-issuer.ts';
import { isLoopback } from '../domain/host-name.ts';
import { HARD_CAP, MIB } from '../domain/upload-limits.ts';
import { findCertificateFaults } from './certificates.ts';
import type { Config } from './config.ts';
import { findDatabaseFaults } from './database.ts';
import { toIdentity } from './identity.ts';
import { CONFIGURED_UPSTREAMS, VARIABLE_PREFIX } from './upstreams.ts';
import type { Values } from './variables.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Faults that the schema of a single variable cannot find: variables that conflict, that need another variable, or that
 * the deployment does not allow (security.md 4).
 */
export const findContradictions = (config: Config, values: Values, env: Environment): string[] => [
  ...(config.productionLike ? findProductionFaults(config, values, env) : findStandInFaults(config, values)),
  ...findIdentityFaults(config, values, env),
  ...findUpstreamFaults(config, values, env),
  ...(config.productionLike ? [] : findUnusedVariables(values, env)),
  ...findDocumentsFaults(config, values),
  ...findDatabaseFaults(config, values),
  ...findProcessingLogFaults(config, values),
];

// Characters of secrets in production-like deployments. An external party chooses API keys: they may be shorter.
const MIN_LENGTH = { CLIENT_SECRET: 16, API_KEY: 8 };

function findProductionFaults(config: Config, values: Values, env: Environment): string[] {
  const { deployment, identity, upstreams, scanner } = config;
  const faults: string[] = [];
  const requireTls = (name: keyof Values, url: string | undefined) => {
    if (url !== undefined && URL.canParse(url) && new URL(url).protocol !== 'https:')
      faults.push(`${name}: ${deployment} needs https`);
  };
  const requireLength = (name: keyof Values, secret: string | undefined, min: number) => {
    if (secret !== undefined && secret.length < min) faults.push(`${name}: must have at least ${min} characters`);
  };
  if (identity.kind !== 'oidc')
    faults.push(`IDENTITY: ${nameOf(identity)} is not allowed in ${deployment}; set IDENTITY=oidc and OIDC_ISSUER`);
  for (const prefix of ['OIDC', 'OIDC_STAFF'] as const) {
    // With these URLs the issuer is a name, to which no connection is made: that of ADFS is an http URL.
    if (isAddress(values, prefix)) requireTls(`${prefix}_ISSUER`, values[`${prefix}_ISSUER`]);
    for (const name of ['DISCOVERY_URL', 'JWKS_URL', 'INTROSPECTION_URL'] as const)
      requireTls(`${prefix}_${name}`, values[`${prefix}_${name}`]);
    const secret = `${prefix}_INTROSPECTION_CLIENT_SECRET` as const;
    requireLength(secret, values[secret], MIN_LENGTH.CLIENT_SECRET);
  }
  if (identity.kind === 'oidc' && values.OIDC_STEP_UP_ACR === undefined)
    faults.push(
      `OIDC_STEP_UP_ACR: required in ${deployment}: the values of \`acr\` with which full register numbers may be seen, or "none"`,
    );
  for (const name of CONFIGURED_UPSTREAMS) {
    const upstream = upstreams[name];
    const prefix = VARIABLE_PREFIX[name];
    if (upstream.kind === 'simulator')
      faults.push(`${prefix}_UPSTREAM: ${deployment} needs the URL of a real upstream, not a simulator`);
    else requireTls(`${prefix}_UPSTREAM`, upstream.url.href);
    requireLength(`${prefix}_API_KEY`, values[`${prefix}_API_KEY`], MIN_LENGTH.API_KEY);
    if (prefix === 'DOCUMENTS') continue;
    requireTls(`${prefix}_OAUTH_TOKEN_URL`, values[`${prefix}_OAUTH_TOKEN_URL`]);
    requireLength(`${prefix}_OAUTH_CLIENT_SECRET`, values[`${prefix}_OAUTH_CLIENT_SECRET`], MIN_LENGTH.CLIENT_SECRET);
  }
  if (config.documents?.kind === 's3')
    requireLength('DOCUMENTS_SECRET', config.documents.secretAccessKey, MIN_LENGTH.CLIENT_SECRET);
  if (values.SCANNER === undefined || scanner.kind === 'simulator')
    faults.push(`SCANNER: must be set in ${deployment}: clamd://<host>:<port>, or "none"`);
  if (values.SIMULATOR_TODAY !== undefined) faults.push(`SIMULATOR_TODAY: not allowed in ${deployment}`);
  if (values.PERSONAS_DIR !== undefined) faults.push(`PERSONAS_DIR: not allowed in ${deployment}`);
  if (values.ALLOW_STAND_IN === 'yes') faults.push(`ALLOW_STAND_IN: not allowed in ${deployment}`);
  faults.push(...findUploadFaults(deployment, values));
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0')
    faults.push(
      `NODE_TLS_REJECT_UNAUTHORIZED: TLS certificates must be verified in ${deployment}; set …_TLS_CA for a CA of your own`,
    );
  return faults;
}

const nameOf = ({ kind }: Config['identity']): string =>
  kind === 'stand-in' ? 'the stand-in identity' : 'the simulated login';

function findStandInFaults({ host, identity, upstreams }: Config, values: Values): string[] {
  if (identity.kind === 'oidc' || values.ALLOW_STAND_IN === 'yes') return [];
  const faults: string[] = [];
  if (!isLoopback(host)) {
    faults.push(
      `HOST: other machines can reach ${host}, and with ${nameOf(identity)} every caller can be any person; set ALLOW_STAND_IN=yes to allow this`,
    );
  }
  for (const name of CONFIGURED_UPSTREAMS) {
    const upstream = upstreams[name];
    if (upstream.kind === 'simulator' || isLoopback(upstream.url.hostname)) continue;
    faults.push(
      `${VARIABLE_PREFIX[name]}_UPSTREAM: with ${nameOf(identity)}, every caller can ask a real upstream about any person; set ALLOW_STAND_IN=yes to allow this`,
    );
  }
  return faults;
}

// The only ones with the prefix `OIDC_` that have an effect with the simulated login.
const SIMULATED_LOGIN_VARIABLES = [
  'OIDC_SIMULATED_PORT',
  'OIDC_SIMULATED_TOKEN_SECONDS',
  'OIDC_MAX_LIFETIME',
  'OIDC_STEP_UP_MAX_AGE',
  'OIDC_TOKEN_CACHE_SECONDS',
];

function findIdentityFaults({ identity, ...config }: Config, values: Values, env: Environment): string[] {
  const given = (prefix: string) =>
    Object.keys(env).filter((name) => name.startsWith(prefix) && Object.hasOwn(values, name));
  if (identity.kind !== 'oidc') {
    // A production-like deployment has a fault for IDENTITY already; the faults of the OIDC_ variables are reported
    // with it.
    const oidc = { ...config, identity: toIdentity({ ...values, IDENTITY: 'oidc' }) };
    if (config.productionLike) return given('OIDC_').length === 0 ? [] : findIdentityFaults(oidc, values, env);
    if (identity.kind === 'simulated-oidc' && identity.tokenSeconds > identity.maxLifetime)
      return [`OIDC_SIMULATED_TOKEN_SECONDS: may be at most OIDC_MAX_LIFETIME (${identity.maxLifetime})`];
    const used = identity.kind === 'simulated-oidc' ? SIMULATED_LOGIN_VARIABLES : [];
    return given('OIDC_')
      .filter((name) => !used.includes(name))
      .map((name) => {
        const needed = name.startsWith('OIDC_SIMULATED_') ? 'simulated-oidc' : 'oidc';
        return `${name}: has no effect with IDENTITY=${identity.kind}; set IDENTITY=${needed}, or remove it`;
      });
  }
  const faults = [
    ...given('OIDC_SIMULATED_').map((name) => `${name}: has no effect with IDENTITY=oidc; remove it`),
    ...findIssuerFaults('OIDC', identity.professional, values),
    ...findMissingIntrospection('OIDC', values),
    ...findMissingIntrospection('OIDC_STAFF', values),
  ];
  if (identity.staff !== null) faults.push(...findIssuerFaults('OIDC_STAFF', identity.staff, values));
  else if (given('OIDC_STAFF_').length > 0)
    faults.push('OIDC_STAFF_ISSUER: required by the other OIDC_STAFF_ variables');
  if (identity.staff !== null && values.OIDC_ISSUER === values.OIDC_STAFF_ISSUER)
    faults.push(
      'OIDC_STAFF_ISSUER: must differ from OIDC_ISSUER, because the issuer decides whether a caller is staff',
    );
  if (identity.professional.opaque && identity.staff?.opaque && !haveOneHost(identity.professional, identity.staff))
    faults.push(
      'OIDC_STAFF_TYP: may not hold opaque when OIDC_TYP does, unless both introspection endpoints have one host: an opaque token does not say who gave it, so it is shown to both',
    );
  return faults;
}

const haveOneHost = (...issuers: readonly TrustedIssuer[]): boolean =>
  new Set(issuers.map(({ introspection }) => introspection && new URL(introspection.url).hostname)).size === 1;

// RFC 7662. All variables of the endpoint are set, or none is.
function findMissingIntrospection(prefix: IssuerPrefix, values: Values): string[] {
  const names = ['URL', 'CLIENT_ID', 'CLIENT_SECRET'] as const;
  const missing = names.filter((name) => values[`${prefix}_INTROSPECTION_${name}`] === undefined);
  if (missing.length === 0 || missing.length === names.length) return [];
  const given = names.find((name) => !missing.includes(name));
  return missing.map((name) => `${prefix}_INTROSPECTION_${name}: required with ${prefix}_INTROSPECTION_${given}`);
}

type IssuerPrefix = 'OIDC' | 'OIDC_STAFF';

// The discovery document is read under the URL of the issuer.
const isAddress = (values: Values, prefix: IssuerPrefix): boolean =>
  values[`${prefix}_DISCOVERY_URL`] === undefined &&
  values[`${prefix}_JWKS_URL`] === undefined &&
  values[`${prefix}_TYP`].some((type) => type !== 'opaque');

// Returns whether a URL has no user name, password, query or fragment.
function isPlainUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === '';
}

function findIssuerFaults(prefix: IssuerPrefix, rules: TrustedIssuer, values: Values): string[] {
  const { issuer, audience, clients, ca, opaque, introspection, stepUp } = rules;
  const faults: string[] = [];
  if (issuer === '') faults.push(`${prefix}_ISSUER: required with IDENTITY=oidc`);
  else if (isAddress(values, prefix) && !isPlainUrl(issuer))
    faults.push(
      `${prefix}_ISSUER: must be an http(s) URL without a user name, password, query or fragment, exactly as the tokens have it in \`iss\`; or set ${prefix}_DISCOVERY_URL or ${prefix}_JWKS_URL`,
    );
  if (values[`${prefix}_DISCOVERY_URL`] !== undefined && values[`${prefix}_JWKS_URL`] !== undefined)
    faults.push(`${prefix}_DISCOVERY_URL: is not read with ${prefix}_JWKS_URL; remove one of the two`);
  if (audience === '') faults.push(`${prefix}_AUDIENCE: required with IDENTITY=oidc`);
  if (audience === null && clients.length === 0)
    faults.push(`${prefix}_CLIENTS: required with ${prefix}_AUDIENCE=none: the clients whose tokens are accepted`);
  if (opaque && introspection === null)
    faults.push(`${prefix}_INTROSPECTION_URL: required with opaque in ${prefix}_TYP`);
  for (const name of ['STEP_UP_CLAIM', 'AUTH_TIME_CLAIM'] as const)
    if (stepUp === null && values[`${prefix}_${name}`] !== undefined)
      faults.push(`${prefix}_${name}: has no effect without values in ${prefix}_STEP_UP_ACR`);
  return [...faults, ...findCertificateFaults(`${prefix}_TLS_CA`, { ...(ca && { ca }) })];
}

// A private key with a passphrase.
const ENCRYPTED = /^(-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED)/m;

function findUpstreamFaults({ upstreams }: Config, values: Values, env: Environment): string[] {
  const faults: string[] = [];
  for (const name of CONFIGURED_UPSTREAMS) {
    const prefix = VARIABLE_PREFIX[name];
    const upstream = upstreams[name];
    if (upstream.kind === 'simulator') continue;
    const { cert, key, ca } = upstream.tls;
    if (cert && !key) faults.push(`${prefix}_TLS_KEY: required with ${prefix}_TLS_CERT`);
    else if (key && !cert) faults.push(`${prefix}_TLS_CERT: required with ${prefix}_TLS_KEY`);
    else if (key && ENCRYPTED.test(key))
      faults.push(
        `${prefix}_TLS_KEY: has a passphrase; remove it (openssl pkey), and let only the service read the file`,
      );
    else faults.push(...findCertificateFaults(`${prefix}_TLS_CERT`, { ...(cert && key && { cert, key }) }));
    faults.push(...findCertificateFaults(`${prefix}_TLS_CA`, { ...(ca && { ca }) }));
    const { oauth, headers } = upstream;
    const repeats = (header: string, name: string) =>
      faults.push(
        `${prefix}_HEADERS: contains ${header}, which is also sent because of ${prefix}_${name}; remove one of the two`,
      );
    if (values[`${prefix}_API_KEY`] !== undefined && values[`${prefix}_HEADERS`]?.['x-api-key'] !== undefined)
      repeats('x-api-key', 'API_KEY');
    if (prefix === 'DOCUMENTS') {
      if (headers.authorization !== undefined) repeats('authorization', 'CLIENT_ID');
      continue;
    }
    const parts = ['CLIENT_ID', 'CLIENT_SECRET', 'CLIENT_KEY', 'SCOPE', 'PARAMETERS'] as const;
    if (oauth === null) {
      const given = parts.find((part) => values[`${prefix}_OAUTH_${part}`] !== undefined);
      if (given) faults.push(`${prefix}_OAUTH_TOKEN_URL: required with ${prefix}_OAUTH_${given}`);
      continue;
    }
    if (oauth.clientId === '') faults.push(`${prefix}_OAUTH_CLIENT_ID: required with ${prefix}_OAUTH_TOKEN_URL`);
    // Looks in `env`, because `oauth` has no key that cannot be used, and such a key has a fault of its own.
    if (oauth.clientSecret === undefined && env[`${prefix}_OAUTH_CLIENT_KEY`] === undefined && !cert)
      faults.push(
        `${prefix}_OAUTH_CLIENT_SECRET: required, unless ${prefix}_OAUTH_CLIENT_KEY or ${prefix}_TLS_CERT identifies the client`,
      );
    if (oauth.clientSecret !== undefined && oauth.clientKey !== undefined)
      faults.push(`${prefix}_OAUTH_CLIENT_KEY: is not used with ${prefix}_OAUTH_CLIENT_SECRET; remove one of the two`);
    if (headers.authorization !== undefined) repeats('authorization', 'OAUTH_TOKEN_URL');
  }
  return faults;
}

// Finds the variables of upstreams without an `_UPSTREAM`. With the value `simulator`, the variables wait for a URL,
// which is no fault.
const findUnusedVariables = (values: Values, env: Environment): string[] =>
  Object.values(VARIABLE_PREFIX)
    .filter((prefix) => env[`${prefix}_UPSTREAM`] === undefined)
    .flatMap((prefix) =>
      Object.keys(env)
        .map((name) => name.replace(/_FILE$/, ''))
        .filter((name) => name.startsWith(`${prefix}_`) && Object.hasOwn(values, name))
        .map((name) => `${name}: has no effect without ${prefix}_UPSTREAM; set it to a URL, or to "simulator"`),
    );

// For the secret that signs tokens with HMAC-SHA-256 (RFC 7518, 3.2).
const MIN_SECRET_BYTES = 32;

function findDocumentsFaults({ documents }: Config, values: Values): string[] {
  if (documents === null) return [];
  const needed = ['DOCUMENTS_CLIENT_ID', 'DOCUMENTS_SECRET'] as const;
  const missing =
    documents.kind === 's3' ? needed : ([...needed, 'DOCUMENTS_RSIN', 'DOCUMENTS_INFORMATIEOBJECTTYPE'] as const);
  const what = documents.kind === 's3' ? 'S3' : 'a Documenten API';
  const faults = missing.filter((name) => values[name] === undefined).map((name) => `${name}: required by ${what}`);
  if (documents.kind === 'zgw' && documents.secret !== '' && Buffer.byteLength(documents.secret) < MIN_SECRET_BYTES)
    faults.push(`DOCUMENTS_SECRET: must have at least ${MIN_SECRET_BYTES} bytes`);
  if (documents.kind === 'zgw') {
    const { backdateSeconds = 0, expiresSeconds = Number.POSITIVE_INFINITY } = documents.token;
    if (expiresSeconds <= backdateSeconds)
      faults.push(
        `DOCUMENTS_TOKEN_EXPIRES_SECONDS: must be more than DOCUMENTS_TOKEN_BACKDATE_SECONDS (${backdateSeconds}), or a token has expired when it is made`,
      );
  }
  return faults;
}

// So that brute force cannot find a person.
const MIN_KEY_BYTES = 32;

function findProcessingLogFaults(
  { productionLike, deployment, processingLog: { to, key } }: Config,
  values: Values,
): string[] {
  const faults: string[] = [];
  if (productionLike && to === 'nowhere') faults.push(`PROCESSING_LOG: "nowhere" is not allowed in ${deployment}`);
  if (productionLike && key === undefined)
    faults.push(`PROCESSING_LOG_KEY: required in ${deployment}, the same in all instances`);
  if (values.PROCESSING_LOG_KEY !== undefined && Buffer.byteLength(values.PROCESSING_LOG_KEY) < MIN_KEY_BYTES)
    faults.push(`PROCESSING_LOG_KEY: must have at least ${MIN_KEY_BYTES} bytes`);
  return faults;
}

// One upload can be as large as `HARD_CAP`.
const MIN_SPOOL_MB = HARD_CAP / MIB;

function findUploadFaults(deployment: string, values: Values): string[] {
  const faults: string[] = [];
  if (values.UPLOADS_ORPHAN_HOURS < 1)
    faults.push(
      `UPLOADS_ORPHAN_HOURS: must be 1 or more in ${deployment}, or a document is removed before its request is sent`,
    );
  if (values.UPLOADS_SPOOL_MB < MIN_SPOOL_MB)
    faults.push(`UPLOADS_SPOOL_MB: must be ${MIN_SPOOL_MB} or more in ${deployment}, or a large upload never fits`);
  return faults;
}
