/**
 * Soak test: sends all kinds of requests at a fixed rate for some minutes. Memory, handles, files and rows must not
 * grow. No personal value of a request may be in a log line, a metric, a line of the processing log or a problem, and
 * no BSN in the journal.
 */
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { pdf } from '../support/files.ts';
import { blankOf, deskIn, freeText } from '../support/letter.ts';
import { BOUNDARY, multipart, partsOf } from '../support/multipart.ts';
import { freePort } from '../support/postgres.ts';
import type { CallOptions, Reply, TestService } from '../support/service.ts';
import type { Figures } from './figures.ts';
import { startVictim } from './process.ts';

const API = '/api/v1';
/** Number of requests per second. */
const RATE = 150;
/**
 * Number of worlds in which requests are made at the same time. Each world is reset at the end of its round, so that
 * the number of rows stays the same.
 */
const WORLDS = 16;
/** Milliseconds between two samples. */
const SAMPLE = 2_000;

/**
 * Texts that the requests contain. Together with the personal values of the persona (`PERSONAL`) they may be in the
 * answers only.
 */
const TYPED = {
  draft: 'Kwartelvink',
  street: 'Zwaluwtongstraat',
  file: 'verklaring-koekoeksbloem',
  letter: 'Reigersbek',
};
const PERSONAL = ['999990007', '90000010130', 'Merelstraat', '3514CN', '3514 CN', 'de Wit', ...Object.values(TYPED)];

type Send = (method: string, path: string, options?: CallOptions) => Promise<Reply>;

/** Makes every kind of request of a professional and of staff in one world, and then resets the world. */
async function work(send: Send, world: string): Promise<void> {
  const as = `sanne-de-wit@${world}`;
  const get = (path: string) => send('GET', API + path, { as });
  for (const path of ['/dashboard-view', '/notes', '/brp/address', '/duo/diplomas', '/intake/policy']) await get(path);
  const { id } = (await send('POST', `${API}/applications`, { as, json: { type: 'herregistratie' } })).body;
  for (let step = 1; step <= 5; step += 1) {
    const json = { draft: { naam: TYPED.draft, step }, stepIndex: step, stepCount: 5 };
    await send('PUT', `${API}/applications/${id}`, { as, json });
  }
  await get(`/applications/${id}`);
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  const file = { file: pdf({ pad: 20_000 }), filename: `${TYPED.file}.pdf` };
  const { documentId } = (await send('POST', `${API}/uploads`, { as, headers, body: multipart(partsOf(file)) })).body;
  await get('/uploads/status');
  await get(`/uploads/${documentId}/content`);
  // These requests are refused with a problem, which may not contain the sent values.
  const address = { straat: TYPED.street, postcode: '3514CN', woonplaats: 'Utrecht' };
  await send('POST', `${API}/change-requests`, { as, json: address });
  await send('PUT', `${API}/applications/${id}`, { as, json: { draft: {}, documentIds: [TYPED.file] } });
  await send('POST', `${API}/intakes`, { as, json: { uren: TYPED.draft } });
  await send('POST', `${API}/intakes`, {
    as,
    body: `{"uren": "${TYPED.draft}`,
    headers: { 'content-type': 'application/json' },
  });
  await send('GET', `${API}/uploads/status?localIds=${TYPED.file}&${TYPED.street}=999990007`, { as });
  await send('GET', `${API}/applications/${TYPED.file}`, { as });
  await send('POST', `${API}/change-requests`, { as, json: { ...address, straat: `${TYPED.street} 12` } });
  await send('POST', `${API}/applications/${id}/submit`, { as, json: { uren: 2_600 } });
  await get('/applications');
  const desk = deskIn({ call: send } as unknown as TestService, world);
  const { sections } = (await desk.get('dana')).body.brief;
  blankOf(sections).text = '1 juni 2021 tot 1 juni 2026';
  sections[5].blocks = [freeText(TYPED.letter)];
  await desk.put('dana', sections);
  await desk.post('dana', 'submit');
  await desk.post('anna', 'approve');
  await desk.preview('anna');
  await desk.post('bas', 'send');
  await send('POST', `/_simulator/worlds/${world}/reset`);
}

/**
 * What the process uses at one moment: memory in MiB, and the numbers of file descriptors, of files in its folders and
 * of rows in its store.
 */
interface Sample {
  readonly memory: number;
  readonly handles: number;
  readonly files: number;
  readonly rows: number;
}

const countFiles = (folder: string): number => readdirSync(folder, { recursive: true }).length;

function sample(pid: number, folder: string): Sample {
  const db = new DatabaseSync(join(folder, 'data', 'zorgregister.sqlite'), { readOnly: true });
  const tables = db.prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'").all();
  // Keys are kept for a day.
  const counted = tables.map(({ name }) => String(name)).filter((name) => name !== 'keys' && name !== 'rates');
  const rows = counted.map((name) => Number(db.prepare(`select count(*) n from "${name}"`).get()?.n));
  db.close();
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const descriptors = readdirSync(`/proc/${pid}/fd`).filter((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`) !== '';
    } catch {
      return false;
    }
  });
  return {
    memory: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024,
    handles: descriptors.length,
    files: countFiles(folder),
    rows: rows.reduce((sum, one) => sum + one, 0),
  };
}

/** By how much each value may grow between the second and the last quarter of the run, in addition to ten percent. */
const SLACK: Sample = { memory: 40, handles: 40, files: 60, rows: 400 };

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / (values.length || 1);

/**
 * Runs the soak test for `minutes` minutes, and compares the mean values of the second quarter with those of the last.
 */
export async function soak(minutes: number): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'zorgregister-attack-'));
  const processing = join(folder, 'processing.log');
  const management = await freePort();
  const victim = await startVictim({
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'info',
    LOG_FORMAT: 'json',
    PROCESSING_LOG: processing,
    MANAGEMENT_PORT: String(management),
  });
  const faults: string[] = [];
  const samples: Sample[] = [];
  const problems = new Set<string>();
  const journals = new Set<string>();
  const statuses: Record<string, number> = {};
  let sent = 0;
  const begin = performance.now();
  const end = begin + minutes * 60_000;
  const send: Send = async (method, path, options) => {
    // The time at which this request is due; a late one is sent at once.
    const due = begin + (sent * 1_000) / RATE;
    sent += 1;
    const wait = due - performance.now();
    if (wait > 0) await setTimeout(wait);
    const reply = await victim.call(method, path, options);
    statuses[reply.status] = (statuses[reply.status] ?? 0) + 1;
    if (reply.status >= 500 && reply.body.code !== 'overbelast') faults.push(`${method} ${path} is ${reply.status}`);
    if (reply.status >= 400) problems.add(JSON.stringify({ ...reply.body, instance: '', traceId: '' }));
    return reply;
  };
  const worker = async (n: number): Promise<void> => {
    while (performance.now() < end) {
      await work(send, `soak-${n}`).catch((error) => {
        // When a request was refused by load shedding, the next steps lack its data.
        if (!(error instanceof TypeError)) throw error;
      });
    }
  };
  const watch = async (): Promise<void> => {
    while (performance.now() < end) {
      await setTimeout(SAMPLE);
      samples.push(sample(victim.pid, folder));
      journals.add(JSON.stringify((await victim.call('GET', '/_simulator/worlds/soak-0/journal')).body));
    }
  };
  await Promise.all([...Array.from({ length: WORLDS }, (_, n) => worker(n)), watch()]);
  const rate = sent / ((performance.now() - begin) / 1_000);
  const metrics = await (await fetch(`http://127.0.0.1:${management}/metrics`)).text();
  const printed = victim.printed();
  await victim.kill();

  const quarter = Math.floor(samples.length / 4);
  const levels: Record<string, string> = {};
  for (const what of Object.keys(SLACK) as (keyof Sample)[]) {
    const early = mean(samples.slice(quarter, 2 * quarter).map((one) => one[what]));
    const late = mean(samples.slice(-quarter).map((one) => one[what]));
    levels[what] = `${early.toFixed(0)} then ${late.toFixed(0)}`;
    if (late > early * 1.1 + SLACK[what]) faults.push(`${what} grew from ${early.toFixed(0)} to ${late.toFixed(0)}`);
  }
  const places: Readonly<Record<string, string>> = {
    'a log line': printed,
    'a metric': metrics,
    'the processing log': readFileSync(processing, 'utf8'),
    'a problem': [...problems].join('\n'),
  };
  for (const [place, text] of Object.entries(places)) {
    if (text === '') faults.push(`nothing was searched in ${place}`);
    for (const value of PERSONAL)
      if (text.includes(value)) faults.push(`${value} is in ${place}: ${around(text, value)}`);
  }
  if ([...journals].some((one) => one.includes('999990007'))) faults.push('a BSN is in the journal');
  rmSync(folder, { recursive: true, force: true });
  const bytes = Object.values(places).reduce((sum, text) => sum + text.length, 0);
  const figures = {
    minutes,
    requests: sent,
    'a second': rate.toFixed(0),
    ...levels,
    'MiB searched': (bytes / 2 ** 20).toFixed(1),
  };
  return { figures: { ...figures, answers: JSON.stringify(statuses) }, faults };
}

const around = (text: string, value: string): string =>
  text.slice(Math.max(0, text.indexOf(value) - 120)).slice(0, 260);
