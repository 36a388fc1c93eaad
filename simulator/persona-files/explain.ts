import type { PersonaFault } from './rules.ts';

/** Maximum number of allowed values in a sentence; more are in the JSON Schema. */
const MAX_ALLOWED = 30;

/** Returns a fault as one line: file, JSON Pointer, what is wrong, and what is allowed. */
export function explainFault({ file, pointer, detail, allowed = [] }: PersonaFault): string {
  const more = allowed.length > MAX_ALLOWED ? ', …' : '';
  const choice = allowed.length === 0 ? '' : ` Allowed: ${allowed.slice(0, MAX_ALLOWED).join(', ')}${more}.`;
  return `${file}${pointer && ` ${pointer}`}: ${detail}${choice}`;
}
