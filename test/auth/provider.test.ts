import { createServer, type Server } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import Provider, { type ResourceServer } from 'oidc-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestService, whenReady } from '../support/service.ts';
import { AUDIENCE, issuerVariables, signingKey, startIssuer, type TestIssuer } from '../support/upstreams/issuer.ts';
import { listen } from '../support/upstreams/scripted-server.ts';

/**
 * A token issuer of the npm package `oidc-provider`, which is OpenID certified: other people wrote its tokens, keys and
 * discovery document.
 */
let provider: Provider;
let server: Server;
let staff: TestIssuer;
let service: TestService;

const resource = (
  audience: string,
  alg: 'RS256' | 'PS256' | 'ES256',
  format: 'jwt' | 'opaque' = 'jwt',
  ttl = 300,
): ResourceServer => ({
  scope: 'zorgregister',
  audience,
  accessTokenFormat: format,
  accessTokenTTL: ttl,
  ...(format === 'jwt' && { jwt: { sign: { alg } } }),
});

beforeAll(async () => {
  server = createServer();
  const url = await listen(server);
  const keys = await Promise.all(
    (['RS256', 'ES256'] as const).map(async (alg) => {
      const { privateKey } = await generateKeyPair(alg, { extractable: true });
      return { ...(await exportJWK(privateKey)), use: 'sig' };
    }),
  );
  provider = new Provider(url, {
    clients: [
      { client_id: 'portal', client_secret: 'portal-secret', redirect_uris: ['https://portal.example/cb'] },
      {
        client_id: 'machine',
        client_secret: 'machine-secret',
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      },
    ],
    jwks: { keys: keys as never },
    cookies: { keys: ['test'] },
    ttl: { AccessToken: 300, ClientCredentials: 300, IdToken: 300 },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: { enabled: true, getResourceServerInfo: (_, name) => resource(name, 'RS256') },
    },
    extraTokenClaims: (_, { kind }) => (kind === 'AccessToken' ? { bsn: '999990007', roles: ['drafter'] } : undefined),
  });
  server.on('request', provider.callback());
  staff = await startIssuer([await signingKey('staff')]);
  service = await startService(issuerVariables({ url }, staff));
  await whenReady(service);
});
afterAll(async () => {
  await Promise.all([service.close(), staff.close()]);
  server.closeAllConnections();
  server.close();
});

async function accessToken(of: ResourceServer): Promise<string> {
  const client = await provider.Client.find('portal');
  if (client === undefined) throw new Error('no client');
  const token = new provider.AccessToken({
    accountId: 'sanne',
    client,
    grantId: 'grant',
    gty: 'authorization_code',
    scope: 'zorgregister',
  } as never);
  token.resourceServer = Object.assign(new provider.ResourceServer(AUDIENCE, of), of);
  return token.save();
}

const get = (path: string, token: string) =>
  service.get(`/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } });

describe('tokens of oidc-provider', () => {
  it.each(['RS256', 'PS256', 'ES256'] as const)('are accepted with 200 when signed with %s', async (alg) => {
    const token = await accessToken(resource(AUDIENCE, alg));
    expect((await get('/dashboard-view', token)).body.person.naam).toBe('Sanne de Wit');
    expect((await get('/brief', token)).status).toBe(200);
  });

  it('for another audience are refused with 401', async () => {
    expect((await get('/notes', await accessToken(resource('https://other.example', 'RS256')))).status).toBe(401);
  });

  it('that are opaque are refused with 401', async () => {
    expect((await get('/notes', await accessToken(resource(AUDIENCE, 'RS256', 'opaque')))).status).toBe(401);
  });

  it('that are ID tokens are refused with 401, also with the right audience', async () => {
    const client = await provider.Client.find('portal');
    if (client === undefined) throw new Error('no client');
    const id = new provider.IdToken({ sub: 'sanne' } as never, { ctx: { oidc: { client } } } as never);
    id.set('aud', [AUDIENCE, 'portal']);
    expect((await get('/notes', await id.issue({ use: 'idtoken' }))).status).toBe(401);
  });

  it('from a client credentials grant give a caller without roles, who gets 403 on the letter, and without a registration', async () => {
    const { issuer } = provider;
    const answer = await fetch(`${issuer}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('machine:machine-secret')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', resource: AUDIENCE }),
    });
    const { access_token: token } = (await answer.json()) as { access_token: string };
    expect((await get('/brief', token)).status).toBe(403);
    expect((await get('/dashboard-view', token)).body).toMatchObject({ registration: null });
  });
});
