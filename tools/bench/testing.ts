/**
 * The measurements of what tests of a page wait for, with the package as it is installed: `startBff()`, and `handlers()` of
 * a page.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { type Result, spread } from './compare.ts';
import type { Row } from './rows.ts';

/** Prints the milliseconds of the import, and of ten calls of `startBff()`. */
const STARTS = `
const [from, times] = [performance.now(), []];
const { startBff } = await import('zorgregister-bff/testing');
times.push(performance.now() - from);
for (let n = 0; n < 10; n += 1) {
  const before = performance.now();
  const bff = await startBff();
  times.push(performance.now() - before);
  await bff.close();
}
process.stdout.write(JSON.stringify(times));`;

/** Prints the milliseconds of the import, and of ten dashboards, the first with the call of `handlers()`. */
const ANSWERS = `
const { getResponse } = await import('msw');
const [from, times] = [performance.now(), []];
const { handlers } = await import('zorgregister-bff/handlers');
times.push(performance.now() - from);
let all;
for (let n = 0; n < 10; n += 1) {
  const before = performance.now();
  all ??= handlers();
  const headers = { Authorization: 'Bearer dev', 'X-Subject': 'sanne-de-wit' };
  const answer = await getResponse(all, new Request('http://localhost/api/v1/dashboard-view', { headers }));
  if (answer?.status !== 200) throw new Error(String(answer?.status));
  await answer.json();
  times.push(performance.now() - before);
}
process.stdout.write(JSON.stringify(times));`;

function tenth(row: string, script: string, rounds: number, notes: string): Result {
  const runs = Array.from({ length: rounds }, (): number[] =>
    JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })),
  );
  const of = (n: number) => runs.map((times) => times[n] ?? Number.NaN);
  const ratios = runs.map((times) => (times[10] ?? Number.NaN) / (times[1] ?? Number.NaN));
  return {
    row,
    unit: 'ms',
    baseline: spread(of(1)).median,
    service: spread(of(10)).median,
    ratio: spread(ratios),
    cpuRatio: null,
    cpu: null,
    must: '–',
    notes: `import ${spread(of(0)).median.toFixed(0)} ms${notes}`,
  };
}

export const testing: Row = async (_environment, { rounds }) => {
  execFileSync(process.execPath, ['scripts/lib.ts'], { stdio: 'ignore' });
  const page = readFileSync('lib/browser/index.js');
  const kB = (bytes: number) => `${Math.round(bytes / 1_000)} kB`;
  const size = `; a page loads ${kB(page.length)}, ${kB(gzipSync(page).length)} with gzip`;
  return [
    tenth('startBff(), the tenth / the first', STARTS, rounds, ''),
    tenth('dashboard of handlers(), the tenth / the first', ANSWERS, rounds, size),
  ];
};
