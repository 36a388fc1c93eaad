import { unexpectedStatus } from '../adapters/http/request.ts';
import { UpstreamFailure } from '../adapters/http/upstream-failure.ts';
import { dripIntervalOf, statusFaultAnswer } from '../simulator/transport/delivery.ts';
import { type Quirk, quirkOf, SIM_TRAAG_DELAY } from '../simulator/upstreams/documenten/quirks.ts';
import type { ActiveFault } from '../simulator/worlds/faults.ts';
import { type Call, UpstreamError } from '../src/ports/call.ts';
import type { DocumentBytes, Documents, NewDocument, StoredDocument } from '../src/ports/documents.ts';
import { TIMING } from '../src/ports/timing.ts';
import { drip } from './json-client.ts';
import { answerCut, connectionReset, type SimulatedConnection } from './simulated-connection.ts';

/** `quirk` is the fault that its file name causes; undefined for none. */
interface MemoryDocument extends StoredDocument {
  readonly identificatie: string;
  readonly content: Uint8Array;
  readonly quirk: Quirk | undefined;
}

/** A document as JSON, with its content in base64. */
export interface DocumentRow extends Omit<MemoryDocument, 'content' | 'quirk'> {
  readonly quirk: Quirk | null;
  readonly content: string;
}

export interface MemoryDocuments extends Documents {
  rows(): readonly DocumentRow[];
  load(rows: readonly DocumentRow[]): void;
  /** Adds a document of a fixture, without faults or timeouts. Returns its key. */
  add(document: Pick<NewDocument, 'identificatie' | 'bestandsnaam' | 'sha256'>, content: Uint8Array): string;
  /** Removes the document with this key. Does nothing when there is none. */
  remove(key: string): void;
}

const BRON = 'documenten';
const STORE_TIMEOUT = 60_000;

/**
 * Returns a document store in memory. Its calls fail when a fault of the document store is set in the world, or when a
 * file name asks for a fault (`sim-…`).
 */
export function createMemoryDocuments(connection: SimulatedConnection): MemoryDocuments {
  const documents = new Map<string, MemoryDocument>();
  const byName = (identificatie: string): MemoryDocument | undefined =>
    [...documents.values()].find((one) => one.identificatie === identificatie);

  const add: MemoryDocuments['add'] = ({ identificatie, bestandsnaam, sha256 }, content) => {
    const key = crypto.randomUUID();
    const quirk = quirkOf({ metadata: { bestandsnaam } });
    documents.set(key, { key, identificatie, omvang: content.length, sha256, content, quirk });
    return key;
  };

  async function put(document: NewDocument): Promise<StoredDocument> {
    const content = await readAll(document);
    const quirk = quirkOf({ metadata: { bestandsnaam: document.bestandsnaam } });
    const existing = byName(document.identificatie);
    if (existing !== undefined) {
      if (existing.omvang === document.omvang && existing.sha256 === document.sha256) return stored(existing);
      throw new UpstreamError(BRON, 'unavailable', 'another document has our identificatie', { undone: true });
    }
    if (quirk === 'sim-storing') throw unexpectedStatus(BRON, 503, {});
    const key = add(document, content);
    if (quirk === 'sim-kwijt') throw connectionReset(BRON);
    if (quirk === 'sim-traag') await new Promise((resolve) => setTimeout(resolve, SIM_TRAAG_DELAY));
    return stored(documents.get(key) as MemoryDocument);
  }

  const perform = <Result>(
    operation: string,
    call: Call,
    execute: (fault: ActiveFault | null) => Promise<Result>,
    answer = applyFault,
  ): Promise<Result> =>
    connection.perform({ operation, headersTimeout: TIMING.headers, retry: true }, call, execute, answer);

  return {
    add,
    remove: (key) => void documents.delete(key),
    rows: () =>
      [...documents.values()].map((one) => ({ ...one, quirk: one.quirk ?? null, content: toBase64(one.content) })),
    load(rows) {
      documents.clear();
      for (const { content, quirk, ...row } of rows)
        documents.set(row.key, { ...row, quirk: quirk ?? undefined, content: fromBase64(content) });
    },
    put: (document, call) =>
      connection.perform(
        { operation: 'document-maken', headersTimeout: STORE_TIMEOUT },
        call,
        () => put(document),
        applyFault,
      ),
    find: (identificatie, call) =>
      perform('documenten-zoeken', call, async () => {
        const existing = byName(identificatie);
        return existing === undefined ? null : stored(existing);
      }),
    stat: (key, call) =>
      perform('document-lezen', call, async () => {
        const existing = documents.get(key);
        return existing === undefined ? null : stored(existing);
      }).catch(ifNotFound(null)),
    open: (key, call) =>
      perform(
        'document-downloaden',
        call,
        async (fault) => {
          const existing = documents.get(key);
          if (existing === undefined) return null;
          if (existing.quirk === 'sim-leeg') throw new UpstreamError(BRON, 'unavailable', 'no content');
          const isCut = fault?.kind === 'cut' || existing.quirk === 'sim-half';
          const bytes = bytesOf(existing.content, {
            end: isCut ? Math.floor(existing.omvang / 2) : undefined,
            every: fault?.kind === 'drip' ? dripIntervalOf(fault) : undefined,
          });
          return { omvang: existing.omvang, bytes };
        },
        // The bytes themselves break off, or come slowly.
        async (fault, onHeaders) =>
          fault?.kind === 'cut' || fault?.kind === 'drip' ? onHeaders() : applyFault(fault, onHeaders),
      ).catch(ifNotFound(null)),
    delete: (key, _, call) =>
      perform(
        'document-verwijderen',
        call,
        async () => {
          const existing = documents.get(key);
          if (existing?.quirk === 'sim-in-gebruik') return 'in-use' as const;
          return documents.delete(key) ? ('deleted' as const) : ('absent' as const);
        },
        async (fault, onHeaders) => {
          if (fault?.kind !== 'drip') return applyFault(fault, onHeaders);
          // The answer has no body, so the one byte that comes is not JSON.
          onHeaders();
          await drip(BRON, 1, dripIntervalOf(fault));
          throw notJson();
        },
      ).catch(ifNotFound('absent' as const)),
  };
}

const toBase64 = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));

const stored = ({ key, omvang, sha256 }: MemoryDocument): StoredDocument => ({ key, omvang, sha256 });

async function readAll({ omvang, bytes }: NewDocument): Promise<Uint8Array> {
  const content = new Uint8Array(omvang);
  let at = 0;
  for await (const piece of bytes()) {
    content.set(piece, at);
    at += piece.length;
  }
  return content;
}

/** Length of the metadata of a document as JSON, about. */
const METADATA_LENGTH = 1_000;

async function applyFault(fault: ActiveFault | null, onHeaders: () => void): Promise<void> {
  switch (fault?.kind) {
    case 'status':
      throw unexpectedStatus(BRON, statusFaultAnswer(fault).status, statusFaultAnswer(fault).headers ?? {});
    case 'garbage':
      throw notJson();
    case 'wrong-schema':
      throw new UpstreamFailure(BRON, 'unreadable', 'not the agreed shape', { requestOnly: true });
    case 'cut':
      throw answerCut(BRON);
    case 'drip':
      onHeaders();
      await drip(BRON, METADATA_LENGTH, dripIntervalOf(fault));
  }
}

const notJson = (): UpstreamFailure => new UpstreamFailure(BRON, 'unreadable', 'not JSON');

/** Returns a function that returns `meaning` for a failure with status 404, and throws every other error. */
const ifNotFound =
  <Meaning>(meaning: Meaning) =>
  (error: unknown): Meaning => {
    if (error instanceof UpstreamFailure && error.status === 404) return meaning;
    throw error;
  };

const CHUNK_SIZE = 64 * 1024;

interface ReadFault {
  /** The number of bytes after which the stream fails, like a download that breaks off. */
  readonly end?: number | undefined;
  /** Milliseconds before each byte; when absent, the bytes come at once. */
  readonly every?: number | undefined;
}

function bytesOf(content: Uint8Array, { end, every }: ReadFault = {}): DocumentBytes {
  const pieceSize = every === undefined ? CHUNK_SIZE : 1;
  const last = end ?? content.length;
  const listeners: (() => void)[] = [];
  let isClosed = false;
  let at = 0;
  let failure: Error | undefined;
  const close = (): void => {
    if (isClosed) return;
    isClosed = true;
    for (const listener of listeners.splice(0)) listener();
  };
  async function* pieces(): AsyncGenerator<Uint8Array, void> {
    try {
      while (at < last && !isClosed) {
        if (every !== undefined) await new Promise((resolve) => setTimeout(resolve, every));
        const from = at;
        at = Math.min(at + pieceSize, last);
        yield content.subarray(from, at);
      }
      if (failure !== undefined) throw failure;
      if (end !== undefined) throw new Error('download broke off');
    } finally {
      close();
    }
  }
  return {
    get readableLength() {
      return Math.min(pieceSize, last - at);
    },
    destroy(error) {
      failure = error;
      close();
    },
    once(_, listener) {
      if (isClosed) listener();
      else listeners.push(listener);
    },
    [Symbol.asyncIterator]: pieces,
  };
}
