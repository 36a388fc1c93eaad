import type { Logger } from 'pino';
import type { Config } from '../config/index.ts';

/** The part of all descriptors that clients may take; the rest is for the management port, upstreams, the store and files. */
const SHARE = 0.5;

/** Connections that the public port takes: as configured, or fewer where the process may not open so many files. */
export function connectionsOf({ connections }: Config, logger: Pick<Logger, 'warn'>): number {
  const most = Math.floor(descriptorLimit() * SHARE);
  if (connections <= most) return connections;
  logger.warn(`CONNECTIONS_AT_ONCE is ${connections} and ${most} are taken: this process may open ${most * 2} files`);
  return most;
}

/** The part of Node's report that is used; `@types/node` does not know `excludeNetwork`. */
interface Report {
  excludeNetwork?: boolean;
  getReport(): { readonly userLimits?: { readonly open_files?: { readonly soft?: number | string } } };
}

/** Files and sockets that this process may have open at the same time; Infinity where the platform does not say. */
function descriptorLimit(): number {
  const report = process.report as Report;
  const { excludeNetwork } = report;
  // Else it looks up the host name of every connection, and waits for it.
  report.excludeNetwork = true;
  const { userLimits } = report.getReport();
  report.excludeNetwork = excludeNetwork ?? false;
  const soft = Number(userLimits?.open_files?.soft);
  return Number.isInteger(soft) ? soft : Number.POSITIVE_INFINITY;
}
