import type { Logger } from 'pino';
import { hasFailed, UpstreamError } from '../../ports/call.ts';
import type { Meters } from '../../ports/meters.ts';
import type { Tracing } from '../../ports/tracing.ts';
import { type Context, type Next, readTrace, type Trace } from '../exchange.ts';

/**
 * Starts the trace of a request. When the answer has ended, writes a log line and reports to `meters` and `tracing`.
 * The line has the operation id and never the URL, which can contain personal data (security.md, "1. What is private").
 */
export function requestLog(logger: Logger, meters?: Meters, tracing?: Tracing) {
  return (ctx: Context, next: Next): Promise<unknown> => {
    const start = performance.now();
    const trace = readTrace(ctx.get('traceparent') || undefined, ctx.get('tracestate'));
    ctx.state.trace = trace;
    ctx.state.upstream = [];
    if (tracing && isSampled(trace)) ctx.state.steps = [];
    ctx.res.once('close', () => {
      const { operation, upstream, problem, reason, found } = ctx.state;
      const status = sentStatus(ctx);
      const ms = performance.now() - start;
      // A token that was refused; not a request without one, or a login that is too weak for a step-up.
      const isRefusal = status === 401 && found !== undefined && problem !== 'step-up-nodig';
      const refusal = isRefusal ? reason : undefined;
      meters?.request({ operation: operation?.id ?? null, method: ctx.method, status, ms, upstream, problem, refusal });
      logRequest(logger, ctx, status, ms);
    });
    const { steps } = ctx.state;
    if (tracing === undefined || steps === undefined) return next();
    const startedAt = Date.now();
    ctx.res.once('close', () => {
      const { operation, problem } = ctx.state;
      if (operation !== undefined && PROBES.has(operation.id)) return;
      tracing.finished({
        traceId: trace.traceId,
        spanId: trace.operationId,
        parentId: trace.foreignOperationId,
        operation: operation?.id ?? null,
        method: ctx.method,
        status: sentStatus(ctx),
        problem,
        start: startedAt,
        end: Date.now(),
        steps,
      });
    });
    return tracing.follow(steps, next);
  };
}

/** 499 when the client disconnected before the end of the answer, and 500 when the service broke it off. */
export function sentStatus({ res, status, state }: Context): number {
  if (res.writableFinished) return status;
  return state.isBrokenOff ? 500 : 499;
}

function logRequest(logger: Logger, { method, state }: Context, status: number, ms: number): void {
  const { trace, operation, caller, upstream, problem, reason, found, error, quiet } = state;
  const isAsAgreed = upstream.every((call) => !hasFailed(call) && call.notUnderstood === undefined);
  const isQuiet = quiet || (operation !== undefined && PROBES.has(operation.id));
  const level = isQuiet ? 'debug' : status >= 500 ? 'error' : isAsAgreed ? 'info' : 'warn';
  if (!logger.isLevelEnabled(level)) return;
  logger[level]({
    requestId: trace.requestId,
    traceId: trace.traceId,
    // The client chose the trace id, so it can have the digits of any number.
    ...(trace.foreignOperationId !== null && { traceFrom: 'client' }),
    method,
    operation: operation?.id ?? null,
    caller: caller?.kind ?? null,
    status,
    ms: round(ms),
    ...(problem && { problem }),
    ...(reason && { reason }),
    ...(found && { found }),
    ...(upstream.length > 0 && {
      upstream: upstream.map(({ upstream: bron, outcome, ms, attempts, notUnderstood, why }) => ({
        bron,
        outcome,
        attempts,
        ms: round(ms),
        ...(notUnderstood && { notUnderstood }),
        ...(why !== undefined && { why }),
      })),
    }),
    ...(error !== undefined && { error: describeError(error) }),
  });
}

// W3C Trace Context, 3.2.2.5.
const isSampled = ({ flags }: Trace): boolean => (Number.parseInt(flags, 16) & 1) === 1;

// Their log lines have level `debug`, and they are not traced.
const PROBES: ReadonlySet<string> = new Set(['health', 'healthReady']);

const round = (ms: number): number => Math.round(ms * 10) / 10;

/**
 * Safe to log: the message only of an `UpstreamError`, because messages of parsers and drivers can quote personal data.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (error instanceof UpstreamError) return { name: error.name, message: error.message };
  if (!(error instanceof Error)) return { name: typeof error };
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line));
  return {
    name: error.name,
    code: 'code' in error ? String(error.code) : undefined,
    at: frames?.slice(0, 8).map((line) => line.trim()),
  };
}
