/** Fixtures for Vitest: one instance of the service for each worker, and a new world for each test. */
import { test } from 'vitest';
import type { Bff, World } from './index.ts';
import { type InstanceOptions, instanceOf, testWorldOf } from './test-world.ts';

/** The fixture `bff`: a world that no other test uses. */
export interface TestWorld extends World {
  /** URL of the instance of the service. */
  readonly url: string;
}

interface Fixtures {
  /**
   * Options of the instance of each worker. To set them: `bffTest.extend({ bffOptions: [{ today: '2026-06-01' }, {
   * scope: 'worker' }] })`.
   */
  bffOptions: InstanceOptions;
  bffInstance: Bff;
  bff: TestWorld;
}

/** Vitest's `test` with the fixture `bff`: a new world that is deleted after the test. */
export const bffTest = test.extend<Fixtures>({
  bffOptions: [{}, { scope: 'worker' }],
  bffInstance: [
    async ({ bffOptions }, use) => {
      const instance = await instanceOf(bffOptions);
      await use(instance);
      await instance.close();
    },
    { scope: 'worker' },
  ],
  bff: async ({ bffInstance, bffOptions }, use) => {
    const world = testWorldOf(bffInstance.url, bffOptions.url !== undefined);
    await use({ ...world, url: bffInstance.url });
    await world.remove();
  },
});
