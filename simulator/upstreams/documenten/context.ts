import type { World } from '../../worlds/index.ts';
import type { DocumentFolder } from './document-folder.ts';

/** What an operation of the simulated document store works on: the world of the caller, and the stored documents. */
export interface DocumentStoreContext {
  readonly world: World;
  readonly shelf: DocumentFolder;
}
