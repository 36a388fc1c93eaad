/** The upstream adapters for each world (tenant of the simulator), so that a fault in one world affects no other. */

import type { Config } from '../../src/config/index.ts';
import type { ConfiguredUpstream } from '../../src/config/upstreams.ts';
import type { Call } from '../../src/ports/call.ts';
import { connectUpstreams, type Pools, scannerOf, type UpstreamPorts } from '../../src/startup/wiring/upstreams.ts';
import type { Simulators } from '../index.ts';
import { DEFAULT_WORLD } from '../people/directory.ts';
import { withUrls } from './with-urls.ts';

/** Maximum number of worlds with open connections. Above it, the world that was used least recently is disconnected. */
const MAX_WORLDS = 64;
/** Milliseconds that calls in progress get to end before the connections of their world are closed. */
const GRACE = 10_000;

/** The upstream ports of the service, which use the connections of the caller's world. */
export interface WorldUpstreams extends UpstreamPorts {
  /**
   * Closes the connections of a world. The next call opens new connections, to the URLs that then apply, and starts
   * with closed circuit breakers.
   */
  renew(world: string): void;
}

type Scanner = NonNullable<ReturnType<typeof scannerOf>>;

/** The connections of one world. */
interface WorldConnection {
  readonly http: UpstreamPorts;
  /**
   * Resolves when `scanner` has been made; null before the first scan. It is made at the first scan, because each world
   * has its own virus scanner, which must be started first.
   */
  connecting: Promise<void> | null;
  scanner: Scanner | null;
  /** Number of calls in progress. */
  calls: number;
}

/** Returns true when no call is in progress and no answer is still being read. */
const isIdle = ({ calls, http }: WorldConnection): boolean =>
  calls === 0 && http.stats().every(({ underway, running }) => underway + running === 0);

/** The names of the ports in `UpstreamPorts`. */
type Port = Exclude<keyof UpstreamPorts, 'stats' | 'close'>;
/** The upstream that each port calls. */
const UPSTREAM_OF = {
  register: 'register',
  brieven: 'register',
  brp: 'brp',
  duo: 'duo',
  documents: 'documenten',
  scanner: 'scanner',
} as const satisfies Record<Port, ConfiguredUpstream | 'scanner'>;

/**
 * Returns the upstream ports of the service. A real upstream has one adapter for all worlds. A simulated upstream has,
 * for each world, its own adapter, connection pool and circuit breaker. `real` has, for each real upstream whose
 * answers are recorded, a function that makes its connection pool.
 */
export function createWorldUpstreams(config: Config, simulators: Simulators, real: Pools): WorldUpstreams {
  const common = connectUpstreams(withUrls(config, simulators.urls), real);
  const simulated = new Set<string>(Object.keys(simulators.urls));
  /** Connections keyed by world, the least recently used first. */
  const open = new Map<string, WorldConnection>();
  /** Connections that are closed when their calls in progress have ended. */
  const leaving = new Set<WorldConnection>();

  function connect(world: string): WorldConnection {
    const { urls, pools } = simulators.accessIn(world);
    const withoutScanner: Config = { ...withUrls(config, urls), scanner: { kind: 'none' } };
    return { http: connectUpstreams(withoutScanner, pools), connecting: null, scanner: null, calls: 0 };
  }

  /**
   * Counts a call in progress, marks its world as the most recently used, and returns the connections of that world.
   */
  function enter(world: string): WorldConnection {
    const known = open.get(world);
    const connection = known ?? connect(world);
    open.delete(world);
    open.set(world, connection);
    connection.calls += 1;
    if (open.size > MAX_WORLDS) disconnectIdle();
    return connection;
  }

  /**
   * Disconnects the least recently used world that has no calls in progress. Does nothing while all worlds have calls
   * in progress: their number is then above the maximum.
   */
  function disconnectIdle(): void {
    for (const [world, connection] of open) {
      if (!isIdle(connection)) continue;
      leave(world);
      simulators.closeWorld(world).catch(() => undefined);
      return;
    }
  }

  /**
   * Closes the connections of a world: at once when it is idle, otherwise when its calls have ended or after `GRACE`.
   */
  function leave(world: string): void {
    const connection = open.get(world);
    if (connection === undefined) return;
    open.delete(world);
    leaving.add(connection);
    if (isIdle(connection)) end(connection);
    else setTimeout(() => end(connection), GRACE).unref();
  }

  /** Closes the connections that `leave` marked as leaving. Does nothing when they were closed before. */
  function end(connection: WorldConnection): void {
    if (leaving.delete(connection)) void connection.http.close();
  }

  /** Returns the virus scanner of a world. Connects to it at the first scan, or at the next one when that failed. */
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

  /** Runs a call with the connections of the caller's world, and counts it as in progress. */
  async function inWorld<Result>(
    { workspace: world }: Call,
    run: (connection: WorldConnection, world: string) => Promise<Result>,
  ): Promise<Result> {
    const connection = enter(world);
    try {
      return await run(connection, world);
    } finally {
      connection.calls -= 1;
      if (connection.calls === 0 && leaving.has(connection) && isIdle(connection)) end(connection);
    }
  }

  /**
   * Returns a port that forwards each method call to the adapter of the caller's world. The last argument of every
   * method of a port is the `Call`, which has that world as its `workspace`. For a real upstream, returns the shared
   * adapter.
   */
  const routed = <Name extends Exclude<Port, 'scanner'>>(name: Name): UpstreamPorts[Name] => {
    if (!simulated.has(UPSTREAM_OF[name])) return common[name];
    const methods = Object.keys(common[name]) as (keyof UpstreamPorts[Name])[];
    // The type of an object made from a list of names cannot say which names these are.
    return Object.fromEntries(
      methods.map((method) => [
        method,
        (...args: readonly unknown[]) =>
          inWorld(args.at(-1) as Call, ({ http }) =>
            (http[name][method] as (...args: readonly unknown[]) => Promise<unknown>)(...args),
          ),
      ]),
    ) as unknown as UpstreamPorts[Name];
  };

  return {
    register: routed('register'),
    brieven: routed('brieven'),
    brp: routed('brp'),
    duo: routed('duo'),
    documents: routed('documents'),
    scanner: simulated.has('scanner')
      ? {
          scan: (bytes, call) =>
            inWorld(call, async (connection, world) => (await scannerIn(world, connection)).scan(bytes, call)),
        }
      : common.scanner,
    stats() {
      const { http, scanner } = open.get(DEFAULT_WORLD) ?? { http: common, scanner: null };
      const own = [...http.stats(), ...(scanner === null ? [] : [scanner.stats()])];
      return common.stats().map((one) => own.find(({ upstream }) => upstream === one.upstream) ?? one);
    },
    renew: leave,
    close: async () => {
      await Promise.all([common.close(), ...[...open.values(), ...leaving].map(({ http }) => http.close())]);
    },
  };
}
