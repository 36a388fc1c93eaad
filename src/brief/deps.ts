import type { BriefStore } from '../ports/brief-store.ts';
import type { Brieven } from '../ports/brieven.ts';
import type { Brp } from '../ports/brp.ts';
import type { Register } from '../ports/register.ts';

export interface BriefDeps {
  readonly register: Register;
  readonly brp: Brp;
  /** The letters as the register knows them. */
  readonly brieven: Brieven;
  /** The letters as we keep them. */
  readonly briefStore: BriefStore;
}
