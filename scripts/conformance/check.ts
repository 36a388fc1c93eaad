import { randomUUID } from 'node:crypto';
import type { ConfiguredUpstream } from '../../src/config/upstreams.ts';
import { type Call, type CallRecord, DeadlinePassed, UpstreamError } from '../../src/ports/call.ts';
import type { Shapes } from './shape.ts';

/** A behaviour of an upstream that the service relies on, checked through a port. */
export interface Expectation {
  readonly name: string;
  /** The reason why it cannot be checked here; absent or false when it can. */
  readonly skip?: string | false;
  /** Null when the upstream behaves so; else the difference, in a text without values. */
  check(call: Call): Promise<string | null>;
}

/** The result of an expectation: types and durations, never values. */
export interface Finding {
  readonly upstream: ConfiguredUpstream;
  readonly promise: string;
  readonly outcome: 'holds' | 'fails' | 'not tried';
  /** The reason why it failed or was not tried; null when it holds. */
  readonly why: string | null;
  /** Durations of its calls in milliseconds. */
  readonly ms: readonly number[];
  /** The members in the answers, with their types. */
  readonly shape: readonly string[];
}

/** Timeout in milliseconds. Far longer than the service's, so that a slow answer is not reported as a missing one. */
const TIMEOUT = 15_000;

/** Checks expectations one by one, in order: some use the result of an earlier one. */
export async function checkAll(
  source: ConfiguredUpstream,
  promises: readonly Expectation[],
  shapes: Shapes,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { name, skip, check } of promises) {
    if (skip) {
      findings.push({ upstream: source, promise: name, outcome: 'not tried', why: skip, ms: [], shape: [] });
      continue;
    }
    const records: CallRecord[] = [];
    shapes.begin();
    const why = await runCheck(check, records);
    findings.push({
      upstream: source,
      promise: name,
      outcome: why === null ? 'holds' : why instanceof NotTried ? 'not tried' : 'fails',
      why: why instanceof NotTried ? why.message : why,
      ms: records.map(({ ms }) => Math.round(ms)),
      shape: shapes.found(),
    });
  }
  return findings;
}

/** Thrown by a check that finds no data to check with. */
export class NotTried extends Error {}

/** Runs one check with a timeout. Returns null, the difference, or `NotTried`. */
async function runCheck(check: Expectation['check'], records: CallRecord[]): Promise<string | NotTried | null> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(new DeadlinePassed(`nothing within ${TIMEOUT} ms`)), TIMEOUT);
  const traceId = randomUUID().replaceAll('-', '');
  try {
    return await check({
      signal: abort.signal,
      traceId,
      workspace: 'default',
      traceFlags: '01',
      record: (record) => records.push(record),
    });
  } catch (error) {
    if (error instanceof NotTried) return error;
    // Messages of our own errors are safe to print. Those of other errors may quote a value.
    return error instanceof UpstreamError
      ? error.message
      : `went wrong here: ${error instanceof Error ? error.name : typeof error}`;
  } finally {
    clearTimeout(timer);
  }
}

/** Null when the condition holds, else the given text. */
export const unless = (holds: boolean, why: string): string | null => (holds ? null : why);
