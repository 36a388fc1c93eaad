import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { dto, openBodyOf, openOf, text, variants } from '../../src/wire/primitives.ts';

describe('the open form of a narrow schema', () => {
  const record = variants('MeasureDto', 'tag', [
    { tag: z.literal('a'), count: z.int(), isNew: z.boolean(), names: z.array(z.enum(['x'])) },
    { tag: z.literal('b'), count: z.null(), isNew: z.boolean(), names: z.null() },
  ]);

  it('is one record for all variants, with null for text, lists and what may be null', () => {
    const open = openOf(record);
    expect(open.parse({ tag: 'c', count: null, isNew: true, names: ['y'] })).toMatchObject({ tag: 'c', names: ['y'] });
    expect(open.parse({ isNew: false })).toEqual({ tag: null, count: null, isNew: false, names: null });
    expect(open.safeParse({ isNew: null }).success).toBe(false);
    expect(open.safeParse({ isNew: true, other: 1 }).success).toBe(false);
  });

  it('lets a client leave out what may not be null, and not the service', () => {
    expect(openBodyOf(record).safeParse({ tag: 'a' }).success).toBe(true);
    expect(openBodyOf(record).safeParse({ tag: 'a', isNew: null }).success).toBe(false);
    expect(openOf(record).safeParse({ tag: 'a' }).success).toBe(false);
  });

  it('is not guessed for a kind of schema without one, or for a member with several kinds', () => {
    const ofDate = dto('DateDto', { at: z.date() });
    const mixed = variants('MixedDto', 'tag', [
      { tag: z.literal('a'), value: text },
      { tag: z.literal('b'), value: z.int() },
    ]);
    expect(() => openOf(ofDate)).toThrow('a schema of type date has no open form');
    expect(() => openOf(mixed)).toThrow('a member of type string,number has no open form');
  });
});
