import { type Call, type CallRecord, newCall, UpstreamError } from '../../ports/call.ts';
import type { UpstreamName } from '../../wire/values.ts';
import type { Shapes } from './shape.ts';
import { inWords } from './words.ts';

/** A behaviour of an upstream on which the service relies. The method `check` tests that behaviour. */
export interface Expectation {
  readonly name: string;
  /** Reason why this run of the command does not check the behaviour; absent or false when it checks it. */
  readonly skip?: string | false;
  /** Reason why the command can never check the behaviour, so that a person must try it; absent when it can. */
  readonly byHand?: string;
  /** True when this check and its calls may take longer than usual; `CheckContext.within` then ignores their durations. */
  readonly mayTakeLonger?: true;
  /**
   * Checks the behaviour. Returns null when the upstream behaves so, else a text about what is wrong, without values of
   * the upstream's answers.
   *
   * @param earlier - durations in milliseconds of the calls of earlier checks, except checks with `mayTakeLonger`
   */
  check(call: Call, earlier: readonly number[]): Promise<string | null>;
}

/** The expectations about one upstream, and a function that deletes the data that their checks stored in it. */
export interface Expectations {
  readonly expectations: readonly Expectation[];
  /** Deletes the data that the checks stored. Also called after a failed check. */
  cleanUp(call: Call): Promise<void>;
}

/**
 * The result of checking one expectation (required behaviour of an upstream; `promise` is its name). It never contains
 * a value of an answer, which could be personal data.
 */
export interface Finding {
  readonly upstream: UpstreamName;
  readonly promise: string;
  readonly outcome: 'holds' | 'fails' | 'not tried' | 'by hand';
  /** Reason why the check failed or did not run; null when the expectation holds. */
  readonly why: string | null;
  /** Durations of the upstream calls of the check, in milliseconds. */
  readonly ms: readonly number[];
  /** Paths of the members in the responses, with their types. */
  readonly shape: readonly string[];
}

/**
 * The timeout of a check in milliseconds: far longer than the service's own timeouts, so that a slow answer is reported
 * as slow.
 */
const TIMEOUT = 15_000;
/** The same for a check that may take longer. */
const LONG_TIMEOUT = 120_000;

/**
 * Checks expectations one after another, because some use the result of an earlier one, and then calls `cleanUp`.
 * Returns a finding for each expectation, one more when answers have values that the service does not understand, and
 * one more when `cleanUp` fails.
 */
export async function checkAll(
  upstream: UpstreamName,
  { expectations, cleanUp }: Expectations,
  shapes: Shapes,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const times: number[] = [];
  const strange = new Set<string>();
  for (const { name, skip, byHand, check, mayTakeLonger } of expectations) {
    const why = byHand || skip;
    if (why) {
      const outcome = byHand ? 'by hand' : 'not tried';
      findings.push({ upstream, promise: name, outcome, why, ms: [], shape: [] });
      continue;
    }
    const records: CallRecord[] = [];
    shapes.begin();
    const timeout = mayTakeLonger ? LONG_TIMEOUT : TIMEOUT;
    const result = await runCheck((call) => check(call, times), records, timeout);
    for (const { notUnderstood = [] } of records)
      for (const { member, shape } of notUnderstood) strange.add(`${member} ${shape}`);
    if (!mayTakeLonger) times.push(...records.map(({ ms }) => ms));
    findings.push({
      upstream,
      promise: name,
      outcome: result === null ? 'holds' : result instanceof NotTried ? 'not tried' : 'fails',
      why: result instanceof NotTried ? result.message : result,
      ms: records.map(({ ms }) => Math.round(ms)),
      shape: shapes.found(),
    });
  }
  if (strange.size > 0) {
    const promise = 'every value is one that the service understands';
    const why = `left out or read as unknown: ${[...strange].sort().join(', ')}`;
    findings.push({ upstream, promise, outcome: 'fails', why, ms: [], shape: [] });
  }
  const left = await runCheck((call) => cleanUp(call).then(() => null), [], TIMEOUT);
  if (left !== null) {
    const promise = 'what the checks left behind is removed';
    findings.push({ upstream, promise, outcome: 'fails', why: String(left), ms: [], shape: [] });
  }
  return findings;
}

/** The value of `Expectation.skip` for a check that writes, in a run without `--write`. */
export const NO_WRITES = 'it writes; try it with --write';

/** The error of a check that cannot run, because the upstream has no data for it. */
export class NotTried extends Error {}

/**
 * Runs one check with a timeout, and adds its upstream calls to `records`. Returns null when the expectation holds, an
 * error `NotTried` when there are no data to check, and otherwise a text about what is wrong.
 */
async function runCheck(
  check: (call: Call) => Promise<string | null>,
  records: CallRecord[],
  timeout: number,
): Promise<string | NotTried | null> {
  try {
    return await check(newCall(timeout, { record: (record) => records.push(record) }));
  } catch (error) {
    if (error instanceof NotTried) return error;
    // Messages of our own errors are safe to print. Those of other errors may quote a value.
    return error instanceof UpstreamError
      ? inWords(error.message)
      : `went wrong here: ${error instanceof Error ? error.name : typeof error}`;
  }
}

/** Returns null when the condition holds; otherwise the text `why`. */
export const unless = (holds: boolean, why: string): string | null => (holds ? null : why);
