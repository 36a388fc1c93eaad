import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { openStore } from '../../adapters/store/index.ts';
import { type Call, UpstreamError } from '../../src/ports/call.ts';
import type { Documents } from '../../src/ports/documents.ts';
import type { SweepRecord } from '../../src/ports/meters.ts';
import type { LeftoverStore } from '../../src/ports/store/uploads.ts';
import { sweepOrphans } from '../../src/uploads/sweeper.ts';
import { keep } from '../support/service.ts';
import { fakeTimers } from '../support/time.ts';

const TEN_MINUTES = 600_000;
const NAME = { owner: 'sanne', wizardId: 'intake', localId: 'l1' };
const FILE = { documentId: 'd', formaat: 'application/pdf', bestandsnaam: 'd.pdf', omvang: 1, sha256: 'f' };

const MADE = { workspace: 'w', categoryId: 'diploma', documentId: 'd' };

/** Returns what the sweeper uses, with these uploads and this document store. */
const depsOf = (leftovers: LeftoverStore, documents: object) => ({
  leftovers,
  retention: { expire: async () => ({ concepts: 0, keys: 0, owners: [] }) },
  documents: documents as unknown as Documents,
  uploadLimits: { orphanHours: 0 } as never,
  processingLog: { accepts: () => true, processing: () => undefined } as never,
  conceptDays: 0,
});

describe('the sweep of orphans', () => {
  it('tries documents that the document store cannot delete after all others, and reports them', async () => {
    fakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    const { uploads } = keep(await openStore({ kind: 'sqlite', folder: ':memory:' }));
    const names = Array.from({ length: 7 }, (_, n) => `d${n}`);
    for (const documentId of names) {
      const [name, token] = [{ ...NAME, localId: documentId }, 't'];
      vi.advanceTimersByTime(1);
      await uploads.claim(name, { ...MADE, documentId }, { token, until: Date.now() + 1 }, 0);
      await uploads.receive(name, token, { ...FILE, documentId }, { documents: 9, bytes: 9 });
      await uploads.settle(name, token, documentId);
      await uploads.abandon('sanne', [documentId]);
    }
    const broken = names.filter((name) => name !== 'd4');
    const documents = {
      async delete(key: string) {
        if (broken.includes(key)) throw new UpstreamError('documenten', 'unavailable', 'status 500');
        return 'deleted';
      },
    };
    const rounds: SweepRecord[] = [];
    const sweeper = sweepOrphans(depsOf(uploads, documents), (round) => rounds.push(round));
    // It stops after five failures in a row: not in the first round.
    await expect.poll(() => rounds).toMatchObject([{ removed: 1, failed: 6 }]);
    broken.pop();
    vi.advanceTimersByTime(TEN_MINUTES);
    await expect.poll(() => rounds.slice(1)).toMatchObject([{ removed: 0, failed: 5 }]);
    vi.advanceTimersByTime(TEN_MINUTES);
    await expect.poll(() => rounds.slice(2)).toMatchObject([{ removed: 1, failed: 5 }]);
    broken.splice(0);
    vi.advanceTimersByTime(TEN_MINUTES);
    await expect.poll(() => rounds.slice(3)).toMatchObject([{ removed: 5, failed: 0 }]);
    await sweeper.stop();
  });

  it('is done by one instance also when a slow document store makes the round longer than the lease', async () => {
    fakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    const { uploads } = keep(await openStore({ kind: 'sqlite', folder: ':memory:' }));
    const leftovers = ['d1', 'd2'].map((documentId) => ({ documentId, key: documentId }));
    const slow = { ...uploads, sweep: async () => leftovers, removed: async () => undefined };
    const [rounds, others]: [SweepRecord[], SweepRecord[]] = [[], []];
    const documents = {
      async delete(key: string) {
        vi.setSystemTime(Date.now() + 0.6 * TEN_MINUTES);
        if (key === 'd2') await sweepOrphans(depsOf(slow, {}), (round) => others.push(round)).stop();
        return 'deleted';
      },
    };
    const sweeper = sweepOrphans(depsOf(slow, documents), (round) => rounds.push(round));
    await expect.poll(() => rounds).toMatchObject([{ removed: 2, failed: 0 }]);
    expect(others).toEqual([]);
    await sweeper.stop();
  });

  it('reports the rounds of the instance that has the lease, and none of another instance until it stops', async () => {
    const { uploads } = keep(await openStore({ kind: 'sqlite', folder: ':memory:' }));
    const rounds: string[] = [];
    const deps = depsOf(uploads, { delete: async () => 'deleted' });
    const first = sweepOrphans(deps, () => rounds.push('first'));
    await expect.poll(() => rounds).toEqual(['first']);
    const second = sweepOrphans(deps, () => rounds.push('second'));
    await second.stop();
    expect(rounds).toEqual(['first']);
    await first.stop();
    await sweepOrphans(deps, () => rounds.push('third')).stop();
    expect(rounds).toEqual(['first', 'third']);
  });

  it('never runs twice at once, runs again after ten minutes, and is waited for when it stops', async () => {
    fakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { uploads } = keep(await openStore({ kind: 'sqlite', folder: ':memory:' }));
    await uploads.claim(NAME, MADE, { token: 't', until: Date.now() + TEN_MINUTES }, 0);
    await uploads.receive(NAME, 't', FILE, { documents: 1, bytes: 1 });
    await uploads.settle(NAME, 't', 'key');
    const deletions: (() => void)[] = [];
    const documents = { delete: () => new Promise((resolve) => deletions.push(() => resolve('absent'))) };
    const rounds: number[] = [];
    const sweeper = sweepOrphans(depsOf(uploads, documents), ({ removed }) => rounds.push(removed));
    await expect.poll(() => deletions).toHaveLength(1);
    vi.advanceTimersByTime(2 * TEN_MINUTES);
    await setTimeout(0);
    expect([deletions.length, rounds]).toEqual([1, []]);
    deletions[0]?.();
    await expect.poll(() => rounds).toEqual([1]);

    await uploads.claim(NAME, MADE, { token: 't', until: Date.now() + TEN_MINUTES }, 0);
    await uploads.receive(NAME, 't', FILE, { documents: 1, bytes: 1 });
    await uploads.settle(NAME, 't', 'key');
    vi.advanceTimersByTime(TEN_MINUTES);
    await expect.poll(() => deletions).toHaveLength(2);
    vi.advanceTimersByTime(TEN_MINUTES);
    let isStopped = false;
    const stopped = sweeper.stop().then(() => {
      isStopped = true;
    });
    await setTimeout(0);
    expect(isStopped).toBe(false);
    deletions[1]?.();
    await stopped;
    expect(rounds).toEqual([1, 1]);
  });

  it('stops when the processing log can record no more deletions', async () => {
    const sweep = async () => [NAME, NAME].map(() => ({ documentId: 'd', key: 'd' }));
    const uploads = { sweep, lease, removed: async () => undefined } as never;
    const accepts = vi.fn(() => false).mockReturnValueOnce(true);
    const processingLog = { accepts, processing: () => undefined } as never;
    const rounds: SweepRecord[] = [];
    const deps = { ...depsOf(uploads, { delete: async () => 'deleted' }), processingLog };
    const sweeper = sweepOrphans(deps, (round) => rounds.push(round));
    await expect.poll(() => rounds).toMatchObject([{ removed: 1, failed: 0 }]);
    await sweeper.stop();
  });

  it('is no failure when it stops during a deletion, and leaves the other documents for later', async () => {
    const names = ['d1', 'd2'];
    const uploads = { sweep: async () => names.map((documentId) => ({ documentId, key: documentId })), lease } as never;
    const begun: string[] = [];
    const documents = {
      delete: (key: string, _: string, { signal }: Call) =>
        new Promise((_resolve, reject) => {
          begun.push(key);
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    };
    const rounds: SweepRecord[] = [];
    const sweeper = sweepOrphans(depsOf(uploads, documents), (round) => rounds.push(round));
    await expect.poll(() => begun).toEqual(['d1']);
    await sweeper.stop();
    expect(rounds).toEqual([{ removed: 0, failed: 0, expired: { concepts: 0, keys: 0 } }]);
    expect(begun).toEqual(['d1']);
  });

  it('deletes old Concepts in each round until none is left, and then once a day, also after the clock was set back', async () => {
    fakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    const left = [1_000, 3, 0, 0, 0];
    const asked: (string | null)[] = [];
    const retention = {
      async expire(before: string | null) {
        asked.push(before);
        return { concepts: before === null ? 0 : (left.shift() ?? 0), keys: 0, owners: [] };
      },
    };
    const uploads = { sweep: async () => [], lease } as never;
    const rounds: SweepRecord[] = [];
    vi.setSystemTime('2026-06-10T00:00:00Z');
    const sweeper = sweepOrphans({ ...depsOf(uploads, {}), retention, conceptDays: 9 }, (round) => rounds.push(round));
    for (let round = 1; round <= 6; round += 1) {
      await expect.poll(() => rounds).toHaveLength(round);
      await setTimeout(0);
      if (round === 3) vi.setSystemTime('2026-06-10T23:00:00Z');
      if (round === 4) vi.setSystemTime('2026-06-11T01:00:00Z');
      if (round === 6) vi.setSystemTime('2026-05-20T01:00:00Z');
      vi.advanceTimersByTime(TEN_MINUTES);
    }
    await expect.poll(() => rounds).toHaveLength(7);
    await sweeper.stop();
    const days = asked.map((before) => before?.slice(0, 10) ?? null);
    expect(days).toEqual(['2026-06-01', '2026-06-01', '2026-06-01', null, '2026-06-02', null, '2026-05-11']);
  });

  it('goes on with a term for Concepts that is longer than JavaScript has dates', async () => {
    const uploads = { sweep: async () => [], lease } as never;
    const rounds: SweepRecord[] = [];
    const deps = { ...depsOf(uploads, {}), conceptDays: 999_999_999 };
    await sweepOrphans(deps, (round) => rounds.push(round)).stop();
    expect(rounds).toEqual([{ removed: 0, failed: 0, expired: { concepts: 0, keys: 0 } }]);
  });
});

const lease = async () => true;
