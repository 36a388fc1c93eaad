/**
 * Names of the operations of each upstream and of the service (`dienst`), keyed by the target of a fault.
 * `simulator/console/index.ts` generates this module from the code of the simulators.
 */
export const OPERATIONS: Readonly<Record<string, readonly string[]>>;
/** The problem codes of the service. */
export const PROBLEM_CODES: readonly string[];
/** Names of the professions of the register. */
export const BEROEPEN: readonly string[];
/** Number of days after which a request is granted automatically, when no case handler has to decide on it. */
export const DECIDED_AFTER_DAYS: number;
