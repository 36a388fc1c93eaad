import { readFileSync } from 'node:fs';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createDocuments } from '../../adapters/documents/index.ts';
import { zgwCredential } from '../../adapters/documents/token.ts';
import { createHttpClient, type HttpClient } from '../../adapters/http/client.ts';
import type { Simulators } from '../../simulator/index.ts';
import { DOCUMENTS_ACCESS } from '../../simulator/upstreams/documenten/access.ts';
import type { Documents } from '../../src/ports/documents.ts';
import { createValidator, openApiFaults } from '../support/openapi.ts';
import { startTestSimulators } from '../support/service.ts';
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
      simulators = await startTestSimulators(['documenten']);
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

    const adapter = (): Documents => createDocuments(http, DOCUMENTS_ACCESS);
    const pathOf = ({ url }: ReceivedRequest): string => url.replace('/documenten/api/v1', '');

    // The only request with a body creates a document.
    const CREATE = '/components/schemas/EnkelvoudigInformatieObjectCreateLockRequest';

    /** Runs `work` and checks each of its requests and responses against the document. Returns the method and status of each. */
    async function expectDocumented(work: () => Promise<unknown>): Promise<string[]> {
      exchanges.length = 0;
      await work();
      for (const { asked, status, headers, text } of exchanges) {
        const isJson = String(asked.headers['content-type']).startsWith('application/json');
        if (isJson) expect(check(CREATE, JSON.parse(asked.body))).toEqual([]);
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
      expect(check(CREATE, example)).toEqual([]);
      expect(check(CREATE, { ...example, titel: undefined })).not.toEqual([]);
      expect(check(CREATE, { ...example, status: 'af' })).not.toEqual([]);
      expect(check(CREATE, { ...example, integriteit: { algoritme: 'sha_256' } })).not.toEqual([]);
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
      const documents = adapter();
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
      expect(await expectDocumented(() => adapter().put(one, testCall()))).toEqual(['POST 201']);
    });

    it('describes refusals: a duplicate, a document in use, an unknown document and an invalid one', async () => {
      const documents = adapter();
      const one = newDocument(10);
      const inUse = newDocument(10, { bestandsnaam: 'sim-in-gebruik.pdf' });
      const wrong = createDocuments(http, { rsin: '1', informatieobjecttype: 'x' });
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
