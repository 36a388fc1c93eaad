import { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import type { Sent } from '../../auth/identity.ts';
import { FORM, HARD_CAP, hasTooManyPieces, OVERHEAD, PACE, PIECES, TIME } from '../../domain/upload-limits.ts';
import { CallerGone } from '../../ports/call.ts';
import { Problem } from '../../problem.ts';
import { createPace } from './pace.ts';
import { type Field, NEEDED, type ReadUpload, type ReceivedUpload, WRONG } from './parts.ts';
import { TooLarge } from './spool.ts';
import { spool } from './spooling.ts';

/** An upload from a socket: the file goes to where it is kept until it has been judged, as it comes. */
export const readUpload: ReadUpload = ({ req }, boundary, begin, hold, heard) => {
  const request = ofSocket(req);
  const parser = busboy({
    headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
    defParamCharset: 'utf8',
    // A field of exactly the limit would count as cut.
    limits: { files: FORM.files, fields: FORM.fields, fieldSize: FORM.fieldBytes + 1, parts: FORM.parts },
  });
  const fields: Field[] = [];
  let received: Promise<ReceivedUpload> | undefined;
  let began: Promise<number> | undefined;

  async function take(stream: Readable, name: string): Promise<ReceivedUpload> {
    const isEarly = !NEEDED.every((needed) => fields.some((field) => field.name === needed));
    if (!isEarly) began = begin(fields);
    return { name, file: await spool(stream, (await began) ?? HARD_CAP) };
  }

  return new Promise((resolve, reject) => {
    let total = 0;
    let pieces = 0;
    let isSettled = false;
    const late = () => fail(new Problem('verzoek-te-traag', 'Het bestand kwam te langzaam binnen.'));
    const whole = setTimeout(late, TIME.request);
    const pace = createPace(PACE, performance.now());
    const paceCheck = setInterval(() => {
      if (pace.isTooSlow(performance.now())) late();
    }, 1_000);

    function settle(): boolean {
      if (isSettled) return false;
      isSettled = true;
      clearTimeout(whole);
      clearInterval(paceCheck);
      request.off('data', count).off('pause', pause).off('resume', resume).off('close', gone);
      return true;
    }
    function fail(error: unknown): void {
      if (!settle()) return;
      request.unpipe(parser);
      parser.destroy();
      received?.then(({ file }) => file.close()).catch(() => undefined);
      // What was begun must be known before it can be given up.
      Promise.allSettled([began]).then(() => reject(error));
    }
    function count(chunk: Buffer): void {
      pace.received(chunk.length, performance.now());
      total += chunk.length;
      pieces += 1;
      if (pieces % PIECES.batch === 0) giveWay();
      try {
        if (hasTooManyPieces(pieces, total)) throw new CallerGone('the client sent its file a few bytes at a time');
        if (total > HARD_CAP + OVERHEAD) throw new TooLarge();
        hold(chunk.length);
      } catch (error) {
        fail(error);
      }
    }
    /** Lets others have their turn before more is read: Node would read megabytes first, and emit each piece of them. */
    function giveWay(): void {
      request.pause();
      setImmediate(() => {
        // Else the pipe resumes it.
        if (!isSettled && !parser.writableNeedDrain) request.resume();
      });
    }
    // While the disk or the store is slow the request is paused, and the client cannot send.
    const pause = () => pace.pause(performance.now());
    const resume = () => pace.resume(performance.now());
    function gone(): void {
      if (!request.complete) fail(new CallerGone('the client left while it was uploading'));
    }

    parser.on('field', (name, value, { valueTruncated }) => {
      if (name === 'file') fail(WRONG.fileWithoutName());
      else if (began !== undefined) fail(WRONG.fieldTooLate());
      fields.push({ name: name ?? '', value, isCut: valueTruncated });
      heard?.(fields, null);
    });
    parser.on('file', (name, stream, { filename }) => {
      // Whoever reads it hears of an error; without a listener it would end the process when nobody does.
      stream.on('error', () => undefined);
      if (name !== 'file') {
        fail(WRONG.otherName());
        return;
      }
      // What a browser sends when nobody chose a file.
      if (filename === undefined) {
        fail(WRONG.nothingChosen());
        return;
      }
      heard?.(fields, filename);
      received = take(stream, filename);
      received.catch(fail);
    });
    parser.on('filesLimit', () => fail(WRONG.tooManyFiles()));
    parser.on('fieldsLimit', () => fail(WRONG.tooManyFields()));
    parser.on('partsLimit', () => fail(WRONG.tooManyParts()));
    parser.on('error', (cause) => fail(WRONG.unreadable(cause)));
    parser.on('finish', () => {
      if (received === undefined) {
        fail(WRONG.noFile());
        return;
      }
      received
        .then(async (upload) => {
          began ??= begin(fields);
          await began;
          if (settle()) resolve(upload);
        })
        .catch(fail);
    });
    request.on('data', count).on('pause', pause).on('resume', resume).once('close', gone).once('error', gone);
    request.pipe(parser);
  });
};

function ofSocket(request: Sent): IncomingMessage {
  if (request instanceof IncomingMessage) return request;
  throw new Error('an upload that did not come over a socket');
}
