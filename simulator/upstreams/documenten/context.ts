import type { World } from '../../worlds/index.ts';
import type { DocumentFolder } from './document-folder.ts';

/** The first argument of each operation of the simulated document store. */
export interface DocumentStoreContext {
  readonly world: World;
  readonly documentFolder: DocumentFolder;
}
