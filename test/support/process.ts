import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Makes a process measure no delay of its event loop. A busy machine delays every process, and the service would refuse
 * requests; `limits.test.ts` tests that.
 */
const WITHOUT_DELAY = `data:text/javascript,${encodeURIComponent(`
  import { createHistogram } from 'node:perf_hooks';
  import { syncBuiltinESMExports } from 'node:module';
  const none = Object.assign(createHistogram(), { enable() {}, disable() {} });
  process.getBuiltinModule('node:perf_hooks').monitorEventLoopDelay = () => none;
  syncBuiltinESMExports();`)}`;

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
 * the process.
 */
export function spawnStart(
  env: Record<string, string> = {},
  args: string[] = [],
  nodeArgs: string[] = [],
  cwd = root,
): StartProcess {
  const child = spawn(process.execPath, ['--import', WITHOUT_DELAY, ...nodeArgs, 'start.js', ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? '', TMPDIR: tmpdir(), ...env },
  });
  let text = '';
  let printed = '';
  let errors = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
    text += chunk;
  });
  child.stderr.on('data', (chunk) => {
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

/** Returns the arguments of Node with which it says that it is of this version. */
export const olderNode = (version: string): string[] => [
  '--import',
  `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${version}'})`,
];
