import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { Deadline } from '../../src/ports/deadline.ts';
import type { UpstreamName } from '../../src/wire/values.ts';
import { decode } from './content-coding.ts';
import { parseJsonOrUndefined } from './parse.ts';
import { bodyFailure } from './upstream-failure.ts';

/** In bytes. */
export const MAX_REFUSAL = 64 * 1024;

/** Resolves when the first byte has arrived, or the body ends empty. Rejects with the error of `bodyFailure`. */
export async function waitForFirstByte(upstream: UpstreamName, body: Readable): Promise<void> {
  await new Promise((resolve, reject) => {
    body.once('readable', resolve).once('end', resolve).once('error', reject);
  }).catch((error) => {
    throw bodyFailure(upstream, error);
  });
}

const S3_CODE = /<Code>([A-Za-z]{1,64})<\/Code>/;
// Characters before the root element.
const MAX_PROLOGUE = 200;

/**
 * Returns the JSON of an error answer, or an object with `code` for an S3 error (XML). Undefined when it is longer than
 * `MAX_REFUSAL`, takes longer than `timeout` milliseconds, or is neither, such as a web page of a proxy.
 */
export async function readRefusal(
  { headers, body }: Pick<Dispatcher.ResponseData, 'headers' | 'body'>,
  timeout: number,
): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  const deadline = new Deadline(timeout, () => body.destroy());
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_REFUSAL) return undefined;
    }
    const bytes = await decode(Buffer.concat(chunks), headers['content-encoding'], MAX_REFUSAL);
    const text = new TextDecoder().decode(bytes);
    const isS3 = text.slice(0, MAX_PROLOGUE).includes('<Error>');
    const [, code] = (isS3 && S3_CODE.exec(text)) || [];
    return code === undefined ? parseJsonOrUndefined(text) : { code };
  } catch {
    return undefined;
  } finally {
    deadline.cancel();
  }
}
