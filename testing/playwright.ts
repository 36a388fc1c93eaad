/** Fixtures for Playwright: one instance a worker, and a fresh world a test. */
import { type Page, test } from '@playwright/test';
import type { Persona } from '../client/index.ts';
import { type Bff, type BffOptions, startBff, type World } from './index.ts';

/** What a test has in hand: a world that nobody else is in. */
export interface TestWorld extends World {
  /** Of the instance. */
  readonly url: string;
  /**
   * Whatever the page calls below `/api/v1`, at whichever address, goes to this instance from now on, as this persona in
   * the world of this test. The frontend need not know where the service is, nor whom it calls as.
   */
  signIn(page: Page, persona: Persona): Promise<void>;
}

const IN_API = /^https?:\/\/[^/]+\/api\/v1\//;

let worlds = 0;

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
    // Beside the trace of the page: what the service was asked, what it asked in turn, and why it answered as it did.
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
