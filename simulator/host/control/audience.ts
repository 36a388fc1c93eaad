/**
 * The addresses at which an audience opens Mijn register, the simulator's page for citizens and staff, and the requests
 * that these devices may make.
 */
import { networkInterfaces } from 'node:os';
import type { Config } from '../../../src/config/index.ts';
import { isEveryAddress, isLoopback, toUrlHost } from '../../../src/domain/host-name.ts';
import type { Context } from '../../../src/http/exchange.ts';
import type { Audience } from '../../control/deps.ts';
import type { ControlOperation } from '../../control/operation.ts';
import { matcher } from '../../transport/paths.ts';
import { mijnFiles } from '../../ui/mijn-files.ts';
import { type AudienceListeners, listenForAudience } from './audience-listener.ts';

/**
 * Returns the URLs at which other devices open the service: with the names in `ALLOWED_HOSTS`, otherwise `HOST`, or the
 * IPv4 addresses of this machine when `HOST` means every address. A service that listens on this machine only gets a
 * listener for one world, when it is asked for. When other devices cannot open the service, the list is empty and
 * `reason` returns a Dutch sentence that says why.
 */
export function audienceOf(
  { host, allowedHosts, identity }: Config,
  operations: readonly ControlOperation[],
): Audience & { close(): void } {
  if (identity.kind !== 'stand-in') return notOpen('Mijn register werkt alleen met IDENTITY=stand-in.');
  if (isLoopback(host)) return audienceOnDemand(operations);
  const named = Array.isArray(allowedHosts) ? allowedHosts.filter((name) => !isLoopback(name)) : undefined;
  if (named?.length === 0)
    return notOpen(
      'In ALLOWED_HOSTS staan alleen namen waarmee deze machine zichzelf bereikt. Zet er ook de naam of het adres bij waarmee het publiek haar bereikt.',
    );
  const hosts = () => named ?? (isEveryAddress(host) ? listOwnAddresses() : [toUrlHost(host)]);
  return {
    ...notOpen(null),
    isAlways: true,
    urls: (_, service) => hosts().map((one) => `http://${one}:${new URL(service).port}`),
  };
}

const notOpen = (reason: string | null): Audience & { close(): void } => ({
  reason: () => reason,
  isAlways: false,
  onDemand: null,
  urls: () => [],
  close: () => undefined,
});

function audienceOnDemand(operations: readonly ControlOperation[]): Audience & { close(): void } {
  const listening = new Map<string, Promise<AudienceListeners>>();
  async function leave(world: string): Promise<void> {
    const found = listening.get(world);
    listening.delete(world);
    (await found?.catch(() => undefined))?.close();
  }
  const opened = new Map<string, AudienceListeners>();
  return {
    reason: (world) =>
      opened.has(world)
        ? null
        : 'De dienst luistert alleen op deze machine. Zet meekijken aan voor deze wereld: in de console met “Laat meekijken”, in een terminal met npm run sim -- open-audience --world <wereld>.',
    isAlways: false,
    urls: (world) => opened.get(world)?.urls ?? [],
    onDemand: {
      async open(world, service) {
        const isRead = readsOf(operations, world);
        if (!listening.has(world)) listening.set(world, listenForAudience(listOwnAddresses(), world, isRead, service));
        const pending = listening.get(world) as Promise<AudienceListeners>;
        try {
          const found = await pending;
          if (listening.get(world) === pending) opened.set(world, found);
        } catch (error) {
          listening.delete(world);
          throw error;
        }
      },
      async close(world) {
        opened.delete(world);
        await leave(world);
      },
    },
    close() {
      for (const world of [...listening.keys()]) void leave(world);
      opened.clear();
    },
  };
}

const listOwnAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((all = []) =>
    all.flatMap(({ address, family, internal }) => (family === 'IPv4' && !internal ? [address] : [])),
  );

/** Paths of the console's style sheets that Mijn register also uses. */
const SHARED_STYLES = ['theme.css', 'components.css', 'styles/dark.css'].map((name) => `/_simulator/assets/${name}`);

const PREFIX = '/_simulator';
const FILES: ReadonlySet<string> = new Set([...mijnFiles.keys(), ...SHARED_STYLES]);

const matchersOf = (operations: readonly ControlOperation[]) =>
  operations
    .filter(({ method, forAudience }) => forAudience === true && method === 'GET')
    .map(({ path }) => matcher(PREFIX + path));

function readsOf(operations: readonly ControlOperation[], world: string): (path: string) => boolean {
  const reads = matchersOf(operations);
  return (path) => FILES.has(path) || reads.some((match) => match(path)?.world === world);
}

/**
 * Returns a function that says whether other devices may make a request: GET or HEAD of a file of Mijn register, or of
 * a control API operation with `forAudience`.
 */
export function audienceRequests(operations: readonly ControlOperation[]): (ctx: Context) => boolean {
  const reads = matchersOf(operations);
  return ({ method, path }) =>
    (method === 'GET' || method === 'HEAD') && (FILES.has(path) || reads.some((match) => match(path) !== null));
}
