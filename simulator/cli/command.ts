import { readFileSync, writeFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { type Printed, toText } from '../control/print.ts';
import { similarTo } from '../similar.ts';
import { CliError, type ControlClient } from './client.ts';

/**
 * The global options of the command line, and functions that its commands use. Read the members only while a command
 * runs: before that, the options are not parsed.
 */
export interface Session {
  /** A client of the simulator at `--url`. Reading this member throws a `CliError` when that address is not valid. */
  readonly control: ControlClient;
  /** Path of the control API for the world in `--world`, or the default world: `/worlds/<world>`. */
  readonly world: string;
  /** Path like `world`, for a persona: of the world in its name (`sanne-de-wit@demo`), or else the value of `world`. */
  worldOf(persona: string): string;
  readonly namesWorld: boolean;
  readonly json: boolean;
  /** Prints a result: the JSON when `--json` was given, else the text. */
  print(result: Printed): void;
  /** Prints a text and a line feed, for a command that prints its result in parts. */
  write(text: string): void;
}

/**
 * Returns a parser for a command-line argument that must be one of the words in `known`. The parser throws an
 * `InvalidArgumentError` for any other word.
 */
export const parseOneOf =
  <Word extends string>(known: readonly Word[]) =>
  (given: string): Word => {
    const found = known.find((one) => one === given);
    if (found !== undefined) return found;
    const near = similarTo(given, known);
    const meant = near === undefined ? '' : `Did you mean ${near}? `;
    throw new InvalidArgumentError(`${meant}Choose from: ${known.join(', ')}.`);
  };

/**
 * Returns the number in a command-line option, such as `12`, `0.5` or `.5`. Throws an `InvalidArgumentError` for any other
 * text, such as `0x10` or `1e3`.
 */
export function parseNumber(text: string): number {
  if (/^-?(\d{1,15}(\.\d{1,15})?|\.\d{1,15})$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It has to be a number.');
}

/** Returns the parsed JSON in a file. Throws a `CliError` when the file cannot be read or does not contain JSON. */
export function readJson(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new CliError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}). Name another file.`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    const [where = ''] = /line \d+ column \d+/.exec(String(error)) ?? [];
    throw new CliError(`${file} is not JSON${where && ` (${where})`}.`);
  }
}

/**
 * Writes a value as JSON to a file, and returns the result to print. Replaces an existing file. Throws a `CliError`
 * when the file cannot be written.
 */
export function writeJson(file: string, json: unknown): Printed {
  return { ...writeBytes(file, `${JSON.stringify(json, null, 2)}\n`), json };
}

/**
 * Writes a file, and returns the result to print. Replaces an existing file. Throws a `CliError` when the file cannot
 * be written.
 */
export function writeBytes(file: string, content: string | Uint8Array): Printed {
  try {
    writeFileSync(file, content);
  } catch (error) {
    const { code = 'unknown' } = error as { code?: string };
    throw new CliError(`${file} cannot be written (${code}). Name a file in a folder that exists.`);
  }
  return toText(`Written to ${file}.`);
}
