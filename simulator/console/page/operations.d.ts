/** Names of the operations of each upstream and of the service. `simulator/console/index.ts` makes this module from the simulators. */
export const OPERATIONS: Readonly<Record<string, readonly string[]>>;
/** Codes of the problems that the service can answer with. */
export const PROBLEM_CODES: readonly string[];
/** Names of the professions of the register. */
export const BEROEPEN: readonly string[];
/** Days after which a request that nobody has to judge is granted. */
export const DECIDED_AFTER_DAYS: number;
