import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type Call, changedCall, isOutcomeUnknown, timeoutSignal, UpstreamError } from '../../src/ports/call.ts';
import type { Deletion, Documents, NewDocument, StoredDocument } from '../../src/ports/documents.ts';
import type { DocumentList } from '../../src/ports/inventory.ts';
import { toOpenDocument } from '../http/body.ts';
import type { HttpClient } from '../http/client.ts';
import { type Content, pathSegment, type ResponseHeaders, unexpectedStatus } from '../http/request.ts';
import { parseRefusal, UpstreamFailure } from '../http/upstream-failure.ts';
import {
  awaitsParts,
  type BestandsdeelWire,
  type CommonMetadata,
  DocumentWire,
  LijstWire,
  lockOf,
  PaginaWire,
  toStored,
  toWire,
} from './wire.ts';

export interface DocumentsOptions extends CommonMetadata {
  /** Bytes above which a document is sent in parts (`bestandsdelen`) instead of in one JSON body. */
  readonly partsAboveBytes: number;
}

const PATH = '/enkelvoudiginformatieobjecten';
const pathOf = (key: string): string => `${PATH}/${pathSegment(key)}`;
const CLEANUP_TIMEOUT = 10_000;

/** For the ZGW Documenten API, version 1.4 and later. `http` must use the credential of `zgwCredential`. */
export function createDocuments(http: HttpClient, options: DocumentsOptions): Documents {
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
  const sending = partsSender(ask);

  // Also an unfinished document.
  async function search(identificatie: string, call: Call): Promise<DocumentWire | null> {
    const query = new URLSearchParams({ identificatie, bronorganisatie: options.rsin });
    const { results } = await ask(
      { method: 'GET', path: `${PATH}?${query}`, schema: LijstWire, isLong: true, retry: true },
      call,
    );
    return results.find((one) => one.identificatie === identificatie) ?? null;
  }

  async function stat(key: string, call: Call): Promise<StoredDocument | null> {
    const otherwise = (status: number) => (isGone(status) ? null : undefined);
    const request = { method: 'GET', operation: 'stat', path: pathOf(key), schema: DocumentWire } as const;
    const found = await ask({ ...request, isLong: true, retry: true, otherwise }, call);
    return found && toStored(found);
  }

  // Null when the store already has a document with this `identificatie`. Parts are sent by `finish`.
  function create(document: NewDocument, call: Call): Promise<DocumentWire | null> {
    const metadata = toWire(document, options);
    const content =
      document.omvang > options.partsAboveBytes
        ? { body: { ...metadata, inhoud: null } }
        : { content: inlineContent(metadata, document) };
    const otherwise = (status: number, json: unknown) =>
      status === 400 && parseRefusal(json).codes.includes('identificatie-niet-uniek') ? null : undefined;
    const check = ({ identificatie }: DocumentWire) => identificatie === document.identificatie;
    const request = { method: 'POST', path: PATH, ...content, schema: DocumentWire, isLong: true, check } as const;
    return ask({ ...request, headersTimeout: 'documentHeaders', otherwise }, call);
  }

  // Null when there is none, or when it was unfinished; that one is deleted when its lock is known.
  async function findEarlier(document: NewDocument, call: Call): Promise<StoredDocument | null> {
    const existing = await search(document.identificatie, call);
    const stored = existing && toStored(existing);
    if (stored !== null) {
      if (stored.omvang === document.omvang && stored.sha256 === document.sha256) return stored;
      throw new UpstreamError('documenten', 'unavailable', 'another document has our identificatie', { undone: true });
    }
    const lock = existing === null ? undefined : lockOf(existing);
    if (existing !== null && lock !== undefined) await sending.undo(existing.url, lock, call);
    return null;
  }

  async function finish(document: NewDocument, made: DocumentWire, call: Call): Promise<StoredDocument> {
    if (document.omvang <= options.partsAboveBytes) return confirmed(toStored(made));
    try {
      await sending.send(document, made, call);
    } catch (error) {
      // With its own timeout: the failure may be the deadline of the call.
      const after = changedCall(call, { signal: timeoutSignal(CLEANUP_TIMEOUT) });
      const lock = lockOf(made);
      const isGone =
        lock !== undefined &&
        (await sending.undo(made.url, lock, after).then(
          () => true,
          () => false,
        ));
      throw isGone || !(error instanceof UpstreamError) ? error : unfinished(error);
    }
    return confirmed(await stat(made.url, call));
  }

  const remove: Documents['delete'] = (key, reason, call) =>
    ask(
      {
        method: 'DELETE',
        operation: 'delete',
        path: pathOf(key),
        headers: { 'x-audit-toelichting': reason },
        // The answer of a deletion is 204; any other one that is no refusal is not agreed on.
        schema: z.never(),
        retry: true,
        otherwise(status, json): Deletion | undefined {
          if (status === 204) return 'deleted';
          if (isGone(status)) return 'absent';
          const { codes } = parseRefusal(json);
          return codes.includes('pending-relations') || codes.includes('destroy-locked') ? 'in-use' : undefined;
        },
      },
      call,
    );

  return {
    async put(document, call) {
      const made = await create(document, call);
      if (made !== null) return finish(document, made, call);
      const existing = await findEarlier(document, call);
      if (existing !== null) return existing;
      const second = await create(document, call);
      if (second !== null) return finish(document, second, call);
      throw new UpstreamError('documenten', 'unavailable', 'identificatie-niet-uniek', { undone: true });
    },

    async find(identificatie, call) {
      const existing = await search(identificatie, call);
      return existing && toStored(existing);
    },

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

    delete: remove,

    async discard(identificatie, reason, call) {
      const existing = await search(identificatie, call);
      if (existing === null) return 'absent';
      if (!awaitsParts(existing)) return remove(existing.url, reason, call);
      const lock = lockOf(existing);
      if (lock === undefined)
        throw new UpstreamError('documenten', 'unavailable', 'an unfinished document without a lock', { undone: true });
      await sending.undo(existing.url, lock, call);
      return 'deleted';
    },
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

/** The incomplete document may have stayed in the document store. */
const unfinished = ({ message, fault, retryAfter, lost, tooLarge }: UpstreamError): UpstreamError =>
  new UpstreamError('documenten', fault, `left unfinished after ${message}`, { retryAfter, lost, tooLarge });

const Anything = z.unknown();
const Sent = Anything.transform(() => 'sent' as const);
const whenDone = (status: number) => (status === 204 ? null : undefined);

function unlessLost(error: unknown): void {
  if (!isOutcomeUnknown(error)) throw error;
}

function partsSender(ask: HttpClient['ask']) {
  const unlock = (key: string, lock: string, call: Call) =>
    ask(
      {
        method: 'POST',
        operation: 'unlock',
        path: `${PATH}/${key}/unlock`,
        body: { lock },
        schema: Anything,
        otherwise: whenDone,
      },
      call,
    );

  /** Tries the next of the locks when the document store refuses one. */
  async function sendPart(
    document: NewDocument,
    from: number,
    deel: BestandsdeelWire,
    [lock = '', ...others]: readonly string[],
    call: Call,
  ): Promise<void> {
    const answer = await ask(
      {
        method: 'PUT',
        operation: 'part',
        path: `/bestandsdelen/${deel.url}`,
        content: partContent(document, from, deel.omvang, lock),
        schema: Sent,
        headersTimeout: 'documentHeaders',
        otherwise: (_, json) =>
          others.length > 0 && parseRefusal(json).codes.includes('incorrect-lock-id') ? 'wrong lock' : undefined,
      },
      call,
    );
    if (answer === 'wrong lock') await sendPart(document, from, deel, others, call);
  }

  return {
    async send(document: NewDocument, made: DocumentWire, call: Call): Promise<void> {
      const lock = lockOf(made) ?? '';
      let from = 0;
      for (const deel of [...(made.bestandsdelen ?? [])].sort((a, b) => a.volgnummer - b.volgnummer)) {
        // Some versions of a store give a part a wrong lock.
        await sendPart(document, from, deel, [...new Set([deel.lock || lock, lock])], call);
        from += deel.omvang;
      }
      await unlock(made.url, lock, call);
    },

    // The store can unlock and delete a document of which parts are missing when its size is 0. A step whose answer is
    // lost may have been done: the next one shows it.
    async undo(key: string, lock: string, call: Call): Promise<void> {
      const path = `${PATH}/${key}`;
      const body = { lock, inhoud: null, bestandsomvang: 0 };
      const empty = { method: 'PATCH', operation: 'empty', path, body, schema: DocumentWire, isLong: true } as const;
      await ask(empty, call).catch(unlessLost);
      await unlock(key, lock, call).catch(unlessLost);
      await ask({ method: 'DELETE', operation: 'delete', path, schema: Anything, otherwise: whenDone }, call);
    },
  };
}

// The store answers 404 also when the page before named a next page: documents were deleted meanwhile.
const PAST_THE_END = { next: null, results: [] };

/**
 * Lists the documents of this service (`identificatie` starts with `ZR-`). Each page is requested when the iteration
 * reaches it; throws `UpstreamError` when the pages have no end. `rsin` is the organisation that owns the documents.
 */
export const createDocumentList = (http: HttpClient, { rsin }: { readonly rsin: string }): DocumentList => ({
  async *pages(newCall) {
    let last: string | undefined;
    for (let page = 1; ; page += 1) {
      const query = new URLSearchParams({ bronorganisatie: rsin, page: String(page) });
      const path = `${PATH}?${query}`;
      const { next, results } = await http.ask(
        {
          method: 'GET',
          path,
          schema: PaginaWire,
          isLong: true,
          retry: true,
          headersTimeout: 'listHeaders',
          otherwise: (status) => (status === 404 && page > 1 ? PAST_THE_END : undefined),
        },
        newCall(),
      );
      yield results.flatMap(({ identificatie, url: key, beginRegistratie }) =>
        identificatie?.startsWith('ZR-') ? [{ identificatie, key, since: beginRegistratie ?? null }] : [],
      );
      if (next == null) return;
      const url = results.at(-1)?.url;
      if (url === undefined || url === last)
        throw new UpstreamError('documenten', 'unreadable', 'a page without an end');
      last = url;
    }
  },
});

/**
 * One JSON text with the content in base64. It is streamed, but its length is known in advance, because servers behind
 * uWSGI do not accept a chunked body.
 */
const inlineContent = (metadata: object, { omvang, bytes }: NewDocument): Content =>
  framed('application/json', {
    before: `${JSON.stringify(metadata).slice(0, -1)},"inhoud":"`,
    length: 4 * Math.ceil(omvang / 3),
    bytes: () => base64(bytes()),
    after: '"}',
  });

/** The multipart/form-data body of one part: the lock, and `omvang` bytes from position `from`. */
function partContent(document: NewDocument, from: number, omvang: number, lock: string): Content {
  const boundary = `part-${randomUUID()}`;
  const field = (disposition: string) => `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`;
  return framed(`multipart/form-data; boundary=${boundary}`, {
    before: `${field('name="lock"')}\r\n${lock}\r\n${field('name="inhoud"; filename="deel.bin"')}Content-Type: application/octet-stream\r\n\r\n`,
    length: omvang,
    async *bytes() {
      for await (const piece of document.bytes(from, from + omvang)) yield Buffer.from(piece);
    },
    after: `\r\n--${boundary}--\r\n`,
  });
}

interface Frame extends Pick<Content, 'length' | 'bytes'> {
  readonly before: string;
  readonly after: string;
}

function framed(type: string, { before, length, bytes, after }: Frame): Content {
  const [start, end] = [Buffer.from(before), Buffer.from(after)];
  return {
    type,
    length: start.length + length + end.length,
    async *bytes() {
      yield start;
      yield* bytes();
      yield end;
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
