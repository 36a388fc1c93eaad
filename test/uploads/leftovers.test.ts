import { describe, expect, it } from 'vitest';
import { UpstreamError } from '../../src/ports/call.ts';
import { removeDocuments } from '../../src/uploads/documents.ts';
import { testCall } from '../support/upstreams/call.ts';

/** Returns stores with these documents of a removed draft application, and the ids that were removed from the database. */
function storesOf(documentIds: readonly string[], remove: (key: string) => Promise<unknown>) {
  const removed: string[] = [];
  const stores = {
    uploads: {
      abandon: async () => documentIds.map((documentId) => ({ documentId, key: documentId })),
      removed: async (documentId: string) => removed.push(documentId),
    },
    documents: { delete: remove },
  } as unknown as Parameters<typeof removeDocuments>[0];
  return { stores, removed };
}

describe('the documents of a removed draft application', () => {
  it('are all deleted before the answer, except one that the document store cannot delete', async () => {
    const slow = Promise.withResolvers<string>();
    const { stores, removed } = storesOf(['a', 'b'], async (key) => {
      if (key === 'b') return slow.promise;
      setImmediate(slow.resolve, 'deleted');
      throw new UpstreamError('documenten', 'unavailable', 'status 500');
    });
    await removeDocuments(stores, 'sanne', ['a', 'b'], testCall());
    expect(removed).toEqual(['b']);
  });

  it('report a failure of the own database, also after one of the document store', async () => {
    const { stores } = storesOf(['a', 'b'], async (key) => {
      throw key === 'a' ? new UpstreamError('documenten', 'unavailable', 'status 500') : new Error('disk full');
    });
    await expect(removeDocuments(stores, 'sanne', ['a', 'b'], testCall())).rejects.toThrow('disk full');
  });
});
