/** Names of the operations of each upstream. `simulator/console/index.ts` makes this module from the simulators. */
export const OPERATIONS: Readonly<Record<string, readonly string[]>>;
/** Names of the professions of the register. */
export const BEROEPEN: readonly string[];
