/**
 * `npm run attack -- <name> [--count n]`: attacks a service that it starts itself, on loopback, and exits with code 1
 * when it found a fault. docs/security.md, "9. Attacks", says what each attack does.
 */
import { parseArgs } from 'node:util';
import { clients } from './clients/index.ts';
import { damageStore } from './damage.ts';
import type { Figures } from './figures.ts';
import { kills } from './kills/index.ts';
import { lines } from './lines.ts';
import { night } from './night/index.ts';
import { races } from './races/index.ts';
import { soak } from './soak/index.ts';

const ATTACKS: Readonly<Record<string, { readonly count: number; run(count: number): Promise<Figures> }>> = {
  kills: { count: 20, run: kills },
  clients: { count: 100, run: clients },
  night: { count: 20, run: night },
  damage: { count: 20, run: damageStore },
  lines: { count: 10, run: lines },
  soak: { count: 5, run: soak },
  races: { count: 100, run: races },
};

const { values, positionals } = parseArgs({ allowPositionals: true, options: { count: { type: 'string' } } });
const attack = ATTACKS[positionals[0] ?? ''];
const count = Number(values.count ?? attack?.count);
if (attack === undefined || !Number.isInteger(count) || count < 1 || count > 10_000) {
  process.stderr.write(`npm run attack -- <${Object.keys(ATTACKS).join('|')}> [--count 1 to 10000]\n`);
  process.exit(2);
}
const start = performance.now();
const { figures, faults } = await attack.run(count);
const seconds = ((performance.now() - start) / 1_000).toFixed(1);
for (const [name, value] of Object.entries({ ...figures, seconds, faults: faults.length }))
  process.stdout.write(`${name}: ${value}\n`);
for (const fault of faults) process.stdout.write(`- ${fault}\n`);
process.exit(faults.length === 0 ? 0 : 1);
