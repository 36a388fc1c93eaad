import { createControl } from './control.ts';
import { type World, worldOf } from './world.ts';

let worlds = 0;

/**
 * Returns a new world (a separate copy of all simulated people and data) for one test of the instance at `url`. No
 * other test can see or replace its snapshots; `restore` accepts those that the instance itself saved, too. `remove`
 * deletes the world and its snapshots.
 */
export function testWorldOf(url: string): World {
  const control = createControl(url);
  const world = worldOf(url, control, `test-${++worlds}`);
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
