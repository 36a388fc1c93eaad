/** Sources of which every world has its own, so that what goes wrong in one is not felt in another. */

import type { Config } from '../../src/config/index.ts';
import type { Source } from '../../src/config/upstreams.ts';
import { type Call, UpstreamError } from '../../src/ports/call.ts';
import { connectSources, type Sources } from '../../src/startup/wiring.ts';
import type { Bron } from '../../src/wire/values.ts';
import type { Simulators, Urls } from '../index.ts';
import { addressed } from './addressed.ts';

/** Worlds that have connections at the same moment. For another one, the one that has been idle longest is put aside. */
const MOST = 64;
/** Milliseconds between two looks whether a world has become idle, where nothing else tells. */
const LOOK = 50;
/** Milliseconds in which what is under way by old connections may end. */
const GRACE = 10_000;

export interface WorldSources extends Sources {
  /** A world's connections begin anew: with no memory of what failed, and to where its sources are now. */
  renew(world: string): void;
}

interface Connected {
  readonly ready: Promise<Sources>;
  /** Null until they are ready. */
  sources: Sources | null;
  /** Calls that have not ended. */
  calls: number;
}

/** Whether nobody would notice that it ends: no call, and no answer that is still being read. */
const isIdle = ({ calls, sources }: Connected): boolean =>
  calls === 0 && sources !== null && sources.stats().every(({ underway, running }) => underway + running === 0);

type Port = Exclude<keyof Sources, 'stats' | 'close'>;
/** The source that each port is a part of. */
const SOURCE_OF = {
  register: 'register',
  brieven: 'register',
  brp: 'brp',
  duo: 'duo',
  documents: 'documenten',
  scanner: 'scanner',
} as const satisfies Record<Port, Source | 'scanner'>;

/** The shipped adapters, once for what is real and once more in each world for what is simulated: pool, breaker and all. */
export function worldSources(config: Config, simulators: Simulators): WorldSources {
  const common = connectSources(addressed(config, simulators.urls));
  const simulated = new Set<string>(Object.keys(simulators.urls));
  /** The one that asked longest ago first. */
  const open = new Map<string, Connected>();
  const leaving = new Set<Connected>();
  /** Those who wait until a world is idle. */
  const waiting = new Set<() => void>();

  /** Known from the first question on: whoever begins anew in the meantime lets go of it as well. */
  function connect(world: string): Connected {
    const connected: Connected = { ready: simulators.urlsIn(world).then(made), sources: null, calls: 0 };
    function made(urls: Urls): Sources {
      connected.sources = connectSources(addressed(config, urls));
      return connected.sources;
    }
    connected.ready.catch(() => open.get(world) === connected && open.delete(world));
    return connected;
  }

  /** A world's connections, when there is room for them. */
  async function enter(bron: Bron, { workspace: world, signal }: Call): Promise<Connected> {
    while (!open.has(world) && !hasRoom()) {
      if (signal.aborted) throw new UpstreamError(bron, 'late', 'too many worlds at work', { undone: true });
      await ended();
    }
    const connected = open.get(world) ?? connect(world);
    open.delete(world);
    open.set(world, connected);
    connected.calls += 1;
    return connected;
  }

  function exit(connected: Connected): void {
    connected.calls -= 1;
    if (leaving.has(connected) && isIdle(connected)) end(connected);
    for (const wake of waiting) wake();
  }

  /** Resolves when a call has ended anywhere, or when it is time to look again. */
  function ended(): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, LOOK);
      waiting.add(wake);
    });
  }

  /** Whether one more world may be connected; puts the one aside that has been idle longest when that is needed. */
  function hasRoom(): boolean {
    if (open.size + leaving.size < MOST) return true;
    for (const connected of leaving) if (isIdle(connected)) end(connected);
    if (open.size + leaving.size < MOST) return true;
    const [idle] = [...open].find(([, connected]) => isIdle(connected)) ?? [];
    if (idle === undefined) return false;
    leave(idle);
    simulators.leave(idle).catch(() => undefined);
    return true;
  }

  /** Lets go: now, or when those that were asked already have had the time to answer. */
  function leave(world: string): void {
    const connected = open.get(world);
    if (connected === undefined) return;
    open.delete(world);
    leaving.add(connected);
    if (isIdle(connected)) end(connected);
    else setTimeout(() => end(connected), GRACE).unref();
  }

  function end(connected: Connected): void {
    if (leaving.delete(connected)) void closed(connected);
  }

  const closed = ({ ready }: Connected): Promise<void> =>
    ready.then((sources) => sources.close()).catch(() => undefined);

  /** The same port, which asks the source of whoever's call it is: every method has the call as its last argument. */
  const routed = <Name extends Port>(name: Name): Sources[Name] => {
    if (!simulated.has(SOURCE_OF[name])) return common[name];
    const methods = Object.keys(common[name]) as (keyof Sources[Name])[];
    return Object.fromEntries(
      methods.map((method) => [
        method,
        async (...args: readonly unknown[]) => {
          const connected = await enter(SOURCE_OF[name], args.at(-1) as Call);
          try {
            const sources = await connected.ready;
            return await (sources[name][method] as (...args: readonly unknown[]) => unknown)(...args);
          } finally {
            exit(connected);
          }
        },
      ]),
    ) as unknown as Sources[Name];
  };

  return {
    register: routed('register'),
    brieven: routed('brieven'),
    brp: routed('brp'),
    duo: routed('duo'),
    documents: routed('documents'),
    scanner: routed('scanner'),
    stats: () => (open.get('default')?.sources ?? common).stats(),
    renew: leave,
    close: async () => {
      await Promise.all([common.close(), ...[...open.values(), ...leaving].map(closed)]);
    },
  };
}
