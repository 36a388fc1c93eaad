import type { PersonaFault } from './rules.ts';

/** Maximum number of allowed values in a message. The JSON Schema of persona files has all of them. */
const MAX_ALLOWED = 30;

/** Returns an English line about a fault in a file: the file, the JSON Pointer, what is wrong, and what is allowed. */
export function explainFault({ file, pointer, detail, allowed = [] }: PersonaFault): string {
  const more = allowed.length > MAX_ALLOWED ? ', …' : '';
  const choice = allowed.length === 0 ? '' : ` Allowed: ${allowed.slice(0, MAX_ALLOWED).join(', ')}${more}.`;
  return `${file}${pointer && ` ${pointer}`}: ${detail}${choice}`;
}
