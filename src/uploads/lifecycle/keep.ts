import { type Call, UpstreamError } from '../../ports/call.ts';
import type { Documents, NewDocument, StoredDocument } from '../../ports/documents.ts';

/** What the store of documents calls it: ours, in forty characters or less. */
export const identificatieOf = (documentId: string): string => `ZR-${documentId.replaceAll('-', '')}`;

/**
 * Brings a document to its store, and knows that it is there: after a try that failed without an end it looks. Throws as the
 * store did when it is not there, or not all of it.
 */
export async function keep(documents: Documents, document: NewDocument, call: Call): Promise<StoredDocument> {
  try {
    const stored = await documents.put(document, call);
    if (isWhole(stored, document)) return stored;
  } catch (error) {
    if (!(error instanceof UpstreamError) || error.undone) throw error;
    const arrived = await documents.find(document.identificatie, call).catch(() => null);
    if (isWhole(arrived, document)) return arrived;
    throw error;
  }
  throw new UpstreamError('documenten', 'unreadable', 'it confirmed another document than ours');
}

/** The same size, and where the store keeps one the same hash. */
export const isWhole = (
  stored: StoredDocument | null,
  { omvang, sha256 }: Pick<NewDocument, 'omvang' | 'sha256'>,
): stored is StoredDocument => stored !== null && stored.omvang === omvang && (stored.sha256 ?? sha256) === sha256;
