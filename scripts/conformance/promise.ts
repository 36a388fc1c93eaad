import { randomUUID } from 'node:crypto';
import type { Source } from '../../src/config/upstreams.ts';
import { type Call, type CallRecord, DeadlinePassed, UpstreamError } from '../../src/ports/call.ts';
import type { Shapes } from './shape.ts';

/** Something that the service relies on a source for, as one of its ports has it. */
export interface Promised {
  readonly name: string;
  /** Why it cannot be tried here. */
  readonly skip?: string | false;
  /** Null when it holds; else what does not, in words that hold no value. */
  check(call: Call): Promise<string | null>;
}

/** What a promise came to: facts about shapes and times, and never a value. */
export interface Finding {
  readonly source: Source;
  readonly promise: string;
  readonly outcome: 'holds' | 'fails' | 'not tried';
  /** Why it failed or was not tried. */
  readonly why: string | null;
  /** Milliseconds of the calls that it took. */
  readonly ms: readonly number[];
  /** The members that came, with their types. */
  readonly shape: readonly string[];
}

/** Far more than any caller has: what comes late is to be told from what does not come. Milliseconds. */
const PATIENCE = 15_000;

/** Tries promises one after the other: some stand on what an earlier one found. */
export async function examine(source: Source, promises: readonly Promised[], shapes: Shapes): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { name, skip, check } of promises) {
    if (skip) {
      findings.push({ source, promise: name, outcome: 'not tried', why: skip, ms: [], shape: [] });
      continue;
    }
    const records: CallRecord[] = [];
    shapes.begin();
    const why = await tried(check, records);
    findings.push({
      source,
      promise: name,
      outcome: why === null ? 'holds' : why instanceof NotTried ? 'not tried' : 'fails',
      why: why instanceof NotTried ? why.message : why,
      ms: records.map(({ ms }) => Math.round(ms)),
      shape: shapes.found(),
    });
  }
  return findings;
}

/** Thrown by a promise for which there turns out to be nothing to try it on. */
export class NotTried extends Error {}

async function tried(check: Promised['check'], records: CallRecord[]): Promise<string | NotTried | null> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(new DeadlinePassed(`nothing within ${PATIENCE} ms`)), PATIENCE);
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
    // Of our own errors the message is made for logs; that of any other may quote what it choked on.
    return error instanceof UpstreamError
      ? error.message
      : `went wrong here: ${error instanceof Error ? error.name : typeof error}`;
  } finally {
    clearTimeout(timer);
  }
}

/** The first of what goes wrong, or null. */
export const unless = (holds: boolean, why: string): string | null => (holds ? null : why);
