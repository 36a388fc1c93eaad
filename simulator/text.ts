import leven, { closestMatch } from 'leven';
import type { Sentence } from '../src/problem.ts';

/** Maximum number of characters of an unknown word that are compared with the known ones. */
const MAX_LENGTH = 40;

/**
 * Returns the word of `known` that is most similar; undefined when more than a third of its letters are different, or the
 * first one: `toegewezen` is not `afgewezen`.
 */
export function similarTo(word: string, known: readonly string[]): string | undefined {
  const given = word.slice(0, MAX_LENGTH);
  const near = closestMatch(given, known);
  if (near === undefined || near[0]?.toLowerCase() !== given[0]?.toLowerCase()) return undefined;
  return leven(given, near) <= Math.ceil(near.length / 3) ? near : undefined;
}

/**
 * Returns at most three known names that are similar to `name`, the nearest first: those that contain it or have a part of
 * it, such as `visser` of `oma-visser`, and those that differ in at most a third of their letters.
 */
export function nearestTo(name: string, known: readonly string[]): string[] {
  const parts = name.split('-').filter(({ length }) => length > 3);
  const distanceTo = (one: string): number => {
    if (one.includes(name)) return 0;
    return parts.some((part) => one.split('-').includes(part)) ? 1 : leven(name, one);
  };
  return known
    .map((one) => ({ one, distance: distanceTo(one) }))
    .filter(({ one, distance }) => distance <= Math.ceil(one.length / 3))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ one }) => one);
}

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
