import type { BriefStore } from '../ports/brief-store.ts';
import type { Brieven } from '../ports/brieven.ts';
import type { Brp } from '../ports/brp.ts';
import type { Register } from '../ports/register.ts';

/** The ports that the operations on the letter use. */
export interface BriefDeps {
  readonly register: Register;
  readonly brp: Brp;
  /** The register's interface for letters: cases, templates, passages and dispatch. */
  readonly brieven: Brieven;
  /** The service's own store of letters. */
  readonly briefStore: BriefStore;
}
