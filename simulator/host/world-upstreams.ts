/** Adapters of the upstreams per world, so that a fault in one world does not affect another. */

import type { Config } from '../../src/config/index.ts';
import type { ConfiguredUpstream } from '../../src/config/upstreams.ts';
import { type Call, UpstreamError } from '../../src/ports/call.ts';
import { connectUpstreams, type UpstreamPorts } from '../../src/startup/wiring.ts';
import type { UpstreamName } from '../../src/wire/values.ts';
import type { Simulators, UpstreamUrls } from '../index.ts';
import { withUrls } from './with-urls.ts';

/**
 * Maximum number of worlds that are connected at the same time. For another one, the longest idle one is disconnected.
 */
const MAX_WORLDS = 64;
/** Milliseconds between two checks for an idle world: the end of reading a body gives no event. */
const IDLE_CHECK_INTERVAL = 50;
/** Milliseconds that calls in flight get to finish before their connections are closed. */
const GRACE = 10_000;

export interface WorldUpstreams extends UpstreamPorts {
  /**
   * Closes the connections of a world. Its next call connects to the current addresses, with closed circuit breakers.
   */
  renew(world: string): void;
}

/** The connections of one world. */
interface WorldConnection {
  readonly ready: Promise<UpstreamPorts>;
  /** The adapters; null until they are ready. */
  ports: UpstreamPorts | null;
  /** Number of calls in flight. */
  calls: number;
}

/** True when there is no call in flight and no answer that is still being read. */
const isIdle = ({ calls, ports }: WorldConnection): boolean =>
  calls === 0 && ports !== null && ports.stats().every(({ underway, running }) => underway + running === 0);

type Port = Exclude<keyof UpstreamPorts, 'stats' | 'close'>;
/** The upstream that each port belongs to. */
const UPSTREAM_OF = {
  register: 'register',
  brieven: 'register',
  brp: 'brp',
  duo: 'duo',
  documents: 'documenten',
  scanner: 'scanner',
} as const satisfies Record<Port, ConfiguredUpstream | 'scanner'>;

/**
 * The adapters of the service: shared by all worlds where the upstream is real; per world, with its own pool and
 * circuit breaker, where it is simulated.
 */
export function createWorldUpstreams(config: Config, simulators: Simulators): WorldUpstreams {
  const common = connectUpstreams(withUrls(config, simulators.urls));
  const simulated = new Set<string>(Object.keys(simulators.urls));
  /** Connections by world, the least recently used first. */
  const open = new Map<string, WorldConnection>();
  /** Connections that are closed as soon as their calls in flight have ended. */
  const leaving = new Set<WorldConnection>();
  /** Callbacks of calls that wait until another world becomes idle. */
  const waiting = new Set<() => void>();

  /** Starts connecting. The result is stored before it is ready, so that `renew` can close it in the meantime. */
  function connect(world: string): WorldConnection {
    const connected: WorldConnection = { ready: simulators.urlsIn(world).then(connectAt), ports: null, calls: 0 };
    function connectAt(urls: UpstreamUrls): UpstreamPorts {
      connected.ports = connectUpstreams(withUrls(config, urls));
      return connected.ports;
    }
    connected.ready.catch(() => open.get(world) === connected && open.delete(world));
    return connected;
  }

  /**
   * Counts a call in flight and returns the connections of its world, after waiting for room. Throws when the call is
   * aborted.
   */
  async function enter(upstream: UpstreamName, { workspace: world, signal }: Call): Promise<WorldConnection> {
    while (!open.has(world) && !hasRoom()) {
      if (signal.aborted) throw new UpstreamError(upstream, 'late', 'too many worlds in use', { undone: true });
      await nextIdleCheck();
    }
    const connected = open.get(world) ?? connect(world);
    open.delete(world);
    open.set(world, connected);
    connected.calls += 1;
    return connected;
  }

  /** Ends the count of a call in flight, and wakes the calls that wait for room. */
  function exit(connected: WorldConnection): void {
    connected.calls -= 1;
    if (leaving.has(connected) && isIdle(connected)) end(connected);
    for (const wake of waiting) wake();
  }

  /** Resolves when a call in any world has ended, or when it is time to check again. */
  function nextIdleCheck(): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, IDLE_CHECK_INTERVAL);
      waiting.add(wake);
    });
  }

  /** True when one more world may be connected. Disconnects the longest idle world when that is needed. */
  function hasRoom(): boolean {
    if (open.size + leaving.size < MAX_WORLDS) return true;
    for (const connected of leaving) if (isIdle(connected)) end(connected);
    if (open.size + leaving.size < MAX_WORLDS) return true;
    const [idle] = [...open].find(([, connected]) => isIdle(connected)) ?? [];
    if (idle === undefined) return false;
    leave(idle);
    simulators.closeWorld(idle).catch(() => undefined);
    return true;
  }

  /**
   * Closes the connections of a world: now when it is idle, else when its calls have ended or after the grace period.
   */
  function leave(world: string): void {
    const connected = open.get(world);
    if (connected === undefined) return;
    open.delete(world);
    leaving.add(connected);
    if (isIdle(connected)) end(connected);
    else setTimeout(() => end(connected), GRACE).unref();
  }

  function end(connected: WorldConnection): void {
    if (leaving.delete(connected)) void closed(connected);
  }

  const closed = ({ ready }: WorldConnection): Promise<void> =>
    ready.then((ports) => ports.close()).catch(() => undefined);

  /**
   * A port that passes each method call to the adapter of the caller's world. The last argument of every method is the
   * call.
   */
  const routed = <Name extends Port>(name: Name): UpstreamPorts[Name] => {
    if (!simulated.has(UPSTREAM_OF[name])) return common[name];
    const methods = Object.keys(common[name]) as (keyof UpstreamPorts[Name])[];
    return Object.fromEntries(
      methods.map((method) => [
        method,
        async (...args: readonly unknown[]) => {
          const connected = await enter(UPSTREAM_OF[name], args.at(-1) as Call);
          try {
            const ports = await connected.ready;
            return await (ports[name][method] as (...args: readonly unknown[]) => unknown)(...args);
          } finally {
            exit(connected);
          }
        },
      ]),
    ) as unknown as UpstreamPorts[Name];
  };

  return {
    register: routed('register'),
    brieven: routed('brieven'),
    brp: routed('brp'),
    duo: routed('duo'),
    documents: routed('documents'),
    scanner: routed('scanner'),
    stats: () => (open.get('default')?.ports ?? common).stats(),
    renew: leave,
    close: async () => {
      await Promise.all([common.close(), ...[...open.values(), ...leaving].map(closed)]);
    },
  };
}
