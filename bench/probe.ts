/** A thread that sends health probes: beside the load of `load.ts`, in its thread, a probe would wait for the client. */
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { request } from './client.ts';
import { load, type Tally } from './open-loop.ts';

/** Sends five health probes a second, for `seconds` seconds, in a thread of their own. */
export function probe(url: string, seconds: number): Promise<Tally> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { url, seconds } });
  return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
}

if (parentPort !== null) {
  const { url, seconds } = workerData;
  parentPort.postMessage(await load(url, [request(url, '/health')], { rate: 5, seconds }));
}
