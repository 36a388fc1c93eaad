import { readFileSync, writeFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { closestMatch } from 'leven';
import { CliError, type ControlClient } from './client.ts';

/** What a command works with. Read it when the command runs: the options are not known before. */
export interface Session {
  readonly control: ControlClient;
  /** Path of the world that `--world` names: `/worlds/<world>`. */
  readonly world: string;
  /** True when `--json` was given. */
  readonly json: boolean;
  /** Prints a result: its JSON with `--json`, else its text. */
  print(result: Printed): void;
  /** Prints a line of a result that comes in parts. */
  write(line: string): void;
}

export interface Printed {
  readonly json: unknown;
  readonly text: string;
}

/** A result that is only a sentence; `null` as JSON. */
export const sentence = (text: string): Printed => ({ json: null, text });

/** Parser of an argument that is one of `known` words. Its error names them all, and the nearest one when a word is mistyped. */
export const oneOf =
  <Word extends string>(known: readonly Word[]) =>
  (given: string): Word => {
    const found = known.find((one) => one === given);
    if (found !== undefined) return found;
    const near = closestMatch(given.slice(0, 30), known, { maxDistance: 3 });
    const meant = near === undefined ? '' : `Did you mean ${near}? `;
    throw new InvalidArgumentError(`${meant}Choose from: ${known.join(', ')}.`);
  };

/** Parser of an option that is a number. */
export function numberOf(text: string): number {
  const number = Number(text);
  if (Number.isFinite(number) && text.trim() !== '') return number;
  throw new InvalidArgumentError('It has to be a number.');
}

/** A path segment: what a command names, safe to put in a path. */
export const segment = encodeURIComponent;

/** The JSON in a file. */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new CliError(`${file} does not exist, or does not hold JSON. Name another file.`);
  }
}

/** Writes JSON to a file, over what was there. */
export const writeJson = (file: string, json: unknown): Printed => ({
  ...writeText(file, `${JSON.stringify(json, null, 2)}\n`),
  json,
});

/** Writes text to a file, over what was there. */
export function writeText(file: string, text: string): Printed {
  try {
    writeFileSync(file, text);
  } catch (error) {
    const { code = 'unknown' } = error as { code?: string };
    throw new CliError(`${file} cannot be written (${code}). Name a file in a folder that exists.`);
  }
  return sentence(`Written to ${file}.`);
}

/** One value of a result as text: `–` for null, the values of an object one after the other. */
const cellOf = (value: unknown): string =>
  value === null ? '–' : typeof value === 'object' ? Object.values(value).filter(Boolean).join(' ') : String(value);

/** A list as text, a row on a line. `none` is what to print when it is empty. */
export const rowsOf = (json: unknown, none: string): Printed => {
  const rows = json as Readonly<Record<string, unknown>>[];
  const text = rows.map((row) => Object.values(row).map(cellOf).join('  '));
  return { json, text: text.join('\n') || none };
};

/** An object as text, a member on a line. */
export const membersOf = (json: unknown): Printed => ({
  json,
  text: Object.entries((json ?? {}) as object)
    .map(([name, value]) => `${name}: ${cellOf(value)}`)
    .join('\n'),
});
