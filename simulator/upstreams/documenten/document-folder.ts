import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '../../../adapters/store/files.ts';
import type { FileContent } from '../../transport/operation.ts';
import { PARTIAL_SUFFIX, writeFileAtomically } from '../../worlds/atomic-write.ts';
import type { StoreSeedDocument } from '../../worlds/seeded-stores.ts';
import { DOCUMENTS_ACCESS } from './access.ts';
import { identificatieOf, readStoredDocument, type SimulatedDocument } from './simulated-document.ts';

/** The documents in a folder: `<uuid>.json` has the metadata of a document, and `<uuid>.bin` its content. */
export interface DocumentFolder {
  readonly folder: string;
  /** Paths of metadata files that could not be read when the folder was opened. */
  readonly unreadable: readonly string[];
  /** Those that this process has found or stored. */
  all(): Iterable<SimulatedDocument>;
  /** Returns the document with this id, also when another process stored it; undefined when there is none. */
  find(uuid: string): SimulatedDocument | undefined;
  /** When it cannot write the metadata of a new document, it also deletes the content: nothing refers to that. */
  put(document: SimulatedDocument): void;
  /** Writes the metadata and the content (null: no content) of a document. Makes the folder when it was deleted. */
  store(document: SimulatedDocument, content: Uint8Array | null): void;
  /** The received file at `path` becomes the content of the document with this id. */
  fill(uuid: string, path: string): void;
  /** Null when the content is empty, or when this process has not found or stored the document. */
  content(uuid: string): FileContent | null;
  /** Deletes the metadata and the content of a document. */
  remove(uuid: string): void;
  /** Deletes the folder when it is temporary (`:memory:`). */
  close(): void;
}

/** Matches a valid document id. An id is used as a file name, so it may not contain a path. */
const UUID = /^[\w-]{36}$/;

/**
 * Opens the folder `<dataDir>/documenten`, or a new temporary folder for `:memory:`. Deletes files that were not
 * completely written, unless `isShared` is true: another process may still write them.
 */
export function openDocumentFolder(dataDir: string, isShared = false): DocumentFolder {
  const isTemporary = dataDir === ':memory:';
  const folder = isTemporary ? mkdtempSync(join(tmpdir(), 'zorgregister-documenten-')) : join(dataDir, 'documenten');
  makeFolder(folder);
  const documents = new Map<string, SimulatedDocument>();
  const unreadable: string[] = [];
  for (const name of readdirSync(folder)) {
    // Deletes an unfinished file of a process that has ended.
    if (name.endsWith(PARTIAL_SUFFIX) && !isShared) rmSync(join(folder, name));
    if (!name.endsWith('.json')) continue;
    const document = readStoredDocument(join(folder, name));
    if (document === null) unreadable.push(join(folder, name));
    else documents.set(document.uuid, document);
  }
  const fileOf = (uuid: string, kind: 'json' | 'bin'): string => {
    if (!UUID.test(uuid)) throw new Error('invalid document id');
    return join(folder, `${uuid}.${kind}`);
  };

  const find = (uuid: string): SimulatedDocument | undefined => {
    const known = documents.get(uuid);
    if (!UUID.test(uuid)) return known;
    // Another process may have written or deleted it.
    if (known !== undefined && existsSync(fileOf(uuid, 'json'))) return known;
    documents.delete(uuid);
    const document = readStoredDocument(fileOf(uuid, 'json'));
    if (document === null) return undefined;
    documents.set(uuid, document);
    return document;
  };
  const put = (document: SimulatedDocument): void => {
    const path = fileOf(document.uuid, 'json');
    try {
      writeFileAtomically(path, JSON.stringify(document, null, 2));
    } catch (error) {
      if (!existsSync(path)) rmSync(fileOf(document.uuid, 'bin'), { force: true });
      throw error;
    }
    documents.set(document.uuid, document);
  };

  return {
    folder,
    unreadable,
    all: () => documents.values(),
    find,
    put,
    store(document, content) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (content !== null) writeFileAtomically(fileOf(document.uuid, 'bin'), content);
      put(document);
    },
    fill: (uuid, path) => renameSync(path, fileOf(uuid, 'bin')),
    content(uuid) {
      const omvang = documents.get(uuid)?.omvang ?? 0;
      return omvang === 0 ? null : { path: fileOf(uuid, 'bin'), size: omvang };
    },
    remove(uuid) {
      if (!UUID.test(uuid)) return;
      documents.delete(uuid);
      rmSync(fileOf(uuid, 'json'), { force: true });
      rmSync(fileOf(uuid, 'bin'), { force: true });
    },
    close() {
      if (isTemporary) rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const eraseDocumentFolder = (dataDir: string): void => {
  if (dataDir !== ':memory:') rmSync(join(dataDir, 'documenten'), { recursive: true, force: true });
};

/** Returns a function that stores a document of a persona, with metadata like those that the service sends. */
export const storeDocumentIn =
  (documentFolder: DocumentFolder): StoreSeedDocument =>
  ({ documentId, bestandsnaam, formaat, omvang, sha256 }, bytes, { owner, today }) => {
    const document = {
      uuid: documentId,
      metadata: {
        identificatie: identificatieOf(documentId),
        bronorganisatie: DOCUMENTS_ACCESS.rsin,
        informatieobjecttype: DOCUMENTS_ACCESS.informatieobjecttype,
        creatiedatum: today,
        titel: bestandsnaam,
        auteur: 'Aanvrager',
        taal: 'dut',
        status: 'definitief',
        indicatieGebruiksrecht: false,
        beschrijving: `Van ${owner}`,
        bestandsnaam,
        formaat,
        integriteit: { algoritme: 'sha_256', waarde: sha256, datum: today },
      },
      omvang,
      versie: 1,
      beginRegistratie: `${today}T09:15:00Z`,
    };
    documentFolder.store(document, bytes);
    return documentId;
  };
