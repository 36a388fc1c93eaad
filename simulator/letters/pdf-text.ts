import type { LetterParagraph, LetterSpan } from './letter.ts';

/**
 * Returns a paragraph in which a word may be broken (at a zero-width space) after 60 characters. In a word that is longer
 * than a line, pdfkit measures the rest again for each character: a word of 10,000 characters took seconds.
 */
export const withBreaks = (paragraph: LetterParagraph): LetterParagraph => ({
  ...paragraph,
  spans: paragraph.spans.map((span) => ({ ...span, text: span.text.replace(/\S{60}(?=\S)/gu, '$&\u200b') })),
});

/**
 * Returns the spans without the empty ones, and with each line feed at the end of a span moved to the start of the next
 * span. In a text that continues, pdfkit ignores a line feed at the end. Puts a space before each line feed (`linesOf`).
 */
export function withLineFeedsAtStart(spans: readonly LetterSpan[]): LetterSpan[] {
  let moved = '';
  return spans.flatMap((span) => {
    const all = moved + span.text;
    let end = all.length;
    while (all[end - 1] === '\n') end -= 1;
    moved = all.slice(end);
    return end === 0 ? [] : [{ ...span, text: linesOf(all.slice(0, end).split('\n')) }];
  });
}

/** Returns the lines as one text. The space before each line feed keeps words apart for a screen reader. */
export const linesOf = (lines: readonly string[]): string => lines.join(' \n');
