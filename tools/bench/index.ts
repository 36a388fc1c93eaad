/**
 * `npm run bench`: compares the speed of the service with a baseline in the same run (docs/performance.md). `npm run
 * bench -- draft health` runs only these rows. `--short` is faster, `--json` prints JSON, and `--peers` also measures
 * Prism and Mockoon.
 */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { capacity } from './capacity.ts';
import { downloads, uploads } from './documents.ts';
import { startEnvironment } from './environment.ts';
import { mixedLoad, slow } from './load.ts';
import { fastify } from './peers.ts';
import { PINNED, pinLoad } from './process.ts';
import { refusals } from './refusals.ts';
import { toTable } from './report.ts';
import { dashboard, draft, health, openloop, type Row } from './rows.ts';
import { scale } from './scale.ts';
import { simulator } from './simulator.ts';
import { start } from './start.ts';
import { testing } from './testing.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: false },
  },
});

const ROWS: Readonly<Record<string, Row>> = {
  dashboard,
  fastify,
  openloop,
  simulator: simulator(values.peers),
  draft,
  refusals,
  scale,
  start,
  testing,
  downloads,
  uploads,
  health,
  load: mixedLoad,
  capacity,
  slow,
};

const names = positionals.length > 0 ? positionals : Object.keys(ROWS);
const unknown = names.filter((name) => ROWS[name] === undefined);
if (unknown.length > 0)
  throw new Error(`no such row: ${unknown.join(', ')}; there are ${Object.keys(ROWS).join(', ')}`);

// The artefact of these sources; and `npm start` runs its bundle when it is up to date, as after `npm ci`.
for (const script of ['scripts/build.ts', 'scripts/start-bundle.ts']) execFileSync(process.execPath, [script]);
pinLoad();
const options = values.short ? { seconds: 0.5, rounds: 3, isShort: true } : { seconds: 3, rounds: 7, isShort: false };
const environment = await startEnvironment();
const results = [];
try {
  for (const name of names) {
    const found = (await ROWS[name]?.(environment, options)) ?? [];
    results.push(...found);
    if (!values.json) process.stderr.write(`${name} done\n`);
  }
} finally {
  await environment.stop();
}
process.stdout.write(
  `${values.json ? JSON.stringify({ pinned: PINNED, results }, null, 2) : toTable(results, PINNED)}\n`,
);
