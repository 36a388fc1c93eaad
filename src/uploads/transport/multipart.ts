import { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import type { IncomingRequest } from '../../auth/identity.ts';
import { FORM, HARD_CAP } from '../../domain/upload-limits.ts';
import { type FormField, MULTIPART_PROBLEMS, REQUIRED_FIELDS, type ReadUpload, type ReceivedUpload } from './parts.ts';
import { spool } from './spooling.ts';
import { watchUpload } from './watch.ts';

/**
 * Reads one file and its form fields from a socket (see `ReadUpload`). A file of at most 64 KiB is kept in memory, a
 * larger one in a temporary file.
 */
export const readUpload: ReadUpload = ({ req }, boundary, begin, reserve, onPart) => {
  const request = ofSocket(req);
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
    const isEarly = !REQUIRED_FIELDS.every((needed) => fields.some((field) => field.name === needed));
    if (!isEarly) began = begin(fields);
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

    parser.on('field', (name, value, { valueTruncated }) => {
      if (name === 'file') fail(MULTIPART_PROBLEMS.fileWithoutName());
      else if (began !== undefined) fail(MULTIPART_PROBLEMS.fieldTooLate(name ?? ''));
      fields.push({ name: name ?? '', value, isCut: valueTruncated });
      onPart?.(fields, null);
    });
    parser.on('file', (name, stream, { filename }) => {
      // The reader of the stream gets the error; without this listener, an error on an unread stream ends the process.
      stream.on('error', () => undefined);
      if (name !== 'file') {
        fail(MULTIPART_PROBLEMS.otherName());
        return;
      }
      // A browser sends this when the user chose no file.
      if (filename === undefined) {
        fail(MULTIPART_PROBLEMS.nothingChosen());
        return;
      }
      onPart?.(fields, filename);
      received = take(stream, filename);
      received.catch(fail);
    });
    parser.on('filesLimit', () => fail(MULTIPART_PROBLEMS.tooManyFiles()));
    parser.on('fieldsLimit', () => fail(MULTIPART_PROBLEMS.tooManyFields()));
    parser.on('partsLimit', () => fail(MULTIPART_PROBLEMS.tooManyParts()));
    parser.on('error', (cause) => fail(MULTIPART_PROBLEMS.unreadable(cause)));
    parser.on('finish', () => {
      if (received === undefined) {
        fail(MULTIPART_PROBLEMS.noFile());
        return;
      }
      received
        .then(async (upload) => {
          // It has failed in the meantime, and `fail` closes the file: nothing may be claimed any more.
          if (isSettled) return;
          began ??= begin(fields);
          await began;
          if (settle()) resolve(upload);
        })
        .catch(fail);
    });
    request.pipe(parser);
  });
};

function ofSocket(request: IncomingRequest): IncomingMessage {
  if (request instanceof IncomingMessage) return request;
  throw new Error('an upload that did not come over a socket');
}
