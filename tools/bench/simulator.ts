/** The measurement of `npm start`, compared with the bare server and other mock servers. */
import { join } from 'node:path';
import { closedLoop, open, request } from './client.ts';
import { compare, type Result, spread, throughput } from './compare.ts';
import { DASHBOARD } from './environment.ts';
import { installPeers } from './peers.ts';
import { type BenchProcess, startProcess } from './process.ts';
import type { Row } from './rows.ts';
import { NPM_START } from './start.ts';

/** Returns a row that compares `npm start` with the bare server and, with `withPeers`, with Prism and Mockoon. */
export const simulator =
  (withPeers: boolean): Row =>
  async ({ bare, folder }, { seconds, rounds }) => {
    const env = { PORT: '0', LOG_FORMAT: 'json', DATA_DIR: join(folder, 'simulator') };
    const service = await startProcess(NPM_START, { on: 'measured', env });
    const headers = { Authorization: 'Bearer bench', 'X-Subject': 'sanne-de-wit' };
    const subject = (name: string, program: BenchProcess) => {
      const requests = [request(program.url, DASHBOARD, { headers })];
      const load = () => closedLoop(program.url, requests, { seconds, connections: 32 });
      return { name, measure: () => throughput(program, load) };
    };
    const ours = subject('npm start', service);
    const installed = withPeers ? await installPeers(service.url) : [];
    const peers = await Promise.all(installed.map(async (one) => ({ ...one, program: await one.start() })));
    const results: Result[] = [];
    try {
      for (const [baseline, must] of [
        [subject('bare', bare), ''] as const,
        ...peers.map(({ name, must, program }) => [subject(name, program), must] as const),
      ])
        results.push(
          ...(await compare({
            row: `simulator / ${baseline.name}`,
            unit: 'requests/s',
            must,
            rounds,
            subjects: [baseline, ours],
          })),
        );
      const [prism] = installed;
      if (prism !== undefined) results.push(...(await firstAnswers(prism.start, folder, rounds)));
    } finally {
      await Promise.all([service, ...peers.map(({ program }) => program)].map((program) => program.stop()));
    }
    return results;
  };

/**
 * Compares what a developer meets after `npm start` with another mock server: the time from the start to the first answer,
 * and the CPU time of the first hundred and the first thousand answers.
 */
async function firstAnswers(startPeer: () => Promise<BenchProcess>, folder: string, rounds: number): Promise<Result[]> {
  const env = { PORT: '0', LOG_FORMAT: 'json', DATA_DIR: join(folder, 'first') };
  const starts = { peer: startPeer, own: () => startProcess(NPM_START, { on: 'measured', env }) };
  const samples = { peer: [] as number[][], own: [] as number[][] };
  for (let round = 0; round < rounds; round += 1)
    for (const name of ['peer', 'own'] as const) {
      const begin = performance.now();
      const program = await starts[name]();
      const headers = { Authorization: 'Bearer bench', 'X-Subject': 'sanne-de-wit' };
      const dashboard = request(program.url, DASHBOARD, { headers });
      const connection = open(program.url);
      const ready = program.cpu() ?? Number.NaN;
      const values: number[] = [];
      for (let answer = 1; answer <= 1_000; answer += 1) {
        await connection.send(dashboard);
        if (answer === 1) values.push(performance.now() - begin);
        if (answer === 100 || answer === 1_000) values.push(((program.cpu() ?? Number.NaN) - ready) / answer);
      }
      connection.close();
      await program.stop();
      samples[name].push(values);
    }
  return [
    ['start to first answer', 'ms', '≤ 0.25'],
    ['CPU of each of the first 100 answers', 'ms', '–'],
    ['CPU of each of the first 1,000 answers', 'ms', '≤ 0.77'],
  ].map(([row = '', unit = '', must = ''], index) => {
    const of = (name: keyof typeof samples) => samples[name].map((values) => values[index] ?? Number.NaN);
    const ratios = of('own').map((value, round) => value / (of('peer')[round] ?? Number.NaN));
    return {
      row: `simulator, ${row} / Prism`,
      unit,
      baseline: spread(of('peer')).median,
      service: spread(of('own')).median,
      ratio: spread(ratios),
      cpuRatio: null,
      cpu: null,
      must,
    };
  });
}
