import type { SimulatedOperation } from '../transport/operation.ts';
import type { SimulatedUpstream } from '../worlds/faults.ts';
import { brpOperations } from './brp/index.ts';
import { documentenOperations } from './documenten/index.ts';
import { duoOperations } from './duo.ts';
import { registerOperations } from './register/index.ts';

/** The operations of each upstream that a fault can name. */
export type FaultOperations = Readonly<
  Record<SimulatedUpstream, readonly Pick<SimulatedOperation<never>, 'name' | 'emptyBody'>[]>
>;

export const FAULT_OPERATIONS: FaultOperations = {
  register: registerOperations,
  brp: brpOperations,
  duo: duoOperations,
  documenten: documentenOperations,
  scanner: [{ name: 'scannen' }],
};
