import { readFileSync } from 'node:fs';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createDocuments } from '../../adapters/documents/index.ts';
import { zgwCredential } from '../../adapters/documents/token.ts';
import { createHttpClient, type HttpClient } from '../../adapters/http/client.ts';
import { DOCUMENTS_ACCESS, type Simulators, startSimulators } from '../../simulator/index.ts';
import { createDirectory } from '../../simulator/people/directory.ts';
import { ClientDisconnected } from '../../src/ports/call.ts';
import type { Documents } from '../../src/ports/documents.ts';
import { createValidator, openApiFaults } from '../support/openapi.ts';
import { frozenClock, TODAY } from '../support/service.ts';
import { testCall } from '../support/upstreams/call.ts';
import { newDocument, readAll } from '../support/upstreams/document.ts';
import { officialFile } from '../support/upstreams/official.ts';
import {
  type ReceivedRequest,
  type ScriptedServer,
  startScriptedServer,
} from '../support/upstreams/scripted-server.ts';

const official = officialFile('documenten/openapi.yaml');
const here = official !== null;

/** Returns the official OpenAPI document with two constructs replaced that a validator does not accept (uploads.md, "The document store"). */
function mended(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mended);
  if (typeof value !== 'object' || value === null) return value;
  if (String((value as { $ref?: unknown }).$ref ?? '#').startsWith('.')) return {};
  const members = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mended(one)]));
  const { nullable, ...rest } = members;
  if (nullable !== true) return members;
  return rest.type === undefined ? { anyOf: [rest, { type: 'null' }] } : members;
}

/** True for the one fault that the simulator has on purpose, because Open Zaak has it too (uploads.md, "The document store"). */
const isIntended = (fault: string): boolean => fault.endsWith('/link must match format "uri"');

interface Exchange {
  readonly asked: ReceivedRequest;
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly text: string;
}

/** Checks the adapter's requests and the simulator's responses against the official OpenAPI document. */
describe.skipIf(!here)(
  here
    ? 'the official OpenAPI document of the document store'
    : 'the official OpenAPI document of the document store (skipped: OFFICIAL_CONTRACTS has none)',
  () => {
    let document: object;
    let check: ReturnType<typeof createValidator>;
    let simulators: Simulators;
    let between: ScriptedServer;
    let http: HttpClient;
    const exchanges: Exchange[] = [];

    beforeAll(async () => {
      document = mended(parse(readFileSync(official ?? '', 'utf8'))) as object;
      check = createValidator(document);
      simulators = await startSimulators(['documenten'], {
        directory: createDirectory(),
        clock: frozenClock(TODAY),
        port: 0,
        dataDir: ':memory:',
      });
      const { origin } = new URL(simulators.urls.documenten ?? '');
      between = await startScriptedServer(async (asked, response) => {
        const { host, connection, ...headers } = asked.headers;
        const answer = await request(origin + asked.url, {
          method: asked.method as 'GET',
          headers,
          ...(asked.bytes.length > 0 && { body: asked.bytes }),
        });
        const bytes = Buffer.from(await answer.body.arrayBuffer());
        exchanges.push({ asked, status: answer.statusCode, headers: answer.headers, text: bytes.toString() });
        response.writeHead(answer.statusCode, answer.headers).end(bytes);
      });
      http = createHttpClient({
        upstream: 'documenten',
        url: new URL(`${between.url}/documenten/api/v1`),
        headers: {},
        calls: 8,
        downloads: 8,
        credential: zgwCredential(DOCUMENTS_ACCESS.clientId, DOCUMENTS_ACCESS.secret),
      });
    });
    afterAll(async () => {
      await http.close();
      await between.close();
      await simulators.close();
    });

    const adapter = (partsAboveBytes: number): Documents =>
      createDocuments(http, { ...DOCUMENTS_ACCESS, partsAboveBytes });
    const pathOf = ({ url }: ReceivedRequest): string => url.replace('/documenten/api/v1', '');

    const REQUESTS: Readonly<Record<string, string>> = {
      'POST /enkelvoudiginformatieobjecten': 'EnkelvoudigInformatieObjectCreateLockRequest',
      'PATCH /enkelvoudiginformatieobjecten/': 'PatchedEnkelvoudigInformatieObjectWithLockRequest',
      'POST /enkelvoudiginformatieobjecten/unlock': 'UnlockEnkelvoudigInformatieObjectRequest',
    };
    const requestSchema = (asked: ReceivedRequest): string =>
      `/components/schemas/${REQUESTS[`${asked.method} ${pathOf(asked).replace(/[0-9a-f-]{36}\/?/, '')}`]}`;

    /** Runs `work` and checks each of its requests and responses against the document. Returns the method and status of each. */
    async function expectDocumented(work: () => Promise<unknown>): Promise<string[]> {
      exchanges.length = 0;
      await work();
      for (const { asked, status, headers, text } of exchanges) {
        const isJson = String(asked.headers['content-type']).startsWith('application/json');
        if (isJson) expect(check(requestSchema(asked), JSON.parse(asked.body))).toEqual([]);
        const body = String(headers['content-type']).includes('json') ? JSON.parse(text) : text;
        // Not in the document (uploads.md, "The document store"): in the form of any other 400.
        if (asked.method === 'DELETE' && status === 400)
          expect(check('/components/schemas/ValidatieFout', body)).toEqual([]);
        else if (!pathOf(asked).endsWith('/download') || status !== 200)
          expect(
            openApiFaults(document, asked.method, pathOf(asked), { status, headers, body }).filter(
              (fault) => !isIntended(fault),
            ),
          ).toEqual([]);
      }
      return exchanges.map(({ asked, status }) => `${asked.method} ${status}`);
    }

    it('rejects invalid requests and responses, so that the next tests can fail', () => {
      const example = JSON.parse(
        readFileSync(new URL('documenten/create-inline.request.json', import.meta.url), 'utf8'),
      );
      const schema = '/components/schemas/EnkelvoudigInformatieObjectCreateLockRequest';
      expect(check(schema, example)).toEqual([]);
      expect(check(schema, { ...example, titel: undefined })).not.toEqual([]);
      expect(check(schema, { ...example, status: 'af' })).not.toEqual([]);
      expect(check(schema, { ...example, integriteit: { algoritme: 'sha_256' } })).not.toEqual([]);
      const answer = JSON.parse(
        readFileSync(new URL('documenten/create-parts.response.201.json', import.meta.url), 'utf8'),
      );
      const headers = { 'content-type': 'application/json' };
      const told = (body: unknown) =>
        openApiFaults(document, 'POST', '/enkelvoudiginformatieobjecten', { status: 201, headers, body });
      expect(told(answer)).toEqual([]);
      expect(told({ ...answer, versie: 'x' })).not.toEqual([]);
    });

    it('describes storing, finding, reading and deleting a document', async () => {
      const documents = adapter(1_000_000);
      const one = newDocument(1_000);
      const statuses = await expectDocumented(async () => {
        const { key } = await documents.put(one, testCall());
        await documents.find(one.identificatie, testCall());
        await documents.find('ZR-onbekend', testCall());
        await documents.stat(key, testCall());
        const opened = await documents.open(key, testCall());
        if (opened !== null) await readAll(opened.bytes);
        await documents.delete(key, 'Opgeruimd', testCall());
      });
      expect(statuses).toEqual(['POST 201', 'GET 200', 'GET 200', 'GET 200', 'GET 200', 'DELETE 204']);
    });

    it('accepts a document with titles and names of more than the maximum length, which the adapter shortens', async () => {
      const long = 'é🎈'.repeat(1_000);
      const one = newDocument(10, {
        titel: long,
        beschrijving: long,
        bestandsnaam: long,
        identificatie: 'z'.repeat(40),
      });
      expect(await expectDocumented(() => adapter(1_000_000).put(one, testCall()))).toEqual(['POST 201']);
    });

    it('describes storing a document in parts', async () => {
      const statuses = await expectDocumented(() => adapter(0).put(newDocument(5 * 1024 * 1024), testCall()));
      expect(statuses).toEqual(['POST 201', 'PUT 200', 'PUT 200', 'POST 204', 'GET 200']);
    });

    it('describes the deletion of a document whose upload in parts failed', async () => {
      const broken = newDocument(1_000, {
        async *bytes() {
          yield Buffer.alloc(1);
        },
      });
      const statuses = await expectDocumented(() => expect(adapter(0).put(broken, testCall())).rejects.toThrow());
      expect(statuses).toEqual(['POST 201', 'PATCH 200', 'POST 204', 'DELETE 204']);
    });

    it('describes the deletion of a document whose upload in parts was aborted, and storing it again', async () => {
      const abort = new AbortController();
      const one = newDocument(1_000);
      const stopping = newDocument(1_000, {
        ...one,
        async *bytes() {
          yield Buffer.alloc(1);
          abort.abort(new ClientDisconnected('weg'));
          yield Buffer.alloc(1);
        },
      });
      const statuses = await expectDocumented(async () => {
        await expect(adapter(0).put(stopping, testCall(abort.signal))).rejects.toBeInstanceOf(ClientDisconnected);
        expect(await adapter(0).find(one.identificatie, testCall())).toBeNull();
        expect(await adapter(0).put(one, testCall())).toMatchObject({ omvang: 1_000, sha256: one.sha256 });
      });
      expect(statuses).toEqual([
        'POST 201',
        'PATCH 200',
        'POST 204',
        'DELETE 204',
        'GET 200',
        'POST 201',
        'PUT 200',
        'POST 204',
        'GET 200',
      ]);
    });

    it('describes refusals: a duplicate, a document in use, an unknown document and an invalid one', async () => {
      const documents = adapter(1_000_000);
      const one = newDocument(10);
      const inUse = newDocument(10, { bestandsnaam: 'sim-in-gebruik.pdf' });
      const wrong = createDocuments(http, { rsin: '1', informatieobjecttype: 'x', partsAboveBytes: 1_000_000 });
      const statuses = await expectDocumented(async () => {
        await documents.put(one, testCall());
        await documents.put(one, testCall());
        expect(await documents.delete((await documents.put(inUse, testCall())).key, 'x', testCall())).toBe('in-use');
        await documents.stat('00000000-0000-4000-8000-000000000000', testCall());
        await documents.open('00000000-0000-4000-8000-000000000000', testCall());
      });
      expect(statuses).toEqual(['POST 201', 'POST 400', 'GET 200', 'POST 201', 'DELETE 400', 'GET 404', 'GET 404']);
      exchanges.length = 0;
      await expect(wrong.put(one, testCall())).rejects.toMatchObject({ fault: 'unavailable' });
      const [refused] = exchanges;
      expect(check('/components/schemas/ValidatieFout', JSON.parse(refused?.text ?? ''))).toEqual([]);
    });

    it.each<[string, string, unknown]>([
      ['POST', '/lock', undefined],
      ['POST', '/lock', undefined],
      ['POST', '/unlock', { lock: 'x' }],
      ['PATCH', '', { titel: 'x' }],
      ['PATCH', '', { titel: 'x', lock: 'x' }],
      ['DELETE', '', undefined],
    ])('describes the answer to %s %s with a right, wrong or missing lock', async (method, action, body) => {
      const { key } = await adapter(1_000_000).put(newDocument(10), testCall());
      const authorization =
        (await zgwCredential(DOCUMENTS_ACCESS.clientId, DOCUMENTS_ACCESS.secret).authorization(
          AbortSignal.timeout(1_000),
        )) ?? '';
      const ask = async (verb: string, path: string, json?: unknown) => {
        const answer = await request(`${simulators.urls.documenten}/enkelvoudiginformatieobjecten/${key}${path}`, {
          method: verb as 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          ...(json !== undefined && { body: JSON.stringify(json) }),
        });
        const text = await answer.body.text();
        const reply = { status: answer.statusCode, headers: answer.headers, body: text && JSON.parse(text) };
        if (verb === 'DELETE' && reply.status === 400)
          expect(check('/components/schemas/ValidatieFout', reply.body)).toEqual([]);
        else expect(openApiFaults(document, verb, `/enkelvoudiginformatieobjecten/${key}${path}`, reply)).toEqual([]);
        return reply;
      };
      if (action !== '/lock') await ask('POST', '/lock');
      expect(await ask(method, action, body)).toMatchObject({ status: action === '/lock' ? 200 : 400 });
      if (action === '/lock') expect((await ask(method, action, body)).status).toBe(400);
    });

    it.each([
      ['no token', undefined],
      ['an invalid token', 'Bearer x'],
    ])('describes the refusal with 403 of a request with %s', async (_, authorization) => {
      const answer = await request(`${simulators.urls.documenten}/enkelvoudiginformatieobjecten`, {
        headers: authorization === undefined ? {} : { authorization },
      });
      const reply = { status: answer.statusCode, headers: answer.headers, body: await answer.body.json() };
      expect(reply.status).toBe(403);
      expect(openApiFaults(document, 'GET', '/enkelvoudiginformatieobjecten', reply)).toEqual([]);
    });
  },
);
