import { create } from 'content-disposition';
import type { Professional } from '../../auth/identity.ts';
import { type Answer, notFound } from '../../http/answer.ts';
import type { Request } from '../../http/operation/operation.ts';
import { UpstreamError } from '../../ports/call.ts';
import type { Upload } from '../../ports/store/uploads.ts';
import type { UploadDeps } from '../deps.ts';

/**
 * Returns the answer to a download: the document as a stream (for HEAD only its headers), or 404 when the caller has no
 * such document. Throws `UpstreamError` when the document store fails, or has the document with another size than was
 * stored.
 */
export async function serveDocument(
  { uploads, documents }: UploadDeps,
  request: Request<Professional>,
): Promise<Answer> {
  const { caller, params, call, http } = request;
  const [upload] = await uploads.named(caller.subject, [params.documentId ?? '']);
  if (upload?.state !== 'uploaded' || upload.key === null || upload.omvang === null) return notFound;
  if (http.method === 'HEAD') {
    const there = await documents.stat(upload.key, call);
    if (there === null) return notFound;
    if (there.omvang !== upload.omvang) throw otherSize();
    return { status: 200, headers: headersOf(upload), length: upload.omvang };
  }
  const opened = await documents.open(upload.key, call);
  if (opened === null) return notFound;
  const isEmpty = opened.bytes.readableLength === 0;
  if (isEmpty || (opened.omvang !== null && opened.omvang !== upload.omvang)) {
    opened.bytes.destroy();
    throw otherSize();
  }
  return { status: 200, headers: headersOf(upload), stream: opened.bytes, length: upload.omvang };
}

const otherSize = () => new UpstreamError('documenten', 'unreadable', 'another size than was stored');

/** Returns response headers that make a browser save the document and never run it or show it in a page. */
const headersOf = (upload: Upload): Record<string, string> => ({
  'Content-Type': upload.formaat ?? 'application/octet-stream',
  'Content-Disposition': create(upload.bestandsnaam ?? 'document'),
  'Repr-Digest': `sha-256=:${base64Of(upload.sha256 ?? '')}:`,
  'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'private, no-store',
  'Accept-Ranges': 'none',
});

const base64Of = (hex: string): string =>
  btoa(hex.replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16))));
