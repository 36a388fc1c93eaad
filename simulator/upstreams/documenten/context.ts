import type { SimulatedAnswer, SimulatedRequest } from '../../transport/operation.ts';
import type { World } from '../../worlds/index.ts';
import type { DocumentFolder } from './document-folder.ts';
import { fout } from './fout.ts';
import type { SimulatedDocument } from './simulated-document.ts';

/** The first argument of each operation of the simulated document store. */
export interface DocumentStoreContext {
  readonly world: World;
  readonly documentFolder: DocumentFolder;
}

/**
 * An operation of the simulated document store. It does not check the token. `id` is the id in the path; empty for a
 * path without id.
 */
export type DocumentOperation = (
  context: DocumentStoreContext,
  request: SimulatedRequest,
  id: string,
) => SimulatedAnswer;

/** Returns an operation that calls `run` with the document whose id is in the path, or answers 404. */
export const onDocument =
  (
    run: (document: SimulatedDocument, request: SimulatedRequest, documentFolder: DocumentFolder) => SimulatedAnswer,
  ): DocumentOperation =>
  ({ documentFolder }, request, id) => {
    const document = documentFolder.find(id);
    return document === undefined ? fout(404, 'not_found') : run(document, request, documentFolder);
  };
