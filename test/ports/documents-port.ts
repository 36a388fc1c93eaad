/** The contract of the documents port, as tests that run against any adapter and its store. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpClient, type HttpClient } from '../../adapters/http/client.ts';
import { createS3Documents } from '../../adapters/s3/index.ts';
import { ClientDisconnected, DeadlinePassed, hasFailed } from '../../src/ports/call.ts';
import type { Documents, OpenDocument } from '../../src/ports/documents.ts';
import { testCall } from '../support/upstreams/call.ts';
import { hashOf, newDocument, readAll } from '../support/upstreams/document.ts';
import type { S3Access } from '../support/upstreams/s3.ts';

const MIB = 1024 * 1024;

export interface Place {
  readonly url: string;
  close(): Promise<void>;
}

export interface Adapter {
  start(): Promise<Place>;
  connect(url: string): { documents: Documents; http: Pick<HttpClient, 'close'> };
}

export const client = (url: string, more: Partial<Parameters<typeof createHttpClient>[0]> = {}): HttpClient =>
  createHttpClient({ upstream: 'documenten', url: new URL(url), headers: {}, calls: 8, downloads: 8, ...more });

/** Returns the S3 adapter on the bucket in this URL. */
export function connectS3(url: string, access: S3Access): ReturnType<Adapter['connect']> {
  const http = client(url);
  return { http, documents: createS3Documents(http, { ...access, url: new URL(url) }) };
}

export const opened = (found: OpenDocument | null): OpenDocument => {
  if (found === null) throw new Error('it is not there');
  return found;
};

/** Declares the tests of the documents port on an adapter. Call it within a `describe`. */
export function documentsPort(adapter: Adapter): void {
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

  it.each(['ZR-onbekend', 'a&identificatie=b', '%'])('find returns null for the unknown "%s"', async (name) => {
    await documents.put(newDocument(10), testCall());
    expect(await documents.find(name, testCall())).toBeNull();
  });

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
    expect(call.records).toMatchObject([{ upstream: 'documenten', attempts: 1 }]);
    expect(call.records.map(hasFailed)).toEqual([false]);
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
      const expected = { name: 'UpstreamError', upstream: 'documenten', fault: 'unavailable', undone: true };
      await expect(method(down.documents, testCall())).rejects.toMatchObject(expected);
      await down.http.close();
    });

    it('throws UpstreamError late after the deadline, and ClientDisconnected when the client has disconnected', async () => {
      const late = testCall(AbortSignal.abort(new DeadlinePassed('te laat')));
      await expect(method(documents, late)).rejects.toMatchObject({ name: 'UpstreamError', fault: 'late' });
      const gone = testCall(AbortSignal.abort(new ClientDisconnected('weg')));
      await expect(method(documents, gone)).rejects.toBeInstanceOf(ClientDisconnected);
    });
  });
}
