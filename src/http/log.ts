import type { Logger } from 'pino';
import { UpstreamError } from '../ports/call.ts';
import type { Meters } from '../ports/meters.ts';
import type { Context, Next } from './state.ts';
import { readTrace } from './trace.ts';

/**
 * Returns middleware that writes one log line and one metric per request, when its answer has been sent or the client
 * has disconnected (status 499). It logs the operation id and never the URL, so that no personal data reaches the log
 * (security.md, "1. What is private").
 */
export function requestLog(logger: Logger, meters?: Meters) {
  return async (ctx: Context, next: Next): Promise<void> => {
    const start = performance.now();
    const trace = readTrace(ctx.get('traceparent') || undefined);
    ctx.state.trace = trace;
    ctx.state.upstream = [];
    ctx.res.once('close', () => {
      const { operation, caller, upstream, problem, reason, error, quiet } = ctx.state;
      const status = ctx.res.writableFinished ? ctx.status : 499;
      const ms = performance.now() - start;
      const refusal = status === 401 ? reason : undefined;
      meters?.request({ operation: operation?.id ?? null, method: ctx.method, status, ms, upstream, problem, refusal });
      const troubled = upstream.some(({ outcome }) => outcome !== 200);
      const isQuiet = quiet || (operation !== undefined && PROBES.has(operation.id));
      logger[isQuiet ? 'debug' : status >= 500 ? 'error' : troubled ? 'warn' : 'info']({
        requestId: trace.requestId,
        traceId: trace.traceId,
        method: ctx.method,
        operation: operation?.id ?? null,
        caller: caller?.kind ?? null,
        status,
        ms: round(ms),
        ...(problem && { problem }),
        ...(reason && { reason }),
        ...(upstream.length > 0 && {
          upstream: upstream.map(({ upstream: bron, ms, ...call }) => ({ bron, ...call, ms: round(ms) })),
        }),
        ...(error !== undefined && { error: describe(error) }),
      });
    });
    await next();
  };
}

/** The operations of probes: every few seconds one, so their lines have level `debug`. */
const PROBES: ReadonlySet<string> = new Set(['health', 'healthReady']);

const round = (ms: number): number => Math.round(ms * 10) / 10;

/**
 * Returns the parts of an error that are safe to log: name, code and at most 8 stack frames. The message is logged only
 * for an `UpstreamError`, because messages of parsers and drivers can quote personal data.
 */
function describe(error: unknown): Record<string, unknown> {
  if (error instanceof UpstreamError) return { name: error.name, message: error.message };
  if (!(error instanceof Error)) return { name: typeof error };
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line));
  return {
    name: error.name,
    code: 'code' in error ? String(error.code) : undefined,
    at: frames?.slice(0, 8).map((line) => line.trim()),
  };
}
