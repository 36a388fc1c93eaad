import type { StepUpPolicy } from '../auth/step-up.ts';
import type { IntrospectionEndpoint, TokenSettings, TrustedIssuer } from '../auth/trusted-issuer.ts';
import type { Values } from './variables.ts';

/** Callers are identified by tokens of real issuers. */
export interface TokensConfig extends TokenSettings {
  readonly kind: 'oidc';
}

/** Callers are identified by the simulator's login pages and tokens. */
export interface SimulatedLoginConfig {
  readonly kind: 'simulated-oidc';
  /** Port of the simulated token issuers; 0 selects a free one. */
  readonly port: number;
  /** Until an access token expires. */
  readonly tokenSeconds: number;
  /** Seconds after a login during which it is strong enough for a step-up. */
  readonly stepUpMaxAge: number;
  /** Seconds for which an access token is valid. */
  readonly maxLifetime: number;
  /** Milliseconds during which an accepted token is not verified again; 0 verifies each request. */
  readonly tokenCache: number;
}

/** Callers are identified by request headers (stand-in), by a simulated login, or by tokens of real issuers. */
export type IdentityConfig = { readonly kind: 'stand-in' } | SimulatedLoginConfig | TokensConfig;

/** A required variable that is absent becomes an empty string here; `findContradictions` reports that fault. */
export function toIdentity(values: Values): IdentityConfig {
  if (values.IDENTITY === 'simulated-oidc')
    return {
      kind: 'simulated-oidc',
      port: values.OIDC_SIMULATED_PORT,
      tokenSeconds: values.OIDC_SIMULATED_TOKEN_SECONDS,
      stepUpMaxAge: values.OIDC_STEP_UP_MAX_AGE,
      maxLifetime: values.OIDC_MAX_LIFETIME,
      tokenCache: values.OIDC_TOKEN_CACHE_SECONDS * 1_000,
    };
  if (values.IDENTITY !== 'oidc') return { kind: 'stand-in' };
  return {
    kind: 'oidc',
    professional: toIssuer(values, 'OIDC'),
    staff: values.OIDC_STAFF_ISSUER === undefined ? null : toIssuer(values, 'OIDC_STAFF'),
    subjectKeys: values.SUBJECT_KEYS.map((key) => Buffer.from(key)),
    tokenCache: values.OIDC_TOKEN_CACHE_SECONDS * 1_000,
  };
}

// The word for what the tokens of an issuer do not have.
const NONE = 'none';
// Among the values of `typ`: tokens that are no JWT.
const OPAQUE = 'opaque';

// Seconds by which the clock of an issuer may differ from that of this machine.
const LEEWAY = 60;

const toIssuer = (values: Values, name: 'OIDC' | 'OIDC_STAFF'): TrustedIssuer => ({
  issuer: values[`${name}_ISSUER`] ?? '',
  discoveryUrl: values[`${name}_DISCOVERY_URL`] ?? null,
  jwksUrl: values[`${name}_JWKS_URL`] ?? null,
  audience: values[`${name}_AUDIENCE`] === NONE ? null : (values[`${name}_AUDIENCE`] ?? ''),
  algorithms: values[`${name}_ALGORITHMS`],
  types: values[`${name}_TYP`].filter((type) => type !== OPAQUE),
  opaque: values[`${name}_TYP`].includes(OPAQUE),
  needsKid: values[`${name}_KID`] === 'required',
  leeway: LEEWAY,
  maxLifetime: values.OIDC_MAX_LIFETIME,
  clients: values[`${name}_CLIENTS`],
  claims: {
    subject: values[`${name}_SUBJECT_CLAIM`],
    bsn: name === 'OIDC' ? values.OIDC_BSN_CLAIM : undefined,
    roles: values[`${name}_ROLES_CLAIM`],
    workspace: values[`${name}_WORKSPACE_CLAIM`],
    level: values[`${name}_STEP_UP_CLAIM`] ?? null,
    loginTime: values[`${name}_AUTH_TIME_CLAIM`] ?? null,
  },
  roleNames: values[`${name}_ROLES_MAP`] ?? null,
  stepUp: toStepUp(values, name),
  ca: values[`${name}_TLS_CA`],
  introspection: toIntrospection(values, name),
});

function toStepUp(values: Values, name: 'OIDC' | 'OIDC_STAFF'): StepUpPolicy | null {
  const acr = values[`${name}_STEP_UP_ACR`] ?? [];
  return acr.length === 0 || acr.includes(NONE) ? null : { acr, maxAge: values.OIDC_STEP_UP_MAX_AGE };
}

function toIntrospection(values: Values, name: 'OIDC' | 'OIDC_STAFF'): IntrospectionEndpoint | null {
  const url = values[`${name}_INTROSPECTION_URL`];
  if (url === undefined) return null;
  const clientId = values[`${name}_INTROSPECTION_CLIENT_ID`] ?? '';
  return { url, clientId, clientSecret: values[`${name}_INTROSPECTION_CLIENT_SECRET`] ?? '' };
}
