/** Runs the programs of a benchmark in their own processes on fixed CPU cores, and reads their CPU time and memory. */
import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { availableParallelism } from 'node:os';
import { setTimeout } from 'node:timers/promises';

/** A process of the benchmark, such as the service or an upstream. */
export interface BenchProcess {
  readonly url: string;
  /** What the process had printed when its address was known. */
  readonly printed: string;
  /**
   * Returns the CPU time in milliseconds of all threads, or of the main thread; null when it cannot be read, as on a
   * system other than Linux.
   */
  cpu(of?: 'all' | 'main'): number | null;
  /** Returns the resident memory in MB; null when it cannot be read. */
  memory(): number | null;
  stop(): Promise<void>;
}

const cores = availableParallelism();

/** The cores for the measured process and for all remaining processes; null when processes cannot be bound to cores. */
const PINS = cores > 1 && hasTaskset() ? { measured: '0', rest: cores === 2 ? '1' : `1-${cores - 1}` } : null;

function hasTaskset(): boolean {
  try {
    execFileSync('taskset', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Text for the report that says on which cores the processes ran. */
export const PINNED = PINS === null ? 'not pinned' : `measured on core ${PINS.measured}, load on ${PINS.rest}`;

/**
 * Moves this process, which makes the load, away from the core of the measured process. Does nothing when processes
 * cannot be bound to cores.
 */
export function pinLoad(): void {
  if (PINS !== null) execFileSync('taskset', ['-acp', PINS.rest, String(process.pid)], { stdio: 'ignore' });
}

/** Starts a server on a free port of the loopback address, and returns its URL. */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Returns a TCP port that is free at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const { port } = new URL(await listen(server));
  server.close();
  return Number(port);
}

/** How a process of the benchmark is started. */
export interface ProcessOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** `measured`: the process gets a core for itself. `rest` (used when absent): it shares the remaining cores. */
  readonly on?: 'measured' | 'rest';
  /** Address of a process that does not print one. The process has started when it accepts connections there. */
  readonly url?: string;
}

/**
 * Starts Node with `args` as a process of the benchmark. Resolves when the process has printed its address or, with
 * `url`, when it accepts connections there. Rejects when the process ends before that; without
 * `url`, the error has the output of the process.
 */
export function startProcess(
  args: readonly string[],
  { env = {}, on = 'rest', url }: ProcessOptions = {},
): Promise<BenchProcess> {
  const [command, ...words] =
    PINS === null ? [process.execPath, ...args] : ['taskset', '-c', PINS[on], process.execPath, ...args];
  const child = spawn(command ?? '', words, {
    // MALLOC_ARENA_MAX as in the Dockerfile.
    env: { PATH: process.env.PATH ?? '', MALLOC_ARENA_MAX: '2', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { pid = 0 } = child;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return new Promise((resolve, reject) => {
    const processAt = (address: string): BenchProcess => ({
      url: address,
      printed,
      cpu: (of = 'all') => cpuOf(pid, of),
      memory: () => memoryOf(pid),
      stop: () => {
        child.kill('SIGINT');
        return ended;
      },
    });
    let printed = '';
    let isKnown = url !== undefined;
    const read = (chunk: Buffer): void => {
      if (isKnown) return;
      printed += String(chunk);
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? [];
      if (found === undefined) return;
      isKnown = true;
      resolve(processAt(found));
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    if (url !== undefined) void accepting(url).then(() => resolve(processAt(url)));
    void ended.then(() => reject(new Error(`${args.join(' ')} ended: ${printed}`)));
  });
}

async function accepting(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  for (let accepts = false; !accepts; ) {
    await setTimeout(2);
    accepts = await new Promise((resolve) => {
      const socket = connect(Number(port), hostname, () => resolve(true)).on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
  }
}

function cpuOf(pid: number, of: 'all' | 'main'): number | null {
  try {
    // The main thread has the id of the process.
    const threads = of === 'main' ? [pid] : readdirSync(`/proc/${pid}/task`);
    const nanoseconds = threads.map((id) =>
      Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]),
    );
    return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6;
  } catch {
    return null;
  }
}

function memoryOf(pid: number): number | null {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return null;
  }
}
