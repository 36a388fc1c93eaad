import { HtmlValidate } from 'html-validate';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { startService, type TestService } from '../../../test/support/service.ts';
import { openBrowser } from './browser.ts';

/** Maximum number of milliseconds to wait for a change of a page, on a busy machine too. */
export const PAGE_TIMEOUT = 60_000;

/** Returns a new browser window for a page of the simulator. */
export async function openWindow(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const window = await browser.newContext({
    viewport: { width: 1_280, height: 900 },
    reducedMotion: 'reduce',
    locale: 'nl-NL',
    ...options,
  });
  window.setDefaultTimeout(PAGE_TIMEOUT);
  return window;
}

/** Adds the errors of a page to `errors`, without those of failed requests. */
export function collectErrors(page: Page, errors: string[]): void {
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('Failed to load resource')) errors.push(message.text());
  });
}

/**
 * Returns the visible controls that are less than 24 CSS pixels high or wide (WCAG 2.5.8), as texts. A link in the text of
 * a sentence has no minimum size, and the label of a control is part of it.
 */
export const smallTargets = (page: Page): Promise<string[]> =>
  page
    .locator('a[href], button, input, select, textarea, summary')
    .filter({ visible: true })
    .evaluateAll((all) => {
      const isSmall = ({ width, height }: { width: number; height: number }) => width < 24 || height < 24;
      return all
        .filter((one) => {
          const inSentence = one.parentElement?.textContent?.trim() !== one.textContent?.trim();
          if (inSentence && one.ownerDocument.defaultView?.getComputedStyle(one).display === 'inline') return false;
          const labels = 'labels' in one ? (one.labels as Iterable<typeof one> | null) : null;
          const parts = [one, ...(labels ?? [])];
          return parts.every((part) => isSmall(part.getBoundingClientRect()));
        })
        .map((one) => {
          const { width, height } = one.getBoundingClientRect();
          return `${one.outerHTML.slice(0, 120)} is ${width} by ${height}`;
        });
    });

/** The rules of HTML, but those that only the source of a page can break, and those that axe has. */
const HTML_RULES = new HtmlValidate({
  extends: ['html-validate:standard'],
  rules: {
    'aria-label-misuse': 'off',
    'doctype-style': 'off',
    'no-inline-style': 'off',
    'prefer-native-element': 'off',
    'void-style': 'off',
  },
});

/** Returns the faults in the HTML of a page as it is now, as texts. */
export async function markupFaults(page: Page): Promise<string[]> {
  const { results } = await HTML_RULES.validateString(await page.content());
  return results
    .flatMap(({ messages }) => messages)
    .map(({ ruleId, message, selector }) => `${ruleId}: ${message} at ${selector}`);
}

/**
 * Starts a service and a browser for all tests of a file. Each window in `windows` is closed after a test, which fails
 * when `errors` is not empty.
 */
export function useBrowser() {
  let service: TestService;
  let browser: Browser;
  const windows: Pick<BrowserContext, 'close'>[] = [];
  const errors: string[] = [];

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });
  afterEach(async () => {
    await Promise.all(windows.splice(0).map((one) => one.close()));
    expect(errors.splice(0)).toEqual([]);
  });
  return { service: () => service, browser: () => browser, windows, errors };
}
