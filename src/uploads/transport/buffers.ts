/** The number of bytes that arrive before V8 is asked to free the buffers in which they arrived. */
const BETWEEN_COLLECTIONS = 16 * 1024 * 1024;

let arrived = 0;

/**
 * Counts `bytes` that have arrived, and frees the buffers of sockets that are no longer used after every 16 MB. Node
 * reads a socket into buffers outside the heap, and V8 does not count these when it decides whether young objects must
 * be collected: without this, about 100 MB of them would wait during many uploads. Does nothing when Node runs without
 * `--expose-gc`. Source: docs/decisions/0128.
 */
export function freeBuffers(bytes: number): void {
  arrived += bytes;
  if (arrived < BETWEEN_COLLECTIONS) return;
  arrived = 0;
  globalThis.gc?.({ type: 'minor', execution: 'sync' });
}
