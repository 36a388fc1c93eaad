/** Writes data in a world while processes are killed, and checks afterwards that it is stored. */
import { setTimeout } from 'node:timers/promises';
import { pdf } from '../../../test/support/files.ts';
import { fillablePlaceholderOf } from '../../../test/support/letter.ts';
import { BOUNDARY, multipart, partsOf } from '../../../test/support/multipart.ts';
import { type Answer, citizenToken, type Dependencies, letterTokens, type Send } from '../outside.ts';

/** What the service acknowledged with a 2xx in one world. */
export interface Acknowledged {
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
const TAGS = ['draft', 'submitted', 'approved', 'sent'];

/** Returns the access tokens of all persons who write in a world. */
const tokensIn = async (dependencies: Dependencies, world: string) => ({
  sanne: await citizenToken(dependencies, `${PEOPLE.sanne}@${world}`),
  noor: await citizenToken(dependencies, `${PEOPLE.noor}@${world}`),
  ...(await letterTokens(dependencies, world)),
});

/**
 * Milliseconds for which a request is repeated while the answer says to try later. It is longer than a claim of a
 * killed process lasts.
 */
const LATER_FOR = 120_000;
const LATER = ['sleutel-in-gebruik', 'overbelast', 'bron-te-laat', 'bron-niet-beschikbaar'];

/** Repeats a request until the claim of the killed process has expired. */
async function repeat(again: () => Promise<Answer>): Promise<Answer> {
  const until = Date.now() + LATER_FOR;
  for (;;) {
    const reply = await again();
    if (!LATER.includes(reply.body.code) || Date.now() > until) return reply;
    await setTimeout(250);
  }
}

/**
 * Writes in a world, always in the same order: a draft, an upload, a submit, requests and the letter. Adds to
 * `acknowledged` what the service answers. Rejects when the connection breaks.
 */
export async function write(send: Send, dependencies: Dependencies, acknowledged: Acknowledged): Promise<void> {
  const { world, requests } = acknowledged;
  const tokens = await tokensIn(dependencies, world);
  const { id } = (await send('POST', '/applications', tokens.sanne, { json: { type: 'herregistratie' } })).body;
  for (let step = 1; step <= 3; step += 1) {
    const json = { draft: { step }, stepIndex: 0, stepCount: 3 };
    const saved = await send('PUT', `/applications/${id}`, tokens.sanne, { json });
    if (saved.status === 204) acknowledged.draft = { id, step };
  }
  const bytes = pdf({ pad: 50_000 });
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  const sent = await send('POST', '/uploads', tokens.sanne, { headers, body: multipart(partsOf({ file: bytes })) });
  if (sent.status === 201) acknowledged.document = { id: sent.body.documentId, bytes };
  const submitted = await send('POST', `/applications/${id}/submit`, tokens.sanne, { json: { uren: 2_600 } });
  if (submitted.status === 200) acknowledged.submitted = { id, referentie: submitted.body.referentie };
  for (const { key, path, as, json } of REQUESTS) {
    const reply = await send('POST', path, tokens[as], { json, headers: { 'idempotency-key': key } });
    if (reply.status === 200) requests.set(key, reply.body.referentie);
  }
  const { sections } = (await send('GET', '/brief', tokens.drafter)).body.brief;
  fillablePlaceholderOf(sections).text = '1 juni 2022 tot 1 mei 2026';
  for (const step of [
    () => send('PUT', '/brief', tokens.drafter, { json: { sections } }),
    () => send('POST', '/brief/submit', tokens.drafter),
    () => send('POST', '/brief/approve', tokens.approver),
    () => send('POST', '/brief/send', tokens.handler),
  ]) {
    const { status, body } = await step();
    if (status === 200) acknowledged.letter = body.status.tag;
  }
}

/**
 * Compares a world with what was acknowledged in it, after a restart. Returns what is lost or stored twice, as
 * sentences; an empty list when nothing is.
 */
export async function check(send: Send, dependencies: Dependencies, acknowledged: Acknowledged): Promise<string[]> {
  const { world, draft, submitted, document, requests, letter } = acknowledged;
  const faults: string[] = [];
  const expectThat = (holds: boolean, sentence: string) => {
    if (!holds) faults.push(`${world}: ${sentence}`);
  };
  const tokens = await tokensIn(dependencies, world);
  const get = (path: string, token = tokens.sanne) => repeat(() => send('GET', path, token));
  // A repeat with the same key completes a request of which the result is unknown, and may not store it twice.
  for (const { key, path, as, json } of REQUESTS) {
    const content = { json, headers: { 'idempotency-key': key } };
    const { status, body } = await repeat(() => send('POST', path, tokens[as], content));
    const known = requests.get(key);
    expectThat(status === 200, `a repeat of ${path} is ${status} ${body.code}`);
    expectThat(known === undefined || known === body.referentie, `a repeat of ${path} made another request`);
  }
  if (draft !== undefined) {
    const { status, body } = await get(`/applications/${draft.id}`);
    expectThat(status === 200 && body.draft?.step >= draft.step, `a saved draft is lost (${status})`);
    const again = await repeat(() =>
      send('POST', `/applications/${draft.id}/submit`, tokens.sanne, { json: { uren: 2_600 } }),
    );
    expectThat([200, 409].includes(again.status), `a repeated submit is ${again.status} ${again.body.code}`);
    if (submitted !== undefined)
      expectThat(again.body.referentie === submitted.referentie, 'a submitted draft has another reference');
  }
  if (document !== undefined) {
    const { results } = (await get('/uploads/status')).body;
    const found = results.filter((one: { documentId: string }) => one.documentId === document.id);
    expectThat(found.length === 1 && results.length === 1, 'an upload is lost or there twice');
    const file = await get(`/uploads/${document.id}/content`);
    expectThat(file.body === document.bytes.toString('latin1'), `an uploaded file is lost (${file.status})`);
  }
  // In the register: what the service lists is there once, and no kind of request is there twice.
  for (const [name, slug] of Object.entries(PEOPLE)) {
    const { body } = await get('/applications', tokens[name as keyof typeof PEOPLE]);
    const ours = body.map((one: { status: { referentie: string | null } }) => one.status.referentie);
    const theirs = dependencies.simulators.worlds.at(world).state.zaken(`${slug}@${world}`);
    for (const referentie of ours.filter(Boolean)) {
      const there = theirs.filter((one) => one.referentie === referentie).length;
      expectThat(there === 1, `${referentie} is in the register ${there} times`);
    }
    const kinds = theirs.map(({ soort }) => soort);
    expectThat(new Set(kinds).size === kinds.length, `the register has a request twice: ${kinds.join(', ')}`);
  }
  if (letter !== undefined) {
    const { tag } = (await get('/brief', tokens.drafter)).body.brief.status;
    expectThat(TAGS.indexOf(tag) >= TAGS.indexOf(letter), `a letter that was ${letter} is ${tag}`);
  }
  return faults;
}
