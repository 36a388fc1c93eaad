import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';

/**
 * Milliseconds after SIGTERM in which the process still accepts requests, so that a load balancer can see that it is
 * not ready.
 */
const NOTICE_MS = 1_500;
/**
 * Milliseconds after the first signal at which the process exits, even when something is still open. The promised
 * maximum is 10 s (guides/production.md, "Probes").
 */
const DEADLINE_MS = 9_700;
/** Maximum number of milliseconds to write the last log lines to standard output. */
const FLUSH_TIMEOUT = 2_000;

/**
 * Registers handlers for SIGTERM and SIGINT. The first signal stops the process gracefully, the second at once. `close`
 * is called with the milliseconds in which requests are still accepted: 1,500 after SIGTERM, so that the platform can
 * route requests to other instances, and 0 after SIGINT (Ctrl-C).
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
