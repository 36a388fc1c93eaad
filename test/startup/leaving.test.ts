import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Pool } from 'undici';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { spawnStart, until } from '../support/process.ts';
import { keep } from '../support/service.ts';
import { REGISTRATIE } from '../support/upstreams/register.ts';
import { type ScriptedServer, sendJson, startScriptedServer } from '../support/upstreams/scripted-server.ts';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** Starts the service in a new process with this register. */
async function instance(register: ScriptedServer, logLevel = 'silent') {
  const env = { PORT: '0', MANAGEMENT_PORT: '0', DATA_DIR: ':memory:', LOG_LEVEL: logLevel };
  const started = spawnStart({ ...env, REGISTER_UPSTREAM: register.url });
  const { child, exit, stdout, stderr } = started;
  children.push(child);
  await until(started, /Try:/);
  const urlOf = (name: string) => new RegExp(`${name} +(http://[\\d.:]+)`).exec(stdout())?.[1] ?? '';
  return { child, exit, url: urlOf('listening'), management: urlOf('metrics'), errors: stderr };
}

const slowly = async (ms: number): Promise<ScriptedServer> => {
  const answer = async (_: unknown, response: ServerResponse) => {
    await setTimeout(ms);
    sendJson(response, [REGISTRATIE]);
  };
  return keep(await startScriptedServer(answer));
};

/** Milliseconds after SIGTERM in which the process certainly still accepts requests. */
const OPEN = 1_200;

/** Waits until the process says that it is not ready, which is after its first signal. */
const isLeaving = (management: string) =>
  expect.poll(() => fetch(`${management}/health/ready`).then(({ status }) => status), { interval: 20 }).toBe(503);

const AS = { authorization: 'Bearer x', 'x-subject': 'sanne-de-wit' };

describe('a process that gets SIGTERM', () => {
  it('answers /health/ready with 503, completes every accepted request with 200, and exits with code 0', async () => {
    const { child, exit, url, management } = await instance(await slowly(300));
    // As many as needed: a request that waits in the client could begin only after the service stopped listening.
    const pool = new Pool(url, { connections: 1_024 });
    onTestFinished(() => pool.destroy());
    const outcomes: (number | string)[] = [];
    let leaving = Number.POSITIVE_INFINITY;
    let asked = 0;
    const ask = async (): Promise<void> => {
      // On a slow machine more of them would wait than the register and the service have time and room for.
      if (asked - outcomes.length >= 16) return;
      const isLate = performance.now() > leaving + OPEN;
      asked += 1;
      // Of many people, because one has a maximum of requests in progress.
      const headers = { ...AS, 'x-subject': `burger-${1 + (asked % 50)}` };
      const told = await pool.request({ method: 'GET', path: '/api/v1/intake/policy', headers }).then(
        async ({ statusCode, body }) => {
          await body.dump();
          return statusCode;
        },
        (error: { code?: string }) => error.code ?? 'failed',
      );
      // A connection that was refused or reset when the listener closed was never accepted: the kernel resets its queue.
      if (!(isLate && (told === 'ECONNREFUSED' || told === 'ECONNRESET'))) outcomes.push(told);
    };
    const asks: Promise<void>[] = [];
    const asking = setInterval(() => asks.push(ask()), 10);
    await expect.poll(() => outcomes.length).toBeGreaterThan(50);
    leaving = performance.now();
    child.kill('SIGTERM');
    await isLeaving(management);
    // A load balancer sees it on the public port as well, while requests are still accepted.
    const statusOf = (path: string) =>
      fetch(url + path, { headers: AS }).then(
        ({ status }) => status,
        (error) => {
          if (performance.now() <= leaving + OPEN) throw error;
          return 'late';
        },
      );
    expect([503, 'late']).toContain(await statusOf('/health/ready'));
    expect([200, 'late']).toContain(await statusOf('/api/v1/intake/policy'));
    // The process itself exits with code 1 when something is still open just before ten seconds.
    expect(await exit).toBe(0);
    clearInterval(asking);
    await Promise.all(asks);
    expect(outcomes.filter((one) => one !== 200)).toEqual([]);
  });

  it('exits with code 0 when nothing reads its log, and reports the lost lines on stderr', async () => {
    const { child, exit, url, errors } = await instance(await slowly(1), 'info');
    child.stdout?.pause();
    const pool = new Pool(url, { connections: 16 });
    onTestFinished(() => pool.destroy());
    const ask = () => pool.request({ method: 'GET', path: '/api/v1/nothing' }).then(({ body }) => body.dump());
    for (let round = 0; round < 20; round += 1) await Promise.all(Array.from({ length: 100 }, ask));
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
    expect(errors()).toContain('The last log lines are lost');
  });

  it('exits with code 1 after a second SIGTERM, and closes open requests', async () => {
    const register = await slowly(5_000);
    const { child, exit, url, management } = await instance(register);
    const asked = fetch(`${url}/api/v1/dashboard-view`, { headers: AS }).catch(() => 'cut');
    await expect.poll(() => register.received.length).toBe(1);
    child.kill('SIGTERM');
    await isLeaving(management);
    child.kill('SIGTERM');
    expect(await exit).toBe(1);
    expect(await asked).toBe('cut');
  });
});

it('five hundred connections with incomplete requests do not keep other requests from a 200', async () => {
  const { url } = await instance(await slowly(1));
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = Array.from({ length: 500 }, (_, n) => {
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    const head =
      'POST /api/v1/intakes HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x\r\nX-Subject: sanne-de-wit\r\n';
    socket.write(n % 2 ? head : `${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`);
    return socket;
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const statuses: number[] = [];
  for (let n = 0; n < 10; n += 1) {
    const answer = await fetch(`${url}/api/v1/intake/policy`, { headers: AS });
    statuses.push(answer.status);
    await answer.arrayBuffer();
  }
  expect(statuses).toEqual(Array(10).fill(200));
});
