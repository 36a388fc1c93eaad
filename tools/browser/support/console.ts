import { readdirSync } from 'node:fs';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { collectErrors, markupFaults, openWindow, PAGE_TIMEOUT, useBrowser } from './page.ts';

/** Names of the built-in demonstrations. */
export const DEMO_NAMES = readdirSync(new URL('../../../fixtures/demos/', import.meta.url))
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.slice(0, -'.json'.length));

/** The console (the main web page of the simulator) in its own browser window. `errors` has the errors of the page. */
export interface OpenConsole {
  readonly page: Page;
  readonly errors: string[];
  clipboard(): Promise<string>;
  close(): Promise<void>;
}

export async function openConsole(
  browser: Browser,
  url: string,
  world: string,
  options: BrowserContextOptions = {},
): Promise<OpenConsole> {
  const context = await openWindow(browser, {
    permissions: ['clipboard-read', 'clipboard-write'],
    acceptDownloads: true,
    ...options,
  });
  const page = await context.newPage();
  const errors: string[] = [];
  collectErrors(page, errors);
  await page.goto(`${url}/_simulator/?wereld=${world}&toon=antwoord`);
  await page.getByRole('heading', { name: 'Sanne de Wit' }).waitFor();
  return {
    page,
    errors,
    clipboard: () => page.evaluate('navigator.clipboard.readText()') as Promise<string>,
    // A route that still fetches must not fail the next test.
    close: () => page.unrouteAll({ behavior: 'ignoreErrors' }).then(() => context.close()),
  };
}

/**
 * Returns the faults in the HTML of a page, and the serious and critical accessibility faults that axe finds on it, or
 * within an element.
 */
export const seriousFindings = async (page: Page, within?: string): Promise<string[]> => [
  ...(await markupFaults(page)),
  ...(await findings(page, ['serious', 'critical'], within)),
];

/**
 * Returns the accessibility faults that axe finds on a page, or within an element, as texts. What axe cannot decide is a
 * fault too, unless it is in `SETTLED`. `impacts` selects faults by their impact; all when absent.
 */
export async function findings(page: Page, impacts?: readonly string[], within = 'html'): Promise<string[]> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe.source);
  const settled = SETTLED.map(({ rule, html }) => [rule, html.source]);
  const { violations, incomplete } = (await page.evaluate(
    `(${RUN_AXE})(${JSON.stringify(within)}, ${JSON.stringify(settled)})`,
  )) as axe.AxeResults;
  const textOf = ({ id, nodes }: axe.Result) =>
    `${id}: ${nodes.map(({ html, any }) => `${html.slice(0, 120)} (${any[0]?.message})`).join(' | ')}`;
  return [...violations, ...incomplete].filter(({ impact }) => impacts?.includes(impact ?? '') ?? true).map(textOf);
}

/**
 * A function for the page that runs axe. axe cannot decide about an element of which another element covers a part, as in
 * a list that scrolls: that element is scrolled into view, and tried again by itself.
 */
const RUN_AXE = `async (within, settled) => {
  const resultTypes = ['violations', 'incomplete'];
  const first = await axe.run(within, { resultTypes, iframes: false });
  const { violations } = first;
  const incomplete = [];
  for (const rule of first.incomplete)
    for (const node of rule.nodes) {
      if (settled.some(([id, html]) => id === rule.id && new RegExp(html).test(node.html))) continue;
      const element = document.querySelector(node.target[0]);
      element.scrollIntoView({ block: 'center', inline: 'center' });
      const again = await axe.run(element, { resultTypes, iframes: false, runOnly: [rule.id] });
      violations.push(...again.violations);
      incomplete.push(...again.incomplete.map((one) => ({ ...one, nodes: one.nodes.slice(0, 1) })));
    }
  return { violations, incomplete };
}`;

/** What axe cannot decide, with the reason why it is no fault. */
const SETTLED: readonly { readonly rule: string; readonly html: RegExp; readonly why: string }[] = [
  {
    rule: 'color-contrast',
    html: /json-schema-2020-12-expand-deep-button/,
    why: 'Swagger UI puts the box of an icon over it. Its text has the contrast of the rest, by our style sheet.',
  },
  { rule: 'frame-tested', html: /^<iframe/, why: 'The page in the frame, Mijn register, has tests of its own.' },
];

/** Returns the number of pixels by which a page is wider than the window. */
export const horizontalOverflow = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth') as Promise<number>;

/** Returns an `expect` that repeats `question` until its answer meets the expectation, for at most a minute. */
export const expectSoon = <T>(question: () => Promise<T>) =>
  expect.poll(question, { timeout: PAGE_TIMEOUT, interval: 50 });

/**
 * Starts a service and a browser for all tests of a file. `look` opens the console (the main web page of the simulator)
 * for a world, and closes it after the test.
 */
export function useConsole() {
  const { service, browser, windows, errors } = useBrowser();
  const keep = (one: OpenConsole) =>
    windows.push({
      close() {
        errors.push(...one.errors);
        return one.close();
      },
    });
  return {
    service,
    browser,
    keep,
    async look(world: string, options: BrowserContextOptions = {}): Promise<OpenConsole> {
      const one = await openConsole(browser(), service().url, world, options);
      keep(one);
      return one;
    },
  };
}

/** Presses a button, after opening the drawer (side panel) or tab that contains it. */
export async function press(page: Page, name: string | RegExp, within = 'body'): Promise<void> {
  const named = { name, exact: typeof name === 'string' };
  const button = page.locator(within).getByRole('button', named);
  const found = (await button.count()) > 0;
  await reveal(page, found ? button : page.locator(within).getByRole('button', { ...named, includeHidden: true }));
  await button.click();
}

/** Opens the drawers (side panels) and tabs that contain a control, and closes a drawer that covers it. */
async function reveal(page: Page, control: Locator): Promise<void> {
  let ids = await around(control);
  // The page may replace the control between the moment that it is found and the moment that its parents are read.
  while (ids === null) ids = await around(control);
  for (const id of ids) {
    const opener = page.locator(`[aria-controls="${id}"]`);
    // On a telephone it is behind "Meer".
    if (!(await opener.isVisible())) await page.locator('.bar__more').click();
    await opener.click();
  }
}

/**
 * Returns the ids of the drawers (side panels) and tabs to press before a control is visible, the outermost first; null
 * for a control that is no longer in the page.
 */
const around = (control: Locator): Promise<string[] | null> =>
  control.evaluate((element) => {
    if (!element.isConnected) return null;
    const ids: string[] = [];
    for (let one = element.parentElement; one !== null; one = one.parentElement)
      if (one.matches('.drawer[hidden], [role="tabpanel"][hidden]')) ids.unshift(one.id);
    const over = element.ownerDocument.querySelector(
      '.drawer:not([hidden]), body:has(.bar__journal[aria-expanded="true"]) .right',
    );
    if (over !== null && !over.contains(element) && element.closest('.bar, dialog') === null) ids.unshift(over.id);
    if (element.matches('[role="tabpanel"][hidden]')) ids.push(element.id);
    // On a narrow screen the journal is a drawer too.
    const journal = element.closest('.right');
    if (journal !== null && journal.clientHeight === 0) ids.push(journal.id);
    return ids;
  });

/** Opens the part of the page with this id, such as `storingen`. */
export const openPart = (page: Page, id: string): Promise<void> => reveal(page, page.locator(`#${id}`));

export async function choosePerson(page: Page, slug: string): Promise<void> {
  const person = page.locator(`[data-key="persoon-${slug}"]`);
  await reveal(page, person);
  // On a telephone the list is folded.
  const folded = page.locator('.people__fold button[aria-expanded="false"]');
  if (await folded.isVisible()) await folded.click();
  await person.click();
}

/** Selects a person, and presses the button that calls the service as that person. */
export async function callAs(page: Page, slug: string): Promise<void> {
  await choosePerson(page, slug);
  await press(page, /^Probeer als/);
}

export const text = (page: Page, selector: string): Promise<string> => page.locator(selector).innerText();

/** Switches a scenario on, and waits until the simulator has its faults. */
export async function switchOn(page: Page, scenario: string): Promise<void> {
  await openPart(page, 'storingen');
  await page.getByRole('switch', { name: scenario }).check();
  await expectSoon(() => text(page, '#storingen')).toContain(`van scenario ‘${scenario}’`);
}

/** Returns the CSS selector of the main panel of a person. */
export const personPanel = (slug: string): string => `#persoon-${slug}`;
