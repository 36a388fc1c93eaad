import { Problem } from '../../problem.ts';
import { listenerOf } from '../operation/decisions.ts';
import type { Context, Next } from '../state.ts';

/**
 * Returns middleware that throws 421 `verkeerde-host` when the requested host is not in `allowed`, and 400 when there
 * is no `Host` header or more than one. This prevents DNS rebinding: a web page whose host name is made to point to
 * this machine.
 *
 * @param allowed - host names in lower case, without port; null allows every name
 */
export function checkHost(allowed: readonly string[] | null) {
  return (ctx: Context, next: Next): Promise<unknown> => {
    const { host } = ctx.req.headers;
    if (host === undefined || isRepeated(ctx.req.rawHeaders)) {
      throw new Problem('ongeldig-verzoek', 'Stuur één kopregel Host.');
    }
    const name = hostOf(ctx.req.url ?? '', host)
      .replace(/:\d+$/, '')
      .toLowerCase();
    if (allowed !== null && !allowed.includes(name)) {
      listenerOf(ctx)?.({
        rule: 'checkHost',
        source: 'ALLOWED_HOSTS (reference/configuration.md)',
        facts: { host: name, allowed },
        outcome: { geweigerd: 'verkeerde-host', status: 421 },
      });
      throw new Problem(
        'verkeerde-host',
        'Onder deze naam is de dienst niet bereikbaar. Zet de naam in ALLOWED_HOSTS.',
      );
    }
    return next();
  };
}

/**
 * Returns the host that a request is meant for: the host of `target` when that is an absolute URL (RFC 9112, 3.2.2),
 * else `host`. Returns an empty string for a target that cannot be parsed.
 */
const hostOf = (target: string, host: string): string => {
  if (target.startsWith('/') || target === '*') return host;
  return URL.parse(target)?.host ?? '';
};

/**
 * Returns true when a request has more than one `Host` header. It reads the raw headers, because Node's `headers` has
 * only the first.
 */
function isRepeated(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}
