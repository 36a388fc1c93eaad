/** Fixtures for Vitest: one instance a worker, and a fresh world a test. */
import { test } from 'vitest';
import { type Bff, type BffOptions, startBff, type World } from './index.ts';

/** What a test has in hand: a world that nobody else is in. */
export interface TestWorld extends World {
  /** Of the instance, for a frontend that is to call it. */
  readonly url: string;
}

interface Fixtures {
  /** How the instance is started: `bffTest.extend({ bffOptions: [{ today: '2026-06-01' }, { scope: 'worker' }] })`. */
  bffOptions: BffOptions;
  bffInstance: Bff;
  bff: TestWorld;
}

let worlds = 0;

export const bffTest = test.extend<Fixtures>({
  bffOptions: [{}, { scope: 'worker' }],
  bffInstance: [
    async ({ bffOptions }, use) => {
      const instance = await startBff(bffOptions);
      await use(instance);
      await instance.close();
    },
    { scope: 'worker' },
  ],
  bff: async ({ bffInstance }, use) => {
    const world = bffInstance.world(`test-${++worlds}`);
    await use({ ...world, url: bffInstance.url });
    await world.remove();
  },
});
