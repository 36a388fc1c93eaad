import aws4 from 'aws4';
import { type Call, UpstreamError } from '../../src/ports/call.ts';
import type { Documents, StoredDocument } from '../../src/ports/documents.ts';
import type { DocumentList } from '../../src/ports/inventory.ts';
import { toOpenDocument } from '../http/body.ts';
import type { HttpClient } from '../http/client.ts';
import { pathSegment, type ResponseHeaders, unexpectedStatus } from '../http/request.ts';

export interface S3Access {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface S3Options extends S3Access {
  /** `https://<host>/<bucket>`, optionally with a prefix. Must equal the URL of the HTTP client. */
  readonly url: URL;
}

// The store keeps this header with the document.
const SHA256 = 'x-amz-meta-sha256';

/**
 * The S3 protocol with path-style URLs. A document's key is its `identificatie`, so that a retry overwrites it with the
 * same bytes. `delete` ignores the reason and never returns `in-use`.
 */
export function createS3Documents(http: HttpClient, { url, ...access }: S3Options): Documents {
  const sign = signer(url, access);
  const signed = (
    method: 'GET' | 'HEAD' | 'PUT' | 'DELETE',
    key: string,
    sha256?: string,
    headers?: Record<string, string>,
  ) => {
    const path = `/${pathSegment(key)}`;
    return { method, operation: method, path, headers: sign(method, path, sha256, headers) };
  };

  async function stat(key: string, call: Call): Promise<StoredDocument | null> {
    const found = await http.open({ ...signed('HEAD', key), retry: true, otherwise: whenAbsent(null) }, call);
    found?.bytes.resume();
    return found && toStored(key, found.headers);
  }

  return {
    async put({ identificatie, formaat, omvang, sha256, bytes }, call) {
      const content = {
        type: formaat,
        length: omvang,
        async *bytes() {
          for await (const piece of bytes()) yield Buffer.from(piece);
        },
      };
      const request = signed('PUT', identificatie, sha256, { 'content-type': formaat, [SHA256]: sha256 });
      const put = await http.open<never>(
        { ...request, content, headersTimeout: 'documentHeaders', otherwise: throwWithCode },
        call,
      );
      put.bytes.resume();
      const stored = await stat(identificatie, call);
      if (stored !== null) return stored;
      throw unreadable('not found after a successful put');
    },

    find: stat,
    stat,

    async open(key, call) {
      const opened = await http.open({ ...signed('GET', key), retry: true, otherwise: whenAbsent(null) }, call);
      return opened && toOpenDocument(opened);
    },

    async delete(key, _reason, call) {
      const gone: Otherwise<'deleted' | 'absent'> = (status, json, headers) =>
        status === 204 ? 'deleted' : whenAbsent('absent' as const)(status, json, headers);
      const deleted = await http.open({ ...signed('DELETE', key), retry: true, otherwise: gone }, call);
      if (typeof deleted === 'string') return deleted;
      deleted.bytes.resume();
      return 'deleted';
    },
  };
}

type Otherwise<Other> = (status: number, json: unknown, headers: ResponseHeaders) => Other | undefined;

// Gives `value` for an object that does not exist. When the bucket itself is absent, and for any other status, the call
// fails.
const whenAbsent =
  <Other>(value: Other): Otherwise<Other> =>
  (status, json, headers) =>
    status === 404 && codeOf(json) !== 'NoSuchBucket' ? value : throwWithCode(status, json, headers);

// For the log: the error code of S3 and, when the store sends it, the region of the bucket.
const throwWithCode: Otherwise<never> = (status, json, headers) => {
  const region = headers['x-amz-bucket-region'];
  const isNamed = status >= 300 && typeof region === 'string' && /^[\w-]{1,64}$/.test(region);
  const said = [codeOf(json), isNamed && `the bucket is in region ${region}`].filter(Boolean);
  throw unexpectedStatus('documenten', status, headers, said.join(', '));
};

function codeOf(json: unknown): string | null {
  const { code } = (json ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^[A-Za-z]{1,64}$/.test(code) ? code : null;
}

function toStored(key: string, headers: ResponseHeaders): StoredDocument {
  const length = String(headers['content-length']);
  if (!/^\d+$/.test(length)) throw unreadable('HEAD without a content length');
  return { key, omvang: Number(length), sha256: typeof headers[SHA256] === 'string' ? headers[SHA256] : null };
}

/** The URL of the bucket, and the prefix of all names of documents in it. */
export interface S3Location {
  readonly bucket: URL;
  readonly prefix: string;
}

export function s3LocationOf(url: URL): S3Location {
  const [, bucket = '', ...rest] = url.pathname.replace(/\/$/, '').split('/');
  const prefix = rest.map((segment) => `${decodeURIComponent(segment)}/`).join('');
  return { bucket: new URL(`/${bucket}`, url), prefix };
}

// In characters.
const MAX_PAGE = 4 * 1024 * 1024;

/**
 * Lists the documents of this service (names that start with `ZR-`; ListObjectsV2). Each page is requested when the
 * iteration reaches it.
 *
 * @param http - a client of the bucket itself, without the prefix
 */
export function createS3List(http: HttpClient, { bucket, prefix }: S3Location, access: S3Access): DocumentList {
  const sign = signer(bucket, access);
  return {
    async *pages(newCall) {
      let last = '';
      for (;;) {
        const query = new URLSearchParams({
          'list-type': '2',
          prefix: `${prefix}ZR-`,
          ...(last && { 'start-after': last }),
        });
        const path = `?${query}`;
        const request = {
          method: 'GET',
          path,
          headers: sign('GET', path),
          retry: true,
          headersTimeout: 'listHeaders',
        } as const;
        const { objects, isTruncated } = await pageOf(await textOf((await http.open(request, newCall())).bytes));
        // Other objects may be of another owner of the bucket: a store or gateway that ignores `prefix` sends them too.
        yield objects.flatMap(({ Key = '', LastModified }) => {
          if (!Key.startsWith(`${prefix}ZR-`)) return [];
          const key = Key.slice(prefix.length);
          return [{ identificatie: key, key, since: LastModified ?? null }];
        });
        if (!isTruncated) return;
        if (objects.length === 0) throw unreadable('a page without an end');
        for (const { Key = '' } of objects) {
          // In another order `start-after` leaves objects out, or never comes to an end.
          if (Key <= last) throw unreadable('a page that is not in order');
          last = Key;
        }
      }
    },
  };
}

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of bytes) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_PAGE) throw unreadable('a list that is too long');
  }
  return text;
}

interface ListedObject {
  Key?: string;
  LastModified?: string;
}

// Maximum depth of elements within each other; those that are used are at most three deep.
const MAX_DEPTH = 16;

async function pageOf(xml: string): Promise<{ objects: readonly ListedObject[]; isTruncated: boolean }> {
  // Loaded here, because only a comparison of the stores reads XML.
  const { SaxesParser } = await import('saxes');
  const parser = new SaxesParser();
  const objects: ListedObject[] = [];
  const names: string[] = [];
  let isTruncated = false;
  parser.on('opentag', ({ name }) => {
    names.push(name);
    if (names[0] !== 'ListBucketResult' || names.length > MAX_DEPTH) throw unreadable('not a list of objects');
    if (names.join('/') === 'ListBucketResult/Contents') objects.push({});
  });
  parser.on('closetag', () => void names.pop());
  parser.on('text', (text) => {
    const object = objects.at(-1) ?? {};
    const path = names.join('/');
    if (path === 'ListBucketResult/IsTruncated') isTruncated = text === 'true';
    if (path === 'ListBucketResult/Contents/Key') object.Key = (object.Key ?? '') + text;
    if (path === 'ListBucketResult/Contents/LastModified') object.LastModified = text;
  });
  try {
    parser.write(xml).close();
  } catch (error) {
    throw error instanceof UpstreamError ? error : unreadable('not XML');
  }
  return { objects, isTruncated };
}

const unreadable = (why: string) => new UpstreamError('documenten', 'unreadable', why);

// The SHA-256 of an empty body.
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

// AWS Signature Version 4. `path` is appended to the path of `url`, and may have a query.
function signer(url: URL, { region, accessKeyId, secretAccessKey }: S3Access) {
  const base = url.pathname.replace(/\/$/, '');
  return (
    method: string,
    path: string,
    sha256 = EMPTY,
    headers: Record<string, string> = {},
  ): Record<string, string> => {
    const { headers: all = {} } = aws4.sign(
      {
        service: 's3',
        region,
        method,
        host: url.host,
        path: base + path,
        headers: { ...headers, 'x-amz-content-sha256': sha256 },
      },
      { accessKeyId, secretAccessKey },
    );
    const lower = Object.entries(all).map(([name, value]) => [name.toLowerCase(), String(value)] as const);
    return Object.fromEntries(lower.filter(([name]) => name !== 'host'));
  };
}
