import type { Context, Next } from '../state.ts';
import { traceparentOf } from '../trace.ts';

/** Version of the API, sent in the header `API-Version` (NL API Design Rules, /core/version-header). */
export const API_VERSION = '1.0.0';

/**
 * Security headers of the service's answers, errors included (NL API Design Rules, security module; OWASP secure
 * headers).
 */
export const SECURITY_HEADERS = {
  'API-Version': API_VERSION,
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const;

/**
 * Returns `SECURITY_HEADERS`, with HSTS (`Strict-Transport-Security`) only for a production-like deployment, which has
 * TLS.
 */
export const headersOf = ({ productionLike }: { readonly productionLike: boolean }): Record<string, string> => ({
  ...SECURITY_HEADERS,
  ...(productionLike && { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' }),
});

/** Returns middleware that sets `headers` and the `traceparent` of the request on every answer. */
export function securityHeaders(headers: Record<string, string>) {
  const all = Object.entries(headers);
  return (ctx: Context, next: Next): Promise<unknown> => {
    for (const [name, value] of all) ctx.res.setHeader(name, value);
    ctx.res.setHeader('traceparent', traceparentOf(ctx.state.trace));
    return next();
  };
}
