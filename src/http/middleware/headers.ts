import type { Context, Next } from '../exchange.ts';
import { traceparentOf } from '../trace.ts';

/** In the header `API-Version` (NL API Design Rules, /core/version-header). */
export const API_VERSION = '1.0.0';

/** Headers of all answers, errors included (NL API Design Rules, security module; OWASP secure headers). */
export const SECURITY_HEADERS = {
  'API-Version': API_VERSION,
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const;

/** HSTS only for a production-like deployment, which has TLS. */
export const headersOf = ({ productionLike }: { readonly productionLike: boolean }): Record<string, string> => ({
  ...SECURITY_HEADERS,
  ...(productionLike && { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' }),
});

/** Adds `headers` and the `traceparent` to every answer. A page that Koa sends can have other values. */
export function securityHeaders(headers: Record<string, string>) {
  return async (ctx: Context, next: Next): Promise<void> => {
    const own: Record<string, string> = { ...headers, traceparent: traceparentOf(ctx.state.trace) };
    ctx.state.headers = own;
    await next();
    if (ctx.respond === false) return;
    for (const name in own) if (!ctx.res.hasHeader(name)) ctx.res.setHeader(name, own[name] ?? '');
  };
}
