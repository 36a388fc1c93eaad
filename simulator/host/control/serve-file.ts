import { hash } from 'node:crypto';
import type { Context } from '../../../src/http/exchange.ts';
import type { PageFile } from '../../ui/page-file.ts';

/**
 * Answers with a file of a page. The browser keeps each file but the page itself, and asks at each use whether the file
 * has changed (`ETag`), so that an audience does not load the fonts and style sheets again with each page.
 */
export async function serveFile(ctx: Context, { type, headers, read: content }: PageFile): Promise<void> {
  ctx.set({ ...headers });
  const body = await content();
  if (!type.startsWith('text/html')) {
    ctx.set('Cache-Control', 'no-cache');
    ctx.etag = hash('sha256', body, 'base64url');
    ctx.status = 200;
  }
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.type = type;
  ctx.body = body;
}
