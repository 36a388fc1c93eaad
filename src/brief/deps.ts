import type { Brieven } from '../ports/brieven.ts';
import type { Brp } from '../ports/brp.ts';
import type { Register } from '../ports/register.ts';
import type { BriefStore } from '../ports/store/brief-store.ts';

/** The ports that the operations on a letter use. */
export interface BriefDeps {
  readonly register: Register;
  readonly brp: Brp;
  /** The register's interface for letters. */
  readonly brieven: Brieven;
  readonly briefStore: BriefStore;
}
