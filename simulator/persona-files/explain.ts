import { withEscapes } from '../text.ts';
import type { PersonaFault } from './rules.ts';

const MAX_ALLOWED = 30;

/** Returns a fault in a persona file as one English line, with escapes for line feeds and what a terminal acts on. */
export function explainFault({ file, pointer, detail, allowed = [] }: PersonaFault): string {
  const more = allowed.length > MAX_ALLOWED ? ', …' : '';
  const choice = allowed.length === 0 ? '' : ` Allowed: ${allowed.slice(0, MAX_ALLOWED).join(', ')}${more}.`;
  return withEscapes(`${file}${pointer && ` ${pointer}`}: ${detail}${choice}`).replaceAll('\n', '\\n');
}
