/** `npm run screenshots`: makes the pictures of the console in `docs`. It starts a service with a frozen clock. */
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import type { Browser, Page } from 'playwright-core';
import { development } from '../simulator/host/index.ts';
import { readConfig } from '../src/config/index.ts';
import { start } from '../src/main.ts';
import { openBrowser } from '../test/support/browser.ts';

const DOCS = fileURLToPath(new URL('../docs', import.meta.url));
const NOON = new Date('2026-06-01T12:00:00Z');

/**
 * A script for the page that replaces times and durations with fixed texts, so that a picture changes only when the
 * page changes.
 */
const FIX_TIMES = `
  for (const time of document.querySelectorAll('.entry__time')) time.textContent = '14:00:00';
  for (const one of document.querySelectorAll('.entry__who, .answer__head, .answer > p'))
    for (const node of one.childNodes) if (node.nodeType === 3) node.textContent = node.textContent.replace(/\\d+\\sms/, '12 ms');
  for (const one of document.querySelectorAll('.entry__trace')) one.textContent = '';
  document.getElementById('said').hidden = true;
`;

async function open(browser: Browser, url: string, width: number, height: number): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height }, locale: 'nl-NL', reducedMotion: 'reduce' });
  await page.goto(`${url}/_simulator/?wereld=demo`);
  await page.getByRole('heading', { name: 'Sanne de Wit' }).waitFor();
  return page;
}

/** Waits until Mijn register, which is shown in a frame, has this heading. */
async function mijn(page: Page, heading: string): Promise<void> {
  await page.frameLocator('iframe[title^="Mijn register als"]').getByRole('heading', { name: heading }).waitFor();
}

async function take(page: Page, name: string): Promise<void> {
  await page.evaluate(FIX_TIMES);
  await page.screenshot({ path: `${DOCS}/${name}.png`, caret: 'hide', animations: 'disabled' });
  process.stdout.write(`docs/${name}.png\n`);
}

const service = await start(readConfig({ PORT: '0', DATA_DIR: ':memory:' }), {
  logger: pino({ level: 'silent' }),
  development,
  clock: { now: () => NOON },
});
const browser = await openBrowser();
await mkdir(DOCS, { recursive: true });
try {
  const wide = await open(browser, service.url, 1_440, 900);
  await mijn(wide, 'Welkom, Sanne de Wit');
  await take(wide, 'console');

  await wide.getByRole('option', { name: 'Ingrid Visser' }).click();
  await wide.getByRole('tab', { name: 'Antwoord' }).click();
  await wide.getByRole('button', { name: 'Probeer als Ingrid Visser' }).click();
  await wide.locator('.answer__head').waitFor();
  await wide.locator('.entry > summary').first().click();
  await wide.locator('.entry .reasons').first().waitFor();
  await take(wide, 'console-waarom');

  await wide.getByRole('tab', { name: 'Mijn register' }).click();
  await wide.getByRole('tab', { name: 'Demo’s' }).click();
  await wide.getByLabel('Kies een demonstratie').selectOption('herregistratie');
  await wide.getByRole('button', { name: 'Presenteer' }).click();
  await wide.getByText('Stap 1 van').waitFor();
  await mijn(wide, 'Welkom, Sanne de Wit');
  await take(wide, 'console-presentatie');

  const narrow = await open(browser, service.url, 320, 900);
  await mijn(narrow, 'Welkom, Sanne de Wit');
  await take(narrow, 'console-320');
} finally {
  await browser.close();
  await service.close();
}
