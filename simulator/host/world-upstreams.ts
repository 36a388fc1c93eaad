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

/** Number of worlds with open connections above which the least recently used idle one is disconnected. */
const MAX_WORLDS = 64;
/** Milliseconds that calls in progress may take before the connections of their world are closed. */
const GRACE = 10_000;

/** The upstream ports of the service. Each call to a simulated upstream uses the connections of the caller's world. */
export interface WorldUpstreams extends UpstreamPorts {
  /** Closes the connections of a world. The next call in that world opens new ones, with closed circuit breakers. */
  renew(world: string): void;
}

type Scanner = NonNullable<ReturnType<typeof scannerOf>>;

interface WorldConnection {
  readonly http: UpstreamPorts;
  /**
   * Settles when `scanner` has been made or could not be made; null before the first scan. Each world has its own virus
   * scanner, which is started at the first scan.
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
 * one for each world. `real` has functions that make the connection pools of real upstreams whose answers are recorded.
 */
export function createWorldUpstreams(config: Config, simulators: Simulators, real: Pools): WorldUpstreams {
  const common = connectUpstreams(withUrls(config, simulators.urls), real);
  const simulated = new Set<string>(Object.keys(simulators.urls));
  /** Connections keyed by world, the least recently used first. */
  const open = new Map<string, WorldConnection>();
  /** Connections of disconnected worlds, to close when their calls have ended. */
  const leaving = new Set<WorldConnection>();

  function connect(world: string): WorldConnection {
    const { urls, pools } = simulators.accessIn(world);
    const withoutScanner: Config = { ...withUrls(config, urls), scanner: { kind: 'none' } };
    return { http: connectUpstreams(withoutScanner, pools), connecting: null, scanner: null, calls: 0 };
  }

  /**
   * Returns the connections of a world, in which a call starts: counts that call and marks the world as the most
   * recently used.
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

  /** Disconnects the least recently used world that is idle. Does nothing when no world is idle. */
  function disconnectIdle(): void {
    for (const [world, connection] of open) {
      if (!isIdle(connection)) continue;
      leave(world);
      simulators.closeWorld(world).catch(() => undefined);
      return;
    }
  }

  /**
   * Closes the connections of a world: at once when they are idle, otherwise when their calls have ended, but at most
   * `GRACE` ms later.
   */
  function leave(world: string): void {
    const connection = open.get(world);
    if (connection === undefined) return;
    open.delete(world);
    leaving.add(connection);
    if (isIdle(connection)) end(connection);
    else setTimeout(() => end(connection), GRACE).unref();
  }

  /** Closes the connections that `leave` could not close at once. Does nothing when that was done before. */
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

  /**
   * Calls `run` with the connections of the caller's world. They stay open during the call, for at most `GRACE` ms
   * after the world is disconnected.
   */
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
   * Returns a port that calls the adapter of the caller's world; for a real upstream, returns the shared adapter. The
   * last argument of each port method is the `Call`, whose `workspace` is the world.
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
