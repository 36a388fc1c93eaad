import leven, { closestMatch } from 'leven';

/** Maximum number of characters of an unknown word that are compared with the known ones. */
const MAX_LENGTH = 40;

/**
 * Returns the word of `known` that is most similar to an unknown word, which is what a user probably meant. Returns
 * undefined when more than a third of its letters are different.
 */
export function similarTo(word: string, known: readonly string[]): string | undefined {
  const given = word.slice(0, MAX_LENGTH);
  const near = closestMatch(given, known);
  return near !== undefined && leven(given, near) <= Math.ceil(near.length / 3) ? near : undefined;
}

/** Returns the Dutch question whether the user meant a similar known word, with a space at its end; '' without one. */
export function askIfMeant(word: string, known: readonly string[]): string {
  const near = similarTo(word, known);
  return near === undefined ? '' : `Bedoelde u ${near}? `;
}
