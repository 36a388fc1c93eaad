import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { applicationStore } from '../../adapters/store/applications.ts';
import { type OpenStore, openStore } from '../../adapters/store/index.ts';
import { MIGRATIONS } from '../../adapters/store/schema.ts';
import { kyselyDatabase, openSqlite } from '../../adapters/store/sqlite.ts';
import { uploadStore } from '../../adapters/store/uploads.ts';
import type { StoreArchive } from '../../simulator/control/deps.ts';
import { createStoreArchive } from '../../simulator/host/store-archive.ts';
import type { Application, NewApplication } from '../../src/ports/store/applications.ts';
import type { Store } from '../../src/ports/store/store.ts';
import { useEngines } from '../support/engines.ts';
import { temporaryFolder } from '../support/run-folder.ts';
import { keep, together, use } from '../support/service.ts';
import { fakeTimers } from '../support/time.ts';

const engines = useEngines();
const STORES = [
  ['SQLite', async () => openStore({ kind: 'sqlite', folder: ':memory:' })],
  ['PostgreSQL', async () => openStore({ kind: 'postgres', url: await engines.newDatabase() })],
] as const;
const LOCATIONS = [
  ['SQLite', async () => ({ kind: 'sqlite', folder: engines.newFolder() }) as const],
  ['PostgreSQL', async () => ({ kind: 'postgres', url: await engines.newDatabase() }) as const],
] as const;

const AT = '2026-06-01T12:00:00.000Z';
const LATER = '2026-06-01T12:00:05.000Z';
const soon = (): number => Date.now() + 60_000;
const past = (): number => Date.now() - 1;
const held = (token: string) => ({ token, until: soon() });
const lapsed = (token: string) => ({ token, until: past() });
const concept = (over: Partial<NewApplication> = {}): NewApplication => ({
  id: 'a1',
  owner: 'sanne',
  type: 'intake',
  createdAt: AT,
  ...over,
});
const content = (draft: string | null) => ({ draft, stepIndex: 1, stepCount: 3, documentIds: ['d1', 'd2'] });
const sending = { sentKey: 'k1', sentHash: 'h1' };
const archiveOf = (store: object): Pick<StoreArchive, 'reopen'> =>
  'reopen' in store ? (store as StoreArchive) : createStoreArchive((store as Awaited<ReturnType<typeof openStore>>).db);
const reopen = (store: object, referentie: string, about: string | null = null) =>
  archiveOf(store).reopen('default', [{ referentie, about }], LATER);
const settlement = { referentie: 'INT-2026-000001', manual: true, at: LATER };

describe.each(engines.all)('the store on %s', async (_, open) => {
  const store = await use(open());

  const fresh = async (over: Partial<NewApplication> = {}): Promise<Store['applications']> => {
    await store.erase();
    await store.applications.add(concept(over));
    return store.applications;
  };
  const found = async (id = 'a1', owner = 'sanne'): Promise<Application> => {
    const application = await store.applications.find(owner, id);
    if (application === null) throw new Error(`no ${id} of ${owner}`);
    return application;
  };

  it.each([
    ['with numbers that a JSON parser would change', '{"a":1.0,"b":12345678901234567890,"c":1e400,"d":-0}'],
    ['with members out of order, repeated and with numeric names', '{"b":1,"a":2,"2":0,"1":0,"a":3}'],
    ['with escapes and a NUL', '{"x":"\\u0000\\ud800 \\u00e9 é 🎈","\\u0000":1}'],
    ['with spaces and line breaks', ' [ 1 ,\n 2 ] '],
    ['that is a string', '"tekst"'],
    ['that is null', null],
  ])('returns a draft %s byte for byte', async (__, draft) => {
    const applications = await fresh();
    await applications.sync('sanne', 'a1', content(draft), LATER);
    const saved = { draft, stepIndex: 1, stepCount: 3, documentIds: ['d1', 'd2'], updatedAt: LATER };
    expect(await found()).toMatchObject(saved);
  });

  it('lists only the applications of the owner, the latest change first', async () => {
    const applications = await fresh();
    await applications.add(concept({ id: 'a2', createdAt: '2026-06-01T12:00:01.000Z' }));
    await applications.add(concept({ id: 'b1', owner: 'joost' }));
    await applications.sync('sanne', 'a1', content('{}'), LATER);
    expect((await applications.list('sanne')).map(({ id }) => id)).toEqual(['a1', 'a2']);
    expect(await applications.find('joost', 'a1')).toBeNull();
  });

  it.each([
    ['d1', ['d2', 'd11']],
    ['d2', ['d1', 'd11']],
    ['d11', ['d1', 'd2']],
    ['d', ['d1', 'd2', 'd11']],
  ])('removes document %s from all applications of its owner only, in every state', async (documentId, left) => {
    const documentIds = ['d1', 'd2', 'd11'];
    const applications = await fresh({ documentIds });
    await applications.settle('p1', settlement, { application: concept({ id: 'p1', documentIds }), sending });
    await applications.add(concept({ id: 'b1', owner: 'other', documentIds }));
    await applications.dropDocument('sanne', documentId);
    expect([(await found()).documentIds, (await found('p1')).documentIds]).toEqual([left, left]);
    expect((await found('b1', 'other')).documentIds).toEqual(documentIds);
  });

  it('does not replace an application when one with the same id is added', async () => {
    const applications = await fresh({ draft: '1' });
    await applications.add(concept({ draft: '2' }));
    expect((await found()).draft).toBe('1');
  });

  it('increments the version at each sync, and refuses a sync or a removal for another version as stale', async () => {
    const applications = await fresh();
    expect(await applications.sync('sanne', 'a1', content('1'), LATER, [7, 1])).toBe(2);
    expect(await applications.sync('sanne', 'a1', content('2'), LATER, [1])).toBe('stale');
    expect(await applications.sync('sanne', 'a1', content('2'), LATER, [12, 20, 22])).toBe('stale');
    expect(await applications.sync('sanne', 'a1', content('2'), LATER, [])).toBe('stale');
    expect(await applications.sync('sanne', 'a1', content('3'), LATER)).toBe(3);
    expect((await found()).draft).toBe('3');
    for (const others of [[], [2], [13, 30]]) expect(await applications.remove('sanne', 'a1', others)).toBe('stale');
    expect(await applications.remove('sanne', 'a1', [2, 3])).toEqual(['d1', 'd2']);
  });

  it.each([
    ['of another owner', 'joost', 'a1'],
    ['not stored', 'sanne', 'a9'],
  ])('answers "absent" to a sync, removal or claim of an application that is %s', async (__, owner, id) => {
    const applications = await fresh();
    expect(await applications.sync(owner, id, content('1'), LATER)).toBe('absent');
    expect(await applications.remove(owner, id)).toBe('absent');
    expect(await applications.claim(owner, id, held('t'))).toBe('absent');
    expect((await found()).version).toBe(1);
  });

  it('answers "busy" for an application that is claimed, until the claim is released or expires', async () => {
    const applications = await fresh();
    expect(await applications.claim('sanne', 'a1', held('t1'))).toMatchObject({ id: 'a1' });
    expect(await applications.claim('sanne', 'a1', held('t2'))).toBe('busy');
    expect(await applications.sync('sanne', 'a1', content('1'), LATER)).toBe('busy');
    expect(await applications.remove('sanne', 'a1')).toBe('busy');
    await applications.release('a1', 't1');
    expect(await applications.sync('sanne', 'a1', content('1'), LATER)).toBe(2);
    await applications.claim('sanne', 'a1', lapsed('t3'));
    expect(await applications.remove('sanne', 'a1')).toEqual(['d1', 'd2']);
  });

  it('treats a claim that ends in an hour as expired, because the clock was set back since it was made', async () => {
    const applications = await fresh();
    await applications.claim('sanne', 'a1', { token: 't1', until: Date.now() + 3_600_000 });
    expect((await found()).claimed).toBe(false);
    expect(await applications.sync('sanne', 'a1', content('1'), LATER)).toBe(2);
    expect(await applications.claim('sanne', 'a1', held('t2'))).toMatchObject({ id: 'a1' });
    await store.keys.open('sanne', 'back', 'f', 'id1', Date.now() + 3_600_000);
    expect(await store.keys.open('sanne', 'back', 'f', 'id2', soon())).toMatchObject({ state: 'open', retry: true });
  });

  it('stores an application again when it is settled after it was deleted', async () => {
    const applications = await fresh();
    const sent = { application: concept({ id: 'p1', documentIds: ['d1'] }), sending };
    expect(await applications.settle('p1', settlement)).toBe(false);
    expect(await applications.settle('p1', settlement, sent)).toBe(true);
    expect(await applications.settle('p1', settlement, sent)).toBe(false);
    const { referentie } = settlement;
    const again = { referentie, documentIds: ['d1'], sentKey: 'k1', submittedAt: LATER, tag: 'InBehandeling' };
    expect(await found('p1')).toMatchObject(again);
    expect((await applications.open('sanne')).map(({ id }) => id)).toEqual(['p1']);
  });

  it('refuses another application of a type after one was stored again, and stores a second one again', async () => {
    const applications = await fresh();
    const sent = (id: string) => ({ application: concept({ id }), sending });
    expect(await applications.settle('p1', settlement, sent('p1'))).toBe(true);
    await applications.claim('sanne', 'a1', held('t1'));
    expect(await applications.send('a1', 't1', sending, [])).toBe(false);
    expect(await applications.addPending(concept({ id: 'p2' }), sending, held('p'))).toBe(false);
    expect(await applications.settle('p3', settlement, sent('p3'))).toBe(true);
    expect((await applications.open('sanne')).map(({ id }) => id).sort()).toEqual(['p1', 'p3']);
    // The one that was stored beside p1 still counts when p1 is decided.
    await applications.decide('p1', { tag: 'Afgewezen', reden: null, at: LATER });
    expect(await applications.send('a1', 't1', sending, [])).toBe(false);
    expect(await applications.addPending(concept({ id: 'p2' }), sending, held('p'))).toBe(false);
    await reopen(store, settlement.referentie);
    expect((await applications.open('sanne')).map(({ id }) => id).sort()).toEqual(['p1', 'p3']);
    for (const id of ['p1', 'p3']) await applications.decide(id, { tag: 'Afgewezen', reden: null, at: LATER });
    expect(await applications.send('a1', 't1', sending, [])).toBe(true);
  });

  it('reopens a decided application, also beside another of that type, and sends no third until both are decided', async () => {
    const applications = await fresh();
    const decide = (id: string) => applications.decide(id, { tag: 'Afgewezen', reden: 'Te laat', at: LATER });
    await applications.settle('a1', settlement);
    await decide('a1');
    await applications.addPending(concept({ id: 'a2' }), sending, held('t2'));
    await reopen(store, settlement.referentie);
    expect((await found()).tag).toBe('InBehandeling');
    await applications.settle('a2', { ...settlement, referentie: 'INT-2026-000002' });
    await applications.add(concept({ id: 'a3' }));
    await applications.claim('sanne', 'a3', held('t3'));
    for (const id of ['a1', 'a2']) {
      expect(await applications.send('a3', 't3', sending, [])).toBe(false);
      await decide(id);
    }
    expect(await applications.send('a3', 't3', sending, [])).toBe(true);
  });

  it('reopens a decided application beside one about another registration', async () => {
    const applications = await fresh();
    const add = (id: string, about: string) =>
      applications.addPending(concept({ id, type: 'herregistratie' }), { ...sending, about }, held(id));
    for (const [id, about] of [
      ['h1', 'r1'],
      ['h2', 'r2'],
    ] as const) {
      await add(id, about);
      await applications.settle(id, { ...settlement, referentie: `HER-${id}` });
    }
    await applications.decide('h1', { tag: 'Afgewezen', reden: null, at: LATER });

    await reopen(store, 'HER-h1', 'r1');
    expect((await found('h1')).tag).toBe('InBehandeling');
    expect([await add('h4', 'r1'), await add('h5', 'r3')]).toEqual([false, true]);
  });

  it('deletes a pending application only when it has not changed for the given time', async () => {
    const applications = await fresh();
    await applications.addPending(concept({ id: 'p1' }), sending, lapsed('t1'));
    const { sentAt } = await found('p1');
    expect(await applications.forget('p1', { sentAt, silentFor: 60_000 })).toBe(false);
    expect(await applications.forget('p1', { sentAt, silentFor: -1 })).toBe(true);
    expect(await applications.find('sanne', 'p1')).toBeNull();
  });

  it('keeps the maximum number of Concepts of one owner, also when 20 are added at once', async () => {
    const applications = await fresh();
    const added = await together(20, (n) => applications.add(concept({ id: `c${n}`, type: 'registratie' }), 5));
    expect(added.filter(Boolean)).toHaveLength(4);
    expect(await applications.list('sanne')).toHaveLength(5);
    expect(await applications.add(concept(), 5)).toMatchObject({ id: 'a1', version: 1 });
    expect(await applications.add(concept({ id: 'b1', owner: 'joost' }), 5)).toMatchObject({ id: 'b1', version: 1 });
  });

  it('adds Concepts and removes an application at the same moment', async () => {
    const applications = await fresh();
    const both = [1, 2, 3].map((n) => [
      applications.add(concept({ id: `c${n}`, type: 'registratie' }), 5),
      applications.remove('sanne', n === 1 ? 'a1' : 'absent'),
    ]);
    const [c1, c2, c3] = [1, 2, 3].map((n) => expect.objectContaining({ id: `c${n}`, tag: 'Concept' }));
    expect(await Promise.all(both.flat())).toEqual([c1, [], c2, 'absent', c3, 'absent']);
  });

  it('settles an application once, and then answers "submitted" to a sync, removal or claim', async () => {
    const applications = await fresh();
    await applications.claim('sanne', 'a1', held('t1'));
    expect(await applications.send('a1', 't1', sending, [])).toBe(true);
    expect(await applications.settle('a1', settlement)).toBe(true);
    expect(await applications.settle('a1', { ...settlement, referentie: 'INT-2026-000002' })).toBe(false);
    expect(await found()).toMatchObject({
      tag: 'InBehandeling',
      referentie: 'INT-2026-000001',
      manual: true,
      submittedAt: LATER,
      ...sending,
    });
    expect(await applications.sync('sanne', 'a1', content('1'), LATER)).toBe('submitted');
    expect(await applications.remove('sanne', 'a1')).toBe('submitted');
    expect(await applications.claim('sanne', 'a1', held('t2'))).toBe('submitted');
  });

  it('stores a decision on an application that is InBehandeling, and not on a Concept', async () => {
    const applications = await fresh();
    const refused = { tag: 'Afgewezen' as const, reden: 'Te laat', at: LATER };
    await applications.decide('a1', refused);
    expect((await found()).tag).toBe('Concept');
    await applications.settle('a1', settlement);
    await applications.decide('a1', refused);
    expect(await found()).toMatchObject({ tag: 'Afgewezen', reden: 'Te laat' });
  });

  it('answers "in-doubt" for an application that was sent without an outcome, until its claim holder clears that', async () => {
    const applications = await fresh();
    await applications.claim('sanne', 'a1', held('t1'));
    await applications.send('a1', 't1', sending, []);
    await applications.release('a1', 't1');
    expect(await found()).toMatchObject({ tag: 'Concept', sentKey: 'k1', claimed: false });
    expect(await applications.sync('sanne', 'a1', content('1'), LATER)).toBe('in-doubt');
    expect(await applications.remove('sanne', 'a1')).toBe('in-doubt');
    expect((await applications.open('sanne')).map(({ id }) => id)).toEqual(['a1']);
    await applications.claim('sanne', 'a1', held('t2'));
    await applications.forget('a1', { sentAt: (await found()).sentAt });
    await applications.release('a1', 't1');
    expect(await found()).toMatchObject({ sentKey: 'k1', claimed: true });
    await applications.forget('a1', { token: 't2' });
    const expected = { tag: 'Concept', sentKey: null, sentHash: null, sentAt: null, claimed: false };
    expect(await found()).toMatchObject(expected);
    expect(await applications.remove('sanne', 'a1')).toEqual([]);
  });

  it('stores the hash "mixed" when two different contents were sent with one key', async () => {
    const applications = await fresh();
    await applications.claim('sanne', 'a1', held('t1'));
    await applications.send('a1', 't1', sending, []);
    await applications.send('a1', 't1', sending, []);
    expect((await found()).sentHash).toBe('h1');
    await applications.send('a1', 't1', { sentKey: 'k1', sentHash: 'h2' }, []);
    await applications.send('a1', 't1', sending, []);
    expect((await found()).sentHash).toBe('mixed');
  });

  it('refuses to send an application with the token of another claim', async () => {
    const applications = await fresh();
    await applications.claim('sanne', 'a1', held('t1'));
    expect(await applications.send('a1', 't2', sending, [])).toBe(false);
  });

  it('allows one application of an owner and type that is sent, in doubt or InBehandeling, until it is decided or cleared', async () => {
    const applications = await fresh();
    await applications.add(concept({ id: 'a2' }));
    await applications.claim('sanne', 'a1', lapsed('t1'));
    await applications.claim('sanne', 'a2', held('t2'));
    expect(await applications.send('a1', 't1', sending, [])).toBe(true);
    expect(await applications.send('a2', 't2', sending, [])).toBe(false);
    expect(await applications.addPending(concept({ id: 'p1' }), sending, held('p'))).toBe(false);
    expect(await applications.addPending(concept({ id: 'p2', type: 'registratie' }), sending, held('p'))).toBe(true);
    await applications.settle('a1', settlement);
    expect(await applications.send('a2', 't2', sending, [])).toBe(false);
    await applications.decide('a1', { tag: 'Goedgekeurd', reden: null, at: LATER });
    expect(await applications.send('a2', 't2', sending, [])).toBe(true);
    await applications.forget('a2', { token: 't2' });
    expect(await applications.addPending(concept({ id: 'p3' }), sending, held('p'))).toBe(true);
  });

  it('refuses changes to a pending request, lets one of ten calls adopt it after its claim, keeps its draft for the same content only, and deletes it for that claim only', async () => {
    const applications = await fresh();
    const moreThanIsStored = { ...sending, token: 'p1' };
    await applications.addPending(concept({ id: 'p1', draft: '{}' }), moreThanIsStored, held('p1'));
    expect(await applications.sync('sanne', 'p1', content('1'), LATER)).toBe('absent');
    const { sentAt, ...rest } = await found('p1');
    expect(rest).not.toHaveProperty('token');
    expect(await applications.adopt('p1', sentAt, sending, held('p2'), [])).toBe(false);
    await applications.release('p1', 'p1');
    const adopted = await together(10, (n) => applications.adopt('p1', sentAt, sending, held(`x${n}`), ['d1']));
    expect(adopted.filter(Boolean)).toHaveLength(1);
    await applications.forget('p1', { sentAt });
    expect(await found('p1')).toMatchObject({ tag: 'Pending', sentHash: 'h1', documentIds: ['d1'], draft: '{}' });
    await applications.release('p1', `x${adopted.indexOf(true)}`);
    const again = (await found('p1')).sentAt;
    expect(await applications.adopt('p1', again, { ...sending, sentHash: 'h2' }, held('p3'), [])).toBe(true);
    expect((await applications.find('sanne', 'p1'))?.draft).toBeNull();
    await applications.forget('p1', { token: 'p3' });
    expect(await applications.find('sanne', 'p1')).toBeNull();
  });

  it('grants one of 50 simultaneous claims, and then stores all of 50 simultaneous syncs', async () => {
    const applications = await fresh();
    const claims = await together(50, (n) => applications.claim('sanne', 'a1', held(`t${n}`)));
    expect(claims.filter((claim) => typeof claim !== 'string')).toHaveLength(1);
    await applications.release('a1', `t${claims.findIndex((claim) => typeof claim !== 'string')}`);
    await together(50, (n) => applications.sync('sanne', 'a1', content(String(n)), LATER));
    expect((await found()).version).toBe(51);
  });

  describe('keeps idempotency keys, which', () => {
    const answer = { status: 200, body: '{"referentie":"INT-2026-000001"}', headers: { Location: '/x' } };
    const openOf = async (fingerprint: string, id: string, until = soon()) => {
      const opened = await store.keys.open('sanne', 'k', fingerprint, id, until);
      if (opened.state !== 'open') throw new Error(opened.state);
      return opened;
    };
    it('are open once, then busy, and then return the stored answer to the same request', async () => {
      await store.erase();
      expect(await openOf('f', 'id1')).toMatchObject({ id: 'id1', retry: false });
      expect(await store.keys.open('sanne', 'k', 'f', 'id2', soon())).toEqual({ state: 'busy' });
      await store.keys.keep('sanne', 'k', answer);
      expect(await store.keys.open('sanne', 'k', 'f', 'id3', soon())).toEqual({ state: 'done', answer });
      expect(await store.keys.open('sanne', 'k', 'g', 'id4', soon())).toEqual({ state: 'other' });
      expect(await store.keys.open('joost', 'k', 'g', 'id5', soon())).toMatchObject({ state: 'open' });
    });

    it('are open again with the same id after they were released without an answer', async () => {
      await store.erase();
      const { claim } = await openOf('f', 'id1');
      await store.keys.release('sanne', 'k', claim);
      expect(await openOf('f', 'id2')).toMatchObject({ id: 'id1', retry: true });
    });

    it('can be used for another request after forget, unless they have an answer', async () => {
      await store.erase();
      const first = await openOf('f', 'id1');
      await store.keys.forget('sanne', 'k', first.claim);
      const other = await openOf('g', 'id2');
      expect(other).toMatchObject({ id: 'id2', retry: false });
      await store.keys.keep('sanne', 'k', answer);
      await store.keys.forget('sanne', 'k', other.claim);
      expect(await store.keys.open('sanne', 'k', 'g', 'id3', soon())).toEqual({ state: 'done', answer });
    });

    it('stay with the retry that took over after the claim of the first attempt expired, and with its answer', async () => {
      await store.erase();
      const slow = await openOf('f', 'id1', past());
      const retry = await openOf('f', 'id2');
      await store.keys.forget('sanne', 'k', slow.claim);
      await store.keys.release('sanne', 'k', slow.claim);
      expect(await store.keys.open('sanne', 'k', 'f', 'id3', soon())).toEqual({ state: 'busy' });
      await store.keys.release('sanne', 'k', retry.claim);
      expect(await openOf('f', 'id4')).toMatchObject({ id: 'id1', retry: true });
      await store.keys.keep('sanne', 'k', answer);
      await store.keys.keep('sanne', 'k', { ...answer, body: 'of the slow attempt' });
      expect(await store.keys.open('sanne', 'k', 'f', 'id5', soon())).toEqual({ state: 'done', answer });
    });

    it('are open again for one of 20 calls after the first attempt expired', async () => {
      await store.erase();
      await store.keys.open('sanne', 'k', 'f', 'id1', past());
      const again = await together(20, () => store.keys.open('sanne', 'k', 'f', 'id2', soon()));
      expect(again.filter(({ state }) => state === 'open')).toHaveLength(1);
    });
  });
});

describe.each(STORES)('the archive of the store on %s', (_, open) => {
  it('erases the rows of owners in exactly this world', async () => {
    const store = keep(await open());
    const owners = ['sanne@team_1', 'sanne@team-1', 'sanne@TEAM_1', 'sanne'];
    for (const owner of owners) await store.applications.add(concept({ id: owner, owner }));
    await createStoreArchive(store.db).erase('team_1');
    const left = await store.db.selectFrom('applications').select('owner').execute();
    expect(left.map(({ owner }) => owner).sort()).toEqual(['sanne', 'sanne@TEAM_1', 'sanne@team-1']);
  });
});

it('the SQL of the store has one text for any number of versions, and at most one for each power of two of document ids', async () => {
  const texts = { sync: new Set<string>(), named: new Set<string>() };
  let running: keyof typeof texts = 'sync';
  const connections = await openSqlite(':memory:', ({ query }) => {
    texts[running].add(query.sql);
  });
  const [applications, uploads] = [applicationStore(connections), uploadStore(connections)];
  await applications.add(concept());
  texts.sync.clear();
  for (let count = 0; count < 100; count += 1) {
    running = 'sync';
    const versions = Array.from({ length: count }, (_, n) => n + 1);
    await applications.sync('sanne', 'a1', content('1'), LATER, [...versions, count + 1]);
    running = 'named';
    await uploads.named('sanne', versions.map(String));
  }
  expect([texts.sync.size, texts.named.size]).toEqual([1, 8]);
  await connections.relaxed.destroy();
});

it('the prepared statements of an SQLite connection are kept, at most 200: a text that is used often is prepared once', () => {
  let prepared = 0;
  class Counted extends DatabaseSync {
    override prepare(sql: string) {
      prepared += 1;
      return super.prepare(sql);
    }
  }
  const db = kyselyDatabase(new Counted(':memory:'));
  const kept = new Set(
    Array.from({ length: 1_000 }, (_, n) => [db.prepare('select 1'), db.prepare(`select ${n} + 1`)][0]),
  );
  expect([kept.size, prepared]).toEqual([1, 1_001]);
  for (let n = 999; n > 900; n -= 1) db.prepare(`select ${n} + 1`);
  expect(prepared).toBe(1_001);
  for (let n = 0; n < 800; n += 1) db.prepare(`select ${n} + 1`);
  expect(prepared).toBe(1_801);
  db.close();
});

it('drafts that are saved at the same moment on SQLite are stored, except an invalid one', async () => {
  const store = keep(await openStore({ kind: 'sqlite', folder: ':memory:' }));
  const { applications } = store;
  await applications.add(concept());
  await applications.add(concept({ id: 'a2' }));
  const saves = ['a1', 'a2', 'a1'].map((id, n) =>
    applications.sync('sanne', id, { ...content(String(n)), ...(n === 1 && { stepIndex: Number.NaN }) }, LATER),
  );
  expect((await Promise.allSettled(saves)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await applications.find('sanne', 'a1')).toMatchObject({ draft: '2', version: 3 });
  expect(await applications.find('sanne', 'a2')).toMatchObject({ draft: null, version: 1 });
});

describe.each(STORES)('an owner who gets another name on %s', (_, open) => {
  it('keeps a request for each registration, and still cannot send a second one for the same registration', async () => {
    const store = keep(await open());
    const { applications, owners } = store;
    const add = (id: string, owner: string, about: string) =>
      applications.addPending(concept({ id, owner, type: 'herregistratie' }), { ...sending, about }, held('t'));
    expect([await add('h1', 'sanne', 'r1'), await add('h2', 'sanne', 'r2')]).toEqual([true, true]);
    await owners.rename(['sanne'], 'key-2', 'default');
    expect((await applications.open('key-2')).map(({ id }) => id).sort()).toEqual(['h1', 'h2']);
    expect([await add('h3', 'key-2', 'r1'), await add('h4', 'key-2', 'r3')]).toEqual([false, true]);
  });
});

describe.each(STORES)('the retention of the store on %s', (_, open) => {
  const day = 24 * 60 * 60_000;
  // Years before `LATER`: the clock of the database can be behind that of this process.
  const createdAt = '2016-06-01T12:00:00.000Z';

  it('deletes Concepts from before the given time, but none that is claimed, in doubt or submitted', async () => {
    const store = keep(await open());
    const { applications } = store;
    const add = (id: string, over: Partial<NewApplication> = {}) =>
      applications.add(concept({ id, owner: id, createdAt, ...over }));
    for (const id of ['old', 'claimed', 'expired-claim', 'in-doubt', 'submitted']) await add(id);
    await add('also-old', { owner: 'old' });
    await add('young', { createdAt: '2026-06-02T12:00:00.000Z' });
    await applications.claim('claimed', 'claimed', held('t'));
    await applications.claim('expired-claim', 'expired-claim', lapsed('t'));
    for (const id of ['in-doubt', 'submitted']) {
      await applications.claim(id, id, held('t'));
      await applications.send(id, 't', sending, []);
      await applications.release(id, 't');
    }
    await applications.settle('submitted', settlement);

    expect(await store.retention.expire(null)).toEqual({ concepts: 0, keys: 0, owners: [] });
    const expired = await store.retention.expire(LATER);
    const expected = { concepts: 3, keys: 0, owners: 'expired-claim,old' };
    expect({ ...expired, owners: expired.owners.toSorted().join() }).toEqual(expected);
    const left = await store.db.selectFrom('applications').select('id').orderBy('id').execute();
    expect(left.map(({ id }) => id)).toEqual(['claimed', 'in-doubt', 'submitted', 'young']);
  });

  it('deletes old Concepts also when a thousand older ones are in doubt', async () => {
    const store = keep(await open());
    await store.applications.add(concept({ id: 'old', owner: 'old', createdAt }));
    const row = await store.db.selectFrom('applications').selectAll().executeTakeFirstOrThrow();
    const doubtful = { ...row, updatedAt: '2000-01-01T00:00:00.000Z', sentKey: 'k', sentHash: 'h' };
    const many = Array.from({ length: 1_000 }, (_, n) => ({ ...doubtful, id: `doubt-${n}` }));
    await store.db.insertInto('applications').values(many).execute();
    expect(await store.retention.expire(LATER)).toMatchObject({ concepts: 1, owners: ['old'] });
  });

  it('deletes idempotency keys of more than a day ago', async () => {
    const store = keep(await open());
    await store.keys.open('sanne', 'old', 'f', 'id1', soon());
    await store.db
      .updateTable('keys')
      .set(({ eb }) => ({ createdAt: eb('createdAt', '-', day + 1_000) }))
      .execute();
    await store.keys.open('sanne', 'young', 'f', 'id2', soon());
    expect(await store.retention.expire(null)).toEqual({ concepts: 0, keys: 1, owners: [] });
    expect(await store.keys.open('sanne', 'young', 'f', 'id3', soon())).toEqual({ state: 'busy' });
  });
});

describe('a process whose clock is not that of PostgreSQL', () => {
  const day = 24 * 60 * 60_000;
  const daysAgo = (days: number) => Date.now() - days * day;
  const sweep = ({ uploads }: OpenStore) => uploads.sweep({ orphans: daysAgo(2), doubts: daysAgo(1) }, 10);
  const addDocument = async ({ uploads }: OpenStore) => {
    const name = { owner: 'sanne', wizardId: 'intake', localId: 'l1' };
    const made = { workspace: 'w', categoryId: 'diploma', documentId: 'd1' };
    await uploads.claim(name, made, held('t'), Date.now());
    await uploads.settle(name, 't', 'key');
  };

  it('but 400 days ahead deletes no Concept and no document that is young by the clock of PostgreSQL', async () => {
    const store = keep(await openStore({ kind: 'postgres', url: await engines.newDatabase() }));
    await store.applications.add(concept({ createdAt: new Date().toISOString() }));
    await addDocument(store);
    fakeTimers({ toFake: ['Date'], now: Date.now() + 400 * day });
    expect(await store.retention.expire(new Date(daysAgo(365)).toISOString())).toMatchObject({ concepts: 0 });
    expect(await sweep(store)).toEqual([]);
  });

  it('but ten days behind deletes no Concept and no document that it wrote itself', async () => {
    const store = keep(await openStore({ kind: 'postgres', url: await engines.newDatabase() }));
    fakeTimers({ toFake: ['Date'], now: Date.now() - 10 * day });
    await store.applications.add(concept({ createdAt: new Date().toISOString() }));
    await addDocument(store);
    expect(await store.retention.expire(new Date(daysAgo(5)).toISOString())).toMatchObject({ concepts: 0 });
    expect(await sweep(store)).toEqual([]);
  });
});

it('has no connection to PostgreSQL after it is closed, also when it was not used', async () => {
  const location = { kind: 'postgres', url: await engines.newDatabase() } as const;
  await (await openStore(location)).close();
  const store = keep(await openStore(location));
  const others = sql<{ pid: number }>`select pid from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  // An idle connection would end by itself after ten seconds.
  await expect.poll(async () => (await others.execute(store.db)).rows).toEqual([]);
});

it('has transactions that PostgreSQL ends after five seconds of silence, and leaves no setting on their connection', async () => {
  const store = keep(await openStore({ kind: 'postgres', url: await engines.newDatabase() }));
  const limitOn = async (db: typeof store.db) =>
    (await sql<object>`show idle_in_transaction_session_timeout`.execute(db)).rows.flatMap(Object.values);
  expect(await store.db.transaction().execute(limitOn)).toEqual(['5s']);
  expect(await limitOn(store.db)).toEqual(['0']);
});

it('is opened and changed by a user with no right but to read and change the rows, after the owner of its tables migrated it', async () => {
  const url = new URL(await engines.newDatabase());
  const owner = keep(await openStore({ kind: 'postgres', url: url.href }));
  await sql`create role service login password 'secret'`.execute(owner.db);
  await sql`grant select, insert, update, delete on all tables in schema public to service`.execute(owner.db);
  Object.assign(url, { username: 'service', password: 'secret' });
  const service = keep(await openStore({ kind: 'postgres', url: url.href }));
  await service.applications.add(concept());
  expect(await service.applications.sync('sanne', 'a1', content('{}'), LATER)).toBe(2);
  expect(await service.applications.remove('sanne', 'a1')).toEqual(['d1', 'd2']);
});

describe.each(LOCATIONS)('a store on %s that a newer version of the service has migrated', (_, locate) => {
  it('is opened, read and written by this version', async () => {
    const location = await locate();
    const newer = await openStore(location);
    await newer.applications.add(concept());
    await newer.db.schema.alterTable('applications').addColumn('later', 'text').execute();
    const applied = { name: '999-later', timestamp: '2099-01-01T00:00:00.000Z' };
    await newer.db
      .insertInto('kysely_migration' as never)
      .values(applied as never)
      .execute();
    await newer.close();

    const older = keep(await openStore(location));
    expect(await older.applications.sync('sanne', 'a1', content('{}'), LATER)).toBe(2);
    expect(await older.applications.find('sanne', 'a1')).toMatchObject({ draft: '{}' });
    expect(await older.applications.add(concept({ id: 'a2' }))).toMatchObject({ id: 'a2' });
  });
});

describe.each(LOCATIONS)('an upload on %s from before uploads had a workspace', (_, locate) => {
  it('belongs to the workspace default', async () => {
    const location = await locate();
    const older = await openStore(location);
    const [name, claim] = [
      { owner: 'sanne', wizardId: 'intake', localId: 'l1' },
      { token: 't', until: soon() },
    ];
    await older.uploads.claim(name, { workspace: 'org-a', categoryId: 'diploma', documentId: 'd1' }, claim, Date.now());
    await older.db.schema.alterTable('uploads').dropColumn('workspace').execute();
    await sql`delete from kysely_migration where name = '006-upload-workspace'`.execute(older.db);
    await older.close();

    const newer = keep(await openStore(location));
    expect(await newer.uploads.find('d1', 'default')).toMatchObject({ owner: 'sanne', workspace: 'default' });
    expect(await newer.uploads.find('d1', 'org-a')).toBeNull();
  });
});

describe('two stores in one PostgreSQL database, each in its own schema', () => {
  it('are both opened, also again, and have no data of each other', async () => {
    const url = await engines.newDatabase();
    const first = keep(await openStore({ kind: 'postgres', url }));
    await sql`create schema second`.execute(first.db);
    await first.applications.add(concept());
    const location = { kind: 'postgres', url: `${url}?options=-c%20search_path%3Dsecond` } as const;
    for (const id of ['a2', 'a3']) {
      const second = await openStore(location);
      expect(await second.applications.add(concept({ id }))).toMatchObject({ id });
      expect(await second.applications.find('sanne', 'a1')).toBeNull();
      await second.close();
    }
    expect((await first.applications.list('sanne')).map(({ id }) => id)).toEqual(['a1']);
  });

  it('go on in the schema with their tables when an earlier one in the search path is made', async () => {
    const url = await engines.newDatabase();
    const location = { kind: 'postgres', url: `${url}?options=-c%20search_path%3Dearlier,public` } as const;
    const before = await openStore(location);
    await before.applications.add(concept());
    await sql`create schema earlier`.execute(before.db);
    await before.close();
    const after = keep(await openStore(location));
    expect(await after.applications.find('sanne', 'a1')).not.toBeNull();
  });
});

it('a closed PostgreSQL store refuses a statement without waiting for the server, and can be closed again', async () => {
  const store = await openStore({ kind: 'postgres', url: await engines.newDatabase() });
  await store.close();
  const refused = store.applications.find('sanne', 'a1').catch(({ message }) => message);
  expect(await Promise.race([refused, setImmediate('waits')])).toContain('after calling end');
  await store.close();
});

it('an SQLite store without room says so when a draft is counted and added: SQLite itself ends that transaction', async () => {
  const { applications, db, close } = await openStore({ kind: 'sqlite', folder: ':memory:' });
  // SQLite takes the number of pages that the database has now.
  await sql`pragma max_page_count = 1`.execute(db);
  const draft = content(JSON.stringify('x'.repeat(100_000)));
  await expect(applications.add(concept(draft), 10)).rejects.toThrow('SQLITE_FULL');
  expect(await applications.find('sanne', 'a1')).toBeNull();
  await close();
});

describe('a closed SQLite store', () => {
  it('is one file, also when nothing was read or written', async () => {
    const folder = engines.newFolder();
    await (await openStore({ kind: 'sqlite', folder })).close();
    expect(readdirSync(folder)).toEqual(['zorgregister.sqlite']);
  });

  it('has nothing of a draft that was replaced, nor of one that was deleted, short or of several pages', async () => {
    const folder = engines.newFolder();
    const { applications, close } = await openStore({ kind: 'sqlite', folder });
    for (const id of ['short', 'long']) {
      await applications.add(concept({ id }), 10);
      for (const text of ['Wilgenroosje', 'Zwanenbloem'])
        await applications.sync('sanne', id, content(JSON.stringify(text.repeat(id === 'long' ? 1_000 : 1))), AT);
      await applications.remove('sanne', id);
    }
    await close();
    const left = readFileSync(join(folder, 'zorgregister.sqlite'), 'latin1');
    expect(['Wilgenroos', 'Zwanenbl'].filter((text) => left.includes(text))).toEqual([]);
  });
});

/** The first characters of the SHA-256 of the statements of each released migration. Add a line for a new one. */
const RELEASED: Readonly<Record<string, string>> = {
  '001-applications': '816fef12c1d1',
  '002-keys': '1804355fbef5',
  '003-uploads': '5cf56ba15fe5',
  '004-brief': '711972b12a93',
  '005-rates': '567851a520e8',
  '006-upload-workspace': '61365382619a',
};

it('the migrations of the store have the statements with which they were released, since a store that has one does not run it again', async () => {
  const statements: string[] = [];
  const database = kyselyDatabase(new DatabaseSync(':memory:'));
  const db = new Kysely<never>({
    dialect: new SqliteDialect({ database }),
    log({ query }) {
      statements.push(query.sql);
    },
  });
  const found: [name: string, hash: string][] = [];
  for (const [name, { up }] of Object.entries(MIGRATIONS)) {
    await up(db);
    found.push([name, createHash('sha256').update(statements.splice(0).join('\n')).digest('hex').slice(0, 12)]);
  }
  await db.destroy();
  expect(
    Object.fromEntries(found),
    'a released migration stays as it is, and a new one gets a line in RELEASED',
  ).toEqual(RELEASED);
});

describe('a store that is opened several times at once', () => {
  it('is migrated once when four connections open it in PostgreSQL', async () => {
    const location = { kind: 'postgres', url: await engines.newDatabase() } as const;
    const stores = await together(4, () => openStore(location));
    await stores[0]?.applications.add(concept());
    expect(await stores[3]?.applications.find('sanne', 'a1')).not.toBeNull();
    await Promise.all(stores.map((store) => store.close()));
  });

  it('is migrated once when four processes open one SQLite file', async () => {
    const env = { PATH: process.env.PATH ?? '', DATA_DIR: engines.newFolder() };
    const migrate = () =>
      promisify(execFile)(process.execPath, ['start.js', 'migrate'], { env, cwd: new URL('../..', import.meta.url) });
    const outputs = await Promise.all(Array.from({ length: 4 }, migrate));
    expect(outputs.map(({ stdout }) => stdout)).toEqual(Array(4).fill('The schema is up to date.\n'));
  });
});

it('an SQLite store whose second connection cannot be opened leaves no connection open', async () => {
  const place = temporaryFolder('second');
  const { exec } = DatabaseSync.prototype;
  const executed = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql) {
    if (sql.includes('synchronous = full')) throw new Error('no second connection');
    exec.call(this, sql);
  });
  const close = vi.spyOn(DatabaseSync.prototype, 'close');
  onTestFinished(() => void vi.restoreAllMocks());
  await expect(openStore({ kind: 'sqlite', folder: place })).rejects.toThrow('no second connection');
  expect(close.mock.contexts).toHaveLength(new Set(executed.mock.contexts).size);
});
