// An application lists ids (`documentIds`), and the upload of a document has a link to each application that was
// submitted with it (`links`), which keeps it from being deleted.
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { NewApplication } from '../../src/ports/store/applications.ts';
import { inListOf } from './claims.ts';
import type { Tables } from './schema.ts';

type Database = Kysely<Tables>;

export const linkOf = (applicationId: string): string => `|${applicationId}|`;

/**
 * True for an upload to which no application of its owner refers. Document ids are UUIDs, so a text search in the JSON
 * list of ids gives no false matches.
 */
export const isUnmentioned = sql<boolean>`not exists (
  select 1 from applications
  where applications.owner = uploads.owner and applications."documentIds" like '%"' || uploads."documentId" || '"%')`;

export async function findLinkedDocuments(db: Database, owner: string, applicationId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('uploads')
    .select('documentId')
    .where('owner', '=', owner)
    .where('links', 'like', `%${linkOf(applicationId)}%`)
    .execute();
  return rows.map(({ documentId }) => documentId);
}

/** Removes the links of an application; with `documentIds`, only those of these documents. */
export async function unlink(
  db: Database,
  owner: string,
  applicationId: string,
  documentIds?: readonly string[],
): Promise<void> {
  const link = linkOf(applicationId);
  await db
    .updateTable('uploads')
    .set({ links: sql`replace(links, ${link}, '')` })
    .where('owner', '=', owner)
    .where('links', 'like', `%${link}%`)
    .$if(documentIds !== undefined, (query) => query.where('documentId', 'in', inListOf(documentIds ?? [])))
    .execute();
}

export async function unlinkOthers(
  db: Database,
  { owner, id, documentIds = [] }: Pick<NewApplication, 'owner' | 'id' | 'documentIds'>,
): Promise<void> {
  const linked = await findLinkedDocuments(db, owner, id);
  const others = linked.filter((documentId) => !documentIds.includes(documentId));
  await unlink(db, owner, id, others);
}

export async function findUnlinkedDocuments(db: Database, id: string): Promise<readonly string[]> {
  const row = await db
    .selectFrom('applications')
    .select(['owner', 'documentIds'])
    .where('id', '=', id)
    .executeTakeFirst();
  const listed: readonly string[] = JSON.parse(row?.documentIds ?? '[]');
  if (row === undefined || listed.length === 0) return [];
  const linked = await findLinkedDocuments(db, row.owner, id);
  return listed.filter((documentId) => !linked.includes(documentId));
}

/** Removes a document from all applications of its owner that list it, in any state. */
export async function dropDocument(db: Database, owner: string, documentId: string): Promise<void> {
  await db
    .updateTable('applications')
    .set({ documentIds: withoutDocuments([documentId]), version: sql`version + 1` })
    .where('owner', '=', owner)
    .where('documentIds', 'like', `%${JSON.stringify(documentId)}%`)
    .execute();
}

/** The database computes the new list from the current one, so that a concurrent change is not lost. */
export const withoutDocuments = (documentIds: readonly string[]): RawBuilder<string> =>
  documentIds.reduce<RawBuilder<string>>((list, documentId) => {
    const item = JSON.stringify(documentId);
    return sql`replace(replace(replace(${list}, ${`${item},`}, ''), ${`,${item}`}, ''), ${item}, '')`;
  }, sql.ref('documentIds'));
