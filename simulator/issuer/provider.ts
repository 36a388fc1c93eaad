import { randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import Provider, {
  type Configuration,
  interactionPolicy,
  type KoaContextWithOIDC,
  type ResourceServer,
} from 'oidc-provider';
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js';
import type { PeopleDirectory } from '../people/directory.ts';
import {
  type IssuerKind,
  LEVELS,
  levelIndexOf,
  logoutPage,
  lowestLevelIndex,
  messagePage,
  PAGE_HEADERS,
  personOf,
} from './page.ts';

/** The client id of every web page, at both issuers. The client is public: it has no secret (RFC 8252). */
export const CLIENT_ID = 'portal';
export const AUDIENCE = 'zorgregister-bff';
/** What a page may ask for. An access token has the part that was asked for. */
const SCOPES = 'openid profile offline_access zorgregister';
/** Resource indicator (RFC 8707) for a login request that has none. It must be a URI. */
const RESOURCE = 'urn:zorgregister-bff';

export interface ProviderOptions {
  readonly kind: IssuerKind;
  readonly issuer: string;
  readonly directory: PeopleDirectory;
  readonly tokenSeconds: number;
  readonly isAllowedOrigin: (origin: string) => boolean;
}

/**
 * Returns an OpenID provider at which users of web pages log in: authorization code flow, refresh tokens and logout.
 * Its access tokens are JWTs (RFC 9068) with the claims that the service reads. Its signing key and sessions are only
 * in memory.
 */
export async function createProvider(options: ProviderOptions): Promise<Provider> {
  const { kind, issuer, isAllowedOrigin } = options;
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const provider = new Provider(issuer, {
    ...settingsOf(options),
    jwks: { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'ES256', kid: `simulated-${kind}` }] },
  });
  // A development server of a page has any port and any path, so addresses are not registered one by one.
  const isAllowedAddress = (address: string): boolean =>
    URL.canParse(address) && isAllowedOrigin(new URL(address).origin);
  const client = provider.Client.prototype;
  client.redirectUriAllowed = isAllowedAddress;
  client.postLogoutRedirectUriAllowed = isAllowedAddress;
  // An ID token of a refresh should have no nonce (OpenID Connect Core 1.0, 12.2), and angular-auth-oidc-client refuses one.
  Object.defineProperty(provider.RefreshToken.prototype, 'nonce', { get: () => undefined, set: () => {} });
  return provider;
}

/** Returns an access token without a login page, so without a level of assurance: not enough for a step-up. */
export async function issueToken(provider: Provider, login: string, tokenSeconds: number): Promise<string> {
  const client = await provider.Client.find(CLIENT_ID);
  if (client === undefined) throw new Error(`client ${CLIENT_ID} is missing`);
  const grant = { scope: SCOPES, grantId: 'simulator', gty: 'simulator' };
  const token = new provider.AccessToken({ accountId: login, client, ...grant });
  const resource = resourceOf(tokenSeconds);
  token.resourceServer = Object.assign(new provider.ResourceServer(RESOURCE, resource), resource);
  return token.save();
}

const resourceOf = (tokenSeconds: number): ResourceServer => ({
  scope: SCOPES,
  audience: AUDIENCE,
  accessTokenFormat: 'jwt',
  accessTokenTTL: tokenSeconds,
  jwt: { sign: { alg: 'ES256' } },
});

function settingsOf({ kind, issuer, directory, tokenSeconds, isAllowedOrigin }: ProviderOptions): Configuration {
  return {
    adapter: createMemoryAdapter(),
    acrValues: LEVELS.map(({ acr }) => acr),
    clients: [
      {
        client_id: CLIENT_ID,
        client_name: 'Portaal',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        id_token_signed_response_alg: 'ES256',
        redirect_uris: ['http://127.0.0.1/'],
        post_logout_redirect_uris: ['http://127.0.0.1/'],
      },
    ],
    responseTypes: ['code'],
    clientAuthMethods: ['none'],
    claims: { openid: ['sub', 'acr', 'auth_time'], profile: ['name'] },
    conformIdTokenClaims: false,
    scopes: SCOPES.split(' '),
    cookies: {
      keys: [randomBytes(32).toString('base64url')],
      // The two issuers share a host, so they need cookies with different names.
      names: { session: `${kind}_session`, interaction: `${kind}_interaction`, resume: `${kind}_resume` },
    },
    ttl: {
      AccessToken: tokenSeconds,
      AuthorizationCode: 60,
      Grant: DAY,
      IdToken: HOUR,
      Interaction: HOUR,
      RefreshToken: DAY,
      Session: DAY,
    },
    features: {
      devInteractions: { enabled: false },
      // Access tokens are for the service, which reads them without this issuer and knows Bearer only.
      dPoP: { enabled: false },
      userinfo: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => RESOURCE,
        useGrantedResource: () => true,
        getResourceServerInfo: () => resourceOf(tokenSeconds),
      },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => sendHtml(ctx, logoutPage(form)),
        postLogoutSuccessSource: (ctx) => sendHtml(ctx, messagePage('Uitgelogd', 'U bent uitgelogd.')),
      },
    },
    interactions: { policy: createPolicy(), url: (_, { uid }) => `${new URL(issuer).pathname}/login/${uid}` },
    clientBasedCORS: (_, origin) => isAllowedOrigin(origin),
    issueRefreshToken: () => true,
    renderError: (ctx, { error, error_description: why }) =>
      sendHtml(ctx, messagePage('Inloggen is niet gelukt', why === undefined ? error : `${error}: ${why}`)),
    findAccount(_, sub) {
      const person = personOf(kind, directory, sub);
      return person === null
        ? undefined
        : { accountId: sub, claims: () => Promise.resolve({ sub: person.sub, name: person.name }) };
    },
    loadExistingGrant,
    // A token of `issueToken` is made outside a request to the provider, and has no context.
    extraTokenClaims(ctx: KoaContextWithOIDC | undefined, token) {
      if (token.kind !== 'AccessToken') return undefined;
      const login = ctx?.oidc.entities.AuthorizationCode ?? ctx?.oidc.entities.RefreshToken;
      const person = personOf(kind, directory, token.accountId);
      return { ...person?.claims, acr: login?.acr, auth_time: login?.authTime };
    },
  };
}

const HOUR = 60 * 60;
const DAY = 24 * HOUR;

function sendHtml(ctx: KoaContextWithOIDC, html: string): void {
  ctx.set(PAGE_HEADERS);
  ctx.body = html;
}

/** One more rule than the default: a login of a lower level than `acr_values` asks for does not count. */
function createPolicy(): interactionPolicy.DefaultPolicy {
  const base = interactionPolicy.base();
  const isTooWeak = ({ oidc }: KoaContextWithOIDC): boolean =>
    levelIndexOf(oidc.session?.acr) < lowestLevelIndex(oidc.params?.acr_values);
  base.get('login')?.checks.add(new interactionPolicy.Check('acr_values', 'a stronger login is needed', isTooWeak));
  return base;
}

/** A grant of all scopes, so that no consent page is shown. */
async function loadExistingGrant(ctx: KoaContextWithOIDC) {
  const { client, session, provider } = ctx.oidc;
  if (client === undefined || session?.accountId === undefined) return undefined;
  const known = session.grantIdFor(client.clientId);
  const grant =
    (known && (await provider.Grant.find(known))) ||
    new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope('openid profile offline_access');
  grant.addResourceScope(RESOURCE, SCOPES);
  await grant.save();
  return grant;
}
