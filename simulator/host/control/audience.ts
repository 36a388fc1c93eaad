/**
 * The addresses at which an audience (people with other devices on the network) opens Mijn register, the simulator's
 * page for citizens and staff, and the requests that these devices may make.
 */
import { networkInterfaces } from 'node:os';
import type { Config } from '../../../src/config/index.ts';
import { isEveryAddress, isLoopback, toUrlHost } from '../../../src/domain/host-name.ts';
import type { Context } from '../../../src/http/exchange.ts';
import type { Audience } from '../../control/deps.ts';
import type { ControlOperation } from '../../control/operation.ts';
import { matcher } from '../../transport/paths.ts';
import { mijnFiles } from '../../ui/mijn-files.ts';

/**
 * Returns the host names at which other devices open the service: those in `ALLOWED_HOSTS`, otherwise `HOST`, or the
 * IPv4 addresses of this machine when `HOST` means every address. When other devices cannot open the service, the list
 * is empty and `reason` is a Dutch sentence that says why; otherwise `reason` is null.
 */
export function audienceOf({ host, allowedHosts, identity }: Config): Audience {
  if (identity.kind !== 'stand-in')
    return { hosts: () => [], reason: 'Mijn register werkt alleen met IDENTITY=stand-in.' };
  if (isLoopback(host)) {
    return {
      hosts: () => [],
      reason:
        'De dienst luistert alleen op deze machine. Start de dienst met HOST=0.0.0.0 en ALLOW_STAND_IN=yes. Wie op hetzelfde netwerk zit, kan dan elke persoon zijn.',
    };
  }
  const named = Array.isArray(allowedHosts) ? allowedHosts.filter((name) => !isLoopback(name)) : undefined;
  if (named?.length === 0)
    return {
      hosts: () => [],
      reason:
        'In ALLOWED_HOSTS staan alleen namen waarmee deze machine zichzelf bereikt. Zet er ook de naam of het adres bij waarmee het publiek haar bereikt.',
    };
  return { reason: null, hosts: () => named ?? (isEveryAddress(host) ? listOwnAddresses() : [toUrlHost(host)]) };
}

const listOwnAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((all = []) =>
    all.flatMap(({ address, family, internal }) => (family === 'IPv4' && !internal ? [address] : [])),
  );

/** Paths of the console's style sheets that Mijn register also uses. */
const SHARED_STYLES = ['theme.css', 'components.css', 'styles/dark.css', 'styles/visually-hidden.css'].map(
  (name) => `/_simulator/assets/${name}`,
);

/**
 * Returns a function that says whether other devices may make a request: GET or HEAD of a file of Mijn register, or of
 * a control API operation with `forAudience`. `prefix` is the path that comes before the path of each operation.
 */
export function audienceRequests(prefix: string, operations: readonly ControlOperation[]): (ctx: Context) => boolean {
  const files = new Set([...mijnFiles.keys(), ...SHARED_STYLES]);
  const paths = operations
    .filter(({ method, forAudience }) => forAudience === true && method === 'GET')
    .map(({ path }) => matcher(prefix + path));
  return ({ method, path }) =>
    (method === 'GET' || method === 'HEAD') && (files.has(path) || paths.some((match) => match(path) !== null));
}
