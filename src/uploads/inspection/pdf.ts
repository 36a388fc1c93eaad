import type { Spool } from '../transport/spool.ts';
import { type Encryption, encryptionOf, type Resolve } from './pdf-encryption.ts';
import { bytesOf, isDictionary, isReference, type PdfValue } from './pdf-objects.ts';
import { followOffsets, SEALED, Source, type Structure, searchObjects } from './pdf-structure.ts';

/**
 * The result of the inspection of a PDF. `sound`: the program of a reader shows its first page without a question.
 * `damaged`: it cannot be opened. Else how it is encrypted.
 */
export type PdfVerdict = 'sound' | 'damaged' | Exclude<Encryption, 'open'>;

/** The maximum number of objects of page trees that are read to find a page. */
const MAX_NODES = 64;
/** The maximum number of encryption dictionaries that are checked: each takes a millisecond. */
const MAX_ENCRYPTIONS = 4;

/**
 * Returns the verdict on a PDF. Like PDF readers, it follows the offsets in the file to the first page (ISO 32000-2,
 * 7.5). When that fails it repairs the file: it searches the whole file for objects and trailers.
 */
export async function inspectPdf(file: Spool): Promise<PdfVerdict> {
  const source = new Source(file);
  const verdict = await verdictOn(await followOffsets(source));
  return verdict === 'damaged' || verdict === 'unknown' ? verdictOn(await searchObjects(source)) : verdict;
}

async function verdictOn(structure: Structure | null): Promise<PdfVerdict> {
  if (structure === null) return 'damaged';
  const encryption = await encryptionIn(structure);
  if (encryption !== 'open') return encryption;
  return (await hasPage(structure)) ? 'sound' : 'damaged';
}

/** Returns how a PDF is encrypted: as the first of its trailers with `/Encrypt` says that does not simply open. */
async function encryptionIn({ trailers, load }: Structure): Promise<Encryption> {
  const resolve: Resolve = async (value) => {
    const target = isReference(value) ? await load(value.object) : value;
    return target === SEALED ? undefined : target;
  };
  const [id] = trailers.map((trailer) => trailer.get('ID')).filter((one) => Array.isArray(one));
  const entries = trailers.map((trailer) => trailer.get('Encrypt') ?? null).filter((entry) => entry !== null);
  const different = new Map(entries.map((entry) => [isReference(entry) ? entry.object : entry, entry]));
  if (different.size > MAX_ENCRYPTIONS) return 'unknown';
  for (const entry of different.values()) {
    const encrypt = await resolve(entry);
    const encryption = isDictionary(encrypt) ? await encryptionOf(encrypt, bytesOf(id?.[0]), resolve) : 'unknown';
    if (encryption !== 'open') return encryption;
  }
  return 'open';
}

/** Returns true when a trailer leads to a page, through the catalog and the page tree (7.7.2 and 7.7.3). */
async function hasPage({ trailers, load }: Structure): Promise<boolean> {
  const resolve = async (value: PdfValue | undefined) => (isReference(value) ? load(value.object) : value);
  let nodes = 0;
  for (const trailer of trailers) {
    const root = await resolve(trailer.get('Root'));
    if (root === SEALED) return true;
    const top = isDictionary(root) ? root.get('Pages') : undefined;
    for (const waiting = [top]; waiting.length > 0; nodes += 1) {
      if (nodes === MAX_NODES) return false;
      const entry = waiting.shift();
      const node = await resolve(entry);
      if (node === SEALED) return true;
      if (!isDictionary(node)) continue;
      const kids = await resolve(node.get('Kids'));
      if (kids === SEALED) return true;
      // PDF readers show as many pages as `Count` says, also none.
      const count = entry === top && kids !== undefined ? await resolve(node.get('Count')) : 1;
      if (count !== SEALED && !(typeof count === 'number' && count > 0)) break;
      if (Array.isArray(kids)) waiting.unshift(...kids.slice(0, MAX_NODES));
      else if (entry !== top || node.get('Type') === 'Page') return true;
    }
  }
  return false;
}
