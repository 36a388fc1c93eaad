/** Searches for personal values in the files that a soak test leaves. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** Numbers of nine or eleven digits: burgerservicenummers and register numbers. */
const NUMBER = /(?<!\d)(?:\d{9}|\d{11})(?!\d)/g;
/** Ids and hashes in hexadecimal: in millions of random ones, some have the digits of a number by chance. */
const RANDOM = /\b(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{16}|[0-9a-f]{32}|[0-9a-f]{64})\b/g;

export interface Search {
  /** Searches a text. */
  text(place: string, text: string): void;
  /** Searches a file line by line. */
  file(place: string, path: string): Promise<void>;
  /** Returns a sentence for each value that was found in a place, and for each place in which nothing was searched. */
  found(): string[];
  /** Number of characters that were searched. */
  characters(): number;
}

/** Returns a search for these texts, and for these numbers of nine or eleven digits. */
export function searchFor(texts: readonly string[], numbers: ReadonlySet<string>): Search {
  const found = new Map<string, string>();
  const empty = new Set<string>();
  let characters = 0;
  const look = (place: string, line: string): void => {
    characters += line.length;
    const note = (value: string) => found.set(`${place} ${value}`, `${value} is in ${place}: ${around(line, value)}`);
    for (const value of texts) if (line.includes(value)) note(value);
    for (const [number] of line.replaceAll(RANDOM, '').matchAll(NUMBER)) if (numbers.has(number)) note(number);
  };
  return {
    text(place, text) {
      if (text === '') empty.add(place);
      look(place, text);
    },
    async file(place, path) {
      const before = characters;
      for await (const line of createInterface({ input: createReadStream(path) })) look(place, line);
      if (characters === before) empty.add(place);
    },
    found: () => [...found.values(), ...[...empty].map((place) => `nothing was searched in ${place}`)],
    characters: () => characters,
  };
}

const around = (text: string, value: string): string =>
  text.slice(Math.max(0, text.indexOf(value) - 120)).slice(0, 260);
