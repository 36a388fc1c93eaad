import { describe, expect, it } from 'vitest';
import { Demo, type Step } from '../../simulator/control/demo-schema.ts';
import { actionOf, stepsOf, withKeptIds } from '../../simulator/ui/console/recording/steps.ts';
import type { RecordedRequest as Entry } from '../../simulator/worlds/journal.ts';

const ID = '0b0e1a52-8f6f-4a7e-9d3c-1f5b6d2a7c10';
const OTHER = '5c1d2e3f-1111-4222-8333-944455556666';

/** Returns the journal entry of a request of Ruben, at this second. */
function entryOf(second: number, call: string, answer: unknown, more: Partial<Entry['request'] & Entry> = {}): Entry {
  const [method = '', path = ''] = call.split(' ');
  const {
    body = null,
    truncated = false,
    headers = {},
    caller = { kind: 'burger', subject: 'ruben-smit@opname' },
  } = more;
  return {
    at: new Date(second * 1_000).toISOString(),
    caller,
    request: { method, path, headers, body, truncated },
    response: { status: 200, headers: {}, body: JSON.stringify(answer), truncated: false },
  } as Entry;
}

/** Returns the steps of a recording with these journal entries, as the page makes them and the schema reads them. */
function stepsFrom(entries: Entry[]): readonly Partial<ReturnType<typeof Step.parse>>[] {
  const writes = entries.filter(({ request }) => request.method !== 'GET').flatMap((entry) => actionOf(entry) ?? []);
  const steps = stepsOf(withKeptIds(writes, entries), () => 'titel', 'zeg');
  return Demo.parse({ name: 'opname', title: 'opname', steps }).steps.map(({ method, path, body, keep }) => ({
    method,
    path,
    ...(body !== undefined && { body }),
    ...(keep && { keep }),
  }));
}

describe('the ids in a recorded demonstration', () => {
  it('are saved by the step whose answer contains them', () => {
    expect(
      stepsFrom([entryOf(1, 'POST /applications', { id: ID }), entryOf(2, `PUT /applications/${ID}`, { id: ID })]),
    ).toEqual([
      { method: 'POST', path: '/applications', keep: { 'id-1': '/id' } },
      { method: 'PUT', path: '/applications/{id-1}' },
    ]);
  });

  it.each<[string, Partial<Entry['request'] & Entry>]>([
    ['whose body the journal cut off', { truncated: true }],
    [
      'whose form the journal does not have',
      { headers: { 'content-type': 'multipart/form-data' }, body: '{"fields":{},"file":null}' },
    ],
    ['without a caller', { caller: null }],
  ])('are not replaced when they come only from a request %s', (_, more) => {
    expect(
      stepsFrom([
        entryOf(1, 'POST /uploads', { documentId: ID }, more),
        entryOf(2, `DELETE /uploads/${ID}`, null),
        entryOf(3, `GET /uploads/${ID}`, { documentId: ID }),
      ]),
    ).toEqual([{ method: 'DELETE', path: `/uploads/${ID}` }]);
  });

  it('are saved from the next answer that contains them when the first one cannot be repeated, and replaced only in later steps', () => {
    expect(
      stepsFrom([
        entryOf(1, 'POST /applications', { id: ID }, { truncated: true }),
        entryOf(2, `PUT /applications/${ID}`, null),
        entryOf(3, 'GET /applications', { all: [{ id: ID }] }),
        entryOf(4, `DELETE /applications/${ID}`, null),
      ]),
    ).toEqual([
      { method: 'PUT', path: `/applications/${ID}` },
      { method: 'GET', path: '/applications', keep: { 'id-1': '/all/0/id' } },
      { method: 'DELETE', path: '/applications/{id-1}' },
    ]);
  });

  it('can be saved by a step that only reads, whose own path has an id from an earlier step', () => {
    expect(
      stepsFrom([
        entryOf(1, 'POST /applications', { id: ID }),
        entryOf(2, `GET /applications/${ID}`, { documentId: OTHER }),
        entryOf(3, `DELETE /uploads/${OTHER}`, null),
      ]),
    ).toEqual([
      { method: 'POST', path: '/applications', keep: { 'id-2': '/id' } },
      { method: 'GET', path: '/applications/{id-2}', keep: { 'documentId-1': '/documentId' } },
      { method: 'DELETE', path: '/uploads/{documentId-1}' },
    ]);
  });

  it.each<[unknown, Record<string, string>]>([
    [{ documentIds: [OTHER, ID] }, { 'documentIds-1': '/documentIds/1' }],
    [[ID], { 'id-1': '/0' }],
    [{ 'bron/duo~1': { id: ID } }, { 'id-1': '/bron~1duo~01/id' }],
    [{ documenten: { 'a/b': ID } }, { 'documenten-1': '/documenten/a~1b' }],
  ])('are saved with a valid name and an escaped JSON Pointer for the answer %j', (answer, keep) => {
    const [step] = stepsFrom([entryOf(1, 'POST /applications', answer), entryOf(2, `DELETE /uploads/${ID}`, null)]);
    expect(step?.keep).toEqual(keep);
  });

  it('are not lost when the PUT that saves them is followed by another PUT to the same path', () => {
    const steps = stepsFrom([
      entryOf(1, 'PUT /brief', { id: ID }, { body: '{"eerste":true}' }),
      entryOf(2, 'PUT /brief', { id: OTHER }, { body: '{"eerste":false}' }),
      entryOf(3, `DELETE /uploads/${ID}`, null),
    ]);
    expect(steps.map(({ body }) => body)).toEqual([{ eerste: true }, { eerste: false }, undefined]);
    expect(steps.map(({ keep }) => keep)).toEqual([{ 'id-1': '/id' }, undefined, undefined]);
  });
});
