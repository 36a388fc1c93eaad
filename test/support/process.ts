import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

export interface Started {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** Returns what was written to standard output so far. `output` also has what was written to standard error. */
  readonly printed: () => string;
  readonly exit: Promise<number | null>;
}

/**
 * Starts `start.js` in a new process, in the folder `cwd`, with these environment variables and no others but `PATH`.
 * The process is killed after the test.
 */
export function run(
  env: Record<string, string> = {},
  args: string[] = [],
  nodeArgs: string[] = [],
  cwd = root,
): Started {
  const child = spawn(process.execPath, [...nodeArgs, 'start.js', ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? '', ...env },
  });
  running.push(child);
  let text = '';
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
    text += chunk;
  });
  child.stderr.on('data', (chunk) => {
    text += chunk;
  });
  return {
    child,
    output: () => text,
    printed: () => printed,
    exit: new Promise((resolve) => child.on('exit', resolve)),
  };
}
