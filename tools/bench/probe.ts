/** Sends health probes in a separate thread, so that they do not wait for the client that makes the load. */
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { request } from './client.ts';
import { load, type Tally } from './open-loop.ts';

/**
 * Sends five requests a second to `/health` of `url` for `seconds` seconds. Resolves with their latencies and statuses.
 */
export function probe(url: string, seconds: number): Promise<Tally> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { url, seconds } });
  return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
}

if (parentPort !== null) {
  const { url, seconds } = workerData;
  parentPort.postMessage(await load(url, [request(url, '/health')], { rate: 5, seconds }));
}
