/**
 * The part of `node:timers/promises` that the service uses, for a browser. `scripts/handlers.ts` replaces the module
 * with this file.
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
