import { describe, expect, it } from 'vitest';
import { createDocuments } from '../../adapters/documents/index.ts';
import { zgwCredential } from '../../adapters/documents/token.ts';
import { createMemoryDocuments } from '../../browser/documents.ts';
import { createSimulatedConnection } from '../../browser/simulated-connection.ts';
import type { Simulators } from '../../simulator/index.ts';
import { createDirectory } from '../../simulator/people/directory.ts';
import { DOCUMENTS_ACCESS } from '../../simulator/upstreams/documenten/access.ts';
import { createWorlds } from '../../simulator/worlds/index.ts';
import { DEFAULT_SETTINGS } from '../../simulator/worlds/settings.ts';
import { createMemoryState } from '../../simulator/worlds/state-memory.ts';
import { frozenClock, keep, startTestSimulators, TODAY } from '../support/service.ts';
import { testCall } from '../support/upstreams/call.ts';
import { hashOf, newDocument, readAll } from '../support/upstreams/document.ts';
import { startS3 } from '../support/upstreams/s3.ts';
import { type ScriptedServer, startScriptedServer } from '../support/upstreams/scripted-server.ts';
import { type Adapter, client, connectS3, documentsPort, opened } from './documents-port.ts';

const simulated: Adapter = {
  async start() {
    const simulators = await startTestSimulators(['documenten']);
    return { url: simulators.urls.documenten ?? '', close: simulators.close };
  },
  connect(url) {
    const credential = zgwCredential(DOCUMENTS_ACCESS.clientId, DOCUMENTS_ACCESS.secret);
    const http = client(url, { credential });
    return { http, documents: createDocuments(http, DOCUMENTS_ACCESS) };
  },
};

/**
 * The simulated document store in this process, as with `npm start`. Port 1 stands for a store that refuses
 * connections.
 */
const inProcess = (): Adapter => {
  let simulators: Simulators;
  return {
    async start() {
      simulators = await startTestSimulators(['documenten'], { transport: 'in-process' });
      const refused = { id: 'f1', upstream: 'documenten', kind: 'refused' } as const;
      simulators.worlds.changeSettings('weigert', { ...DEFAULT_SETTINGS, faults: [refused] });
      return { url: simulators.urls.documenten ?? '', close: simulators.close };
    },
    connect(url) {
      const { pools } = simulators.accessIn(new URL(url).port === '1' ? 'weigert' : 'default');
      const credential = zgwCredential(DOCUMENTS_ACCESS.clientId, DOCUMENTS_ACCESS.secret);
      const http = client(url, { credential, ...(pools.documenten && { createPool: pools.documenten }) });
      return { http, documents: createDocuments(http, DOCUMENTS_ACCESS) };
    },
  };
};

const access = { region: 'eu-west-1', accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCY' };

const s3 = (over: Partial<typeof access> = {}): Adapter => ({
  start: () => startS3(access),
  connect: (url) => connectS3(url, { ...access, ...over }),
});

/** Documents in the memory of a browser page. Nothing listens on a port; port 1 stands for a store that refuses connections. */
const inMemory: Adapter = {
  start: async () => ({ url: 'http://127.0.0.1:2/', close: async () => undefined }),
  connect(url) {
    const refused = { id: 'f1', upstream: 'documenten', kind: 'refused' } as const;
    const faults = new URL(url).port === '1' ? [refused] : [];
    const state = createMemoryState({ ...DEFAULT_SETTINGS, faults });
    const worlds = createWorlds({ directory: createDirectory(), clock: frozenClock(TODAY), state });
    return {
      http: { close: async () => undefined },
      documents: createMemoryDocuments(createSimulatedConnection('documenten', worlds)),
    };
  },
};

describe.each<[string, Adapter]>([
  ['the Documenten API', simulated],
  ['the Documenten API in this process', inProcess()],
  ['S3', s3()],
  ['S3, below a prefix', { ...s3(), connect: (url) => s3().connect(`${url}/map's/r&d/\u{e9}`) }],
  ['memory of a browser page', inMemory],
])('the documents port on %s', (_, adapter) => documentsPort(adapter));

describe('the S3 adapter', () => {
  it.each([
    ['the secret', { secretAccessKey: 'x' }],
    ['the access key id', { accessKeyId: 'x' }],
    ['the region', { region: 'us-east-1' }],
  ])('throws UpstreamError unavailable when %s is wrong', async (_, wrong) => {
    const place = keep(await s3().start());
    const { documents, http } = s3(wrong).connect(place.url);
    await expect(documents.put(newDocument(3), testCall())).rejects.toMatchObject({ fault: 'unavailable' });
    await expect(documents.stat('x', testCall())).rejects.toMatchObject({ fault: 'unavailable', undone: true });
    await http.close();
  });

  it('throws UpstreamError unavailable when the bytes differ from the signed hash', async () => {
    const place = keep(await s3().start());
    const { documents, http } = s3().connect(place.url);
    const document = newDocument(3, { sha256: hashOf(Buffer.from('abc')) });
    await expect(documents.put(document, testCall())).rejects.toMatchObject({ fault: 'unavailable' });
    await http.close();
  });

  it.each([
    ['../x', '%2E%2E%2Fx'],
    ['..', '%2E%2E'],
    ['a/b', 'a%2Fb'],
    ['%2e%2e', '%252e%252e'],
  ])('sends the key %s as one path segment', async (key, segment) => {
    const place = keep(await startS3(access));
    const { documents, http } = s3().connect(place.url);
    await documents.stat(key, testCall());
    expect(place.paths).toEqual([`/bucket/${segment.replace('%2E%2E%2F', '..%2F')}`]);
    await http.close();
  });

  /** Connects the adapter to a store with these answers. */
  const scripted = async (answer: ScriptedServer['answer']) => {
    const { url, received } = keep(await startScriptedServer(answer));
    const { documents, http } = s3().connect(`${url}/bucket`);
    keep(http);
    return { documents, received };
  };

  it.each<[string, Record<string, string | number>, string, string]>([
    ['keeps it after an empty text/html with length', { 'content-type': 'text/html', 'content-length': 0 }, '', 'kept'],
    ['keeps it after an empty text/html without a length', { 'content-type': 'text/html; charset=UTF-8' }, '', 'kept'],
    ['throws after HTML with its length', { 'content-type': 'text/html', 'content-length': 5 }, '<p>x<', 'unreadable'],
    ['throws after an HTML page without a length', { 'content-type': 'text/html' }, '<p>x', 'unreadable'],
  ])('%s in the answer to a PUT', async (_, headers, text, expected) => {
    const { documents } = await scripted(({ method }, response) => {
      if (method === 'HEAD') response.writeHead(200, { 'content-length': 5 }).end();
      else response.writeHead(201, headers).end(text);
    });

    const stored = documents.put(newDocument(5), testCall());
    if (expected === 'kept') expect(await stored).toMatchObject({ omvang: 5 });
    else await expect(stored).rejects.toMatchObject({ name: 'UpstreamError', fault: expected });
  });

  /**
   * Answers about a bucket in another region, a bucket that does not exist, and a store that needs the bucket in the
   * host name.
   */
  it.each<[string, number, Record<string, string>, string, string, string?]>([
    ['AuthorizationHeaderMalformed', 400, {}, 'unavailable', 'status 400: AuthorizationHeaderMalformed'],
    [
      'PermanentRedirect',
      301,
      { location: 'https://elsewhere.example/', 'x-amz-bucket-region': 'eu-west-1' },
      'unreadable',
      'status 301: PermanentRedirect, the bucket is in region eu-west-1',
    ],
    ['NoSuchBucket', 404, {}, 'unavailable', 'status 404: NoSuchBucket'],
    ['NoSuchBucket in a namespace', 404, {}, 'unavailable', 'status 404: NoSuchBucket', ' xmlns="urn:s3"'],
    ['MethodNotAllowed', 405, {}, 'unavailable', 'status 405: MethodNotAllowed'],
  ])(
    'throws UpstreamError with the code when the store refuses with %s',
    async (name, status, headers, fault, why, xmlns = '') => {
      const [code] = name.split(' ');
      const { documents } = await scripted((_, response) =>
        response
          .writeHead(status, { 'content-type': 'application/xml', ...headers })
          .end(
            `\ufeff<?xml version="1.0"?>\n<Error${xmlns}><Code>${code}</Code><Message>AKID of Jan</Message></Error>`,
          ),
      );

      for (const work of [
        () => documents.put(newDocument(5), testCall()),
        () => documents.open('x', testCall()),
        () => documents.delete('x', 'opgeruimd', testCall()),
      ])
        await expect(work()).rejects.toMatchObject({ fault, message: `documenten ${fault}: ${why}` });
    },
  );

  it('throws UpstreamError unreadable when a gateway answers HEAD with its login page', async () => {
    const { documents } = await scripted((_, r) => r.writeHead(200, { 'content-type': 'text/html' }).end());

    await expect(documents.find('x', testCall())).rejects.toMatchObject({ fault: 'unreadable' });
  });

  it('sends the exact length, the type and the SHA-256 of a document, without chunked encoding', async () => {
    const { documents, received: seen } = await scripted(({ method }, response) =>
      response.writeHead(200, { 'content-length': method === 'HEAD' ? 5 : 0 }).end(),
    );

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
  });

  it('returns sha256: null when the store has no hash', async () => {
    const { documents } = await scripted((_, response) => response.writeHead(200, { 'content-length': 5 }).end());

    expect(await documents.stat('x', testCall())).toEqual({ key: 'x', omvang: 5, sha256: null });
  });

  it('throws UpstreamError unreadable when the store answers a HEAD without Content-Length', async () => {
    const { documents } = await scripted((_, response) => response.writeHead(200).end());

    await expect(documents.stat('x', testCall())).rejects.toMatchObject({ fault: 'unreadable' });
  });

  it('throws UpstreamError unreadable when the store answers 200 to PUT and 404 to HEAD', async () => {
    const { documents } = await scripted(({ method }, r) => r.writeHead(method === 'PUT' ? 200 : 404).end());

    await expect(documents.put(newDocument(5), testCall())).rejects.toMatchObject({
      fault: 'unreadable',
      undone: false,
    });
  });

  it('sends a document once and repeats a read once when the store answers 503', async () => {
    const { documents, received: seen } = await scripted((_, response) => response.writeHead(503).end());

    await expect(documents.put(newDocument(5), testCall())).rejects.toMatchObject({ fault: 'unavailable' });
    expect(seen).toHaveLength(1);
    await expect(documents.stat('x', testCall())).rejects.toMatchObject({ fault: 'unavailable' });
    expect(seen).toHaveLength(3);
  });

  it('repeats a DELETE once when the store answers 503', async () => {
    const { documents, received: seen } = await scripted((_, response) => response.writeHead(503).end());

    await expect(documents.delete('x', 'opgeruimd', testCall())).rejects.toMatchObject({ fault: 'unavailable' });
    expect(seen.map(({ method }) => method)).toEqual(['DELETE', 'DELETE']);
  });

  it('fails while reading when the connection is closed half-way', async () => {
    const { documents } = await scripted((_, response) => {
      response.writeHead(200, { 'content-length': 10 });
      response.write('vijf!', () => response.destroy());
    });

    const { bytes } = opened(await documents.open('x', testCall()));
    await expect(readAll(bytes)).rejects.toThrow();
  });
});
