/**
 * Resolves with `value` after `ms` milliseconds. Rejects with the reason of `signal` when that is aborted earlier.
 * Replaces `setTimeout` of `node:timers/promises` in a browser (see `scripts/handlers.ts`).
 */
function wait<Value>(ms: number, value: Value, { signal }: { readonly signal?: AbortSignal } = {}): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      globalThis.clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = globalThis.setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve(value);
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

export { wait as setTimeout };
