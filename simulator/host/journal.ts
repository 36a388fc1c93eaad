import { hostIn } from '../../src/domain/host-name.ts';
import type { Context, Next } from '../../src/http/exchange.ts';
import { sentStatus } from '../../src/http/middleware/log.ts';
import type { Operation } from '../../src/http/operation/operation.ts';
import type { CallRecord } from '../../src/ports/call.ts';
import { openOf } from '../../src/wire/primitives.ts';
import { UPSTREAM_NAMES, type UpstreamName } from '../../src/wire/values.ts';
import { curlOf } from '../control/curl.ts';
import { DEFAULT_WORLD, isWorldName } from '../people/directory.ts';
import { basisOf, sentenceOf } from '../reasons/index.ts';
import { parseSimulatedJson } from '../transport/operation.ts';
import {
  type ExplainedReason,
  type Journal,
  type JournalReason,
  MAX_BODY_CHARACTERS,
  type PendingEntry,
  type RecordedRequest,
} from '../worlds/journal.ts';
import { maskFacts, maskHeaders, maskPath, maskText } from './masks.ts';

interface RecordOptions {
  readonly simulated: readonly UpstreamName[];
  readonly now: (world: string) => Date;
  readonly takeDetails: (world: string, call: CallRecord) => readonly UpstreamDetail[];
  /** When a fault refuses all connections in this world, the simulator records no calls. */
  readonly isRefusing: (world: string, bron: UpstreamName) => boolean;
}

/** Pages, health checks and the OpenAPI document are no calls of a frontend. */
const NOT_RECORDED = /^\/(_simulator|docs|health)(\/|$)|^\/favicon\.ico$|^\/api\/v1\/openapi\.json$/;

/** It must be the first middleware, so that it sees the final answer. */
export function recordRequests(journal: Journal, options: RecordOptions) {
  return async (ctx: Context, next: Next): Promise<void> => {
    if (NOT_RECORDED.test(ctx.path)) {
      await next();
      return;
    }
    const at = Date.now();
    const start = performance.now();
    ctx.state.decisions = [];
    const closed = new Promise<number>((resolve) => {
      ctx.res.once('close', () => resolve(performance.now() - start));
    });
    const record = async () => {
      const ms = await closed;
      if (!isAllowedPreflight(ctx)) journal.add(pendingEntry(endedRequest(ctx, { at, start, ms }, options)));
    };
    // The entry also waits for the handler: a client that disconnects early does not end the work.
    await next().finally(() => void record());
  };
}

/** A refused preflight is recorded, because a developer needs to see it. */
const isAllowedPreflight = ({ method, res }: Context): boolean =>
  method === 'OPTIONS' && res.hasHeader('Access-Control-Allow-Methods');

// When the bodies may have data from a real upstream, the size is infinite: the journal then writes the entry at once,
// and does not keep these data.
const pendingEntry = (ended: EndedRequest): PendingEntry => ({
  world: ended.world,
  size: ended.withBodies ? sizeOfRequest(ended) : Number.POSITIVE_INFINITY,
  render: () => renderEntry(ended),
});

function endedRequest(ctx: Context, { at, start, ms }: Record<'at' | 'start' | 'ms', number>, options: RecordOptions) {
  const { req, res, state } = ctx;
  const { caller, operation, problem, trace, upstream, decisions = [], form, sent, answered } = state;
  const world = worldOf(ctx);
  return {
    /** Time of arrival by the system clock, in milliseconds since 1970. */
    at,
    /** Time of the world when the request ended, in milliseconds since 1970. */
    worldAt: options.now(world).getTime(),
    /** Milliseconds from the arrival of the request to the end of its answer. */
    ms,
    world,
    caller,
    operation,
    /** Code of the problem (RFC 9457) in the answer; undefined when the answer is not a problem. */
    problem,
    traceId: trace.traceId,
    method: ctx.method,
    url: ctx.originalUrl,
    host: req.headers.host,
    port: req.socket.localPort,
    requestHeaders: req.headersDistinct,
    headerLength: req.rawHeaders.reduce((sum, text) => sum + text.length, 0),
    /** The body of the request as text, when it was read as JSON; else undefined. */
    sent,
    /** True when the headers of the request say that it has a body. */
    isSending: req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0,
    /** Fields and file of a multipart body; undefined for another body. */
    form,
    isFinished: res.writableFinished,
    /** The status that was sent; 499 or 500 when the answer was not sent completely (`sentStatus`). */
    status: sentStatus(ctx),
    /** Headers that were set one by one, and those that were sent with the status. */
    responseHeaders: [res.getHeaders(), state.headers],
    /** The body of the answer as text; undefined when it is binary or absent. */
    answered: ctx.method === 'HEAD' ? undefined : answered,
    /** False when bodies must not be recorded, because they may have data from a real upstream. */
    withBodies: mayRecordBodies(ctx, options.simulated),
    upstream: upstream.map((call) => upstreamCallOf(call, world, start, options)),
    why: [...decisions],
  };
}

/** The upstreams whose answers have no personal data. */
const WITHOUT_PERSONAL_DATA: readonly UpstreamName[] = ['scanner', 'identiteit'];

/** When the operation does not declare its upstreams, all upstreams count as involved. */
function mayRecordBodies({ state: { operation, upstream } }: Context, simulated: readonly UpstreamName[]): boolean {
  const asked = [...(operation?.upstreams ?? UPSTREAM_NAMES), ...upstream.map(({ upstream: bron }) => bron)];
  return asked.every((bron) => WITHOUT_PERSONAL_DATA.includes(bron) || simulated.includes(bron));
}

const WORLD = /@([a-z0-9-]{1,32})$/;

function worldOf(ctx: Context): string {
  const login = ctx.get('X-Subject') || ctx.get('X-Medewerker');
  const [, named = DEFAULT_WORLD] = WORLD.exec(login.trim()) ?? [];
  return ctx.state.caller?.workspace ?? (isWorldName(named) ? named : DEFAULT_WORLD);
}

const addressOf = ({ host = '', port }: EndedRequest): string =>
  hostIn(host) === null ? `http://localhost:${port}` : `http://${host}`;

/** `start` is the time at which the request arrived, as `performance.now()`. */
function upstreamCallOf(
  call: CallRecord,
  world: string,
  start: number,
  { takeDetails, isRefusing }: RecordOptions,
): RecordedRequest['upstream'][number] {
  const { upstream: bron, outcome, ms, attempts } = call;
  const recorded = takeDetails(world, call);
  const operation = recorded.at(-1)?.operation;
  const refused = recorded.length === 0 && attempts > 0 && isRefusing(world, bron) ? 'refused' : null;
  const fault = recorded.find((one) => one.fault !== null)?.fault ?? refused;
  return {
    bron,
    ...(operation !== undefined && { operation }),
    outcome,
    start: Math.max(0, Math.round((call.start - start) * 10) / 10),
    ms: Math.round(ms * 10) / 10,
    attempts,
    ...(fault !== null && { fault }),
  };
}

type EndedRequest = ReturnType<typeof endedRequest>;

/** Masks secrets and burgerservicenummers. Without `withBodies` no bodies, and no data of the rules. */
function renderEntry(ended: EndedRequest): Omit<RecordedRequest, 'id'> {
  const { at, worldAt, ms, world, caller, operation, problem, traceId, method, withBodies, why } = ended;
  const headers = maskHeaders(ended.requestHeaders, caller);
  const path = maskPath(ended.url.replace(/[^\x21-\x7e]/g, encodeURIComponent));
  const url = `${addressOf(ended)}${path}`;
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
          basis: basisOf(rule),
          facts: null,
          outcome: null,
        })),
    traceId,
    curl: curlOf({ method, url, headers, body: truncated ? '' : body, truncated, ...(withBodies && form && { form }) }),
  };
}

/** The sentence is made from the masked data, so that it does not show what is masked. */
function explainReason({ facts, outcome, ...rule }: JournalReason): ExplainedReason {
  const masked = { ...rule, facts: maskFacts(facts), outcome: maskFacts(outcome) };
  return { ...masked, sentence: sentenceOf(masked), basis: basisOf(rule.rule) };
}

/** A problem, and an answer that is not JSON, are not checked. */
function findBreaches({ operation, problem, isFinished, method, status, answered }: EndedRequest): string[] {
  if (operation === undefined || problem !== undefined || operation.media || !isFinished) return [];
  return method === 'HEAD' ? [] : findContractBreaches(operation, status, answered ?? '');
}

/** Without bodies `Content-Disposition` is hidden too, because its file name was chosen by a user. */
const maskResponseHeaders = ({ responseHeaders, withBodies }: EndedRequest): Record<string, string> =>
  Object.fromEntries(
    responseHeaders.flatMap(Object.entries<number | string | string[] | undefined>).map(([header, value]) => {
      const name = header.toLowerCase();
      if (name === 'content-disposition' && !withBodies) return [name, '…'];
      const text = Array.isArray(value) ? value.join(', ') : `${value}`;
      return [name, name === 'content-length' ? text : maskPath(text)];
    }),
  );

/** Estimated memory in bytes for the objects and the response headers of one journal entry. */
const OVERHEAD = 2_048;

const sizeOfRequest = ({ url, headerLength, sent = '', answered = '', form, why }: EndedRequest): number =>
  OVERHEAD + 2 * (url.length + headerLength + sent.length + answered.length + JSON.stringify([form, why]).length);

const MAX_DIFFERENCES = 20;

/** Dutch texts, at most 20. Compares the body (empty for none) with the schema of this status; one must be declared. */
export function findContractBreaches({ answers }: Pick<Operation, 'answers'>, status: number, body: string): string[] {
  const schema = answers[status];
  if (schema === undefined) return [`${status} is niet beschreven`];
  if (schema === null) return body === '' ? [] : [`${status} hoort geen inhoud te hebben`];
  const parsed = openOf(schema).safeParse(parseSimulatedJson(body));
  if (parsed.success) return [];
  return parsed.error.issues.slice(0, MAX_DIFFERENCES).map(({ path, message }) => `/${path.join('/')}: ${message}`);
}

interface UpstreamDetail {
  readonly operation: string;
  /** Name of the simulated fault that was applied; null when there was none. */
  readonly fault: string | null;
}

/** `spanId` is the same for all attempts (retries); undefined for an upstream without trace headers. */
export interface MadeCall {
  readonly upstream: UpstreamName;
  readonly spanId?: string | undefined;
}

/** Maximum number of calls in the collection. Above it, the records of the oldest call are deleted. */
const MAX_CALLS = 5_000;
/** Maximum number of records of one call. Above it, the oldest record is deleted. */
const MAX_ATTEMPTS = 200;

/** Calls without a span id to one upstream share a key. */
const keyOf = (world: string, { upstream, spanId }: MadeCall): string => spanId ?? `${upstream} ${world}`;

/** The records of the attempts of each call to an upstream, until the journal takes them. */
export function createUpstreamCalls() {
  const calls = new Map<string, UpstreamDetail[]>();

  return {
    onCall(world: string, call: UpstreamDetail & MadeCall): void {
      const key = keyOf(world, call);
      const attempts = calls.get(key) ?? [];
      calls.set(key, attempts);
      attempts.push({ operation: call.operation, fault: call.fault });
      if (attempts.length > MAX_ATTEMPTS) attempts.shift();
      const [oldest] = calls.keys();
      if (calls.size > MAX_CALLS && oldest !== undefined) calls.delete(oldest);
    },
    /** Removes and returns the oldest records of a call, at most one for each of its attempts. */
    take(world: string, call: MadeCall & Pick<CallRecord, 'attempts'>): readonly UpstreamDetail[] {
      const key = keyOf(world, call);
      const attempts = calls.get(key) ?? [];
      const taken = attempts.splice(0, call.attempts);
      if (attempts.length === 0) calls.delete(key);
      return taken;
    },
  };
}
