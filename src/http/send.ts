import { Buffer } from 'node:buffer';
import { type Answer, JSON_TYPE } from './answer.ts';
import type { Context } from './state.ts';

/** Status of an answer without content. It has no `Content-Length` (RFC 9110, 8.6). */
const NO_CONTENT = 204;

/**
 * Starts an answer whose body the caller writes to `ctx.res`. Node gets the status and all headers at once: to set each
 * header, and to let Koa send the answer, takes a quarter of the CPU time of a small request (docs/performance.md). A
 * header in `headers` replaces the one with the same name in `ctx.state.headers`.
 */
export function startAnswer(ctx: Context, { status, headers }: Answer, length: number): void {
  const all: Record<string, string> = { ...ctx.state.headers, ...headers };
  if (status !== NO_CONTENT) all['Content-Length'] = String(length);
  ctx.res.writeHead(status, all);
  ctx.respond = false;
  // After `writeHead`, which throws for an invalid header: the problem answer that follows must not have that header.
  ctx.state.headers = all;
}

/** Sends an answer without a stream. Sends nothing when the client has left. */
export function send(ctx: Context, answer: Answer): void {
  const { body, headers } = answer;
  if (body === undefined) {
    end(ctx, answer, answer.length ?? 0);
  } else if (body instanceof Uint8Array) {
    end(ctx, answer, body.byteLength, body);
  } else {
    const isText = typeof body === 'string';
    const text = isText ? body : JSON.stringify(body);
    ctx.state.answered = text;
    const typed = isText ? answer : { ...answer, headers: { ...headers, 'Content-Type': JSON_TYPE } };
    end(ctx, typed, Buffer.byteLength(text), text);
  }
}

function end(ctx: Context, answer: Answer, length: number, body?: string | Uint8Array): void {
  ctx.respond = false;
  if (!ctx.writable) return;
  startAnswer(ctx, answer, length);
  ctx.res.end(body);
}
