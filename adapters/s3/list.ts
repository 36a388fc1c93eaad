import { UpstreamError } from '../../src/ports/call.ts';
import type { DocumentList, ListedDocument } from '../../src/ports/inventory.ts';
import type { HttpClient } from '../http/client.ts';
import { type S3Access, signer } from './sign.ts';

/** The place of the documents: the URL of the bucket itself, and what comes before the name of each document in it. */
export interface S3Place {
  readonly bucket: URL;
  readonly prefix: string;
}

/** Returns the place of the documents for a configured URL, `https://<host>/<bucket>` with or without a prefix. */
export function placeOf(url: URL): S3Place {
  const [, bucket = '', ...rest] = url.pathname.replace(/\/$/, '').split('/');
  const prefix = rest.map((segment) => `${decodeURIComponent(segment)}/`).join('');
  return { bucket: new URL(`/${bucket}`, url), prefix };
}

/** Maximum number of characters of one page: a thousand documents, each with the longest key. */
const MAX_PAGE = 4 * 1024 * 1024;
/** The maximum number of milliseconds until the document store answers with a page. */
const LIST_TIMEOUT = 30_000;

/** Returns the list of documents in a bucket (ListObjectsV2). `http` must be a client of the bucket itself. */
export function createS3List(http: HttpClient, { bucket, prefix }: S3Place, access: S3Access): DocumentList {
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
          headersTimeout: LIST_TIMEOUT,
        } as const;
        const page = await textOf((await http.open(request, newCall())).bytes);
        const objects = [...page.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, object = '']) => object);
        yield objects.map((object) => toListed(prefix, object));
        if (memberOf(page, 'IsTruncated') !== 'true') return;
        const next = memberOf(objects.at(-1) ?? '', 'Key');
        if (next === null || next === last)
          throw new UpstreamError('documenten', 'unreadable', 'a page without an end');
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
    if (text.length > MAX_PAGE) throw new UpstreamError('documenten', 'unreadable', 'a list that is too long');
  }
  if (/<ListBucketResult\b/.test(text)) return text;
  throw new UpstreamError('documenten', 'unreadable', 'not a list of objects');
}

function toListed(prefix: string, object: string): ListedDocument {
  const identificatie = (memberOf(object, 'Key') ?? '').slice(prefix.length);
  return { identificatie, key: identificatie, since: memberOf(object, 'LastModified') };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Returns the text of the first element with this name, which has no elements of its own; null when there is none. */
function memberOf(xml: string, name: string): string | null {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return (
    text?.replaceAll(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, entity) =>
      entity === undefined
        ? String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal))
        : (ENTITIES[entity] ?? whole),
    ) ?? null
  );
}
