/**
 * A thread that sends health probes. In the thread of `load.ts` a probe would wait for the client that makes the load,
 * and would seem slower than it is.
 */
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { request } from './client.ts';
import { load, type Tally } from './open-loop.ts';

/**
 * Sends five requests a second to `/health` of `url`, for `seconds` seconds, from a separate thread. Resolves with
 * their latencies and statuses.
 */
export function probe(url: string, seconds: number): Promise<Tally> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { url, seconds } });
  return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
}

if (parentPort !== null) {
  const { url, seconds } = workerData;
  parentPort.postMessage(await load(url, [request(url, '/health')], { rate: 5, seconds }));
}
