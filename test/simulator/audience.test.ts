import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { controlOf } from '../support/control.ts';
import { keep, startService, useService } from '../support/service.ts';

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
    ['GET', '/_simulator/mijn/styles.css', 200],
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
      canOpen: false,
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

it.each([
  ['evil.example', 421],
  ['10.0.0.1.evil.example', 421],
  ['laptop', 200],
  ['Laptop.local', 200],
  ['192.0.2.7', 200],
  ['[2001:db8::7]', 200],
  ['localhost', 200],
])(
  'a service on the network without ALLOWED_HOSTS answers a request for the host %s with %i, because every caller can be any person',
  async (host, status) => {
    expect((await open.get('/_simulator/mijn/', { headers: { host } })).status).toBe(status);
  },
);

describe('a service on the network with only localhost in ALLOWED_HOSTS', () => {
  it('returns no link, and names the setting to change', async () => {
    const { body } = await controlOf(local).call('GET', '/worlds/zaal/audience/noor-bakker');
    expect(body).toEqual({
      links: [],
      codes: [],
      reason: expect.stringContaining('In ALLOWED_HOSTS staan alleen namen'),
      canOpen: false,
    });
  });

  it('plays a step that changes the letter, and gives curl commands that it answers', async () => {
    const step = { title: 'Voorleggen', brief: 'submitted', persona: 'drafter-dana', path: '/api/v1/brief' };
    const { status, body } = await controlOf(local).call('POST', '/worlds/zaal/step', step);
    expect(status).toBe(200);
    expect(body.curl).toContain(`'${local.url}/api/v1/brief'`);
  });
});

it('a service on this machine only returns no link, and answers requests for other host names with an error', async () => {
  const own = keep(await startService());
  const { body } = await controlOf(own).call('GET', '/worlds/zaal/audience/noor-bakker');
  expect(body).toEqual({
    links: [],
    codes: [],
    reason: expect.stringContaining('luistert alleen op deze machine'),
    canOpen: true,
  });
  expect((await own.get('/_simulator/mijn/', onNetwork())).status).toBe(421);
});

const ownAddresses = Object.values(networkInterfaces())
  .flat()
  .flatMap((one) => (one?.family === 'IPv4' && !one.internal ? [one.address] : []));

describe.skipIf(ownAddresses.length === 0)('a world that is opened to an audience', async () => {
  const own = await useService();
  const control = controlOf(own);
  async function open(world: string): Promise<string> {
    expect((await control.call('POST', `/worlds/${world}/audience`, {})).status).toBe(204);
    const { body } = await control.call('GET', `/worlds/${world}/audience/noor-bakker`);
    expect([body.reason, body.canOpen, body.links.length]).toEqual([null, false, ownAddresses.length]);
    return new URL(body.links[0]).origin;
  }
  /** Sends a request to the listener; `Host` is its own unless another is given. */
  function ask(base: string, path: string, { method = 'GET', headers = {} }: Asked = {}): Promise<number> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = new URL(base);
      const sent = request({ hostname, port, path, method, headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      });
      sent.on('error', reject);
      sent.end();
    });
  }
  interface Asked {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
  }
  const AS_NOOR = { Authorization: 'Bearer dev', 'X-Subject': 'noor-bakker@zaal' };

  it('answers what an audience reads in that world, and nothing else', async () => {
    const base = await open('zaal');
    const asked: [string, Asked, number][] = [
      ['/_simulator/mijn/?als=noor-bakker&wereld=zaal', {}, 200],
      ['/_simulator/mijn/main.js', {}, 200],
      ['/_simulator/mijn/main.js', { method: 'HEAD' }, 200],
      ['/_simulator/assets/theme.css', {}, 200],
      ['/_simulator/worlds/zaal/personas', {}, 200],
      ['/_simulator/worlds/zaal/post/noor-bakker', {}, 200],
      ['/api/v1/dashboard-view', { headers: AS_NOOR }, 200],
      // Another world, nobody, or two persons of whom one is elsewhere.
      ['/_simulator/worlds/default/personas', {}, 403],
      ['/_simulator/worlds/zaal%2Fx/personas', {}, 403],
      ['/api/v1/dashboard-view', { headers: { ...AS_NOOR, 'X-Subject': 'noor-bakker' } }, 403],
      ['/api/v1/dashboard-view', { headers: { ...AS_NOOR, 'X-Subject': 'noor-bakker@podium' } }, 403],
      ['/api/v1/dashboard-view', {}, 403],
      ['/api/v1/brief', { headers: { ...AS_NOOR, 'X-Medewerker': 'teamlead-tom' } }, 403],
      // What controls or changes.
      ['/_simulator/', {}, 403],
      ['/_simulator/worlds', {}, 403],
      ['/_simulator/worlds/zaal', {}, 403],
      ['/_simulator/worlds/zaal', { method: 'DELETE' }, 403],
      ['/_simulator/worlds/zaal/audience/noor-bakker', {}, 403],
      ['/_simulator/worlds/zaal/reset', { method: 'POST' }, 403],
      ['/_simulator/mcp', { method: 'POST' }, 403],
      ['/_simulator/mijn/../worlds', {}, 403],
      ['/_simulator/mijn/%2e%2e/worlds', {}, 403],
      ['/api/v1/../../_simulator/worlds', { headers: AS_NOOR }, 403],
      ['/api/v1/applications', { method: 'POST', headers: AS_NOOR }, 403],
      ['/docs', {}, 403],
      ['/health/ready', {}, 403],
      ['//evil.example/', {}, 403],
      ['/_simulator/mijn/', { headers: { 'X-Forwarded-For': '203.0.113.9' } }, 403],
      // DNS rebinding, and a page of another site.
      ['/_simulator/mijn/', { headers: { Host: 'evil.example' } }, 403],
      ['/_simulator/mijn/', { headers: { Host: 'localhost' } }, 403],
      ['/_simulator/worlds/zaal/personas', { headers: { Origin: 'http://evil.example' } }, 403],
      ['/_simulator/worlds/zaal/personas', { headers: { 'Sec-Fetch-Site': 'cross-site' } }, 403],
      ['/_simulator/worlds/zaal/personas', { headers: { Origin: base } }, 200],
    ];
    const found = await Promise.all(asked.map(async ([path, how]) => [path, how, await ask(base, path, how)]));
    expect(found).toEqual(asked);
  });

  it('is closed when the presenter says so, and when the world is deleted', async () => {
    const ends = [
      (world: string) => control.call('DELETE', `/worlds/${world}/audience`),
      (world: string) => control.call('DELETE', `/worlds/${world}`),
    ];
    for (const [index, end] of ends.entries()) {
      const world = `dicht-${index}`;
      const base = await open(world);
      expect(await ask(base, '/_simulator/mijn/')).toBe(200);
      expect((await end(world)).status).toBe(204);
      await expect(ask(base, '/_simulator/mijn/')).rejects.toThrow('ECONNREFUSED');
      const { body } = await control.call('GET', `/worlds/${world}/audience/noor-bakker`);
      expect([body.links, body.canOpen]).toEqual([[], true]);
    }
  });

  it('is opened by this machine only, and needs no restart of a service on the network', async () => {
    const path = '/_simulator/worlds/zaal/audience';
    expect((await service.call('POST', path, onNetwork())).status).toBe(403);
    const { status, body } = await controlOf(service).call('POST', '/worlds/zaal/audience', {});
    expect([status, body.code]).toEqual([409, 'meekijken-kan-niet']);
  });
});
