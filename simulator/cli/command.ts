import { readFileSync, writeFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { closestMatch } from 'leven';
import { CliError, type ControlClient } from './client.ts';

/**
 * The global options of the command line, and the functions that a command uses to call the simulator and to print.
 * Read its members only while a command runs: before that, the options have not been parsed.
 */
export interface Session {
  /** A client of the simulator at `--url`. Reading it throws a `CliError` when that is not a valid address. */
  readonly control: ControlClient;
  /** Path in the control API of the world that `--world` names (else the default world): `/worlds/<world>`. */
  readonly world: string;
  /** True when `--world` was given. */
  readonly namesWorld: boolean;
  /** True when `--json` was given. */
  readonly json: boolean;
  /** Prints a result: its JSON with `--json`, else its text. */
  print(result: Printed): void;
  /** Prints one line. A command that prints its result line by line uses this instead of `print`. */
  write(line: string): void;
}

/** The result of a command, as JSON and as text. */
export interface Printed {
  readonly json: unknown;
  readonly text: string;
}

/** Returns the result of a command that has only a text to print. With `--json`, `null` is printed instead. */
export const sentence = (text: string): Printed => ({ json: null, text });

/**
 * Returns a parser for a command-line argument that must be one of the `known` words. For another word the parser
 * throws an `InvalidArgumentError`, which lists the known words and suggests the most similar one.
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

/** Parses the number in a command-line option. Throws an `InvalidArgumentError` when it is not a finite number. */
export function numberOf(text: string): number {
  const number = Number(text);
  if (Number.isFinite(number) && text.trim() !== '') return number;
  throw new InvalidArgumentError('It has to be a number.');
}

/** Encodes an argument of the command line for use as one segment of a URL path. */
export const segment = encodeURIComponent;

/** Returns the parsed JSON in a file. Throws a `CliError` when the file does not exist or has no JSON. */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new CliError(`${file} does not exist, or does not hold JSON. Name another file.`);
  }
}

/**
 * Writes a value as JSON to a file, which is overwritten when it exists. Returns the result to print. Throws a
 * `CliError` when the file cannot be written.
 */
export function writeJson(file: string, json: unknown): Printed {
  return { ...writeBytes(file, `${JSON.stringify(json, null, 2)}\n`), json };
}

/**
 * Writes a file, which is overwritten when it exists. Returns the result to print. Throws a `CliError` when the file
 * cannot be written.
 */
export function writeBytes(file: string, content: string | Uint8Array): Printed {
  try {
    writeFileSync(file, content);
  } catch (error) {
    const { code = 'unknown' } = error as { code?: string };
    throw new CliError(`${file} cannot be written (${code}). Name a file in a folder that exists.`);
  }
  return sentence(`Written to ${file}.`);
}

/** Returns a value as text to print: `–` for null; for an object, its non-empty values, separated by spaces. */
const cellOf = (value: unknown): string =>
  value === null ? '–' : typeof value === 'object' ? Object.values(value).filter(Boolean).join(' ') : String(value);

/**
 * Returns a list of objects as a result to print: one line for each object, with the values of its members. `none` is
 * the text for an empty list.
 */
export const rowsOf = (json: unknown, none: string): Printed => {
  const rows = json as Readonly<Record<string, unknown>>[];
  const text = rows.map((row) => Object.values(row).map(cellOf).join('  '));
  return { json, text: text.join('\n') || none };
};

/** Returns an object as a result to print: one line `name: value` for each member. */
export const membersOf = (json: unknown): Printed => ({
  json,
  text: Object.entries((json ?? {}) as object)
    .map(([name, value]) => `${name}: ${cellOf(value)}`)
    .join('\n'),
});
