/** The simulated token issuers (`IDENTITY=simulated-oidc`), and the simulated person of a token. */
import { decodeJwt } from 'jose';
import { bearerToken, type Identity, invalidToken } from '../../src/auth/identity.ts';
import type { SimulatedLoginConfig, TokensConfig } from '../../src/config/identity.ts';
import { type Config, ConfigError } from '../../src/config/index.ts';
import type { PeopleDirectory } from '../people/directory.ts';

export interface SimulatedLogin {
  /** Settings with which the service accepts tokens of these issuers. */
  readonly identity: TokensConfig;
  /** Text for the start banner: the client id and the URLs of the issuers. */
  readonly hint: string;
  /** Returns an access token for the simulated person with this login, which the service accepts. */
  issueToken(login: string): Promise<string>;
  close(): Promise<void>;
}

/** Rejects with `ConfigError` when the port is in use. Imports the code only now: loading takes time. */
export async function startLogin(
  { port, tokenSeconds, stepUpMaxAge, maxLifetime, tokenCache }: SimulatedLoginConfig,
  { corsOrigins }: Config,
  directory: PeopleDirectory,
): Promise<SimulatedLogin> {
  const { startIssuers, AUDIENCE, CLIENT_ID, STEP_UP_LEVELS } = await import('../issuer/index.ts');
  const issuers = await startIssuers({ port, directory, tokenSeconds, origins: corsOrigins }).catch((error) => {
    throw error.code === 'EADDRINUSE'
      ? new ConfigError([`OIDC_SIMULATED_PORT: port ${port} is in use; choose another one, or 0 for a free port`])
      : error;
  });
  const trusted = (issuer: string): TokensConfig['professional'] => ({
    issuer,
    discoveryUrl: null,
    jwksUrl: null,
    audience: AUDIENCE,
    algorithms: ['ES256'],
    types: ['at+jwt'],
    opaque: false,
    needsKid: true,
    // Issuer and service have the same clock, so a token of five seconds is refused after five seconds.
    leeway: 0,
    maxLifetime,
    clients: [CLIENT_ID],
    claims: { subject: 'sub', bsn: 'bsn', roles: 'roles', workspace: undefined, level: null, loginTime: null },
    roleNames: null,
    stepUp: { acr: STEP_UP_LEVELS, maxAge: stepUpMaxAge },
    ca: undefined,
    introspection: null,
  });
  const { professional, staff } = issuers.urls;
  return {
    identity: { kind: 'oidc', professional: trusted(professional), staff: trusted(staff), tokenCache, subjectKeys: [] },
    hint: `simulated login: client_id ${CLIENT_ID}, professionals at ${professional}, staff at ${staff}`,
    issueToken: issuers.issueToken,
    close: issuers.close,
  };
}

/** The caller is the simulated person in the claim `sub`, with that world and burgerservicenummer; 401 without one. */
export const identifySimulatedPeople = (tokens: Identity, directory: PeopleDirectory): Identity => ({
  async identify(request) {
    const identified = await tokens.identify(request);
    const { caller } = identified;
    const { sub = '' } = decodeJwt(bearerToken(request));
    if (caller.kind === 'professional') {
      const person = directory.professional(sub);
      if (person !== null) return { ...identified, caller: { ...caller, ...person } };
    } else {
      const person = directory.staff(sub);
      if (person !== null) return { ...identified, caller: { ...caller, ...person } };
    }
    throw invalidToken('unknown simulated person', identified.found ?? '');
  },
});
