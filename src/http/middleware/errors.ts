import { ClientDisconnected } from '../../ports/call.ts';
import { type Problem, problemBody } from '../../problem.ts';
import { createLingeringBody, isUnread } from '../server/linger.ts';
import type { Context, Next } from '../state.ts';
import { noteProblem } from './failures.ts';

/**
 * Runs the next middleware, and converts an error that it throws to a problem answer (RFC 9457). For a
 * `ClientDisconnected` error it closes the connection without an answer.
 */
export async function sendProblems(ctx: Context, next: Next): Promise<void> {
  try {
    await next();
  } catch (error) {
    if (error instanceof ClientDisconnected) return abandon(ctx);
    sendProblem(ctx, noteProblem(ctx.state, error));
  }
}

function sendProblem(ctx: Context, problem: Problem): void {
  const { requestId, traceId } = ctx.state.trace;
  ctx.status = problem.status;
  ctx.set({ ...problem.extras.headers });
  const body = JSON.stringify(problemBody(problem, requestId, traceId));
  ctx.type = 'application/problem+json; charset=utf-8';
  if (!isUnread(ctx.req)) {
    ctx.body = body;
    return;
  }
  ctx.set('Connection', 'close');
  ctx.state.streamedText = body;
  ctx.body = createLingeringBody(ctx.req, body);
  ctx.length = Buffer.byteLength(body);
}

/** Closes the connection, and stops Koa from writing an answer to it. */
function abandon(ctx: Context): void {
  ctx.respond = false;
  ctx.res.destroy();
}
