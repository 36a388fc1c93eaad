import { hostIn, isLoopbackHost, isOfOwnNetwork } from '../../domain/host-name.ts';
import type { AllowedHosts } from '../../ports/connection.ts';
import { Problem } from '../../problem.ts';
import type { Context, Next } from '../exchange.ts';
import { listenerOf } from '../operation/decisions.ts';

/**
 * Throws 421 `verkeerde-host` when the requested host is not in `allowed`, and 400 when there is no `Host`, more than
 * one, or an invalid one (RFC 9112, 3.2). It prevents DNS rebinding: a web page whose host name is made to point to
 * this machine.
 */
export function checkHost(allowed: AllowedHosts) {
  return (ctx: Context, next: Next): Promise<unknown> => {
    const { host } = ctx.req.headers;
    if (host === undefined || isRepeated(ctx.req.rawHeaders)) {
      throw new Problem('ongeldig-verzoek', 'Stuur één kopregel Host.');
    }
    // An empty name is valid. A request for a URL without a host has it.
    const name = host === '' ? '' : hostIn(host);
    if (name === null) throw new Problem('ongeldig-verzoek', 'De kopregel Host is geen naam of adres met een poort.');
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
      return isLoopbackHost(name);
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
