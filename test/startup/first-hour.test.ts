import { writeFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../client/index.ts';
import { olderNode, runStart, spawnStartForTest, until } from '../support/process.ts';
import { temporaryFolder } from '../support/run-folder.ts';
import { useService } from '../support/service.ts';
import { listen } from '../support/upstreams/scripted-server.ts';
import { MISTAKES, type Mistake } from './first-hour.ts';

const service = await useService();

describe('a common mistake of a new developer', () => {
  it.each(MISTAKES)('gets a message with the solution, without a stack trace: $mistake', async (mistake) => {
    const message = await made(mistake);
    expect(message).toContain(mistake.message);
    expect(message).not.toMatch(/^ +at /m);
  });

  it('is not a call to localhost: it gets 200', async () => {
    const { port } = new URL(service.url);
    expect((await fetch(`http://localhost:${port}/health`)).status).toBe(200);
    expect(await rejected(`http://[::1]:${port}`)).toMatch(/^Nothing answers at http:\/\/\[::1\]/);
  });
});

/** Makes a mistake, and returns the message that the developer gets. */
function made(mistake: Mistake): Promise<string> {
  if ('call' in mistake) return called(mistake.call);
  if ('start' in mistake) return started(mistake.start);
  return OTHERS[mistake.other]();
}

/** Sends a request with `node:http`, which does not change the `Host` header. */
function called({
  path = '/api/v1/dashboard-view',
  method = 'GET',
  headers = {},
  body,
}: Extract<Mistake, { call: unknown }>['call']): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(service.url + path, { method, headers }, async (response) => {
      const chunks = await response.toArray();
      const answer = JSON.parse(Buffer.concat(chunks).toString());
      if ((response.statusCode ?? 0) < 400) reject(new Error(`${path} was answered with ${response.statusCode}`));
      else resolve(answer.detail);
    });
    request.once('error', reject).end(body);
  });
}

async function started({ env = {}, args = [], node }: Extract<Mistake, { start: unknown }>['start']): Promise<string> {
  const variables = { PORT: '0', DATA_DIR: ':memory:', ...env };
  if (node === undefined && args[0] !== 'sim') {
    const { code, output } = await runStart(variables, args);
    expect(code).toBe(1);
    return output;
  }
  const { exit, output } = spawnStartForTest(variables, [...args], node === undefined ? [] : olderNode(node));
  expect(await exit).toBe(1);
  return output();
}

const logged = async (msg: string) => {
  await expect.poll(() => service.log.map((line) => line.msg)).toContain(msg);
  return msg;
};

const rejected = (baseUrl: string): Promise<string> =>
  createClient({ baseUrl, persona: 'sanne-de-wit' })
    .GET('/dashboard-view')
    .then(
      () => 'nothing was wrong',
      (error: Error) => error.message,
    );

const OTHERS: Readonly<Record<Extract<Mistake, { other: unknown }>['other'], () => Promise<string>>> = {
  'nobody-there': () => rejected('http://127.0.0.1:1'),

  'no-scheme': () => rejected('localhost:3000'),

  'no-page': () => rejected(''),

  async proxy() {
    const vite = createServer((_, response) => response.writeHead(502, { 'Content-Type': 'text/plain' }).end());
    const baseUrl = await listen(vite);
    const { problem } = await createClient({ baseUrl, persona: 'sanne-de-wit' }).GET('/dashboard-view');
    vite.close();
    return problem?.detail ?? 'nothing was wrong';
  },

  async frontend() {
    const page = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<!doctype html>'));
    const message = await rejected(await listen(page));
    page.close();
    return message;
  },

  async simulator() {
    const simulators = spawnStartForTest({ SIMULATORS_PORT: '0', DATA_DIR: ':memory:' }, ['simulators']);
    await until(simulators, /REGISTER_UPSTREAM=\S+/);
    const [, url = ''] = /REGISTER_UPSTREAM=(\S+)/.exec(simulators.output()) ?? [];
    return (await fetch(`${new URL(url).origin}/api/v1/dashboard-view`)).text();
  },

  async https() {
    const { hostname: host, port } = new URL(service.url);
    await new Promise((resolve) => connect({ host, port: Number(port) }).once('error', resolve));
    return logged('this port speaks http, and was called with https; write http:// in the address');
  },

  async origin() {
    const { headers } = await service.get('/health', { headers: { origin: 'http://laptop.local:5173' } });
    expect(headers['access-control-allow-origin']).toBeUndefined();
    return logged('a call from another origin was refused; put that origin in CORS_ORIGINS to allow it');
  },

  async 'port-taken'() {
    const taken = createNetServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const text = await started({ env: { PORT: String((taken.address() as AddressInfo).port) } });
    taken.close();
    return text;
  },

  async 'no-folder'() {
    const folder = temporaryFolder('first-hour');
    writeFileSync(join(folder, 'file'), '');
    const text = await started({ env: { DATA_DIR: join(folder, 'file', 'data') } });
    return text;
  },
};
