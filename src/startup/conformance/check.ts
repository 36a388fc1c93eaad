import * as z from 'zod';
import type { HttpClient } from '../../../adapters/http/client.ts';
import { contentOf } from '../../config/variables-kinds.ts';
import { type Call, type CallRecord, changedCall, newCall, UpstreamError } from '../../ports/call.ts';
import type { UpstreamName } from '../../wire/values.ts';

/**
 * Behaviours of an upstream on which the service relies, in the order in which they are checked, keyed by what is
 * expected. A function is the `check` of an expectation without anything else.
 */
export type Expectations = Readonly<Record<string, Expectation | Check>>;

/**
 * Returns null when the upstream behaves so, else what is wrong, without values of its answers.
 *
 * @param earlier - milliseconds of the calls of earlier checks, except those with `mayTakeLonger`
 */
type Check = (call: Call, earlier: readonly number[]) => Promise<string | null>;

interface Expectation {
  /** Why this run does not check it. */
  readonly skip?: string | false;
  /** Why the command can never check it, so that a person must try it. */
  readonly byHand?: string;
  /** `CheckContext.within` then ignores the durations. */
  readonly mayTakeLonger?: true;
  readonly check: Check;
}

export interface CheckedStore {
  readonly expectations: Expectations;
  /** Deletes the data that the checks stored. Also called after a failed check. */
  cleanUp(call: Call): Promise<void>;
}

/** `promise` is the name of the expectation. It never contains a value of an answer, which could be personal data. */
export interface Finding {
  readonly upstream: UpstreamName;
  readonly promise: string;
  readonly outcome: 'holds' | 'fails' | 'not tried' | 'by hand';
  /** Why the check failed or did not run; null when the expectation holds. */
  readonly why: string | null;
  /** Durations of the upstream calls, in milliseconds. */
  readonly ms: readonly number[];
  /** Paths of the members in the responses, with their types. */
  readonly shape: readonly string[];
}

// Milliseconds: far longer than the service's own timeouts, so that a slow answer is reported as slow.
const TIMEOUT = 15_000;
// Timeout of a check that may take longer, in milliseconds.
const LONG_TIMEOUT = 120_000;

/**
 * Does the checks one after another, because some use the result of an earlier one. Returns a finding for each, one
 * more when answers have values that the service does not understand, and one more when `cleanUp` fails.
 */
export async function checkAll(
  upstream: UpstreamName,
  expectations: Expectations,
  shapes: Shapes = NO_SHAPES,
  cleanUp: CheckedStore['cleanUp'] = async () => undefined,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const times: number[] = [];
  const strange = new Set<string>();
  for (const [name, expected] of Object.entries(expectations)) {
    const { skip, byHand, check, mayTakeLonger } = typeof expected === 'function' ? { check: expected } : expected;
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

/** The text of `Expectation.skip` of a check that writes, in a run without `--write`. */
export const NO_WRITES = 'it writes; try it with --write';

/** The upstream has no data for the check. */
export class NotTried extends Error {}

// Null when the expectation holds, a `NotTried` when there are no data to check, and otherwise what is wrong.
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

export const unless = (holds: boolean, why: string): string | null => (holds ? null : why);

// Explanations of error codes of Node, undici or OpenSSL.
const WORDS: readonly (readonly [code: RegExp, words: string])[] = [
  [/^UND_ERR_HEADERS_TIMEOUT$/, 'no answer began in time'],
  [/^UND_ERR_BODY_TIMEOUT$/, 'its answer stopped half-way'],
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/, 'no connection was made in time'],
  [/^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/, 'it closed the connection'],
  [/^ECONNREFUSED$/, 'it refuses connections'],
  [/^(ENOTFOUND|EAI_AGAIN|EAI_FAIL)$/, 'its host name is unknown'],
  [/^CERT_HAS_EXPIRED$/, 'its certificate has expired'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'its certificate is for another host'],
  [/^UNABLE_TO_GET_ISSUER_CERT$/, 'its certificate was issued by an intermediate whose root is not in _TLS_CA'],
  [/^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)\w+$/, 'no CA that is trusted here signed its certificate'],
  [/^ERR_SSL_WRONG_VERSION_NUMBER$/, 'it does not speak TLS'],
  [/^ERR_SSL_[\w/]*ALERT_CERTIFICATE_EXPIRED$/, 'our client certificate has expired, or is not valid yet'],
  [
    /^ERR_SSL_[\w/]*ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN)$/,
    'it does not accept our client certificate; does _TLS_CERT have the intermediate certificates too?',
  ],
  [/^ERR_SSL_[\w/]+$/, 'TLS could not be agreed on; is a client certificate needed?'],
  [/^UND_ERR_HEADERS_OVERFLOW$/, 'its headers are larger than 16 KiB'],
];

// A path that the upstream does not have, or not for this method.
const NO_SUCH_PATH = / status 40[45]\b/;
const REDIRECT = / status 30[12378]$/;
const TOO_LARGE = / status 413\b| twice during a large document/;

/** Explains the last word of a message when that is a known error code, and hints when the URL may be wrong. */
export function inWords(message: string): string {
  if (NO_SUCH_PATH.test(message)) return `${message} (is the path of the URL right?)`;
  if (REDIRECT.test(message)) return `${message} (no redirect is followed: is the URL the final one, with https?)`;
  if (TOO_LARGE.test(message)) return `${message} (does a gateway before it take requests of this size?)`;
  // OpenSSL writes `SSL/TLS` in some of its codes.
  const [code = ''] = /\b[A-Z][A-Z\d_]+(?:\/[A-Z\d_]+)?$/.exec(message) ?? [];
  const words = WORDS.find(([pattern]) => pattern.test(code))?.[1];
  return words === undefined ? message : `${message.slice(0, -code.length)}${words} (${code})`;
}

/** Paths and types of the members in JSON responses. It stores no values. */
export interface Shapes {
  /** Removes what was collected. Call it before each check. */
  begin(): void;
  /** Since `begin`, such as `/a[]/b: number`, sorted and without duplicates. */
  found(): string[];
}

const NO_SHAPES: Shapes = { begin: () => undefined, found: () => [] };

// A plausible name of a member. Any other key can be a value, such as a person's name, and is printed as `*`.
const NAME = /^[A-Za-z_][A-Za-z_-]{0,39}\d{0,2}$/;

/** Returns paths with types, such as `/a[]/b: number`. The items of a list share one path. */
export function shapeOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) {
    return value.length === 0 ? [`${path}[]: empty`] : value.flatMap((item) => shapeOf(item, `${path}[]`));
  }
  if (value === null || typeof value !== 'object') return [`${path || '/'}: ${value === null ? 'null' : typeof value}`];
  const members = Object.entries(value);
  if (members.length === 0) return [`${path || '/'}: empty`];
  return members.flatMap(([name, member]) => shapeOf(member, `${path}/${NAME.test(name) ? name : '*'}`));
}

/** Makes the same calls as `http`, and collects the shapes of its JSON responses. */
export function collectShapes(http: HttpClient): { http: HttpClient; shapes: Shapes } {
  const seen = new Set<string>();
  const note = z.unknown().transform((json) => {
    for (const line of shapeOf(json)) seen.add(line);
    return json;
  });
  return {
    http: { ...http, ask: (request, call) => http.ask({ ...request, schema: note.pipe(request.schema) }, call) },
    shapes: { begin: () => seen.clear(), found: () => [...seen].sort() },
  };
}

/** What the checks of one upstream use. */
export interface CheckContext {
  /** BSNs of test persons. They are never printed. */
  readonly persons: readonly string[];
  /** A BSN that no person has. */
  readonly unknown: string;
  /** Checks may write to the upstream. */
  readonly write: boolean;
  /** A workspace for which the register has a letter to write. */
  readonly workspace: string;
  /** Milliseconds until an answer has come, including retries. */
  readonly maxMs: number;
  /** At most four at the same time; the results are in the order of the persons. */
  forEachPerson<Result>(ask: (bsn: string) => Promise<Result>): Promise<Result[]>;
  /**
   * Expects that every call takes at most `maxMs`, including retries: those of all earlier checks, and five more of
   * `ask`. Put it last in the list.
   */
  within(ask: (call: Call) => Promise<unknown>): Expectations;
}

// Passes the 11-test: the highest possible number.
const UNISSUED_BSN = '999999990';
// Calls that the check of `within` makes itself.
const CALLS = 5;
// With more, calls would wait for a connection, and that time would be measured.
const AT_ONCE = 4;

/**
 * BSNs in the file named `file` when given, else in the text `list`; null when both are undefined. Throws when the file
 * cannot be read, and for a text without numbers or with one that does not have nine digits.
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

/** `persons` are BSNs of test persons. */
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
    [`it answers within ${more.maxMs} ms, in every call of these checks and ${CALLS} more in a row`]: async (
      call: Call,
      earlier: readonly number[],
    ) => {
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

/**
 * The members of the answers and their types follow each failed finding, or every finding with `withShapes`; once when
 * those of the next findings are the same.
 *
 * @param addresses - by upstream
 */
export function reportOf(
  findings: readonly Finding[],
  addresses: ReadonlyMap<string, string>,
  withShapes: boolean,
): string {
  const lines: string[] = [];
  for (const [upstream, address] of addresses) {
    lines.push(`${upstream}  ${address}`);
    let printed = '';
    for (const { outcome, ms, promise, why, shape } of findings.filter((one) => one.upstream === upstream)) {
      const slowest = ms.length === 0 ? '' : `${Math.max(...ms)} ms`;
      lines.push(`  ${outcome.padEnd(9)} ${slowest.padStart(8)}  ${promise}${why === null ? '' : `: ${why}`}`);
      // The shape of the answers helps to find the cause of a failure.
      if (shape.length === 0 || !(withShapes || outcome === 'fails')) continue;
      const members = shape.map((line) => `${' '.repeat(24)}${line}`).join('\n');
      lines.push(members === printed ? `${' '.repeat(24)}(the same members as above)` : members);
      printed = members;
    }
    lines.push('');
  }
  const count = (outcome: Finding['outcome']) => findings.filter((one) => one.outcome === outcome).length;
  return `${lines.join('\n')}${count('holds')} hold, ${count('fails')} fail, ${count('not tried')} not tried${count('by hand') > 0 ? `, ${count('by hand')} to try by hand` : ''}.\n`;
}

/** A test suite for each upstream and a test case for each finding. */
export function junitOf(findings: readonly Finding[]): string {
  const suites = [...Map.groupBy(findings, ({ upstream }) => upstream)].map(([name, its]) => {
    const count = (outcome: Finding['outcome']) => its.filter((one) => one.outcome === outcome).length;
    const counts = `tests="${its.length}" failures="${count('fails')}" skipped="${count('not tried') + count('by hand')}"`;
    return `  <testsuite name="${name}" ${counts}>\n${its.map(caseOf).join('')}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="conformance">\n${suites.join('')}</testsuites>\n`;
}

function caseOf({ upstream, promise, outcome, why, ms }: Finding): string {
  const seconds = ms.reduce((sum, one) => sum + one, 0) / 1_000;
  const head = `    <testcase classname="${upstream}" name="${escaped(promise)}" time="${seconds}"`;
  if (outcome === 'holds') return `${head}/>\n`;
  const element = outcome === 'fails' ? 'failure' : 'skipped';
  return `${head}><${element} message="${escaped(why ?? '')}"/></testcase>\n`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (char) => ENTITIES[char] ?? '');
