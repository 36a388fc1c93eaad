/**
 * The upstream adapters of each world (separate copy of all simulated people and data), so that a fault in one world
 * has no effect in another.
 */

import type { Config } from '../../src/config/index.ts';
import type { ConfiguredUpstream } from '../../src/config/upstreams.ts';
import type { Call } from '../../src/ports/call.ts';
import { connectUpstreams, type Pools, scannerOf, type UpstreamPorts } from '../../src/startup/wiring/upstreams.ts';
import type { Simulators } from '../index.ts';
import { DEFAULT_WORLD } from '../people/directory.ts';
import { withUrls } from './with-urls.ts';

/**
 * Maximum number of worlds with open connections. Above it, the least recently used world without calls is
 * disconnected.
 */
const MAX_WORLDS = 64;
/**
 * Milliseconds after which the connections of a disconnected world are closed, also when calls are still in progress.
 */
const GRACE = 10_000;

/** The upstream ports of the service. Each call to a simulated upstream uses the connections of the caller's world. */
export interface WorldUpstreams extends UpstreamPorts {
  /** Closes the connections of a world. The next call in that world opens new ones, with closed circuit breakers. */
  renewConnections(world: string): void;
}

type Scanner = NonNullable<ReturnType<typeof scannerOf>>;

interface WorldConnection {
  readonly http: UpstreamPorts;
  /**
   * Settles when `scanner` is set, or could not be connected to. Null before the first scan, because the virus scanner
   * of a world is started then.
   */
  connecting: Promise<void> | null;
  scanner: Scanner | null;
  calls: number;
}

/** Returns true when the world has no calls in progress and no answers that are still being read. */
const isIdle = ({ calls, http }: WorldConnection): boolean =>
  calls === 0 && http.stats().every(({ underway, running }) => underway + running === 0);

type Port = Exclude<keyof UpstreamPorts, 'stats' | 'close'>;
const UPSTREAM_OF = {
  register: 'register',
  brieven: 'register',
  brp: 'brp',
  duo: 'duo',
  documents: 'documenten',
  scanner: 'scanner',
} as const satisfies Record<Port, ConfiguredUpstream | 'scanner'>;

/**
 * Returns the upstream ports of the service. A real upstream has one adapter for all worlds; a simulated upstream has
 * one for each world. `recordingPools` has functions that create connection pools to real upstreams and record their
 * answers.
 */
export function createWorldUpstreams(config: Config, simulators: Simulators, recordingPools: Pools): WorldUpstreams {
  const shared = connectUpstreams(withUrls(config, simulators.urls), recordingPools);
  const simulated = new Set<string>(Object.keys(simulators.urls));
  /** Open connections, keyed by world; the least recently used world is first. */
  const open = new Map<string, WorldConnection>();
  /** Connections of disconnected worlds that are not closed yet, because calls are still in progress. */
  const disconnected = new Set<WorldConnection>();

  function connect(world: string): WorldConnection {
    const { urls, pools } = simulators.accessIn(world);
    const withoutScanner: Config = { ...withUrls(config, urls), scanner: { kind: 'none' } };
    return { http: connectUpstreams(withoutScanner, pools), connecting: null, scanner: null, calls: 0 };
  }

  /**
   * Returns the connections of a world for a call that begins now. Adds that call to the number of calls in progress,
   * and makes the world the most recently used one.
   */
  function beginCall(world: string): WorldConnection {
    const known = open.get(world);
    const connection = known ?? connect(world);
    open.delete(world);
    open.set(world, connection);
    connection.calls += 1;
    if (open.size > MAX_WORLDS) disconnectIdle();
    return connection;
  }

  /** Disconnects the least recently used world that is idle. Does nothing when no world is idle. */
  function disconnectIdle(): void {
    for (const [world, connection] of open) {
      if (!isIdle(connection)) continue;
      disconnect(world);
      simulators.closeWorld(world).catch(() => undefined);
      return;
    }
  }

  /**
   * Closes the connections of a world: at once when no calls are in progress, otherwise after the last call, but at
   * most `GRACE` ms later.
   */
  function disconnect(world: string): void {
    const connection = open.get(world);
    if (connection === undefined) return;
    open.delete(world);
    disconnected.add(connection);
    if (isIdle(connection)) closeDisconnected(connection);
    else setTimeout(() => closeDisconnected(connection), GRACE).unref();
  }

  /** Closes the connections of a disconnected world. Does nothing when they are already closed. */
  function closeDisconnected(connection: WorldConnection): void {
    if (disconnected.delete(connection)) void connection.http.close();
  }

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

  /**
   * Calls `run` with the connections of the caller's world. They stay open until the call ends, but at most `GRACE` ms
   * after the world was disconnected.
   */
  async function callInWorld<Result>(
    { workspace: world }: Call,
    run: (connection: WorldConnection, world: string) => Promise<Result>,
  ): Promise<Result> {
    const connection = beginCall(world);
    try {
      return await run(connection, world);
    } finally {
      connection.calls -= 1;
      if (connection.calls === 0 && disconnected.has(connection) && isIdle(connection)) closeDisconnected(connection);
    }
  }

  /**
   * Returns a port of which each method calls the adapter of the caller's world. For a real upstream, returns the
   * adapter that all worlds share. The last argument of each method is a `Call`, whose `workspace` is the world.
   */
  const routeByWorld = <Name extends Exclude<Port, 'scanner'>>(name: Name): UpstreamPorts[Name] => {
    if (!simulated.has(UPSTREAM_OF[name])) return shared[name];
    const methods = Object.keys(shared[name]) as (keyof UpstreamPorts[Name])[];
    // The type of an object made from a list of names cannot say which names these are.
    return Object.fromEntries(
      methods.map((method) => [
        method,
        (...args: readonly unknown[]) =>
          callInWorld(args.at(-1) as Call, ({ http }) =>
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
            callInWorld(call, async (connection, world) => (await scannerIn(world, connection)).scan(bytes, call)),
        }
      : shared.scanner,
    stats() {
      const { http, scanner } = open.get(DEFAULT_WORLD) ?? { http: shared, scanner: null };
      const own = [...http.stats(), ...(scanner === null ? [] : [scanner.stats()])];
      return shared.stats().map((one) => own.find(({ upstream }) => upstream === one.upstream) ?? one);
    },
    renewConnections: disconnect,
    close: async () => {
      await Promise.all([shared.close(), ...[...open.values(), ...disconnected].map(({ http }) => http.close())]);
    },
  };
}
