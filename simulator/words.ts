/** Letters that Unicode does not see as another letter with an accent. */
const PLAIN: Readonly<Record<string, string>> = {
  ł: 'l',
  đ: 'd',
  ø: 'o',
  ı: 'i',
  ħ: 'h',
  ŧ: 't',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
};

/** Returns a text as a search compares it: in lower case, and each letter without its accent. */
const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[łđøıħŧßæœ]/g, (letter) => PLAIN[letter] ?? letter);

/** Returns true when a text has all words of `search`; also without words. `text` is called when there are any. */
export function hasWords(text: () => string, search: string): boolean {
  const words = folded(search).split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const within = folded(text());
  return words.every((word) => within.includes(word));
}
