import { contentOf } from '../../config/variables-kinds.ts';
import { type Call, type CallRecord, changedCall, UpstreamError } from '../../ports/call.ts';
import { type Expectation, unless } from './check.ts';

/**
 * What the conformance checks of one upstream use: test persons, settings (such as whether a check may write), and shared
 * functions.
 */
export interface CheckContext {
  /** Burgerservicenummers of test persons. They are never printed. */
  readonly persons: readonly string[];
  /** A burgerservicenummer that no person has. */
  readonly unknown: string;
  /** True when checks may write to the upstream. */
  readonly write: boolean;
  /** Workspace (tenant) for which the register has a letter to write; the checks of letters use it. */
  readonly workspace: string;
  /** The maximum number of milliseconds until an answer has come, including retries. */
  readonly maxMs: number;
  /**
   * Calls `ask` for each test person, at most four at the same time. Returns the results in the order of the persons.
   */
  forEachPerson<Result>(ask: (bsn: string) => Promise<Result>): Promise<Result[]>;
  /**
   * Returns the expectation that the upstream answers every call within `maxMs`, including retries. Its check uses the
   * durations of the calls of all earlier checks, and calls `ask` five more times in a row. Put it last in the list of
   * expectations.
   */
  within(ask: (call: Call) => Promise<unknown>): Expectation;
}

/** A burgerservicenummer that passes the 11-test and that no person has: the highest possible number. */
const UNISSUED_BSN = '999999990';
/** The number of calls that the check of `within` makes itself. */
const CALLS = 5;
/**
 * Maximum number of concurrent calls to an upstream about test persons. With more, calls would wait for a connection,
 * and that time would be measured.
 */
const AT_ONCE = 4;

/**
 * Returns the burgerservicenummers of test persons: those in the file named `file` when given, else those in the text
 * `list`; null when both are undefined. Throws when the file cannot be read, and when the text has no numbers, or a
 * number that does not have nine digits.
 */
export function testPersons(file: string | undefined, list: string | undefined): string[] | null {
  const text = file === undefined ? list : contentOf(file);
  if (text === undefined) return null;
  if (text === null) throw new Error(`--persons: ${file} cannot be read`);
  const numbers = text.split(/[\s,]+/).filter(Boolean);
  if (numbers.length === 0) throw new Error('name at least one test person, by a number of nine digits');
  const wrong = numbers.filter((number) => !/^\d{9}$/.test(number)).length;
  if (wrong > 0) throw new Error(`test persons are numbers of nine digits; ${wrong} of ${numbers.length} are not`);
  return numbers;
}

/** Returns a context for the checks of one upstream. `persons` are burgerservicenummers of test persons. */
export const checkContext = (
  persons: readonly string[],
  more: Pick<CheckContext, 'write' | 'workspace' | 'maxMs'>,
): CheckContext => ({
  persons,
  unknown: UNISSUED_BSN,
  ...more,
  async forEachPerson(ask) {
    const results = [];
    for (let from = 0; from < persons.length; from += AT_ONCE)
      results.push(...(await Promise.all(persons.slice(from, from + AT_ONCE).map(ask))));
    return results;
  },
  within: (ask) => ({
    name: `it answers within ${more.maxMs} ms, in every call of these checks and ${CALLS} more in a row`,
    check: async (call, earlier) => {
      const times = [...earlier];
      const timed = changedCall(call, {
        signal: call.signal,
        record(one: CallRecord) {
          times.push(one.ms);
          call.record(one);
        },
      });
      // An answer that cannot be read has a time too, and its own check.
      const answered = (error: unknown) => {
        if (!(error instanceof UpstreamError && error.fault === 'unreadable')) throw error;
      };
      for (let n = 0; n < CALLS; n += 1) await ask(timed).catch(answered);
      const slow = times.filter((ms) => ms > more.maxMs).length;
      return unless(
        slow === 0,
        `${slow} of ${times.length} calls took longer; the slowest took ${Math.round(Math.max(...times))} ms`,
      );
    },
  }),
});
