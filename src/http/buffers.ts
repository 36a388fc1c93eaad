import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The number of bytes that arrive before V8 is asked to free the buffers in which they arrived. */
const BETWEEN_COLLECTIONS = 16 * 1024 * 1024;

let arrived = 0;
let collect: NodeJS.GCFunction | undefined;

/**
 * Counts `bytes` that have arrived, and frees the buffers of sockets that are no longer used after every 16 MB. Node
 * reads a socket into buffers outside the heap, and V8 does not count these when it decides whether young objects must
 * be collected. Without this, about 100 MB of them would wait during many uploads, and downloads would cause many full
 * collections. Source: docs/decisions/0017.
 */
export function freeBuffers(bytes: number): void {
  arrived += bytes;
  if (arrived < BETWEEN_COLLECTIONS) return;
  arrived = 0;
  collect ??= exposeCollector();
  collect({ type: 'minor', execution: 'sync' });
}

/**
 * Returns V8's function that collects garbage. The option is set only while the function is made: Node does not use
 * compiled code of a process with other options, so a start with `--expose-gc` takes longer.
 */
function exposeCollector(): NodeJS.GCFunction {
  setFlagsFromString('--expose-gc');
  try {
    return runInNewContext('gc');
  } finally {
    setFlagsFromString('--no-expose-gc');
  }
}
