import * as z from 'zod';
import { type Call, UpstreamError } from '../../src/ports/call.ts';
import type { Documents, NewDocument, StoredDocument } from '../../src/ports/documents.ts';
import { toOpenDocument } from '../http/body.ts';
import type { HttpClient } from '../http/client.ts';
import { type Content, pathSegment, type ResponseHeaders, unexpectedStatus } from '../http/request.ts';
import { parseRefusal, UpstreamFailure } from '../http/upstream-failure.ts';
import { type CommonMetadata, DocumentWire, LijstWire, toStored, toWire } from './wire.ts';

const PATH = '/enkelvoudiginformatieobjecten';
const pathOf = (key: string): string => `${PATH}/${pathSegment(key)}`;

/**
 * Returns the document store behind the ZGW Documenten API, version 1.4 and later. `http` must use the credential of
 * `zgwCredential`.
 */
export function createDocuments(http: HttpClient, metadata: CommonMetadata): Documents {
  const ask: HttpClient['ask'] = (request, call) =>
    http.ask(
      {
        ...request,
        otherwise(status, json, headers) {
          // Compared with undefined, because `null` is a meaning too: not found.
          const meaning = request.otherwise?.(status, json, headers);
          return meaning === undefined ? throwWithCodes(status, json, headers) : meaning;
        },
      },
      call,
    );

  async function find(identificatie: string, call: Call): Promise<StoredDocument | null> {
    const query = new URLSearchParams({ identificatie, bronorganisatie: metadata.rsin });
    const { results } = await ask(
      { method: 'GET', path: `${PATH}?${query}`, schema: LijstWire, isLong: true, retry: true },
      call,
    );
    const found = results.find((one) => one.identificatie === identificatie);
    return found === undefined ? null : toStored(found);
  }

  async function stat(key: string, call: Call): Promise<StoredDocument | null> {
    const otherwise = (status: number) => (isGone(status) ? null : undefined);
    const request = { method: 'GET', operation: 'stat', path: pathOf(key), schema: DocumentWire } as const;
    const found = await ask({ ...request, isLong: true, retry: true, otherwise }, call);
    return found && toStored(found);
  }

  // Null when the store already has a document with this `identificatie`.
  function create(document: NewDocument, call: Call): Promise<DocumentWire | null> {
    const content = inlineContent(toWire(document, metadata), document);
    const otherwise = (status: number, json: unknown) =>
      status === 400 && parseRefusal(json).codes.includes('identificatie-niet-uniek') ? null : undefined;
    const check = ({ identificatie }: DocumentWire) => identificatie === document.identificatie;
    const request = { method: 'POST', path: PATH, content, schema: DocumentWire, isLong: true, check } as const;
    return ask({ ...request, headersTimeout: 'documentHeaders', otherwise }, call);
  }

  // Null when there is none, or when it is incomplete.
  async function findEarlier(document: NewDocument, call: Call): Promise<StoredDocument | null> {
    const stored = await find(document.identificatie, call);
    if (stored === null || (stored.omvang === document.omvang && stored.sha256 === document.sha256)) return stored;
    throw new UpstreamError('documenten', 'unavailable', 'another document has our identificatie', { undone: true });
  }

  return {
    async put(document, call) {
      const made = await create(document, call);
      if (made !== null) return confirmed(toStored(made));
      const existing = await findEarlier(document, call);
      if (existing !== null) return existing;
      const second = await create(document, call);
      if (second !== null) return confirmed(toStored(second));
      throw new UpstreamError('documenten', 'unavailable', 'identificatie-niet-uniek', { undone: true });
    },

    find,
    stat,

    async open(key, call) {
      const opened = await http.open(
        {
          method: 'GET',
          operation: 'download',
          path: `${pathOf(key)}/download`,
          headers: { accept: 'application/octet-stream' },
          retry: true,
          otherwise(status) {
            // The store answers 204 for a document without content. The API does not document this.
            if (status === 204)
              throw new UpstreamFailure('documenten', 'unavailable', 'no content', { status, requestOnly: true });
            return isGone(status) ? null : undefined;
          },
        },
        call,
      );
      return opened && toOpenDocument(opened);
    },

    delete: (key, reason, call) =>
      ask(
        {
          method: 'DELETE',
          operation: 'delete',
          path: pathOf(key),
          headers: { 'x-audit-toelichting': reason },
          // The answer of a deletion is 204; any other one that is no refusal is not agreed on.
          schema: z.never(),
          retry: true,
          otherwise(status, json) {
            if (status === 204) return 'deleted' as const;
            if (isGone(status)) return 'absent' as const;
            const { codes } = parseRefusal(json);
            return codes.includes('pending-relations') || codes.includes('destroy-locked')
              ? ('in-use' as const)
              : undefined;
          },
        },
        call,
      ),
  };
}

const isGone = (status: number): boolean => status === 404 || status === 410;

// The codes are only logged: the user cannot change a request that this service made.
function throwWithCodes(status: number, json: unknown, headers: ResponseHeaders): undefined {
  const { codes } = parseRefusal(json);
  if (codes.length > 0) throw unexpectedStatus('documenten', status, headers, codes.join(', '));
  return undefined;
}

function confirmed(stored: StoredDocument | null): StoredDocument {
  if (stored !== null) return stored;
  throw new UpstreamError('documenten', 'unreadable', 'a document that is not whole');
}

/**
 * One JSON text with the content in base64. It is streamed, but its length is known in advance, because servers behind
 * uWSGI do not accept a chunked body.
 */
function inlineContent(metadata: object, { omvang, bytes }: NewDocument): Content {
  const before = Buffer.from(`${JSON.stringify(metadata).slice(0, -1)},"inhoud":"`);
  const after = Buffer.from('"}');
  return {
    type: 'application/json',
    length: before.length + 4 * Math.ceil(omvang / 3) + after.length,
    async *bytes() {
      yield before;
      yield* base64(bytes());
      yield after;
    },
  };
}

// Three bytes make four characters, so one or two bytes at the end of a chunk are encoded together with the next one.
async function* base64(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let left: Buffer = Buffer.alloc(0);
  for await (const chunk of bytes) {
    const piece =
      left.length === 0 ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength) : Buffer.concat([left, chunk]);
    const whole = piece.length - (piece.length % 3);
    // As bytes, because a socket would encode text as UTF-8, which takes longer.
    if (whole > 0) yield Buffer.from(piece.toString('base64', 0, whole), 'latin1');
    left = Buffer.from(piece.subarray(whole));
  }
  if (left.length > 0) yield Buffer.from(left.toString('base64'), 'latin1');
}
