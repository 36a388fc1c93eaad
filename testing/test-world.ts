import { randomUuid } from '../client/uuid.ts';
import { createControl } from './control.ts';
import { type Bff, type BffOptions, connectBff, startBff } from './index.ts';
import { type World, worldOf } from './world.ts';

/** Options of the instance that the tests of one worker use. */
export interface InstanceOptions extends BffOptions {
  /** URL of a service with a simulator that runs already. No instance is started then, and other options do nothing. */
  readonly url?: string | undefined;
}

/** Returns the instance with these options. Rejects when it cannot be started or does not answer. */
export const instanceOf = ({ url, ...options }: InstanceOptions): Promise<Bff> =>
  url === undefined ? startBff(options) : connectBff(url);

/** Part of the names of worlds in a service that other workers and runs may use at the same time. */
const run = randomUuid().slice(0, 8);
let worlds = 0;

/**
 * Returns a new world for one test of the instance at `url`. `isShared` is true when others use the instance too: the
 * name of the world then differs in each run. No other test can see or replace the snapshots of the world; `restore`
 * accepts those that the instance itself saved, too. `remove` deletes the world and its snapshots.
 */
export function testWorldOf(url: string, isShared: boolean): World {
  const control = createControl(url);
  const world = worldOf(url, control, `test-${isShared ? `${run}-` : ''}${++worlds}`);
  /** Names of the snapshots of this test, keyed by the name that the test gave. */
  const saved = new Map<string, string>();
  return {
    ...world,
    async snapshot(name) {
      const own = `${world.name}-${name}`;
      await world.snapshot(own);
      saved.set(name, own);
    },
    restore: (name) => world.restore(saved.get(name) ?? name),
    async remove() {
      for (const own of saved.values()) await control.send('DELETE', `/snapshots/${own}`);
      saved.clear();
      await world.remove();
    },
  };
}
