import { Buffer } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { HARD_CAP, hasTooManyChunks, OVERHEAD } from '../../domain/upload-limits.ts';
import { ClientDisconnected } from '../../ports/call.ts';
import { Deadline } from '../../ports/deadline.ts';
import type { Problem } from '../../problem.ts';
import type { ProblemCode } from '../../problem-codes.ts';
import type { Context, Next } from '../exchange.ts';
import { send, startAnswer } from '../operation/koa.ts';
import { noteProblem, problemAnswer } from '../problems.ts';
import { closesConnection } from '../server/server.ts';

/**
 * Converts an error to a problem answer (RFC 9457). For `ClientDisconnected` it closes the connection without an
 * answer. In development `helpAt` returns the path of a page about a code.
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
  const { status, headers, body } = problemAnswer(ctx, problem, helpAt);
  if (!isUnread(ctx.req, ctx.res)) {
    send(ctx, { status, headers, body });
    return;
  }
  ctx.state.answered = body;
  startAnswer(ctx, { status, headers: { ...headers, Connection: 'close' } }, Buffer.byteLength(body));
  pipeline(createLingeringBody(ctx.req, body), ctx.res, () => undefined);
}

// Also keeps Koa from writing an answer.
function abandon(ctx: Context): void {
  ctx.respond = false;
  ctx.res.destroy();
}

// Read from a body after its request was refused. A gateway that has the whole of an upload, as nginx does by default, reads
// no answer before it has sent all of it.
const MAX_BYTES = HARD_CAP + OVERHEAD;
// Milliseconds.
const TIMEOUT = 2_000;
// Bytes of a body whose unread part Node itself reads after the answer, on a connection that stays open.
const SMALL_BODY = 64 * 1024;

// Node does not read the rest of a body that is larger or of unknown length, or when the answer closes the connection.
// A client that still waits for `100 Continue` does not send its body.
const isUnread = (request: IncomingMessage, response: ServerResponse): boolean =>
  !request.complete &&
  !(request.readableFlowing === null && request.headers.expect?.toLowerCase() === '100-continue') &&
  (request.headers['transfer-encoding'] !== undefined ||
    Number(request.headers['content-length'] ?? 0) > (closesConnection(response) ? 0 : SMALL_BODY));

// Sends `text` at once, and ends when the request body has ended or a limit is reached. Closing a socket with unread
// data would reset the connection before the client sees the answer.
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
