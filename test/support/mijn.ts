import axe from 'axe-core';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { openBrowser } from './browser.ts';
import { startService, type TestService } from './service.ts';

/** Mijn register in a browser window, with functions to use it. */
export interface OpenMijn {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Opens the screen with this name, such as `herregistratie`. */
  to(screen: string): Promise<void>;
  press(name: string | RegExp): Promise<void>;
  fill(label: string | RegExp, text: string): Promise<void>;
  /** Waits until the screen shows this text. */
  sees(text: string | RegExp): Promise<void>;
}

/**
 * Starts a service and a browser for all tests of a file. Call it at the top level of the file. A test fails at its end
 * when a page that it opened had an error.
 */
export function withMijn() {
  let service: TestService;
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  const errors: string[] = [];

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((one) => one.close()));
    expect(errors.splice(0)).toEqual([]);
  });

  /** Opens the page as this persona in a world, in a new window. */
  async function look(persona: string, world: string, options: BrowserContextOptions = {}): Promise<OpenMijn> {
    const context = await browser.newContext({
      viewport: { width: 1_280, height: 900 },
      reducedMotion: 'reduce',
      locale: 'nl-NL',
      ...options,
    });
    context.setDefaultTimeout(8_000);
    contexts.push(context);
    return open(await context.newPage(), persona, world);
  }

  /** Opens the page as this persona in a world, in an existing tab. */
  async function open(page: Page, persona: string, world: string, screen = ''): Promise<OpenMijn> {
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      const isOurs = message.type() === 'error' && !message.text().includes('Failed to load resource');
      if (isOurs) errors.push(message.text());
    });
    const search = new URLSearchParams({ wereld: world, ...(persona !== '' && { als: persona }) });
    await page.goto(`${service.url}/_simulator/mijn/?${search}#/${screen}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return {
      page,
      context: page.context(),
      to: async (next) => {
        await page.evaluate(`location.hash = '#/${next}'`);
      },
      press: (name) => page.getByRole('button', { name, exact: typeof name === 'string' }).click(),
      fill: (label, text) => page.getByLabel(label).fill(text),
      sees: (text) => page.getByText(text).first().waitFor(),
    };
  }

  return { service: () => service, look, open };
}

/**
 * Returns all accessibility faults that axe finds in the light and the dark colour scheme. In dark only the contrast is
 * checked, because the rest is the same.
 */
export async function findings(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const rules = colorScheme === 'dark' ? { runOnly: ['color-contrast'] } : {};
    const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(rules)})`)) as axe.AxeResults;
    for (const { id, nodes } of violations)
      found.push(`${colorScheme} ${id}: ${nodes.map(({ html }) => html.slice(0, 140)).join(' | ')}`);
  }
  return found;
}
