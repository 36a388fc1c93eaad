import type { StepUpPolicy } from './step-up.ts';

/** What an access token must have; its signature is checked as well. */
export interface TokenRules {
  readonly issuer: string;
  /** Value that the claim `aud` must contain; null when the tokens have no `aud`, and one that has it is refused. */
  readonly audience: string | null;
  readonly algorithms: readonly string[];
  /**
   * Accepted values of `typ` in the header of a JWT; `none` stands for a header without it. Empty when no token of the
   * issuer is read as a JWT.
   */
  readonly types: readonly string[];
  /** True when a token need not be a JWT. The introspection endpoint then says whose token it is. */
  readonly opaque: boolean;
  /** True when a token must name its key (`kid`). Otherwise a token without a name is tried with each key. */
  readonly needsKid: boolean;
  /** Maximum difference in seconds between the clocks of the issuer and of this service. */
  readonly leeway: number;
  /** Maximum number of seconds between `iat` (without one: now) and `exp`. */
  readonly maxLifetime: number;
  /** Client ids that are accepted in `azp`, `client_id`, `appid` and `cid`; an empty list accepts every client. */
  readonly clients: readonly string[];
}

/**
 * Where the claims of a token are. Each is the name of a claim, or a path of names, in which one with special
 * characters is written `["name"]`: `resource_access["my.client"].roles`.
 */
export interface ClaimPaths {
  readonly subject: string;
  /** Claim with the burgerservicenummer; undefined for staff, who have none here. */
  readonly bsn: string | undefined;
  readonly roles: string;
  /** Claim with the workspace; undefined when all callers share one workspace. */
  readonly workspace: string | undefined;
  /** Claim with the strength of the login: a text, a number or a list. Null for `acr`, which must be a text. */
  readonly level: string | null;
  /** Claim with the time of the login, also as text. Null for `auth_time`, which must be a number. */
  readonly loginTime: string | null;
}

/** RFC 7662. */
export interface IntrospectionEndpoint {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface TrustedIssuer extends TokenRules {
  /**
   * Its `issuer` may differ from that of the tokens. Null for the usual URL under `issuer`, which must have the same
   * `issuer`.
   */
  readonly discoveryUrl: string | null;
  /** The URL of the keys; null to read it from the discovery document. */
  readonly jwksUrl: string | null;
  readonly claims: ClaimPaths;
  /** Roles by the names that the issuer has for them; null when the issuer uses the names of this service. */
  readonly roleNames: Readonly<Record<string, readonly string[]>> | null;
  /** The login that is needed to see full register numbers; null when nobody can see them. */
  readonly stepUp: StepUpPolicy | null;
  /** CA certificates (PEM text) to trust for the connection to the issuer; undefined to trust those of Node. */
  readonly ca: string | undefined;
  /** The endpoint that says whether a token is still active; null when the issuer has none. */
  readonly introspection: IntrospectionEndpoint | null;
}

export interface TokenSettings {
  readonly professional: TrustedIssuer;
  /** The issuer of staff tokens; null when staff cannot log in. */
  readonly staff: TrustedIssuer | null;
  /** Milliseconds during which an accepted token is not verified again; 0 verifies each request. */
  readonly tokenCache: number;
  /**
   * HMAC keys for the owner names of callers. The first makes new names, the later ones find data under older names.
   * With an empty list the hash has no key.
   */
  readonly subjectKeys: readonly Buffer[];
}
