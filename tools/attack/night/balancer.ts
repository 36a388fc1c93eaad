/** Starts instances of the built artefact, and divides requests among them as a load balancer does. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'undici';
import type { Action } from './citizens.ts';

/** Milliseconds between two checks of `/health/ready` of an instance. */
const PROBE_INTERVAL = 500;

export interface Instance {
  readonly url: string;
  readonly management: string;
  readonly child: ChildProcess;
  ready: boolean;
}

/**
 * Starts an instance of the artefact in the folder `dist`, and resolves when it listens. Rejects when it ends before
 * that.
 */
export async function startInstance(dist: string, env: Record<string, string>): Promise<Instance> {
  const child = spawn(process.execPath, ['start.js'], {
    cwd: dist,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  let text = '';
  const found = (pattern: RegExp) => pattern.exec(text)?.[1];
  child.stderr.on('data', () => undefined);
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`the instance did not start:\n${text.slice(0, 2_000)}`)));
    child.stdout.on('data', (chunk) => {
      if (text.length < 100_000) text += chunk;
      const url = found(/"listening":"(http\S+?)"/);
      const management = found(/"metrics":"(http\S+?)\/metrics"/);
      if (url && management) resolve({ url, management, child, ready: true });
    });
  });
}

/** Returns the peak resident memory of a process in MiB; 0 when it has ended, and on systems without /proc. */
export function mostMemory(pid: number | undefined): number {
  try {
    const [, kib = 0] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Math.round(Number(kib) / 1_024);
  } catch {
    return 0;
  }
}

export type Send = (
  action: Pick<Action, 'method' | 'path' | 'json'>,
  token: string,
) => Promise<{ status: number; text: string }>;

/**
 * Returns a load balancer. `send` sends a request to an instance that is ready, and tries another one when it cannot
 * connect; it answers status 503 when no instance is ready, and 0 when there was no answer. `look` checks at once which
 * instances are ready.
 */
export function balance(instances: readonly Instance[]) {
  const agent = new Agent({ connections: 64, headersTimeout: 30_000 });
  let turn = 0;
  const look = () =>
    Promise.all(
      instances.map(async (one) => {
        one.ready = await request(`${one.management}/health/ready`, { dispatcher: agent, headersTimeout: 1_000 }).then(
          async ({ statusCode, body }) => {
            await body.dump();
            return statusCode === 200;
          },
          () => false,
        );
      }),
    );
  const timer = setInterval(look, PROBE_INTERVAL);
  const send: Send = async ({ method, path, json }, token) => {
    for (let attempt = 1; ; attempt += 1) {
      const ready = instances.filter((one) => one.ready);
      turn += 1;
      const one = ready[turn % Math.max(1, ready.length)];
      if (one === undefined) return { status: 503, text: '' };
      try {
        const answer = await request(`${one.url}/api/v1${path}`, {
          method,
          dispatcher: agent,
          headers: { authorization: `Bearer ${token}`, ...(json && { 'content-type': 'application/json' }) },
          ...(json && { body: JSON.stringify(json()) }),
        });
        return { status: answer.statusCode, text: await answer.body.text() };
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException;
        // Repeats a request as load balancers do: when nothing was sent, or when the connection was closed and it is not a POST.
        const mayRepeat = code === 'ECONNREFUSED' || (method !== 'POST' && /^(UND_ERR_SOCKET|ECONNRESET)$/.test(code));
        if (code === 'ECONNREFUSED') one.ready = false;
        if (!mayRepeat || attempt === 3) return { status: 0, text: code };
      }
    }
  };
  return { send, look, stop: () => clearInterval(timer) };
}
