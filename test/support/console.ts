import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { openBrowser } from './browser.ts';
import { startService, type TestService } from './service.ts';

/** Milliseconds to wait for what the page does; that long on a machine that does other work only. */
const PATIENCE = 15_000;

/** The console in a window of its own. What goes wrong in the page itself is kept, and is nothing at the end of a test. */
export interface OpenConsole {
  readonly page: Page;
  readonly errors: string[];
  /** What is on the clipboard. */
  clipboard(): Promise<string>;
  close(): Promise<void>;
}

export async function openConsole(
  browser: Browser,
  url: string,
  world: string,
  options: BrowserContextOptions = {},
): Promise<OpenConsole> {
  const context = await browser.newContext({
    viewport: { width: 1_280, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    reducedMotion: 'reduce',
    locale: 'nl-NL',
    acceptDownloads: true,
    ...options,
  });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('Failed to load resource')) errors.push(message.text());
  });
  await page.goto(`${url}/_simulator/?wereld=${world}`);
  await page.getByRole('heading', { name: 'Sanne de Wit' }).waitFor();
  return {
    page,
    errors,
    clipboard: () => page.evaluate('navigator.clipboard.readText()') as Promise<string>,
    close: () => context.close(),
  };
}

/** What axe finds that keeps people out. */
export const serious = (page: Page): Promise<string[]> => findings(page, ['serious', 'critical']);

/**
 * What axe finds of these impacts; of all impacts by default. Only that comes out of the page: the nodes that are in order
 * are megabytes, which take seconds to bring over.
 */
export async function findings(page: Page, impacts?: readonly string[]): Promise<string[]> {
  await page.evaluate(axe.source);
  const violations = (await page.evaluate(
    "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)",
  )) as axe.Result[];
  return violations
    .filter(({ impact }) => impacts?.includes(impact ?? '') ?? true)
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
}

/** How far the page reaches beyond the window, in pixels. */
export const sideways = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth') as Promise<number>;

/** Waits until a question has the answer that is expected: what the page does takes a moment. */
export const soon = <T>(question: () => Promise<T>) => expect.poll(question, { timeout: PATIENCE, interval: 50 });

/** A service and a browser for the tests of a file; what a test opened is closed after it, and went without an error. */
export function withConsole() {
  let service: TestService;
  let browser: Browser;
  const opened: OpenConsole[] = [];

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });
  afterEach(async () => {
    const errors = opened.flatMap((one) => one.errors);
    await Promise.all(opened.splice(0).map((one) => one.close()));
    expect(errors).toEqual([]);
  });

  return {
    service: () => service,
    browser: () => browser,
    keep: (one: OpenConsole) => opened.push(one),
    async look(world: string, options: BrowserContextOptions = {}): Promise<OpenConsole> {
      const one = await openConsole(browser, service.url, world, options);
      opened.push(one);
      return one;
    },
  };
}

export const press = (page: Page, name: string | RegExp, within = 'body'): Promise<void> =>
  page
    .locator(within)
    .getByRole('button', { name, exact: typeof name === 'string' })
    .click();

export const text = (page: Page, selector: string): Promise<string> => page.locator(selector).innerText();

/** Where somebody's card is. */
export const card = (slug: string): string => `#persoon-${slug}`;
