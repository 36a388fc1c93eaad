import type { Logger } from 'pino';
import { UpstreamError } from '../../ports/call.ts';
import type { Meters } from '../../ports/meters.ts';
import { StoreUnavailable } from '../../ports/store/store.ts';
import { type OrphanSweeper, sweepOrphans } from '../../uploads/sweeper.ts';

/**
 * Starts the background job (the sweeper) that deletes documents without an application, and Concepts (draft
 * applications) and idempotency keys whose retention period has ended. Writes its results to the log and the metrics.
 */
export function startSweeper(
  deps: Parameters<typeof sweepOrphans>[0] & { readonly logger: Logger; readonly meters?: Meters },
): OrphanSweeper {
  const { logger, meters } = deps;
  return sweepOrphans(deps, (round) => {
    const { removed, failed, expired, error } = round;
    meters?.sweep(round);
    if (error === undefined) {
      if (failed > 0) logger.warn({ orphans: removed, failed });
      else if (removed > 0) logger.info({ orphans: removed });
      if (expired !== undefined && expired.concepts > 0) logger.info({ expired });
    }
    // An unavailable upstream or store is reported elsewhere; the next round tries again.
    else if (!(error instanceof UpstreamError || error instanceof StoreUnavailable))
      logger.error({ orphans: removed, error: error instanceof Error ? error.name : typeof error });
  });
}
