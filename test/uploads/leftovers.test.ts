import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { UpstreamError } from '../../src/ports/call.ts';
import { removeDocuments } from '../../src/uploads/documents.ts';
import { controlOf } from '../support/control.ts';
import { pdf } from '../support/files.ts';
import { upload } from '../support/multipart.ts';
import { temporaryFolder } from '../support/run-folder.ts';
import { accepted, keep, startService } from '../support/service.ts';
import { WAIT_MS } from '../support/time.ts';
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

it('the document of an upload whose client does not try again is removed from the document store by the sweeper', async () => {
  const folder = temporaryFolder('leftover');
  const env = { DATA_DIR: folder };
  const stored = () => readdirSync(join(folder, 'documenten')).filter((name) => name.endsWith('.json'));
  const first = await startService(env);
  const world = controlOf(first).in('default');
  for (const [operation, kind] of Object.entries({ 'document-maken': 'lost', 'documenten-zoeken': 'status' }))
    await accepted(world.post('/faults', { upstream: 'documenten', operation, kind }));
  expect((await upload(first, 'sanne-de-wit', { file: pdf() })).status).toBe(503);
  expect(stored()).toHaveLength(1);
  await world.delete('/faults');
  await first.close();

  const change = (statement: string) => {
    const database = new DatabaseSync(join(folder, 'zorgregister.sqlite'));
    database.exec(statement);
    database.close();
  };
  // The first round notes that the document is left over, and a round long after that deletes it.
  change('update uploads set "createdAt" = 1');
  await (await startService(env)).close();
  change('update leftovers set since = 1');
  keep(await startService(env));
  await expect.poll(stored, { timeout: WAIT_MS }).toEqual([]);
});
