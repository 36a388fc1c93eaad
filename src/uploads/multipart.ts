import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import { CallerGone } from '../ports/call.ts';
import { Problem } from '../problem.ts';
import { FORM, HARD_CAP, OVERHEAD, TIME } from './limits.ts';
import { type Spool, spool, TooLarge } from './spool.ts';

/** A text field as it came; `isCut` when it was longer than a field may be. */
export interface Field {
  readonly name: string;
  readonly value: string;
  readonly isCut: boolean;
}

export interface ReceivedUpload {
  /** As the client had it. */
  readonly name: string;
  readonly file: Spool;
}

/** Fields that must have come before a file can be judged while it is read. */
const NEEDED = ['categoryId', 'localId', 'wizardId'];

/** RFC 2046, 5.1.1, between quotes; without them (RFC 2045, 5.1) everything that clients send bare. */
const MULTIPART =
  /^multipart\/form-data\s*;\s*boundary=(?:"([\w'()+,./:=? -]{0,69}[\w'()+,./:=?-])"|([\w'()+,./:=?-]{1,70}))\s*$/i;

/** The boundary of an upload's `Content-Type`, which says that and nothing else; null for any other type. */
export function boundaryOf(contentType: string): string | null {
  const [, quoted, bare] = MULTIPART.exec(contentType) ?? [];
  return quoted ?? bare ?? null;
}

/**
 * Reads one file and its fields from a request (RFC 7578), never more than is allowed of anything. `begin` is called once,
 * with all fields: before the file is read when they came first, else after it; it gives the bytes that the file may have.
 * Throws a `Problem`, `TooLarge`, or `CallerGone`; then nothing is left, and the rest of the request is unread.
 */
export function readUpload(
  request: IncomingMessage,
  boundary: string,
  begin: (fields: readonly Field[]) => Promise<number>,
): Promise<ReceivedUpload> {
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
    let isSettled = false;
    const late = () => fail(new Problem('verzoek-te-traag', 'Het bestand kwam te langzaam binnen.'));
    const whole = setTimeout(late, TIME.request);
    const idle = setTimeout(late, TIME.idle);

    function settle(): boolean {
      if (isSettled) return false;
      isSettled = true;
      clearTimeout(whole);
      clearTimeout(idle);
      request.off('data', count).off('close', gone);
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
      idle.refresh();
      total += chunk.length;
      if (total > HARD_CAP + OVERHEAD) fail(new TooLarge());
    }
    function gone(): void {
      if (!request.complete) fail(new CallerGone('the client left while it was uploading'));
    }

    parser.on('field', (name, value, { valueTruncated }) => {
      if (name === 'file') fail(withoutFile('Het onderdeel `file` heeft geen bestandsnaam.'));
      else if (began !== undefined) fail(tooLate());
      fields.push({ name: name ?? '', value, isCut: valueTruncated });
    });
    parser.on('file', (name, stream, { filename }) => {
      // Whoever reads it hears of an error; without a listener it would end the process when nobody does.
      stream.on('error', () => undefined);
      if (name !== 'file') {
        fail(withoutFile('Het onderdeel met het bestand heet `file`.'));
        return;
      }
      // What a browser sends when nobody chose a file.
      if (filename === undefined) {
        fail(withoutFile('Er is geen bestand gekozen, of het heeft geen naam.'));
        return;
      }
      received = take(stream, filename);
      received.catch(fail);
    });
    parser.on('filesLimit', () => fail(new Problem('upload-te-veel-bestanden', 'Stuur één bestand per verzoek.')));
    parser.on('fieldsLimit', () => fail(unreadable(`Een upload heeft ten hoogste ${FORM.fields} velden.`)));
    parser.on('partsLimit', () => fail(unreadable(`Een upload heeft ten hoogste ${FORM.parts} onderdelen.`)));
    parser.on('error', (cause) => fail(unreadable('De upload is niet compleet of geen geldige multipart.', cause)));
    parser.on('finish', () => {
      if (received === undefined) {
        fail(withoutFile('Er is geen onderdeel `file`.'));
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
    request.on('data', count).once('close', gone).once('error', gone);
    request.pipe(parser);
  });
}

const unreadable = (detail: string, cause?: unknown): Problem => new Problem('upload-onjuist', detail, { cause });

/** Judged without it, the file may be on its way to somewhere else than this field says. */
function tooLate(): Problem {
  const detail = 'Stuur de velden vóór het bestand, elk één keer.';
  return new Problem('upload-veld-onjuist', detail, {
    errors: [{ pointer: '/file', code: 'ongeldige-waarde', detail }],
  });
}

const withoutFile = (detail: string): Problem => new Problem('upload-zonder-bestand', detail);
