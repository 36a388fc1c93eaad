import leven, { closestMatch } from 'leven';
import type { Sentence } from '../src/problem.ts';

/** Maximum number of characters of an unknown word that are compared with the known ones. */
const MAX_LENGTH = 40;

/**
 * Returns the word of `known` that is most similar; undefined when more than a third of the letters of the most similar
 * word are different.
 */
export function similarTo(word: string, known: readonly string[]): string | undefined {
  const given = word.slice(0, MAX_LENGTH);
  const near = closestMatch(given, known);
  return near !== undefined && leven(given, near) <= Math.ceil(near.length / 3) ? near : undefined;
}

/** Returns the three known words that are most similar to `word`, the nearest first. One that contains `word` is nearest. */
export const nearestTo = (word: string, known: readonly string[]): string[] =>
  known
    .map((one) => ({ one, distance: one.includes(word) ? 0 : leven(word, one) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ one }) => one);

/** Returns `said`, whether the user meant a similar known name, and the known names. */
export function unknownName(said: Sentence, name: string, known: readonly string[]): Sentence {
  const near = similarTo(name, known);
  return {
    detail: [said.detail, near && `Bedoelde u ${near}?`, `Er zijn: ${known.join(', ')}.`].filter(Boolean).join(' '),
    english: [said.english, near && `Did you mean ${near}?`, `There are: ${known.join(', ')}.`]
      .filter(Boolean)
      .join(' '),
  };
}

/** Matches what a terminal acts on: control characters except line feed and tab, and changes of the reading direction. */
const ACTED_ON = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/**
 * Returns the text with escapes for characters that a terminal acts on. JSON with such escapes (`\u001b`) has the same
 * value.
 */
export const withEscapes = (text: string): string =>
  text.replace(ACTED_ON, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Returns `text` with `&`, `<`, `>`, `"` and `'` replaced by character references, for use in HTML. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
