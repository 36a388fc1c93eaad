import leven, { closestMatch } from 'leven';

/** Maximum number of characters of a word that are compared and quoted. */
export const MAX_QUOTED = 40;

/**
 * Returns the Dutch question whether the caller meant the word of `known` that is most similar to `word`, with a space
 * at its end. Returns '' when more than a third of its letters are different.
 */
export function meant(word: string, known: readonly string[]): string {
  const given = word.slice(0, MAX_QUOTED);
  const near = closestMatch(given, known);
  return near !== undefined && leven(given, near) <= Math.ceil(near.length / 3) ? `Bedoelde u ${near}? ` : '';
}
