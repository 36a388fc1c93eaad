import { readFileSync, writeFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { closestMatch } from 'leven';
import { CliError, type ControlClient } from './client.ts';

/**
 * The options and functions for a command. Its members may only be read while a command runs, after the options are
 * parsed.
 */
export interface Session {
  readonly control: ControlClient;
  /** Path in the control API of the world in `--world`: `/worlds/<world>`. */
  readonly world: string;
  /** True when `--world` was given. */
  readonly namesWorld: boolean;
  /** True when `--json` was given. */
  readonly json: boolean;
  /** Prints a result: its JSON with `--json`, else its text. */
  print(result: Printed): void;
  /** Prints one line of a result that is printed in parts. */
  write(line: string): void;
}

/** The result of a command, as JSON and as text. */
export interface Printed {
  readonly json: unknown;
  readonly text: string;
}

/** Returns a result that is only a text; its JSON is null. */
export const sentence = (text: string): Printed => ({ json: null, text });

/**
 * Returns a parser of an argument that must be one of the `known` words. Its error lists these words, and names a
 * similar one.
 */
export const oneOf =
  <Word extends string>(known: readonly Word[]) =>
  (given: string): Word => {
    const found = known.find((one) => one === given);
    if (found !== undefined) return found;
    const near = closestMatch(given.slice(0, 30), known, { maxDistance: 3 });
    const meant = near === undefined ? '' : `Did you mean ${near}? `;
    throw new InvalidArgumentError(`${meant}Choose from: ${known.join(', ')}.`);
  };

/** Parses an option that must be a number. Throws when it is no finite number. */
export function numberOf(text: string): number {
  const number = Number(text);
  if (Number.isFinite(number) && text.trim() !== '') return number;
  throw new InvalidArgumentError('It has to be a number.');
}

/** Encodes an argument for use as one segment of a path. */
export const segment = encodeURIComponent;

/** Returns the parsed JSON in a file. Throws a `CliError` when the file does not exist or has no JSON. */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new CliError(`${file} does not exist, or does not hold JSON. Name another file.`);
  }
}

/** Writes JSON to a file, which is overwritten when it exists. Throws a `CliError` when the file cannot be written. */
export function writeJson(file: string, json: unknown): Printed {
  return { ...writeBytes(file, `${JSON.stringify(json, null, 2)}\n`), json };
}

/** Writes a file, over what was there. */
export function writeBytes(file: string, content: string | Uint8Array): Printed {
  try {
    writeFileSync(file, content);
  } catch (error) {
    const { code = 'unknown' } = error as { code?: string };
    throw new CliError(`${file} cannot be written (${code}). Name a file in a folder that exists.`);
  }
  return sentence(`Written to ${file}.`);
}

/** Returns one value of a result as text: `–` for null, the values of an object after each other. */
const cellOf = (value: unknown): string =>
  value === null ? '–' : typeof value === 'object' ? Object.values(value).filter(Boolean).join(' ') : String(value);

/** Returns a list as a result with one line per item. `none` is the text for an empty list. */
export const rowsOf = (json: unknown, none: string): Printed => {
  const rows = json as Readonly<Record<string, unknown>>[];
  const text = rows.map((row) => Object.values(row).map(cellOf).join('  '));
  return { json, text: text.join('\n') || none };
};

/** Returns an object as a result with one line per member. */
export const membersOf = (json: unknown): Printed => ({
  json,
  text: Object.entries((json ?? {}) as object)
    .map(([name, value]) => `${name}: ${cellOf(value)}`)
    .join('\n'),
});
