import type { StepUpPolicy } from './step-up.ts';

/** Rules for the contents of an access token; its signature is checked as well. */
export interface TokenRules {
  /** Required value of the claim `iss`. */
  readonly issuer: string;
  readonly audience: string;
  readonly algorithms: readonly string[];
  readonly typ: string;
  /** Maximum difference in seconds between the clocks of the issuer and of this service. */
  readonly leeway: number;
  /** Maximum number of seconds between `iat` (without one: now) and `exp`. */
  readonly maxLifetime: number;
  /**
   * Client ids whose tokens are accepted, from the claims `azp` and `client_id`; an empty list accepts every client.
   */
  readonly clients: readonly string[];
}

/** The names of the token claims to read. A name can be a path with dots, such as `realm_access.roles`. */
export interface ClaimPaths {
  readonly subject: string;
  /** Claim with the burgerservicenummer; undefined for staff, who have none here. */
  readonly bsn: string | undefined;
  readonly roles: string;
  /** Claim with the workspace; undefined when all callers share one workspace. */
  readonly workspace: string | undefined;
}

/** A token introspection endpoint (RFC 7662), with the client id and secret for calling it. */
export interface IntrospectionEndpoint {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A trusted issuer of access tokens, with the rules for its tokens. */
export interface TrustedIssuer extends TokenRules {
  readonly claims: ClaimPaths;
  readonly stepUp: StepUpPolicy;
  /** CA certificates (PEM text) to trust for the connection to the issuer; undefined to trust those of Node. */
  readonly ca: string | undefined;
  /** The endpoint that says whether a token is still active; null when the issuer has none. */
  readonly introspection: IntrospectionEndpoint | null;
}

/** The trusted token issuers for professionals and for staff, and how their tokens are used. */
export interface TokenSettings {
  readonly professional: TrustedIssuer;
  /** The issuer of staff tokens; null when staff cannot log in. */
  readonly staff: TrustedIssuer | null;
  /** Milliseconds during which an accepted token is not verified again; 0 verifies each request. */
  readonly tokenCache: number;
  /**
   * Keys of the hash (HMAC) that turns a token's subject into the name under which a caller's data are stored. Only the
   * first key makes new names. The later keys are older ones, to find data that were stored under older names. With an
   * empty list the hash has no key.
   */
  readonly subjectKeys: readonly Buffer[];
}
