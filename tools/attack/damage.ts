/**
 * Damage of the store: cuts off or overwrites a part of the SQLite file, or takes away the right to write it, and
 * starts the service on it. Data that the service acknowledged must be returned or refused with a reason: no request
 * may succeed without them.
 */
import { spawn } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { request } from 'undici';
import type { Figures } from './figures.ts';
import { startServiceProcess } from './process.ts';

const PATH = '/api/v1/applications';
const FILE = 'zorgregister.sqlite';
/** Number of owners of drafts. With drafts of 3 kB the file has some hundred pages. */
const OWNERS = 30;
/** Number of drafts of each owner. */
const DRAFTS = 4;
/** Size of a page of the SQLite file, in bytes. */
const PAGE = 4_096;
/**
 * Id of a user without rights, with whom the service is started on a folder that it may not write. Root may write
 * everything.
 */
const NOBODY = 65_534;

/** Makes random damage of the file. `at` is the place of the damage as a fraction of the length of the file. */
const damages = fc.oneof(
  fc.record({ kind: fc.constant('cut off' as const), at: fc.double({ min: 0.01, max: 0.99, noNaN: true }) }),
  fc.record({
    kind: fc.constantFrom('overwritten with 0x00', 'overwritten with 0xff', 'overwritten with text'),
    at: fc.double({ min: 0, max: 0.99, noNaN: true }),
    pages: fc.integer({ min: 1, max: 20 }),
  }),
);
type Damage = typeof damages extends fc.Arbitrary<infer One> ? One : never;

const FILL: Readonly<Record<string, number | string>> = {
  'overwritten with 0x00': 0,
  'overwritten with 0xff': 0xff,
  'overwritten with text': 'dit is geen database ',
};

function damage(file: string, done: Damage): void {
  const bytes = readFileSync(file);
  const at = Math.floor((bytes.length / PAGE) * done.at) * PAGE;
  if ('pages' in done)
    writeFileSync(file, bytes.fill(FILL[done.kind] ?? 0, at, Math.min(bytes.length, at + done.pages * PAGE)));
  else writeFileSync(file, bytes.subarray(0, Math.max(1, Math.floor(bytes.length * done.at))));
}

interface Started {
  readonly url: string | null;
  /** All that the service printed until it was ready or stopped. */
  readonly text: string;
  stop(): Promise<void>;
}

/**
 * Starts the service on a data folder, as the user `uid` when given. Resolves when the service is ready, or with `url`
 * null when it has stopped.
 */
async function start(folder: string, uid?: number): Promise<Started> {
  const env = { PATH: process.env.PATH ?? '', PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'silent', TMPDIR: tmpdir() };
  const child = spawn(process.execPath, ['start.js'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { ...env, PROCESSING_LOG: 'nowhere', SIMULATOR_TODAY: '2026-06-01' },
    ...(uid !== undefined && { uid, gid: uid }),
  });
  let text = '';
  const exit = new Promise<null>((resolve) => child.once('exit', () => resolve(null)));
  const ready = new Promise<string>((resolve) => {
    const read = (chunk: Buffer) => {
      text += chunk;
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? [];
      if (url !== undefined && text.includes('Try:')) resolve(url);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
  });
  const url = await Promise.race([ready, exit]);
  return {
    url,
    text,
    async stop() {
      child.kill('SIGKILL');
      await exit;
    },
  };
}

/**
 * Reads the drafts of every owner, and returns the faults: a list in which an acknowledged draft is missing, or a
 * status other than 200 and 503. Adds the number of 503 answers to `count.refused`.
 */
async function judge(url: string, saved: ReadonlyMap<string, readonly string[]>, count: { refused: number }) {
  const faults: string[] = [];
  for (const [as, ids] of saved) {
    const headers = { authorization: 'Bearer x', 'x-subject': as };
    const answer = await request(url + PATH, { headers });
    const body = (await answer.body.json()) as { id: string }[];
    if (answer.statusCode === 503) count.refused += 1;
    else if (answer.statusCode !== 200) faults.push(`a list is ${answer.statusCode}`);
    else if (ids.some((id) => !body.some((one) => one.id === id))) faults.push('a list misses an acknowledged draft');
  }
  return [...new Set(faults)];
}

/**
 * Damages a copy of the same filled store `count` times, and each time starts the service on it and reads the drafts. A
 * refused start must name the damage and may not change the file.
 */
export async function damageStore(count: number): Promise<Figures> {
  const root = mkdtempSync(join(tmpdir(), 'zorgregister-damage-'));
  const [whole, folder] = [join(root, 'whole'), join(root, 'damaged')];
  const service = await startServiceProcess({ DATA_DIR: whole });
  const saved = new Map<string, string[]>();
  for (let n = 0; n < OWNERS; n += 1) {
    const as = `sanne-de-wit@damage-${n}`;
    const ids: string[] = [];
    for (let draft = 0; draft < DRAFTS; draft += 1) {
      const { id } = (await service.call('POST', PATH, { as, json: { type: 'intake' } })).body;
      await service.call('PUT', `${PATH}/${id}`, { as, json: { draft: { text: 'x'.repeat(3_000) } } });
      ids.push(id);
    }
    saved.set(as, ids);
  }
  await service.kill();
  // SQLite would repair the file from the write-ahead log.
  const db = new DatabaseSync(join(whole, FILE));
  db.exec('pragma wal_checkpoint(truncate)');
  db.close();

  const seed = Number(process.env.SEED ?? Date.now() % 1e9);
  const faults: string[] = [];
  const refused = { starts: 0, refused: 0 };
  for (const done of fc.sample(damages, { numRuns: count, seed })) {
    rmSync(folder, { recursive: true, force: true });
    cpSync(whole, folder, { recursive: true });
    damage(join(folder, FILE), done);
    const before = readFileSync(join(folder, FILE));
    const { url, text, stop } = await start(folder);
    const wrong = url === null ? [] : await judge(url, saved, refused);
    await stop();
    if (url === null) {
      refused.starts += 1;
      if (!/^DATA_DIR: \S+ is damaged/m.test(text) || /\n\s+at /.test(text)) wrong.push(`the start says ${text}`);
      if (!readFileSync(join(folder, FILE)).equals(before)) wrong.push('the file was changed by a refused start');
    }
    faults.push(...wrong.map((one) => `${JSON.stringify(done)}: ${one}`));
  }
  faults.push(...(await readOnly(whole, folder)));
  rmSync(root, { recursive: true, force: true });
  return {
    figures: { damages: count, 'starts refused': refused.starts, '503 answers': refused.refused, seed },
    faults,
  };
}

/**
 * Starts the service on a folder that it may read and not write, and returns a fault when it does not refuse to start.
 * Returns nothing when this process is not root, because only root can start a process as another user.
 */
async function readOnly(whole: string, folder: string): Promise<string[]> {
  if (process.getuid?.() !== 0) return [];
  rmSync(folder, { recursive: true, force: true });
  cpSync(whole, folder, { recursive: true });
  chownSync(join(folder, '..'), NOBODY, NOBODY);
  chmodSync(folder, 0o555);
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o444);
  const { url, text, stop } = await start(folder, NOBODY);
  await stop();
  return url === null && /^DATA_DIR: .+ Choose a folder that can be written/m.test(text)
    ? []
    : [`a read-only folder: ${url ?? text}`];
}
