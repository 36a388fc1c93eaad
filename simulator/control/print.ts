/** How the command line prints the answers of the control API. */
import type * as z from 'zod';
import { faultText } from '../worlds/faults.ts';
import type { World } from './schema.ts';

export interface Printed {
  readonly json: unknown;
  readonly text: string;
}

/** Returns a text for the terminal. With `--json`, `null` is printed instead. */
export const toText = (text: string): Printed => ({ json: null, text });

/** Returns a value as text to print: `–` for null; for an object or list, its values that are not empty. */
const cellOf = (value: unknown): string =>
  value === null ? '–' : typeof value === 'object' ? Object.values(value).filter(Boolean).join(' ') : String(value);

/** Returns a list of objects as a result to print, one line for each object. `none` is the text for an empty list. */
export const toRows = (json: unknown, none: string): Printed => {
  const rows = json as Readonly<Record<string, unknown>>[];
  const text = rows.map((row) => Object.values(row).map(cellOf).join('  '));
  return { json, text: text.join('\n') || none };
};

export const toMembers = (json: unknown): Printed => ({
  json,
  text: Object.entries((json ?? {}) as object)
    .map(([name, value]) => `${name}: ${cellOf(value)}`)
    .join('\n'),
});

type WorldState = z.output<typeof World>;

const CLOCK_MODES: Readonly<Record<string, string>> = { real: 'real time', running: 'own time', frozen: 'frozen' };

const lineOf = ({ world, clock, scenarios, faults, entries }: WorldState): string => {
  const own = faults.filter(({ scenario }) => scenario === null).map((fault) => `${fault.id} (${faultText(fault)})`);
  const wrong = [...scenarios, ...own];
  return `${world}: ${clock.today} (${CLOCK_MODES[clock.mode] ?? clock.mode}), ${wrong.length > 0 ? wrong.join(', ') : 'no faults'}, ${entries} ${entries === 1 ? 'call' : 'calls'}`;
};

export const toPrintedWorld = (answer: unknown): Printed => ({ json: answer, text: lineOf(answer as WorldState) });

export const toPrintedWorlds = (answer: unknown): Printed => ({
  json: answer,
  text: (answer as WorldState[]).map(lineOf).join('\n'),
});
