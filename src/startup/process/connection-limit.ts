import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import type { Config } from '../../config/index.ts';
import { StartError } from '../start-error.ts';

/** The fraction of the file descriptors of this process that client connections may use. */
const CLIENT_FRACTION = 0.5;

/**
 * The smallest number of files with which the service starts. With fewer, the start can fail with an error that names
 * another cause, such as a database file that cannot be opened.
 */
const MIN_FILES = 64;

/** Throws an error with advice for the operator when this process may open too few files. */
export function requireDescriptors(): void {
  const max = descriptorLimit();
  if (max < MIN_FILES)
    throw new StartError(
      `This process may open ${max} files, and needs at least ${MIN_FILES}. Allow more in the shell or unit that starts it: ulimit -n 4096`,
    );
}

/**
 * Returns the maximum number of connections to the public port: the configured number, or half of the number of files
 * that this process may open when that is less. In the second case it logs a warning.
 */
export function connectionLimit({ connections }: Config, logger: Pick<Logger, 'warn'>): number {
  const max = Math.floor(descriptorLimit() * CLIENT_FRACTION);
  if (connections <= max) return connections;
  logger.warn(`CONNECTIONS_AT_ONCE is ${connections} and ${max} are used: this process may open ${max * 2} files`);
  return max;
}

/** The members of Node's `process.report` that are used here. `excludeNetwork` is missing in `@types/node`. */
interface Report {
  excludeNetwork?: boolean;
  getReport(): { readonly userLimits?: { readonly open_files?: { readonly soft?: number | string } } };
}

/**
 * Returns the maximum number of open files and sockets of this process; Infinity when the platform does not report it.
 */
function descriptorLimit(): number {
  const soft = Number(limitOnLinux() ?? limitInReport());
  return Number.isInteger(soft) ? soft : Number.POSITIVE_INFINITY;
}

/**
 * Returns the maximum number of open files from Linux's /proc, which is faster than Node's report; null when it cannot
 * be read.
 */
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
