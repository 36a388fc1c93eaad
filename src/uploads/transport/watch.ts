import type { IncomingMessage } from 'node:http';
import { CHUNK_LIMITS, HARD_CAP, hasTooManyChunks, OVERHEAD, PACE, TIME } from '../../domain/upload-limits.ts';
import { TOO_BUSY } from '../../http/refusals.ts';
import { ClientDisconnected } from '../../ports/call.ts';
import { Deadline, runningTime } from '../../ports/deadline.ts';
import { Problem } from '../../problem.ts';
import { createPace } from './pace.ts';
import { TooLarge } from './spool.ts';

/** The functions with which an upload is watched while its body arrives. */
export interface UploadWatch {
  /** Called with the number of bytes of each chunk before that chunk is kept; throws when no space is left. */
  reserve(bytes: number): void;
  /** Returns true when the reader of the request has to finish earlier chunks first; it then resumes the request itself. */
  isBusy(): boolean;
  /**
   * Called with the error when the client is too slow, sends too many bytes or too many small chunks, or disconnects,
   * with 503 `overbelast` when the service has not read the whole body in time, and with the error of `reserve`.
   */
  fail(error: unknown): void;
}

/**
 * Watches the body of an upload for its limits of time and size (uploads.md, "Limits"). Returns a function that ends the
 * watch; call it when the upload has been read or has failed.
 */
export function watchUpload(request: IncomingMessage, { reserve, isBusy, fail }: UploadWatch): () => void {
  let total = 0;
  let chunks = 0;
  let isEnded = false;
  const tooSlow = () => new Problem('verzoek-te-traag', 'Het bestand kwam te langzaam binnen.');
  // A client that has sent everything waits for the service.
  const whole = new Deadline(TIME.request, () => fail(request.complete ? TOO_BUSY : tooSlow()));
  const pace = createPace(PACE, runningTime());
  const paceCheck = setInterval(() => {
    if (!request.complete && pace.isTooSlow(runningTime())) fail(tooSlow());
  }, 1_000);

  function count(chunk: Buffer): void {
    pace.received(chunk.length, runningTime());
    total += chunk.length;
    chunks += 1;
    if (chunks % CHUNK_LIMITS.batch === 0) yieldToOthers();
    try {
      if (hasTooManyChunks(chunks, total))
        throw new ClientDisconnected('the client sent its file a few bytes at a time');
      if (total > HARD_CAP + OVERHEAD) throw new TooLarge();
      reserve(chunk.length);
    } catch (error) {
      fail(error);
    }
  }
  /**
   * Pauses reading until other requests have run. Without the pause, Node would read megabytes first and emit an event
   * for each small chunk.
   */
  function yieldToOthers(): void {
    request.pause();
    setImmediate(() => {
      if (!isEnded && !isBusy()) request.resume();
    });
  }
  // The request is paused while the disk or the store is slow; the client cannot send then.
  const pause = () => pace.pause(runningTime());
  const resume = () => pace.resume(runningTime());
  function disconnected(): void {
    // What has arrived and was not read yet is lost, also when it is the end of the body.
    if (!request.readableEnded) fail(new ClientDisconnected('the client left while it was uploading'));
  }

  request.on('data', count).on('pause', pause).on('resume', resume);
  request.once('close', disconnected).once('error', disconnected);
  return () => {
    isEnded = true;
    whole.cancel();
    clearInterval(paceCheck);
    request.off('data', count).off('pause', pause).off('resume', resume).off('close', disconnected);
  };
}
