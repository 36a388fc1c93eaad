import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { openBodyOf } from '../../src/wire/primitives.ts';
import { OPERATIONS } from '../support/operations.ts';
import { useService } from '../support/service.ts';

/**
 * How much of a wrong body is looked at. Each test counts, because a time says nothing on a busy machine. The row
 * `refusals` of the benchmark measures the time.
 */

/** The 100 faults that are named, and one that says that there are more. */
const MOST = 101;

interface FoundList {
  readonly name: string;
  readonly body: z.ZodType;
  /** Maximum number of items, of which zod looks at none when there are more. */
  readonly max: number;
  readonly isOfTexts: boolean;
  /** Returns a body in which this list has these items. */
  readonly bodyWith: (items: unknown) => unknown;
}

/** Returns all lists in a schema, also those in other lists. `put` returns a body with a value of this schema. */
function listsIn(schema: z.core.$ZodType, put: (value: unknown) => unknown, path: string): Omit<FoundList, 'body'>[] {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodDefault || schema instanceof z.ZodOptional)
    return listsIn(schema.unwrap(), put, path);
  if (schema instanceof z.ZodObject)
    return Object.entries<z.core.$ZodType>(schema.shape).flatMap(([name, member]) =>
      listsIn(member, (value) => put({ [name]: value }), `${path}/${name}`),
    );
  if (!(schema instanceof z.ZodArray)) return [];
  const isOfTexts = schema.element instanceof z.ZodString;
  const { maxItems: max = Number.POSITIVE_INFINITY } = z.toJSONSchema(schema, { unrepresentable: 'any' });
  const own = { name: path, max, isOfTexts, bodyWith: put };
  return [own, ...listsIn(schema.element, (value) => put([value]), `${path}/0`)];
}

const LISTS = OPERATIONS.flatMap(({ id, body: narrow }): FoundList[] => {
  if (narrow === undefined) return [];
  const body = openBodyOf(narrow);
  return listsIn(body, (value) => value, id).map((found) => ({ ...found, body }));
});

/** Returns a list of `count` times `item`, and the set of indexes that have been read. */
function watched(count: number, item: unknown) {
  const read = new Set<string>();
  const items = new Proxy(Array(count).fill(item), {
    get(target, key, receiver) {
      if (typeof key === 'string' && /^\d+$/.test(key)) read.add(key);
      return Reflect.get(target, key, receiver);
    },
  });
  return { items, read };
}

describe('the check of a body', () => {
  it('has these lists', () => {
    expect(LISTS.map(({ name }) => name).sort()).toEqual([
      'createHerregistratie/documents',
      'createRegistration/documents',
      'saveBrief/sections',
      'saveBrief/sections/0/blocks',
      'saveBrief/sections/0/blocks/0/content/paragraphs',
      'saveBrief/sections/0/blocks/0/content/paragraphs/0/nodes',
      'saveBrief/sections/0/blocks/0/content/paragraphs/0/nodes/0/marks',
      'submitApplication/documents',
      'syncApplication/documentIds',
    ]);
  });

  describe.each(LISTS)('with the list $name', ({ body, bodyWith, max, isOfTexts }) => {
    it.each([
      ['a number', 1],
      ['null', null],
      ['a list', []],
      ['an object with an unknown member', { onbekend: 1 }],
    ])('looks at no more than 101 of 1,000 items that are %s', (_, item) => {
      const { items, read } = watched(1_000, item);
      expect(body.safeParse(bodyWith(items)).success).toBe(false);
      expect(read.size).toBe(max < 1_000 ? 0 : MOST);
    });

    it('looks at all items that are right, and keeps them', () => {
      const count = Math.min(1_000, max);
      const { items, read } = watched(count, isOfTexts ? 'x' : {});
      const { success, data } = body.safeParse(bodyWith(items));
      expect([success, read.size]).toEqual([true, count]);
      expect(JSON.stringify(data).split(isOfTexts ? '"x"' : '{"').length).toBeGreaterThan(count);
    });

    it('names a fault in the last item', () => {
      const count = Math.min(1_000, max);
      const items = [...Array(count - 1).fill(isOfTexts ? 'x' : {}), 1];
      expect(body.safeParse(bodyWith(items)).error?.issues).toMatchObject([
        { path: expect.arrayContaining([count - 1]) },
      ]);
    });
  });

  it('looks at no more than 101 items of all lists in each other together', () => {
    const { body } = LISTS.find(({ name }) => name === 'saveBrief/sections') as FoundList;
    const lists = Array.from({ length: 18 }, () => watched(1_000, 1));
    const paragraphs = lists.map(({ items }) => ({ nodes: items }));
    const blocks = [{ type: 'freeText', content: { paragraphs } }];
    expect(body.safeParse({ sections: [{ blocks }, { blocks }] }).success).toBe(false);
    expect(lists.reduce((sum, { read }) => sum + read.size, 0)).toBe(MOST);
  });
});

describe('a JSON body', async () => {
  const service = await useService();

  const as = 'sanne-de-wit@wrong-bodies';
  const send = async (text: string, method: 'POST' | 'PUT' = 'POST', path = '/api/v1/herregistraties') => {
    const headers = { 'content-type': 'application/json' };
    const { status, body } = await service.call(method, path, { as, body: text, headers });
    const { detail, errors = [] } = body || {};
    return { status, detail, faults: errors };
  };
  const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, 1]));

  it.each([
    ['33 levels', '['.repeat(33), 'De inhoud is dieper genest dan 32 lagen.'],
    ['200,000 levels', '{"a":'.repeat(40_000), 'De inhoud is dieper genest dan 32 lagen.'],
    ['1,001 items', `[1${',1'.repeat(1_000)}`, 'Een lijst in de inhoud heeft meer dan 1.000 onderdelen.'],
    ['20,001 values', `[${`[${'1,'.repeat(999)}1],`.repeat(21)}`, 'De inhoud heeft meer dan 20.000 waarden.'],
    ['a text of 10,001 characters', `["${'a'.repeat(10_001)}"`, 'Een tekst in de inhoud heeft meer dan 10.000 tekens.'],
    ['a text that does not end', `["${'\\"'.repeat(10_001)}`, 'Een tekst in de inhoud heeft meer dan 10.000 tekens.'],
  ])('that breaks off after %s is refused for that: limits are checked before parsing', async (_, text, detail) => {
    expect(await send(text)).toMatchObject({ status: 400, detail, faults: [{ code: 'buiten-bereik', detail }] });
  });

  it.each([
    ['a number above', 'stepCount', 2 ** 31, 'Ten hoogste 2147483647.'],
    ['a number below', 'stepCount', -(2 ** 31) - 1, 'Ten minste -2147483648.'],
    ['a list above', 'documentIds', Array(51).fill('x'), 'Ten hoogste 50.'],
    ['a text above', 'documentIds', ['x'.repeat(65)], 'Ten hoogste 64 tekens.'],
  ])('with %s its limit is refused with that limit', async (_, member, value, detail) => {
    const { faults } = await send(JSON.stringify({ [member]: value }), 'PUT', '/api/v1/applications/x');
    expect(faults).toMatchObject([{ code: 'buiten-bereik', detail }]);
  });

  it('that breaks off within all limits is refused because it is not JSON', async () => {
    const { status, detail, faults } = await send(`{"documents":${'['.repeat(31)}`);
    expect([status, faults]).toEqual([400, []]);
    expect(detail).toMatch(/^De inhoud is geen geldige JSON/);
  });

  it('with 1,000 unknown members is refused with 100 of them; with 1,001 for their number', async () => {
    const named = await send(JSON.stringify(members(1_000)));
    expect(named.detail).toBe('Er zijn meer dan 100 fouten in de inhoud; hier staan de eerste 100.');
    expect(named.faults).toHaveLength(100);
    expect(named.faults[99]).toEqual({ pointer: '/m99', code: 'onbekend-veld', detail: 'Dit veld bestaat niet.' });
    const detail = 'De inhoud heeft, met alles wat erin staat, meer dan 1.000 onbekende velden.';
    const fault = { pointer: '', code: 'buiten-bereik', detail };
    expect(await send(JSON.stringify(members(1_001)))).toEqual({ status: 400, detail, faults: [fault] });
  });

  it('with 1,000 unknown members at any place is checked member by member; with 1,001 it is refused for that', async () => {
    const documents = Array.from({ length: 1_000 }, () => ({ categoryId: 'diploma', channel: 'digital' }));
    // `x`, `y` and `z` are unknown too; `uren`, `documents` and the members of a document are known everywhere.
    const bodyWith = (count: number) =>
      JSON.stringify({ uren: 1, documents, x: { y: members(900), z: { ...members(count), uren: 1 } } });
    expect(await send(bodyWith(97))).toMatchObject({ faults: [{ pointer: '/x', code: 'onbekend-veld' }] });
    const detail = 'De inhoud heeft, met alles wat erin staat, meer dan 1.000 onbekende velden.';
    expect(await send(bodyWith(98))).toMatchObject({ status: 400, detail, faults: [{ pointer: '', detail }] });
  });

  it('with 1,000 members more than its schema can have is checked; with 1,001 more it is refused for that', async () => {
    // `uren` and `documents`, and three members of each document. These limits come before the check of repeated names.
    const bodyWith = (count: number) => `{"x":{${Array(count).fill('"uren":1').join()}}}`;
    expect(await send(bodyWith(4_001))).toMatchObject({ faults: [{ pointer: '/x/uren', code: 'ongeldige-waarde' }] });
    const detail = 'De inhoud heeft, met alles wat erin staat, meer dan 4.002 velden.';
    expect(await send(bodyWith(4_002))).toMatchObject({ status: 400, detail, faults: [{ pointer: '', detail }] });
  });

  it('with a draft of 19,000 members is saved, and returned byte for byte', async () => {
    const { body } = await service.post('/api/v1/applications', as, { type: 'herregistratie' });
    const path = `/api/v1/applications/${body.id}`;
    const draft = JSON.stringify(members(19_000));
    expect((await send(`{"draft":${draft},"stepIndex":1,"stepCount":2}`, 'PUT', path)).status).toBe(204);
    expect(JSON.stringify((await service.get(path, { as })).body.draft)).toBe(draft);
  });
});
