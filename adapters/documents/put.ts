import { type Call, changedCall, timeoutSignal, UpstreamError } from '../../src/ports/call.ts';
import type { Documents, NewDocument, StoredDocument } from '../../src/ports/documents.ts';
import type { HttpClient } from '../http/client.ts';
import { parseRefusal } from '../http/refusal.ts';
import { inlineContent } from './inline.ts';
import { type CommonMetadata, toStored, toWire } from './map.ts';
import { deleteUnfinished, lockOf, sendParts } from './parts.ts';
import { DocumentWire, PATH } from './wire.ts';

/** Settings of the document store adapter. */
export interface DocumentsOptions extends CommonMetadata {
  /** Size in bytes above which a document is sent in parts (`bestandsdelen`) instead of in one JSON body. */
  readonly partsAboveBytes: number;
}

/** The maximum number of milliseconds for the deletion of an unfinished document. */
const CLEANUP_TIMEOUT = 10_000;

/** The requests to the document store that storing a document needs. */
interface Requests {
  readonly ask: HttpClient['ask'];
  /** Returns the document with this `identificatie`, finished or not; null when there is none. */
  search(identificatie: string, call: Call): Promise<DocumentWire | null>;
  readonly stat: Documents['stat'];
}

/**
 * Returns the function that stores a document (`Documents.put`). When the store already has a document with the same
 * `identificatie` and content, that function returns the stored document.
 */
export function createPut({ ask, search, stat }: Requests, options: DocumentsOptions): Documents['put'] {
  /**
   * Creates the document in the document store and returns the store's answer. Returns null when the store already has
   * a document with this `identificatie`. A document larger than `partsAboveBytes` is created without content, which
   * `finish` then sends.
   */
  const create = (document: NewDocument, call: Call): Promise<DocumentWire | null> => {
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
  };

  /**
   * Returns the stored document with the `identificatie` of `document`; null when there is none or it is unfinished.
   * Deletes an unfinished document when its lock is known. Throws `UpstreamError` when the stored document has other
   * content.
   */
  async function findEarlier(document: NewDocument, call: Call): Promise<StoredDocument | null> {
    const existing = await search(document.identificatie, call);
    const stored = existing && toStored(existing);
    if (stored !== null) {
      if (stored.omvang === document.omvang && stored.sha256 === document.sha256) return stored;
      throw new UpstreamError('documenten', 'unavailable', 'another document has our identificatie', { undone: true });
    }
    const lock = existing === null ? undefined : lockOf(existing);
    if (existing !== null && lock !== undefined) await deleteUnfinished(ask, existing.url, lock, call);
    return null;
  }

  /**
   * Completes a document that `create` made, and returns the stored document. A large document gets its content here,
   * in parts; when sending them fails, it tries to delete the unfinished document and throws.
   */
  async function finish(document: NewDocument, made: DocumentWire, call: Call): Promise<StoredDocument> {
    if (document.omvang <= options.partsAboveBytes) return confirmed(toStored(made));
    try {
      await sendParts(ask, document, made, call);
    } catch (error) {
      // With its own timeout: the failure may be the deadline of the call.
      const after = changedCall(call, { signal: timeoutSignal(CLEANUP_TIMEOUT) });
      const lock = lockOf(made);
      const clearing = lock === undefined ? Promise.reject(error) : deleteUnfinished(ask, made.url, lock, after);
      const isGone = await clearing.then(
        () => true,
        () => false,
      );
      throw isGone || !(error instanceof UpstreamError) ? error : unfinished(error);
    }
    return confirmed(await stat(made.url, call));
  }

  return async (document, call) => {
    const made = await create(document, call);
    if (made !== null) return finish(document, made, call);
    const existing = await findEarlier(document, call);
    if (existing !== null) return existing;
    const second = await create(document, call);
    if (second !== null) return finish(document, second, call);
    throw new UpstreamError('documenten', 'unavailable', 'identificatie-niet-uniek', { undone: true });
  };
}

/** Returns `stored`. Throws `UpstreamError` when it is null, which means that the document is absent or incomplete. */
function confirmed(stored: StoredDocument | null): StoredDocument {
  if (stored !== null) return stored;
  throw new UpstreamError('documenten', 'unreadable', 'a document that is not whole');
}

/**
 * Returns the error to throw when an incomplete document may have stayed in the document store, because it could not be
 * deleted.
 */
const unfinished = ({ message, fault, retryAfter, lost, tooLarge }: UpstreamError): UpstreamError =>
  new UpstreamError('documenten', fault, `left unfinished after ${message}`, { retryAfter, lost, tooLarge });
