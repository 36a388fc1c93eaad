import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { DEFAULT_UPLOAD_LIMITS, MIB } from '../../src/domain/upload-limits.ts';
import { createCapacity } from '../../src/http/capacity.ts';
import { ClientDisconnected, DeadlinePassed } from '../../src/ports/call.ts';
import { Problem } from '../../src/problem.ts';
import { createAdmission, createChecks } from '../../src/uploads/admission.ts';
import { createPace } from '../../src/uploads/multipart.ts';
import { fakeTimers } from '../support/time.ts';

describe('an upload', () => {
  const admission = createAdmission({ ...DEFAULT_UPLOAD_LIMITS, receiving: 8, perPersonAtOnce: 2, spoolMb: 4 });
  const code = (work: () => unknown): string => {
    try {
      work();
    } catch (error) {
      return (error as { code: string }).code;
    }
    return 'admitted';
  };

  it('is refused above the limit of its person (te-veel-uploads) or of all uploads (overbelast)', () => {
    const places = [admission.admit('a'), admission.admit('a')];
    expect(code(() => admission.admit('a'))).toBe('te-veel-uploads');
    for (const owner of ['b', 'c', 'd', 'e', 'f', 'g']) places.push(admission.admit(owner));
    expect(code(() => admission.admit('h'))).toBe('overbelast');
    places.pop()?.release();
    places.push(admission.admit('h'));
    for (const place of places) place.release();
    expect(code(() => admission.admit('a').release())).toBe('admitted');
  });

  it('is admitted again an hour after the limit per hour was reached, also when the clock is set back in that hour', () => {
    fakeTimers({ toFake: ['Date', 'performance'] });
    const hourly = createAdmission({ ...DEFAULT_UPLOAD_LIMITS, perPersonPerHour: 1 });
    hourly.admit('a').release();
    vi.setSystemTime(Date.now() - 24 * 60 * 60_000);
    expect(code(() => hourly.admit('a'))).toBe('te-veel-uploads');
    vi.advanceTimersByTime(60 * 60_000);
    expect(code(() => hourly.admit('a').release())).toBe('admitted');
  });

  it('is refused with overbelast above the byte limit of all uploads', () => {
    const [one, other, third] = ['a', 'b', 'c'].map((owner) => admission.admit(owner));
    one?.reserve(2 * MIB);
    other?.reserve(2 * MIB);
    expect(code(() => third?.reserve(1))).toBe('overbelast');
    other?.release();
    expect(code(() => third?.reserve(2 * MIB))).toBe('admitted');
    one?.release();
    third?.release();
  });
});

describe('a client that sends an upload', () => {
  /** Returns the second in which a client is too slow that sends `bytes` every `every` seconds; null when not within two minutes. */
  function endOf(bytes: number, every: number, first = 0): number | null {
    const pace = createPace(0);
    pace.received(first, 0);
    for (let second = 1; second <= 120; second += 1) {
      if (second % every === 0) pace.received(bytes, second * 1_000);
      if (pace.isTooSlow(second * 1_000)) return second;
    }
    return null;
  }

  it.each<[string, number | null, number, number, number?]>([
    ['is too slow in second 6 with one byte every five seconds', 6, 1, 5],
    ['is too slow in second 5 without any byte', 5, 0, 1],
    ['is too slow in second 10 at half the minimum rate', 10, 2_048, 1],
    ['is never too slow at the minimum rate', null, 4_096, 1],
    ['is never too slow at ten times the minimum rate in bursts', null, 409_600, 10, 65_536],
    ['is too slow in second 15 with 5 MB at once and then no bytes', 15, 0, 1, 5_000_000],
    ['is never too slow at twice the minimum rate, sent every fourteen seconds', null, 8_192 * 14, 14, 65_536],
  ])('%s', (_, second, bytes, every, first) => {
    expect(endOf(bytes, every, first)).toBe(second);
  });

  it('is not too slow when the service does not read for a minute', () => {
    const pace = createPace(0);
    pace.pause(4_000);
    expect(pace.isTooSlow(60_000)).toBe(false);
    pace.resume(60_000);
    expect(pace.isTooSlow(60_900)).toBe(false);
    expect(pace.isTooSlow(61_000)).toBe(true);
  });
});

describe('the checks of uploads', () => {
  it('start in the order in which the files arrived, and continue after a check that fails', async () => {
    const check = createChecks({ atOnce: 2 });
    const log: string[] = [];
    const work = (name: string) =>
      check(name, async () => {
        log.push(name);
        await setTimeout(5);
        if (name === 'b') throw new Error('b');
      });
    const all = await Promise.allSettled(['a', 'b', 'c', 'd', 'e'].map(work));
    expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
    expect(log).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(await Promise.all([check('a', async () => 1), check('b', async () => 2)])).toEqual([1, 2]);
  });

  it('are refused with overbelast after the maximum wait, and then do not block later ones', async () => {
    const check = createChecks({ atOnce: 1 }, 20);
    let end = () => undefined as unknown;
    const first = check(
      'a',
      () =>
        new Promise((resolve) => {
          end = () => resolve(undefined);
        }),
    );
    await expect(check('b', async () => 'never')).rejects.toMatchObject({
      code: 'overbelast',
      extras: { headers: { 'Retry-After': '5' } },
    });
    end();
    await first;
    expect(await check('b', async () => 'next')).toBe('next');
  });

  it('of one person take at most a quarter of the places: another person is checked at once', async () => {
    const check = createChecks({ atOnce: 8 });
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const all = ['a', 'a', 'a', 'b', 'a', 'b'].map((owner) =>
      check(owner, () => {
        begun.push(owner);
        return new Promise<void>((resolve) => ends.push(resolve));
      }),
    );
    await setTimeout(0);
    expect(begun).toEqual(['a', 'a', 'b', 'b']);
    for (let n = 0; n < all.length; n += 1) {
      ends[n]?.();
      await setTimeout(0);
    }
    await Promise.all(all);
    expect(begun).toEqual(['a', 'a', 'b', 'b', 'a', 'a']);
  });
});

describe('a capacity of 4 with a maximum of 2 for each owner, of which 3 calls can wait, 2 of one owner', () => {
  const limited = () =>
    createCapacity({
      total: 4,
      perOwner: 2,
      waiting: { total: 3, perOwner: 2 },
      tooMany: (taken) => new Problem('te-veel-verzoeken', `${taken}`),
      full: () => new Problem('overbelast', ''),
    });
  const never = () => new AbortController().signal;
  /** Takes a place for each of these owners in turn. Returns the names of those that have one, to which later ones are added. */
  function takeAll(capacity: ReturnType<typeof limited>, owners: readonly string[], stopOf = never): string[] {
    const log: string[] = [];
    for (const owner of owners) {
      const turn = capacity.takeInTurn(owner[0] ?? '', stopOf);
      if (turn === undefined) log.push(owner);
      else
        turn.then(
          () => log.push(owner),
          (error) => log.push(`${owner}: ${error.code ?? error.name}`),
        );
    }
    return log;
  }

  it('gives each owner up to the maximum at once, and the rest in order of arrival when that owner has fewer', async () => {
    const capacity = limited();
    const log = takeAll(capacity, ['a1', 'a2', 'a3', 'a4', 'b1']);
    expect(log).toEqual(['a1', 'a2', 'b1']);
    capacity.release('b', 1);
    await setTimeout(0);
    expect(log).toHaveLength(3);
    for (const last of ['a3', 'a4']) {
      capacity.release('a', 1);
      await setTimeout(0);
      expect(log.at(-1)).toBe(last);
    }
  });

  it('gives a place that is free to the first that waits for one, and not to an owner at the maximum', async () => {
    const capacity = limited();
    const log = takeAll(capacity, ['a1', 'a2', 'b1', 'b2', 'a3', 'c1', 'c2']);
    capacity.release('b', 1);
    await setTimeout(0);
    expect(log.slice(4)).toEqual(['c1']);
    capacity.release('a', 1);
    await setTimeout(0);
    expect(log.slice(4)).toEqual(['c1', 'a3']);
  });

  it('refuses the owner of two that wait (429), and the fourth that waits (503)', async () => {
    const capacity = limited();
    const log = takeAll(capacity, ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'c1', 'd1']);
    await setTimeout(0);
    expect(log).toEqual(['a1', 'a2', 'b1', 'b2', 'a5: te-veel-verzoeken', 'd1: overbelast']);
  });

  it.each([
    [new ClientDisconnected('left'), 'ClientDisconnected'],
    [new DeadlinePassed('late'), 'te-veel-verzoeken'],
  ])('ends a wait when its signal aborts with %s: with %s, and the next takes its turn', async (reason, told) => {
    const capacity = limited();
    const abort = new AbortController();
    takeAll(capacity, ['a1', 'a2']);
    const first = takeAll(capacity, ['a3'], () => abort.signal);
    const next = takeAll(capacity, ['a4']);
    abort.abort(reason);
    await setTimeout(0);
    expect(first).toEqual([`a3: ${told}`]);
    expect(takeAll(capacity, ['a5'], () => AbortSignal.abort(reason))).toEqual([]);
    capacity.release('a', 1);
    await setTimeout(0);
    expect(next).toEqual(['a4']);
    const more = takeAll(capacity, ['a6', 'a7']);
    await setTimeout(0);
    expect(more).toEqual([]);
  });
});
