/**
 * Kills the service (with SQLite and with PostgreSQL) and PostgreSQL itself at random moments during writes of every
 * kind. Then compares what the service acknowledged with what its store and the simulated upstreams contain: nothing
 * may be lost, and nothing may be stored twice.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pdf } from '../support/files.ts';
import { blankOf, deskIn } from '../support/letter.ts';
import { BOUNDARY, multipart, partsOf } from '../support/multipart.ts';
import { startPostgres } from '../support/postgres.ts';
import type { Reply, TestService } from '../support/service.ts';
import type { Figures } from './figures.ts';
import { startVictim, type Victim } from './process.ts';

const API = '/api/v1';
/** Number of worlds to which requests write at the same time. */
const WRITERS = 4;
/** Milliseconds after the start of the writes within which the process is killed. */
const WITHIN = 1_500;

/**
 * The last writes that the service acknowledged in one world; a member is absent when nothing of that kind was
 * acknowledged.
 */
interface Acknowledged {
  readonly world: string;
  draft?: { readonly id: string; readonly step: number };
  submitted?: { readonly id: string; readonly referentie: string };
  document?: { readonly id: string; readonly bytes: Buffer };
  /** References of requests without a draft, keyed by Idempotency-Key. */
  readonly requests: Map<string, string>;
  letter?: string;
}

const PEOPLE = { sanne: 'sanne-de-wit', noor: 'noor-bakker' };
const REQUESTS: readonly { key: string; path: string; as: keyof typeof PEOPLE; json: object }[] = [
  { key: 'her', path: '/intakes', as: 'sanne', json: { uren: 2_600 } },
  {
    key: 'adr',
    path: '/change-requests',
    as: 'sanne',
    json: { straat: 'Dam 1', postcode: '1012 JS', woonplaats: 'Amsterdam' },
  },
  { key: 'reg', path: '/registrations', as: 'noor', json: { diplomaHerkomst: 'duo' } },
];

/**
 * Sends a request again while the answer is `sleutel-in-gebruik` or `overbelast`, for at most 15 seconds, and returns
 * the last answer. The claim of a killed process on an idempotency key ends after at most ten seconds.
 */
async function repeat(again: () => Promise<Reply>): Promise<Reply> {
  const until = Date.now() + 15_000;
  for (;;) {
    const reply = await again();
    if (!['sleutel-in-gebruik', 'overbelast'].includes(reply.body.code) || Date.now() > until) return reply;
    await setTimeout(250);
  }
}

const send = (victim: Victim, world: string, { key, path, as, json }: (typeof REQUESTS)[number]): Promise<Reply> =>
  victim.call('POST', API + path, { as: `${PEOPLE[as]}@${world}`, json, headers: { 'idempotency-key': key } });
const deskOf = (victim: Victim, world: string) => deskIn(victim as unknown as TestService, world);

/**
 * Writes in a world, always in the same order: a draft, an upload, a submit, requests and the letter. Adds to
 * `acknowledged` what the service answers. Rejects when the connection breaks.
 */
async function write(victim: Victim, acknowledged: Acknowledged): Promise<void> {
  const { world, requests } = acknowledged;
  const as = `${PEOPLE.sanne}@${world}`;
  const draft = await victim.call('POST', `${API}/applications`, { as, json: { type: 'herregistratie' } });
  const { id } = draft.body;
  for (let step = 1; step <= 3; step += 1) {
    const json = { draft: { step }, stepIndex: 0, stepCount: 3 };
    const saved = await victim.call('PUT', `${API}/applications/${id}`, { as, json });
    if (saved.status === 204) acknowledged.draft = { id, step };
  }
  const bytes = pdf({ pad: 50_000 });
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  const sent = await victim.call('POST', `${API}/uploads`, { as, headers, body: multipart(partsOf({ file: bytes })) });
  if (sent.status === 201) acknowledged.document = { id: sent.body.documentId, bytes };
  const submitted = await victim.call('POST', `${API}/applications/${id}/submit`, { as, json: { uren: 2_600 } });
  if (submitted.status === 200) acknowledged.submitted = { id, referentie: submitted.body.referentie };
  for (const one of REQUESTS) {
    const reply = await send(victim, world, one);
    if (reply.status === 200) requests.set(one.key, reply.body.referentie);
  }
  const desk = deskOf(victim, world);
  const { sections } = (await desk.get('dana')).body.brief;
  blankOf(sections).text = '1 juni 2021 tot 1 juni 2026';
  for (const step of [
    () => desk.put('dana', sections),
    () => desk.post('dana', 'submit'),
    () => desk.post('anna', 'approve'),
    () => desk.post('bas', 'send'),
  ]) {
    const { status, body } = await step();
    if (status === 200) acknowledged.letter = body.status.tag;
  }
}

const TAGS = ['draft', 'submitted', 'approved', 'sent'];

/**
 * Compares a world with what was acknowledged in it, after a restart. Returns what is lost or stored twice, as
 * sentences; an empty list when nothing is.
 */
async function check(victim: Victim, acknowledged: Acknowledged): Promise<string[]> {
  const { world, draft, submitted, document, requests, letter } = acknowledged;
  const faults: string[] = [];
  const expectThat = (holds: boolean, sentence: string) => {
    if (!holds) faults.push(`${world}: ${sentence}`);
  };
  const as = `${PEOPLE.sanne}@${world}`;
  // A repeat with the same key completes a request of which the result is unknown, and may not store it twice.
  for (const one of REQUESTS) {
    const { status, body } = await repeat(() => send(victim, world, one));
    const known = requests.get(one.key);
    expectThat(status === 200, `a repeat of ${one.path} is ${status} ${body.code}`);
    expectThat(known === undefined || known === body.referentie, `a repeat of ${one.path} made another request`);
  }
  if (draft !== undefined) {
    const { status, body } = await victim.call('GET', `${API}/applications/${draft.id}`, { as });
    expectThat(status === 200 && body.draft?.step >= draft.step, `a saved draft is lost (${status})`);
    const path = `${API}/applications/${draft.id}/submit`;
    const again = await repeat(() => victim.call('POST', path, { as, json: { uren: 2_600 } }));
    const { referentie } = again.body;
    expectThat([200, 409].includes(again.status), `a repeated submit is ${again.status} ${again.body.code}`);
    if (submitted !== undefined)
      expectThat(referentie === submitted.referentie, 'a submitted draft has another reference');
  }
  if (document !== undefined) {
    const { body } = await victim.call('GET', `${API}/uploads/status`, { as });
    const found = body.results.filter((one: { documentId: string }) => one.documentId === document.id);
    expectThat(found.length === 1 && body.results.length === 1, 'an upload is lost or there twice');
    const file = await victim.call('GET', `${API}/uploads/${document.id}/content`, { as });
    expectThat(file.body === document.bytes.toString('latin1'), `an uploaded file is lost (${file.status})`);
  }
  const { body: zaken } = await victim.call('GET', `/_simulator/worlds/${world}/zaken`);
  const listed = await Promise.all(
    Object.values(PEOPLE).map((slug) => victim.call('GET', `${API}/applications`, { as: `${slug}@${world}` })),
  );
  const ours = listed.flatMap(({ body }) => body.map((one: Reply['body']) => one.status.referentie).filter(Boolean));
  const theirs = zaken.map((one: { referentie: string }) => one.referentie);
  for (const referentie of ours)
    expectThat(
      theirs.filter((one: string) => one === referentie).length === 1,
      `${referentie} is not in the register once`,
    );
  const sorts = zaken
    .filter(({ referentie }: { referentie: string }) => Number(referentie.slice(-6)) > 10_000)
    .map(({ soort }: { soort: string }) => soort);
  expectThat(new Set(sorts).size === sorts.length, `the register has a request twice: ${sorts.join(', ')}`);
  if (letter !== undefined) {
    const { tag } = (await deskOf(victim, world).get('dana')).body.brief.status;
    expectThat(TAGS.indexOf(tag) >= TAGS.indexOf(letter), `a letter that was ${letter} is ${tag}`);
  }
  return faults;
}

/**
 * Kills the service `count` times with SQLite and `count` times with PostgreSQL, and kills PostgreSQL itself a quarter
 * as often.
 */
export async function kills(count: number): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'zorgregister-kills-'));
  const postgres = await startPostgres();
  const faults: string[] = [];
  let worlds = 0;
  let acknowledgements = 0;
  async function rounds(name: string, rounds: number, env: Record<string, string>, crash?: () => Promise<void>) {
    let victim = await startVictim(env);
    for (let round = 0; round < rounds; round += 1) {
      const written = Array.from({ length: WRITERS }, (): Acknowledged => {
        worlds += 1;
        return { world: `${name}-${worlds}`, requests: new Map() };
      });
      const writes = written.map((one) => write(victim, one).catch(() => undefined));
      await setTimeout(Math.random() * WITHIN);
      if (crash === undefined) {
        await victim.kill();
        victim = await startVictim(env);
      } else await crash();
      await Promise.all(writes);
      for (const one of written) {
        acknowledgements +=
          one.requests.size + [one.draft, one.submitted, one.document, one.letter].filter(Boolean).length;
        faults.push(...(await check(victim, one)));
      }
    }
    await victim.kill();
  }
  try {
    await rounds('sqlite', count, { DATA_DIR: join(folder, 'sqlite') });
    const DATABASE_URL = await postgres.database();
    await rounds('service', count, { DATABASE_URL, DATA_DIR: join(folder, 'service') });
    await rounds('engine', Math.ceil(count / 4), { DATABASE_URL, DATA_DIR: join(folder, 'engine') }, () =>
      postgres.crash(),
    );
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return { figures: { kills: 2 * count + Math.ceil(count / 4), worlds, acknowledgements }, faults };
}
