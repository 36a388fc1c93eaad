/**
 * Makes the entry in the journal (the list of recent requests of a world) for a request that has ended. Secrets are
 * masked, and the answer is checked against the OpenAPI document.
 */
import type { OutgoingHttpHeaders } from 'node:http';
import type { Caller } from '../../../src/auth/identity.ts';
import type { Context } from '../../../src/http/state.ts';
import { curlOf } from '../../control/curl.ts';
import { sentenceOf } from '../../reasons/index.ts';
import { MAX_BODY_CHARACTERS } from '../../worlds/journal.ts';
import type {
  ExplainedReason,
  JournalReason,
  JournalUpstreamCall,
  RecordedRequest,
} from '../../worlds/recorded-request.ts';
import { contractBreaches } from './contract-breach.ts';
import { maskedFacts, maskedHeaders, maskedPath, maskedText } from './masks.ts';

/** A request that has ended, with the data for its journal entry. */
export interface EndedRequest {
  /** Time at which the request arrived, by the system clock, in milliseconds since 1970. */
  readonly at: number;
  /** Time by the clock of the world when the answer was sent, in milliseconds since 1970. */
  readonly worldAt: number;
  /** Duration in milliseconds. */
  readonly ms: number;
  readonly world: string;
  readonly caller: Caller | undefined;
  readonly operation: Context['state']['operation'];
  /** Code of the problem in the answer; undefined when the answer is not a problem. */
  readonly problem: string | undefined;
  readonly traceId: string;
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Base URL of the service, as the caller used it. */
  readonly address: string;
  readonly requestHeaders: Readonly<Record<string, readonly string[] | undefined>>;
  /** The JSON body of the request as text; undefined when the service did not read it as JSON. */
  readonly sent: string | undefined;
  /** True when the request has a body, by its headers. */
  readonly isSending: boolean;
  /** The parts of a multipart body; undefined when the body is not multipart. */
  readonly form: Context['state']['form'];
  /** True when the answer was sent completely. */
  readonly isFinished: boolean;
  readonly status: number;
  readonly responseHeaders: OutgoingHttpHeaders;
  /** The body of the answer; undefined when it is binary or absent. */
  readonly answered: string | undefined;
  /** False when a body may contain data of a real upstream. Bodies are then left out of the entry. */
  readonly withBodies: boolean;
  readonly upstream: readonly JournalUpstreamCall[];
  readonly why: readonly JournalReason[];
}

/**
 * Returns the journal entry of a request, with secrets masked. When the answer was not sent completely, its status is
 * 499. Without `withBodies`, the entry has no bodies, and no inputs and outcomes of rules.
 */
export function renderEntry(ended: EndedRequest): Omit<RecordedRequest, 'id'> {
  const { at, worldAt, ms, world, caller, operation, problem, traceId, method, withBodies, why } = ended;
  const headers = maskedHeaders(ended.requestHeaders, caller);
  const path = maskedPath(ended.url.replace(/[^\x21-\x7e]/g, encodeURIComponent));
  const form = ended.form && (maskedFacts(ended.form) as typeof ended.form);
  const body = form !== undefined ? JSON.stringify(form) : ended.sent === undefined ? null : maskedText(ended.sent);
  const truncated = body === null ? ended.isSending : body.length > MAX_BODY_CHARACTERS || !withBodies;
  const breach = breachIn(ended);
  return {
    at: new Date(at).toISOString(),
    worldAt: new Date(worldAt).toISOString(),
    world,
    caller: caller === undefined ? null : { kind: caller.kind, subject: caller.subject },
    request: { method, path, headers, body: withBodies ? body : null, truncated: false },
    response: {
      status: ended.isFinished ? ended.status : 499,
      headers: answeredHeaders(ended),
      body: withBodies && ended.answered !== undefined ? maskedText(ended.answered) : null,
      truncated: false,
    },
    ms: Math.round(ms * 10) / 10,
    operation: operation?.id ?? null,
    problem: problem ?? null,
    ...(breach.length > 0 && { breach }),
    upstream: ended.upstream,
    why: withBodies
      ? why.map(explained)
      : why.map(({ rule, source }) => ({
          rule,
          ...(source !== undefined && { source }),
          sentence: null,
          facts: null,
          outcome: null,
        })),
    traceId,
    curl: curlOf({
      method,
      url: `${ended.address}${path}`,
      headers,
      body: truncated ? '' : body,
      truncated,
      ...(withBodies && form && { form }),
    }),
  };
}

/**
 * Returns a decision of a rule with its data masked, and with the Dutch sentence that explains it. The sentence is made
 * from the masked data, so that it does not show data that the journal hides.
 */
function explained({ facts, outcome, ...rule }: JournalReason): ExplainedReason {
  const masked = { ...rule, facts: maskedFacts(facts), outcome: maskedFacts(outcome) };
  return { ...masked, sentence: sentenceOf(masked) };
}

/**
 * Returns the differences between the answer and the OpenAPI document; an empty list when there are none, and for an
 * answer that is not checked: a problem, a binary answer, an incomplete answer, an answer to HEAD, or an answer to a
 * request for no operation (an unknown path).
 */
function breachIn({ operation, problem, isFinished, method, status, answered }: EndedRequest): string[] {
  if (operation === undefined || problem !== undefined || operation.media || !isFinished) return [];
  return method === 'HEAD' ? [] : contractBreaches(operation, status, answered ?? '');
}

/**
 * Returns the headers of the answer, with secrets masked. When bodies are left out of the entry, the value of
 * `Content-Disposition` is hidden too, because a user chose its file name.
 */
const answeredHeaders = ({ responseHeaders, withBodies }: EndedRequest): Record<string, string> =>
  Object.fromEntries(
    Object.entries(responseHeaders).map(([name, value]) => {
      if (name === 'content-disposition' && !withBodies) return [name, '…'];
      const text = Array.isArray(value) ? value.join(', ') : `${value}`;
      return [name, name === 'content-length' ? text : maskedPath(text)];
    }),
  );

/** Estimated memory in bytes for the objects of a journal entry, without its texts. */
const OVERHEAD = 1_024;

/** Returns an upper bound of the memory, in bytes, that the data of a request use until its journal entry is made. */
export function sizeOfRequest({
  url,
  sent,
  answered,
  form,
  requestHeaders,
  responseHeaders,
  why,
}: EndedRequest): number {
  const texts = url.length + (sent?.length ?? 0) + (answered?.length ?? 0);
  return (
    OVERHEAD +
    2 * texts +
    [form, requestHeaders, responseHeaders, why].reduce<number>((sum, one) => sum + sizeOf(one), 0)
  );
}

/** Returns an upper bound of the memory of a JSON value in bytes: two for each character, and some for each member. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 2 * value.length + 16;
  if (value === null || typeof value !== 'object') return 16;
  let size = 32;
  for (const name in value) size += 16 + sizeOf((value as Record<string, unknown>)[name]);
  return size;
}
