import { readFileSync } from 'node:fs';
import { PERSONAS } from '../../fixtures/personas/index.ts';
import type { Call } from '../../src/ports/call.ts';
import { type Promised, unless } from './promise.ts';

/** With whom and how far promises are tried. */
export interface Testing {
  /** Burgerservicenummers of test persons. Never shown. */
  readonly persons: readonly string[];
  /** One that nobody has. */
  readonly unknown: string;
  readonly write: boolean;
  /** Where to look for a letter. */
  readonly workspace: string;
  /** The promise that a source answers in the time that a request has for it. */
  within(ask: (call: Call) => Promise<unknown>): Promised;
}

/** Passes the 11-test, and is handed out to nobody: the last number that there is. */
const NOBODY = '999999990';
/** Milliseconds until an answer has to begin (reliability.md, "Deadlines"), and how often that is looked at. */
const IN_TIME = 1_500;
const TIMES = 5;

/** Test persons from a file, one number a line; else from a list; else those of the simulators, who exist nowhere else. */
export function testPersons(file: string | undefined, list: string | undefined): string[] {
  const text = file === undefined ? list : readFileSync(file, 'utf8');
  if (text === undefined)
    return PERSONAS.flatMap((one) => (one.kind === 'professional' && one.person.bsn !== null ? [one.person.bsn] : []));
  const numbers = text.split(/[\s,]+/).filter(Boolean);
  const wrong = numbers.filter((number) => !/^\d{9}$/.test(number)).length;
  if (wrong > 0 || numbers.length === 0)
    throw new Error(`test persons are numbers of nine digits; ${wrong} of ${numbers.length} are not`);
  return numbers;
}

export const testing = (persons: readonly string[], more: Pick<Testing, 'write' | 'workspace'>): Testing => ({
  persons,
  unknown: NOBODY,
  ...more,
  within: (ask) => ({
    name: `it answers within ${IN_TIME} ms, ${TIMES} times in a row`,
    check: async (call) => {
      let slowest = 0;
      const timed = {
        ...call,
        record: (one: Parameters<Call['record']>[0]) => {
          slowest = Math.max(slowest, one.ms);
          call.record(one);
        },
      };
      for (let n = 0; n < TIMES; n += 1) await ask(timed);
      return unless(slowest <= IN_TIME, `the slowest took ${Math.round(slowest)} ms`);
    },
  }),
});
