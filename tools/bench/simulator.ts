/** The measurement of `npm start`, compared with the bare server and other mock servers. */
import { join } from 'node:path';
import { closedLoop, request } from './client.ts';
import { compare, throughput } from './compare.ts';
import { DASHBOARD } from './environment.ts';
import { startPeers } from './peers.ts';
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
    const peers = withPeers ? await startPeers(service.url) : [];
    const results = [];
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
    } finally {
      await Promise.all([service, ...peers.map(({ program }) => program)].map((program) => program.stop()));
    }
    return results;
  };
