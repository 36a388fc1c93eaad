import type { Persona } from '../client/index.ts';
import type { Entry } from './types.ts';

/** Which requests of the journal are meant: those that fit all members that are given. */
export interface CallFilter {
  readonly persona?: Persona | undefined;
  /** Id of the operation in the OpenAPI document, such as `createHerregistratie`. */
  readonly operation?: string | undefined;
  readonly status?: number | '2xx' | '4xx' | '5xx' | undefined;
  /** The `traceId` of a problem. */
  readonly trace?: string | undefined;
}

const FILTERS = ['persona', 'operation', 'status', 'trace'];

/** Returns the members of a filter that have a value. Throws for one that does not exist: it would fit every call. */
export function givenFilters(filter: CallFilter): [name: string, value: string][] {
  const wrong = Object.keys(filter).find((name) => !FILTERS.includes(name));
  if (wrong !== undefined) throw new Error(`There is no filter "${wrong}". The filters are: ${FILTERS.join(', ')}.`);
  return Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
}

/** A request that the service received: what a test compares. */
export interface MadeCall {
  /** Id of the operation in the OpenAPI document; null for a path that does not exist. */
  readonly operation: string | null;
  /** Slug of the caller, without the world; null when the request did not identify a caller. */
  readonly persona: string | null;
  /**
   * The JSON body; of an upload its fields, and the name and size of the file. Null without a body, and a text for a body
   * that is not JSON or is longer than the journal keeps.
   */
  readonly body: unknown;
  readonly status: number;
  readonly problem: string | null;
}

type RecordedCall = Pick<Entry, 'operation' | 'problem'> & {
  readonly caller: Pick<NonNullable<Entry['caller']>, 'subject'> | null;
  readonly request: Pick<Entry['request'], 'body'>;
  readonly response: Pick<Entry['response'], 'status'>;
};

/** Returns an entry of the journal as the request that a test compares. */
export const toCall = ({ operation, caller, request, response: { status }, problem }: RecordedCall): MadeCall => ({
  operation,
  persona: caller?.subject.split('@')[0] ?? null,
  body: parsed(request.body),
  status,
  problem,
});

function parsed(body: string | null): unknown {
  try {
    return body === null ? null : JSON.parse(body);
  } catch {
    return body;
  }
}
