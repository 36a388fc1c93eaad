import { type Dispatcher, errors } from 'undici';
import { ClientDisconnected, DeadlinePassed } from '../../src/ports/call.ts';
import type { UpstreamName } from '../../src/wire/values.ts';
import { codeOf, UpstreamFailure } from './upstream-failure.ts';

/** Bytes of a JSON answer; far more than any real one. Parsing more would block the event loop for all requests. */
export const MAX_ANSWER = 2 * 1024 * 1024;
/** Bytes of an error answer that are read. */
export const MAX_REFUSAL = 64 * 1024;

/**
 * Returns the whole body as text. Throws `UpstreamFailure`: `unreadable` when it breaks off or stalls, `late` when the
 * deadline passes. `mayBeLong`: the pool sets no maximum size, so it is checked here.
 */
export async function readAnswerBody(
  upstream: UpstreamName,
  body: Dispatcher.ResponseData['body'],
  mayBeLong: boolean,
): Promise<string> {
  try {
    return mayBeLong ? await textUpTo(MAX_ANSWER, body) : await body.text();
  } catch (error) {
    return bodyFailure(upstream, error);
  }
}

function bodyFailure(upstream: UpstreamName, error: unknown): never {
  if (error instanceof ClientDisconnected) throw error;
  if (error instanceof DeadlinePassed) throw new UpstreamFailure(upstream, 'late', 'deadline of the request');
  throw new UpstreamFailure(upstream, 'unreadable', `body: ${codeOf(error)}`, { lost: true });
}

/**
 * Resolves when the first byte of a body has arrived or the body is empty. Until then a failure can still be a problem
 * response.
 */
export async function firstByte(upstream: UpstreamName, body: Dispatcher.ResponseData['body']): Promise<void> {
  await new Promise((resolve, reject) => {
    body.once('readable', resolve).once('end', resolve).once('error', reject);
  }).catch((error) => bodyFailure(upstream, error));
}

async function textUpTo(limit: number, body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limit) throw new errors.ResponseExceededMaxSizeError();
  }
  return Buffer.concat(chunks).toString();
}

/** Returns the JSON of an error answer, or undefined when it is too long or not JSON, such as a proxy's HTML page. */
export async function readRefusal(body: Dispatcher.ResponseData['body']): Promise<unknown> {
  try {
    return JSON.parse(await textUpTo(MAX_REFUSAL, body));
  } catch {
    return undefined;
  }
}
