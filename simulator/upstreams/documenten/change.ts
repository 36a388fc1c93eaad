import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { SimulatedAnswer, SimulatedRequest } from '../../transport/operation.ts';
import type { Archive } from './archive.ts';
import { newLock } from './create.ts';
import { fout, whole } from './fout.ts';
import type { Kept } from './kept.ts';
import type { Shelf } from './shelf.ts';
import { toDeel, toWire } from './wire.ts';

const lockOf = (body: unknown): string => {
  const lock = (body as { lock?: unknown } | null | undefined)?.lock;
  return typeof lock === 'string' ? lock : '';
};

export function lock({ shelf }: Archive, _: SimulatedRequest, id: string): SimulatedAnswer {
  const kept = shelf.find(id);
  if (kept === undefined) return fout(404, 'not_found');
  if (kept.lock !== '') return whole('existing-lock', 'The document is already locked');
  const locked = { ...kept, lock: newLock() };
  shelf.put(locked);
  return { status: 200, body: { lock: locked.lock } };
}

/** With parts missing it stays locked: our scopes do not include a forced unlock. */
export function unlock({ shelf }: Archive, { body }: SimulatedRequest, id: string): SimulatedAnswer {
  const kept = shelf.find(id);
  if (kept === undefined) return fout(404, 'not_found');
  if (kept.lock === '' || lockOf(body) !== kept.lock) return whole('incorrect-lock-id', 'Lock id is not correct');
  if (kept.delen.length > 0) {
    if (kept.delen.every(({ voltooid }) => !voltooid))
      return whole('file-size', 'Either file should be upload or the file size = 0');
    if (kept.delen.some(({ voltooid }) => !voltooid))
      return whole('incomplete-upload', 'Upload of part files is not complete');
    assemble(shelf, kept);
  }
  shelf.put({ ...kept, lock: '', delen: [] });
  return { status: 204 };
}

const partFile = (shelf: Shelf, uuid: string): string => join(shelf.folder, `${uuid}.bin`);

function assemble(shelf: Shelf, { uuid, delen }: Kept): void {
  const path = join(shelf.folder, `${uuid}.part`);
  for (const deel of delen) appendFileSync(path, readFileSync(partFile(shelf, deel.uuid)));
  shelf.fill(uuid, path);
  dropParts(shelf, delen);
}

function dropParts(shelf: Shelf, delen: Kept['delen']): void {
  for (const deel of delen) rmSync(partFile(shelf, deel.uuid), { force: true });
}

/** Each change makes a version; one to an upload that is not finished throws its parts away. */
export function change({ shelf }: Archive, { body }: SimulatedRequest, id: string): SimulatedAnswer {
  const kept = shelf.find(id);
  if (kept === undefined) return fout(404, 'not_found');
  if (kept.lock === '') return whole('unlocked', "Unlocked document can't be modified");
  if (lockOf(body) === '') return whole('missing-lock-id', 'The lock id is required');
  if (lockOf(body) !== kept.lock) return whole('incorrect-lock-id', 'Lock id is not correct');
  const { lock: _lock, inhoud: _inhoud, bestandsomvang, ...rest } = body as Record<string, unknown>;
  dropParts(shelf, kept.delen);
  const changed = {
    ...kept,
    metadata: { ...kept.metadata, ...rest },
    versie: kept.versie + 1,
    delen: [],
    omvang: typeof bestandsomvang === 'number' ? bestandsomvang : kept.omvang,
  };
  shelf.put(changed);
  return { status: 200, body: toWire(changed, 'created') };
}

export function putPart({ shelf }: Archive, { body, file }: SimulatedRequest, id: string): SimulatedAnswer {
  const kept = [...shelf.all()].find(({ delen }) => delen.some(({ uuid }) => uuid === id));
  const index = kept?.delen.findIndex(({ uuid }) => uuid === id) ?? -1;
  const deel = kept?.delen[index];
  if (kept === undefined || deel === undefined) return fout(404, 'not_found');
  if (lockOf(body) !== kept.lock) return whole('incorrect-lock-id', 'Lock id is not correct');
  if (file === undefined || file.size !== deel.omvang)
    return whole('file-size', 'Het aangeleverde bestand heeft een afwijkende bestandsgrootte.');
  shelf.fill(deel.uuid, file.path);
  const done = { ...deel, voltooid: true };
  shelf.put({ ...kept, delen: kept.delen.map((one) => (one.uuid === id ? done : one)) });
  return { status: 200, body: toDeel(done, index, kept.lock) };
}
