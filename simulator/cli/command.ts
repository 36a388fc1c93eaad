import { readFileSync, writeFileSync } from 'node:fs';
import { closestMatch } from 'leven';
import type { ControlClient } from './client.ts';
import { CliFault } from './client.ts';

/** What may be said beside a command's own words. */
export const OPTIONS = {
  world: { type: 'string', default: 'default' },
  url: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
  all: { type: 'boolean', default: false },
  begin: { type: 'string' },
  operation: { type: 'string' },
  ms: { type: 'string' },
  status: { type: 'string' },
  'retry-after': { type: 'string' },
  probability: { type: 'string' },
  seed: { type: 'string' },
  step: { type: 'string' },
  limit: { type: 'string' },
  follow: { type: 'boolean', short: 'f', default: false },
  har: { type: 'string' },
} as const;

export type Flags = Readonly<Record<string, string | boolean | undefined>>;

/** What a command is given. */
export interface Asked {
  /** Its words after its name. */
  readonly words: readonly string[];
  readonly flags: Flags;
  readonly control: ControlClient;
  /** `/worlds/<world>`. */
  readonly world: string;
  /** For what comes as it happens. */
  write(line: string): void;
}

export interface CliCommand {
  /** Its words, as the help has them. */
  readonly usage: string;
  readonly about: string;
  /** Words that it takes at most; one more is a mistake that is not passed over. */
  readonly most: number;
  /** What to print: JSON when asked, else `text`. Nothing where all has been written as it came. */
  run(asked: Asked): Promise<Printed | undefined>;
}

export interface Printed {
  readonly json: unknown;
  readonly text: string;
}

/** The word in a place, or a fault that tells what belongs there. */
export function word(words: readonly string[], at: number, what: string): string {
  const found = words[at];
  if (found !== undefined) return found;
  throw new CliFault(`Say ${what}. \`npm run sim -- help\` shows how.`);
}

/** One of the words that are known, or a fault that names the nearest and all of them. */
export function oneOf<Word extends string>(said: string, known: readonly Word[], what: string): Word {
  const found = known.find((one) => one === said);
  if (found !== undefined) return found;
  const near = closestMatch(said.slice(0, 30), known, { maxDistance: 3 });
  const meant = near === undefined ? '' : ` Did you mean ${near}?`;
  throw new CliFault(`No ${what} ${said}.${meant} There are: ${known.join(', ')}.`);
}

/** A file with JSON in it. */
export function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new CliFault(`${file} is not there, or is no JSON.`);
  }
}

/** JSON to a file, over what was there. */
export function jsonTo(file: string, json: unknown): Printed {
  try {
    writeFileSync(file, `${JSON.stringify(json, null, 2)}\n`);
  } catch (error) {
    const { code = 'unknown' } = error as { code?: string };
    throw new CliFault(`${file} cannot be written (${code}). Name a file in a folder that is there.`);
  }
  return { json, text: `Written to ${file}.` };
}

/** A number after an option, or nothing when the option is not there. */
export function numberOf(flags: Flags, name: string): number | undefined {
  const text = flags[name];
  if (text === undefined) return undefined;
  const number = Number(text);
  if (Number.isFinite(number) && text !== '') return number;
  throw new CliFault(`--${name} takes a number.`);
}
