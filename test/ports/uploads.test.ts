import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../adapters/store/index.ts';
import type { Store } from '../../src/ports/store/store.ts';
import type { NewUpload, Quota, ReceivedFile, Upload, UploadKey, UploadStore } from '../../src/ports/store/uploads.ts';
import type { ApplicationType } from '../../src/wire/values.ts';
import { useEngines } from '../support/engines.ts';
import { keep, together, use } from '../support/service.ts';

const engines = useEngines();

const AT = '2026-06-01T12:00:00.000Z';
const HOUR = 60 * 60_000;
const ROOM: Quota = { documents: 1_000, bytes: 1_000_000_000 };
const held = (token: string) => ({ token, until: Date.now() + 60_000 });
const lapsed = (token: string) => ({ token, until: Date.now() - 1 });
const name = (localId: string, over: Partial<UploadKey> = {}): UploadKey => ({
  owner: 'sanne',
  wizardId: 'intake',
  localId,
  ...over,
});
const file = (documentId: string, over: Partial<ReceivedFile> = {}): ReceivedFile => ({
  documentId,
  formaat: 'application/pdf',
  bestandsnaam: 'diploma.pdf',
  omvang: 100,
  sha256: 'f'.repeat(64),
  ...over,
});
/**
 * Does `work` for each of these names, and returns the results in order. Four are in progress at a time: more would wait
 * for a connection of the pool, on a busy machine for longer than the two seconds that a statement may wait.
 */
async function inFours<Result>(names: readonly string[], work: (name: string, n: number) => Promise<Result>) {
  const results: Result[] = [];
  for (let from = 0; from < names.length; from += 4)
    results.push(...(await Promise.all(names.slice(from, from + 4).map((one, n) => work(one, from + n)))));
  return results;
}
/** A new upload in the category diploma, in the workspace `w` that these tests use. */
const made = (documentId: string, over: Partial<NewUpload> = {}): NewUpload => ({
  workspace: 'w',
  categoryId: 'diploma',
  documentId,
  ...over,
});
/** An upload of which no file was received. */
const NO_FILE = { formaat: null, bestandsnaam: null, omvang: null, sha256: null };
const ids = (all: readonly { documentId: string }[]): string[] => all.map(({ documentId }) => documentId).sort();

/** What tests do with the uploads of sanne in the upload store. */
function actionsOn({ uploads, applications }: Pick<Store, 'uploads' | 'applications'>) {
  const claim = (of: UploadKey, claimed = held('t'), documentId = `d-${of.localId}`, at = Date.now()) =>
    uploads.claim(of, made(documentId), claimed, at);
  const receive = (of: UploadKey, over: Partial<ReceivedFile> = {}, token = 't', quota = ROOM) =>
    uploads.receive(of, token, file(`d-${of.localId}`, over), quota);
  async function uploaded(localId: string, over: Partial<UploadKey> = {}, at = Date.now()): Promise<string> {
    const of = name(localId, over);
    await claim(of, held('t'), `d-${localId}`, at);
    await receive(of);
    await uploads.settle(of, 't', `key-${localId}`);
    return `d-${localId}`;
  }
  /** Stores an upload that is lost: received, and perhaps in the document store. */
  async function lost(localId: string, at = Date.now()): Promise<void> {
    await claim(name(localId), held('t'), `d-${localId}`, at);
    await receive(name(localId));
    await uploads.release(name(localId), 't', 'perhaps-stored');
  }
  const draft = (id: string, documentIds: string[], owner = 'sanne') =>
    applications.add({ id, owner, type: 'intake', createdAt: AT, documentIds });
  const found = async (documentId: string): Promise<Upload> => {
    const upload = await uploads.find(documentId, 'w');
    if (upload === null) throw new Error(`no ${documentId}`);
    return upload;
  };
  const everything = async (): Promise<[string, string][]> =>
    (await uploads.list('sanne')).map(({ localId, state }): [string, string] => [localId, state]).sort();
  return { claim, receive, uploaded, lost, draft, found, everything };
}

describe.each(engines.all)('in the upload store on %s,', async (_, open) => {
  const store = await use(open());
  const { uploads, applications } = store;
  const { claim, receive, uploaded, lost, draft, found, everything } = actionsOn(store);
  beforeEach(() => store.erase());

  /** Returns true when a request refers to a stored document, so that its owner cannot delete it. */
  const isLinked = async (documentId: string, owner = 'sanne'): Promise<boolean> => {
    const begun = await uploads.beginDelete(owner, documentId, held('probe'));
    await uploads.cancelDelete(documentId, 'probe');
    return begun === 'linked';
  };

  describe('a claim', () => {
    it('on a free name creates a pending upload without file data', async () => {
      expect(await claim(name('a'), held('t'), 'd1', 1_000)).toEqual({
        ...name('a'),
        ...made('d1'),
        ...NO_FILE,
        state: 'pending',
        key: null,
        perhapsStored: false,
        createdAt: 1_000,
      });
    });

    it('is refused while another claim holds the same owner, wizard and localId, and granted when one of these differs', async () => {
      await claim(name('a'));
      expect(await claim(name('a'), held('u'), 'd2')).toBeNull();
      expect(await claim(name('b'), held('u'), 'd3')).not.toBeNull();
      expect(await claim(name('a', { wizardId: 'registratie' }), held('u'), 'd4')).not.toBeNull();
      expect(await claim(name('a', { owner: 'joost' }), held('u'), 'd5')).not.toBeNull();
    });

    it('is granted to one of 30 simultaneous claims, on a new name and on an expired claim', async () => {
      const fresh = await together(30, (n) => claim(name('a'), held(`t${n}`), `d${n}`));
      expect(fresh.filter((one) => one !== null)).toHaveLength(1);
      await uploads.release(name('a'), `t${fresh.findIndex((one) => one !== null)}`, 'unreceived');
      await claim(name('a'), lapsed('t'));
      const again = await together(30, (n) => claim(name('a'), held(`u${n}`), `e${n}`));
      expect(again.filter((one) => one !== null)).toHaveLength(1);
    });

    it('on an expired claim takes over the upload with the file data that was received', async () => {
      await claim(name('a'), lapsed('t'), 'd1');
      await uploads.receive(name('a'), 't', file('d1'), ROOM);
      expect((await found('d1')).state).toBe('lost');
      const portfolio = made('d2', { categoryId: 'portfolio' });
      const taken = { ...portfolio, documentId: 'd1', state: 'lost', perhapsStored: true, sha256: 'f'.repeat(64) };
      expect(await uploads.claim(name('a'), portfolio, held('u'), Date.now())).toMatchObject(taken);
      expect((await found('d1')).state).toBe('pending');
    });

    it('on a rejected upload makes it pending again, with a new creation time', async () => {
      await claim(name('a'), held('t'), 'd1', 1_000);
      await uploads.reject(name('a'), 't');
      const rejected = { state: 'rejected', omvang: null, perhapsStored: false };
      expect(await claim(name('a'), held('u'), 'd2', 2_000)).toMatchObject(rejected);
      expect(await found('d1')).toMatchObject({ state: 'pending', createdAt: 2_000 });
    });

    it('on an uploaded file returns it unchanged', async () => {
      await uploaded('a');
      const before = await found('d-a');
      expect(await uploads.claim(name('a'), made('d2', { categoryId: 'portfolio' }), held('u'), 1)).toEqual(before);
      expect(await found('d-a')).toEqual(before);
    });

    it('is refused while the upload is being deleted', async () => {
      await uploaded('a');
      await uploads.beginDelete('sanne', 'd-a', held('x'));
      expect(await claim(name('a'), held('u'), 'd2')).toBeNull();
    });
  });

  describe('a renewed claim', () => {
    it('keeps its upload pending, and other claims are refused', async () => {
      await claim(name('a'), lapsed('t'));
      expect((await found('d-a')).state).toBe('lost');
      expect(await uploads.renew(name('a'), 't', Date.now() + 60_000)).toBe(true);
      expect((await found('d-a')).state).toBe('pending');
      expect(await claim(name('a'), held('u'))).toBeNull();
    });

    it('is refused when another claim holds the upload, when it was released, and when the file is uploaded', async () => {
      await claim(name('a'), lapsed('t'));
      await claim(name('a'), lapsed('u'));
      expect(await uploads.renew(name('a'), 't', Date.now() + 60_000)).toBe(false);
      expect((await found('d-a')).state).toBe('lost');
      await uploads.release(name('a'), 'u', 'unreceived');
      expect(await uploads.renew(name('a'), 'u', Date.now() + 60_000)).toBe(false);
      await uploaded('b');
      expect(await uploads.renew(name('b'), 't', Date.now() + 60_000)).toBe(false);
      expect((await found('d-b')).state).toBe('uploaded');
    });
  });

  describe('a received file', () => {
    it('is recorded as `pending` with `perhapsStored` true, before it is sent to the document store', async () => {
      await claim(name('a'));
      expect(await receive(name('a'), { documentId: 'd9' })).toBe('received');
      expect(await found('d9')).toMatchObject({ ...file('d9'), state: 'pending', perhapsStored: true, key: null });
      expect(await uploads.find('d-a', 'w')).toBeNull();
    });

    it('is refused as "lapsed" without a valid claim', async () => {
      await claim(name('a'), lapsed('t'));
      await claim(name('a'), held('u'));
      expect(await receive(name('a'))).toBe('lapsed');
      expect(await receive(name('b'))).toBe('lapsed');
      expect((await found('d-a')).sha256).toBeNull();
    });

    it.each<[string, Quota, 'received' | 'quota']>([
      ['received when the number of documents is exactly the quota', { documents: 3, bytes: 1_000 }, 'received'],
      ['refused as "quota" with one document too many', { documents: 2, bytes: 1_000 }, 'quota'],
      ['received when the number of bytes is exactly the quota', { documents: 10, bytes: 300 }, 'received'],
      ['refused as "quota" with one byte too many', { documents: 10, bytes: 299 }, 'quota'],
    ])('is %s', async (__, quota, outcome) => {
      await uploaded('a');
      await uploaded('b');
      // Of others, elsewhere, of no file yet, or of one that nobody knows to be there: none of them counts.
      await lost('h');
      await uploaded('c', { wizardId: 'registratie' });
      await uploaded('e', { owner: 'joost' });
      await claim(name('f'), held('u'));
      await claim(name('g'), held('u'));
      await uploads.reject(name('g'), 'u');
      await claim(name('z'));
      expect(await receive(name('z'), {}, 't', quota)).toBe(outcome);
      expect((await found('d-z')).perhapsStored).toBe(outcome === 'received');
      // What is replaced does not count beside what replaces it.
      if (outcome === 'received') expect(await receive(name('z'), {}, 't', quota)).toBe('received');
    });

    it('counts for the quota of 5 documents when 12 arrive at once: 5 are received and 7 refused', async () => {
      const names = Array.from({ length: 12 }, (__, n) => name(`n${n}`));
      await Promise.all(names.map((of) => claim(of)));
      const quota = { documents: 5, bytes: 1_000 };
      const outcomes = await Promise.all(names.map((of) => receive(of, {}, 't', quota)));
      expect(outcomes.filter((outcome) => outcome === 'received')).toHaveLength(5);
      expect(outcomes.filter((outcome) => outcome === 'quota')).toHaveLength(7);
    });

    it('is refused by the quota until an earlier document is linked to a request', async () => {
      const quota = { documents: 1, bytes: 100 };
      await uploaded('a');
      await claim(name('z'));
      expect(await receive(name('z'), {}, 't', quota)).toBe('quota');
      await uploads.link('sanne', ['d-a'], 'app1');
      expect(await receive(name('z'), {}, 't', quota)).toBe('received');
    });
  });

  describe('settling an upload', () => {
    it('makes it uploaded, with its key in the document store', async () => {
      await uploaded('a');
      expect(await found('d-a')).toMatchObject({ state: 'uploaded', key: 'key-a', perhapsStored: false });
    });

    it('returns false when another claim holds it, when it was released, and when it does not exist', async () => {
      await claim(name('a'), lapsed('t'));
      await receive(name('a'));
      await claim(name('a'), held('u'));
      expect(await uploads.settle(name('a'), 't', 'k')).toBe(false);
      expect(await found('d-a')).toMatchObject({ state: 'pending', key: null });
      await uploads.release(name('a'), 'u', 'perhaps-stored');
      expect(await uploads.settle(name('a'), 'u', 'k')).toBe(false);
      expect(await uploads.settle(name('b'), 'u', 'k')).toBe(false);
    });
  });

  describe('rejecting an upload', () => {
    it('makes it rejected and removes its file data', async () => {
      await claim(name('a'));
      await receive(name('a'));
      await uploads.reject(name('a'), 't');
      expect(await found('d-a')).toMatchObject({ state: 'rejected', ...NO_FILE });
    });

    it('changes nothing when another claim holds it', async () => {
      await claim(name('a'), lapsed('t'));
      await claim(name('a'), held('u'));
      await uploads.reject(name('a'), 't');
      expect((await found('d-a')).state).toBe('pending');
    });
  });

  describe('releasing a claim', () => {
    it('with "unreceived" deletes an upload that the claim created', async () => {
      await claim(name('a'));
      await uploads.release(name('a'), 't', 'unreceived');
      expect(await everything()).toEqual([]);
      expect(await claim(name('a'), held('u'))).toMatchObject({ state: 'pending' });
    });

    it('with "unreceived" does not change an upload that was lost', async () => {
      await lost('a');
      await claim(name('a'), held('u'));
      await uploads.release(name('a'), 'u', 'unreceived');
      expect(await found('d-a')).toMatchObject({ state: 'lost', perhapsStored: true, ...file('d-a') });
    });

    it('with "perhaps-stored" makes the upload lost, and it can be claimed again at once', async () => {
      await lost('a');
      expect(await found('d-a')).toMatchObject({ state: 'lost', perhapsStored: true });
      expect(await claim(name('a'), held('u'))).toMatchObject({ state: 'lost', perhapsStored: true });
      expect(await found('d-a')).toMatchObject({ state: 'pending', perhapsStored: true });
    });

    it.each(['unreceived', 'perhaps-stored'] as const)('with "%s" changes nothing of another claim', async (how) => {
      await claim(name('a'), lapsed('t'));
      await claim(name('a'), held('u'));
      await uploads.release(name('a'), 't', how);
      expect(await everything()).toEqual([['a', 'pending']]);
    });
  });

  describe('reading uploads', () => {
    it('lists uploads with the same creation time sorted by localId', async () => {
      for (const localId of ['c', 'a', 'b'])
        await claim(name(localId), held('t'), `${9 - (localId.charCodeAt(0) % 9)}`, 1_000);
      expect((await uploads.list('sanne')).map(({ localId }) => localId)).toEqual(['a', 'b', 'c']);
    });

    it('lists only the uploads of the owner, the newest first', async () => {
      await uploaded('a', {}, 1_000);
      await uploaded('b', {}, 3_000);
      await uploaded('c', { wizardId: 'registratie' }, 2_000);
      await uploaded('x', { owner: 'joost' });
      expect((await uploads.list('sanne')).map(({ localId }) => localId)).toEqual(['b', 'c', 'a']);
      expect((await uploads.list('sanne', ['a', 'c', 'x', 'y'])).map(({ localId }) => localId)).toEqual(['c', 'a']);
      expect(await uploads.list('sanne', [])).toEqual([]);
    });

    it('finds documents by id: with an owner only those of that owner, without one those of all owners', async () => {
      await uploaded('a');
      await uploaded('x', { owner: 'joost' });
      expect(ids(await uploads.named('sanne', ['d-a', 'd-x', 'd-y', 'd-a']))).toEqual(['d-a']);
      expect(await uploads.named('sanne', [])).toEqual([]);
      expect(await uploads.find('d-x', 'w')).toMatchObject({ owner: 'joost' });
      expect(await uploads.find('d-y', 'w')).toBeNull();
    });

    it('finds a document only in the workspace in which its last upload began', async () => {
      await uploads.claim(name('a'), made('d1', { workspace: 'org-a' }), lapsed('t'), 1);
      expect(await uploads.find('d1', 'org-a')).toMatchObject({ workspace: 'org-a' });
      expect(await uploads.find('d1', 'org-b')).toBeNull();
      await uploads.claim(name('a'), made('d2', { workspace: 'org-b' }), held('u'), 2);
      expect(await uploads.find('d1', 'org-a')).toBeNull();
      expect(await uploads.find('d1', 'org-b')).toMatchObject({ workspace: 'org-b' });
      expect(await uploads.find('d1', '')).toBeNull();
    });

    it('works with any characters in owner, wizard, localId and file name', async () => {
      for (const odd of ["o'brien", '"; drop table uploads; --', '%', '_', '\\', '|', 'é🎈', ' ', '']) {
        const of = { owner: odd, wizardId: odd, localId: odd };
        const documentId = `d${odd}`;
        expect(
          await uploads.claim(of, made(documentId), { token: `t${odd}`, until: Date.now() + 1_000 }, 1),
        ).toMatchObject(of);
        expect(await uploads.receive(of, `t${odd}`, file(documentId, { bestandsnaam: odd }), ROOM)).toBe('received');
        expect(await uploads.settle(of, `t${odd}`, odd)).toBe(true);
        expect(await uploads.list(odd, [odd, '%'])).toMatchObject([{ documentId, key: odd, bestandsnaam: odd }]);
        expect(await uploads.link(odd, [documentId], 'app')).toBe(true);
        expect(await uploads.beginDelete(odd, documentId, held('x'))).toBe('linked');
      }
      expect(await uploads.list('sanne')).toEqual([]);
    });

    it('finds nothing for ids with a NUL, an unpaired surrogate or 10,000 characters', async () => {
      await uploaded('a');
      for (const odd of ['d-a\0', '\0', '\ud800', 'x'.repeat(10_000)]) {
        expect(await uploads.find(odd, 'w')).toBeNull();
        expect(await uploads.named('sanne', [odd])).toEqual([]);
        expect(await uploads.list('sanne', [odd])).toEqual([]);
        expect(await uploads.abandon('sanne', [odd])).toEqual([]);
        expect(await uploads.beginDelete('sanne', odd, held('x'))).toBe('absent');
        expect(await uploads.link('sanne', [odd], 'app1')).toBe(false);
      }
    });
  });

  describe('a request that refers to documents', () => {
    const sending = (id: string, owner = 'sanne', type: ApplicationType = 'intake') =>
      applications.addPending(
        { id, owner, type, createdAt: '2026-06-01T12:00:00.000Z' },
        { sentKey: id, sentHash: 'h' },
        held('t'),
      );

    it('links all documents once, also when a document is named twice, until the request is forgotten', async () => {
      await sending('app1');
      await uploaded('a');
      await uploaded('b');
      expect(await uploads.link('sanne', ['d-a', 'd-b', 'd-a'], 'app1')).toBe(true);
      expect(await uploads.link('sanne', ['d-a', 'd-b'], 'app1')).toBe(true);
      expect([await isLinked('d-a'), await isLinked('d-b')]).toEqual([true, true]);
      await applications.forget('app1', { token: 't' });
      expect([await isLinked('d-a'), await isLinked('d-b')]).toEqual([false, false]);
    });

    it.each([
      ['a draft', 'draft'],
      ['a request without a draft', 'request'],
    ])('made from %s keeps only its linked documents when it is settled', async (__, kind) => {
      for (const localId of ['a', 'b', 'c', 'd']) await uploaded(localId);
      const documentIds = ['d-a', 'd-b', 'd-c', 'd-d', 'd-gone'];
      if (kind === 'draft') await draft('app1', documentIds);
      else {
        const application = { id: 'app1', owner: 'sanne', type: 'intake', createdAt: AT, documentIds } as const;
        await applications.addPending(application, { sentKey: 'k', sentHash: 'h' }, held('t'));
      }
      await draft('app2', ['d-a', 'd-b']);
      await uploads.link('sanne', ['d-b', 'd-d'], 'app1');
      await uploads.link('sanne', ['d-a'], 'app2');
      await applications.settle('app1', { referentie: 'INT-2026-000001', manual: false, at: AT });
      expect(await applications.find('sanne', 'app1')).toMatchObject({ documentIds: ['d-b', 'd-d'], version: 2 });
      expect(await applications.find('sanne', 'app2')).toMatchObject({ documentIds: ['d-a', 'd-b'], version: 1 });
    });

    it('can be linked with an empty list', async () => {
      expect(await uploads.link('sanne', [], 'app1')).toBe(true);
    });

    it.each<[string, () => Promise<unknown>, string]>([
      ['not stored', async () => undefined, 'd-z'],
      ['of another owner', () => uploaded('x', { owner: 'joost' }), 'd-x'],
      ['pending', () => claim(name('p')), 'd-p'],
      ['lost', () => lost('q'), 'd-q'],
      [
        'being deleted',
        async () => {
          await uploaded('r');
          await uploads.beginDelete('sanne', 'd-r', held('x'));
        },
        'd-r',
      ],
    ])('links no document when one of them is %s', async (__, make, documentId) => {
      await uploaded('a');
      await make();
      expect(await uploads.link('sanne', ['d-a', documentId], 'app1')).toBe(false);
      expect(await isLinked('d-a')).toBe(false);
      expect(await isLinked(documentId)).toBe(false);
      expect(await uploads.beginDelete('sanne', 'd-a', held('x'))).toMatchObject({ state: 'deleting' });
    });

    it('keeps its earlier links when it names a document that does not exist', async () => {
      await uploaded('a');
      await uploaded('b');
      await uploads.link('sanne', ['d-a'], 'app1');
      expect(await uploads.link('sanne', ['d-a', 'd-b', 'd-z'], 'app1')).toBe(false);
      expect([await isLinked('d-a'), await isLinked('d-b')]).toEqual([true, false]);
    });

    it('removes only its own links when it is forgotten, not those of another request or owner', async () => {
      await sending('app');
      await sending('app1', 'sanne', 'registratie');
      await sending('app2', 'sanne', 'herregistratie');
      await uploaded('a');
      await uploaded('x', { owner: 'joost' });
      await uploads.link('sanne', ['d-a'], 'app1');
      await uploads.link('sanne', ['d-a'], 'app2');
      await uploads.link('joost', ['d-x'], 'app1');
      expect(await applications.forget('app1', { token: 'other' })).toBe(false);
      await applications.forget('app1', { token: 't' });
      expect(await isLinked('d-a')).toBe(true);
      expect(await isLinked('d-x', 'joost')).toBe(true);
      await applications.forget('app', { token: 't' });
      expect(await isLinked('d-a')).toBe(true);
      await applications.forget('app2', { token: 't' });
      expect(await isLinked('d-a')).toBe(false);
    });

    it('that is a draft again after it was forgotten has no links', async () => {
      await uploaded('a');
      await draft('app1', ['d-a']);
      await applications.claim('sanne', 'app1', held('t'));
      await applications.send('app1', 't', { sentKey: 'k', sentHash: 'h' }, ['d-a']);
      await uploads.link('sanne', ['d-a'], 'app1');
      await applications.forget('app1', { token: 't' });
      expect(await isLinked('d-a')).toBe(false);
    });

    it('excludes a deletion at the same moment: exactly one of the two succeeds', async () => {
      const rounds = Array.from({ length: 40 }, (__, n) => `r${n}`);
      for (const round of rounds) for (const one of [round, `${round}b`]) await uploaded(one);
      const outcomes = await inFours(rounds, async (round, n) => {
        const both = [`d-${round}`, `d-${round}b`];
        const linking = () => uploads.link('sanne', both, `app-${round}`);
        const removing = () => uploads.beginDelete('sanne', `d-${round}`, held('x'));
        const [linked, removed] =
          n % 2 === 0
            ? await Promise.all([linking(), removing()])
            : await Promise.all([removing(), linking()]).then(([one, other]) => [other, one] as const);
        const partly = (await isLinked(`d-${round}b`)) !== linked;
        return { linked, removed: typeof removed === 'object', partly };
      });
      expect(outcomes.filter(({ linked, removed }) => linked === removed)).toEqual([]);
      expect(outcomes.filter(({ partly }) => partly)).toEqual([]);
    });
  });

  describe('a deletion', () => {
    it('is begun by one of 20 simultaneous calls, and deletes the upload when that call ends the deletion', async () => {
      await uploaded('a');
      const begun = await together(20, (n) => uploads.beginDelete('sanne', 'd-a', held(`x${n}`)));
      expect(begun.filter((one) => one !== 'absent')).toMatchObject([{ key: 'key-a', state: 'deleting' }]);
      await uploads.endDelete('d-a', 'y');
      expect(await everything()).toEqual([['a', 'deleting']]);
      await uploads.endDelete('d-a', `x${begun.findIndex((one) => one !== 'absent')}`);
      expect(await everything()).toEqual([]);
    });

    it.each([
      ['not stored', 'sanne', 'd-z'],
      ['of another owner', 'joost', 'd-a'],
      ['pending', 'sanne', 'd-p'],
    ])('is refused as "absent" for an upload that is %s', async (__, owner, documentId) => {
      await uploaded('a');
      await claim(name('p'));
      expect(await uploads.beginDelete(owner, documentId, held('x'))).toBe('absent');
      expect(await uploads.beginDelete(owner, documentId, held('x'), 'linked')).toBe('absent');
      expect(await everything()).toEqual([
        ['a', 'uploaded'],
        ['p', 'pending'],
      ]);
    });

    it('is refused as "linked" for a document of a request, unless linked documents are allowed', async () => {
      await uploaded('a');
      await uploads.link('sanne', ['d-a'], 'app1');
      expect(await uploads.beginDelete('sanne', 'd-a', held('x'))).toBe('linked');
      expect((await found('d-a')).state).toBe('uploaded');
      expect(await uploads.beginDelete('sanne', 'd-a', held('x'), 'linked')).toMatchObject({ state: 'deleting' });
      await uploads.cancelDelete('d-a', 'x');
      expect((await found('d-a')).state).toBe('uploaded');
      expect(await isLinked('d-a')).toBe(true);
    });

    it('restores the upload when it is cancelled with its own token, and changes nothing with another token', async () => {
      await uploaded('a');
      const before = await found('d-a');
      await uploads.beginDelete('sanne', 'd-a', held('x'));
      await uploads.cancelDelete('d-a', 'y');
      expect((await found('d-a')).state).toBe('deleting');
      await uploads.cancelDelete('d-a', 'x');
      expect(await found('d-a')).toEqual(before);
      expect(await uploads.link('sanne', ['d-a'], 'app1')).toBe(true);
    });
  });

  describe('documents that an application abandons', () => {
    it('are deleted, except those in another draft, linked to a request, of another owner or pending', async () => {
      for (const localId of ['a', 'b', 'c', 'e']) await uploaded(localId);
      await uploaded('x', { owner: 'joost' });
      await uploads.link('sanne', ['d-b'], 'app1');
      await draft('app2', ['d-y', 'd-c']);
      await draft('app3', ['d-a'], 'joost');
      await claim(name('p'));
      const left = await uploads.abandon('sanne', ['d-a', 'd-b', 'd-c', 'd-x', 'd-p', 'd-z']);
      expect(left).toEqual([{ documentId: 'd-a', key: 'key-a' }]);
      expect(await everything()).toEqual([
        ['b', 'uploaded'],
        ['c', 'uploaded'],
        ['e', 'uploaded'],
        ['p', 'pending'],
      ]);
      expect((await found('d-x')).state).toBe('uploaded');
      expect(await uploads.abandon('sanne', ['d-a'])).toEqual([]);
      expect(await uploads.abandon('sanne', [])).toEqual([]);
    });

    it('are either deleted or linked when a request links them at the same moment', async () => {
      const rounds = Array.from({ length: 40 }, (__, n) => `r${n}`);
      for (const round of rounds) await uploaded(round);
      const outcomes = await inFours(rounds, (round) =>
        Promise.all([uploads.abandon('sanne', [`d-${round}`]), uploads.link('sanne', [`d-${round}`], `app-${round}`)]),
      );
      expect(outcomes.filter(([left, linked]) => left.length > 0 === linked)).toEqual([]);
    });
  });
});

describe.each(engines.databases)('the sweeper of the upload store on %s', async (_, open) => {
  const store = await use(open());
  const { uploads, applications } = store;
  const { claim, receive, uploaded, lost, draft, found, everything } = actionsOn(store);
  const sweepAll = (most = 100) => uploads.sweep({ orphans: Date.now() + HOUR, doubts: Date.now() + HOUR }, most);
  beforeEach(() => store.erase());

  it('finds the document of an earlier attempt that may be stored after an upload with a new document id', async () => {
    await lost('a');
    await claim(name('a'), held('u'), 'unused');
    expect(await receive(name('a'), { documentId: 'd2' }, 'u')).toBe('received');
    expect(await sweepAll()).toEqual([{ documentId: 'd-a', key: null }]);
  });

  it('finds nothing after an upload with the same document, or when the earlier attempt stored nothing', async () => {
    await lost('a');
    await claim(name('a'), held('u'), 'unused');
    await receive(name('a'), {}, 'u');
    await uploads.settle(name('a'), 'u', 'k');
    await claim(name('b'), lapsed('t'));
    await claim(name('b'), held('u'), 'unused');
    await receive(name('b'), { documentId: 'd2' }, 'u');
    await uploads.settle(name('b'), 'u', 'k');
    expect(await uploads.sweep({ orphans: 0, doubts: Date.now() + HOUR }, 10)).toEqual([]);
  });

  it('finds an earlier document after a rejection, but not when the quota refuses the new file', async () => {
    await lost('a');
    await claim(name('a'), held('u'));
    expect(await receive(name('a'), { documentId: 'd2' }, 'u', { documents: 0, bytes: 0 })).toBe('quota');
    expect(await found('d-a')).toMatchObject({ perhapsStored: true });
    await uploads.reject(name('a'), 'u');
    expect(ids(await uploads.sweep({ orphans: 0, doubts: Date.now() + HOUR }, 10))).toEqual([]);
    await claim(name('a'), held('v'));
    await receive(name('a'), { documentId: 'd3' }, 'v');
    const later = Date.now() + HOUR;
    expect(ids(await uploads.sweep({ orphans: later, doubts: later }, 10))).toEqual(['d-a']);
  });

  it('takes an upload that then cannot be settled', async () => {
    await claim(name('a'), lapsed('t'), 'd-a', 1_000);
    await receive(name('a'));
    await sweepAll();
    expect(await uploads.settle(name('a'), 't', 'k')).toBe(false);
    expect(await uploads.find('d-a', 'w')).toBeNull();
  });

  it('finds nothing after a deletion that ended', async () => {
    await uploaded('a');
    await uploads.beginDelete('sanne', 'd-a', held('x'));
    await uploads.endDelete('d-a', 'x');
    expect(await everything()).toEqual([]);
    expect(await sweepAll()).toEqual([]);
  });

  it('returns what an application abandons every time until it is recorded as removed', async () => {
    await uploaded('a');
    await uploads.abandon('sanne', ['d-a']);
    const never = { orphans: 0, doubts: 0 };
    expect(ids(await uploads.sweep(never, 10))).toEqual(['d-a']);
    expect(ids(await uploads.sweep(never, 10))).toEqual(['d-a']);
    await uploads.removed('d-a');
    expect(await uploads.sweep(never, 10)).toEqual([]);
  });

  it('takes old uploads to which no application refers, and keeps newer uploads and those to which an application or a request refers', async () => {
    const now = Date.now();
    const old = now - 48 * HOUR;
    // The clock of the store and that of this process can differ by a millisecond from one statement to the next.
    for (const localId of ['old', 'linked', 'mentioned']) await uploaded(localId, {}, old - 1_000);
    await uploaded('almost', {}, old + 1_000);
    await uploaded('young', {}, now);
    await uploads.link('sanne', ['d-linked'], 'app1');
    await draft('app2', ['d-mentioned', 'd-z']);
    await draft('app3', ['d-old'], 'joost');
    const swept = await uploads.sweep({ orphans: old, doubts: now - HOUR }, 10);
    expect(swept).toEqual([{ documentId: 'd-old', key: 'key-old' }]);
    expect(await everything()).toEqual(['almost', 'linked', 'mentioned', 'young'].map((id) => [id, 'uploaded']));
  });

  it('counts the age of a rejected upload from the new attempt', async () => {
    const now = Date.now();
    await claim(name('a'), held('t'), 'd1', now - 47 * HOUR);
    await uploads.reject(name('a'), 't');
    await uploaded('a', {}, now);
    await uploads.sweep({ orphans: now - HOUR, doubts: now - HOUR }, 10);
    expect(await everything()).toEqual([['a', 'uploaded']]);
  });

  it('deletes old rejected and unclaimed uploads, and returns their documents once they can no longer arrive', async () => {
    const now = Date.now();
    await lost('lost', now - 10 * HOUR);
    await claim(name('dead'), lapsed('t'), 'd-dead', now - 10 * HOUR);
    await claim(name('busy'), held('t'), 'd-busy', now - 10 * HOUR);
    await claim(name('rejected'), held('t'), 'd-rejected', now - 10 * HOUR);
    await uploads.reject(name('rejected'), 't');
    await lost('young', now);
    expect(await uploads.sweep({ orphans: now - 20 * HOUR, doubts: now - HOUR }, 10)).toEqual([]);
    expect(await everything()).toHaveLength(5);
    // Left over from now on: whether they are there can be asked when they cannot be on their way any more.
    expect(await uploads.sweep({ orphans: now - HOUR, doubts: now - HOUR }, 10)).toEqual([]);
    expect(await everything()).toEqual([
      ['busy', 'pending'],
      ['young', 'lost'],
    ]);
    const later = await uploads.sweep({ orphans: now - HOUR, doubts: now + HOUR }, 10);
    expect(later.map(({ documentId: id, key }) => [id, key]).sort()).toEqual([
      ['d-dead', null],
      ['d-lost', null],
    ]);
  });

  it('takes over a deletion whose claim has expired, removes the document from drafts, and leaves a deletion that is in progress', async () => {
    await uploaded('a');
    await uploaded('b');
    await draft('lists-both', ['d-a', 'd-b']);
    await uploads.beginDelete('sanne', 'd-a', lapsed('x'));
    await uploads.beginDelete('sanne', 'd-b', held('x'));
    expect(ids(await uploads.sweep({ orphans: 0, doubts: 0 }, 10))).toEqual(['d-a']);
    expect(await everything()).toEqual([['b', 'deleting']]);
    expect(await applications.find('sanne', 'lists-both')).toMatchObject({ documentIds: ['d-b'], version: 2 });
    await uploads.cancelDelete('d-a', 'x');
    expect(await uploads.find('d-a', 'w')).toBeNull();
  });

  it('returns the oldest documents first and postponed ones last, and at most the given number', async () => {
    for (const localId of ['a', 'b', 'c']) {
      await uploaded(localId);
      await uploads.abandon('sanne', [`d-${localId}`]);
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
    expect((await sweepAll(2)).map(({ documentId }) => documentId)).toEqual(['d-a', 'd-b']);
    await uploads.postpone('d-a');
    await uploads.postpone('d-absent');
    expect((await sweepAll(2)).map(({ documentId }) => documentId)).toEqual(['d-b', 'd-c']);
    expect(ids(await sweepAll())).toEqual(['d-a', 'd-b', 'd-c']);
  });

  it('does not return a document that is claimed again with the same id', async () => {
    await lost('a', 1_000);
    expect(ids(await sweepAll())).toEqual(['d-a']);
    await claim(name('a'), held('t'), 'd-a');
    expect(await sweepAll()).toEqual([]);
    await uploads.release(name('a'), 't', 'unreceived');
    expect(ids(await sweepAll())).toEqual(['d-a']);
  });

  it('has a lease that one process holds and can extend, and that another process can take after it has expired', async () => {
    const soon = Date.now() + 60_000;
    const tries = await together(20, (n) => uploads.lease('orphans', `p${n}`, soon));
    expect(tries.filter(Boolean)).toHaveLength(1);
    const holder = `p${tries.indexOf(true)}`;
    expect(await uploads.lease('orphans', holder, soon + 1)).toBe(true);
    expect(await uploads.lease('orphans', 'q', soon)).toBe(false);
    expect(await uploads.lease('other', 'q', soon)).toBe(true);
    expect(await uploads.lease('orphans', holder, Date.now() - 1)).toBe(true);
    const next = await together(20, (n) => uploads.lease('orphans', `r${n}`, soon));
    expect(next.filter(Boolean)).toHaveLength(1);
  });

  it('has a lease that another process can take when the clock was set back after it was given', async () => {
    await uploads.lease('orphans', 'p', Date.now() + 24 * HOUR);
    expect(await uploads.lease('orphans', 'q', Date.now() + 60_000)).toBe(true);
  });
});

it('a request that is forgotten while the database fails is still there with its links, so that it can be forgotten later', async () => {
  const store = keep(await openStore({ kind: 'sqlite', folder: ':memory:' }));
  const { applications, uploads, db } = store;
  const application = { id: 'app1', owner: 'sanne', type: 'intake', createdAt: '2026-06-01T12:00:00.000Z' } as const;
  await uploads.claim(name('a'), made('d-a'), held('t'), 1);
  await uploads.settle(name('a'), 't', 'key-a');
  await applications.addPending(application, { sentKey: 'k', sentHash: 'h' }, held('t'));
  await uploads.link('sanne', ['d-a'], 'app1');
  await sql`create trigger failing before update on uploads begin select raise(abort, 'disk'); end`.execute(db);
  await expect(applications.forget('app1', { token: 't' })).rejects.toThrow('disk');
  expect(await applications.list('sanne')).toMatchObject([{ id: 'app1', tag: 'Pending' }]);
  await sql`drop trigger failing`.execute(db);
  expect(await applications.forget('app1', { token: 't' })).toBe(true);
  expect(await uploads.beginDelete('sanne', 'd-a', held('x'))).toMatchObject({ state: 'deleting' });
});

describe('documents that no application refers to', () => {
  it('are all moved to the list of the sweeper, also when there are more than one statement can have', async () => {
    const store = keep(await openStore({ kind: 'sqlite', folder: ':memory:' }));
    await sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 11000)
      insert into uploads (owner, "wizardId", "localId", "documentId", "categoryId", state, key, links, "perhapsStored", "createdAt")
      select 'sanne', 'intake', 'l-' || n, 'd-' || n, 'diploma', 'uploaded', 'k-' || n, '', 0, 1 from numbers`.execute(
      store.db,
    );
    expect(await store.uploads.sweep({ orphans: 2, doubts: 2 }, 20_000)).toHaveLength(11_000);
  });

  it('stay uploads when the list of the sweeper cannot be written', async () => {
    const store = keep(await openStore({ kind: 'sqlite', folder: ':memory:' }));
    const { uploads, db } = store;
    const sweep = () => uploads.sweep({ orphans: 2, doubts: 2 }, 10);
    await uploads.claim(name('a'), made('d-a'), held('t'), 1);
    await uploads.settle(name('a'), 't', 'key-a');
    await sql`create trigger failing before insert on leftovers begin select raise(abort, 'disk'); end`.execute(db);
    await expect(sweep()).rejects.toThrow('disk');
    await sql`drop trigger failing`.execute(db);
    expect(ids(await sweep())).toEqual(['d-a']);
  });

  it.each<[string, (uploads: UploadStore) => Promise<unknown>]>([
    ['another file', (uploads) => uploads.receive(name('a'), 't2', file('d-b'), ROOM)],
    ['a file that is rejected', (uploads) => uploads.reject(name('a'), 't2')],
  ])('stay those of their upload when %s follows and the list of the sweeper cannot be written', async (_, follow) => {
    const { uploads, db, close } = await openStore({ kind: 'sqlite', folder: ':memory:' });
    const find = () => uploads.find('d-a', made('d-a').workspace);
    await uploads.claim(name('a'), made('d-a'), held('t1'), 1);
    await uploads.receive(name('a'), 't1', file('d-a'), ROOM);
    await uploads.release(name('a'), 't1', 'perhaps-stored');
    await uploads.claim(name('a'), made('d-x'), held('t2'), 2);
    await sql`create trigger failing before insert on leftovers begin select raise(abort, 'disk'); end`.execute(db);
    await expect(follow(uploads)).rejects.toThrow('disk');
    expect(await find()).toMatchObject({ documentId: 'd-a', perhapsStored: true });
    await sql`drop trigger failing`.execute(db);
    await follow(uploads);
    const later = Date.now() + HOUR;
    expect(ids(await uploads.sweep({ orphans: later, doubts: later }, 10))).toEqual(['d-a']);
    await close();
  });
});
