import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createDocuments } from '../../adapters/documents/index.ts';
import { zgwCredential } from '../../adapters/documents/token.ts';
import { createHttpClient, type HttpClient } from '../../adapters/http/client.ts';
import { readConfig } from '../../src/config/index.ts';
import { ClientDisconnected, UpstreamError } from '../../src/ports/call.ts';
import type { Documents, NewDocument } from '../../src/ports/documents.ts';
import { documentsOf } from '../../src/startup/wiring/upstreams.ts';
import { keep } from '../support/service.ts';
import { fakeTimers } from '../support/time.ts';
import { testCall } from '../support/upstreams/call.ts';
import { hashOf, newDocument, readAll } from '../support/upstreams/document.ts';
import {
  type ReceivedRequest,
  type ScriptedServer,
  sendJson,
  startScriptedServer,
} from '../support/upstreams/scripted-server.ts';

const CLIENT = 'zorgregister-bff';
const SECRET = 'een-geheim-van-meer-dan-tweeendertig-bytes';
const PROVENANCE = { rsin: '999990639', informatieobjecttype: 'https://documenten.example.nl/catalogi/api/v1/i/1' };
const KEY = '2b9b6a55-1b1f-4a83-8d8e-6a6f6f4a9c02';
const ELSEWHERE = 'https://elders.example.nl/documenten/api/v1';
const DOCUMENTS = '/documenten/api/v1/enkelvoudiginformatieobjecten';
const LOCK = 'e2f4b3c0a1d94f6d8a7b6c5d4e3f2a1b';
const PART = '7c1d2e3f-0001-4a5b-8c6d-7e8f9a0b1c21';

type Members = Record<string, unknown>;

/** Returns a document in the JSON of a store, with members that we do not use and the deviations of real stores. */
const stored = ({ identificatie, omvang, sha256 }: NewDocument, over: Members = {}): Members => ({
  url: `${ELSEWHERE}/enkelvoudiginformatieobjecten/${KEY}`,
  identificatie,
  bestandsomvang: omvang,
  integriteit: { algoritme: 'sha_256', waarde: sha256, datum: '2026-06-01' },
  locked: false,
  bestandsdelen: [],
  link: '',
  _expand: {},
  ...over,
});
const unfinished = (document: NewDocument): Members =>
  stored(document, {
    locked: true,
    lock: LOCK,
    inhoud: null,
    bestandsdelen: [
      {
        url: `${ELSEWHERE}/bestandsdelen/${PART}`,
        volgnummer: 1,
        omvang: document.omvang,
        voltooid: false,
        lock: LOCK,
      },
    ],
  });
const list = (...results: Members[]): Members => ({ count: results.length, next: null, previous: null, results });
const fout = (code: string, ...codes: string[]): Members => ({
  type: `${ELSEWHERE}/ref/fouten/X/`,
  code,
  title: 'Invalid input.',
  detail: 'Jan de Vries 999990007',
  instance: 'urn:uuid:00000000-0000-4000-8000-000000000001',
  ...(codes.length > 0 && {
    invalidParams: codes.map((one) => ({ name: 'titel', code: one, reason: 'diploma.pdf van Jan de Vries' })),
  }),
});

let store: ScriptedServer;
let http: HttpClient;
let documents: Documents;
beforeEach(async () => {
  store = await startScriptedServer((_, response) => response.writeHead(500).end());
  http = createHttpClient({
    upstream: 'documenten',
    url: new URL(`${store.url}/documenten/api/v1`),
    headers: {},
    calls: 8,
    downloads: 8,
    credential: zgwCredential(CLIENT, SECRET),
  });
  documents = createDocuments(http, PROVENANCE);
});
afterEach(async () => {
  await http.close();
  await store.close();
});

type Answer = (response: ServerResponse, request: ReceivedRequest) => unknown;
const json =
  (body: unknown, status = 200): Answer =>
  (response) =>
    sendJson(response, body, status);
const empty =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, headers).end();

/** Makes the store give these answers, one for each request, and 418 after the last. */
function answerWith(...answers: Answer[]): void {
  const left = [...answers];
  store.answer = (request, response) => (left.shift() ?? empty(418))(response, request);
}
const asked = (): string[] => store.received.map(({ method, url }) => `${method} ${url.replace(DOCUMENTS, '')}`);
const failure = (work: Promise<unknown>): Promise<UpstreamError> =>
  work.then(
    () => expect.fail('it succeeded'),
    (error) => error,
  );

const eachCall = (call = testCall()): (() => Promise<unknown>)[] => [
  () => documents.find('ZR-1', call),
  () => documents.put(newDocument(5), call),
  () => documents.delete(KEY, 'opgeruimd', call),
];
const put = (document = newDocument(5)) => documents.put(document, testCall());
const bytesOf = async (opened: Awaited<ReturnType<Documents['open']>>): Promise<Buffer> =>
  readAll(opened?.bytes ?? expect.fail('no document'));

describe('storing a document (ZGW)', () => {
  it('sends one JSON body with Content-Length, only members of version 1.4, shortened texts and no name of a person', async () => {
    const document = newDocument(Buffer.from('vijf!'), {
      titel: '🎈'.repeat(300),
      bestandsnaam: `${'n'.repeat(300)}.pdf`,
      beschrijving: 'b'.repeat(2_000),
    });
    answerWith(json(stored(document), 201));
    await put(document);
    const [seen] = store.received;
    expect(asked()).toEqual(['POST ']);
    expect(seen?.headers).toMatchObject({ 'content-type': 'application/json', accept: 'application/json' });
    expect(seen?.headers['transfer-encoding']).toBeUndefined();
    expect(seen?.headers['content-length']).toBe(String(seen?.bytes.length));
    expect(JSON.parse(seen?.body ?? '')).toEqual({
      identificatie: document.identificatie,
      bronorganisatie: '999990639',
      creatiedatum: '2026-06-01',
      titel: '🎈'.repeat(200),
      auteur: 'Aanvrager',
      status: 'definitief',
      formaat: 'application/pdf',
      taal: 'dut',
      bestandsnaam: 'n'.repeat(255),
      bestandsomvang: 5,
      beschrijving: 'b'.repeat(1_000),
      ontvangstdatum: '2026-06-01',
      indicatieGebruiksrecht: false,
      integriteit: { algoritme: 'sha_256', waarde: document.sha256, datum: '2026-06-01' },
      informatieobjecttype: PROVENANCE.informatieobjecttype,
      inhoud: 'dmlqZiE=',
    });
  });

  it.each([
    [1, 1],
    [2, 1],
    [3, 2],
    [100, 7],
    [65_537, 1_000],
  ])('sends the base64 of all %i bytes that come in pieces of %i', async (size, piece) => {
    const document = newDocument(size, {}, piece);
    answerWith(json(stored(document), 201));
    await put(document);
    const { inhoud } = JSON.parse(store.received[0]?.body ?? '');
    expect(inhoud).toBe(Buffer.from(inhoud, 'base64').toString('base64'));
    expect(hashOf(Buffer.from(inhoud, 'base64'))).toBe(document.sha256);
  });

  it('reads the answer of a gateway that sends 100 Continue without being asked, after all bytes of the document', async () => {
    const document = newDocument(1_000_000);
    answerWith((response) => {
      response.writeContinue();
      sendJson(response, stored(document), 201);
    });
    expect(await put(document)).toMatchObject({ key: KEY });
    expect(JSON.parse(store.received[0]?.body ?? '').bestandsomvang).toBe(1_000_000);
  });

  it('fails without a complete request when the file is shorter than its stated size', async () => {
    const document = newDocument(5, { omvang: 50 });
    answerWith(json(stored(document), 201));
    expect(await failure(put(document))).toMatchObject({ name: 'UpstreamError', undone: false });
    expect(store.received).toEqual([]);
  });

  it.each([
    ['without a size', { bestandsomvang: null }],
    ['with parts that have not been sent', unfinished(newDocument(5))],
  ])('throws UpstreamError unreadable when the store confirms a document %s', async (_, over) => {
    const document = newDocument(5);
    answerWith(json(stored(document, over), 201));
    expect(await failure(put(document))).toMatchObject({ fault: 'unreadable', undone: false });
  });

  it('returns the size that the store reports', async () => {
    const document = newDocument(5);
    answerWith(json(stored(document, { bestandsomvang: 4 }), 201));
    expect(await put(document)).toMatchObject({ key: KEY, omvang: 4 });
  });
});

describe('the token for the document store', () => {
  const partsOf = (seen: ReceivedRequest | undefined) => {
    const [, head = '', body = '', signature] =
      /^Bearer ([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(seen?.headers.authorization ?? '') ?? [];
    expect(signature).toBe(createHmac('sha256', SECRET).update(`${head}.${body}`).digest('base64url'));
    const read = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString());
    return { header: read(head), claims: read(body) };
  };

  it('has five claims that name only the service, and is new for each call', async () => {
    fakeTimers({ toFake: ['Date'], now: new Date('2026-06-01T12:00:00.900Z') });
    store.answer = (_, response) => sendJson(response, list());
    await documents.find('ZR-1', testCall());
    vi.setSystemTime(new Date('2026-06-01T12:00:05Z'));
    await documents.find('ZR-1', testCall());
    const claims = { client_id: CLIENT, user_id: CLIENT, user_representation: 'Zorgregister BFF', iss: CLIENT };
    expect(store.received.map(partsOf)).toEqual([
      { header: { alg: 'HS256', typ: 'JWT' }, claims: { ...claims, iat: 1_780_315_200 } },
      { header: { alg: 'HS256', typ: 'JWT' }, claims: { ...claims, iat: 1_780_315_205 } },
    ]);
  });

  /**
   * Returns the configured service's adapter on a store that compares the times of a token exactly, with a clock that is
   * this many seconds behind.
   */
  const onStrictStore = (secondsBehind: number, env: Record<string, string> = {}) => {
    store.answer = (request, response) => {
      const { iat, exp } = partsOf(request).claims;
      const now = Date.now() / 1_000 - secondsBehind;
      if (iat > now) sendJson(response, fout('jwt-immaturesignatureerror'), 403);
      else if (exp !== undefined && exp <= now) sendJson(response, fout('jwt-expired'), 403);
      else sendJson(response, list());
    };
    const config = readConfig({
      DOCUMENTS_UPSTREAM: `${store.url}/documenten/api/v1`,
      DOCUMENTS_CLIENT_ID: CLIENT,
      DOCUMENTS_SECRET: SECRET,
      DOCUMENTS_RSIN: PROVENANCE.rsin,
      DOCUMENTS_INFORMATIEOBJECTTYPE: PROVENANCE.informatieobjecttype,
      ...env,
    });
    const { documents: configured, client } = documentsOf(config);
    onTestFinished(() => client.close());
    return configured;
  };

  it.each([0.5, 20])('is accepted in all of 24 calls by a store that checks iat and is %d s behind', async (behind) => {
    fakeTimers({ toFake: ['Date'], now: new Date('2026-06-01T12:00:00.250Z') });
    const configured = onStrictStore(behind);
    for (let n = 0; n < 24; n += 1) {
      vi.setSystemTime(Date.now() + 100);
      expect(await configured.find('ZR-1', testCall())).toBeNull();
    }
    expect(store.received).toHaveLength(24);
  });

  it('is backdated further, and expires, as the configuration says', async () => {
    fakeTimers({ toFake: ['Date'], now: new Date('2026-06-01T12:00:00Z') });
    const env = { DOCUMENTS_TOKEN_BACKDATE_SECONDS: '90', DOCUMENTS_TOKEN_EXPIRES_SECONDS: '300' };
    expect(await failure(onStrictStore(60).find('ZR-1', testCall()))).toMatchObject({ fault: 'unavailable' });
    // Asked twice: a token that was refused because of its time is replaced once.
    expect(store.received).toHaveLength(2);
    expect(await onStrictStore(60, env).find('ZR-1', testCall())).toBeNull();
    const { iat, exp } = partsOf(store.received.at(-1)).claims;
    expect([iat, exp]).toEqual([1_780_315_200 - 90, 1_780_315_200 - 90 + 300]);
  });

  it('has the claims that a vendor wants, which replace those of ZGW', async () => {
    const claims = { iss: 'gemeente', user_id: 'zorgregister', aud: 'documenten', scopes: ['documenten.lezen'] };
    await onStrictStore(0, { DOCUMENTS_TOKEN_CLAIMS: JSON.stringify(claims) }).find('ZR-1', testCall());
    const expected = { ...claims, client_id: CLIENT, user_representation: 'Zorgregister BFF', iat: expect.any(Number) };
    expect(partsOf(store.received[0]).claims).toEqual(expected);
  });

  it('is replaced once, and the request repeated, when the store refuses the token as expired', async () => {
    fakeTimers({ toFake: ['Date'], now: new Date('2026-06-01T12:00:00Z') });
    const document = newDocument(5);
    const tooOld: Answer = (response) => {
      vi.setSystemTime(new Date('2026-06-01T12:00:10Z'));
      sendJson(response, fout('jwt-expired'), 403);
    };
    answerWith(tooOld, json(stored(document), 201));
    expect(await put(document)).toMatchObject({ key: KEY });
    expect(store.received[1]?.body).toBe(store.received[0]?.body);
    expect(store.received.map((request) => partsOf(request).claims.iat)).toEqual([1_780_315_200, 1_780_315_210]);
  });

  it('is replaced once before a download, also when a gateway adds a byte order mark to the refusal', async () => {
    const refusal = `\ufeff${JSON.stringify(fout('jwt-expired'))}`;
    answerWith(
      (response) => response.writeHead(403, { 'content-type': 'application/json' }).end(refusal),
      (response) => response.writeHead(200, { 'content-type': 'application/octet-stream' }).end('inhoud'),
    );
    const opened = await documents.open(KEY, testCall());
    expect(opened && String(await readAll(opened.bytes))).toBe('inhoud');
  });

  it.each<[string, () => Promise<unknown>]>([
    ['put', () => documents.put(newDocument(5), testCall())],
    ['find', () => documents.find('ZR-1', testCall())],
    ['open', () => documents.open(KEY, testCall())],
    ['delete', () => documents.delete(KEY, 'opgeruimd', testCall())],
  ])('makes %s throw UpstreamError unavailable when the store refuses two tokens as expired', async (_, work) => {
    store.answer = (__, response) => sendJson(response, fout('jwt-expired'), 403);
    expect(await failure(work())).toMatchObject({ fault: 'unavailable', undone: true });
    expect(store.received).toHaveLength(2);
  });

  it.each([
    [403, 'jwt-decode-error'],
    [403, 'permission_denied'],
    [401, 'not_authenticated'],
    [401, 'jwt-expired'],
  ])('is not sent again when the store refuses it with %i %s, which are in the error', async (status, code) => {
    store.answer = (_, response) => sendJson(response, fout(code), status);
    const call = testCall();
    const message = `documenten unavailable: status ${status}: ${code}`;
    for (const work of eachCall(call))
      expect(await failure(work())).toMatchObject({ fault: 'unavailable', undone: true, message });
    expect(call.records.map(({ outcome }) => outcome)).toEqual([status, status, status]);
    expect(store.received).toHaveLength(3);
  });
});

describe('the circuit breaker of a document store', () => {
  const partOfDocument: Answer = (response) => {
    response.writeHead(200, { 'content-length': '10' }).write('half ');
    setImmediate(() => response.destroy());
  };

  const download = async () => {
    await bytesOf(await documents.open(KEY, testCall()));
  };

  it.each<[string, Answer, string]>([
    ['has a document without content', empty(204), 'closed'],
    ['breaks off a download', partOfDocument, 'open'],
  ])('is $2 after twenty downloads from a store that $0', async (_, answer, state) => {
    store.answer = (request, response) => answer(response, request);
    for (let n = 0; n < 20; n += 1) await failure(download());
    expect(http.stats().breaker).toBe(state);
  });

  it('does not count a download that its reader does not finish', async () => {
    store.answer = (_, response) => response.writeHead(200, { 'content-length': '10' }).write('half ');
    for (let n = 0; n < 20; n += 1) (await documents.open(KEY, testCall()))?.bytes.destroy();
    expect(http.stats().breaker).toBe('closed');
  });

  it('has a download that breaks off in its record too, as a failure after the answer without another attempt', async () => {
    answerWith(partOfDocument);
    const call = testCall();
    const opened = await documents.open(KEY, call);
    await failure(bytesOf(opened));
    expect(call.records).toMatchObject([
      { outcome: 200, attempts: 1 },
      { outcome: 'unreadable', attempts: 0 },
    ]);
  });
});

describe('storing a document whose identificatie exists', () => {
  const taken = json(fout('invalid', 'identificatie-niet-uniek'), 400);

  it('returns the existing document when size and hash are equal, in capitals or not', async () => {
    const document = newDocument(5);
    const there = { integriteit: { algoritme: 'sha_256', waarde: document.sha256.toUpperCase() } };
    answerWith(taken, json(list(stored(document, there))));
    expect(await put(document)).toEqual({ key: KEY, omvang: 5, sha256: document.sha256 });
    expect(asked()).toEqual([
      'POST ',
      `GET ?identificatie=${document.identificatie}&bronorganisatie=${PROVENANCE.rsin}`,
    ]);
  });

  it.each<[string, Members]>([
    ['another size', { bestandsomvang: 6 }],
    ['another hash', { integriteit: { algoritme: 'sha_256', waarde: '0'.repeat(64) } }],
    ['no hash', { integriteit: null }],
    ['an empty hash', { integriteit: { algoritme: '', waarde: '' } }],
    ['a hash of another kind', { integriteit: { algoritme: 'md5', waarde: '0' } }],
  ])('throws UpstreamError unavailable when the existing document has %s, and deletes nothing', async (_, over) => {
    const document = newDocument(5);
    answerWith(taken, json(list(stored(document, over))));
    expect(await failure(put(document))).toMatchObject({ fault: 'unavailable', undone: true });
    expect(store.received.map(({ method }) => method)).toEqual(['POST', 'GET']);
  });

  it.each<[string, (document: NewDocument) => Members]>([
    ['another client has not sent all parts of it', unfinished],
    ['the store does not list it', (document) => stored(document, { identificatie: 'ZR-een-ander' })],
  ])('is tried once more when %s, and then throws UpstreamError unavailable', async (_, found) => {
    const document = newDocument(5);
    answerWith(taken, json(list(found(document))), taken);
    expect(await failure(put(document))).toMatchObject({ fault: 'unavailable', undone: true });
    expect(store.received.map(({ method }) => method)).toEqual(['POST', 'GET', 'POST']);
  });
});

describe('a refusal by the document store', () => {
  it.each([
    [400, fout('invalid', 'invalid', 'min_length'), 'status 400: invalid, invalid, min_length'],
    [400, fout('invalid', 'bad-url'), 'status 400: invalid, bad-url'],
    [400, fout('invalid', 'invalid-base64'), 'status 400: invalid, invalid-base64'],
    [400, fout('invalid', 'Jan de Vries', 'required'), 'status 400: invalid, required'],
    [400, 'nee', 'status 400'],
    [404, fout('not_found'), 'status 404: not_found'],
    [413, fout('request_entity_too_large'), 'status 413: request_entity_too_large'],
  ])('of an invalid request (%i) makes an error with its known codes and no other text', async (status, body, why) => {
    answerWith(json(body, status));
    const message = `documenten unavailable: ${why}`;
    expect(await failure(put())).toMatchObject({ fault: 'unavailable', undone: true, message });
    expect(store.received).toHaveLength(1);
  });

  it.each([408, 409, 413, 500, 502, 503, 504])(
    'by a proxy (%i) makes an error with only the status, and the document is not sent twice',
    async (status) => {
      answerWith((response) => response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Nee</h1>'));
      const message = `documenten unavailable: status ${status}`;
      expect(await failure(put())).toMatchObject({ fault: 'unavailable', undone: status === 413, message });
      expect(store.received).toHaveLength(1);
    },
  );

  it('with 429 makes an error with Retry-After, and the request is not repeated', async () => {
    store.answer = (_, response) => {
      response.writeHead(429, { 'retry-after': '7', 'content-type': 'application/problem+json' });
      response.end(JSON.stringify(fout('throttled')));
    };
    for (const work of eachCall()) expect(await failure(work())).toMatchObject({ fault: 'unavailable', retryAfter: 7 });
    expect(store.received).toHaveLength(3);
  });

  it('before the whole document was sent makes an error with its status', async () => {
    const early = createServer((incoming, response) => {
      incoming.once('data', () => {
        incoming.pause();
        response.writeHead(413, { 'content-type': 'text/html', connection: 'close' }).end('<h1>Te groot</h1>');
      });
    });
    await new Promise<void>((resolve) => early.listen(0, '127.0.0.1', resolve));
    const client = createHttpClient({
      upstream: 'documenten',
      url: new URL(`http://127.0.0.1:${(early.address() as AddressInfo).port}`),
      headers: {},
      calls: 8,
      downloads: 8,
    });
    const big = createDocuments(client, PROVENANCE);
    const error = await failure(big.put(newDocument(9_000_000), testCall()));
    expect(error).toMatchObject({ fault: 'unavailable', message: 'documenten unavailable: status 413' });
    await client.close();
    early.closeAllConnections();
    early.close();
  });
});

describe('a repeated request to the document store', () => {
  it.each<[string, Answer, () => Promise<unknown>]>([
    ['find', json(list()), () => documents.find('ZR-1', testCall())],
    ['stat', json(stored(newDocument(5))), () => documents.stat(KEY, testCall())],
    ['open', (response) => response.end('vijf!'), () => documents.open(KEY, testCall())],
    ['delete', empty(204), () => documents.delete(KEY, 'opgeruimd', testCall())],
  ])('is sent once for %s after a 503', async (_, good, work) => {
    answerWith(empty(503), good);
    await work();
    expect(store.received).toHaveLength(2);
    store.answer = (__, response) => response.writeHead(503).end();
    expect(await failure(work())).toMatchObject({ fault: 'unavailable' });
  });

  it('is not sent after the connection closed while a document was stored', async () => {
    answerWith((response) => response.destroy());
    expect(await failure(put())).toMatchObject({ fault: 'unavailable', undone: false, lost: true });
    expect(store.received).toHaveLength(1);
  });
});

describe('deleting a document (ZGW)', () => {
  it.each<[string, Answer, string]>([
    ['204', empty(204), 'deleted'],
    ['404', json(fout('not_found'), 404), 'absent'],
    ['410', json(fout('gone'), 410), 'absent'],
    ['404 from a proxy', (response) => response.writeHead(404).end('<h1>?</h1>'), 'absent'],
    ['400 pending-relations', json(fout('invalid', 'pending-relations'), 400), 'in-use'],
    ['400 destroy-locked', json(fout('invalid', 'destroy-locked'), 400), 'in-use'],
  ])('returns $2 for $0', async (_, answer, outcome) => {
    answerWith(answer);
    expect(await documents.delete(KEY, 'Opgeruimd', testCall())).toBe(outcome);
    expect(asked()).toEqual([`DELETE /${KEY}`]);
    expect(store.received[0]?.headers['x-audit-toelichting']).toBe('Opgeruimd');
  });

  it.each<[string, string, Answer]>([
    ['unavailable', 'any other refusal', json(fout('invalid', 'unknown-parameters'), 400)],
    ['unreadable', 'a 200 with the document', json(stored(newDocument(5)))],
  ])('throws UpstreamError %s after %s', async (fault, _, answer) => {
    answerWith(answer);
    expect(await failure(documents.delete(KEY, 'Opgeruimd', testCall()))).toMatchObject({ fault });
  });
});

describe('reading a document (ZGW)', () => {
  const head = { 'content-type': 'application/octet-stream', etag: '"x"', 'content-disposition': 'attachment; x.bin' };

  it('requests bytes, and returns only the bytes and their number', async () => {
    answerWith((response) => response.writeHead(200, { ...head, 'content-length': 5 }).end('vijf!'));
    const found = await documents.open(KEY, testCall());
    expect(asked()).toEqual([`GET /${KEY}/download`]);
    expect(store.received[0]?.headers.accept).toBe('application/octet-stream');
    expect(Object.keys(found ?? {}).sort()).toEqual(['bytes', 'omvang']);
    expect(found?.omvang).toBe(5);
    expect(String(await bytesOf(found))).toBe('vijf!');
  });

  it('returns omvang null when the store sends no Content-Length', async () => {
    answerWith((response) => response.writeHead(200, head).end('vijf!'));
    const found = await documents.open(KEY, testCall());
    expect(found?.omvang).toBeNull();
    expect(String(await bytesOf(found))).toBe('vijf!');
  });

  it.each<[string, string, (bytes: Buffer) => Buffer]>([
    ['gzip', 'gzip', gzipSync],
    ['Brotli', 'br', brotliCompressSync],
    ['deflate', 'deflate', deflateSync],
    ['an empty content coding', '', (bytes) => bytes],
  ])('returns the bytes of a document that a gateway sends with %s, unasked for', async (_, coding, pack) => {
    const bytes = randomBytes(300_000);
    answerWith((response) => response.writeHead(200, { ...head, 'content-encoding': coding }).end(pack(bytes)));
    const found = await documents.open(KEY, testCall());
    expect(store.received[0]?.headers['accept-encoding']).toBe('identity');
    expect(found?.omvang).toBeNull();
    expect(hashOf(await bytesOf(found))).toBe(hashOf(bytes));
  });

  it.each([
    ['has a content coding that nobody knows', 'zip'],
    ['says gzip and is not', 'gzip'],
  ])('throws UpstreamError unreadable for a document that %s', async (_, coding) => {
    answerWith((response) => response.writeHead(200, { ...head, 'content-encoding': coding }).end('PK and more'));
    expect(await failure(documents.open(KEY, testCall()))).toMatchObject({ fault: 'unreadable' });
  });

  it('returns each byte of a document with a 100 Continue in it, after a 100 Continue of a gateway', async () => {
    const text = 'HTTP/1.1 100 Continue\r\n\r\n';
    answerWith(async (response) => {
      response.socket?.write(text);
      response.writeHead(200, { ...head, 'content-length': 3 * text.length });
      for (let n = 0; n < 3; n += 1) {
        response.write(text);
        await nextTurn();
      }
      response.end();
    });
    const found = await documents.open(KEY, testCall());
    expect(String(await bytesOf(found))).toBe(text.repeat(3));
  });

  it.each([404, 410])('returns null for %i', async (status) => {
    answerWith(json(fout('not_found'), status), json(fout('not_found'), status));
    expect(await documents.stat(KEY, testCall())).toBeNull();
    expect(await documents.open(KEY, testCall())).toBeNull();
  });

  it('throws UpstreamError unavailable for a document without content (uploads.md, "Serving")', async () => {
    answerWith(empty(204));
    expect(await failure(documents.open(KEY, testCall()))).toMatchObject({ fault: 'unavailable' });
  });

  it('fails while reading when the connection is closed half-way', async () => {
    answerWith((response) => {
      response.writeHead(200, { ...head, 'content-length': 10 });
      response.write('vijf!', () => response.destroy());
    });
    const found = await documents.open(KEY, testCall());
    await expect(bytesOf(found)).rejects.toThrow();
  });

  it('throws UpstreamError unreadable when the connection is closed before the first byte', async () => {
    answerWith((response) => {
      response.writeHead(200, { ...head, 'content-length': 10 });
      response.flushHeaders();
      setTimeout(() => response.destroy(), 20);
    });
    const error = await failure(documents.open(KEY, testCall()));
    expect(error).toBeInstanceOf(UpstreamError);
    expect(error.fault).toBe('unreadable');
  });

  it('closes the connection to the store when its reader stops', async () => {
    let gone = false;
    answerWith((response) => {
      response.once('close', () => {
        gone = !response.writableFinished;
      });
      response.writeHead(200, { ...head, 'content-length': 1_000_000 });
      response.write('vijf!');
    });
    const found = await documents.open(KEY, testCall());
    found?.bytes.destroy();
    await expect.poll(() => gone).toBe(true);
  });

  it('fails while reading when the call is aborted', async () => {
    const abort = new AbortController();
    answerWith((response) => {
      response.writeHead(200, { ...head, 'content-length': 1_000_000 });
      response.write('vijf!');
    });
    const found = await documents.open(KEY, testCall(abort.signal));
    const reading = bytesOf(found);
    abort.abort(new ClientDisconnected('weg'));
    await expect(reading).rejects.toThrow();
  });
});

describe('an answer of the document store', () => {
  it('has URLs on another host that is never called: only the id in them is used', async () => {
    const elsewhere = keep(await startScriptedServer((_, response) => response.writeHead(500).end()));
    const document = newDocument(5);
    const url = `${elsewhere.url}/documenten/api/v1/enkelvoudiginformatieobjecten/${KEY}`;
    answerWith(
      json(stored(document, { url }), 201),
      json(list(stored(document, { url: `${url}?versie=2` }))),
      (response) => response.end('vijf!'),
    );
    expect(await put(document)).toMatchObject({ key: KEY });
    expect(await documents.find(document.identificatie, testCall())).toMatchObject({ key: KEY });
    await documents.open(KEY, testCall());
    expect(elsewhere.received).toEqual([]);
    expect(store.received).toHaveLength(3);
  });

  it.each([
    ['a URL that ends in no id', { url: 'https://elders.example.nl/etc/passwd' }],
    ['a URL that ends in a path', { url: `${ELSEWHERE}/${KEY}/../../x` }],
    ['no URL', { url: undefined }],
    ['a negative size', { bestandsomvang: -1 }],
    ['a size as a string', { bestandsomvang: '5' }],
  ])('with %s makes stat throw UpstreamError unreadable', async (_, over) => {
    store.answer = (__, response) => sendJson(response, stored(newDocument(5), over));
    expect(await failure(documents.stat(KEY, testCall()))).toMatchObject({ fault: 'unreadable' });
  });

  it.each([
    ['..', '/%2E%2E'],
    ['../x', '/..%2Fx'],
    ['a/b', '/a%2Fb'],
    ['%2e%2e', '/%252e%252e'],
  ])('is requested with the key %s as one path segment', async (key, segment) => {
    store.answer = (_, response) => sendJson(response, fout('not_found'), 404);
    await documents.stat(key, testCall());
    await documents.open(key, testCall());
    await documents.delete(key, 'Opgeruimd', testCall());
    expect(asked()).toEqual([`GET ${segment}`, `GET ${segment}/download`, `DELETE ${segment}`]);
  });
});

describe('a list with documents of another application, which the document store lists without identificatie', () => {
  const ours = newDocument(5, { identificatie: 'ZR-1' });
  const others = [stored(ours, { identificatie: undefined }), stored(ours, { identificatie: null })];

  it('is searched for the document with the identificatie', async () => {
    answerWith(json(list(...others, stored(ours))));
    expect(await documents.find('ZR-1', testCall())).toMatchObject({ key: KEY, omvang: 5 });
  });
});

it('a document of which another client has not sent all parts (ZGW) is not found by find and stat', async () => {
  const document = newDocument(8);
  answerWith(json(list(unfinished(document))), json(unfinished(document)));
  expect(await documents.find(document.identificatie, testCall())).toBeNull();
  expect(await documents.stat(KEY, testCall())).toBeNull();
});
