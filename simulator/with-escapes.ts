/** Matches what a terminal acts on: control characters except line feed and tab, and changes of the reading direction. */
const ACTED_ON = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/**
 * Returns the text with an escape such as `\u001b` for each character that a terminal acts on: it can be from a request
 * or a file of somebody else. JSON with such escapes has the same value.
 */
export const withEscapes = (text: string): string =>
  text.replace(ACTED_ON, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
