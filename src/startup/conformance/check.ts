import * as z from 'zod';
import type { HttpClient } from '../../../adapters/http/client.ts';
import { contentOf } from '../../config/variables-kinds.ts';
import { type Call, type CallRecord, changedCall, newCall, UpstreamError } from '../../ports/call.ts';
import type { UpstreamName } from '../../wire/values.ts';

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

/** Explanations of the codes of Node, undici or OpenSSL in the messages of failed calls. */
const WORDS: readonly (readonly [code: RegExp, words: string])[] = [
  [/^UND_ERR_HEADERS_TIMEOUT$/, 'no answer began in time'],
  [/^UND_ERR_BODY_TIMEOUT$/, 'its answer stopped half-way'],
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/, 'no connection was made in time'],
  [/^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/, 'it closed the connection'],
  [/^ECONNREFUSED$/, 'it refuses connections'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'its host name is unknown'],
  [/^CERT_HAS_EXPIRED$/, 'its certificate has expired'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'its certificate is for another host'],
  [/^UNABLE_TO_GET_ISSUER_CERT$/, 'its certificate was issued by an intermediate whose root is not in _TLS_CA'],
  [/^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)\w+$/, 'no CA that is trusted here signed its certificate'],
  [/^ERR_SSL_WRONG_VERSION_NUMBER$/, 'it does not speak TLS'],
  [
    /^ERR_SSL_\w*ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN)$/,
    'it does not accept our client certificate; does _TLS_CERT have the intermediate certificates too?',
  ],
  [/^ERR_SSL_\w+$/, 'TLS could not be agreed on; is a client certificate needed?'],
  [/^UND_ERR_HEADERS_OVERFLOW$/, 'its headers are larger than 16 KiB'],
];

/** Matches the message of a call to a path that the upstream does not have, or not for this method. */
const NO_SUCH_PATH = / status 40[45]\b/;
/** Matches the message of a request that is larger than the upstream takes. */
const TOO_LARGE = / status 413\b| twice during a large document/;

/**
 * Returns the message of a failed call, with an explanation of its last word when that is a known error code, and a hint
 * when the URL may be wrong.
 */
export function inWords(message: string): string {
  if (NO_SUCH_PATH.test(message)) return `${message} (is the path of the URL right?)`;
  if (TOO_LARGE.test(message)) return `${message} (does a gateway before it take requests of this size?)`;
  const [code = ''] = /\b[A-Z][A-Z\d_]+$/.exec(message) ?? [];
  const words = WORDS.find(([pattern]) => pattern.test(code))?.[1];
  return words === undefined ? message : `${message.slice(0, -code.length)}${words} (${code})`;
}

/** A collector of the paths and types of the members in an upstream's JSON responses. It stores no values. */
export interface Shapes {
  /** Removes everything that was collected. Call it before each check. */
  begin(): void;
  /**
   * Returns the paths and types of the members in all responses since `begin`, such as `/a[]/b: number`, sorted and
   * without duplicates.
   */
  found(): string[];
}

/**
 * Matches a plausible name of a member. Any other key can be a value, such as a person's name, and is printed as `*`.
 */
const NAME = /^[A-Za-z_][A-Za-z_-]{0,39}\d{0,2}$/;

/**
 * Returns all paths in a JSON value, each with its type, such as `/a[]/b: number`. The items of a list share one path.
 */
export function shapeOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) {
    return value.length === 0 ? [`${path}[]: empty`] : value.flatMap((item) => shapeOf(item, `${path}[]`));
  }
  if (value === null || typeof value !== 'object') return [`${path || '/'}: ${value === null ? 'null' : typeof value}`];
  const members = Object.entries(value);
  if (members.length === 0) return [`${path || '/'}: empty`];
  return members.flatMap(([name, member]) => shapeOf(member, `${path}/${NAME.test(name) ? name : '*'}`));
}

/**
 * Returns an HTTP client that makes the same calls as `http`, and a collector (`shapes`) of the paths and types in its
 * JSON responses.
 */
export function collectShapes(http: HttpClient): { http: HttpClient; shapes: Shapes } {
  const seen = new Set<string>();
  const note = z.unknown().transform((json) => {
    for (const line of shapeOf(json)) seen.add(line);
    return json;
  });
  return {
    http: {
      ...http,
      ask: (request, call) => http.ask({ ...request, schema: note.pipe(request.schema) }, call),
    },
    shapes: { begin: () => seen.clear(), found: () => [...seen].sort() },
  };
}

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
  /** Workspace for which the register has a letter to write; the checks of letters use it. */
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
