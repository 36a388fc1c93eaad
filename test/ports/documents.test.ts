import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDocuments } from '../../adapters/documents/index.ts';
import { createDocumentList } from '../../adapters/documents/list.ts';
import { zgwCredential } from '../../adapters/documents/token.ts';
import { createHttpClient, type HttpClient } from '../../adapters/http/client.ts';
import { createS3Documents } from '../../adapters/s3/index.ts';
import { createS3List, placeOf } from '../../adapters/s3/list.ts';
import { createMemoryDocuments } from '../../browser/documents.ts';
import { createSimulatedConnection } from '../../browser/simulated-connection.ts';
import { DOCUMENTS_ACCESS, type Simulators, startSimulators } from '../../simulator/index.ts';
import { createDirectory } from '../../simulator/people/directory.ts';
import { createWorlds } from '../../simulator/worlds/create-worlds.ts';
import { DEFAULT_SETTINGS } from '../../simulator/worlds/settings.ts';
import { createMemoryState } from '../../simulator/worlds/state-memory.ts';
import { ClientDisconnected, DeadlinePassed } from '../../src/ports/call.ts';
import type { Documents, OpenDocument } from '../../src/ports/documents.ts';
import type { DocumentList, ListedDocument } from '../../src/ports/inventory.ts';
import { testCall } from '../support/call.ts';
import { hashOf, newDocument, readAll } from '../support/document.ts';
import { startS3 } from '../support/s3.ts';
import { frozen, TODAY } from '../support/service.ts';
import { listenWith, type ScriptedServer } from '../support/upstream.ts';

const MIB = 1024 * 1024;

interface Place {
  readonly url: string;
  close(): Promise<void>;
}

interface Adapter {
  start(): Promise<Place>;
  connect(url: string): { documents: Documents; list?: DocumentList; http: Pick<HttpClient, 'close'> };
}

const simulated = (partsAboveBytes: number): Adapter => ({
  async start() {
    const simulators = await startSimulators(['documenten'], {
      directory: createDirectory(),
      clock: frozen(TODAY),
      port: 0,
      dataDir: ':memory:',
    });
    return { url: simulators.urls.documenten ?? '', close: simulators.close };
  },
  connect(url) {
    const credential = zgwCredential(DOCUMENTS_ACCESS.clientId, DOCUMENTS_ACCESS.secret);
    const http = client(url, { credential });
    const list = createDocumentList(http, DOCUMENTS_ACCESS);
    return { http, list, documents: createDocuments(http, { ...DOCUMENTS_ACCESS, partsAboveBytes }) };
  },
});

/** As `npm start` has it: nothing listens, and what is asked at port 1 is refused all the same. */
const inProcess = (partsAboveBytes: number): Adapter => {
  let simulators: Simulators;
  return {
    async start() {
      simulators = await startSimulators(['documenten'], {
        directory: createDirectory(),
        clock: frozen(TODAY),
        transport: 'in-process',
        port: 0,
        dataDir: ':memory:',
      });
      const refused = { id: 'f1', upstream: 'documenten', kind: 'refused' } as const;
      simulators.worlds.change('weigert', { ...DEFAULT_SETTINGS, faults: [refused] });
      return { url: simulators.urls.documenten ?? '', close: simulators.close };
    },
    connect(url) {
      const { pools } = simulators.accessIn(new URL(url).port === '1' ? 'weigert' : 'default');
      const credential = zgwCredential(DOCUMENTS_ACCESS.clientId, DOCUMENTS_ACCESS.secret);
      const http = client(url, { credential, ...(pools.documenten && { createPool: pools.documenten }) });
      return { http, documents: createDocuments(http, { ...DOCUMENTS_ACCESS, partsAboveBytes }) };
    },
  };
};

const access = { region: 'eu-west-1', accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCY' };

const client = (url: string, more: Partial<Parameters<typeof createHttpClient>[0]> = {}): HttpClient =>
  createHttpClient({ upstream: 'documenten', url: new URL(url), headers: {}, calls: 8, downloads: 8, ...more });

const s3 = (over: Partial<typeof access> = {}): Adapter => ({
  start: () => startS3(access),
  connect(url) {
    const all = { ...access, ...over };
    const place = placeOf(new URL(url));
    const [http, lister] = [client(url), client(place.bucket.href)];
    const close = async () => void (await Promise.all([http.close(), lister.close()]));
    const documents = createS3Documents(http, { ...all, url: new URL(url) });
    return { http: { close }, list: createS3List(lister, place, all), documents };
  },
});

/** The same adapter on a server that somebody else wrote. Its access key and secret are fixed. */
const s3rver: Adapter = {
  async start() {
    const directory = mkdtempSync(join(tmpdir(), 's3rver-'));
    const configureBuckets = [{ name: 'bucket' }];
    const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets });
    const { port } = await server.run();
    return {
      url: `http://127.0.0.1:${port}/bucket`,
      async close() {
        await server.close();
        rmSync(directory, { recursive: true });
      },
    };
  },
  connect: s3({ accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }).connect,
};

/** Documents in the memory of a browser page. Nothing listens on a port; port 1 stands for a store that refuses connections. */
const inMemory: Adapter = {
  start: async () => ({ url: 'http://127.0.0.1:2/', close: async () => undefined }),
  connect(url) {
    const refused = { id: 'f1', upstream: 'documenten', kind: 'refused' } as const;
    const faults = new URL(url).port === '1' ? [refused] : [];
    const state = createMemoryState({ ...DEFAULT_SETTINGS, faults });
    const worlds = createWorlds({ directory: createDirectory(), clock: frozen(TODAY), state });
    return {
      http: { close: async () => undefined },
      documents: createMemoryDocuments(createSimulatedConnection('documenten', worlds)),
    };
  },
};

const opened = (found: OpenDocument | null): OpenDocument => {
  if (found === null) throw new Error('it is not there');
  return found;
};

/** The contract of the port, run against each adapter. */
describe.each<[string, Adapter]>([
  ['the Documenten API, in one JSON body', simulated(100 * MIB)],
  ['the Documenten API, in parts of 4 MiB', simulated(0)],
  ['the Documenten API in this process, in one JSON text', inProcess(100 * MIB)],
  ['the Documenten API in this process, in parts of 4 MiB', inProcess(0)],
  ['S3', s3()],
  ['S3, on s3rver', s3rver],
  ['memory of a browser page', inMemory],
])('the documents port on %s', (_, adapter) => {
  let place: Place;
  let documents: Documents;
  let http: Pick<HttpClient, 'close'>;
  beforeAll(async () => {
    place = await adapter.start();
    ({ documents, http } = adapter.connect(place.url));
  });
  afterAll(async () => {
    await http.close();
    await place.close();
  });

  const contentOf = async (key: string): Promise<Buffer> =>
    readAll(opened(await documents.open(key, testCall())).bytes);

  it.each([
    [1, 65_536],
    [2, 65_536],
    [3, 65_536],
    [4, 1],
    [65_535, 65_536],
    [65_536, 65_536],
    [65_537, 65_536],
    [3 * 65_536, 65_536],
    [3 * 65_536 + 2, 10_007],
    [4 * MIB, 65_536],
    [9 * MIB + 1, 65_536],
  ])('returns %i bytes unchanged that were stored in pieces of %i', async (size, piece) => {
    const document = newDocument(size, {}, piece);
    const stored = await documents.put(document, testCall());
    expect(stored).toMatchObject({ omvang: size, sha256: document.sha256 });
    expect(await documents.stat(stored.key, testCall())).toEqual(stored);
    expect(await documents.find(document.identificatie, testCall())).toEqual(stored);
    const { omvang, bytes } = opened(await documents.open(stored.key, testCall()));
    const content = await readAll(bytes);
    expect([omvang, content.length, hashOf(content)]).toEqual([size, size, document.sha256]);
  });

  it('stores a document once when it is put twice', async () => {
    const document = newDocument(70_000);
    const first = await documents.put(document, testCall());
    expect(await documents.put(document, testCall())).toEqual(first);
    expect(await documents.delete(first.key, 'opgeruimd', testCall())).toBe('deleted');
    expect(await documents.find(document.identificatie, testCall())).toBeNull();
  });

  it('returns null for a deleted document, and stores it again', async () => {
    const document = newDocument(10);
    const { key } = await documents.put(document, testCall());
    await documents.delete(key, 'opgeruimd', testCall());
    expect(await documents.stat(key, testCall())).toBeNull();
    expect(await documents.open(key, testCall())).toBeNull();
    expect(['absent', 'deleted']).toContain(await documents.delete(key, 'opgeruimd', testCall()));
    expect(hashOf(await contentOf((await documents.put(document, testCall())).key))).toBe(document.sha256);
  });

  it.each([
    ['unknown', () => '00000000-0000-4000-8000-000000000000'],
    ['a path upwards', (key: string) => `../enkelvoudiginformatieobjecten/${key}`],
    ['a path upwards, escaped', (key: string) => `%2e%2e/bucket/${key}`],
    ['a path', (key: string) => `a/${key}`],
    ['two dots', () => '..'],
    ['a query', (key: string) => `${key}?versie=1`],
    ['a fragment', (key: string) => `${key}#1`],
    ['characters with a meaning in URLs', () => "a+b c&d=é'()*!;:@$,\\"],
    ['half a surrogate pair', () => 'x\ud800'],
  ])('returns null for the invalid key %s, and does not delete another document', async (__, keyOf) => {
    const { key } = await documents.put(newDocument(10), testCall());
    const other = keyOf(key);
    expect(await documents.stat(other, testCall())).toBeNull();
    expect(await documents.open(other, testCall())).toBeNull();
    expect(['absent', 'deleted']).toContain(await documents.delete(other, 'opgeruimd', testCall()));
    expect(await documents.stat(key, testCall())).not.toBeNull();
  });

  it.each(['ZR-onbekend', 'a&identificatie=b', '%'])(
    'find returns null for the unknown identificatie "%s"',
    async (name) => {
      await documents.put(newDocument(10), testCall());
      expect(await documents.find(name, testCall())).toBeNull();
    },
  );

  it('serves a document after twelve readers stopped half-way', async () => {
    const document = newDocument(MIB);
    const { key } = await documents.put(document, testCall());
    for (let n = 0; n < 12; n += 1) {
      const { bytes } = opened(await documents.open(key, testCall()));
      for await (const chunk of bytes) {
        expect(chunk.length).toBeGreaterThan(0);
        break;
      }
      bytes.destroy();
    }
    expect(hashOf(await contentOf(key))).toBe(document.sha256);
  });

  it('buffers less than 1 MiB of a document for a slow reader', async () => {
    const document = newDocument(4 * MIB);
    const { key } = await documents.put(document, testCall());
    const { bytes } = opened(await documents.open(key, testCall()));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(bytes.readableLength).toBeLessThan(MIB);
    expect(hashOf(await readAll(bytes))).toBe(document.sha256);
  });

  it('records each call once, as a call of the upstream documenten', async () => {
    const call = testCall();
    await documents.find('ZR-onbekend', call);
    expect(call.records).toMatchObject([{ upstream: 'documenten', outcome: 200, attempts: 1 }]);
  });

  describe.each<[string, (on: Documents, call: ReturnType<typeof testCall>) => Promise<unknown>]>([
    ['put', (on, call) => on.put(newDocument(10), call)],
    ['find', (on, call) => on.find('ZR-1', call)],
    ['stat', (on, call) => on.stat('00000000-0000-4000-8000-000000000000', call)],
    ['open', (on, call) => on.open('00000000-0000-4000-8000-000000000000', call)],
    ['delete', (on, call) => on.delete('00000000-0000-4000-8000-000000000000', 'opgeruimd', call)],
  ])('%s', (__, method) => {
    it('throws UpstreamError unavailable with undone: true when the store refuses connections', async () => {
      const down = adapter.connect(`http://127.0.0.1:1${new URL(place.url).pathname}`);
      await expect(method(down.documents, testCall())).rejects.toMatchObject({
        name: 'UpstreamError',
        upstream: 'documenten',
        fault: 'unavailable',
        undone: true,
      });
      await down.http.close();
    });

    it('throws UpstreamError late after the deadline, and ClientDisconnected when the client has disconnected', async () => {
      const late = testCall(AbortSignal.abort(new DeadlinePassed('te laat')));
      await expect(method(documents, late)).rejects.toMatchObject({ name: 'UpstreamError', fault: 'late' });
      const gone = testCall(AbortSignal.abort(new ClientDisconnected('weg')));
      await expect(method(documents, gone)).rejects.toBeInstanceOf(ClientDisconnected);
    });
  });
});

describe.each<[string, Adapter, number, string]>([
  // A page has a hundred documents.
  ['the Documenten API', simulated(100 * MIB), 101, ''],
  ['S3', s3(), 5, ''],
  ['S3, below a prefix', s3(), 5, "/map's/r&d/\u{e9}"],
  ['S3, on s3rver', s3rver, 5, ''],
  ['S3, on s3rver, below a prefix', s3rver, 5, '/map/2'],
])('the list of documents in %s', (_, adapter, count, prefix) => {
  it('has every document once, with the key that finds it, and nothing of others', async () => {
    const place = await adapter.start();
    const { documents, list, http } = adapter.connect(place.url + prefix);
    const elsewhere = adapter.connect(place.url);
    await elsewhere.documents.put(newDocument(1, { identificatie: 'other' }), testCall());
    if (prefix !== '') await elsewhere.documents.put(newDocument(1), testCall());
    const stored = new Map<string, string>();
    for (let n = 0; n < count; n += 1) {
      const document = newDocument(1);
      stored.set(document.identificatie, (await documents.put(document, testCall())).key);
    }
    const listed: ListedDocument[] = [];
    for await (const page of list?.pages(() => testCall()) ?? []) listed.push(...page);
    expect(listed).toHaveLength(count);
    expect(new Map(listed.map(({ identificatie, key }) => [identificatie, key]))).toEqual(stored);
    expect(listed.map(({ since }) => Date.parse(since ?? '')).filter(Number.isNaN)).toEqual([]);
    await Promise.all([http.close(), elsewhere.http.close()]);
    await place.close();
  });
});

describe('the S3 adapter', () => {
  it.each([
    ['the secret', { secretAccessKey: 'x' }],
    ['the access key id', { accessKeyId: 'x' }],
    ['the region', { region: 'us-east-1' }],
  ])('throws UpstreamError unavailable when %s is wrong', async (_, wrong) => {
    const place = await s3().start();
    const { documents, http } = s3(wrong).connect(place.url);
    await expect(documents.put(newDocument(3), testCall())).rejects.toMatchObject({ fault: 'unavailable' });
    await expect(documents.stat('x', testCall())).rejects.toMatchObject({ fault: 'unavailable', undone: true });
    await http.close();
    await place.close();
  });

  it('throws UpstreamError unavailable when s3rver does not know the access key id', async () => {
    const place = await s3rver.start();
    const { documents, http } = s3({ accessKeyId: 'x', secretAccessKey: 'S3RVER' }).connect(place.url);
    await expect(documents.stat('x', testCall())).rejects.toMatchObject({ fault: 'unavailable', undone: true });
    await http.close();
    await place.close();
  });

  it('throws UpstreamError unavailable when the bytes differ from the signed hash', async () => {
    const place = await s3().start();
    const { documents, http } = s3().connect(place.url);
    const document = newDocument(3, { sha256: hashOf(Buffer.from('abc')) });
    await expect(documents.put(document, testCall())).rejects.toMatchObject({ fault: 'unavailable' });
    await http.close();
    await place.close();
  });

  it.each([
    ['../x', '%2E%2E%2Fx'],
    ['..', '%2E%2E'],
    ['a/b', 'a%2Fb'],
    ['%2e%2e', '%252e%252e'],
  ])('sends the key %s as one path segment', async (key, segment) => {
    const place = await startS3(access);
    const { documents, http } = s3().connect(place.url);
    await documents.stat(key, testCall());
    expect(place.paths).toEqual([`/bucket/${segment.replace('%2E%2E%2F', '..%2F')}`]);
    await http.close();
    await place.close();
  });

  const withScript = async (
    answer: ScriptedServer['answer'],
    work: (on: Documents, server: ScriptedServer) => unknown,
  ) => {
    const server = await listenWith(answer);
    const { documents, http } = s3().connect(`${server.url}/bucket`);
    await work(documents, server);
    await http.close();
    await server.close();
  };

  it.each<[string, Record<string, string | number>, string, string]>([
    [
      'keeps the document after an empty text/html with its length',
      { 'content-type': 'text/html', 'content-length': 0 },
      '',
      'kept',
    ],
    [
      'keeps the document after an empty text/html without a length',
      { 'content-type': 'text/html; charset=UTF-8' },
      '',
      'kept',
    ],
    [
      'throws UpstreamError unreadable after an HTML page with its length',
      { 'content-type': 'text/html', 'content-length': 5 },
      '<p>x<',
      'unreadable',
    ],
    [
      'throws UpstreamError unreadable after an HTML page without a length',
      { 'content-type': 'text/html' },
      '<p>x',
      'unreadable',
    ],
  ])('%s in the answer to a PUT', (_, headers, text, expected) =>
    withScript(
      ({ method }, response) => {
        if (method === 'HEAD') response.writeHead(200, { 'content-length': 5 }).end();
        else response.writeHead(201, headers).end(text);
      },
      async (documents) => {
        const stored = documents.put(newDocument(5), testCall());
        if (expected === 'kept') expect(await stored).toMatchObject({ omvang: 5 });
        else await expect(stored).rejects.toMatchObject({ name: 'UpstreamError', fault: expected });
      },
    ),
  );

  it('sends the exact length, the type and the SHA-256 of a document, without chunked encoding', () =>
    withScript(
      ({ method }, response) => response.writeHead(200, { 'content-length': method === 'HEAD' ? 5 : 0 }).end(),
      async (documents, { seen }) => {
        const document = newDocument(5);
        await documents.put(document, testCall());
        expect(seen.map(({ method }) => method)).toEqual(['PUT', 'HEAD']);
        expect(seen[0]?.headers).toMatchObject({
          'content-length': '5',
          'content-type': 'application/pdf',
          'x-amz-content-sha256': document.sha256,
          'x-amz-meta-sha256': document.sha256,
        });
        expect(seen[0]?.headers['transfer-encoding']).toBeUndefined();
      },
    ));

  it.each<[string, string, string | readonly string[]]>([
    [
      'reads a key with XML entities and white space between the elements',
      '<?xml version="1.0"?>\n<ListBucketResult>\n <Contents>\n  <Key>ZR-a&amp;b&#45;1</Key>\n </Contents>\n</ListBucketResult>',
      ['ZR-a&b-1'],
    ],
    ['finds nothing in an empty list', '<ListBucketResult/>', []],
    ['refuses an XML document of another kind', '<Error><Code>NoSuchBucket</Code></Error>', 'not a list of objects'],
    ['refuses a page that is cut off', '<ListBucketResult><Contents><Key>ZR-a</Key>', 'not XML'],
    ['refuses a text that is not XML', '{"objects": []}', 'not XML'],
    [
      'refuses a page that says that there is more, and has nothing',
      '<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>',
      'a page without an end',
    ],
  ])('%s in a list of documents', async (_, xml, expected) => {
    const server = await listenWith((__, response) =>
      response.writeHead(200, { 'content-type': 'application/xml' }).end(xml),
    );
    const { list, http } = s3().connect(`${server.url}/bucket`);
    const found = (async () => {
      const names: string[] = [];
      for await (const page of list?.pages(testCall) ?? [])
        names.push(...page.map(({ identificatie }) => identificatie));
      return names;
    })();
    if (typeof expected === 'string') await expect(found).rejects.toThrow(expected);
    else expect(await found).toEqual(expected);
    await http.close();
    await server.close();
  });

  it('returns sha256: null when the store has no hash', () =>
    withScript(
      (_, response) => response.writeHead(200, { 'content-length': 5 }).end(),
      async (documents) => {
        expect(await documents.stat('x', testCall())).toEqual({ key: 'x', omvang: 5, sha256: null });
      },
    ));

  it('throws UpstreamError unreadable when the store answers 200 to PUT and 404 to HEAD', () =>
    withScript(
      ({ method }, response) => response.writeHead(method === 'PUT' ? 200 : 404).end(),
      async (documents) => {
        await expect(documents.put(newDocument(5), testCall())).rejects.toMatchObject({
          fault: 'unreadable',
          undone: false,
        });
      },
    ));

  it('sends a document once and repeats a read once when the store answers 503', () =>
    withScript(
      (_, response) => response.writeHead(503).end(),
      async (documents, { seen }) => {
        await expect(documents.put(newDocument(5), testCall())).rejects.toMatchObject({ fault: 'unavailable' });
        expect(seen).toHaveLength(1);
        await expect(documents.stat('x', testCall())).rejects.toMatchObject({ fault: 'unavailable' });
        expect(seen).toHaveLength(3);
      },
    ));

  it('repeats a DELETE once when the store answers 503', () =>
    withScript(
      (_, response) => response.writeHead(503).end(),
      async (documents, { seen }) => {
        await expect(documents.delete('x', 'opgeruimd', testCall())).rejects.toMatchObject({ fault: 'unavailable' });
        expect(seen.map(({ method }) => method)).toEqual(['DELETE', 'DELETE']);
      },
    ));

  it('fails while reading when the connection is closed half-way', () =>
    withScript(
      (_, response) => {
        response.writeHead(200, { 'content-length': 10 });
        response.write('vijf!', () => response.destroy());
      },
      async (documents) => {
        const { bytes } = opened(await documents.open('x', testCall()));
        await expect(readAll(bytes)).rejects.toThrow();
      },
    ));
});
