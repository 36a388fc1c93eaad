import { hostIn } from '../../../src/domain/host-name.ts';
import type { Context, Next } from '../../../src/http/exchange.ts';
import { sentStatus } from '../../../src/http/middleware/log.ts';
import type { CallRecord } from '../../../src/ports/call.ts';
import { UPSTREAM_NAMES, type UpstreamName } from '../../../src/wire/values.ts';
import { DEFAULT_WORLD, isWorldName } from '../../people/directory.ts';
import type { Journal, JournalUpstreamCall, PendingEntry } from '../../worlds/journal.ts';
import { type EndedRequest, renderEntry, sizeOfRequest } from './journal-entry.ts';
import type { UpstreamDetail } from './upstream-calls.ts';

interface RecordOptions {
  readonly simulated: readonly UpstreamName[];
  readonly now: (world: string) => Date;
  /** Removes and returns one record for each attempt (first try and retries), oldest first. */
  readonly takeDetails: (world: string, call: CallRecord) => readonly UpstreamDetail[];
  /** When a fault refuses all connections in this world, the simulator records no calls. */
  readonly isRefusing: (world: string, bron: UpstreamName) => boolean;
}

/** Pages, health checks and the OpenAPI document are no calls of a frontend. */
const NOT_RECORDED = /^\/(_simulator|docs|health)(\/|$)|^\/favicon\.ico$|^\/api\/v1\/openapi\.json$/;

/**
 * Returns middleware that adds each request to the journal after it has ended. Pages, health checks and allowed CORS
 * preflights are not recorded. It must be the first middleware, so that it sees the final answer.
 */
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
    // Also waits for the handler: a client that disconnects early does not end the work.
    await next().finally(() => void record());
  };
}

/** A refused preflight is recorded, because a developer needs to see it. */
const isAllowedPreflight = ({ method, res }: Context): boolean =>
  method === 'OPTIONS' && res.hasHeader('Access-Control-Allow-Methods');

// When its bodies may have data from a real upstream, its size is infinite: the journal then writes the entry at once,
// and does not keep these data.
const pendingEntry = (ended: EndedRequest): PendingEntry => ({
  world: ended.world,
  size: ended.withBodies ? sizeOfRequest(ended) : Number.POSITIVE_INFINITY,
  render: () => renderEntry(ended),
});

interface Times {
  readonly at: number;
  /** Time of arrival as `performance.now()`, in milliseconds. */
  readonly start: number;
  /** Milliseconds from the arrival of the request to the end of its answer. */
  readonly ms: number;
}

function endedRequest(ctx: Context, { at, start, ms }: Times, options: RecordOptions): EndedRequest {
  const { req, res, state } = ctx;
  const { caller, operation, problem, trace, upstream, decisions: why = [], form, sent, answered } = state;
  const world = worldOf(ctx);
  return {
    at,
    worldAt: options.now(world).getTime(),
    ms,
    world,
    caller,
    operation,
    problem,
    traceId: trace.traceId,
    method: ctx.method,
    url: ctx.originalUrl,
    address: addressOf(ctx),
    requestHeaders: req.headersDistinct,
    sent,
    isSending: req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0,
    form,
    isFinished: res.writableFinished,
    status: sentStatus(ctx),
    responseHeaders: { ...res.getHeaders(), ...lowerCased(state.headers) },
    answered: ctx.method === 'HEAD' ? undefined : answered,
    withBodies: mayRecordBodies(ctx, options.simulated),
    upstream: upstream.map((call) => upstreamCallOf(call, world, start, options)),
    why: [...why],
  };
}

const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

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

function addressOf({ req }: Context): string {
  const host = req.headers.host ?? '';
  return hostIn(host) === null ? `http://localhost:${req.socket.localPort}` : `http://${host}`;
}

/** `start` is the time at which the request arrived, as `performance.now()`. */
function upstreamCallOf(
  call: CallRecord,
  world: string,
  start: number,
  { takeDetails, isRefusing }: RecordOptions,
): JournalUpstreamCall {
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
