import type { BriefSjabloon } from '../../fixtures/correspondence/sjabloon.ts';
import type { LetterParagraph } from '../letters/letter.ts';

/**
 * The values of the variables in a letter template, keyed by name of the variable. A line with a variable whose value
 * is null is left out.
 */
export type TemplateValues = Readonly<Record<string, string | null>>;

const KEY = /\{\{(\w+)\}\}/g;

/**
 * Returns the subject and the paragraphs of a letter template, with its variables filled in. Throws when the template
 * has a variable that is not in `facts`.
 */
export function fillTemplate(
  { onderwerp, regels }: BriefSjabloon,
  facts: TemplateValues,
): { readonly onderwerp: string; readonly paragraphs: readonly LetterParagraph[] } {
  return {
    onderwerp: fillLine(onderwerp, facts) ?? '',
    paragraphs: regels.flatMap((regel) => {
      const text = fillLine(regel, facts);
      return text === null ? [] : [paragraphOf(regel, text)];
    }),
  };
}

/**
 * Returns a line of a template with its variables filled in; null when a variable in it is null. Throws when a variable
 * in it is not in `facts`.
 */
function fillLine(line: string, facts: TemplateValues): string | null {
  const keys = [...line.matchAll(KEY)].map(([, key = '']) => key);
  const unknown = keys.find((key) => facts[key] === undefined);
  if (unknown !== undefined) throw new Error(`no fact ${unknown} for the line: ${line}`);
  return keys.some((key) => facts[key] === null) ? null : line.replaceAll(KEY, (_, key) => facts[key] ?? '');
}

/** Returns a line as a paragraph. Its kind depends on the template alone, not on what the variables begin with. */
function paragraphOf(regel: string, text: string): LetterParagraph {
  if (regel.startsWith('## ')) return { list: null, heading: true, spans: [{ text: text.slice(3) }] };
  if (regel.startsWith('- ')) return { list: 'bullet', spans: [{ text: text.slice(2) }] };
  return { list: null, spans: [{ text }] };
}
