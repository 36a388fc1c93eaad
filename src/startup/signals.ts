/** Milliseconds in which whoever balances load can see that this process is not ready, while it still takes requests. */
const NOTICE = 1_500;

/**
 * The first SIGTERM or SIGINT stops in good order, a second one at once. Who sends SIGTERM has others to send requests to and
 * must find out first; who presses Ctrl-C has not.
 */
export function onSignal(close: (notice: number) => Promise<void>): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1);
    stopping = true;
    close(signal === 'SIGTERM' ? NOTICE : 0).then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
