import type { OutgoingHttpHeaders } from 'node:http';
import type { Caller } from '../../../src/auth/identity.ts';
import type { Context } from '../../../src/http/exchange.ts';
import type { Operation } from '../../../src/http/operation/operation.ts';
import { openOf } from '../../../src/wire/primitives.ts';
import { curlOf } from '../../control/curl.ts';
import { sentenceOf } from '../../reasons/index.ts';
import { parseSimulatedJson } from '../../transport/operation.ts';
import {
  type ExplainedReason,
  type JournalReason,
  type JournalUpstreamCall,
  MAX_BODY_CHARACTERS,
  type RecordedRequest,
} from '../../worlds/journal.ts';
import { maskFacts, maskHeaders, maskPath, maskText } from './masks.ts';

export interface EndedRequest {
  /** Time of arrival by the system clock, in milliseconds since 1970. */
  readonly at: number;
  /** Time of the world when the request ended, in milliseconds since 1970. */
  readonly worldAt: number;
  readonly ms: number;
  readonly world: string;
  readonly caller: Caller | undefined;
  readonly operation: Context['state']['operation'];
  /** Code of the problem (RFC 9457) in the answer; undefined when the answer is not a problem. */
  readonly problem: string | undefined;
  readonly traceId: string;
  readonly method: string;
  readonly url: string;
  /** Base URL at which the caller reached the service. */
  readonly address: string;
  readonly requestHeaders: Readonly<Record<string, readonly string[] | undefined>>;
  /** The body of the request as text, when it was read as JSON; else undefined. */
  readonly sent: string | undefined;
  /** True when the headers of the request say that it has a body. */
  readonly isSending: boolean;
  /** Fields and file of a multipart body; undefined for another body. */
  readonly form: Context['state']['form'];
  readonly isFinished: boolean;
  /** The status that was sent; 499 or 500 when the answer was not sent completely (`sentStatus`). */
  readonly status: number;
  readonly responseHeaders: OutgoingHttpHeaders;
  /** The body of the answer as text; undefined when it is binary or absent. */
  readonly answered: string | undefined;
  /** False when bodies must not be recorded, because they may have data from a real upstream. */
  readonly withBodies: boolean;
  readonly upstream: readonly JournalUpstreamCall[];
  readonly why: readonly JournalReason[];
}

/** Masks secrets and burgerservicenummers. Without `withBodies` no bodies, and no data of the rules. */
export function renderEntry(ended: EndedRequest): Omit<RecordedRequest, 'id'> {
  const { at, worldAt, ms, world, caller, operation, problem, traceId, method, withBodies, why } = ended;
  const headers = maskHeaders(ended.requestHeaders, caller);
  const path = maskPath(ended.url.replace(/[^\x21-\x7e]/g, encodeURIComponent));
  const form = ended.form && (maskFacts(ended.form) as typeof ended.form);
  const body = form !== undefined ? JSON.stringify(form) : ended.sent === undefined ? null : maskText(ended.sent);
  const truncated = body === null ? ended.isSending : body.length > MAX_BODY_CHARACTERS || !withBodies;
  const breach = findBreaches(ended);
  return {
    at: new Date(at).toISOString(),
    worldAt: new Date(worldAt).toISOString(),
    world,
    caller: caller === undefined ? null : { kind: caller.kind, subject: caller.subject },
    request: { method, path, headers, body: withBodies ? body : null, truncated: false },
    response: {
      status: ended.status,
      headers: maskResponseHeaders(ended),
      body: withBodies && ended.answered !== undefined ? maskText(ended.answered) : null,
      truncated: false,
    },
    ms: Math.round(ms * 10) / 10,
    operation: operation?.id ?? null,
    problem: problem ?? null,
    ...(breach.length > 0 && { breach }),
    upstream: ended.upstream,
    why: withBodies
      ? why.map(explainReason)
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

/** The sentence is made from the masked data, so that it does not show what is masked. */
function explainReason({ facts, outcome, ...rule }: JournalReason): ExplainedReason {
  const masked = { ...rule, facts: maskFacts(facts), outcome: maskFacts(outcome) };
  return { ...masked, sentence: sentenceOf(masked) };
}

/** A problem, and an answer that is not JSON, are not checked. */
function findBreaches({ operation, problem, isFinished, method, status, answered }: EndedRequest): string[] {
  if (operation === undefined || problem !== undefined || operation.media || !isFinished) return [];
  return method === 'HEAD' ? [] : findContractBreaches(operation, status, answered ?? '');
}

/** Without bodies `Content-Disposition` is hidden too, because its file name was chosen by a user. */
const maskResponseHeaders = ({ responseHeaders, withBodies }: EndedRequest): Record<string, string> =>
  Object.fromEntries(
    Object.entries(responseHeaders).map(([name, value]) => {
      if (name === 'content-disposition' && !withBodies) return [name, '…'];
      const text = Array.isArray(value) ? value.join(', ') : `${value}`;
      return [name, name === 'content-length' ? text : maskPath(text)];
    }),
  );

/** Estimated memory in bytes for the objects of one journal entry, without its texts. */
const OVERHEAD = 1_024;

/** Returns an estimate of the memory, in bytes, that an ended request uses until its journal entry is made. */
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

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 2 * value.length + 16;
  if (value === null || typeof value !== 'object') return 16;
  let size = 32;
  for (const name in value) size += 16 + sizeOf((value as Record<string, unknown>)[name]);
  return size;
}

const MAX_DIFFERENCES = 20;

/**
 * Returns how an answer differs from the OpenAPI document: Dutch texts, at most 20, or an empty list. Compares the body
 * with the schema that the operation declares for this status; an undeclared status is also a difference. `body` is the
 * text that was sent, empty for no body.
 */
export function findContractBreaches({ answers }: Pick<Operation, 'answers'>, status: number, body: string): string[] {
  const schema = answers[status];
  if (schema === undefined) return [`${status} is niet beschreven`];
  if (schema === null) return body === '' ? [] : [`${status} hoort geen inhoud te hebben`];
  const parsed = openOf(schema).safeParse(parseSimulatedJson(body));
  if (parsed.success) return [];
  return parsed.error.issues.slice(0, MAX_DIFFERENCES).map(({ path, message }) => `/${path.join('/')}: ${message}`);
}
