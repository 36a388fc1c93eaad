import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, vi } from 'vitest';
import { development } from '../../simulator/host/index.ts';
import { run } from '../../src/main.ts';
import { explain } from '../../src/startup/start-error.ts';
import { WAIT_MS } from './time.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface StartProcess {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** Returns what was written to standard output so far. (`output` also returns standard error.) */
  readonly stdout: () => string;
  /** Returns what was written to standard error so far. */
  readonly stderr: () => string;
  readonly exit: Promise<number | null>;
}

/**
 * Starts `start.js` in a new process, with only `PATH`, `TMPDIR` and these environment variables. The caller must end
 * the process. Another `script` can exchange messages with the caller.
 */
export function spawnStart(
  env: Record<string, string> = {},
  args: string[] = [],
  nodeArgs: string[] = [],
  cwd = root,
  script = 'start.js',
): StartProcess {
  const child = spawn(process.execPath, [...nodeArgs, script, ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? '', TMPDIR: tmpdir(), ...env },
    stdio: ['pipe', 'pipe', 'pipe', ...(script === 'start.js' ? [] : ['ipc' as const])],
  });
  let text = '';
  let printed = '';
  let errors = '';
  child.stdout?.on('data', (chunk) => {
    printed += chunk;
    text += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    errors += chunk;
    text += chunk;
  });
  return {
    child,
    output: () => text,
    stdout: () => printed,
    stderr: () => errors,
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

/** Waits until the process has printed this text. Fails with what it printed when it ends before, or does not. */
export async function until({ exit, output }: Pick<StartProcess, 'exit' | 'output'>, pattern: RegExp): Promise<void> {
  let hasEnded = false;
  void exit.then(() => {
    hasEnded = true;
  });
  const isOver = () => hasEnded || pattern.test(output());
  await vi.waitUntil(isOver, { timeout: WAIT_MS }).catch(() => undefined);
  expect(output()).toMatch(pattern);
}

/**
 * Runs the command line in this process, which costs a tenth of a process, and resolves with what a process would give.
 * Only for a command that ends, and prints nothing itself when it succeeds.
 */
export async function runStart(env: Record<string, string>, words: readonly string[] = []) {
  let output = '';
  const print = {
    write(text: string) {
      output += text;
    },
  };
  const variables = { LOG_LEVEL: 'silent', ...env };
  const code = await run(words, { env: variables, stdout: print, stderr: print }, async () => development).catch(
    (error) => {
      print.write(`${explain(error)}\n`);
      return 1;
    },
  );
  return { code: code ?? 0, output };
}

/** Returns the arguments of Node with which it says that it is of this version. */
export const olderNode = (version: string): string[] => [
  '--import',
  `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${version}'})`,
];
