import { isIP } from 'node:net';
import type { AllowedHosts } from '../../ports/connection.ts';
import { Problem } from '../../problem.ts';
import { listenerOf } from '../operation/decisions.ts';
import type { Context, Next } from '../state.ts';

/**
 * Returns middleware that throws 421 `verkeerde-host` when the requested host is not in `allowed`, and 400 when there
 * is no `Host` header or more than one. This prevents DNS rebinding: a web page whose host name is made to point to
 * this machine.
 */
export function checkHost(allowed: AllowedHosts) {
  return (ctx: Context, next: Next): Promise<unknown> => {
    const { host } = ctx.req.headers;
    if (host === undefined || isRepeated(ctx.req.rawHeaders)) {
      throw new Problem('ongeldig-verzoek', 'Stuur één kopregel Host.');
    }
    if (allowed === null) return next();
    const name = host.replace(/:\d+$/, '').toLowerCase();
    if (allowed === 'own-network' ? isOfOwnNetwork(name) : isListed(name, allowed)) return next();
    listenerOf(ctx)?.({
      rule: 'checkHost',
      source: 'ALLOWED_HOSTS (reference/configuration.md)',
      facts: { host: name, allowed: allowed === 'own-network' ? OWN_NETWORK : allowed },
      outcome: { geweigerd: 'verkeerde-host', status: 421 },
    });
    throw new Problem('verkeerde-host', 'Onder deze naam is de dienst niet bereikbaar. Zet de naam in ALLOWED_HOSTS.');
  };
}

/** Returns true for a name such as `app.localhost`, which always means this machine (RFC 6761, section 6.3). */
const belowLocalhost = (name: string): boolean => name.endsWith('.localhost');

/** Returns true for a name in `allowed`, and for a name below `localhost` when `allowed` has that. */
const isListed = (name: string, allowed: readonly string[]): boolean =>
  allowed.includes(name) || (belowLocalhost(name) && allowed.includes('localhost'));

/** The names that `isOfOwnNetwork` accepts, in words for the journal. */
const OWN_NETWORK = ['een IP-adres', 'een naam zonder punt', '*.local', '*.localhost'];

/**
 * Returns true for an IP address, and for a name that the DNS of the internet does not have: one without a dot, or
 * under `.local` (RFC 6762) or `.localhost`. Such a name cannot be made to point to this machine from elsewhere.
 */
const isOfOwnNetwork = (name: string): boolean =>
  isIP(name.replace(/^\[|\]$/g, '')) !== 0 || /^[a-z0-9_-]+(?:\.local)?$/.test(name) || belowLocalhost(name);

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
