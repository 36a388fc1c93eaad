/** Sources of which every world has its own, so that what goes wrong in one is not felt in another. */
import type { Simulators } from '../../simulator/index.ts';
import type { Config } from '../config.ts';
import type { Call } from '../ports/call.ts';
import type { Source } from '../sources.ts';
import { connectSources, type Sources } from '../startup/wiring.ts';
import { addressed } from './addressed.ts';

/** Worlds that have connections; the one that asked longest ago makes room. */
const MOST = 64;
/** Milliseconds in which what is under way by old connections may end. */
const GRACE = 10_000;

export interface WorldSources extends Sources {
  /** A world's connections begin anew: with no memory of what failed, and to where its sources are now. */
  renew(world: string): void;
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
  const open = new Map<string, Sources>();
  const leaving = new Set<Sources>();

  async function connect(world: string): Promise<Sources> {
    const made = connectSources(addressed(config, await simulators.urlsIn(world)));
    const there = open.get(world);
    if (there !== undefined) {
      await made.close();
      return there;
    }
    open.set(world, made);
    const [oldest] = open.keys();
    if (open.size > MOST && oldest !== undefined) leave(oldest);
    return made;
  }

  /** Lets go, when those that were asked already have had the time to answer. */
  function leave(world: string): void {
    const sources = open.get(world);
    if (sources === undefined) return;
    open.delete(world);
    leaving.add(sources);
    setTimeout(() => {
      if (leaving.delete(sources)) sources.close();
    }, GRACE).unref();
  }

  /** The same port, which asks the source of whoever's call it is: every method has the call as its last argument. */
  const routed = <Name extends Port>(name: Name): Sources[Name] => {
    if (!simulated.has(SOURCE_OF[name])) return common[name];
    const methods = Object.keys(common[name]) as (keyof Sources[Name])[];
    return Object.fromEntries(
      methods.map((method) => [
        method,
        async (...args: readonly unknown[]) => {
          const { workspace } = args.at(-1) as Call;
          const sources = open.get(workspace) ?? (await connect(workspace));
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
    stats: () => (open.get('default') ?? common).stats(),
    renew: leave,
    close: async () => {
      await Promise.all([common, ...open.values(), ...leaving].map((sources) => sources.close()));
    },
  };
}
