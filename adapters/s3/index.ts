import aws4 from 'aws4';
import { type Call, UpstreamError } from '../../src/ports/call.ts';
import type { Documents, StoredDocument } from '../../src/ports/documents.ts';
import { toOpenDocument } from '../http/body.ts';
import type { HttpClient } from '../http/client.ts';
import { pathSegment, type ResponseHeaders, unexpectedStatus } from '../http/request.ts';

export interface S3Options {
  /** `https://<host>/<bucket>`, optionally with a prefix. Must equal the URL of the HTTP client. */
  readonly url: URL;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

// The store keeps this header with the document.
const SHA256 = 'x-amz-meta-sha256';

/**
 * The S3 protocol with path-style URLs. A document's key is its `identificatie`, so that a retry overwrites it with the
 * same bytes. `delete` ignores the reason and never returns `in-use`.
 */
export function createS3Documents(http: HttpClient, options: S3Options): Documents {
  const sign = signer(options);
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

const unreadable = (why: string) => new UpstreamError('documenten', 'unreadable', why);

// The SHA-256 of an empty body.
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

// AWS Signature Version 4. `path` is appended to the path of `url`.
function signer({ url, region, accessKeyId, secretAccessKey }: S3Options) {
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
