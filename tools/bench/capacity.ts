/**
 * The measurement of capacity: how many requests of professionals at work one core answers, with SQLite and with
 * PostgreSQL, and by one and two instances.
 */
import { startPostgres } from '../../test/support/postgres.ts';
import { DRAFT } from './bodies.ts';
import { closedLoop, type RequestBytes, request } from './client.ts';
import { type Result, spread } from './compare.ts';
import { APPLICATIONS, ARTEFACT_ARGS, type BenchEnvironment, createDraft, DASHBOARD } from './environment.ts';
import { load, p99, statusesOf } from './open-loop.ts';
import { type BenchProcess, startProcess } from './process.ts';
import type { Row } from './rows.ts';

const FIRST_RATE = 200;
const FACTOR = 1.25;
const P99_MS = 150;
/** Requests of one professional at work in a minute. */
const PER_MINUTE = 10;
const WARM_UP_SECONDS = 10;

/**
 * Creates a draft for each caller. Returns ten requests for each: four dashboards, three lists of applications, two reads
 * of the draft, and one that saves it.
 */
async function workOf(url: string, { callers }: BenchEnvironment): Promise<RequestBytes[]> {
  const work: RequestBytes[] = [];
  for (const caller of callers) {
    const path = await createDraft(url, caller);
    const read = (of: string) => request(url, of, { headers: caller });
    const headers = { ...caller, 'Content-Type': 'application/json' };
    const save = request(url, path, { method: 'PUT', headers, body: [DRAFT] });
    const [dashboard, list, draft] = [read(DASHBOARD), read(APPLICATIONS), read(path)];
    work.push(dashboard, list, draft, dashboard, list, save, dashboard, draft, list, dashboard);
  }
  return work;
}

/** The load that a number of instances held together, and what happened at the next one. */
interface Capacity {
  /** Requests per second when 32 connections wait for each answer, after V8 has compiled the service. */
  readonly closed: number;
  /** Requests per second of all instances, the highest at which every answer was a success and the p99 was low enough. */
  readonly rate: number;
  /** Microseconds of CPU time of the instances for one request at that rate; NaN when it cannot be read. */
  readonly cpu: number;
  /** Resident memory of all instances in MB. */
  readonly memory: number;
  readonly broke: string;
}

/** Raises the rate until the instances do not hold it. */
async function capacityOf(
  instances: readonly BenchProcess[],
  environment: BenchEnvironment,
  seconds: number,
): Promise<Capacity> {
  const works = await Promise.all(instances.map(({ url }) => workOf(url, environment)));
  const answered = await Promise.all(
    instances.map(({ url }, n) => closedLoop(url, works[n] ?? [], { seconds: WARM_UP_SECONDS, connections: 32 })),
  );
  const closed = answered.reduce((sum, one) => sum + one) / WARM_UP_SECONDS;
  const cpuNow = () => instances.reduce((sum, one) => sum + (one.cpu() ?? Number.NaN), 0);
  let held: Omit<Capacity, 'broke'> = { closed, rate: 0, cpu: Number.NaN, memory: Number.NaN };
  for (let rate = FIRST_RATE; ; rate = Math.round(rate * FACTOR)) {
    const [before, start] = [cpuNow(), performance.now()];
    const tallies = await Promise.all(
      instances.map(({ url }, n) => load(url, works[n] ?? [], { rate: Math.round(rate / instances.length), seconds })),
    );
    const [busy, took] = [cpuNow() - before, performance.now() - start];
    const worst = Math.max(...tallies.map(p99));
    const isHeld = worst <= P99_MS && tallies.every(({ statuses }) => [...statuses.keys()].every((one) => one === 200));
    if (!isHeld) {
      const cores = `${Math.round((100 * busy) / took)}% of the core of the service`;
      return { ...held, broke: `at ${rate}/s p99 ${worst.toFixed(0)} ms, ${statusesOf(...tallies)}, ${cores}` };
    }
    const memory = instances.reduce((sum, one) => sum + (one.memory() ?? Number.NaN), 0);
    held = { closed, rate, cpu: (busy * 1_000) / (rate * seconds), memory };
  }
}

/** The capacity of one core with SQLite, and with PostgreSQL by one and by two instances, compared with a closed loop. */
export const capacity: Row = async (environment, { isShort }) => {
  const seconds = isShort ? 1 : 10;
  const postgres = await startPostgres();
  const results: Result[] = [];
  try {
    const DATABASE_URL = await postgres.database();
    for (const [row, count, store] of [
      ['SQLite', 1, { DATA_DIR: `${environment.folder}/capacity` }],
      ['PostgreSQL', 1, { DATABASE_URL }],
      ['PostgreSQL, two instances', 2, { DATABASE_URL }],
    ] as const) {
      const instances: BenchProcess[] = [];
      while (instances.length < count)
        instances.push(await startProcess(ARTEFACT_ARGS, { on: 'measured', env: { ...environment.env, ...store } }));
      const { closed, rate, cpu, memory, broke } = await capacityOf(instances, environment, seconds);
      await Promise.all(instances.map((one) => one.stop()));
      const share = ((1_000 * PER_MINUTE) / 60) * (cpu / 1e6);
      const online = `1,000 people at work: ${(100 * share).toFixed(1)}% of a core; ${memory.toFixed(0)} MB at ${rate}/s`;
      results.push({
        row: `capacity, ${row} (p99 ≤ ${P99_MS} ms)`,
        unit: 'requests/s',
        baseline: closed,
        service: rate,
        ratio: spread([rate / closed]),
        cpuRatio: null,
        cpu: null,
        must: '–',
        notes: `${online}; ${broke}`,
      });
    }
  } finally {
    await postgres.close();
  }
  return results;
};
