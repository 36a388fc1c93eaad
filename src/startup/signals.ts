import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';

/** Milliseconds in which a load balancer can see that this process is not ready, while it still takes requests. */
const NOTICE = 1_500;
/** Milliseconds after the first signal in which the process has ended, whatever it waits for: 10 s are promised (guides/production.md, "Probes"). */
const DEADLINE = 9_700;
/** Milliseconds in which standard output may still take the last log lines. */
const LAST_LINES = 2_000;

/**
 * Ends the process in good order at the first SIGTERM or SIGINT, and at once at the second. SIGTERM is sent by a platform, which
 * must have the time to send requests elsewhere; SIGINT by a person who presses Ctrl-C.
 */
export function onSignal(close: (notice: number) => Promise<void>, logger?: Pick<Logger, 'flush'>): void {
  let stopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1);
    stopping = true;
    const until = performance.now() + DEADLINE;
    const left = (ms: number) => setTimeout(Math.max(0, Math.min(ms, until - performance.now())), 'late' as const);
    const flushed = () => new Promise<void>((resolve) => (logger ? logger.flush(() => resolve()) : resolve()));

    const closed = close(signal === 'SIGTERM' ? NOTICE : 0).then(
      () => 0,
      () => 1,
    );
    const code = await Promise.race([closed, left(DEADLINE)]);
    if (code === 'late') process.stderr.write('Not everything was closed within ten seconds.\n');
    if ((await Promise.race([flushed(), left(LAST_LINES)])) === 'late')
      process.stderr.write('The last log lines are lost: nothing reads standard output.\n');
    process.exit(code === 'late' ? 1 : code);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
