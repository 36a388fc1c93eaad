import { UpstreamFailure } from '../adapters/http/upstream-failure.ts';
import { dripIntervalOf } from '../simulator/transport/delivery.ts';
import { createEicarDetector, VERDICT_DRIP_INTERVAL, VERDICTS } from '../simulator/upstreams/scanner/verdict.ts';
import type { Scanner } from '../src/ports/scanner.ts';
import { latin1 } from '../src/uploads/spool.ts';
import type { SimulatedConnection } from './simulated-connection.ts';

/** Recognises only the EICAR test file. */
export const createScanner = (connection: SimulatedConnection): Scanner => ({
  scan: (bytes, call) =>
    connection.perform(
      { operation: 'scannen' },
      call,
      async () => {
        const finder = createEicarDetector();
        for await (const piece of bytes) finder.see(latin1(piece));
        return finder.isFound() ? 'infected' : 'clean';
      },
      async (fault) => {
        if (fault?.kind === 'drip')
          await new Promise((resolve) =>
            setTimeout(resolve, dripIntervalOf(fault, VERDICT_DRIP_INTERVAL) * VERDICTS.clean.length),
          );
        else if (fault !== null)
          throw new UpstreamFailure('scanner', 'unavailable', 'no verdict', { requestOnly: true });
      },
    ),
});
