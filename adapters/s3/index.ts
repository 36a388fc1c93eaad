import { type Call, UpstreamError } from '../../src/ports/call.ts';
import type { Documents, StoredDocument } from '../../src/ports/documents.ts';
import type { HttpClient } from '../http/client.ts';
import { pathSegment, type ResponseHeaders, unexpectedStatus } from '../http/request.ts';
import { toOpenDocument } from '../http/streamed-answer.ts';
import { type S3Access, signer } from './sign.ts';

/** The bucket, and the credentials for it. */
export interface S3Options extends S3Access {
  /** URL of the bucket: `https://<host>/<bucket>`, optionally with a prefix. Must equal the URL of the HTTP client. */
  readonly url: URL;
}

/** The header with the SHA-256 of a document, which the document store stores with the document. */
const SHA256 = 'x-amz-meta-sha256';

/**
 * Returns the adapter for a document store with the S3 protocol and path-style URLs. A document's key is its
 * `identificatie`, so that a retry overwrites it with the same bytes. `delete` ignores the reason and never returns
 * `in-use`.
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
      throw new UpstreamError('documenten', 'unreadable', 'not found after a successful put');
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

/**
 * Returns a function for `UpstreamRequest.otherwise` that returns `value` when the document is absent. For any other
 * status, and when the bucket itself is absent, that function throws `UpstreamFailure`.
 */
const whenAbsent =
  <Other>(value: Other): Otherwise<Other> =>
  (status, json, headers) =>
    status === 404 && codeOf(json) !== 'NoSuchBucket' ? value : throwWithCode(status, json, headers);

/**
 * Throws `UpstreamFailure` for a refused request. Its message, which is logged, has the error code of S3 and, when the
 * store sends it, the region of the bucket.
 */
const throwWithCode: Otherwise<never> = (status, json, headers) => {
  const region = headers['x-amz-bucket-region'];
  const isNamed = status >= 300 && typeof region === 'string' && /^[\w-]{1,64}$/.test(region);
  const said = [codeOf(json), isNamed && `the bucket is in region ${region}`].filter(Boolean);
  throw unexpectedStatus('documenten', status, headers, said.join(', '));
};

/** Returns the error code in the answer of a store; null when there is none. */
function codeOf(json: unknown): string | null {
  const { code } = (json ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^[A-Za-z]{1,64}$/.test(code) ? code : null;
}

/** Returns a document from the headers of its HEAD. Throws `UpstreamError` `unreadable` when they have no valid size. */
function toStored(key: string, headers: ResponseHeaders): StoredDocument {
  const length = String(headers['content-length']);
  if (!/^\d+$/.test(length)) throw new UpstreamError('documenten', 'unreadable', 'HEAD without a content length');
  return { key, omvang: Number(length), sha256: typeof headers[SHA256] === 'string' ? headers[SHA256] : null };
}
