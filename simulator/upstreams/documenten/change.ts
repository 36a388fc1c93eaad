import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { SimulatedAnswer, SimulatedRequest } from '../../transport/operation.ts';
import { type DocumentStoreContext, onDocument } from './context.ts';
import { newLock } from './create.ts';
import type { DocumentFolder } from './document-folder.ts';
import { fout, nonFieldError } from './fout.ts';
import type { SimulatedDocument } from './simulated-document.ts';
import { toDeel, toWire } from './wire.ts';

const lockOf = (body: unknown): string => {
  const lock = (body as { lock?: unknown } | null | undefined)?.lock;
  return typeof lock === 'string' ? lock : '';
};

/** Locks a document and answers with the lock id. Answers 404 for an unknown document, and 400 for a locked one. */
export const lock = onDocument((document, _, documentFolder) => {
  if (document.lock !== '') return nonFieldError('existing-lock', 'The document is already locked');
  const locked = { ...document, lock: newLock() };
  documentFolder.put(locked);
  return { status: 200, body: { lock: locked.lock } };
});

/**
 * Unlocks a document and answers 204. When it has file parts, they first become its content. Answers 404 for an unknown
 * document, and 400 when it is not locked, the lock id is wrong or a file part is missing. Answers 500 for a document
 * whose size was changed to null, as Open Zaak does.
 */
export const unlock = onDocument((document, { body }, documentFolder) => {
  if (document.lock === '' || lockOf(body) !== document.lock)
    return nonFieldError('incorrect-lock-id', 'Lock id is not correct');
  if (document.omvang === null) return fout(500, 'error', 'Internal Server Error');
  if (document.delen.length > 0) {
    if (document.delen.every(({ voltooid }) => !voltooid))
      return nonFieldError('file-size', 'Either file should be upload or the file size = 0');
    if (document.delen.some(({ voltooid }) => !voltooid))
      return nonFieldError('incomplete-upload', 'Upload of part files is not complete');
    assemble(documentFolder, document);
  }
  documentFolder.put({ ...document, lock: '', delen: [] });
  return { status: 204 };
});

const partFile = (documentFolder: DocumentFolder, uuid: string): string => join(documentFolder.folder, `${uuid}.bin`);

function assemble(documentFolder: DocumentFolder, { uuid, delen }: SimulatedDocument): void {
  const path = join(documentFolder.folder, `${uuid}.part`);
  // A process that was killed while it wrote the file leaves it behind.
  rmSync(path, { force: true });
  for (const deel of delen) appendFileSync(path, readFileSync(partFile(documentFolder, deel.uuid)));
  documentFolder.fill(uuid, path);
  dropParts(documentFolder, delen);
}

function dropParts(documentFolder: DocumentFolder, delen: SimulatedDocument['delen']): void {
  for (const deel of delen) rmSync(partFile(documentFolder, deel.uuid), { force: true });
}

/**
 * Changes the metadata of a locked document to those in the request, increases its version number by one, and answers
 * with all metadata. Answers 404 for an unknown document, and 400 when it is not locked or the lock id is missing or
 * wrong.
 */
export const change = onDocument((document, { body }, documentFolder) => {
  if (document.lock === '') return nonFieldError('unlocked', "Unlocked document can't be modified");
  if (lockOf(body) === '') return nonFieldError('missing-lock-id', 'The lock id is required');
  if (lockOf(body) !== document.lock) return nonFieldError('incorrect-lock-id', 'Lock id is not correct');
  const { lock: _lock, inhoud: _inhoud, bestandsomvang, ...rest } = body as Record<string, unknown>;
  dropParts(documentFolder, document.delen);
  const changed = {
    ...document,
    metadata: { ...document.metadata, ...rest },
    versie: document.versie + 1,
    delen: [],
    omvang: typeof bestandsomvang === 'number' || bestandsomvang === null ? bestandsomvang : document.omvang,
  };
  documentFolder.put(changed);
  return { status: 200, body: toWire(changed, 'created') };
});

/**
 * Stores the content of one file part of a document, and answers with the part. Answers 404 when no locked document has
 * this part, and 400 when the lock id or the size is wrong.
 */
export function putPart(
  { documentFolder }: DocumentStoreContext,
  { body, file }: SimulatedRequest,
  id: string,
): SimulatedAnswer {
  const document = [...documentFolder.all()].find(({ delen }) => delen.some(({ uuid }) => uuid === id));
  const index = document?.delen.findIndex(({ uuid }) => uuid === id) ?? -1;
  const deel = document?.delen[index];
  if (document === undefined || deel === undefined) return fout(404, 'not_found');
  if (lockOf(body) !== document.lock) return nonFieldError('incorrect-lock-id', 'Lock id is not correct');
  if (file === undefined || file.size !== deel.omvang)
    return nonFieldError('file-size', 'Het aangeleverde bestand heeft een afwijkende bestandsgrootte.');
  documentFolder.fill(deel.uuid, file.path);
  const done = { ...deel, voltooid: true };
  documentFolder.put({ ...document, delen: document.delen.map((one) => (one.uuid === id ? done : one)) });
  return { status: 200, body: toDeel(done, index, document.lock) };
}
