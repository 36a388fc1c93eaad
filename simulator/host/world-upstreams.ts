/** The upstream adapters of each world, so that a fault in one world has no effect in another. */

import type { Config } from '../../src/config/index.ts';
import type { ConfiguredUpstream } from '../../src/config/upstreams.ts';
import type { Call } from '../../src/ports/call.ts';
import { connectUpstreams, scannerOf, type UpstreamPorts } from '../../src/startup/wiring/upstreams.ts';
import type { Simulators } from '../index.ts';
import { DEFAULT_WORLD } from '../people/directory.ts';
import { withUrls } from './with-urls.ts';
import { createWorldConnections, type WorldConnection } from './world-connections.ts';

/** The upstream ports of the service. Each call to a simulated upstream uses the connections of the caller's world. */
export interface WorldUpstreams extends UpstreamPorts {
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

/**
 * Returns the upstream ports of the service. A real upstream has one adapter for all worlds; a simulated upstream has
 * one for each world.
 */
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
