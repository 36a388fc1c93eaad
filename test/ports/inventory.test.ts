import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type OpenStore, openStore } from '../../adapters/store/index.ts';
import { useEngines } from '../support/engines.ts';

const engines = useEngines();

describe.each([
  ['SQLite', () => openStore({ kind: 'sqlite', folder: ':memory:' })],
  ['PostgreSQL', async () => openStore({ kind: 'postgres', url: await engines.newDatabase() })],
] as const)('the index of documents on %s', (_, open) => {
  let store: OpenStore;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());
  beforeEach(() => store.erase());

  const name = (localId: string) => ({ owner: 'sanne', wizardId: 'intake', localId });
  /** Stores an upload with the document id `d-<localId>`; with `key` the document store has confirmed it. */
  async function upload(localId: string, key: string | null): Promise<void> {
    const [claim, documentId] = [{ token: 't', until: Date.now() + 60_000 }, `d-${localId}`];
    const file = { documentId, formaat: 'application/pdf', bestandsnaam: 'a.pdf', omvang: 1, sha256: 'f'.repeat(64) };
    await store.uploads.claim(name(localId), { workspace: 'w', categoryId: 'diploma', documentId }, claim, Date.now());
    await store.uploads.receive(name(localId), 't', file, { documents: 10, bytes: 10 });
    if (key === null) await store.uploads.release(name(localId), 't', 'perhaps-stored');
    else await store.uploads.settle(name(localId), 't', key);
  }

  it('lists every upload and every leftover once, with a key only for a document that must be in the document store', async () => {
    await upload('a', 'key-a');
    await upload('b', null);
    const leftovers = Array.from({ length: 501 }, (__, n) => ({ documentId: `l-${n}`, key: 'k', since: 1 }));
    await store.db.insertInto('leftovers').values(leftovers).execute();
    const known: { documentId: string; key: string | null }[] = [];
    for await (const batch of store.documentIndex.all()) known.push(...batch);
    expect([known.length, new Set(known.map(({ documentId }) => documentId)).size]).toEqual([503, 503]);
    expect(known.filter(({ key }) => key !== null)).toEqual([{ documentId: 'd-a', key: 'key-a', isStranded: false }]);
  });

  it('returns for each document whether a request, a Concept or nothing refers to it, and omits unknown documents', async () => {
    for (const one of ['a', 'b', 'c']) await upload(one, `key-${one}`);
    const draft = { id: 'app1', owner: 'sanne', type: 'intake', createdAt: '2026-06-01T12:00:00.000Z' } as const;
    await store.applications.add({ ...draft, documentIds: ['d-b'] });
    await store.uploads.link('sanne', ['d-a'], 'app2');
    expect([...(await store.documentIndex.usesOf(['d-a', 'd-b', 'd-c', 'd-d']))].sort()).toEqual([
      ['d-a', 'request'],
      ['d-b', 'concept'],
      ['d-c', 'nothing'],
    ]);
  });

  it('gives documents of a request that is gone to the sweeper when they are released, and no others', async () => {
    for (const one of ['a', 'b', 'c']) await upload(one, `key-${one}`);
    const draft = { owner: 'sanne', type: 'intake', createdAt: '2026-06-01T12:00:00.000Z' } as const;
    await store.applications.add({ id: 'app1', ...draft });
    await store.uploads.link('sanne', ['d-a', 'd-b'], 'app1');
    await store.uploads.link('sanne', ['d-b', 'd-c'], 'gone');
    const stranded: string[] = [];
    for await (const batch of store.documentIndex.all())
      stranded.push(...batch.filter((one) => one.isStranded).map(({ documentId }) => documentId));
    expect(stranded).toEqual(['d-c']);
    await store.documentIndex.release(['d-a', 'd-b', 'd-c']);
    const swept = await store.uploads.sweep({ orphans: Date.now() + 1_000, doubts: 0 }, 100);
    expect(swept.map(({ documentId }) => documentId)).toEqual(['d-c']);
  });

  it('gives discarded documents to the sweeper, except those to which an upload refers', async () => {
    await upload('a', 'key-a');
    const discarded = ['a', 'x', 'x'].map((one) => ({ documentId: `d-${one}`, key: `key-${one}` }));
    await store.documentIndex.discard(discarded);
    const swept = await store.uploads.sweep({ orphans: 0, doubts: 0 }, 100);
    expect(swept.map(({ documentId, key }) => [documentId, key])).toEqual([['d-x', 'key-x']]);
  });
});
