import { UpstreamError } from '../../src/ports/call.ts';
import type { DocumentList, ListedDocument } from '../../src/ports/inventory.ts';
import type { HttpClient } from '../http/client.ts';
import { type S3Access, signer } from './sign.ts';

/**
 * The location of the documents: the URL of the bucket, and the prefix that all names of documents in that bucket have.
 */
export interface S3Location {
  readonly bucket: URL;
  readonly prefix: string;
}

/**
 * Splits a configured URL, `https://<host>/<bucket>` with or without a prefix after it, into the bucket and the prefix.
 */
export function s3LocationOf(url: URL): S3Location {
  const [, bucket = '', ...rest] = url.pathname.replace(/\/$/, '').split('/');
  const prefix = rest.map((segment) => `${decodeURIComponent(segment)}/`).join('');
  return { bucket: new URL(`/${bucket}`, url), prefix };
}

/** Maximum number of characters of one page of the list of documents. */
const MAX_PAGE = 4 * 1024 * 1024;

/**
 * Returns an object that lists the documents of this service (names that start with `ZR-`) in a bucket (ListObjectsV2).
 * Each page is requested when the iteration reaches it.
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
        yield objects.map((object) => toListed(prefix, object));
        if (!isTruncated) return;
        const next = objects.at(-1)?.Key ?? '';
        if (next === '' || next === last) throw unreadable('a page without an end');
        last = next;
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

/** The members of one object in a list that are used. A member is absent when the store did not send it. */
interface ListedObject {
  Key?: string;
  LastModified?: string;
}

/** Maximum number of elements within each other; the elements that are used are at most three deep. */
const MAX_DEPTH = 16;

/** Reads a page of a list (XML). Throws `UpstreamError` when `xml` is not such a page. */
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

function toListed(prefix: string, { Key = '', LastModified }: ListedObject): ListedDocument {
  const identificatie = Key.slice(prefix.length);
  return { identificatie, key: identificatie, since: LastModified ?? null };
}
