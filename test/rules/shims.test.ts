import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import * as buffers from '../../browser/shims/buffer.ts';
import * as hashes from '../../browser/shims/crypto.ts';
import * as timers from '../../browser/shims/timers.ts';

describe('the browser replacements of Node modules', () => {
  it.each([
    ['an empty string', ''],
    ['a text', 'zorgregister:999990007'],
    ['a text beyond ASCII', 'diploma’s in Coöperatie 🙂'],
    ['bytes', new Uint8Array(200_000).map((_, at) => at % 251)],
  ])('compute the same SHA-256 and MD5 as Node of %s', (_, data) => {
    for (const name of ['sha256', 'md5'] as const) {
      for (const encoding of ['hex', 'base64', 'base64url'] as const)
        expect(hashes.createHash(name).update(data).digest(encoding)).toBe(
          createHash(name).update(data).digest(encoding),
        );
      expect([...hashes.createHash(name).update(data).digest()]).toEqual([...createHash(name).update(data).digest()]);
    }
  });

  it('find the same words in bytes as Node', () => {
    const content = Uint8Array.from('\x80 obj é endobj obj', (char) => char.charCodeAt(0));
    const places = ({ Buffer }: Pick<typeof buffers, 'Buffer'>) => {
      const found = Buffer.from(content.buffer, 2, 16);
      return [found.indexOf('obj'), found.indexOf('obj', 4), found.indexOf('x'), found.lastIndexOf('obj', 7)];
    };
    expect(places(buffers)).toEqual(places({ Buffer }));
  });

  it.each([
    ['before', () => AbortSignal.abort(new Error('weg'))],
    ['during', () => AbortSignal.timeout(5)],
  ])('stop waiting when the signal aborts %s the wait', async (_, signal) => {
    await expect(timers.setTimeout(10_000, undefined, { signal: signal() })).rejects.toThrow();
    await expect(setTimeout(10_000, undefined, { signal: signal() })).rejects.toThrow();
  });

  it('return the given value after a wait', async () => {
    expect(await timers.setTimeout(1, 'klaar')).toBe('klaar');
  });
});
