/**
 * The result of `work`, or a rejection with the signal's reason as soon as it is aborted. Only the caller stops waiting: the
 * work goes on, for others who wait for it, and when it fails later nothing is unhandled.
 */
export function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
