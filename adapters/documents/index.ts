import { type Call, UpstreamError } from '../../src/ports/call.ts';
import type { Documents, NewDocument, StoredDocument } from '../../src/ports/documents.ts';
import { type HttpClient, toOpenDocument } from '../http/client.ts';
import { ifNotFound, segment } from '../http/request.ts';
import { inlineContent } from './inline.ts';
import { type Provenance, toStored, toWire } from './map.ts';
import { abandon, sendParts } from './parts.ts';
import { codesOf, DocumentWire, LijstWire } from './wire.ts';

export interface DocumentsOptions extends Provenance {
  /** Bytes above which a document goes in the parts that the store asks for, instead of in one JSON text. */
  readonly partsAbove: number;
}

const PATH = '/enkelvoudiginformatieobjecten';
/** Milliseconds in which a store may take in and check what it was sent. */
const STORE_TIMEOUT = 60_000;
/** Milliseconds to clear away what was not finished. */
const CLEANUP_TIMEOUT = 10_000;

/** The Documenten API of ZGW, 1.4 and later. The client's `credential` signs. */
export function createDocuments(http: HttpClient, options: DocumentsOptions): Documents {
  const ask: HttpClient['ask'] = (request, call) =>
    http.ask(
      {
        ...request,
        otherwise(status, json, headers) {
          // `null` is a meaning too: that it is not there.
          const meaning = request.otherwise?.(status, json, headers);
          return meaning === undefined ? throwIfRefused(status, json) : meaning;
        },
      },
      call,
    );

  /** Null: there is one with this `identificatie`. */
  const create = (document: NewDocument, call: Call): Promise<DocumentWire | null> => {
    const metadata = toWire(document, options);
    const content =
      document.omvang > options.partsAbove
        ? { body: { ...metadata, inhoud: null } }
        : { content: inlineContent(metadata, document) };
    const otherwise = (status: number, json: unknown) =>
      status === 400 && codesOf(json).includes('identificatie-niet-uniek') ? null : undefined;
    const check = ({ identificatie }: DocumentWire) => identificatie === document.identificatie;
    const request = { method: 'POST', path: PATH, ...content, schema: DocumentWire, check } as const;
    return ask({ ...request, headersTimeout: STORE_TIMEOUT, otherwise }, call);
  };

  async function search(identificatie: string, call: Call): Promise<DocumentWire | null> {
    const query = new URLSearchParams({ identificatie, bronorganisatie: options.rsin });
    const { results } = await ask({ method: 'GET', path: `${PATH}?${query}`, schema: LijstWire, retry: true }, call);
    return results.find((one) => one.identificatie === identificatie) ?? null;
  }

  /** What is there under our name already: ours, or the remains of a try that was not finished. */
  async function findEarlier(document: NewDocument, call: Call): Promise<StoredDocument | null> {
    const there = await search(document.identificatie, call);
    const stored = there && toStored(there);
    if (stored !== null) {
      if (stored.omvang === document.omvang && stored.sha256 === document.sha256) return stored;
      throw new UpstreamError('documenten', 'unavailable', 'another document has our identificatie', { undone: true });
    }
    const lock = there?.lock || there?.bestandsdelen?.find((deel) => deel.lock)?.lock;
    if (there !== null && lock) await abandon(ask, there.url, lock, call);
    return null;
  }

  async function finish(document: NewDocument, made: DocumentWire, call: Call): Promise<StoredDocument> {
    if (document.omvang <= options.partsAbove) return confirmed(toStored(made));
    try {
      await sendParts(ask, document, made, call, STORE_TIMEOUT);
    } catch (error) {
      // In time of its own: that of the call may be what has run out.
      const after = { ...call, signal: AbortSignal.timeout(CLEANUP_TIMEOUT) };
      const clearing = made.lock ? abandon(ask, made.url, made.lock, after) : Promise.reject(error);
      const isGone = await clearing.then(
        () => true,
        () => false,
      );
      throw isGone || !(error instanceof UpstreamError) ? error : unfinished(error);
    }
    return confirmed(await stat(made.url, call));
  }

  const stat = (key: string, call: Call): Promise<StoredDocument | null> =>
    ask(
      {
        method: 'GET',
        path: `${PATH}/${segment(key)}`,
        schema: DocumentWire,
        retry: true,
        otherwise: ifNotFound(null),
      },
      call,
    ).then((found) => found && toStored(found));

  return {
    async put(document, call) {
      const made = await create(document, call);
      if (made !== null) return finish(document, made, call);
      const there = await findEarlier(document, call);
      if (there !== null) return there;
      const second = await create(document, call);
      if (second !== null) return finish(document, second, call);
      throw new UpstreamError('documenten', 'unavailable', 'identificatie-niet-uniek', { undone: true });
    },

    async find(identificatie, call) {
      const there = await search(identificatie, call);
      return there && toStored(there);
    },

    stat,

    async open(key, call) {
      const opened = await http.open(
        {
          method: 'GET',
          path: `${PATH}/${segment(key)}/download`,
          headers: { accept: 'application/octet-stream' },
          retry: true,
          otherwise(status) {
            // What it has no content of it answers with an empty 204, which is in no document.
            if (status === 204) throw new UpstreamError('documenten', 'unavailable', 'no content');
            return ifNotFound(null)(status);
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
          path: `${PATH}/${segment(key)}`,
          headers: { 'x-audit-toelichting': reason },
          schema: DocumentWire,
          retry: true,
          otherwise(status, json) {
            if (status === 204) return 'deleted' as const;
            if (status === 404) return 'absent' as const;
            const codes = codesOf(json);
            return codes.includes('pending-relations') || codes.includes('destroy-locked')
              ? ('in-use' as const)
              : undefined;
          },
        },
        call,
      ) as ReturnType<Documents['delete']>,
  };
}

/** A document that the store says it has without having it is no document. */
function confirmed(stored: StoredDocument | null): StoredDocument {
  if (stored !== null) return stored;
  throw new UpstreamError('documenten', 'unreadable', 'a document that is not whole');
}

/** Something is there under our name, whatever the part that failed had to say. */
const unfinished = ({ message, fault, retryAfter, lost }: UpstreamError): UpstreamError =>
  new UpstreamError('documenten', fault, `left unfinished after ${message}`, { retryAfter, lost });

/** A refusal of what we ourselves put together is a fault of ours: its codes are for our log, and for nobody else. */
function throwIfRefused(status: number, json: unknown): undefined {
  const codes = codesOf(json);
  if (status < 400 || status === 429 || status >= 500 || codes.length === 0) return undefined;
  throw new UpstreamError('documenten', 'unavailable', `status ${status}: ${codes.join(', ')}`, { undone: true });
}
