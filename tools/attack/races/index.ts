/**
 * Races: sends the same few operations to two or three instances at once, and searches for an order of them that a state
 * table allows.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { startPostgres } from '../../../test/support/postgres.ts';
import type { Reply } from '../../../test/support/service.ts';
import type { Figures } from '../figures.ts';
import { type ServiceProcess, startServiceProcess } from '../process.ts';
import { documents } from './documents.ts';
import { drafts } from './drafts.ts';
import { keys } from './keys.ts';
import { letter } from './letter.ts';
import { endStates, type Step } from './linearizable.ts';
import type { Race, Send } from './race.ts';

// biome-ignore lint/suspicious/noExplicitAny: each race has its own state and operations
const RACES: Readonly<Record<string, Race<any, any>>> = { drafts, letter, documents, keys };

/** Number of instances of the service. A round uses the first two, or all three. */
const INSTANCES = 3;
/** Number of rounds that run at the same time, each in its own world. */
const AT_ONCE = 4;

/**
 * The operations of one round, for the first `instances` instances. `at` is the number of the instance that gets an
 * operation, and `after` the number of milliseconds after which it is sent.
 */
interface Plan {
  readonly instances: number;
  readonly ops: readonly { readonly op: unknown; readonly after: number; readonly at: number }[];
}

const plansOf = (race: Race<unknown, unknown>) =>
  fc.record({
    instances: fc.integer({ min: 2, max: INSTANCES }),
    ops: fc.array(fc.record({ op: race.ops, after: fc.constantFrom(0, 0, 0, 1, 2, 5), at: fc.nat(INSTANCES - 1) }), {
      minLength: 2,
      maxLength: 5,
      size: 'max',
    }),
  });

/**
 * Runs one round in a world. Returns its faults as sentences: that no order of the operations explains the answers, or
 * what is wrong in the upstreams.
 */
async function round(
  race: Race<unknown, unknown>,
  { instances, ops }: Plan,
  services: readonly ServiceProcess[],
  world: string,
): Promise<string[]> {
  const at = (index: number): Send => {
    const service = services[index % instances];
    if (service === undefined) throw new Error('no such instance');
    return async (...call) => {
      // An instance that is overloaded refuses before it does anything.
      for (;;) {
        const reply = await service.call(...call);
        if (reply.body.code !== 'overbelast') return reply;
        await setTimeout(20);
      }
    };
  };
  const { initial, run, faults } = await race.prepare(at(0), world);
  const history: Step<unknown, Reply>[] = [];
  const send = async (op: unknown, index: number): Promise<void> => {
    const from = performance.now();
    const answer = await run(at(index), op);
    history.push({ op, answer, from, to: performance.now() });
  };
  await Promise.all(
    ops.map(async ({ op, after, at }) => {
      if (after > 0) await setTimeout(after);
      await send(op, at);
    }),
  );
  for (const op of race.reads) await send(op, history.length);
  const ends = endStates(race.table, initial, history);
  const told = history.map(
    ({ op, answer, from, to }) =>
      `${JSON.stringify(op)} from ${from.toFixed(1)} to ${to.toFixed(1)}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`,
  );
  if (ends.length === 0) return [`${world}: no order explains\n  ${told.join('\n  ')}`];
  const found = await Promise.all(ends.map(async (end) => (await faults?.(at(0), JSON.parse(end))) ?? []));
  return found.every((sentences) => sentences.length > 0) ? found.flat().map((one) => `${world}: ${one}`) : [];
}

/** Runs `count` rounds of each race, on SQLite and on PostgreSQL. */
export async function races(count: number): Promise<Figures> {
  const postgres = await startPostgres();
  const faults: string[] = [];
  const seed = Number(process.env.SEED ?? Date.now() % 1e9);
  let rounds = 0;
  let operations = 0;
  for (const engine of ['SQLite', 'PostgreSQL'])
    for (const [name, race] of Object.entries(RACES)) {
      const folder = mkdtempSync(join(tmpdir(), 'zorgregister-attack-'));
      const env = { DATA_DIR: folder, ...(engine === 'PostgreSQL' && { DATABASE_URL: await postgres.database() }) };
      const first = await startServiceProcess(env);
      const others = await Promise.all(Array.from({ length: INSTANCES - 1 }, () => startServiceProcess(env)));
      const services = [first, ...others];
      const plans = fc.sample(plansOf(race), { numRuns: count, seed });
      const next = plans.entries();
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (const [index, plan] of next) {
            faults.push(...(await round(race, plan, services, `${name}-${index}`)).map((one) => `${engine}, ${one}`));
            rounds += 1;
            operations += plan.ops.length;
          }
        }),
      );
      await Promise.all(services.map((service) => service.kill()));
      rmSync(folder, { recursive: true, force: true });
    }
  await postgres.close();
  return { figures: { rounds, operations, instances: `2 to ${INSTANCES}`, seed }, faults };
}
