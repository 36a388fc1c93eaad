/**
 * Returns the result of `work`, or rejects with the signal's reason as soon as the signal aborts. Does not cancel
 * `work`: other callers may share it. A later failure of `work` causes no unhandled rejection.
 */
export function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
