import type { Reply, TestService } from './service.ts';

export interface Part {
  readonly name: string;
  readonly content: string | Buffer;
  /** File name; absent for a part that is not a file. */
  readonly filename?: string;
  readonly type?: string;
}

export const BOUNDARY = '----zorgregister';

/** Returns a multipart body as a browser makes it. */
export function multipart(parts: readonly Part[], boundary = BOUNDARY): Buffer {
  const pieces = parts.flatMap(({ name, content, filename, type }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"`;
    const kind = type === undefined ? '' : `Content-Type: ${type}\r\n`;
    return [`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${kind}\r\n`, content, '\r\n'];
  });
  return Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece)));
}

export interface Upload {
  readonly wizardId?: string;
  readonly categoryId?: string;
  readonly localId?: string;
  readonly file?: string | Buffer;
  readonly filename?: string;
}

/** Returns the parts of an upload form, in the required order. */
export const partsOf = ({
  wizardId = 'herregistratie',
  categoryId = 'werkervaring',
  localId = 'l1',
  file = '',
  filename = 'verklaring.pdf',
}: Upload): Part[] => [
  { name: 'wizardId', content: wizardId },
  { name: 'categoryId', content: categoryId },
  { name: 'localId', content: localId },
  { name: 'file', content: file, filename, type: 'application/octet-stream' },
];

/**
 * Uploads a document (`POST /uploads`) as the person `as`. `parts` are the parts of the form, or changes of the usual
 * parts.
 */
export const upload = (service: TestService, as: string, parts: readonly Part[] | Upload): Promise<Reply> =>
  sendForm(service, as, multipart(Array.isArray(parts) ? parts : partsOf(parts as Upload)));

/** Sends `body` unchanged to `POST /uploads`, as the person `as`. */
export const sendForm = (
  service: TestService,
  as: string,
  body: Buffer | string,
  type = `multipart/form-data; boundary=${BOUNDARY}`,
): Promise<Reply> => service.call('POST', '/api/v1/uploads', { as, body, headers: { 'content-type': type } });

/** Returns the head of the request of an upload, which ends with these lines. */
export const uploadHead = (as: string, ...lines: string[]): string =>
  [
    'POST /api/v1/uploads HTTP/1.1',
    'Host: localhost',
    'Authorization: Bearer x',
    `X-Subject: ${as}`,
    `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
    ...lines,
    '\r\n',
  ].join('\r\n');
