import type { Logger } from 'pino';
import type { Config } from '../config/index.ts';

/**
 * Fraction of the file descriptors that clients may use; the rest is for the management port, upstreams, store and
 * files.
 */
const SHARE = 0.5;

/**
 * Returns the maximum number of connections of the public port: the configured one, or fewer (with a warning in the
 * log) when the limit of open files of the process is too low.
 */
export function connectionsByOrigin({ connections }: Config, logger: Pick<Logger, 'warn'>): number {
  const most = Math.floor(descriptorLimit() * SHARE);
  if (connections <= most) return connections;
  logger.warn(`CONNECTIONS_AT_ONCE is ${connections} and ${most} are taken: this process may open ${most * 2} files`);
  return most;
}

/** The part of Node's `process.report` that is used; `excludeNetwork` is missing in `@types/node`. */
interface Report {
  excludeNetwork?: boolean;
  getReport(): { readonly userLimits?: { readonly open_files?: { readonly soft?: number | string } } };
}

/**
 * Returns the maximum number of open files and sockets of this process; Infinity when the platform does not report it.
 */
function descriptorLimit(): number {
  const report = process.report as Report;
  const { excludeNetwork } = report;
  // Otherwise the report waits for a DNS lookup of every connection.
  report.excludeNetwork = true;
  const { userLimits } = report.getReport();
  report.excludeNetwork = excludeNetwork ?? false;
  const soft = Number(userLimits?.open_files?.soft);
  return Number.isInteger(soft) ? soft : Number.POSITIVE_INFINITY;
}
