import type { StepUpPolicy } from './step-up.ts';

/** The rules for a token, in addition to a valid signature by its issuer. */
export interface TokenRules {
  /** The exact value of the claim `iss`. */
  readonly issuer: string;
  readonly audience: string;
  readonly algorithms: readonly string[];
  readonly typ: string;
  /** Maximum difference in seconds between the clocks of the issuer and of this service. */
  readonly leeway: number;
  /** Client ids (claims `azp` and `client_id`) whose tokens are accepted; an empty list accepts any client. */
  readonly clients: readonly string[];
}

/** The names of the claims to read. A name can be a path with dots, such as `realm_access.roles`. */
export interface ClaimPaths {
  readonly subject: string;
  readonly bsn: string;
  readonly roles: string;
  /** Claim with the workspace; undefined when all callers share one workspace. */
  readonly workspace: string | undefined;
}

/** A token introspection endpoint (RFC 7662), and the client with which this service calls it. */
export interface IntrospectionEndpoint {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A token issuer that is trusted, with the rules for its tokens. */
export interface TrustedIssuer extends TokenRules {
  readonly claims: ClaimPaths;
  readonly stepUp: StepUpPolicy;
  /** CA certificate (PEM) that must have signed the issuer's certificate; undefined to trust the CAs of Node. */
  readonly ca: string | undefined;
  /** The endpoint that is asked whether a token is still active. Null: a token is valid until its `exp`. */
  readonly introspection: IntrospectionEndpoint | null;
}

/** The settings for callers who are identified by tokens of one or two real issuers. */
export interface TokenSettings {
  readonly professional: TrustedIssuer;
  /** The issuer of staff tokens; null when staff cannot log in. */
  readonly staff: TrustedIssuer | null;
  /** Milliseconds after which an accepted token is verified again; 0 to verify it at each request. */
  readonly tokenCache: number;
  /**
   * The secret keys for the owner names under which data are stored: a name is a keyed hash of the caller's subject.
   * The first key is the current one. With an empty list the hash has no key.
   */
  readonly subjectKeys: readonly Buffer[];
}
