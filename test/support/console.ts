import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
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
  await page.goto(`${url}/_simulator/?wereld=${world}&toon=antwoord`);
  await page.getByRole('heading', { name: 'Sanne de Wit' }).waitFor();
  return {
    page,
    errors,
    clipboard: () => page.evaluate('navigator.clipboard.readText()') as Promise<string>,
    close: () => context.close(),
  };
}

/** What axe finds that keeps people out. */
export const serious = (page: Page, within?: string): Promise<string[]> =>
  findings(page, ['serious', 'critical'], within);

/**
 * What axe finds of these impacts; of all impacts by default. On the whole page, or within an element. Only that comes
 * out of the page: the nodes that are in order are megabytes, which take seconds to bring over.
 */
export async function findings(page: Page, impacts?: readonly string[], within = 'html'): Promise<string[]> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe.source);
  const violations = (await page.evaluate(
    `axe.run(${JSON.stringify(within)}, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
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

/**
 * Presses a button. One in a drawer or a tab that is closed is reached as by a user: with the button of that drawer, or
 * with that tab. A drawer that lies over the button is closed first.
 */
export async function press(page: Page, name: string | RegExp, within = 'body'): Promise<void> {
  const named = { name, exact: typeof name === 'string' };
  const button = page.locator(within).getByRole('button', named);
  const found = (await button.count()) > 0;
  await reveal(page, found ? button : page.locator(within).getByRole('button', { ...named, includeHidden: true }));
  await button.click();
}

/** Opens the drawers and tabs that a control is in, the outermost first; closes a drawer that it is not in. */
async function reveal(page: Page, control: Locator): Promise<void> {
  let ids = await around(control);
  // The page replaced the control between the moment that it was found and the moment that it was looked at.
  while (ids === null) ids = await around(control);
  for (const id of ids) await page.locator(`[aria-controls="${id}"]`).click();
}

/**
 * Returns the ids of the drawers and tabs to press before a control is visible, the outermost first. Null for a control
 * that is no longer in the page: what it was in cannot be known.
 */
const around = (control: Locator): Promise<string[] | null> =>
  control.evaluate((element) => {
    if (!element.isConnected) return null;
    const ids: string[] = [];
    for (let one = element.parentElement; one !== null; one = one.parentElement)
      if (one.matches('.drawer[hidden], [role="tabpanel"][hidden]')) ids.unshift(one.id);
    const over = element.ownerDocument.querySelector('.drawer:not([hidden]), .right--open');
    if (over !== null && !over.contains(element) && element.closest('.bar, dialog') === null) ids.unshift(over.id);
    if (element.matches('[role="tabpanel"][hidden]')) ids.push(element.id);
    // On a narrow screen the journal is a drawer too.
    const journal = element.closest('.right');
    if (journal !== null && journal.clientHeight === 0) ids.push(journal.id);
    return ids;
  });

/** Opens a part of the page by its id, such as `storingen`. */
export const open = (page: Page, id: string): Promise<void> => reveal(page, page.locator(`#${id}`));

/** Chooses somebody in the list of people, so that the canvas is about them. */
export async function choose(page: Page, slug: string): Promise<void> {
  const person = page.locator(`[data-key="persoon-${slug}"]`);
  await reveal(page, person);
  await person.click();
}

/** Chooses somebody, and calls the service as them. */
export async function tryAs(page: Page, slug: string): Promise<void> {
  await choose(page, slug);
  await press(page, /^Probeer als/);
}

export const text = (page: Page, selector: string): Promise<string> => page.locator(selector).innerText();

/** The canvas, when it is about somebody. */
export const card = (slug: string): string => `#persoon-${slug}`;
