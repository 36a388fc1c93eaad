import type { Context, Next } from '../../src/http/state.ts';
import type { CallRecord } from '../../src/ports/call.ts';
import type { Bron } from '../../src/wire/values.ts';
import { curlOf } from '../control/curl.ts';
import { type Entry, type Journal, MOST_BODY, type Reason, type UpstreamCall } from '../worlds/journal.ts';
import { breachOf } from './breach.ts';
import { maskedFacts, maskedHeaders, maskedPath, maskedText } from './masks.ts';
import type { UpstreamDetail } from './upstream-calls.ts';

interface WatchOptions {
  /** Sources that are simulated. What any other says is not kept. */
  readonly simulated: readonly Bron[];
  /** What the simulators saw of the tries of one call, the first of those that were not yet taken. */
  readonly details?: (world: string, traceId: string, bron: Bron, tries: number) => readonly UpstreamDetail[];
  /** Whether a source of a world takes no connections at all, so that its simulator sees nothing. */
  readonly isRefusing?: (world: string, bron: Bron) => boolean;
}

/** What nobody asked as a frontend: pages, probes and the document. */
const NOT_KEPT = /^\/(_simulator|docs|health)(\/|$)|^\/favicon\.ico$|^\/api\/v1\/openapi\.json$/;

/** Writes every call down when its answer has gone: outermost, so that it sees what everything else made of it. */
export function watch(journal: Journal, options: WatchOptions) {
  return async (ctx: Context, next: Next): Promise<void> => {
    if (NOT_KEPT.test(ctx.path)) {
      await next();
      return;
    }
    const at = new Date().toISOString();
    const start = performance.now();
    ctx.state.why = [];
    const gone = new Promise<number>((resolve) => {
      ctx.res.once('close', () => resolve(performance.now() - start));
    });
    const keep = async () => {
      const ms = await gone;
      if (!isGranted(ctx)) journal.add(entryOf(ctx, at, ms, options));
    };
    // Not before the work is done either: whoever left early did not see what became of it.
    await next().finally(() => void keep());
  };
}

/** Whether a browser asked if it may ask, and may. One that may not is what somebody will be looking for. */
const isGranted = ({ method, res }: Context): boolean =>
  method === 'OPTIONS' && res.hasHeader('Access-Control-Allow-Methods');

function entryOf(ctx: Context, at: string, ms: number, options: WatchOptions): Omit<Entry, 'id'> {
  const { caller, operation, problem, trace, upstream, why = [] } = ctx.state;
  const world = worldOf(ctx);
  const may = mayBeKept(ctx, options.simulated);
  const headers = maskedHeaders(ctx.req, caller);
  const path = pathOf(ctx);
  const body = sentText(ctx);
  const truncated = body === null ? isSending(ctx) : body.length > MOST_BODY || !may;
  const form = formOf(ctx);
  const breach = breachIn(ctx);
  return {
    at,
    world,
    caller: caller === undefined ? null : { kind: caller.kind, subject: caller.subject },
    request: { method: ctx.method, path, headers, body: may ? body : null, truncated: false },
    response: {
      status: ctx.res.writableFinished ? ctx.status : 499,
      headers: { ...answeredHeaders(ctx), ...(!may && named(ctx)) },
      body: may ? answeredText(ctx) : null,
      truncated: false,
    },
    ms: Math.round(ms * 10) / 10,
    operation: operation?.id ?? null,
    problem: problem ?? null,
    ...(breach.length > 0 && { breach }),
    upstream: upstream.map((call) => told(call, trace.traceId, world, options)),
    why: may ? why.map(withoutNumbers) : why.map(({ rule, source }) => ({ rule, source, facts: null, outcome: null })),
    traceId: trace.traceId,
    curl: curlOf({
      method: ctx.method,
      url: `${addressOf(ctx)}${path}`,
      headers,
      body: truncated ? '' : body,
      truncated,
      ...(may && form && { form }),
    }),
  };
}

/** Sources that say something about people; a scanner and an issuer are asked about none. */
const ABOUT_PEOPLE: readonly Bron[] = ['register', 'brp', 'duo', 'documenten'];

/**
 * Whether contents may be kept: only where all of it was made up. What an operation asks of no source is what people typed,
 * which may be about anyone whom any of the sources knows.
 */
function mayBeKept({ state: { operation, upstream } }: Context, simulated: readonly Bron[]): boolean {
  const asked = [...(operation?.sources ?? ABOUT_PEOPLE), ...upstream.map(({ bron }) => bron)];
  return asked.every((bron) => !ABOUT_PEOPLE.includes(bron) || simulated.includes(bron));
}

const WORLD = /@([a-z0-9-]{1,32})$/;

/** Where the caller is; of somebody who was refused, where they said that they were. */
function worldOf(ctx: Context): string {
  const said = ctx.get('X-Subject') || ctx.get('X-Medewerker');
  return ctx.state.caller?.workspace ?? WORLD.exec(said.trim())?.[1] ?? 'default';
}

/** As it was asked, with anything that is no URL written as one. */
const pathOf = (ctx: Context): string => {
  const url = ctx.req.url ?? '/';
  const path = url.startsWith('/') ? url : `${ctx.path}${ctx.search}`;
  return maskedPath(path.replace(/[^\x21-\x7e]/g, encodeURIComponent));
};

/** By the name under which it was called, if that is a name. */
function addressOf({ req }: Context): string {
  const host = req.headers.host ?? '';
  return /^([\w.-]+|\[[\da-f:]+\])(:\d{1,5})?$/i.test(host)
    ? `http://${host}`
    : `http://localhost:${req.socket.localPort}`;
}

const withoutNumbers = ({ facts, outcome, ...rule }: Reason): Reason => ({
  ...rule,
  facts: maskedFacts(facts),
  outcome: maskedFacts(outcome),
});

const formOf = ({ state: { form } }: Context) => form && (maskedFacts(form) as typeof form);

function sentText(ctx: Context): string | null {
  const form = formOf(ctx);
  if (form !== undefined) return JSON.stringify(form);
  return ctx.state.sent === undefined ? null : maskedText(ctx.state.sent);
}

/** What of the answer is not as the document says; of problems and of bytes nothing is said. */
function breachIn(ctx: Context): string[] {
  const { operation, problem } = ctx.state;
  if (operation === undefined || problem !== undefined || operation.media || !ctx.res.writableFinished) return [];
  return ctx.method === 'HEAD' ? [] : breachOf(operation, ctx.status, saidIn(ctx) ?? '');
}

const isSending = ({ req }: Context): boolean =>
  req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;

/** Texts only; of bytes the headers tell the kind and the length. */
function saidIn({ body, method, state: { said } }: Context): string | undefined {
  if (method === 'HEAD') return undefined;
  return typeof body === 'string' ? body : said;
}

function answeredText(ctx: Context): string | null {
  const text = saidIn(ctx);
  return text === undefined ? null : maskedText(text);
}

/** The name of a document is somebody's words as well. */
const named = ({ res }: Context): Record<string, string> =>
  res.hasHeader('Content-Disposition') ? { 'content-disposition': '…' } : {};

const answeredHeaders = ({ res }: Context): Record<string, string> =>
  Object.fromEntries(
    Object.entries(res.getHeaders()).map(([name, value]) => [
      name,
      name === 'content-length' ? `${value}` : maskedPath(Array.isArray(value) ? value.join(', ') : `${value}`),
    ]),
  );

/** A call with what its simulator knows of it: the operation, and what was done to it. */
function told(call: CallRecord, traceId: string, world: string, { details, isRefusing }: WatchOptions): UpstreamCall {
  const { bron, outcome, ms, attempts } = call;
  const tries = details?.(world, traceId, bron, attempts) ?? [];
  const operation = tries.at(-1)?.operation;
  const refused = tries.length === 0 && attempts > 0 && isRefusing?.(world, bron) ? 'refused' : null;
  const fault = tries.find((one) => one.fault !== null)?.fault ?? refused;
  return {
    bron,
    ...(operation !== undefined && { operation }),
    outcome,
    ms: Math.round(ms * 10) / 10,
    attempts,
    ...(fault !== null && { fault }),
  };
}
