import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../adapters/store/index.ts';
import type { Application, NewApplication, Store } from '../../src/ports/store.ts';
import { useEngines } from '../support/engines.ts';

const engines = useEngines();

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
const settlement = { referentie: 'INT-2026-000001', manual: true, at: LATER };

describe.each(engines.all)('the store on %s', (_, open) => {
  let store: Awaited<ReturnType<(typeof engines.all)[number][1]>>;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());

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
    ['numbers that a parser would change', '{"a":1.0,"b":12345678901234567890,"c":1e400,"d":-0}'],
    ['members in their order, twice and in numbers', '{"b":1,"a":2,"2":0,"1":0,"a":3}'],
    ['escapes and a NUL', '{"x":"\\u0000\\ud800 \\u00e9 é 🎈","\\u0000":1}'],
    ['spaces', ' [ 1 ,\n 2 ] '],
    ['a bare value', '"tekst"'],
    ['nothing', null],
  ])('gives a draft back byte for byte: %s', async (__, draft) => {
    const applications = await fresh();
    await applications.sync('sanne', 'a1', content(draft), LATER);
    expect(await found()).toMatchObject({
      draft,
      stepIndex: 1,
      stepCount: 3,
      documentIds: ['d1', 'd2'],
      updatedAt: LATER,
    });
  });

  it('lists the latest change first, and nothing of others', async () => {
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
  ])('drops document %s from what its owner has, whatever its state', async (documentId, left) => {
    const documentIds = ['d1', 'd2', 'd11'];
    const applications = await fresh({ documentIds });
    await applications.addPending(concept({ id: 'p1', documentIds }), sending, held('t'));
    await applications.settle('p1', settlement);
    await applications.add(concept({ id: 'b1', owner: 'other', documentIds }));
    await applications.dropDocument('sanne', documentId);
    expect([(await found()).documentIds, (await found('p1')).documentIds]).toEqual([left, left]);
    expect((await found('b1', 'other')).documentIds).toEqual(documentIds);
  });

  it('adds an application once', async () => {
    const applications = await fresh({ draft: '1' });
    await applications.add(concept({ draft: '2' }));
    expect((await found()).draft).toBe('1');
  });

  it('counts versions, and holds a sync to the one it names', async () => {
    const applications = await fresh();
    expect(await applications.sync('sanne', 'a1', content('1'), LATER, [7, 1])).toBe(2);
    expect(await applications.sync('sanne', 'a1', content('2'), LATER, [1])).toBe('stale');
    expect(await applications.sync('sanne', 'a1', content('3'), LATER)).toBe(3);
    expect((await found()).draft).toBe('3');
  });

  it.each([
    ['someone else’s', 'joost', 'a1'],
    ['unknown', 'sanne', 'a9'],
  ])('knows nothing of an application that is %s', async (__, owner, id) => {
    const applications = await fresh();
    expect(await applications.sync(owner, id, content('1'), LATER)).toBe('absent');
    expect(await applications.remove(owner, id)).toBe('absent');
    expect(await applications.claim(owner, id, held('t'))).toBe('absent');
    expect((await found()).version).toBe(1);
  });

  it('lets nobody in while it is claimed, and everybody when the claim is over or has lapsed', async () => {
    const applications = await fresh();
    expect(await applications.claim('sanne', 'a1', held('t1'))).toMatchObject({ id: 'a1' });
    expect(await applications.claim('sanne', 'a1', held('t2'))).toBe('busy');
    expect(await applications.sync('sanne', 'a1', content('1'), LATER)).toBe('busy');
    expect(await applications.remove('sanne', 'a1')).toBe('busy');
    await applications.release('a1', 't1');
    expect(await applications.sync('sanne', 'a1', content('1'), LATER)).toBe(2);
    await applications.claim('sanne', 'a1', lapsed('t3'));
    expect(await applications.remove('sanne', 'a1')).toBe('removed');
  });

  it('puts back what was forgotten while it was being sent', async () => {
    const applications = await fresh();
    const sent = { application: concept({ id: 'p1', documentIds: ['d1'] }), sending };
    expect(await applications.settle('p1', settlement)).toBe(false);
    expect(await applications.settle('p1', settlement, sent)).toBe(true);
    expect(await applications.settle('p1', settlement, sent)).toBe(false);
    const { referentie, documentIds, sentKey, submittedAt, tag } = await found('p1');
    expect({ referentie, documentIds, sentKey, submittedAt, tag }).toEqual({
      referentie: settlement.referentie,
      documentIds: ['d1'],
      sentKey: 'k1',
      submittedAt: LATER,
      tag: 'InBehandeling',
    });
    expect((await applications.open('sanne')).map(({ id }) => id)).toEqual(['p1']);
  });

  it('forgets what has been silent long enough, and nothing sooner', async () => {
    const applications = await fresh();
    await applications.addPending(concept({ id: 'p1' }), sending, lapsed('t1'));
    const { sentAt } = await found('p1');
    expect(await applications.forget('p1', { sentAt, silentFor: 60_000 })).toBe(false);
    expect(await applications.forget('p1', { sentAt, silentFor: -1 })).toBe(true);
    expect(await applications.find('sanne', 'p1')).toBeNull();
  });

  it('holds one owner to as many Concepts as there may be, also when they come at once', async () => {
    const applications = await fresh();
    const added = await Promise.all(
      Array.from({ length: 20 }, (__, n) => applications.add(concept({ id: `c${n}`, type: 'registratie' }), 5)),
    );
    expect(added.filter(Boolean)).toHaveLength(4);
    expect(await applications.list('sanne')).toHaveLength(5);
    expect(await applications.add(concept(), 5)).toBe(true);
    expect(await applications.add(concept({ id: 'b1', owner: 'joost' }), 5)).toBe(true);
  });

  it('settles once, and then takes no more changes', async () => {
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

  it('decides what is under treatment, and nothing else', async () => {
    const applications = await fresh();
    const refused = { tag: 'Afgewezen' as const, reden: 'Te laat', at: LATER };
    await applications.decide('a1', refused);
    expect((await found()).tag).toBe('Concept');
    await applications.settle('a1', settlement);
    await applications.decide('a1', refused);
    expect(await found()).toMatchObject({ tag: 'Afgewezen', reden: 'Te laat' });
  });

  it('is in doubt once it was sent and not heard of: frozen, and forgotten only on purpose', async () => {
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
    expect(await found()).toMatchObject({
      tag: 'Concept',
      sentKey: null,
      sentHash: null,
      sentAt: null,
      claimed: false,
    });
    expect(await applications.remove('sanne', 'a1')).toBe('removed');
  });

  it('cannot tell contents apart that were sent under one key', async () => {
    const applications = await fresh();
    await applications.claim('sanne', 'a1', held('t1'));
    await applications.send('a1', 't1', sending, []);
    await applications.send('a1', 't1', sending, []);
    expect((await found()).sentHash).toBe('h1');
    await applications.send('a1', 't1', { sentKey: 'k1', sentHash: 'h2' }, []);
    await applications.send('a1', 't1', sending, []);
    expect((await found()).sentHash).toBe('mixed');
  });

  it('does not send under a claim that is another’s', async () => {
    const applications = await fresh();
    await applications.claim('sanne', 'a1', held('t1'));
    expect(await applications.send('a1', 't2', sending, [])).toBe(false);
  });

  it('has one place for each owner and type on its way or in doubt, freed by a decision and by forgetting', async () => {
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

  it('keeps a request on its way out of reach, adopts it when it is in doubt, and lets it go when it did not arrive', async () => {
    const applications = await fresh();
    await applications.addPending(concept({ id: 'p1' }), sending, held('p1'));
    expect(await applications.sync('sanne', 'p1', content('1'), LATER)).toBe('absent');
    const { sentAt } = await found('p1');
    expect(await applications.adopt('p1', sentAt, sending, held('p2'))).toBe(false);
    await applications.release('p1', 'p1');
    const adopted = await Promise.all(
      Array.from({ length: 10 }, (__, n) => applications.adopt('p1', sentAt, sending, held(`x${n}`))),
    );
    expect(adopted.filter(Boolean)).toHaveLength(1);
    await applications.forget('p1', { sentAt });
    expect(await applications.find('sanne', 'p1')).toMatchObject({ tag: 'Pending', sentHash: 'h1' });
    await applications.forget('p1', { token: `x${adopted.indexOf(true)}` });
    expect(await applications.find('sanne', 'p1')).toBeNull();
  });

  it('lets one of many claims win, and no write be lost to them', async () => {
    const applications = await fresh();
    const claims = await Promise.all(
      Array.from({ length: 50 }, (__, n) => applications.claim('sanne', 'a1', held(`t${n}`))),
    );
    expect(claims.filter((claim) => typeof claim !== 'string')).toHaveLength(1);
    await applications.release('a1', `t${claims.findIndex((claim) => typeof claim !== 'string')}`);
    await Promise.all(
      Array.from({ length: 50 }, (__, n) => applications.sync('sanne', 'a1', content(String(n)), LATER)),
    );
    expect((await found()).version).toBe(51);
  });

  describe('keys', () => {
    const answer = { status: 200, body: '{"referentie":"INT-2026-000001"}', headers: { Location: '/x' } };
    it('are opened once, busy meanwhile, and then answer by themselves', async () => {
      await store.erase();
      expect(await store.keys.open('sanne', 'k', 'f', 'id1', soon())).toEqual({
        state: 'open',
        id: 'id1',
        retry: false,
      });
      expect(await store.keys.open('sanne', 'k', 'f', 'id2', soon())).toEqual({ state: 'busy' });
      await store.keys.keep('sanne', 'k', answer);
      expect(await store.keys.open('sanne', 'k', 'f', 'id3', soon())).toEqual({ state: 'done', answer });
      expect(await store.keys.open('sanne', 'k', 'g', 'id4', soon())).toEqual({ state: 'other' });
      expect(await store.keys.open('joost', 'k', 'g', 'id5', soon())).toMatchObject({ state: 'open' });
    });

    it('are opened again, for the same thing, after a try that ended without an answer', async () => {
      await store.erase();
      await store.keys.open('sanne', 'k', 'f', 'id1', soon());
      await store.keys.release('sanne', 'k');
      expect(await store.keys.open('sanne', 'k', 'f', 'id2', soon())).toEqual({
        state: 'open',
        id: 'id1',
        retry: true,
      });
    });

    it('are opened again after a try whose process died', async () => {
      await store.erase();
      await store.keys.open('sanne', 'k', 'f', 'id1', past());
      const again = await Promise.all(
        Array.from({ length: 20 }, () => store.keys.open('sanne', 'k', 'f', 'id2', soon())),
      );
      expect(again.filter(({ state }) => state === 'open')).toHaveLength(1);
    });
  });
});

describe('a store that is opened by several at once', () => {
  it('has its schema made once, by several connections to PostgreSQL', async () => {
    const location = { kind: 'postgres', url: await engines.newDatabase() } as const;
    const stores = await Promise.all(Array.from({ length: 4 }, () => openStore(location)));
    await stores[0]?.applications.add(concept());
    expect(await stores[3]?.applications.find('sanne', 'a1')).not.toBeNull();
    await Promise.all(stores.map((store) => store.close()));
  });

  it('has its schema made once, by several processes on one file', async () => {
    const env = { PATH: process.env.PATH ?? '', DATA_DIR: engines.newFolder() };
    const migrate = () =>
      promisify(execFile)(process.execPath, ['start.js', 'migrate'], { env, cwd: new URL('../..', import.meta.url) });
    const outputs = await Promise.all(Array.from({ length: 4 }, migrate));
    expect(outputs.map(({ stdout }) => stdout)).toEqual(Array(4).fill('The schema is up to date.\n'));
  });
});
