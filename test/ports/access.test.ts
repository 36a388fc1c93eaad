import type { ServerOptions } from 'node:https';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { askingWho, pathOf, serving } from '../support/certificates.ts';
import { startService } from '../support/service.ts';
import { later } from '../support/time.ts';
import { listenWith, type ScriptedServer, type Seen, sendJson } from '../support/upstream.ts';

const BSN = '123456782';
const TOKEN = 'token-of-our-own';
const SECRET = 'a secret with / and : in it';
const persoon = {
  burgerservicenummer: BSN,
  verblijfplaats: { type: 'Adres', verblijfadres: { korteStraatnaam: 'Lindelaan', huisnummer: 3 } },
  gemeenteVanInschrijving: { code: '0344', omschrijving: 'Utrecht' },
};
const right: ScriptedServer['answer'] = (_, response) =>
  sendJson(response, { type: 'RaadpleegMetBurgerservicenummer', personen: [persoon] });

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function listen(answer: ScriptedServer['answer'], tls?: ServerOptions): Promise<ScriptedServer> {
  const server = await listenWith(answer, tls);
  open.push(server);
  return server;
}

async function serviceWith(brp: ScriptedServer, env: Record<string, string>) {
  const service = await startService({ BRP_UPSTREAM: `${brp.url}/personen`, ...env });
  open.push(service);
  const address = () => service.get('/api/v1/brp/address', { as: BSN });
  return { service, address };
}

const US = { BRP_TLS_CERT: pathOf('client'), BRP_TLS_KEY: pathOf('client', 'key') };
const OURS = { BRP_TLS_CA: pathOf('ca') };

describe('an upstream with TLS', () => {
  it('is asked when it is who it should be, and knows who asks', async () => {
    const { address } = await serviceWith(await listen(right, { ...serving('server'), ...askingWho }), {
      ...US,
      ...OURS,
    });
    expect(await address()).toMatchObject({ status: 200, body: { gevonden: true } });
  });

  it.each<[string, ServerOptions, Record<string, string>]>([
    ['its certificate is of a CA that we do not trust', serving('stranger'), OURS],
    ['its CA is none of the usual ones, and none was named', serving('server'), {}],
    ['another CA was named', serving('server'), { BRP_TLS_CA: pathOf('other-ca') }],
    ['its certificate has expired', serving('expired'), OURS],
    ['its certificate is for another host', serving('elsewhere'), OURS],
    ['it wants to know who asks, and we do not say', { ...serving('server'), ...askingWho }, OURS],
    [
      'it does not trust who we say we are',
      { ...serving('server'), ...askingWho },
      { ...OURS, BRP_TLS_CERT: pathOf('client-stranger'), BRP_TLS_KEY: pathOf('client-stranger', 'key') },
    ],
    [
      'it speaks an old TLS only',
      { ...serving('server'), minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
      OURS,
    ],
  ])('is not asked when %s', async (_, tls, env) => {
    const brp = await listen(right, tls);
    const { address } = await serviceWith(brp, env);
    expect(await address()).toMatchObject({ status: 503, body: { code: 'bron-niet-beschikbaar', bron: 'brp' } });
    expect(brp.seen).toEqual([]);
  });

  it('is verified whatever the environment says', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const brp = await listen(right, serving('stranger'));
    const { address } = await serviceWith(brp, OURS);
    expect((await address()).status).toBe(503);
  });
});

const token = (response: Parameters<typeof sendJson>[0], members: object = {}) =>
  sendJson(response, { access_token: TOKEN, token_type: 'Bearer', expires_in: 300, ...members });

const oauth = (endpoint: ScriptedServer) => ({
  BRP_OAUTH_TOKEN_URL: `${endpoint.url}/token`,
  BRP_OAUTH_CLIENT_ID: 'bff',
  BRP_OAUTH_CLIENT_SECRET: SECRET,
  BRP_OAUTH_SCOPE: '000000099000000080000-00000001',
  BRP_OAUTH_PARAMETERS: 'resourceServer=ResourceServer01',
});

const formOf = ({ body }: Pick<Seen, 'body'>) => Object.fromEntries(new URLSearchParams(body));

describe('a token of our own organisation', () => {
  it('is asked for once by many, as the BRP wants it, and sent with every call', async () => {
    const endpoint = await listen((_, response) => token(response));
    const brp = await listen(right);
    const { address } = await serviceWith(brp, oauth(endpoint));
    const answers = await Promise.all(Array.from({ length: 20 }, address));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    await address();
    expect(endpoint.seen).toHaveLength(1);
    expect(endpoint.seen[0]).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(formOf(endpoint.seen[0] ?? { body: '' })).toEqual({
      grant_type: 'client_credentials',
      client_id: 'bff',
      client_secret: SECRET,
      scope: '000000099000000080000-00000001',
      resourceServer: 'ResourceServer01',
    });
    expect(brp.seen.every(({ headers }) => headers.authorization === `Bearer ${TOKEN}`)).toBe(true);
  });

  it('is asked for anew when it ends', async () => {
    const endpoint = await listen((_, response) => token(response, { access_token: `t${endpoint.seen.length}` }));
    const brp = await listen(right);
    const { address } = await serviceWith(brp, oauth(endpoint));
    await address();
    later(300);
    await address();
    expect(brp.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer t1', 'Bearer t2']);
  });

  it('does for as long as it is good, also when the next does not come', async () => {
    const endpoint = await listen((_, response) => token(response));
    const { address } = await serviceWith(await listen(right), oauth(endpoint));
    await address();
    endpoint.answer = () => undefined;
    later(280);
    expect((await address()).status).toBe(200);
    await vi.waitFor(() => expect(endpoint.seen).toHaveLength(2));
  });

  it('is asked for anew, once, when the upstream takes it no more', async () => {
    const endpoint = await listen((_, response) => token(response, { access_token: `t${endpoint.seen.length}` }));
    let good = 'Bearer t1';
    const brp = await listen((seen, response) =>
      seen.headers.authorization === good ? right(seen, response) : sendJson(response, {}, 401),
    );
    const { address } = await serviceWith(brp, oauth(endpoint));
    expect((await address()).status).toBe(200);
    later(2);
    good = 'Bearer t2';
    const answers = await Promise.all(Array.from({ length: 10 }, address));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(endpoint.seen).toHaveLength(2);
    good = 'nothing';
    expect(await address()).toMatchObject({ status: 503, body: { bron: 'brp' } });
  });

  it.each<[string, ScriptedServer['answer']]>([
    ['says 500', (_, response) => sendJson(response, {}, 500)],
    ['does not know us', (_, response) => sendJson(response, { error: 'invalid_client' }, 401)],
    ['cuts the connection', (_, response) => response.destroy()],
    ['answers with a page', (_, response) => response.end('<html>')],
    ['has no token', (_, response) => sendJson(response, { token_type: 'Bearer' })],
    ['has a token of another kind', (_, response) => token(response, { token_type: 'mac' })],
    ['has a token that no header can hold', (_, response) => token(response, { access_token: 'a\r\nb' })],
    ['sends us elsewhere', (_, response) => response.writeHead(307, { location: '/other' }).end()],
    ['does not answer', () => undefined],
  ])('is not to be had from an endpoint that %s: the upstream is not asked', async (_, answer) => {
    const endpoint = await listen(answer);
    const brp = await listen(right);
    const { service, address } = await serviceWith(brp, oauth(endpoint));
    expect(await address()).toMatchObject({ status: 503, body: { code: 'bron-niet-beschikbaar', bron: 'brp' } });
    expect((await address()).status).toBe(503);
    expect(endpoint.seen.length).toBe(1);
    expect(brp.seen).toEqual([]);
    endpoint.answer = (_seen, response) => token(response);
    await vi.waitFor(async () => expect((await address()).status).toBe(200), { timeout: 3_000, interval: 200 });
    const log = JSON.stringify(service.log);
    expect(log).not.toContain(SECRET);
    expect(log).not.toContain(TOKEN);
  });

  it('may be asked for with id and secret in Authorization', async () => {
    const endpoint = await listen((_, response) => token(response));
    const { address } = await serviceWith(await listen(right), { ...oauth(endpoint), BRP_OAUTH_CLIENT_AUTH: 'basic' });
    expect((await address()).status).toBe(200);
    const [seen] = endpoint.seen;
    const pair = Buffer.from(String(seen?.headers.authorization).replace('Basic ', ''), 'base64').toString();
    expect(pair).toBe('bff:a+secret+with+%2F+and+%3A+in+it');
    expect(seen?.body).not.toContain('secret');
  });

  it('may be asked for with a certificate instead of a secret', async () => {
    const endpoint = await listen((_, response) => token(response), { ...serving('server'), ...askingWho });
    const brp = await listen(right, serving('server'));
    const { BRP_OAUTH_CLIENT_SECRET: _, ...rest } = oauth(endpoint);
    const { address } = await serviceWith(brp, { ...rest, ...US, ...OURS });
    expect((await address()).status).toBe(200);
    expect(formOf(endpoint.seen[0] ?? { body: '' })).not.toHaveProperty('client_secret');
  });
});
