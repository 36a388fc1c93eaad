import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import * as hashes from '../../browser/shims/crypto.ts';
import * as timers from '../../browser/shims/timers.ts';

describe('what stands in for Node in a page', () => {
  it.each([
    ['nothing', ''],
    ['a text', 'zorgregister:999990007'],
    ['a text beyond ASCII', 'diploma’s in Coöperatie 🙂'],
    ['bytes', new Uint8Array(200_000).map((_, at) => at % 251)],
  ])('hashes %s to the same', (_, data) => {
    for (const encoding of ['hex', 'base64', 'base64url'] as const)
      expect(hashes.createHash('sha256').update(data).digest(encoding)).toBe(
        createHash('sha256').update(data).digest(encoding),
      );
  });

  it.each([
    ['before', () => AbortSignal.abort(new Error('weg'))],
    ['while', () => AbortSignal.timeout(5)],
  ])('waits no longer than until it is told to stop, %s it waits', async (_, signal) => {
    await expect(timers.setTimeout(10_000, undefined, { signal: signal() })).rejects.toThrow();
    await expect(setTimeout(10_000, undefined, { signal: signal() })).rejects.toThrow();
  });

  it('waits, and gives what it was given', async () => {
    expect(await timers.setTimeout(1, 'klaar')).toBe('klaar');
  });
});
