import type { IncomingMessage } from 'node:http';

/**
 * Makes the target of a request a path when it is an absolute URL, and replaces the header `Host` by the host in that
 * URL (RFC 9112, 3.2.2). Returns false when the target is neither, or has a fragment (`#`), which no target may have: the
 * request must then be refused. Koa would parse such a target with `url.parse`, which throws for some URLs, prints others
 * in a warning, and finds a host in a path such as `//user@host/path#`.
 */
export function toPathTarget(request: IncomingMessage): boolean {
  const { url: target = '', headers } = request;
  if (target.includes('#')) return false;
  if (target.startsWith('/') || target === '*') return true;
  const url = URL.parse(target);
  if (url === null) return false;
  // Empty for a URL without a path whose scheme is not http.
  request.url = (url.pathname || '/') + url.search;
  if (headers.host !== undefined) headers.host = url.host;
  return true;
}
