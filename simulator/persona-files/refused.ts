import type { PersonaFinding } from './rules.ts';

/** The error with which one persona file is refused. It has all faults of that file. */
export class Refused extends Error {
  readonly findings: readonly PersonaFinding[];

  constructor(findings: readonly PersonaFinding[]) {
    super('the file is refused');
    this.findings = findings;
  }
}

/** Returns the error for a file with one fault, at `pointer` (a JSON Pointer). `allowed` are the values that it may have. */
export const refused = (pointer: string, detail: string, allowed?: readonly string[]): Refused =>
  new Refused([{ pointer, detail, ...(allowed && { allowed }) }]);
