import type { BriefStore } from '../ports/brief-store.ts';
import type { Brieven } from '../ports/brieven.ts';
import type { Brp } from '../ports/brp.ts';
import type { Register } from '../ports/register.ts';

/** Ports that the operations on the letter use. */
export interface BriefDeps {
  readonly register: Register;
  readonly brp: Brp;
  /** The register's side of a letter: cases, templates, passages and dispatch. */
  readonly brieven: Brieven;
  /** The service's own store of letters. */
  readonly briefStore: BriefStore;
}
