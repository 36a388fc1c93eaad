import type { PersonaFinding } from './rules.ts';

/** The error for a persona file that is refused, with all faults in that file. */
export class RefusedFileError extends Error {
  readonly findings: readonly PersonaFinding[];

  constructor(findings: readonly PersonaFinding[]) {
    super('the file is refused');
    this.findings = findings;
  }
}

/**
 * Returns the error for a file with one fault, at `pointer` (a JSON Pointer). `allowed` are the values that are allowed
 * there.
 */
export const fileRefused = (pointer: string, detail: string, allowed?: readonly string[]): RefusedFileError =>
  new RefusedFileError([{ pointer, detail, ...(allowed && { allowed }) }]);
