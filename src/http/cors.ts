import cors from '@koa/cors';
import type { Logger } from 'pino';
import type { Context, Next } from './state.ts';

const LOCALHOST = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/;
/** What may be logged of a header that anyone can send: a scheme, a host name without digits in a row, a port. */
const PLAUSIBLE = /^https?:\/\/(?!.*\d{6})[a-z0-9.-]{1,100}(:\d{1,5})?$/;
/** Origins remembered as refused, so that each is logged once and a flood of made-up ones costs nothing. */
const REMEMBERED = 100;

/**
 * Which frontends may call (OWASP API8). An exact list; outside production-like deployments every port of this machine as well.
 * `null` is never allowed, and credentials never: the contract is a bearer token, not a cookie.
 */
export function crossOrigin(allowed: readonly string[], anyLocalPort: boolean, logger: Logger) {
  const refused = new Set<string>();
  const middleware = cors({
    origin: (ctx) => {
      const origin = ctx.get('Origin');
      if (origin === '') return '';
      if (allowed.includes(origin) || (anyLocalPort && LOCALHOST.test(origin))) return origin;
      if (refused.size < REMEMBERED && PLAUSIBLE.test(origin) && !refused.has(origin)) {
        refused.add(origin);
        logger.warn({ origin }, 'cross-origin call refused; add this origin to CORS_ORIGINS to allow it');
      }
      return '';
    },
    allowMethods: 'GET,HEAD,POST,PUT,DELETE',
    allowHeaders:
      'Accept,Authorization,Content-Type,Idempotency-Key,If-Match,X-Medewerker,X-Role,X-Rollen,X-Step-Up,X-Subject,traceparent',
    exposeHeaders: 'API-Version,ETag,Location,Retry-After,WWW-Authenticate,X-Simulated,traceparent',
    maxAge: 600,
  });
  return (ctx: Context, next: Next): Promise<unknown> => middleware(ctx, next as () => Promise<void>);
}
