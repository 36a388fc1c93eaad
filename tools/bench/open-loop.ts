import { open, type RequestBytes, UnexpectedStatus } from './client.ts';

const MAX_CONNECTIONS = 1_500;

/** The latencies and statuses of a load. */
export interface Tally {
  /** For each request that was sent, the milliseconds from when it was due to its response or failure, sorted. */
  readonly latencies: readonly number[];
  /** Number of responses, keyed by status. Status 0 counts requests without a response, and 200 every success. */
  readonly statuses: ReadonlyMap<number, number>;
}

/**
 * Sends `requests` in turn, `rate` a second for `seconds` seconds, without waiting for responses. A request that is due
 * while `MAX_CONNECTIONS` connections are busy is not sent, and counts as a request without a response.
 */
export async function load(
  url: string,
  requests: readonly RequestBytes[],
  { rate, seconds }: { rate: number; seconds: number },
): Promise<Tally> {
  const idle = Array.from({ length: 16 }, () => open(url));
  const latencies: number[] = [];
  const statuses = new Map<number, number>();
  const count = (status: number) => statuses.set(status, (statuses.get(status) ?? 0) + 1);
  let connections = idle.length;
  const one = async (bytes: RequestBytes, due: number): Promise<void> => {
    if (idle.length === 0 && connections === MAX_CONNECTIONS) {
      count(0);
      return;
    }
    if (idle.length === 0) connections += 1;
    const connection = idle.pop() ?? open(url);
    try {
      await connection.send(bytes);
      count(200);
    } catch (error) {
      count(error instanceof UnexpectedStatus ? error.status : 0);
    }
    latencies.push(performance.now() - due);
    idle.push(connection);
  };
  const underway = new Set<Promise<void>>();
  const start = performance.now();
  await new Promise<void>((resolve) => {
    let sent = 0;
    const timer = setInterval(() => {
      const due = Math.min(rate * seconds, Math.floor(((performance.now() - start) / 1_000) * rate));
      for (; sent < due; sent += 1) {
        const sending = one(requests[sent % requests.length] ?? [], start + (sent / rate) * 1_000);
        underway.add(sending);
        void sending.then(() => underway.delete(sending));
      }
      if (sent < rate * seconds) return;
      clearInterval(timer);
      resolve();
    }, 1);
  });
  await Promise.all(underway);
  for (const connection of idle) connection.close();
  return { latencies: latencies.sort((a, b) => a - b), statuses };
}

/** Returns the 99th percentile of the latencies in milliseconds; NaN when there are none. */
export const p99 = ({ latencies }: Tally): number => latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN;

/** Returns the number of answers of each status in all given loads, as text. */
export function statusesOf(...tallies: readonly Tally[]): string {
  const all = new Map<number, number>();
  for (const { statuses } of tallies)
    for (const [status, count] of statuses) all.set(status, (all.get(status) ?? 0) + count);
  return [...all]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status === 0 ? 'no answer' : status}: ${count}`)
    .join(', ');
}
