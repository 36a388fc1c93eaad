/** The measurements of the start: the time until the service is ready, and the memory of the idle process. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { compare, type Result, spread } from './compare.ts';
import { ARTEFACT_ARGS } from './environment.ts';
import { freePort, startProcess } from './process.ts';
import type { Row } from './rows.ts';

/** The command of `npm start`, without npm itself. */
export const NPM_START: string[] = JSON.parse(readFileSync('package.json', 'utf8')).scripts.start.split(' ').slice(1);

/**
 * Milliseconds from the moment at which the service is ready to the measurement of its memory, in a run without
 * `--short`.
 */
const IDLE = 3_000;

async function ready(url: string): Promise<void> {
  while ((await fetch(`${url}/health/ready`)).status !== 200) await setTimeout(2);
}

export const start: Row = async ({ env, folder }, { rounds, isShort }) => {
  const memories = new Map<string, number[]>();
  const subject = (name: string, args: readonly string[], variables: Readonly<Record<string, string>> = {}) => ({
    name,
    async measure() {
      const port = String(await freePort());
      const from = performance.now();
      // At an address that is known before: the service prints its own in a batch of log lines, later than it answers.
      const program = await startProcess(args, {
        on: 'measured',
        env: { ...variables, PORT: port },
        url: `http://127.0.0.1:${port}`,
      });
      await ready(program.url);
      const value = performance.now() - from;
      if (name !== 'bare') {
        await setTimeout(isShort ? 500 : IDLE);
        memories.set(name, [...(memories.get(name) ?? []), program.memory() ?? Number.NaN]);
      }
      await program.stop();
      return { value, cpu: null };
    },
  });
  const own = (name: string) => ({ DATA_DIR: join(folder, name) });
  const results = await compare({
    row: 'start',
    unit: 'ms',
    must: '≤',
    rounds,
    subjects: [
      subject('bare', ['tools/bench/idle.js']),
      subject('artefact', ARTEFACT_ARGS, { ...env, ...own('artefact') }),
      subject('npm start', NPM_START, { LOG_FORMAT: 'json', ...own('simulated') }),
    ],
  });
  const idle = (name: string, maxMb: number) =>
    `idle ${spread(memories.get(name) ?? []).median.toFixed(0)} MB (≤ ${maxMb})`;
  return results.map((result, index): Result => {
    const [name = '', must = '', maxMb = 0] = LIMITS[index] ?? [];
    return { ...result, must, notes: idle(name, maxMb) };
  });
};

const LIMITS: readonly (readonly [name: string, must: string, maxMb: number])[] = [
  ['artefact', '≤ 3.5', 105],
  ['npm start', '≤ 4.5', 120],
];
