import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pdf } from '../../test/support/files.ts';
import { type Bundle, bundleForTest } from '../../test/support/handlers.ts';
import { startService, type TestService, TODAY } from '../../test/support/service.ts';
import { openBrowser } from './support/browser.ts';

/** A small page of a frontend: it shows the dashboard of the caller, and uploads a file. */
const PAGE = `<!doctype html><html lang="nl"><title>Mijn registratie</title>
<main><h1>Even geduld</h1><dl></dl><label>Bewijs <input type="file"></label><output></output></main>
<script type="module" src="/page.js"></script></html>`;

const SCRIPT = `
import { setupWorker } from 'msw/browser';
import { handlers } from './handlers.js';

const options = Object.fromEntries(new URLSearchParams(location.search));
await setupWorker(...handlers(options)).start({ quiet: true });

const show = (name, value) => {
  const [dt, dd] = ['dt', 'dd'].map((tag) => document.createElement(tag));
  dt.textContent = name;
  dd.textContent = value;
  document.querySelector('dl').append(dt, dd);
};
const response = await fetch('/api/v1/dashboard-view');
const body = await response.json();
document.querySelector('h1').textContent = response.ok ? body.person.naam : body.title;
if (response.ok) {
  show('Beroep', body.registration.beroep);
  show('Woonplaats', body.person.adres?.woonplaats ?? 'onbekend');
}
document.querySelector('input').addEventListener('change', async ({ target }) => {
  const form = new FormData();
  form.append('categoryId', 'scholingsbewijs');
  form.append('localId', 'bewijs');
  form.append('wizardId', 'herregistratie');
  form.append('file', target.files[0]);
  const { documentId } = await (await fetch('/api/v1/uploads', { method: 'POST', body: form })).json();
  const output = document.querySelector('output');
  try {
    const content = await (await fetch('/api/v1/uploads/' + documentId + '/content')).arrayBuffer();
    output.textContent = content.byteLength + ' bytes';
  } catch (error) {
    output.textContent = String(error);
  }
});
`;

let bundle: Bundle;
let browser: Browser;
let service: TestService;
let site: Server;
let url: string;
/** Paths of the requests that the server of the page received. */
const asked: string[] = [];

beforeAll(async () => {
  [bundle, browser, service] = await Promise.all([bundleForTest(), openBrowser(), startService()]);
  const files: Record<string, [type: string, content: string | Buffer]> = {
    '/': ['text/html', PAGE],
    '/page.js': ['text/javascript', await pageScript(bundle.folder)],
    '/mockServiceWorker.js': [
      'text/javascript',
      readFileSync(createRequire(import.meta.url).resolve('msw/mockServiceWorker.js')),
    ],
  };
  site = createServer(({ url: path = '/' }, response) => {
    asked.push(path);
    const [type, content] = files[path.split('?')[0] ?? ''] ?? [];
    response.writeHead(type === undefined ? 404 : 200, type === undefined ? {} : { 'content-type': type }).end(content);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await browser.close();
  await service.close();
  site.closeAllConnections();
  site.close();
  bundle.remove();
});

/** Returns the script of the page, bundled as a frontend's own bundler does. */
async function pageScript(folder: string): Promise<string> {
  const entry = join(folder, 'page.js');
  writeFileSync(entry, SCRIPT);
  const made = await rolldown({ input: entry, platform: 'browser', logLevel: 'silent' });
  const { output } = await made.generate({ format: 'esm', codeSplitting: false });
  await made.close();
  return output[0].code;
}

/** Opens the page in a new browser context, so that it has no state of an earlier visit. */
async function visit(
  options: Record<string, string>,
): Promise<{ page: Page; errors: string[]; close(): Promise<void> }> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(`${url}/?${new URLSearchParams({ clock: TODAY, ...options })}`);
  await page.waitForFunction("document.querySelector('h1').textContent !== 'Even geduld'");
  return { page, errors, close: () => context.close() };
}

describe('a page in a browser with handlers()', () => {
  it('shows the dashboard, and gets the same body as from the service', async () => {
    const { page, errors, close } = await visit({ persona: 'sanne-de-wit' });
    expect(await page.textContent('h1')).toBe('Sanne de Wit');
    expect(await page.locator('dd').allTextContents()).toEqual(['verpleegkundige', 'Utrecht']);
    const text = await page.evaluate(async () => (await fetch('/api/v1/dashboard-view')).text());
    const headers = { authorization: 'Bearer dev', 'x-subject': 'sanne-de-wit' };
    const real = await request(`${service.url}/api/v1/dashboard-view`, { headers });
    expect(text).toBe(await real.body.text());
    expect(errors).toEqual([]);
    await close();
  });

  it('uploads a file and downloads all its bytes', async () => {
    const { page, errors, close } = await visit({ persona: 'sanne-de-wit' });
    const buffer = pdf({ pad: 200_000 });
    await page.setInputFiles('input', { name: 'bewijs.pdf', mimeType: 'application/pdf', buffer });
    await expect.poll(() => page.textContent('output')).toBe(`${buffer.length} bytes`);
    expect(errors).toEqual([]);
    await close();
  });

  it('shows an error when a download ends before its last byte', async () => {
    const { page, close } = await visit({ persona: 'sanne-de-wit' });
    const buffer = pdf({ pad: 200_000 });
    await page.setInputFiles('input', { name: 'sim-half.pdf', mimeType: 'application/pdf', buffer });
    await expect.poll(() => page.textContent('output')).toMatch(/Error/);
    await close();
  });

  it('shows the title of the problem when the scenario is register-down', async () => {
    const { page, close } = await visit({ persona: 'sanne-de-wit', scenario: 'register-down' });
    expect(await page.textContent('h1')).toBe('Een bron is niet beschikbaar');
    await close();
  });

  it('sends no request for /api to a server', async () => {
    const { close } = await visit({ persona: 'sanne-de-wit' });
    await close();
    expect(asked.filter((path) => path.startsWith('/api'))).toEqual([]);
    expect(asked).toContain('/page.js');
  });
});
