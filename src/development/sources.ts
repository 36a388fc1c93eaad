/** Sources of which every world has its own, so that what goes wrong in one is not felt in another. */
import type { Simulators, Urls } from '../../simulator/index.ts';
import type { Config } from '../config.ts';
import type { Call } from '../ports/call.ts';
import type { Source } from '../sources.ts';
import { connectSources, type Sources } from '../startup/wiring.ts';
import { addressed } from './addressed.ts';

/** Worlds that have connections. Past this, those make room that asked nothing for so many milliseconds. */
const MOST = 64;
const IDLE = 10_000;
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
  /** When it was asked for last. */
  at: number;
}

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

  /** Known from the first question on: whoever begins anew in the meantime lets go of it as well. */
  function connect(world: string): Connected {
    const connected: Connected = { ready: simulators.urlsIn(world).then(made), sources: null, at: performance.now() };
    function made(urls: Urls): Sources {
      connected.sources = connectSources(addressed(config, urls));
      return connected.sources;
    }
    connected.ready.catch(() => open.get(world) === connected && open.delete(world));
    return connected;
  }

  function sourcesOf(world: string): Promise<Sources> {
    const connected = open.get(world) ?? connect(world);
    connected.at = performance.now();
    open.delete(world);
    open.set(world, connected);
    if (open.size > MOST) makeRoom(connected.at - IDLE);
    return connected.ready;
  }

  function makeRoom(before: number): void {
    for (const [world, { at }] of open) {
      if (at > before || open.size <= MOST) return;
      leave(world);
    }
  }

  /** Lets go, when those that were asked already have had the time to answer. */
  function leave(world: string): void {
    const connected = open.get(world);
    if (connected === undefined) return;
    open.delete(world);
    leaving.add(connected);
    setTimeout(() => {
      if (leaving.delete(connected)) closed(connected);
    }, GRACE).unref();
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
          const { workspace } = args.at(-1) as Call;
          const sources = await sourcesOf(workspace);
          return (sources[name][method] as (...args: readonly unknown[]) => unknown)(...args);
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
