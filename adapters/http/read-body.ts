import { type Dispatcher, errors } from 'undici';
import { CallerGone, DeadlinePassed } from '../../src/ports/call.ts';
import type { Bron } from '../../src/wire/values.ts';
import { codeOf, UpstreamFailure } from './upstream-failure.ts';

/** Far above any honest answer: reading and checking more would hold up everybody else. */
export const MAX_ANSWER = 2 * 1024 * 1024;
/** How much of a refusal is looked at. */
export const MAX_REFUSAL = 64 * 1024;

/** Reads a body to its end. One that breaks off or stops is an answer that cannot be readBody; one that never stops is late. */
export async function readBody(bron: Bron, body: Dispatcher.ResponseData['body'], mayBeLong: boolean): Promise<string> {
  try {
    return mayBeLong ? await textUpTo(MAX_ANSWER, body) : await body.text();
  } catch (error) {
    return bodyFailure(bron, error);
  }
}

function bodyFailure(bron: Bron, error: unknown): never {
  if (error instanceof CallerGone) throw error;
  if (error instanceof DeadlinePassed) throw new UpstreamFailure(bron, 'late', 'deadline of the request');
  throw new UpstreamFailure(bron, 'unreadable', `body: ${codeOf(error)}`, { lost: true });
}

/** Waits until a body begins to come, or turns out to be empty: until then a failure can still be told as one. */
export async function firstByte(bron: Bron, body: Dispatcher.ResponseData['body']): Promise<void> {
  await new Promise((resolve, reject) => {
    body.once('readable', resolve).once('end', resolve).once('error', reject);
  }).catch((error) => bodyFailure(bron, error));
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

/** What a refusal says, when it is JSON and short; a proxy's page of HTML says nothing. */
export async function readRefusal(body: Dispatcher.ResponseData['body']): Promise<unknown> {
  try {
    return JSON.parse(await textUpTo(MAX_REFUSAL, body));
  } catch {
    return undefined;
  }
}
