/**
 * Kills the built service (on SQLite, on PostgreSQL, and one of three instances) and PostgreSQL at random moments
 * during writes of every kind. Afterwards it compares the acknowledged writes with the data in the service and in the
 * register: nothing may be lost or stored twice.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Agent } from 'undici';
import { buildArtefact } from '../../../test/support/artefact.ts';
import { startPostgres } from '../../../test/support/postgres.ts';
import type { Figures } from '../figures.ts';
import { type Artefact, sender, startArtefact, startDependencies } from '../outside.ts';
import { type Acknowledged, check, write } from './writes.ts';

/** Number of worlds to which requests write at the same time. */
const WRITERS = 4;
/**
 * Highest number of requests, of all writers together, after which a process is killed. The number is random, and a
 * random delay of at most `MOMENT` follows.
 */
const REQUESTS = 13 * WRITERS;
/** Maximum of the random delay before a kill, in milliseconds. */
const MOMENT = 20;
/** Number of rounds after which all their worlds are checked. By then each claim of a killed process has expired. */
const BATCH = 10;

/** The process that is killed, and the kind of store. */
interface Setting {
  readonly name: string;
  readonly instances: number;
  readonly kills: 'service' | 'engine';
  readonly rounds: number;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Kills the service `count` times on SQLite and on PostgreSQL, and one of three instances on PostgreSQL. Also kills
 * PostgreSQL itself, three times for each eight of these, with one instance and with three.
 */
export async function kills(count: number): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'zorgregister-kills-'));
  const [dist, postgres, dependencies] = await Promise.all([
    buildArtefact(),
    startPostgres(),
    startDependencies(folder),
  ]);
  const faults: string[] = [];
  let [killed, worlds, acknowledgements] = [0, 0, 0];

  async function run({ name, instances, kills, rounds, env }: Setting): Promise<void> {
    const agent = new Agent();
    const all = { ...dependencies.env, RATE_LIMIT_PER_MINUTE: '0', RATE_LIMIT_SUBMITS_PER_MINUTE: '0', ...env };
    const start = (n: number): Promise<Artefact> => {
      mkdirSync(join(folder, name, String(n)), { recursive: true });
      return startArtefact(dist, join(folder, name, String(n)), all);
    };
    const running: Artefact[] = [];
    for (let n = 0; n < instances; n += 1) running.push(await start(n));
    let turn = 0;
    const send = sender(() => {
      turn += 1;
      return running[turn % instances]?.url ?? '';
    }, agent);
    /** Resolves after `more` further requests and a random delay, or earlier when the writes have ended. */
    async function someRequests(more: number, writes: readonly Promise<void>[]): Promise<void> {
      const until = turn + more;
      let ended = false;
      void Promise.all(writes).then(() => {
        ended = true;
      });
      while (turn < until && !ended) await setTimeout(1);
      await setTimeout(Math.random() * MOMENT);
    }
    let written: Acknowledged[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const now = Array.from({ length: WRITERS }, (): Acknowledged => {
        worlds += 1;
        return { world: `${name}-${worlds}`, requests: new Map() };
      });
      const writes = now.map((one) => write(send, dependencies, one).catch(() => undefined));
      await someRequests(Math.random() * REQUESTS, writes);
      if (kills === 'engine') await postgres.crash();
      else {
        const index = Math.floor(Math.random() * instances);
        await running[index]?.kill();
        running[index] = await start(index);
      }
      killed += 1;
      await Promise.all(writes);
      written.push(...now);
      if (round % BATCH > 0 && round < rounds) continue;
      for (const one of written)
        acknowledgements +=
          one.requests.size + [one.draft, one.submitted, one.document, one.letter].filter(Boolean).length;
      const found = await checked(written, (one) => check(send, dependencies, one));
      for (const fault of found) process.stderr.write(`${fault}\n`);
      faults.push(...found);
      written = [];
      process.stderr.write(`${name}: ${round} of ${rounds}; ${acknowledgements} writes, ${faults.length} faults\n`);
    }
    await Promise.all(running.map((one) => one.kill()));
    await agent.destroy();
  }

  const few = Math.ceil((count * 3) / 8);
  try {
    const env = { DATABASE_URL: await postgres.database() };
    await run({ name: 'engine-three', instances: 3, kills: 'engine', rounds: few, env });
    await run({ name: 'engine-one', instances: 1, kills: 'engine', rounds: few, env });
    await run({ name: 'three', instances: 3, kills: 'service', rounds: count, env });
    await run({ name: 'sqlite', instances: 1, kills: 'service', rounds: count, env: {} });
    await run({ name: 'postgres', instances: 1, kills: 'service', rounds: count, env });
  } finally {
    await dependencies.close();
    await postgres.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return { figures: { kills: killed, worlds, acknowledgements }, faults };
}

/** Checks all worlds, a few at a time, so that the check does not overload the service. Returns the faults. */
async function checked(
  written: readonly Acknowledged[],
  check: (one: Acknowledged) => Promise<string[]>,
): Promise<string[]> {
  const queue = [...written];
  const faults: string[] = [];
  const checker = async (): Promise<void> => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      const { world } = one;
      faults.push(...(await check(one).catch((error) => [`${world}: not checked: ${error}`])));
    }
  };
  await Promise.all(Array.from({ length: 2 * WRITERS }, checker));
  return faults;
}
