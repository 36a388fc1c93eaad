/**
 * Resolves with the result of `work`, or rejects with the signal's reason as soon as the signal aborts. It does not
 * cancel `work`, because other callers may wait for it too.
 */
export function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
