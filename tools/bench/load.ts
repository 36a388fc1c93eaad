/** The measurements of load at a given rate: a mixed load, more load than the capacity, and a slow upstream. */
import { DRAFT } from './bodies.ts';
import { closedLoop, type RequestBytes, request } from './client.ts';
import { compare, type Result, spread } from './compare.ts';
import { APPLICATIONS, ARTEFACT_ARGS, type BenchEnvironment, createDraft, DASHBOARD } from './environment.ts';
import { load, p99, statusesOf, type Tally } from './open-loop.ts';
import { probe } from './probe.ts';
import { type BenchProcess, freePort, startProcess } from './process.ts';
import type { Row } from './rows.ts';

const toResult = (
  row: string,
  unit: string,
  [baseline, service]: readonly [number, number],
  must: string,
  notes = '',
) =>
  ({
    row,
    unit,
    baseline,
    service,
    ratio: spread([service / baseline]),
    cpuRatio: null,
    cpu: null,
    must,
    notes,
  }) satisfies Result;

/**
 * Creates a draft for each caller. Returns four requests for each caller: for the dashboard, for the list of
 * applications, to save the draft, and to read it.
 */
async function mixFor({ url }: BenchProcess, { callers }: BenchEnvironment): Promise<RequestBytes[]> {
  const mix: RequestBytes[] = [];
  for (const caller of callers) {
    const headers = { ...caller, 'Content-Type': 'application/json' };
    const own = await createDraft(url, caller);
    mix.push(request(url, DASHBOARD, { headers: caller }), request(url, APPLICATIONS, { headers: caller }));
    mix.push(request(url, own, { method: 'PUT', headers, body: [DRAFT] }), request(url, own, { headers: caller }));
  }
  return mix;
}

/**
 * Measures two rows. The first is the latency of a mixed load, compared with the latency of the same load during a
 * shorter time. The second is the number of 200 answers per second when three times as many requests are sent as the
 * service can handle.
 */
export const mixedLoad: Row = async (environment, { isShort }) => {
  const { service, callers, env, folder } = environment;
  const mix = await mixFor(service, environment);
  const early = await load(service.url, mix, { rate: 200, seconds: isShort ? 2 : 30 });
  const before = service.memory() ?? Number.NaN;
  const all = await load(service.url, mix, { rate: 200, seconds: isShort ? 8 : 300 });
  const growth = `grows by ${((service.memory() ?? Number.NaN) - before).toFixed(0)} MB; ${statusesOf(all)}`;
  const management = await freePort();
  const own = { DATA_DIR: `${folder}/over`, MANAGEMENT_PORT: String(management) };
  const busy = await startProcess(ARTEFACT_ARGS, { on: 'measured', env: { ...env, ...own } });
  const dashboards = callers.map((headers) => request(busy.url, DASHBOARD, { headers }));
  const seconds = isShort ? 2 : 10;
  const capacity = (await closedLoop(busy.url, dashboards, { seconds, connections: 32 })) / seconds;
  // On the port for probes: on the main port a new connection waits until the process has read from those that are
  // open.
  const probes = probe(`http://127.0.0.1:${management}`, seconds);
  const over = await load(busy.url, dashboards, { rate: Math.round(3 * capacity), seconds });
  const served = (over.statuses.get(200) ?? 0) / seconds;
  const health = await probes;
  await busy.stop();
  return [
    toResult('mix at 200/s, p99', 'ms', [p99(early), p99(all)], '≤ 150 ms', growth),
    toResult(
      '3 × capacity, answered 200',
      'requests/s',
      [capacity, served],
      'only 200, 429, 503',
      `${statusesOf(over)}; health ${statusesOf(health)}, p99 ${p99(health).toFixed(0)} ms`,
    ),
  ];
};

/**
 * Measures the latency of lists of applications: alone, and while dashboards are requested that wait for a slow BRP.
 */
export const slow: Row = async ({ env, callers, folder }, { rounds, isShort }) => {
  const brp = await startProcess(['tools/bench/upstreams.ts', 'slow']);
  const data = { DATA_DIR: `${folder}/slow`, BRP_UPSTREAM: `${brp.url}/personen` };
  const service = await startProcess(ARTEFACT_ARGS, { on: 'measured', env: { ...env, ...data } });
  const sendTo = (path: string) =>
    load(
      service.url,
      callers.map((headers) => request(service.url, path, { headers })),
      { rate: 100, seconds: isShort ? 3 : 6 },
    );
  const lists: Tally[] = [];
  const dashboards: Tally[] = [];
  const sample = (list: Tally) => ({ value: p99(list), cpu: null });
  const results = await compare({
    row: 'list beside a slow BRP, p99',
    unit: 'ms',
    must: '≤ 1.5',
    rounds: isShort ? 1 : rounds,
    subjects: [
      { name: 'alone', measure: async () => sample(await sendTo(APPLICATIONS)) },
      {
        name: 'beside',
        async measure() {
          const [list, dashboard] = await Promise.all([sendTo(APPLICATIONS), sendTo(DASHBOARD)]);
          lists.push(list);
          dashboards.push(dashboard);
          return sample(list);
        },
      },
    ],
    notes: () => `lists ${statusesOf(...lists)}; dashboards ${statusesOf(...dashboards)}`,
  });
  await Promise.all([service.stop(), brp.stop()]);
  return results;
};
