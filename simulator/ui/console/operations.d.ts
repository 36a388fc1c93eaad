/** The operations in which a fault can be set, keyed by target: an upstream, or `dienst` for the service itself. */
export const OPERATIONS: Readonly<Record<string, readonly string[]>>;
export const PROBLEM_CODES: readonly string[];
export const BEROEPEN: readonly string[];
/** Number of days after which the simulated register grants a request, unless a case handler decides on it. */
export const DECIDED_AFTER_DAYS: number;
