import { readFileSync } from 'node:fs';
import { PERSONAS } from '../../fixtures/personas/index.ts';
import type { Call } from '../../src/ports/call.ts';
import { type Expectation, unless } from './check.ts';

/** The test persons and options of the checks. */
export interface CheckContext {
  /** Burgerservicenummers of test persons. They are never printed. */
  readonly persons: readonly string[];
  /** A burgerservicenummer that no person has. */
  readonly unknown: string;
  /** True when checks may write to the upstream. */
  readonly write: boolean;
  /** Workspace whose letter is checked. */
  readonly workspace: string;
  /** Returns the expectation that a call is answered within 1,500 ms. The call is made five times in a row. */
  within(ask: (call: Call) => Promise<unknown>): Expectation;
}

/** A burgerservicenummer that passes the 11-test and that no person has: the highest possible number. */
const UNISSUED_BSN = '999999990';
/** The maximum number of milliseconds until an answer begins (reliability.md, "Deadlines"). */
const MAX_RESPONSE_TIME = 1_500;
/** The number of calls that are measured. */
const CALLS = 5;

/**
 * Returns the burgerservicenummers of the test persons. They come from `file`, else from `list`, else they are those of
 * the personas. Throws when a number does not have nine digits.
 */
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

export const testing = (persons: readonly string[], more: Pick<CheckContext, 'write' | 'workspace'>): CheckContext => ({
  persons,
  unknown: UNISSUED_BSN,
  ...more,
  within: (ask) => ({
    name: `it answers within ${MAX_RESPONSE_TIME} ms, ${CALLS} times in a row`,
    check: async (call) => {
      let slowest = 0;
      const timed = {
        ...call,
        record: (one: Parameters<Call['record']>[0]) => {
          slowest = Math.max(slowest, one.ms);
          call.record(one);
        },
      };
      for (let n = 0; n < CALLS; n += 1) await ask(timed);
      return unless(slowest <= MAX_RESPONSE_TIME, `the slowest took ${Math.round(slowest)} ms`);
    },
  }),
});
