import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import type { Config } from '../../config/index.ts';

/** The fraction of the file descriptors of this process that client connections may use. */
const SHARE = 0.5;

/**
 * Returns the maximum number of connections to the public port: the configured number, or half of the number of files
 * that this process may open when that is less. In the second case it logs a warning.
 */
export function connectionsByOrigin({ connections }: Config, logger: Pick<Logger, 'warn'>): number {
  const most = Math.floor(descriptorLimit() * SHARE);
  if (connections <= most) return connections;
  logger.warn(`CONNECTIONS_AT_ONCE is ${connections} and ${most} are used: this process may open ${most * 2} files`);
  return most;
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
