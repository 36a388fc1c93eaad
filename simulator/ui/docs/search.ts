/** Finds operations and schemas of the OpenAPI document by words. */
import type { Items, Schema, ShownOperation, Tag } from './swagger-ui.ts';
import { SYNONYMS } from './words.ts';

/** Returns true when a text has every word; with `isStart` a word of the text begins with it. Capitals do not count. */
export const hasWords = (text: string, words: string, isStart = false): boolean =>
  words
    .toLowerCase()
    .split(' ')
    .every((word) => [word, SYNONYMS[word] ?? word].some((one) => hasWord(text.toLowerCase(), one, isStart)));

function hasWord(text: string, word: string, isStart: boolean): boolean {
  let at = text.indexOf(word);
  while (isStart && at > 0 && /\w/.test(text.charAt(at - 1))) at = text.indexOf(word, at + 1);
  return at >= 0;
}

/**
 * Where an operation has every word: 0 is its path, 1 or 2 its title, 3 or 4 elsewhere, -1 nowhere. A part of a word
 * counts less than its start.
 */
function placeOf(one: ShownOperation, words: string): number {
  const path = `${one.get('method')} ${one.get('path')}`;
  const title = `${path} ${one.getIn(['operation', 'summary'])}`;
  const all = JSON.stringify(one);
  const isStart = hasWords(all, words, true);
  return [
    hasWords(path, words),
    hasWords(title, words, true),
    isStart && hasWords(title, words),
    isStart,
    hasWords(all, words),
  ].indexOf(true);
}

/** The names of all schemas that an operation uses, also through another. */
export function schemasOf(one: unknown, all: Readonly<Record<string, Schema>>, found = new Set<string>()): string[] {
  for (const [, name = ''] of JSON.stringify(one).matchAll(/schemas\/(\w+)/g))
    if (!found.has(name)) schemasOf(all[name], all, found.add(name));
  return [...found];
}

/** Returns the type of a schema in Dutch words. */
export const typeOf = ({ type, title, items = {}, anyOf }: Schema): string => {
  const nameOf = (one: string | undefined): string => {
    if (one === 'array') return `lijst van ${typeOf(items)}`;
    return (one === 'object' ? title : one) ?? one ?? 'elke waarde';
  };
  return (anyOf?.map(typeOf) ?? [type].flat().map(nameOf)).join(' of ');
};

/** Returns the operations that have every word, and first those that have them in their path or title. */
export const opsFilter = (tags: Items<Tag>, words: string): Items<Tag> =>
  tags
    .map((tag) =>
      tag.update('operations', (all) =>
        all.filter((one) => placeOf(one, words) >= 0).sortBy((one) => placeOf(one, words)),
      ),
    )
    .filter((tag) => tag.get('operations').size > 0)
    .sortBy((tag) => placeOf(tag.get('operations').get(0) as ShownOperation, words));
