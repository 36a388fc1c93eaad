/**
 * Names of the operations in which a fault can be set, keyed by target: each upstream, and `dienst` for the service
 * itself. `simulator/console/index.ts` generates this module from the code of the simulators.
 */
export const OPERATIONS: Readonly<Record<string, readonly string[]>>;
/** The problem codes of the service. */
export const PROBLEM_CODES: readonly string[];
/** Names of the professions of the register. */
export const BEROEPEN: readonly string[];
/**
 * Number of days after which the simulated register grants a request by itself. A request that a case handler decides
 * on is never granted so.
 */
export const DECIDED_AFTER_DAYS: number;
