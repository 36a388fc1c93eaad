import type { Brieven } from '../ports/brieven.ts';
import type { Brp } from '../ports/brp.ts';
import type { Register } from '../ports/register.ts';
import type { BriefStore } from '../ports/store/brief-store.ts';

/** The ports that the operations on the letter use. */
export interface BriefDeps {
  readonly register: Register;
  readonly brp: Brp;
  /** The register's interface for letters: assignments, templates, passages and delivery. */
  readonly brieven: Brieven;
  /** The store of letters of this service. */
  readonly briefStore: BriefStore;
}
