import { type Call, UpstreamError } from '../../ports/call.ts';
import type { Documents, NewDocument, StoredDocument } from '../../ports/documents.ts';

/**
 * Returns the `identificatie` under which the document store knows the document with this id: `ZR-` and 32 characters.
 * The document store allows at most 40 characters.
 */
export const identificatieOf = (documentId: string): string => `ZR-${documentId.replaceAll('-', '')}`;

/**
 * Returns the id of the document with this `identificatie`: the inverse of `identificatieOf`. Returns null for an
 * `identificatie` that this service does not make.
 */
export const documentIdOf = (identificatie: string): string | null =>
  /^ZR-[0-9a-f]{32}$/.test(identificatie)
    ? identificatie.replace(/^ZR-(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    : null;

/**
 * Stores a document in the document store, checks that the confirmation has the same size and hash, and returns it.
 * When the outcome of the call is unknown, looks whether the document store has the document. Throws `UpstreamError`
 * when the document was not stored completely, or when that is unknown.
 *
 * A gateway can refuse a large document by closing the connection. When the store then says that it does not have the
 * document, the document is sent once more. When that ends in the same way, it is almost certainly too large, and the error
 * says so, as it does after a refusal because of the size.
 */
export async function storeDocument(documents: Documents, document: NewDocument, call: Call): Promise<StoredDocument> {
  const first = await storeOrLook(documents, document, call);
  if (first !== 'closed') return first;
  const second = await storeOrLook(documents, document, call);
  if (second !== 'closed') return second;
  const facts = { lost: true, tooLarge: 'certain' } as const;
  throw new UpstreamError('documenten', 'unavailable', 'closed the connection twice during a large document', facts);
}

/**
 * Makes one attempt to store a document. Returns `closed` when the document store closed the connection and does not have
 * the document, which is large.
 */
async function storeOrLook(
  documents: Documents,
  document: NewDocument,
  call: Call,
): Promise<StoredDocument | 'closed'> {
  try {
    const stored = await documents.put(document, call);
    if (isStoredCompletely(stored, document)) return stored;
  } catch (error) {
    if (!(error instanceof UpstreamError) || error.undone) throw error;
    const arrived = await documents.find(document.identificatie, call).catch(() => undefined);
    if (isStoredCompletely(arrived ?? null, document)) return arrived as StoredDocument;
    if (error.tooLarge === 'possible' && arrived === null) return 'closed';
    throw error;
  }
  throw new UpstreamError('documenten', 'unreadable', 'it confirmed another document than ours');
}

/**
 * Returns true when the stored document has this size and this SHA-256. When the document store has no hash, only the
 * size is compared. Returns false for null.
 */
export const isStoredCompletely = (
  stored: StoredDocument | null,
  { omvang, sha256 }: Pick<NewDocument, 'omvang' | 'sha256'>,
): stored is StoredDocument => stored !== null && stored.omvang === omvang && (stored.sha256 ?? sha256) === sha256;
