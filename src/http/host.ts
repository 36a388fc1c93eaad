import { Problem } from '../problem.ts';
import type { Context, Next } from './state.ts';
import { listenerOf } from './why.ts';

/**
 * Under which names the service may be called. A page elsewhere can make its own name point here (DNS rebinding) and would
 * then be of the same origin; with a stand-in that answers to headers, that is anyone. Null: behind something that checks.
 */
export function knownHost(allowed: readonly string[] | null) {
  return (ctx: Context, next: Next): Promise<unknown> => {
    const hosts = ctx.req.headersDistinct.host ?? [];
    const [host] = hosts;
    if (hosts.length !== 1 || host === undefined) {
      throw new Problem('ongeldig-verzoek', 'Stuur één kopregel Host.');
    }
    const name = host.replace(/:\d+$/, '').toLowerCase();
    if (allowed !== null && !allowed.includes(name)) {
      listenerOf(ctx)?.({
        rule: 'knownHost',
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
