import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from '../../../src/http/exchange.ts';
import type { PageFile } from '../../ui/page-file.ts';

const compress = promisify(gzip);

/** The browser keeps each file but a page itself, and asks at each use whether it has changed (`ETag`). */
export async function serveFile(ctx: Context, { type, headers, read: content }: PageFile): Promise<void> {
  ctx.set({ ...headers });
  ctx.vary('Accept-Encoding');
  const body = await content();
  // Brotli (br) is not offered: over http a browser asks for it only on the machine of the service itself.
  const encoding = ctx.acceptsEncodings('gzip', 'identity');
  if (!type.startsWith('text/html')) {
    ctx.set('Cache-Control', 'no-cache');
    ctx.etag = `${hash('sha256', body, 'base64url')}-${encoding}`;
    ctx.status = 200;
  }
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.type = type;
  if (encoding === 'gzip') ctx.set('Content-Encoding', 'gzip');
  ctx.body = encoding === 'gzip' ? await compress(body) : body;
}
