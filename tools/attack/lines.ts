/**
 * Attacks the processing log under load: its file is rotated, cannot be written, and is on a full disk, and the service
 * is killed. Each answer about a person must have exactly one line, except answers in the last moment before a kill.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Agent } from 'undici';
import { buildArtefact } from '../../test/support/artefact.ts';
import type { Figures } from './figures.ts';
import { type Artefact, citizenToken, sender, startArtefact, startDependencies } from './outside.ts';

/** Number of callers at the same time. */
const CALLERS = 8;
/** Milliseconds of load in each round. */
const LOAD = 1_000;
/** Number of rotations of the file. `ROTATION` is the number of milliseconds between two. */
const ROTATIONS = 20;
const ROTATION = 40;
/** Milliseconds within which all lines must be written after the file can be written again. */
const RECOVERY = 20_000;
/** Maximum number of milliseconds between the moment that the disk is full and the first refused request. */
const REFUSAL = 60_000;
/**
 * Milliseconds before a kill in which an answer may have no line. The service promises 5 ms and one write; a busy
 * machine takes longer.
 */
const MOMENT = 1_000;

/** The moments of the answers, keyed by trace id. */
type Given = Map<string, number>;

/** Runs each of the three faults of the file once, and kills the artefact `count` times. */
export async function lines(count: number): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'zorgregister-lines-'));
  const dependencies = await startDependencies(folder);
  const dist = await buildArtefact();
  const token = await citizenToken(dependencies, 'sanne-de-wit@lines');
  const agent = new Agent();
  const faults: string[] = [];
  const logs = join(folder, 'logs');
  mkdirSync(logs);
  const path = join(logs, 'processing.log');
  const start = () =>
    startArtefact(dist, folder, { ...dependencies.env, PROCESSING_LOG: path, RATE_LIMIT_PER_MINUTE: '0' });

  /**
   * Calls the service until `isOver` returns true, and adds each answer with status 200 to `given`. Returns the number
   * of answers with status 503.
   */
  async function load({ url }: Artefact, given: Given, isOver: (refused: number) => boolean): Promise<number> {
    const send = sender(() => url, agent);
    let refused = 0;
    const caller = async (): Promise<void> => {
      while (!isOver(refused)) {
        const trace = randomBytes(16).toString('hex');
        const headers = { traceparent: `00-${trace}-${trace.slice(16)}-01` };
        const answer = await send('GET', '/uploads/status', token, { headers }).catch(() => null);
        if (answer?.status === 200) given.set(trace, performance.now());
        if (answer?.status === 503) refused += 1;
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
    return refused;
  }

  /** Returns how often each trace id occurs in the files, and the number of lines that are not valid JSON. */
  function written(): { times: Map<string, number>; torn: number } {
    const times = new Map<string, number>();
    let torn = 0;
    for (const name of readdirSync(logs))
      for (const line of readFileSync(join(logs, name), 'utf8').split('\n').filter(Boolean)) {
        const [, trace = ''] = /^\{"log":"processing","trace_id":"(\w+)".*\}$/.exec(line) ?? [];
        if (trace === '') torn += 1;
        else times.set(trace, (times.get(trace) ?? 0) + 1);
      }
    return { times, torn };
  }

  /** Waits until each answer has a line, and reports the answers with no line or with more than one. */
  async function demandAll(name: string, given: Given): Promise<void> {
    const missing = ({ times }: ReturnType<typeof written>) => [...given.keys()].filter((trace) => !times.has(trace));
    for (const until = Date.now() + RECOVERY; missing(written()).length > 0 && Date.now() < until; )
      await setTimeout(100);
    const { times, torn } = written();
    const twice = [...given.keys()].filter((trace) => (times.get(trace) ?? 0) > 1).length;
    const lost = missing({ times, torn }).length;
    if (lost + twice + torn > 0) faults.push(`${name}: ${lost} lines lost, ${twice} twice, ${torn} broken`);
    if (given.size === 0) faults.push(`${name}: nothing was answered`);
    answers += given.size;
    rmSync(logs, { recursive: true });
    mkdirSync(logs);
  }
  let answers = 0;

  let artefact = await start();
  const rotated: Given = new Map();
  let files = 0;
  await Promise.all([
    load(artefact, rotated, () => files >= ROTATIONS),
    (async () => {
      for (; files < ROTATIONS; await setTimeout(ROTATION)) {
        try {
          renameSync(path, join(logs, `${files}.log`));
          files += 1;
        } catch {
          // The service has not made the new file yet.
        }
      }
    })(),
  ]);
  await demandAll('rotation', rotated);

  /** Replaces the file by something that cannot be written (`block`), and waits until the service refuses a request. */
  async function unwritable(name: string, block: () => void, unblock: () => void): Promise<number> {
    const given: Given = new Map();
    block();
    const until = performance.now() + REFUSAL;
    const refused = await load(artefact, given, (seen) => seen > 0 || performance.now() > until);
    if (refused === 0) faults.push(`${name}: ${given.size} answers without a line, and none refused`);
    unblock();
    await demandAll(name, given);
    return given.size;
  }
  const waited = {
    folder: await unwritable(
      'a folder in its place',
      () => mkdirSync(path),
      () => rmdirSync(path),
    ),
    full: await unwritable(
      'a full disk',
      () => symlinkSync('/dev/full', path),
      () => rmSync(path),
    ),
  };

  let [without, oldest, torn] = [0, 0, 0];
  for (let round = 1; round <= count; round += 1) {
    const given: Given = new Map();
    const killAt = performance.now() + LOAD / 4 + Math.random() * LOAD;
    const { kill } = artefact;
    let killed = Number.POSITIVE_INFINITY;
    const killing = setTimeout(killAt - performance.now()).then(() => {
      killed = performance.now();
      return kill();
    });
    await Promise.all([load(artefact, given, () => performance.now() > killAt), killing]);
    const after = written();
    for (const [trace, at] of given) {
      if ((after.times.get(trace) ?? 0) > 1) faults.push('a line is there twice after a kill');
      if (after.times.has(trace)) continue;
      without += 1;
      oldest = Math.max(oldest, killed - at);
    }
    answers += given.size;
    artefact = await start();
  }
  // The line that a kill broke off is ended before the next: at most one is broken for each kill.
  const last: Given = new Map();
  const end = performance.now() + LOAD / 4;
  await load(artefact, last, () => performance.now() > end);
  await setTimeout(LOAD);
  ({ torn } = written());
  if (torn > count) faults.push(`${torn} lines are broken after ${count} kills`);
  if ([...last.keys()].some((trace) => !written().times.has(trace))) faults.push('a line after a kill is lost');
  if (oldest > MOMENT) faults.push(`an answer of ${oldest.toFixed(0)} ms before a kill has no line`);
  await artefact.kill();
  await agent.destroy();
  await dependencies.close();
  rmSync(folder, { recursive: true, force: true });
  return {
    figures: {
      answers,
      rotations: files,
      'answers before a refusal, with a folder in its place': waited.folder,
      'answers before a refusal, with a full disk': waited.full,
      kills: count,
      'answers without a line after a kill': without,
      'of which the oldest was ms before it': oldest.toFixed(0),
      'lines broken by kills': torn,
    },
    faults,
  };
}
