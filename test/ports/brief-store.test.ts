import { describe, expect, it } from 'vitest';
import type { Brief, BriefContent } from '../../src/ports/store/brief-store.ts';
import { useEngines } from '../support/engines.ts';
import { together, use } from '../support/service.ts';

const engines = useEngines();

const AT = '2026-06-01T12:00:00.000Z';
const content = (over: Partial<BriefContent> = {}): BriefContent => ({
  opdrachtId: 'o1',
  templateId: 't1',
  beroep: 'verpleegkundige',
  placeholders: [],
  sections: [],
  drafterId: 'dana',
  savedBy: [],
  submitters: [],
  submittedBy: null,
  submittedAt: null,
  approvedBy: null,
  approvedAt: null,
  rejectedBy: null,
  rejectedAt: null,
  comments: null,
  frozen: null,
  ...over,
});

describe.each(engines.all)('the store of letters on %s', async (_, open) => {
  const store = await use(open());

  const current = async (workspace = 'w'): Promise<Brief> => {
    const brief = await store.brieven.current(workspace);
    if (brief === null) throw new Error(`no letter in ${workspace}`);
    return brief;
  };
  const fresh = async (over: Partial<BriefContent> = {}): Promise<Brief> => {
    await store.erase();
    await store.brieven.begin('w', 'b1', content(over));
    return current();
  };
  const approved = async (): Promise<Brief> => {
    await store.brieven.change(await fresh(), { tag: 'approved', content: content({ approvedBy: 'anna' }) });
    return current();
  };
  const winners = async (attempt: (n: number) => Promise<boolean>): Promise<number> =>
    (await together(20, (n) => attempt(n))).filter(Boolean).length;

  it('is empty at first, and contains one letter after 20 simultaneous calls of begin', async () => {
    await store.erase();
    expect(await store.brieven.current('w')).toBeNull();
    await together(20, (n) => store.brieven.begin('w', `b${n}`, content({ drafterId: `d${n}` })));
    const { briefId, drafterId } = await current();
    expect(briefId.slice(1)).toBe(drafterId?.slice(1));
    expect(await store.brieven.current('elsewhere')).toBeNull();
  });

  it('returns a letter as it was stored, with any characters in the comments', async () => {
    const comments = 'NUL \0, half \ud800, é 🎈 "\\u0000"';
    expect(await fresh({ comments })).toEqual({
      ...content({ comments }),
      briefId: 'b1',
      workspace: 'w',
      version: 1,
      tag: 'draft',
      sentAt: null,
      sending: null,
    });
  });

  it('applies one of 20 simultaneous changes of the same version', async () => {
    const seen = await fresh();
    expect(
      await winners((n) =>
        store.brieven.change(seen, { tag: 'submitted', content: content({ submittedBy: `d${n}` }) }),
      ),
    ).toBe(1);
    expect(await current()).toMatchObject({ tag: 'submitted', version: 2 });
    expect(await store.brieven.change(seen, { tag: 'draft', content: content() })).toBe(false);
  });

  it('lets one of 20 simultaneous calls send and settle a letter, and records the last attempt', async () => {
    const seen = await approved();
    expect(await store.brieven.send({ ...seen, version: 1 }, 't')).toBe(false);
    expect(await winners((n) => store.brieven.send(seen, `t${n}`))).toBe(1);
    const noted = await current();
    expect(noted).toMatchObject({ tag: 'approved', version: seen.version, sending: expect.stringMatching(/^t/) });
    expect(await store.brieven.send(noted, 'later')).toBe(true);
    await store.brieven.unsend('b1', noted.sending ?? '');
    expect((await current()).sending).toBe('later');
    expect(await winners(() => store.brieven.settle('b1', AT))).toBe(1);
    expect(await current()).toMatchObject({ tag: 'sent', sentAt: AT, version: seen.version + 1 });
    await store.brieven.unsend('b1', 'later');
    expect((await current()).sending).toBe('later');
  });

  it('keeps the id of a letter and increments its version for each of 20 simultaneous restarts', async () => {
    await approved();
    await together(20, (n) => store.brieven.restart('w', `x${n}`, content({ drafterId: `d${n}` })));
    expect(await current()).toMatchObject({ briefId: 'b1', tag: 'draft', approvedBy: null, version: 22 });
  });

  it('adds a new letter at a restart after the current letter was sent or may have been sent', async () => {
    for (const step of ['sent', 'in doubt']) {
      await store.brieven.send(await approved(), 't');
      if (step === 'sent') await store.brieven.settle('b1', AT);
      await together(20, (n) => store.brieven.restart('w', `x${n}`, content()));
      const { briefId, tag, sending } = await current();
      expect([briefId.charAt(0), tag, sending]).toEqual(['x', 'draft', null]);
      expect(await store.brieven.settle('b1', AT)).toBe(step === 'in doubt');
      expect((await current()).tag).toBe('draft');
    }
  });

  it('performs one of 20 simultaneous restarts for the same expected version', async () => {
    const seen = await fresh();
    expect(await winners((n) => store.brieven.restart('w', `x${n}`, content(), seen))).toBe(1);
    expect(await current()).toMatchObject({ briefId: 'b1', version: 2 });
    expect(await store.brieven.restart('w', 'x', content(), { ...(await current()), briefId: 'other' })).toBe(false);
    await store.brieven.send(await approved(), 't');
    const inDoubt = await current();
    expect(await winners((n) => store.brieven.restart('w', `x${n}`, content(), inDoubt))).toBe(1);
    expect(await current()).toMatchObject({ briefId: expect.stringMatching(/^x/), version: 1 });
    await store.erase();
    expect(await store.brieven.restart('w', 'x', content(), seen)).toBe(false);
    expect(await store.brieven.current('w')).toBeNull();
  });

  it('creates a letter with version 1 at a restart when there is no letter', async () => {
    await store.erase();
    await store.brieven.restart('w', 'b9', content());
    expect(await current()).toMatchObject({ briefId: 'b9', version: 1 });
  });
});
