import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../../config/index.ts';
import { removeLeftBehind, tryTemporaryFile } from '../../uploads/multipart.ts';
import { StartError } from '../start-error.ts';

// Milliseconds after SIGTERM in which requests are still accepted, so that a load balancer can see that the process is
// not ready.
const NOTICE_MS = 1_500;
// Milliseconds after the first signal at which the process exits. The promised maximum is 10 s (guides/production.md,
// "Probes").
const DEADLINE_MS = 9_700;
// Milliseconds for the last log lines.
const FLUSH_TIMEOUT = 2_000;

/**
 * The first signal stops the process gracefully, the second at once. `close` gets the milliseconds in which requests
 * are still accepted: 1,500 after SIGTERM, so that the platform can route requests to other instances, and 0 after
 * SIGINT (Ctrl-C).
 */
export function onSignal(close: (notice: number) => Promise<void>, logger?: Pick<Logger, 'flush'>): void {
  let stopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1);
    stopping = true;
    const until = performance.now() + DEADLINE_MS;
    const left = (ms: number) => setTimeout(Math.max(0, Math.min(ms, until - performance.now())), 'late' as const);
    const flushed = () => new Promise<void>((resolve) => (logger ? logger.flush(() => resolve()) : resolve()));

    const closed = close(signal === 'SIGTERM' ? NOTICE_MS : 0).then(
      () => 0,
      () => 1,
    );
    const code = await Promise.race([closed, left(DEADLINE_MS)]);
    if (code === 'late') process.stderr.write('Not everything was closed within ten seconds.\n');
    if ((await Promise.race([flushed(), left(FLUSH_TIMEOUT)])) === 'late')
      process.stderr.write('The last log lines are lost: nothing reads standard output.\n');
    process.exit(code === 'late' ? 1 : code);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

// The part of the file descriptors that clients may use.
const CLIENT_FRACTION = 0.5;

// With fewer files, the start can fail with an error that names another cause, such as a database file that cannot be
// opened.
const MIN_FILES = 64;

/** Throws an error with advice for the operator. */
export function requireDescriptors(): void {
  const max = descriptorLimit();
  if (max < MIN_FILES)
    throw new StartError(
      `This process may open ${max} files, and needs at least ${MIN_FILES}. Allow more in the shell or unit that starts it: ulimit -n 4096`,
    );
}

/** The configured number, or half of the files that this process may open when that is less; it then logs a warning. */
export function connectionLimit({ connections }: Config, logger: Pick<Logger, 'warn'>): number {
  const max = Math.floor(descriptorLimit() * CLIENT_FRACTION);
  if (connections <= max) return connections;
  logger.warn(`CONNECTIONS_AT_ONCE is ${connections} and ${max} are used: this process may open ${max * 2} files`);
  return max;
}

// `excludeNetwork` is missing in `@types/node`.
interface Report {
  excludeNetwork?: boolean;
  getReport(): { readonly userLimits?: { readonly open_files?: { readonly soft?: number | string } } };
}

// Infinity when the platform does not report it.
function descriptorLimit(): number {
  const soft = Number(limitOnLinux() ?? limitInReport());
  return Number.isInteger(soft) ? soft : Number.POSITIVE_INFINITY;
}

// Faster than Node's report.
function limitOnLinux(): string | null {
  try {
    return /^Max open files +(\w+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? null;
  } catch {
    return null;
  }
}

function limitInReport(): number | string | undefined {
  const report = process.report as Report;
  const { excludeNetwork } = report;
  // Otherwise the report waits for a DNS lookup of every connection.
  report.excludeNetwork = true;
  const { userLimits } = report.getReport();
  report.excludeNetwork = excludeNetwork ?? false;
  return userLimits?.open_files?.soft;
}

// They do not end by themselves. A full disk does: there may be room later.
const LASTING = /^(EACCES|EPERM|EROFS|ENOENT|ENOTDIR|ENAMETOOLONG)$/;

/**
 * Deletes the temporary files that killed processes left behind. Rejects with a message for the operator when none can
 * be made: each larger upload would then fail.
 */
export async function prepareTemporaryFiles(): Promise<void> {
  await removeLeftBehind();
  await tryTemporaryFile().catch((error: NodeJS.ErrnoException) => {
    if (LASTING.test(error.code ?? ''))
      throw new StartError(
        `TMPDIR: ${tmpdir()} cannot be used for the temporary files of uploads (${error.code}). Choose a folder that can be written`,
        error,
      );
  });
}
