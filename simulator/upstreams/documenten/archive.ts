import type { World } from '../../worlds/index.ts';
import type { Shelf } from './shelf.ts';

/** In whose documents, and at what time there. */
export interface Archive {
  readonly world: World;
  readonly shelf: Shelf;
}
