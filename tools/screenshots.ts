/** `npm run screenshots`: makes the pictures of the simulator in `docs`, with a service whose clock is frozen. */
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import type { Browser, Page } from 'playwright-core';
import { development } from '../simulator/host/index.ts';
import { readConfig } from '../src/config/index.ts';
import { start } from '../src/startup/service.ts';
import { animatedWebp } from './animated-webp.ts';
import { openBrowser } from './browser/support/browser.ts';

const DOCS = fileURLToPath(new URL('../docs', import.meta.url));
const NOON = new Date('2026-06-01T12:00:00Z');

/** A script for the page that replaces times and durations by fixed texts, so that pictures do not differ by them. */
const FIX_TIMES = `
  for (const time of document.querySelectorAll('.entry__time')) time.textContent = '14:00:00';
  for (const one of document.querySelectorAll('.entry__who, .answer__head, .answer > p, .waterfall .hint'))
    for (const node of one.childNodes) if (node.nodeType === 3) node.textContent = node.textContent.replace(/\\d+\\sms/, '12 ms');
  for (const one of document.querySelectorAll('.waterfall__bar')) one.removeAttribute('style');
  for (const one of document.querySelectorAll('.entry__trace, .entry__clock')) one.textContent = '';
  document.getElementById('said')?.setAttribute('hidden', '');
`;

async function open(browser: Browser, url: string, width: number, height: number): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height }, locale: 'nl-NL', reducedMotion: 'reduce' });
  await page.goto(`${url}/_simulator/?wereld=demo`);
  await page.getByRole('heading', { name: 'Sanne de Wit' }).waitFor();
  return page;
}

/** Waits until Mijn register (the example portal) in its frame has this heading. */
async function waitForMijn(page: Page, heading: string): Promise<void> {
  await page.frameLocator('iframe[title^="Mijn register als"]').getByRole('heading', { name: heading }).waitFor();
}

async function takeScreenshot(page: Page, name: string): Promise<void> {
  await page.evaluate(FIX_TIMES);
  await page.screenshot({ path: `${DOCS}/${name}.png`, caret: 'hide', animations: 'disabled' });
  process.stdout.write(`docs/${name}.png\n`);
}

/** The demonstration (a series of steps in the simulator) in the animated picture, and its number of steps. */
const STORY = { name: 'diploma-tot-registratie', steps: 7 };
const STAGE = { width: 1_120, height: 630 };
const STEP_TIME = 3_500;

/** Returns a screenshot of the page as WebP, which the browser makes from a PNG. */
async function webpOf(page: Page): Promise<Buffer> {
  const png = (await page.screenshot({ caret: 'hide', animations: 'disabled' })).toString('base64');
  const webp = (await page.evaluate(`(async () => {
    const image = await createImageBitmap(await (await fetch('data:image/png;base64,${png}')).blob());
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext('2d').drawImage(image, 0, 0);
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/webp', quality: 0.8 })).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  })()`)) as string;
  return Buffer.from(webp, 'base64');
}

/** Makes the animated picture of a demonstration (a series of steps in the simulator), with one image for each step. */
async function animate(url: string): Promise<void> {
  const page = await browser.newPage({ viewport: STAGE, locale: 'nl-NL', reducedMotion: 'reduce', bypassCSP: true });
  await page.goto(`${url}/_simulator/?wereld=beeld&links=demos`);
  await page.getByLabel('Kies een demonstratie').selectOption(STORY.name);
  await page.getByRole('button', { name: 'Presenteer' }).click();
  const images: Buffer[] = [];
  for (let step = 1; step <= STORY.steps; step += 1) {
    await page.getByText(`Stap ${step} van ${STORY.steps}`).waitFor();
    await page.waitForLoadState('networkidle');
    await page.frameLocator('iframe[title^="Mijn register als"]').getByRole('heading', { level: 1 }).waitFor();
    // Mijn register shows the name of the person when its requests are answered.
    await page.waitForTimeout(500);
    await page.mouse.move(0, 0);
    images.push(await webpOf(page));
    await page.keyboard.press('PageDown');
  }
  const file = `${DOCS}/presentatie.webp`;
  await writeFile(file, animatedWebp(images, STAGE, STEP_TIME));
  process.stdout.write('docs/presentatie.webp\n');
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
  await waitForMijn(wide, 'Welkom, Sanne de Wit');
  await takeScreenshot(wide, 'console');

  await wide.getByRole('option', { name: 'Ingrid Visser' }).click();
  await waitForMijn(wide, 'Welkom, Ingrid Visser');
  await wide.waitForLoadState('networkidle');
  await wide.getByRole('tab', { name: 'Antwoord' }).click();
  await wide.getByRole('button', { name: 'Probeer als Ingrid Visser' }).click();
  await wide.locator('.answer__head').waitFor();
  await wide
    .locator('.entry > summary', { hasText: 'dashboard-view' })
    .filter({ hasText: 'Ingrid Visser' })
    .first()
    .click();
  await wide.locator('.entry .reasons').first().waitFor();
  await takeScreenshot(wide, 'console-waarom');

  const citizen = await browser.newPage({ viewport: { width: 1_120, height: 900 }, locale: 'nl-NL' });
  await citizen.goto(`${service.url}/_simulator/mijn/?als=sanne-de-wit&wereld=demo&balk=nee`);
  await citizen.getByRole('heading', { name: 'Welkom, Sanne de Wit' }).waitFor();
  await takeScreenshot(citizen, 'mijn-register');
  await animate(service.url);

  const narrow = await open(browser, service.url, 320, 900);
  await waitForMijn(narrow, 'Welkom, Sanne de Wit');
  await takeScreenshot(narrow, 'console-320');
} finally {
  await browser.close();
  await service.close();
}
