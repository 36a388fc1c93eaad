/** What can be asked of each source; written by `simulator/console/index.ts` out of the simulators themselves. */
export const OPERATIONS: Readonly<Record<string, readonly string[]>>;
