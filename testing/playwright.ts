/** Fixtures for Playwright: one instance of the service for each worker, and a new world for each test. */
import { type Page, test } from '@playwright/test';
import type { Persona } from '../client/index.ts';
import { type Bff, type BffOptions, startBff, type World } from './index.ts';

/** The fixture `bff` of a test: a world that no other test uses. */
export interface TestWorld extends World {
  /** URL of the instance. */
  readonly url: string;
  /**
   * Redirects the page's requests to paths below `/api/v1`, at any origin, to this instance. They are made as this
   * persona, in the world of this test. The frontend needs no configuration for this.
   */
  signIn(page: Page, persona: Persona): Promise<void>;
}

const IN_API = /^https?:\/\/[^/]+\/api\/v1\//;

let worlds = 0;

/** Playwright's `test` with the fixture `bff`, a new world that is deleted after the test. */
export const bffTest = test.extend<{ bff: TestWorld }, { bffOptions: BffOptions; bffInstance: Bff }>({
  bffOptions: [{}, { option: true, scope: 'worker' }],
  bffInstance: [
    async ({ bffOptions }, use) => {
      const instance = await startBff(bffOptions);
      await use(instance);
      await instance.close();
    },
    { scope: 'worker' },
  ],
  bff: async ({ bffInstance }, use, info) => {
    const { url } = bffInstance;
    const world = bffInstance.world(`test-${++worlds}`);
    await use({ ...world, url, signIn: (page, persona) => signIn(page, url, world.headers(persona)) });
    // Attach the journal to a failed test: the requests, the upstream calls, and the decisions of the service.
    if (info.status !== info.expectedStatus) {
      const body = JSON.stringify(await world.journal(), null, 2);
      await info.attach('bff-journal', { body, contentType: 'application/json' });
    }
    await world.remove();
  },
});

async function signIn(page: Page, url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  await page.unroute(IN_API);
  await page.route(IN_API, (route, request) => {
    const { pathname, search } = new URL(request.url());
    return route.continue({ url: `${url}${pathname}${search}`, headers: { ...request.headers(), ...lower } });
  });
}
