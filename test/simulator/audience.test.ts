import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { controlOf } from '../support/control.ts';
import { startService, useService } from '../support/service.ts';

const OPEN = { HOST: '0.0.0.0', ALLOW_STAND_IN: 'yes' };
/** A name of the network. The requests of the tests come from this machine, and have this name as `Host`. */
const NAME = 'zaal.example';

const service = await useService({ ...OPEN, ALLOWED_HOSTS: `${NAME},localhost,127.0.0.1` });

const open = await useService(OPEN);

const onlyLocalhost = await useService({ ...OPEN, ALLOWED_HOSTS: 'localhost' });
const local = { ...onlyLocalhost, url: onlyLocalhost.url.replace('127.0.0.1', 'localhost') };

const onNetwork = (headers: Record<string, string> = {}) => ({ headers: { host: NAME, ...headers } });

describe('a service on the network', () => {
  it.each([
    ['GET', '/_simulator/mijn/', 200],
    ['GET', '/_simulator/mijn/main.js', 200],
    ['GET', '/_simulator/assets/theme.css', 200],
    ['GET', '/_simulator/assets/styles/visually-hidden.css', 200],
    ['GET', '/_simulator/worlds/zaal/personas', 200],
    ['GET', '/_simulator/worlds/zaal/post/sanne-de-wit', 200],
    ['GET', '/_simulator/', 403],
    ['GET', '/_simulator/assets/main.js', 403],
    ['GET', '/_simulator/worlds', 403],
    ['GET', '/_simulator/worlds/zaal/journal', 403],
    ['GET', '/_simulator/worlds/zaal/audience/sanne-de-wit', 403],
    ['POST', '/_simulator/worlds/zaal/reset', 403],
    ['POST', '/_simulator/worlds/zaal/personas', 403],
    ['DELETE', '/_simulator/worlds/zaal', 403],
  ] as const)('answers %s %s of another device with %i', async (method, path, status) => {
    expect((await service.call(method, path, onNetwork())).status).toBe(status);
  });

  it.each([
    [{ origin: `http://${NAME}` }, 200],
    [{ origin: 'http://elders.example' }, 403],
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }, 403],
    [{ 'x-forwarded-for': '203.0.113.9' }, 403],
  ])('answers another device with the headers %j with %i', async (headers, status) => {
    const path = '/_simulator/worlds/zaal/personas';
    expect((await service.call('GET', path, onNetwork(headers as Record<string, string>))).status).toBe(status);
  });

  it('returns a link for each name in ALLOWED_HOSTS that is not a local name', async () => {
    const { body } = await controlOf(service).call('GET', '/worlds/zaal/audience/noor-bakker?screen=aanvragen');
    const { port } = new URL(service.url);
    const link = `http://${NAME}:${port}/_simulator/mijn/?als=noor-bakker&wereld=zaal&balk=nee#/aanvragen`;
    expect(body).toEqual({
      links: [link],
      codes: [{ size: expect.any(Number), path: expect.stringMatching(/^M4 4h1v1h-1z/) }],
      reason: null,
    });
  });

  it('returns links with its network addresses when ALLOWED_HOSTS has no other name', async () => {
    const { body } = await controlOf(open).call('GET', '/worlds/zaal/audience/noor-bakker');
    const addresses = Object.values(networkInterfaces())
      .flat()
      .filter((one) => one !== undefined && one.family === 'IPv4' && !one.internal);
    expect(body.links.map((link: string) => new URL(link).hostname)).toEqual(addresses.map((one) => one?.address));
    expect(body.reason === null).toBe(addresses.length > 0);
  });
});

describe('a service on the network without ALLOWED_HOSTS', () => {
  it.each([
    ['evil.example', 421],
    ['10.0.0.1.evil.example', 421],
    ['laptop', 200],
    ['Laptop.local', 200],
    ['192.0.2.7', 200],
    ['[2001:db8::7]', 200],
    ['localhost', 200],
  ])('answers a request for the host %s with %i, because every caller can be any person', async (host, status) => {
    expect((await open.get('/_simulator/mijn/', { headers: { host } })).status).toBe(status);
  });
});

describe('a service on the network with only localhost in ALLOWED_HOSTS', () => {
  it('returns no link, and names the setting to change', async () => {
    const { body } = await controlOf(local).call('GET', '/worlds/zaal/audience/noor-bakker');
    expect(body).toEqual({
      links: [],
      codes: [],
      reason: expect.stringContaining('In ALLOWED_HOSTS staan alleen namen'),
    });
  });

  it('plays a step that changes the letter, and gives curl commands that it answers', async () => {
    const step = { title: 'Voorleggen', brief: 'submitted', persona: 'drafter-dana', path: '/api/v1/brief' };
    const { status, body } = await controlOf(local).call('POST', '/worlds/zaal/step', step);
    expect(status).toBe(200);
    expect(body.curl).toContain(`'${local.url}/api/v1/brief'`);
  });
});

describe('a service on this machine only', () => {
  it('returns no link but says how to get one, and answers requests for other host names with an error', async () => {
    const own = await startService();
    try {
      const { body } = await controlOf(own).call('GET', '/worlds/zaal/audience/noor-bakker');
      expect(body).toEqual({
        links: [],
        codes: [],
        reason: expect.stringContaining('HOST=0.0.0.0 en ALLOW_STAND_IN=yes'),
      });
      expect((await own.get('/_simulator/mijn/', onNetwork())).status).toBe(421);
    } finally {
      await own.close();
    }
  });
});
