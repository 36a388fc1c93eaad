/** Starts the service in its own process, which an attack may kill. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import type { CallOptions, Reply } from '../../test/support/service.ts';

export interface ServiceProcess {
  readonly url: string;
  readonly pid: number;
  /** Returns what the process has written to standard output so far. */
  printed(): string;
  /** Sends one request, and returns its answer. Rejects when the connection breaks. */
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  /** Ends the process with SIGKILL, and resolves when it has ended. */
  kill(): Promise<void>;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Starts the service on a free port of loopback, as `npm start` does, with its date frozen at 2026-06-01 and without a
 * rate limit, and resolves when it answers. Rejects when the process ends before that.
 */
export async function startServiceProcess(env: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  const child = spawn(process.execPath, ['start.js'], {
    cwd: root,
    env: {
      PATH: process.env.PATH ?? '',
      PORT: '0',
      LOG_LEVEL: 'silent',
      PROCESSING_LOG: 'nowhere',
      SIMULATOR_TODAY: '2026-06-01',
      RATE_LIMIT_PER_MINUTE: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = () => child.kill('SIGKILL');
  process.once('exit', stop);
  let text = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`the service did not start:\n${text}`)));
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? [];
      if (found && text.includes('Try:')) resolve(found);
    });
  });
  return {
    url,
    pid: child.pid ?? 0,
    printed: () => text,
    async call(method, path, { as, headers = {}, json, body } = {}) {
      const answer = await request(url + path, {
        method: method as 'GET',
        headers: {
          ...(as !== undefined && { authorization: 'Bearer x', 'x-subject': as }),
          ...(json !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: json === undefined ? (body ?? null) : JSON.stringify(json),
      });
      const bytes = Buffer.from(await answer.body.arrayBuffer());
      const isJson = String(answer.headers['content-type']).includes('json') && bytes.length > 0;
      return {
        status: answer.statusCode,
        headers: answer.headers,
        body: isJson ? JSON.parse(bytes.toString()) : bytes.toString('latin1'),
      };
    },
    kill() {
      process.off('exit', stop);
      stop();
      return gone;
    },
  };
}
