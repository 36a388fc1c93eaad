import { Buffer } from 'node:buffer';
import { pipeline } from 'node:stream';
import { ClientDisconnected } from '../../ports/call.ts';
import { type Problem, problemBody } from '../../problem.ts';
import { PROBLEM_TYPE } from '../answer.ts';
import { send, startAnswer } from '../send.ts';
import { createLingeringBody, isUnread } from '../server/linger.ts';
import type { Context, Next } from '../state.ts';
import { noteProblem } from '../to-problem.ts';

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
  const { status, extras } = problem;
  const { requestId, traceId } = ctx.state.trace;
  const body = JSON.stringify(problemBody(problem, requestId, traceId));
  const headers = { ...extras.headers, 'Content-Type': PROBLEM_TYPE };
  if (!isUnread(ctx.req, ctx.res)) {
    send(ctx, { status, headers, body });
    return;
  }
  ctx.state.answered = body;
  startAnswer(ctx, { status, headers: { ...headers, Connection: 'close' } }, Buffer.byteLength(body));
  pipeline(createLingeringBody(ctx.req, body), ctx.res, () => undefined);
}

/** Closes the connection, and stops Koa from writing an answer to it. */
function abandon(ctx: Context): void {
  ctx.respond = false;
  ctx.res.destroy();
}
