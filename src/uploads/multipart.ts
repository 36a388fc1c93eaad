import { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import { CHUNK_LIMITS, FORM, HARD_CAP, hasTooManyChunks, OVERHEAD, PACE, TIME } from '../domain/upload-limits.ts';
import { TOO_BUSY } from '../http/problems.ts';
import { ClientDisconnected } from '../ports/call.ts';
import { Deadline, runningTime } from '../ports/deadline.ts';
import { Problem } from '../problem.ts';
import { type FormField, isComplete, MULTIPART_PROBLEMS, type ReadUpload, type ReceivedUpload } from './form.ts';
import { TooLarge } from './spool.ts';
import { spool } from './spooling.ts';

/** A file of at most 64 KiB is kept in memory, a larger one in a temporary file. */
export const readUpload: ReadUpload = ({ req }, { boundary, begin, reserve, onPart }) => {
  if (!(req instanceof IncomingMessage)) throw new Error('an upload that did not come over a socket');
  const request: IncomingMessage = req;
  const parser = busboy({
    headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
    defParamCharset: 'utf8',
    // One more than the limit: busboy reports a field of exactly `fieldSize` as truncated.
    limits: { files: FORM.files, fields: FORM.fields, fieldSize: FORM.fieldBytes + 1, parts: FORM.parts },
  });
  const fields: FormField[] = [];
  let received: Promise<ReceivedUpload> | undefined;
  let began: Promise<number> | undefined;

  async function take(stream: Readable, name: string): Promise<ReceivedUpload> {
    if (isComplete(fields)) began = begin(fields);
    return { name, file: await spool(stream, (await began) ?? HARD_CAP) };
  }

  return new Promise((resolve, reject) => {
    let isSettled = false;
    const endWatch = watchUpload(request, { reserve, isBusy: () => parser.writableNeedDrain, fail });

    function settle(): boolean {
      if (isSettled) return false;
      isSettled = true;
      endWatch();
      return true;
    }
    function fail(error: unknown): void {
      if (!settle()) return;
      request.unpipe(parser);
      parser.destroy();
      received?.then(({ file }) => file.close()).catch(() => undefined);
      // The caller releases the claim that `begin` made, so wait until that has finished.
      Promise.allSettled([began]).then(() => reject(error));
    }
    async function finish(): Promise<void> {
      if (received === undefined) throw MULTIPART_PROBLEMS.noFile();
      const upload = await received;
      // It has failed in the meantime, and `fail` closes the file: nothing may be claimed any more.
      if (isSettled) return;
      began ??= begin(fields);
      await began;
      if (settle()) resolve(upload);
    }

    parser.on('field', (name, value, { valueTruncated }) => {
      if (name === 'file') fail(MULTIPART_PROBLEMS.fileWithoutName());
      else if (began !== undefined) fail(MULTIPART_PROBLEMS.fieldTooLate(name ?? ''));
      fields.push({ name: name ?? '', value, isCut: valueTruncated });
      onPart?.(fields, null);
    });
    parser.on('file', (name, stream, { filename }) => {
      // The reader of the stream gets the error; without this listener, an error on an unread stream ends the process.
      stream.on('error', () => undefined);
      if (name !== 'file') return fail(MULTIPART_PROBLEMS.otherName());
      // A browser sends this when the user chose no file.
      if (filename === undefined) return fail(MULTIPART_PROBLEMS.nothingChosen());
      onPart?.(fields, filename);
      received = take(stream, filename);
      received.catch(fail);
    });
    parser.on('filesLimit', () => fail(MULTIPART_PROBLEMS.tooManyFiles()));
    parser.on('fieldsLimit', () => fail(MULTIPART_PROBLEMS.tooManyFields()));
    parser.on('partsLimit', () => fail(MULTIPART_PROBLEMS.tooManyParts()));
    parser.on('error', (cause) => fail(MULTIPART_PROBLEMS.unreadable(cause)));
    parser.on('finish', () => void finish().catch(fail));
    request.pipe(parser);
  });
};

interface UploadWatch {
  reserve(bytes: number): void;
  // The reader has to finish earlier chunks first; it then resumes the request itself.
  isBusy(): boolean;
  fail(error: unknown): void;
}

// Limits of time and size (uploads.md, "Limits"): calls `fail` when the client is too slow, sends too many bytes or
// small chunks, or disconnects; with 503 when the service has not read the body in time; and with the error of
// `reserve`.
function watchUpload(request: IncomingMessage, { reserve, isBusy, fail }: UploadWatch): () => void {
  let total = 0;
  let chunks = 0;
  let isEnded = false;
  const tooSlow = () => new Problem('verzoek-te-traag', 'Het bestand kwam te langzaam binnen.');
  // A client that has sent everything waits for the service.
  const whole = new Deadline(TIME.request, () => fail(request.complete ? TOO_BUSY : tooSlow()));
  const pace = createPace(runningTime());
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
  // Without the pause, Node would read megabytes first and emit an event for each small chunk.
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

/**
 * Meters the rate of a request (see `PACE`): a deadline that received bytes move by the time that they take at the
 * minimum rate, but never further than `PACE.window` from now. It does not measure between `pause` and `resume`. Times
 * are in milliseconds, from the same clock.
 */
export function createPace(start: number) {
  let deadline = start + PACE.grace;
  let pausedAt: number | null = null;
  return {
    received(bytes: number, now: number): void {
      const later = deadline + (bytes / PACE.bytesPerSecond) * 1_000;
      deadline = Math.min(later, Math.max(deadline, now + PACE.window));
    },
    pause(now: number): void {
      pausedAt ??= now;
    },
    resume(now: number): void {
      if (pausedAt !== null) deadline += now - pausedAt;
      pausedAt = null;
    },
    isTooSlow: (now: number): boolean => pausedAt === null && now >= deadline,
  };
}
