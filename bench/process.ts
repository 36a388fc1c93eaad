/** Runs each part of a benchmark in its own process, so that they do not share an event loop. */
import { spawn } from 'node:child_process';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts a part of a benchmark as a child process. Its URL is the first line that it prints. */
export function inProcess(args: string[], env: Record<string, string> = {}): Promise<{ url: string; stop(): void }> {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve) => {
    child.stdout.on('data', (chunk) => {
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(String(chunk)) ?? [];
      if (url) resolve({ url, stop: () => child.kill() });
    });
  });
}

export const say = (line: string) => process.stdout.write(`${line}\n`);
