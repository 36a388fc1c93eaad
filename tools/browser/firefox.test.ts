import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startService, type TestService } from '../../test/support/service.ts';
import { expectSoon, findings, horizontalOverflow, press, text } from './support/console.ts';
import { FIREFOX_PATH, NO_FIREFOX, openFirefox } from './support/firefox.ts';
import { collectErrors, openWindow } from './support/page.ts';

let service: TestService;
let browser: Browser;
let dark: Browser;
let context: BrowserContext;
const errors: string[] = [];

beforeAll(async () => {
  if (FIREFOX_PATH === null) process.stderr.write(`${NO_FIREFOX}\n`);
  else
    [service, browser, dark] = await Promise.all([
      startService(),
      openFirefox(FIREFOX_PATH),
      openFirefox(FIREFOX_PATH, 'dark'),
    ]);
});
afterAll(async () => {
  await Promise.all([browser?.close(), dark?.close()]);
  await service?.close();
});
beforeEach(({ skip }) => skip(FIREFOX_PATH === null, NO_FIREFOX));
afterEach(async () => {
  await context?.close();
  expect(errors.splice(0)).toEqual([]);
});

/** Opens a page of the simulator in a window of this width. */
async function visit(path: string, width: number, inside = browser): Promise<Page> {
  context = await openWindow(inside, { viewport: { width, height: 900 } });
  const page = await context.newPage();
  collectErrors(page, errors);
  await page.goto(`${service.url}/_simulator/${path}`);
  return page;
}

describe('Mijn register in Firefox', () => {
  it('has no findings of axe at 320 pixels, and saves a draft that is shown after a reload', async () => {
    const page = await visit('mijn/?als=sanne-de-wit&wereld=vos', 320);
    await page.getByRole('heading', { name: 'Welkom, Sanne de Wit' }).waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await horizontalOverflow(page)).toBe(0);
    await page.getByRole('link', { name: 'Herregistratie aanvragen' }).first().click();
    await press(page, 'Beginnen');
    await press(page, 'Volgende');
    const hours = page.getByLabel('Aantal uren in vijf jaar');
    await hours.fill('2600');
    const id = new URL(page.url()).hash.split('/')[2];
    const draft = () => service.get(`/api/v1/applications/${id}`, { as: 'sanne-de-wit@vos' });
    await expectSoon(async () => (await draft()).body.draft?.uren).toBe(2_600);
    await page.reload();
    await expectSoon(() => hours.inputValue()).toBe('2600');
  });

  it('has a progress bar in the colour of the time that is left', async () => {
    const page = await visit('mijn/?als=joost-van-buren&wereld=vos', 1_280);
    await page.getByRole('progressbar').waitFor();
    const bar = await page.evaluate(
      "getComputedStyle(document.querySelector('progress'), '::-moz-progress-bar').backgroundColor",
    );
    expect(bar).toBe(await page.evaluate("getComputedStyle(document.querySelector('.deadline__left')).color"));
  });
});

describe('the console in Firefox', () => {
  it('fits in a window of 1440 by 900 without findings of axe, and plays a demonstration with the keyboard', async () => {
    const page = await visit('?wereld=vos&links=demos', 1_440);
    const frame = page.frameLocator('iframe[title^="Mijn register als"]');
    await frame.getByRole('heading', { name: 'Welkom, Sanne de Wit' }).waitFor();
    expect(await findings(page)).toEqual([]);
    expect([await horizontalOverflow(page), await page.evaluate('document.documentElement.scrollHeight')]).toEqual([
      0, 900,
    ]);

    await page.getByLabel('Kies een demonstratie').selectOption('diploma-tot-registratie');
    await press(page, 'Presenteer');
    const step = (n: number) =>
      expectSoon(() => text(page, '#demonstratie [role=status]')).toContain(`Stap ${n} van 7`);
    await step(1);
    await frame.getByRole('heading', { name: 'Welkom, Noor Bakker' }).click();
    await page.keyboard.press('PageDown');
    await step(2);
    await page.keyboard.press('q');
    await page.getByRole('dialog', { name: 'Anderen laten meekijken?' }).waitFor();
    await page.keyboard.press('q');
    await page.keyboard.press('PageDown');
    await step(3);
    // What the step does on the screen is done.
    await expectSoon(() => text(page, '#demonstratie .waiting')).toBe('');
    await page.keyboard.press('PageUp');
    await step(2);
  });
});

describe('the dark scheme in Firefox', () => {
  it.each([
    ['Mijn register', 'mijn/?als=sanne-de-wit&wereld=donker', 'Welkom, Sanne de Wit'],
    ['the console', '?wereld=donker&toon=antwoord', 'Sanne de Wit'],
  ])('is dark and has no findings of axe in %s', async (_, path, heading) => {
    const page = await visit(path, 1_440, dark);
    await page.getByRole('heading', { name: heading }).waitFor();
    expect(await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")).toBe(true);
    expect(await findings(page)).toEqual([]);
  });
});
