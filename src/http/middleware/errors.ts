import { Buffer } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { hasTooManyChunks } from '../../domain/upload-limits.ts';
import { ClientDisconnected } from '../../ports/call.ts';
import { Deadline } from '../../ports/deadline.ts';
import { type Problem, problemBody } from '../../problem.ts';
import type { ProblemCode } from '../../problem-codes.ts';
import { type Context, type Next, PROBLEM_TYPE } from '../exchange.ts';
import { closesConnection } from '../server/connections.ts';
import { send, startAnswer } from '../stream.ts';
import { noteProblem } from '../to-problem.ts';

/**
 * Returns middleware that converts an error of the next middleware to a problem answer (RFC 9457). For a
 * `ClientDisconnected` error it closes the connection without an answer. `helpAt` returns the path of a page about a
 * problem code, in development: the answer then links to it, and is in English for `Accept-Language: en`.
 */
export const sendProblems =
  (helpAt?: (code: ProblemCode) => string) =>
  async (ctx: Context, next: Next): Promise<void> => {
    try {
      await next();
    } catch (error) {
      if (error instanceof ClientDisconnected) return abandon(ctx);
      sendProblem(ctx, noteProblem(ctx.state, error), helpAt);
    }
  };

function sendProblem(ctx: Context, problem: Problem, helpAt: ((code: ProblemCode) => string) | undefined): void {
  const { status, extras } = problem;
  const { requestId, traceId } = ctx.state.trace;
  // Only exactly this: browsers send other languages too, and a page shows what a citizen will read.
  const inEnglish = helpAt !== undefined && ctx.get('Accept-Language') === 'en';
  const body = JSON.stringify(problemBody(problem, requestId, traceId, inEnglish));
  const headers = {
    ...extras.headers,
    'Content-Type': PROBLEM_TYPE,
    ...(helpAt && { Link: `<${helpAt(problem.code)}>; rel="help"` }),
    ...(inEnglish && { 'Content-Language': 'en' }),
  };
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

/** Maximum number of bytes that are read of a request body after the request was refused. */
const MAX_BYTES = 1024 * 1024;
/** Maximum number of milliseconds for which the body of a refused request is read. */
const TIMEOUT = 2_000;
/**
 * Maximum size in bytes of a request body whose unread part Node itself reads after the answer, on a connection that
 * stays open.
 */
const SMALL_BODY = 64 * 1024;

/**
 * Returns true when the body of a request has not been received completely, and Node will not read the rest of it after
 * the answer: the body is larger than 64 KiB or of unknown length, or the answer closes the connection. Returns false for
 * a client that still waits for `100 Continue`: it does not send its body.
 */
const isUnread = (request: IncomingMessage, response: ServerResponse): boolean =>
  !request.complete &&
  !(request.readableFlowing === null && request.headers.expect?.toLowerCase() === '100-continue') &&
  (request.headers['transfer-encoding'] !== undefined ||
    Number(request.headers['content-length'] ?? 0) > (closesConnection(response) ? 0 : SMALL_BODY));

/**
 * Returns a response body that sends `text` at once. It ends when the request body has ended, or after 2 seconds, or
 * when more than 1 MiB of the request body has been read. Closing a socket with unread data would reset the connection
 * before the client sees the answer.
 */
function createLingeringBody(request: IncomingMessage, text: string): Readable {
  const body = new Readable({ read: () => undefined });
  let read = 0;
  let pieces = 0;
  const end = (): void => {
    deadline.cancel();
    request.off('data', count).off('end', end).off('close', end);
    if (!body.destroyed) body.push(null);
  };
  const count = (chunk: Buffer): void => {
    read += chunk.length;
    pieces += 1;
    if (read > MAX_BYTES) end();
    // Reading on would cost more than the answer is worth, so the connection is closed.
    if (hasTooManyChunks(pieces, read)) request.destroy();
  };
  const deadline = new Deadline(TIMEOUT, end);
  body.push(text);
  request.on('data', count).once('end', end).once('close', end);
  request.resume();
  return body;
}
