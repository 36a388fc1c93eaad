import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createMemoryStore } from '../../browser/memory-store/index.ts';
import type { Documents } from '../../src/ports/documents.ts';
import { sweepOrphans } from '../../src/uploads/lifecycle/orphans.ts';

afterEach(() => {
  vi.useRealTimers();
});

const TEN_MINUTES = 600_000;
const NAME = { owner: 'sanne', wizardId: 'intake', localId: 'l1' };
const FILE = { documentId: 'd', formaat: 'application/pdf', bestandsnaam: 'd.pdf', omvang: 1, sha256: 'f' };

describe('the sweep of orphans', () => {
  it('never runs twice at once, runs again after ten minutes, and is waited for when it stops', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { uploads } = createMemoryStore();
    await uploads.claim(
      NAME,
      { workspace: 'w', categoryId: 'diploma', documentId: 'd' },
      { token: 't', until: Date.now() + TEN_MINUTES },
      0,
    );
    await uploads.receive(NAME, 't', FILE, { documents: 1, bytes: 1 });
    await uploads.settle(NAME, 't', 'key');
    const deletions: (() => void)[] = [];
    const documents = { delete: () => new Promise((resolve) => deletions.push(() => resolve('absent'))) };
    const rounds: number[] = [];
    const sweeper = sweepOrphans(
      {
        uploads,
        retention: { expire: async () => ({ concepts: 0, keys: 0 }) },
        documents: documents as unknown as Documents,
        uploadLimits: { orphanHours: 0 } as never,
        processingLog: { accepts: () => true, processing: () => undefined } as never,
        conceptDays: 0,
      },
      ({ removed }) => rounds.push(removed),
    );
    await vi.waitFor(() => expect(deletions).toHaveLength(1));
    vi.advanceTimersByTime(2 * TEN_MINUTES);
    await setTimeout(0);
    expect([deletions.length, rounds]).toEqual([1, []]);
    deletions[0]?.();
    await vi.waitFor(() => expect(rounds).toEqual([1]));

    await uploads.claim(
      NAME,
      { workspace: 'w', categoryId: 'diploma', documentId: 'd' },
      { token: 't', until: Date.now() + TEN_MINUTES },
      0,
    );
    await uploads.receive(NAME, 't', FILE, { documents: 1, bytes: 1 });
    await uploads.settle(NAME, 't', 'key');
    vi.advanceTimersByTime(TEN_MINUTES);
    await vi.waitFor(() => expect(deletions).toHaveLength(2));
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
});
