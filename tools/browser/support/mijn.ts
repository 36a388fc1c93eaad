import axe from 'axe-core';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { collectErrors, markupFaults, openWindow, useBrowser } from './page.ts';

/** Mijn register (the example portal) in a browser window. */
export interface OpenMijn {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Opens the screen with this name, such as `herregistratie`. */
  to(screen: string): Promise<void>;
  press(name: string | RegExp): Promise<void>;
  fill(label: string | RegExp, text: string): Promise<void>;
  /** Waits until this text is visible. */
  sees(text: string | RegExp): Promise<void>;
}

/** Starts a service and a browser for all tests of a file. A test fails at its end when a page had an error. */
export function useMijn() {
  const { service, browser, windows, errors } = useBrowser();

  /** Opens Mijn register (the example portal) in a new window, as this persona in a world. */
  async function look(persona: string, world: string, options: BrowserContextOptions = {}): Promise<OpenMijn> {
    const context = await openWindow(browser(), options);
    windows.push(context);
    return open(await context.newPage(), persona, world);
  }

  /**
   * Opens a screen of Mijn register (the example portal) in a tab, as this persona in a world. An empty `persona` means
   * not logged in.
   */
  async function open(page: Page, persona: string, world: string, screen = ''): Promise<OpenMijn> {
    collectErrors(page, errors);
    const search = new URLSearchParams({ wereld: world, ...(persona !== '' && { als: persona }) });
    await page.goto(`${service().url}/_simulator/mijn/?${search}#/${screen}`);
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

  /** Creates an application for herregistratie that the user has filled in up to a step. Returns the id of the draft. */
  async function draftAt(as: string, stepIndex: number, draft: object = { uren: 2_600 }): Promise<string> {
    const { id } = (await service().post('/api/v1/applications', as, { type: 'herregistratie' })).body;
    const json = { draft, stepIndex, stepCount: 4 };
    await service().call('PUT', `/api/v1/applications/${id}`, { as, json });
    return id;
  }

  return { service, look, open, draftAt };
}

/**
 * Returns the faults in the HTML, the accessibility faults that axe finds in the light and in the dark colour scheme, and
 * what axe cannot decide. In the dark one it checks only contrast.
 */
export async function findings(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  const found = await markupFaults(page);
  // Below the bars that stay on the screen, axe cannot decide.
  const placeBars = (position: string) =>
    page.evaluate(
      `for (const bar of document.querySelectorAll('.letter-bar, .actions')) bar.style.position = '${position}'`,
    );
  await placeBars('static');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const rules = colorScheme === 'dark' ? { runOnly: ['color-contrast'] } : {};
    const { violations, incomplete } = (await page.evaluate(`axe.run(${JSON.stringify(rules)})`)) as axe.AxeResults;
    for (const { id, nodes } of [...violations, ...incomplete])
      found.push(`${colorScheme} ${id}: ${nodes.map(({ html }) => html.slice(0, 140)).join(' | ')}`);
  }
  await placeBars('');
  return found;
}
