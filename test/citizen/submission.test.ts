import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createMemoryStore } from '../../browser/memory-store/index.ts';
import { type Exchange, ok } from '../../src/http/exchange.ts';
import { answerOnce } from '../../src/http/operation/idempotency.ts';
import { TIMING } from '../../src/ports/timing.ts';
import { Problem } from '../../src/problem.ts';
import { pdf } from '../support/files.ts';
import { upload } from '../support/multipart.ts';
import { OPERATIONS } from '../support/operations.ts';
import { accepted, type Reply, refusalOf, startService, type TestService, together } from '../support/service.ts';
import { advanceDate, stopClocks } from '../support/time.ts';
import { REGISTRATIE, type Register, startRegister } from '../support/upstreams/register.ts';
import { type ReceivedRequest, sendJson } from '../support/upstreams/scripted-server.ts';

const as = 'sanne-de-wit';
const PATH = '/api/v1/applications';

const started: { close(): Promise<void> }[] = [];
afterAll(async () => {
  await Promise.all(started.splice(0).map((one) => one.close()));
});

async function withRegister(): Promise<{ service: TestService; upstream: Register }> {
  const upstream = await startRegister();
  const service = await startService({ REGISTER_UPSTREAM: upstream.url });
  started.push(service, upstream);
  return { service, upstream };
}

const draft = async (service: TestService): Promise<string> =>
  (await accepted(service.post(PATH, as, { type: 'herregistratie' }))).body.id;
async function withDraft() {
  const { service, upstream } = await withRegister();
  return { service, upstream, id: await draft(service) };
}
const submit = (service: TestService, id: string, uren = 2_600, headers = {}): Promise<Reply> =>
  service.post(`${PATH}/${id}/submit`, as, { uren }, headers);
const renew = (service: TestService, uren = 2_600, headers = {}): Promise<Reply> =>
  service.post('/api/v1/herregistraties', as, { uren }, headers);
const tag = async (service: TestService, id: string): Promise<string> =>
  (await service.get(`${PATH}/${id}`, { as })).body.status?.tag;

type Failure = NonNullable<Register['next']>;
/** The connection is closed: before the case is stored, and after it. */
const drop: Failure = (_, response) => response.destroy();
const lose: Failure = (keep, response) => {
  keep();
  response.destroy();
};
const refuse =
  (status: number): Failure =>
  (_, response) =>
    response.writeHead(status).end();

/** Each failure, with the status of the answer, and with the timeout when nothing ends the request but that. */
const FAILURES: readonly [string, Failure, number, timeout?: number][] = [
  ['answers 503', (_, response) => response.writeHead(503, { 'retry-after': '3' }).end(), 503],
  ['answers 500', refuse(500), 503],
  ...[408, 409].map((status): [string, Failure, number] => [
    `answers ${status} to the second of two equal requests of a gateway, and stores the first`,
    (keep, response) => {
      keep();
      response.writeHead(status).end();
    },
    504,
  ]),
  ['closes the connection before it stores the case', drop, 504],
  ['closes the connection after it stored the case', lose, 504],
  [
    'stores the case and breaks off its answer',
    (keep, response) => {
      keep();
      response.writeHead(201, { 'content-length': '99' }).write('{');
      response.destroy();
    },
    504,
  ],
  [
    'stores the case and answers HTML',
    (keep, response) => {
      keep();
      response.writeHead(201).end('<html>');
    },
    502,
  ],
  ['does not answer', () => undefined, 504, 200],
  ['stores the case and does not answer', (keep) => keep(), 504, 200],
];

/** Returns the reply to a request during which the service waits `timeout` milliseconds for the register's answer to a submit. */
async function within(service: TestService, timeout: number | undefined, send: () => Promise<Reply>): Promise<Reply> {
  const { submitHeaders } = service.timing;
  service.timing.submitHeaders = timeout ?? submitHeaders;
  const reply = await send();
  service.timing.submitHeaders = submitHeaders;
  return reply;
}

describe.concurrent('POST /applications/{id}/submit', () => {
  it.each(FAILURES)('creates one case when the register %s and it is repeated', async (_, failure, status, timeout) => {
    const { service, upstream, id } = await withDraft();
    upstream.next = failure;
    const first = await within(service, timeout, () => submit(service, id));
    expect(first.status).toBe(status);
    expect(first.body.bron).toBe('register');
    expect(['Concept', 'InBehandeling']).toContain(await tag(service, id));
    const second = await submit(service, id);
    expect([200, 409]).toContain(second.status);
    expect(upstream.stored.size).toBe(1);
    const [{ referentie } = { referentie: '' }] = upstream.stored.values();
    expect(second.body.referentie).toBe(referentie);
    expect((await service.get(PATH, { as })).body).toMatchObject([
      { id, status: { tag: 'InBehandeling', referentie } },
    ]);
  });

  it('with other content is refused with 409 aanvraag-al-ingediend when the first submit arrived at the register after its connection was lost', async () => {
    const { service, upstream, id } = await withDraft();
    upstream.next = drop;
    await submit(service, id, 2_100);
    upstream.next = null;
    // It arrives after all, late, while the draft is still thought to be here.
    const [first] = upstream.received.filter(({ url }) => url === '/zaken');
    upstream.answer(first as ReceivedRequest, { writeHead: () => ({ end: () => undefined }) } as never);
    expect(await submit(service, id, 2_600)).toMatchObject({ status: 409, body: { code: 'aanvraag-al-ingediend' } });
    expect(upstream.stored.size).toBe(1);
  });

  it('answers 503 and leaves the application a Concept when the register cannot be reached', async () => {
    const service = await startService({ REGISTER_UPSTREAM: 'http://127.0.0.1:1' });
    started.push(service);
    const id = await draft(service);
    expect((await submit(service, id)).status).toBe(503);
    expect(await tag(service, id)).toBe('Concept');
    expect((await service.call('PUT', `${PATH}/${id}`, { as, json: { draft: 1 } })).status).toBe(204);
    expect((await service.get(PATH, { as })).body).toHaveLength(1);
  });
});

describe.concurrent('POST /herregistraties', () => {
  // The submit of an application has all of them.
  it.each(FAILURES.slice(1, 4))(
    'creates one case when the register %s and the request is repeated with its Idempotency-Key',
    async (_, failure, status, timeout) => {
      const { service, upstream } = await withRegister();
      const key = { 'idempotency-key': 'try-1' };
      const send = () => renew(service, 2_600, key);
      upstream.next = failure;
      expect((await within(service, timeout, send)).status).toBe(status);
      expect(
        (await service.get(PATH, { as })).body.every(
          ({ status: { tag } }: { status: { tag: string } }) => tag === 'InBehandeling',
        ),
      ).toBe(true);
      const second = await send();
      expect(second.status).toBe(200);
      expect(upstream.stored.size).toBe(1);
      expect([...upstream.stored.keys()]).toEqual(['try-1']);
      expect((await service.get(PATH, { as })).body).toMatchObject([
        { status: { referentie: second.body.referentie } },
      ]);
      expect(await send()).toMatchObject({ status: 200, body: second.body });
    },
  );

  it('leaves no application in the list when the register answers 503 to a request without Idempotency-Key', async () => {
    const { service, upstream } = await withRegister();
    upstream.next = refuse(503);
    await renew(service);
    expect((await service.get(PATH, { as })).body).toEqual([]);
  });
});

describe('an application without an answer from the register', () => {
  it('is created once when its submit is repeated with the same key, and each repeat gets the same answer', async () => {
    const { service, upstream, id } = await withDraft();
    const key = { 'idempotency-key': 'k' };
    upstream.next = lose;
    await submit(service, id, 2_600, key);
    const second = await submit(service, id, 2_600, key);
    expect([second.status, upstream.stored.size]).toEqual([200, 1]);
    expect((await submit(service, id, 2_600, key)).body).toEqual(second.body);
  });

  it('cannot be deleted or changed (409 or 503) until it is submitted again', async () => {
    const { service, upstream, id } = await withDraft();
    upstream.next = lose;
    await submit(service, id);
    expect(await refusalOf(service.call('DELETE', `${PATH}/${id}`, { as }))).toEqual([409, 'aanvraag-al-ingediend']);

    const other = await withRegister();
    const lost = await draft(other.service);
    other.upstream.next = drop;
    await submit(other.service, lost);
    expect(await refusalOf(other.service.call('DELETE', `${PATH}/${lost}`, { as }))).toEqual([503, 'overbelast']);
    expect((await other.service.call('PUT', `${PATH}/${lost}`, { as, json: { draft: 1 } })).status).toBe(503);
    expect((await submit(other.service, lost)).status).toBe(200);
  });

  it('is sent again with its own key and only the new documents when the person submits another request of that kind', async () => {
    const { service, upstream } = await withRegister();
    const put = async (localId: string): Promise<string> =>
      (await accepted(upload(service, as, { file: pdf({}), localId }))).body.documentId;
    const [first, second] = [await put('first'), await put('second')];
    const send = async (documentId: string) => {
      const documents = [{ categoryId: 'werkervaring', channel: 'digital', documentId }];
      return (await service.post('/api/v1/herregistraties', as, { uren: 2_600, documents })).status;
    };
    upstream.next = drop;
    expect([await send(first), await send(second)]).toEqual([504, 200]);
    expect((await service.get(PATH, { as })).body).toMatchObject([{ documentIds: [second] }]);
    const remove = async (one: string) => (await service.call('DELETE', `/api/v1/uploads/${one}`, { as })).status;
    expect([await remove(first), await remove(second)]).toEqual([204, 409]);
    const keys = upstream.received.filter(({ url }) => url === '/zaken').map((one) => one.headers['idempotency-key']);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  it('gets the answer of the second request when its own key is used again with the same content', async () => {
    const { service, upstream } = await withRegister();
    const key = { 'idempotency-key': 'first' };
    upstream.next = drop;
    await renew(service, 2_600, key);
    const second = await renew(service);
    expect(await renew(service, 2_600, key)).toMatchObject({ status: 200, body: second.body });
    expect(upstream.stored.size).toBe(1);
  });

  it('gets the answer of an attempt with another key that sent its content again', async () => {
    const { service, upstream } = await withRegister();
    const again = { 'idempotency-key': 'again' };
    upstream.next = drop;
    await renew(service, 2_600, { 'idempotency-key': 'first' });
    upstream.next = lose;
    expect((await renew(service, 2_600, again)).status).toBe(504);
    expect((await renew(service, 2_600, again)).status).toBe(200);
    expect(upstream.stored.size).toBe(1);
  });

  it('is refused when its key is used again after other content was accepted', async () => {
    const { service, upstream } = await withRegister();
    const key = { 'idempotency-key': 'first' };
    upstream.next = drop;
    await renew(service, 3_000, key);
    expect((await renew(service, 2_500)).status).toBe(200);
    expect(await refusalOf(renew(service, 3_000, key))).toEqual([422, 'lopende-aanvraag']);

    const other = await withRegister();
    const id = await draft(other.service);
    other.upstream.next = drop;
    await submit(other.service, id, 3_000, key);
    expect((await submit(other.service, id, 2_500)).status).toBe(200);
    expect((await submit(other.service, id, 3_000, key)).body.code).toBe('aanvraag-al-ingediend');
  });

  it('makes the submit of a draft of the same kind fail with lopende-aanvraag', async () => {
    const { service, upstream, id } = await withDraft();
    upstream.next = drop;
    await renew(service);
    expect((await submit(service, id)).body.code).toBe('lopende-aanvraag');
    expect(await tag(service, id)).toBe('Concept');
  });

  /** Makes the register list no requests, until the returned function is called: only the key of a request tells. */
  function closeSearch(upstream: Register): () => void {
    const { answer } = upstream;
    upstream.answer = (request, response) =>
      request.url === '/zaken/zoek'
        ? response.writeHead(503).end()
        : request.url === '/registraties/zoek'
          ? sendJson(response, [REGISTRATIE])
          : answer(request, response);
    return () => {
      upstream.answer = answer;
    };
  }

  it('makes a second request with other content fail with 422 lopende-aanvraag when the first one arrived, and keeps the documents of the first', async () => {
    const { service, upstream } = await withRegister();
    const { documentId } = (await upload(service, as, { file: pdf({}) })).body;
    const documents = [{ categoryId: 'werkervaring', channel: 'digital', documentId }];
    upstream.next = lose;
    await service.post('/api/v1/herregistraties', as, { uren: 2_500, documents });
    const openSearch = closeSearch(upstream);
    expect(await refusalOf(renew(service, 3_000))).toEqual([422, 'lopende-aanvraag']);
    expect(upstream.stored.size).toBe(1);
    openSearch();
    expect((await service.get(PATH, { as })).body).toMatchObject([{ status: { tag: 'InBehandeling' } }]);
    expect((await service.call('DELETE', `/api/v1/uploads/${documentId}`, { as })).status).toBe(409);
  });

  it('stays when its repeat certainly did not arrive, because the first attempt may have', async () => {
    const { service, upstream } = await withRegister();
    upstream.next = lose;
    await renew(service);
    const openSearch = closeSearch(upstream);
    upstream.next = refuse(403);
    expect((await renew(service)).status).toBe(503);
    openSearch();
    expect((await service.get(PATH, { as })).body).toMatchObject([{ status: { tag: 'InBehandeling' } }]);
  });
});

describe('an application that the register shows in its list after five minutes', () => {
  const FIVE_MINUTES = 300;
  it.each([
    ['a request', 'answers about its key', '/api/v1/herregistraties', null],
    ['a draft', 'answers about its key', null, null],
    ['a request', 'does not answer about its key', '/api/v1/herregistraties', '/zaken/sleutels/zoek'],
    ['a draft', 'does not answer about its key', null, '/zaken/sleutels/zoek'],
  ])('is created once from %s when the register %s and the person submits it again later', async (...row) => {
    const [, , path, broken] = row;
    const { service, upstream } = await withRegister();
    const { answer } = upstream;
    upstream.answer = (request, response) =>
      request.url === broken ? response.writeHead(404).end() : answer(request, response);
    upstream.listedFrom = Date.now() + FIVE_MINUTES * 1_000;
    const id = await draft(service);
    const send = () => (path === null ? submit(service, id) : service.post(path, as, { uren: 2_600 }));
    upstream.next = lose;
    expect((await send()).status).toBe(504);
    advanceDate(180);
    await service.get(PATH, { as });
    expect([200, 409, 422]).toContain((await send()).status);
    if (path !== null) expect((await submit(service, id)).body.code).toBe('lopende-aanvraag');
    expect(upstream.stored.size).toBe(1);
    advanceDate(FIVE_MINUTES);
    const [made] = [...upstream.stored.values()];
    const { body } = await service.get(PATH, { as });
    const submitted = body.filter(({ status }: Reply['body']) => status.tag !== 'Concept');
    expect(submitted).toMatchObject([{ status: { tag: 'InBehandeling', referentie: made?.referentie } }]);
  });

  it('can be deleted as a Concept after two minutes when the register never received its key', async () => {
    const { service, upstream, id } = await withDraft();
    upstream.next = drop;
    await submit(service, id);
    advanceDate(119);
    expect((await service.call('DELETE', `${PATH}/${id}`, { as })).status).toBe(503);
    advanceDate(2);
    expect((await service.call('DELETE', `${PATH}/${id}`, { as })).status).toBe(204);
    expect(upstream.stored.size).toBe(0);
  });
});

it('a submit with a document that is deleted after the rules were checked is refused with 409 aanvraag-onvolledig, and the Concept no longer has the document', async () => {
  const { service, upstream, id } = await withDraft();
  const { documentId } = (await upload(service, as, { file: pdf({}) })).body;
  const { answer } = upstream;
  upstream.answer = async (request, response) => {
    if (request.url === '/registraties/zoek') await service.call('DELETE', `/api/v1/uploads/${documentId}`, { as });
    return answer(request, response);
  };
  const documents = [{ categoryId: 'werkervaring', channel: 'digital', documentId }];
  const { status, body } = await service.post(`${PATH}/${id}/submit`, as, { uren: 2_600, documents });
  expect([status, body.code]).toEqual([409, 'aanvraag-onvolledig']);
  const { body: left } = await service.get(`${PATH}/${id}`, { as });
  expect(left).toMatchObject({ documentIds: [], status: { tag: 'Concept' } });
  expect((await service.call('PUT', `${PATH}/${id}`, { as, json: { draft: 1 } })).status).toBe(204);
});

it('the documents of a draft that were not sent with its submit are listed again with the sent ones after a submit that failed, and no longer when the register has the case', async () => {
  const { service, upstream, id } = await withDraft();
  const put = async (localId: string): Promise<string> =>
    (await accepted(upload(service, as, { file: pdf({}), localId }))).body.documentId;
  const [mentioned, sent] = [await put('mentioned'), await put('sent')];
  await service.call('PUT', `${PATH}/${id}`, { as, json: { draft: {}, documentIds: [mentioned] } });
  const documents = [{ categoryId: 'werkervaring', channel: 'digital', documentId: sent }];
  const send = async () => (await service.post(`${PATH}/${id}/submit`, as, { uren: 2_600, documents })).status;
  const listed = async () => (await service.get(`${PATH}/${id}`, { as })).body.documentIds;

  upstream.next = refuse(503);
  expect([await send(), await listed()]).toEqual([503, [mentioned, sent]]);
  upstream.next = lose;
  expect([await send(), await listed()]).toEqual([504, [sent]]);
  const remove = async (one: string) => (await service.call('DELETE', `/api/v1/uploads/${one}`, { as })).status;
  expect([await remove(mentioned), await remove(sent)]).toEqual([204, 409]);
});

describe('an Idempotency-Key of an older case in the register', () => {
  const KEY = { 'idempotency-key': 'old' };
  const OLD = { referentie: 'ADR-2020-000001', body: { kenmerk: 'gone' } };
  /** Starts a register that has a case under the key and that fails at the paths in `failing`, and a service. */
  async function withOldCase(failing: readonly string[] = []) {
    const { service, upstream } = await withRegister();
    upstream.stored.set('old', OLD);
    const { answer } = upstream;
    const paths = new Set<string>();
    upstream.answer = (request, response) => {
      if (paths.has(request.url ?? '')) return response.writeHead(404).end();
      if (request.url === '/registraties/zoek') return sendJson(response, [REGISTRATIE]);
      return answer(request, response);
    };
    upstream.next = drop;
    return { service, upstream, fail: () => failing.map((path) => paths.add(path)) };
  }
  const request = (service: TestService) => renew(service, 2_600, KEY);

  it('is refused with 422 sleutel-hergebruikt, and creates no application', async () => {
    const { service, upstream } = await withOldCase();
    upstream.next = null;
    expect(await request(service)).toMatchObject({ status: 422, body: { code: 'sleutel-hergebruikt' } });
    expect((await service.get(PATH, { as })).body).toEqual([]);
  });

  it.each<[string, readonly string[]]>([
    ['finds the case by its key', []],
    ['cannot find cases by their key', ['/zaken/sleutels/zoek']],
    ['cannot list cases', ['/zaken/zoek']],
  ])('is refused with 422 sleutel-hergebruikt after the answer was lost, by a register that %s', async (_, failing) => {
    const { service, upstream, fail } = await withOldCase(failing);
    expect((await request(service)).status).toBe(504);
    fail();
    upstream.stored.set('old', { ...OLD, body: { ...OLD.body, indiener: { burgerservicenummer: '999990007' } } });
    expect(await request(service)).toMatchObject({ status: 422, body: { code: 'sleutel-hergebruikt' } });
    expect((await service.get(PATH, { as })).body).toEqual([]);
  });

  it('leaves the outcome unknown (504) while the register does not say of which application the case is', async () => {
    const { service, fail } = await withOldCase(['/zaken/sleutels/zoek', '/zaken/zoek']);
    expect((await request(service)).status).toBe(504);
    fail();
    expect(await request(service)).toMatchObject({ status: 504, body: { code: 'bron-te-laat' } });
  });

  it('that a draft was sent with leaves a Concept that can be saved at once, also within two minutes', async () => {
    const { service } = await withOldCase();
    const id = await draft(service);
    expect((await submit(service, id, 2_600, KEY)).status).toBe(504);
    expect((await service.call('PUT', `${PATH}/${id}`, { as, json: { draft: 1 } })).status).toBe(204);
  });

  it('that a draft was sent with is refused once, and the draft can then be submitted with another key', async () => {
    const { service, upstream } = await withOldCase();
    const id = await draft(service);
    expect((await submit(service, id, 2_600, KEY)).status).toBe(504);
    expect(await submit(service, id, 2_600, KEY)).toMatchObject({ status: 422, body: { code: 'sleutel-hergebruikt' } });
    expect(await tag(service, id)).toBe('Concept');
    expect(await submit(service, id)).toMatchObject({ body: { referentie: 'HER-2026-000002' } });
    expect(upstream.stored.size).toBe(2);
  });
});

describe('concurrent requests', () => {
  it('of 40 submits of one draft get one 200 and 39 times 409, with the same reference', async () => {
    const { service, upstream, id } = await withDraft();
    const replies = await together(40, () => submit(service, id));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(39).fill(409)]);
    expect(new Set(replies.map(({ body }) => body.referentie)).size).toBe(1);
    expect(upstream.stored.size).toBe(1);
  });

  it('of 20 requests of the same kind get one 200 and 19 times 422', async () => {
    const { service, upstream } = await withRegister();
    const replies = await together(20, () => renew(service));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(422)]);
    expect(upstream.stored.size).toBe(1);
  });

  it('to save and submit one draft send the saved content to the register only when the save got 204', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { service, upstream, id } = await withDraft();
      const [saved, sent] = await Promise.all([
        service.call('PUT', `${PATH}/${id}`, { as, json: { draft: { round } } }),
        submit(service, id),
      ]);
      expect(sent.status).toBe(200);
      expect([204, 404]).toContain(saved.status);
      const [{ body } = { body: undefined }] = upstream.stored.values();
      const concept = (body?.gegevens as { concept?: string } | undefined)?.concept;
      expect(concept).toBe(saved.status === 204 ? `{"round":${round}}` : undefined);
    }
  });

  it('to delete and submit one draft perform one of the two', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { service, upstream, id } = await withDraft();
      const [gone, sent] = await Promise.all([service.call('DELETE', `${PATH}/${id}`, { as }), submit(service, id)]);
      expect([`204 404`, `409 200`]).toContain(`${gone.status} ${sent.status}`);
      expect(upstream.stored.size).toBe(sent.status === 200 ? 1 : 0);
    }
  });

  it('of 50 saves of one draft all get 204, and end at version 51', async () => {
    const { service, id } = await withDraft();
    const saves = await together(50, (n) => service.call('PUT', `${PATH}/${id}`, { as, json: { draft: n } }));
    expect(saves.every(({ status }) => status === 204)).toBe(true);
    expect((await service.get(`${PATH}/${id}`, { as })).headers.etag).toBe('"51"');
  });
});

describe('an Idempotency-Key', () => {
  /** Returns a function that carries out a request of one person with one key, in a store of its own. */
  function useKey() {
    const { keys } = createMemoryStore();
    const req = { headersDistinct: { 'idempotency-key': ['k'] } };
    const http = { req, method: 'POST', path: '/x', state: {} } as unknown as Exchange;
    return (body: string, make: Parameters<typeof answerOnce>[4]) =>
      answerOnce(
        { keys, newId: randomUUID, timing: TIMING, processingDetails: { repeats: () => undefined } },
        http,
        'sanne',
        body,
        make,
      );
  }
  it('used twice for the same request creates one application and returns the same answer', async () => {
    const { service } = await withRegister();
    const key = { 'idempotency-key': 'make-1' };
    const send = () => service.post(PATH, as, { type: 'intake' }, key);
    const replies = [await send(), await send()];
    expect(replies[1]?.body).toEqual(replies[0]?.body);
    expect(replies.map(({ status, headers }) => [status, headers.location])).toEqual(
      Array(2).fill([201, `${PATH}/${replies[0]?.body.id}`]),
    );
    expect((await service.get(PATH, { as })).body).toHaveLength(1);
  });

  it('used twice for a submit returns the first answer again', async () => {
    const { service, id } = await withDraft();
    const key = { 'idempotency-key': 'submit-1' };
    const first = await submit(service, id, 2_600, key);
    expect(await submit(service, id, 2_600, key)).toMatchObject({ status: 200, body: first.body });
  });

  it('can be used for the corrected request after a 422', async () => {
    const { service } = await withRegister();
    const key = { 'idempotency-key': 'corrected' };
    expect(await refusalOf(service.post('/api/v1/intakes', as, { uren: 50_000 }, key))).toEqual([422, 'uren-ongeldig']);
    const first = await service.post('/api/v1/intakes', as, { uren: 3_000 }, key);
    expect(first.status).toBe(200);
    const again = await service.post('/api/v1/intakes', as, { uren: 3_000 }, key);
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect((await service.get(PATH, { as })).body).toHaveLength(1);
  });

  it('is refused with 422 for another request of the same person, and accepted for another person', async () => {
    const { service } = await withRegister();
    const key = { 'idempotency-key': 'k' };
    await service.post(PATH, as, { type: 'intake' }, key);
    expect(await refusalOf(service.post(PATH, as, { type: 'registratie' }, key))).toEqual([422, 'sleutel-hergebruikt']);
    expect((await service.post('/api/v1/intakes', as, { uren: 3_000 }, key)).status).toBe(422);
    const [one, other] = [await draft(service), await draft(service)];
    const ofSubmit = { 'idempotency-key': 'of-submit' };
    expect((await submit(service, one, 2_600, ofSubmit)).status).toBe(200);
    expect((await submit(service, other, 2_600, ofSubmit)).body.code).toBe('sleutel-hergebruikt');
    expect((await service.post(PATH, 'joost-van-buren', { type: 'registratie' }, key)).status).toBe(201);
  });

  it('is refused with 409 sleutel-in-gebruik while its request is in progress', async () => {
    const { service, upstream } = await withRegister();
    const key = { 'idempotency-key': 'k' };
    upstream.next = (keep, response) =>
      setTimeout(() => {
        keep();
        response.writeHead(500).end();
      }, 300);
    const first = renew(service, 2_600, key);
    await expect.poll(() => upstream.received.some(({ url }) => url === '/zaken')).toBe(true);
    expect(await refusalOf(renew(service, 2_600, key))).toEqual([409, 'sleutel-in-gebruik']);
    await first;
  });

  it('stays bound to its request when a retry is refused, because the first attempt may have been carried out', async () => {
    const once = useKey();
    await expect(once('one', () => Promise.reject(new Error('no answer')))).rejects.toThrow('no answer');
    await expect(once('one', () => Promise.reject(new Problem('uren-ongeldig', '')))).rejects.toThrow('uren-ongeldig');
    await expect(once('two', async () => ok({}))).rejects.toThrow('sleutel-hergebruikt');
  });

  it('is claimed for longer than its request may take, as is an application', () => {
    const creating = OPERATIONS.filter(({ creates }) => creates === true);
    expect(creating.length).toBeGreaterThan(3);
    for (const { budget = TIMING.write } of creating) {
      expect(TIMING.idempotencyLease).toBeGreaterThan(budget);
      expect(TIMING.applicationLease).toBeGreaterThan(budget);
    }
  });

  it('belongs to the retry after 15 seconds, also when the first attempt is refused then', async () => {
    stopClocks();
    const once = useKey();
    const retried: Promise<unknown>[] = [];
    const first = once('one', async () => {
      vi.advanceTimersByTime(15_000);
      const retry = once('one', async ({ retry }) => {
        await expect(first).rejects.toThrow('uren-ongeldig');
        await expect(once('one', async () => ok({}))).rejects.toThrow('sleutel-in-gebruik');
        return ok({ retry });
      });
      retried.push(retry);
      throw new Problem('uren-ongeldig', '');
    });
    await first.catch(() => undefined);
    expect(await Promise.all(retried)).toMatchObject([{ status: 200, body: { retry: true } }]);
  });

  it.each(['', 'a b', 'é', 'x'.repeat(256)])('of value "%s" is refused with 400', async (key) => {
    const { service } = await withRegister();
    const headers = { 'idempotency-key': Buffer.from(key).toString('latin1') };
    const { status, body } = await service.post(PATH, as, { type: 'intake' }, headers);
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ pointer: 'Idempotency-Key' }]);
  });

  it('does not store a refusal: a repeated submit is checked again, with 409', async () => {
    const { service } = await withRegister();
    const key = { 'idempotency-key': 'k' };
    const id = await draft(service);
    expect((await submit(service, id, 5, key)).status).toBe(409);
    expect((await submit(service, id, 5, key)).status).toBe(409);
  });
});
