import type { Config } from '../../src/config/index.ts';
import { CONFIGURED_UPSTREAMS, type ConfiguredUpstream } from '../../src/config/upstreams.ts';
import type { Call } from '../../src/ports/call.ts';
import { connectUpstreams, scannerOf, type UpstreamPorts } from '../../src/startup/wiring/upstreams.ts';
import type { Simulators, UpstreamUrls } from '../index.ts';
import { DEFAULT_WORLD } from '../people/directory.ts';
import { WORLD_REPLACED } from '../service/intercept.ts';
import { DOCUMENTS_ACCESS } from '../upstreams/documenten/access.ts';

/** Maximum number of worlds with open connections. Above it, the least recently used world without calls is disconnected. */
const MAX_WORLDS = 64;
/** Milliseconds between two checks whether the last answer of a disconnected world was read. */
const CHECK_INTERVAL = 10_000;

export interface WorldConnection {
  readonly http: UpstreamPorts;
  /** Null before the first scan, because the virus scanner of a world is started then. */
  connecting: Promise<void> | null;
  scanner: ReturnType<typeof scannerOf>;
  calls: number;
  /** Returns false when the world was reset or deleted after these connections were opened. */
  isCurrent(): boolean;
}

const isIdle = ({ calls, http }: WorldConnection): boolean =>
  calls === 0 && http.stats().every(({ underway, running }) => underway + running === 0);

/** `onIdleDisconnect` gets the name of a world that was disconnected because too many worlds have connections. */
export function createWorldConnections(
  connect: (world: string) => WorldConnection,
  onIdleDisconnect: (world: string) => void,
) {
  /** Open connections, keyed by world; the least recently used world is first. */
  const open = new Map<string, WorldConnection>();
  /** Connections of disconnected worlds that are not closed yet, because calls are still in progress. */
  const disconnected = new Set<WorldConnection>();

  function beginCall(world: string): WorldConnection {
    const known = open.get(world);
    const connection = known ?? connect(world);
    open.delete(world);
    open.set(world, connection);
    connection.calls += 1;
    if (open.size > MAX_WORLDS) disconnectIdle();
    return connection;
  }

  function disconnectIdle(): void {
    for (const [world, connection] of open) {
      if (!isIdle(connection)) continue;
      disconnect(world);
      onIdleDisconnect(world);
      return;
    }
  }

  /** At once, or after the last call in progress. The next call in the world opens new connections. */
  function disconnect(world: string): void {
    const connection = open.get(world);
    if (connection === undefined) return;
    open.delete(world);
    disconnected.add(connection);
    closeWhenIdle(connection);
  }

  function closeWhenIdle(connection: WorldConnection): void {
    if (isIdle(connection)) closeDisconnected(connection);
    else setTimeout(() => closeWhenIdle(connection), CHECK_INTERVAL).unref();
  }

  function closeDisconnected(connection: WorldConnection): void {
    if (disconnected.delete(connection)) void connection.http.close();
  }

  return {
    /**
     * Calls `run` with the connections of a world, which stay open until its answer was read. Throws a `Problem` when the
     * world is reset or deleted meanwhile: the answer is then about the old world, or about both.
     */
    async callInWorld<Result>(world: string, run: (connection: WorldConnection) => Promise<Result>): Promise<Result> {
      const connection = beginCall(world);
      try {
        const result = await run(connection);
        if (connection.isCurrent()) return result;
      } catch (error) {
        if (connection.isCurrent()) throw error;
      } finally {
        connection.calls -= 1;
        if (disconnected.has(connection) && isIdle(connection)) closeDisconnected(connection);
      }
      throw WORLD_REPLACED;
    },
    find: (world: string) => open.get(world),
    disconnect,
    close: () => Promise.all([...open.values(), ...disconnected].map(({ http }) => http.close())),
  };
}

/** The upstream ports of the service. Each call to a simulated upstream uses the connections of the caller's world. */
interface WorldUpstreams extends UpstreamPorts {
  /** Closes the connections of a world. The next call in that world opens new ones, with closed circuit breakers. */
  renewConnections(world: string): void;
}

type Scanner = NonNullable<ReturnType<typeof scannerOf>>;

type Port = Exclude<keyof UpstreamPorts, 'stats' | 'close'>;
const UPSTREAM_OF = {
  register: 'register',
  brieven: 'register',
  brp: 'brp',
  duo: 'duo',
  documents: 'documenten',
  scanner: 'scanner',
} as const satisfies Record<Port, ConfiguredUpstream | 'scanner'>;

/** A real upstream has one adapter for all worlds; a simulated upstream has one for each world. */
export function createWorldUpstreams(config: Config, simulators: Simulators): WorldUpstreams {
  const shared = connectUpstreams(withUrls(config, simulators.urls));
  const simulated = new Set<string>(Object.keys(simulators.urls));
  function connect(world: string): WorldConnection {
    const { urls, pools } = simulators.accessIn(world);
    const here = simulators.worlds.at(world);
    const isCurrent = () => simulators.worlds.at(world) === here;
    const withoutScanner: Config = { ...withUrls(config, urls), scanner: { kind: 'none' } };
    return { http: connectUpstreams(withoutScanner, pools), connecting: null, scanner: null, calls: 0, isCurrent };
  }

  const connections = createWorldConnections(connect, (world) => {
    simulators.closeWorld(world).catch(() => undefined);
  });

  /** Returns the virus scanner of a world. Starts it at the first scan; when that fails, a next scan tries again. */
  async function scannerIn(world: string, connection: WorldConnection): Promise<Scanner> {
    connection.connecting ??= simulators.scannerIn(world).then(
      (scanner) => {
        connection.scanner = scannerOf(withUrls(config, { scanner }));
      },
      (error: unknown) => {
        connection.connecting = null;
        throw error;
      },
    );
    await connection.connecting;
    if (connection.scanner === null) throw new Error('the simulated scanner has no address');
    return connection.scanner;
  }

  /** The last argument of each method is a `Call`, whose `workspace` is the world. */
  const routeByWorld = <Name extends Exclude<Port, 'scanner'>>(name: Name): UpstreamPorts[Name] => {
    if (!simulated.has(UPSTREAM_OF[name])) return shared[name];
    const methods = Object.keys(shared[name]) as (keyof UpstreamPorts[Name])[];
    // The type of an object made from a list of names cannot say which names these are.
    return Object.fromEntries(
      methods.map((method) => [
        method,
        (...args: readonly unknown[]) =>
          connections.callInWorld((args.at(-1) as Call).workspace, ({ http }) =>
            (http[name][method] as (...args: readonly unknown[]) => Promise<unknown>)(...args),
          ),
      ]),
    ) as unknown as UpstreamPorts[Name];
  };

  return {
    register: routeByWorld('register'),
    brieven: routeByWorld('brieven'),
    brp: routeByWorld('brp'),
    duo: routeByWorld('duo'),
    documents: routeByWorld('documents'),
    scanner: simulated.has('scanner')
      ? {
          scan: (bytes, call) =>
            connections.callInWorld(call.workspace, async (connection) =>
              (await scannerIn(call.workspace, connection)).scan(bytes, call),
            ),
        }
      : shared.scanner,
    stats() {
      const { http, scanner } = connections.find(DEFAULT_WORLD) ?? { http: shared, scanner: null };
      const own = [...http.stats(), ...(scanner === null ? [] : [scanner.stats()])];
      return shared.stats().map((one) => own.find(({ upstream }) => upstream === one.upstream) ?? one);
    },
    renewConnections: connections.disconnect,
    close: async () => {
      await Promise.all([shared.close(), connections.close()]);
    },
  };
}

/** The document store also gets the credentials that its simulator accepts. */
export function withUrls(config: Config, urls: UpstreamUrls): Config {
  const upstreams = { ...config.upstreams };
  for (const upstream of CONFIGURED_UPSTREAMS) {
    const url = urls[upstream];
    if (url !== undefined) upstreams[upstream] = { kind: 'url', url: new URL(url), headers: {}, tls: {}, oauth: null };
  }
  return {
    ...config,
    upstreams,
    ...(urls.documenten !== undefined && { documents: { kind: 'zgw' as const, token: {}, ...DOCUMENTS_ACCESS } }),
    ...(urls.scanner !== undefined && { scanner: clamdAt(new URL(urls.scanner)) }),
  };
}

const clamdAt = ({ hostname: host, port }: URL) => ({ kind: 'clamd', host, port: Number(port) }) as const;
