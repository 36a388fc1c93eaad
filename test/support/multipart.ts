import type { Reply, TestService } from './service.ts';

export interface Part {
  readonly name: string;
  readonly content: string | Buffer;
  /** Given: it is a file. */
  readonly filename?: string;
  readonly type?: string;
}

export const BOUNDARY = '----zorgregister';

/** A multipart body as a browser would make it, part by part. */
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

/** The parts of an upload in the order that the interface asks for. */
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

/** POST /uploads. */
export const upload = (service: TestService, as: string, parts: readonly Part[] | Upload): Promise<Reply> =>
  sendForm(service, as, multipart(Array.isArray(parts) ? parts : partsOf(parts as Upload)));

/** The same with a body and a type as they are. */
export const sendForm = (
  service: TestService,
  as: string,
  body: Buffer | string,
  type = `multipart/form-data; boundary=${BOUNDARY}`,
): Promise<Reply> => service.call('POST', '/api/v1/uploads', { as, body, headers: { 'content-type': type } });
