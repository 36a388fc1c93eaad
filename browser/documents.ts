import { noMeaning, PATIENCE } from '../adapters/http/request.ts';
import { Failed } from '../adapters/http/upstream-failure.ts';
import { refusalOf } from '../simulator/transport/fault-answers.ts';
import { type Quirk, quirkOf, SLOW } from '../simulator/upstreams/documenten/quirks.ts';
import type { FaultOn } from '../simulator/worlds/faults.ts';
import { UpstreamError } from '../src/ports/call.ts';
import type { Documents, NewDocument, StoredDocument } from '../src/ports/documents.ts';
import { bytesOf } from './bytes.ts';
import { type Line, reset } from './line.ts';

interface Kept extends StoredDocument {
  readonly identificatie: string;
  readonly content: Uint8Array;
  readonly quirk: Quirk | undefined;
}

export interface MemoryDocuments extends Documents {
  /** Keeps what was there before the world began; gives its key. */
  keep(document: Pick<NewDocument, 'identificatie' | 'bestandsnaam' | 'sha256'>, content: Uint8Array): string;
}

const BRON = 'documenten';
/** Milliseconds to keep a document (adapters/documents). */
const KEEPING = 60_000;

/** Documents in memory, with the same bad days as the simulated store: by fault, and by file name (`sim-…`). */
export function createMemoryDocuments(line: Line): MemoryDocuments {
  const kept = new Map<string, Kept>();
  const byName = (identificatie: string): Kept | undefined =>
    [...kept.values()].find((one) => one.identificatie === identificatie);

  const keep: MemoryDocuments['keep'] = ({ identificatie, bestandsnaam, sha256 }, content) => {
    const key = crypto.randomUUID();
    const quirk = quirkOf({ metadata: { bestandsnaam } });
    kept.set(key, { key, identificatie, omvang: content.length, sha256, content, quirk });
    return key;
  };

  async function put(document: NewDocument): Promise<StoredDocument> {
    const content = await whole(document);
    const quirk = quirkOf({ metadata: { bestandsnaam: document.bestandsnaam } });
    const there = byName(document.identificatie);
    if (there !== undefined) {
      if (there.omvang === document.omvang && there.sha256 === document.sha256) return stored(there);
      throw new UpstreamError(BRON, 'unavailable', 'another document has our identificatie', { undone: true });
    }
    if (quirk === 'sim-storing') throw noMeaning(BRON, 503, {});
    const key = keep(document, content);
    if (quirk === 'sim-kwijt') throw reset(BRON);
    if (quirk === 'sim-traag') await new Promise((resolve) => setTimeout(resolve, SLOW));
    return stored(kept.get(key) as Kept);
  }

  const question = (operation: string, patience = PATIENCE) => ({ operation, patience, retry: true });

  return {
    keep,
    put: (document, call) =>
      line.pass({ operation: 'document-maken', patience: KEEPING }, call, async (fault, begun) => {
        await demandAnswer(fault, begun);
        return put(document);
      }),
    find: (identificatie, call) =>
      line.pass(question('documenten-zoeken'), call, async (fault, begun) => {
        await demandAnswer(fault, begun);
        const there = byName(identificatie);
        return there === undefined ? null : stored(there);
      }),
    stat: (key, call) =>
      line.pass(question('document-lezen'), call, async (fault, begun) => {
        await demandAnswer(fault, begun);
        const there = kept.get(key);
        return there === undefined ? null : stored(there);
      }),
    open: (key, call) =>
      line.pass(question('document-downloaden'), call, async (fault, begun) => {
        await demandAnswer(fault, begun);
        const there = kept.get(key);
        if (there === undefined) return null;
        if (there.quirk === 'sim-leeg') throw new UpstreamError(BRON, 'unavailable', 'no content');
        const end = there.quirk === 'sim-half' ? Math.floor(there.omvang / 2) : undefined;
        return { omvang: there.omvang, bytes: bytesOf(there.content, end) };
      }),
    delete: (key, _, call) =>
      line.pass(question('document-verwijderen'), call, async (fault, begun) => {
        await demandAnswer(fault, begun);
        const there = kept.get(key);
        if (there?.quirk === 'sim-in-gebruik') return 'in-use';
        return kept.delete(key) ? 'deleted' : 'absent';
      }),
  };
}

const stored = ({ key, omvang, sha256 }: Kept): StoredDocument => ({ key, omvang, sha256 });

async function whole({ omvang, bytes }: NewDocument): Promise<Uint8Array> {
  const content = new Uint8Array(omvang);
  let at = 0;
  for await (const piece of bytes()) {
    content.set(piece, at);
    at += piece.length;
  }
  return content;
}

/** What faults of the answer come to for whoever reads it. */
async function demandAnswer(fault: FaultOn | null, begun: () => void): Promise<void> {
  switch (fault?.kind) {
    case 'status':
      throw noMeaning(BRON, refusalOf(fault).status, refusalOf(fault).headers ?? {});
    case 'garbage':
      throw new Failed(BRON, 'unreadable', 'not JSON');
    case 'wrong-schema':
      throw new Failed(BRON, 'unreadable', 'not the agreed shape', { onlyThis: true });
    case 'drip':
      // What it says of a document would take minutes at this pace: longer than any call lasts.
      begun();
      await new Promise(() => undefined);
  }
}
