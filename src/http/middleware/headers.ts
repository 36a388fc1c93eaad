import cors from '@koa/cors';
import type { Logger } from 'pino';
import { hostIn, isLoopbackName, isLoopbackOrigin, isOfOwnNetwork } from '../../domain/host-name.ts';
import type { AllowedHosts } from '../../ports/connection.ts';
import { Problem } from '../../problem.ts';
import { type Context, listenerOf, type Next, traceparentOf } from '../exchange.ts';

/** The version in the header `API-Version` (NL API Design Rules, /core/version-header). */
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

// May be logged: it has no digits, because a client without a token chooses these names, and could send a BSN.
const CUSTOM_HEADER = /^x-[a-z-]{1,62}$/;
// Often sent by libraries and pages; may be logged.
const COMMON_HEADERS = new Set([
  ...['b3', 'cache-control', 'content-encoding', 'if-modified-since', 'if-none-match', 'newrelic', 'pragma', 'prefer'],
  ...['range', 'request-id', 'uber-trace-id'],
]);
// Text that is logged in place of one that may not be logged.
const OTHER = 'other';
// Maximum of different names in the log, and of names read from one preflight request.
const MAX_LOGGED_HEADERS = 20;

// May be logged: a client can send any text as origin; this one has no number as long as a BSN.
const LOGGED_ORIGIN = /^https?:\/\/(?!.*\d{8})[a-z0-9.-]{1,253}(:\d{1,5})?$/;
const MAX_LOGGED_ORIGINS = 20;

/**
 * CORS (OWASP API8) for the origins in `allowed`. `anyLocalPort` also allows every origin on localhost or a name below
 * it, such as `app.localhost`, with credentials.
 *
 * @param moreHeaders - in addition to `ALLOWED_HEADERS`
 * @param moreExposed - in addition to `EXPOSED_HEADERS`
 */
export function crossOrigin(
  allowed: readonly string[],
  anyLocalPort: boolean,
  logger: Logger,
  moreHeaders: readonly string[] = [],
  moreExposed: readonly string[] = [],
) {
  const allowedHeaders = [...ALLOWED_HEADERS, ...moreHeaders];
  const logRefusedHeaders = createRefusedHeaderLog(allowedHeaders, logger);
  const logRefusedOrigin = createRefusedOriginLog(logger, anyLocalPort);
  const isLocal = (origin: string): boolean => anyLocalPort && isLoopbackOrigin(origin);

  const middleware = cors({
    origin: (ctx) => {
      const origin = ctx.get('Origin');
      if (origin === '') return '';
      if (allowed.includes(origin) || isLocal(origin)) {
        if (ctx.method === 'OPTIONS') logRefusedHeaders(ctx as Context);
        return origin;
      }
      listenerOf(ctx as Context)?.({
        rule: 'crossOrigin',
        source: 'OWASP API8; CORS_ORIGINS (reference/configuration.md)',
        facts: { origin, allowed, anyLocalPort },
        outcome: 'geweigerd: de browser laat de pagina het antwoord niet lezen',
      });
      logRefusedOrigin(origin);
      return '';
    },
    allowMethods: 'GET,HEAD,POST,PUT,DELETE',
    credentials: (ctx) => isLocal(ctx.get('Origin')),
    allowHeaders: allowedHeaders,
    exposeHeaders: [...EXPOSED_HEADERS, ...moreExposed],
    maxAge: 600,
  });
  return (ctx: Context, next: Next): Promise<unknown> => {
    if (ctx.req.headers.origin !== undefined) return middleware(ctx, next as () => Promise<void>);
    // For a call that is not from a page, the middleware would set only this header.
    ctx.state.headers.Vary = 'Origin';
    return next();
  };
}

// Each text is logged once, and at most `max` texts.
function logOnce(max: number, log: (text: string) => void): (text: string) => void {
  const logged = new Set<string>();
  return (text) => {
    if (logged.has(text) || logged.size >= max) return;
    logged.add(text);
    log(text);
  };
}

// An origin that could be personal data is logged as `OTHER`, and so is each when `namesOrigins` is false: in production
// the log has no text that a client without a token chooses.
function createRefusedOriginLog(logger: Logger, namesOrigins: boolean): (origin: string) => void {
  const log = logOnce(MAX_LOGGED_ORIGINS, (origin) =>
    logger.warn({ origin }, 'a call from another origin was refused; put that origin in CORS_ORIGINS to allow it'),
  );
  return (sent) => log(namesOrigins && (LOGGED_ORIGIN.test(sent) || sent === 'null') ? sent : OTHER);
}

// A name that could be personal data is logged as `OTHER`.
function createRefusedHeaderLog(allowed: readonly string[], logger: Logger): (preflight: Context) => void {
  const allowedNames = new Set(['', ...allowed.map((name) => name.toLowerCase())]);
  const log = logOnce(MAX_LOGGED_HEADERS, (header) =>
    logger.warn({ header }, 'a page asked to send a request header that is not allowed (CORS); leave that header out'),
  );
  return (preflight) => {
    for (const sent of preflight.get('Access-Control-Request-Headers').split(',', MAX_LOGGED_HEADERS)) {
      const name = sent.trim().toLowerCase();
      if (!allowedNames.has(name)) log(COMMON_HEADERS.has(name) || CUSTOM_HEADER.test(name) ? name : OTHER);
    }
  };
}

/** Request headers that a page of another origin may send. */
export const ALLOWED_HEADERS = [
  ...['Accept', 'Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match', 'X-Requested-With'],
  ...['X-Step-Up', 'baggage', 'sentry-trace', 'traceparent', 'tracestate'],
];

/** Response headers that a page of another origin may read. */
export const EXPOSED_HEADERS = [
  ...['API-Version', 'Content-Disposition', 'Date', 'ETag', 'Location', 'Repr-Digest', 'Retry-After'],
  ...['WWW-Authenticate', 'X-Simulated', 'traceparent'],
];

/**
 * Throws 421 `verkeerde-host` when the requested host is not in `allowed`, and 400 when there is no `Host`, more than
 * one, or an invalid one (RFC 9112, 3.2). It prevents DNS rebinding: a web page whose host name is made to point to
 * this machine.
 */
export function checkHost(allowed: AllowedHosts) {
  return (ctx: Context, next: Next): Promise<unknown> => {
    const { host } = ctx.req.headers;
    if (host === undefined || isRepeated(ctx.req.rawHeaders)) {
      throw new Problem('ongeldig-verzoek', { detail: 'Stuur één kopregel Host.', english: 'Send one header Host.' });
    }
    // An empty name is valid. A request for a URL without a host has it.
    const name = host === '' ? '' : hostIn(host);
    if (name === null)
      throw new Problem('ongeldig-verzoek', {
        detail: 'De kopregel Host is geen naam of adres met een poort.',
        english: 'The header Host is no name or address with a port.',
      });
    if (isAllowed(name, allowed)) return next();
    listenerOf(ctx)?.({
      rule: 'checkHost',
      source: 'ALLOWED_HOSTS (reference/configuration.md)',
      facts: { host: name, allowed: typeof allowed === 'string' ? IN_WORDS[allowed] : allowed },
      outcome: { geweigerd: 'verkeerde-host', status: 421 },
    });
    throw new Problem('verkeerde-host', 'Onder deze naam is de dienst niet bereikbaar. Zet de naam in ALLOWED_HOSTS.');
  };
}

// Names that are allowed without a list, in words for the journal.
const IN_WORDS = {
  loopback: ['localhost', '*.localhost', '127.0.0.0/8', '[::1]'],
  'own-network': ['een IP-adres', 'een naam zonder punt', '*.local', '*.internal', '*.localhost'],
};

function isAllowed(name: string, allowed: AllowedHosts): boolean {
  switch (allowed) {
    case null:
      return true;
    case 'loopback':
      return isLoopbackName(name);
    case 'own-network':
      return isOfOwnNetwork(name);
    default:
      // A name such as `app.localhost` always means this machine (RFC 6761, section 6.3).
      return allowed.includes(name) || (name.endsWith('.localhost') && allowed.includes('localhost'));
  }
}

// Reads the raw headers, because Node's `headers` has only the first.
function isRepeated(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}
