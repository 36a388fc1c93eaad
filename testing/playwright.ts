/** Fixtures for Playwright: one instance of the service for each worker, and a new world for each test. */
import {
  type Page,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type Request,
  type Route,
  type TestType,
  test,
} from '@playwright/test';
import type { Persona } from '../client/index.ts';
import type { Bff, World, WorldState } from './index.ts';
import { type InstanceOptions, instanceOf, testWorldOf } from './test-world.ts';

/** The fixture `bff`: a world that no other test uses. */
export interface TestWorld extends World {
  /** URL of the instance of the service. */
  readonly url: string;
  /**
   * Redirects the requests of the page below `/api/v1`, at any address, to this instance, and makes them as this persona
   * in the world of this test, whatever persona the page sends. So do the pages that this page opens. The page also gets
   * the time of the world, unless that is the real time.
   */
  signIn(page: Page, persona: Persona): Promise<void>;
}

/** Request headers that say who calls. Those of the page would add a role or a second identity to the persona. */
const IDENTIFYING = ['x-subject', 'x-role', 'x-medewerker', 'x-rollen'];

/** A URL below `/api/v1`, also behind a path that a proxy takes off, such as `/portal`. */
const IN_API = /^https?:\/\/[^/]+(?:\/[^?#]*?)?(\/api\/v1\/.*)/;

interface WorkerFixtures {
  bffOptions: InstanceOptions;
  bffInstance: Bff;
}
interface TestFixtures {
  /**
   * The worlds to delete at the end. An automatic fixture ends after the pages are closed: a page that polls would make
   * a deleted world again.
   */
  bffWorlds: World[];
  bff: TestWorld;
}

/** Playwright's `test` with the fixture `bff`: a new world that is deleted after the test. */
export const bffTest: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & TestFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & WorkerFixtures
> = test.extend<TestFixtures, WorkerFixtures>({
  bffOptions: [{}, { option: true, scope: 'worker' }],
  bffInstance: [
    async ({ bffOptions }, use) => {
      const instance = await instanceOf(bffOptions);
      await use(instance);
      await instance.close();
    },
    { scope: 'worker' },
  ],
  bffWorlds: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const worlds: World[] = [];
      await use(worlds);
      for (const world of worlds) await world.remove();
    },
    { auto: true },
  ],
  bff: async ({ bffInstance, bffOptions, bffWorlds }, use, info) => {
    const { url } = bffInstance;
    const world = testWorldOf(url, bffOptions.url !== undefined);
    bffWorlds.push(world);
    await use(withPages(world, url));
    // Attach the journal to a failed test: the requests, the upstream calls, and the decisions of the service.
    if (info.status !== info.expectedStatus) {
      const body = JSON.stringify(await world.journal(), null, 2);
      await info.attach('bff-journal', { body, contentType: 'application/json' });
    }
  },
});

/** What changes the clock of the world also sets the clock of the pages that are signed in. */
function withPages(world: World, url: string): TestWorld {
  /** The headers of the persona of each page that is signed in, with names in lower case. */
  const signedIn = new Map<Page, Readonly<Record<string, string>>>();

  /** Sends a request of a signed-in page, or of a page that such a page opened, to the instance. */
  async function redirect(route: Route, request: Request): Promise<void> {
    let page = pageOf(request);
    while (page !== null && !signedIn.has(page)) page = await page.opener();
    const persona = page && signedIn.get(page);
    // A module of the page can be in a folder `api/v1` too, as in `/src/api/v1/notes.ts` of Vite.
    const isPart = ['script', 'stylesheet'].includes(request.resourceType());
    if (!persona || isPart) return route.fallback();
    const [, path] = IN_API.exec(request.url()) ?? [];
    const own = Object.entries(request.headers()).filter(([name]) => !IDENTIFYING.includes(name));
    const there = { url: `${url}${path}`, headers: { ...Object.fromEntries(own), ...persona } };
    // Playwright itself must make the request then: a browser may not continue it with another protocol.
    if (!url.startsWith(new URL(request.url()).protocol)) return route.fulfill({ response: await route.fetch(there) });
    return route.continue(there);
  }

  const shown = async (changed: Promise<WorldState>): Promise<WorldState> => {
    const state = await changed;
    const open = [...signedIn.keys()].filter((page) => !page.isClosed());
    await Promise.all(open.map((page) => setClock(page, state)));
    return state;
  };
  return {
    ...world,
    url,
    clock: (change) => shown(world.clock(change)),
    reset: (begin) => shown(world.reset(begin)),
    restore: (name) => shown(world.restore(name)),
    importSnapshot: (file) => shown(world.importSnapshot(file)),
    async signIn(page, persona) {
      const headers = Object.entries(world.headers(persona)).map(([name, value]) => [name.toLowerCase(), value]);
      signedIn.set(page, Object.fromEntries(headers));
      // The context has the handlers too, for the pages that this page opens: their first requests come before the
      // event `popup`.
      for (const target of [page, page.context()]) {
        await target.unroute(IN_API, redirect);
        await target.route(IN_API, redirect);
      }
      const state = await world.state();
      if (state.clock.mode !== 'real') await setClock(page, state);
    },
  };
}

/** Returns the page of a request; null for one of a service worker, or one that comes before its page. */
function pageOf(request: Request): Page | null {
  try {
    return request.frame().page();
  } catch {
    return null;
  }
}

/** It stands still when that of the world is frozen. */
const setClock = (page: Page, { clock: { mode, now } }: WorldState): Promise<void> =>
  mode === 'frozen' ? page.clock.setFixedTime(now) : page.clock.setSystemTime(now);
