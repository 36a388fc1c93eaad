import cors from '@koa/cors';
import type { Logger } from 'pino';
import { listenerOf } from './decisions.ts';
import type { Context, Next } from './state.ts';

const LOCALHOST = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/;

const ALLOWED_HEADERS = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'X-Step-Up',
  'traceparent',
];

/**
 * Returns the CORS middleware (OWASP API8). Allows the origins in `allowed`, and with `anyLocalPort` every port of
 * localhost. Never allows the origin `null` and never allows credentials: the API uses bearer tokens, not cookies.
 */
export function crossOrigin(
  allowed: readonly string[],
  anyLocalPort: boolean,
  logger: Logger,
  moreHeaders: readonly string[] = [],
) {
  let warned = false;
  const middleware = cors({
    origin: (ctx) => {
      const origin = ctx.get('Origin');
      if (origin === '') return '';
      if (allowed.includes(origin) || (anyLocalPort && LOCALHOST.test(origin))) return origin;
      listenerOf(ctx as Context)?.({
        rule: 'crossOrigin',
        source: 'OWASP API8; CORS_ORIGINS (reference/configuration.md)',
        facts: { origin, allowed, anyLocalPort },
        outcome: 'geweigerd: de browser laat de pagina het antwoord niet lezen',
      });
      // Logged once and without the origin, because a client can send any text as origin. The browser console shows it.
      if (!warned) logger.warn('a call from another origin was refused; put that origin in CORS_ORIGINS to allow it');
      warned = true;
      return '';
    },
    allowMethods: 'GET,HEAD,POST,PUT,DELETE',
    allowHeaders: [...ALLOWED_HEADERS, ...moreHeaders],
    exposeHeaders: 'API-Version,Date,ETag,Location,Retry-After,WWW-Authenticate,X-Simulated,traceparent',
    maxAge: 600,
  });
  return (ctx: Context, next: Next): Promise<unknown> => {
    if (ctx.req.headers.origin !== undefined) return middleware(ctx, next as () => Promise<void>);
    // What the middleware does for a call that is not from a page.
    ctx.res.setHeader('Vary', 'Origin');
    return next();
  };
}
