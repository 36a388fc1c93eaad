import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface StartProcess {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** Returns what was written to standard output so far. (`output` also returns standard error.) */
  readonly stdout: () => string;
  readonly exit: Promise<number | null>;
}

/**
 * Starts `start.js` in a new process, with only `PATH`, `TMPDIR` and these environment variables. The caller must end
 * the process.
 */
export function spawnStart(
  env: Record<string, string> = {},
  args: string[] = [],
  nodeArgs: string[] = [],
  cwd = root,
): StartProcess {
  const child = spawn(process.execPath, [...nodeArgs, 'start.js', ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? '', TMPDIR: tmpdir(), ...env },
  });
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
    stdout: () => printed,
    exit: new Promise((resolve) => child.on('exit', resolve)),
  };
}

/** Starts `start.js` in a new process, as `spawnStart` does, and kills it after the test. */
export function spawnStartForTest(...given: Parameters<typeof spawnStart>): StartProcess {
  const started = spawnStart(...given);
  // Not a hook of this file: files of one worker share this module, and a hook would be of the first file only.
  onTestFinished(() => void started.child.kill('SIGKILL'));
  return started;
}

/** Returns the arguments of Node with which it says that it is of this version. */
export const olderNode = (version: string): string[] => [
  '--import',
  `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${version}'})`,
];
