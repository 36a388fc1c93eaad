import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { PersonaFile } from '../../simulator/persona-files/schema.ts';
import { pdf } from '../../test/support/files.ts';
import { createLetterClient, fillablePlaceholderOf, freeText } from '../../test/support/letter.ts';
import { BOUNDARY, multipart, partsOf } from '../../test/support/multipart.ts';
import { startService, type TestService } from '../../test/support/service.ts';
import { openBrowser } from './support/browser.ts';
import { openWindow } from './support/page.ts';

/** Markup that runs a script in a page that reads it as HTML. It also ends an attribute, an element and a comment. */
const MARKUP = `"'--></title><img src=x onerror=ran()><svg onload=ran()><script>ran()</script>`;
const LINK = 'javascript:ran()';
const WORLD = 'markup';
const SLUG = 'kim-van-dam';
/** A persona with markup in each member that can have any text. */
const KIM: PersonaFile = {
  slug: SLUG,
  extends: 'sanne-de-wit',
  toont: `toont ${MARKUP}`,
  shows: `shows ${LINK}`,
  person: {
    naam: { voornamen: MARKUP, geslachtsnaam: MARKUP },
    verblijfplaats: {
      soort: 'adres',
      straat: MARKUP.slice(0, 80),
      huisnummer: 1,
      postcode: '3514CN',
      woonplaats: '<img src=x onerror=ran()>',
      gemeente: { code: '0344', omschrijving: '<img src=x onerror=ran()>' },
    },
    registraties: [
      {
        beroep: 'verpleegkundige',
        sinds: { years: -14 },
        uhd: { days: 35 },
        aantekeningen: [{ soort: 'specialisme', omschrijving: MARKUP, van: { years: -1 } }],
      },
    ],
    diplomas: [
      {
        opleiding: { naam: MARKUP, code: LINK, niveau: 'eqf-6', soort: 'bachelor', taal: 'nl' },
        instelling: { naam: MARKUP, code: '<img src=x' },
        behaaldOp: { years: -15 },
      },
    ],
    aanvragen: [
      {
        type: 'intake',
        tag: 'Afgewezen',
        ingediend: { days: -30 },
        besloten: { days: -9 },
        manual: true,
        reden: MARKUP,
      },
    ],
  },
};
const DEMO = {
  name: 'markup',
  title: `demo ${MARKUP}`,
  steps: [
    { title: MARKUP, say: MARKUP, notes: MARKUP, persona: SLUG, path: `/api/v1/dashboard-view?${LINK}` },
    { title: LINK, persona: SLUG, path: `/${LINK}` },
  ],
};
/** A demonstration that is refused before its first step, because nobody has this name. */
const REFUSED_DEMO = { name: 'geweigerd', title: `geweigerd ${MARKUP}`, steps: [{ title: MARKUP, persona: MARKUP }] };

/** Script that reports what the Content-Security-Policy of a page blocked. */
const REPORT = `addEventListener('securitypolicyviolation', ({ violatedDirective, sample, documentURI }) =>
  refused('the policy stopped ' + violatedDirective + ' ' + sample + ' at ' + documentURI))`;
/** Script that returns the elements of a page that were made from the markup, and the links that run a script. */
const STRANGE = `[
  ...document.querySelectorAll('img[src="x"], svg[onload], [onerror]'),
  ...[...document.scripts].filter(({ text }) => text.includes('ran()')),
  ...[...document.querySelectorAll('[href], [action], [src]')].filter((one) =>
    ['href', 'action', 'src'].some((name) => /^\\s*javascript:/i.test(one.getAttribute(name) ?? ''))),
].map(({ outerHTML }) => outerHTML.slice(0, 120))`;

let folder: string;
let service: TestService;
let withLogin: TestService;
let browser: Browser;
let context: BrowserContext;

/** Signs that a page read the markup as HTML or as code; empty when there are none. */
const found: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'markup-'));
  for (const name of ['people', 'data', 'data/demos']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'people', 'kim.json'), JSON.stringify(KIM));
  for (const demo of [DEMO, REFUSED_DEMO])
    writeFileSync(join(folder, 'data', 'demos', `${demo.name}.json`), JSON.stringify(demo));
  const env = { PERSONAS_DIR: join(folder, 'people') };
  [service, withLogin, browser] = await Promise.all([
    startService({ ...env, DATA_DIR: join(folder, 'data') }),
    startService({ ...env, IDENTITY: 'simulated-oidc', OIDC_SIMULATED_PORT: '0' }),
    openBrowser(),
  ]);
  context = await openWindow(browser);
  await context.exposeFunction('ran', () => found.push('a text was run'));
  await context.exposeFunction('refused', (what: string) => found.push(what));
  await context.addInitScript(REPORT);
  await plant();
});
afterAll(async () => {
  await browser?.close();
  await Promise.all([service?.close(), withLogin?.close()]);
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Sends markup as the persona Kim and as the authors of the letter: in a draft, a file name, refused requests, and a
 * letter.
 */
async function plant(): Promise<void> {
  const as = `${SLUG}@${WORLD}`;
  const draft = { draft: { naam: MARKUP, [MARKUP]: LINK }, stepIndex: 1, stepCount: 5 };
  const { body } = await service.post('/api/v1/applications', as, { type: 'herregistratie' });
  await service.call('PUT', `/api/v1/applications/${body.id}`, { as, json: draft });
  const upload = multipart(partsOf({ file: pdf(), filename: '<img src=x onerror=ran()>.pdf' }));
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  expect((await service.call('POST', '/api/v1/uploads', { as, headers, body: upload })).status).toBe(201);
  await service.post('/api/v1/change-requests', as, { straat: MARKUP, postcode: LINK, woonplaats: MARKUP });
  await service.get(`/api/v1/applications/${encodeURIComponent(MARKUP)}?${encodeURIComponent(MARKUP)}`, { as });
  const letter = createLetterClient(service, WORLD);
  const sections = await letter.filledSections();
  fillablePlaceholderOf(sections).text = MARKUP;
  sections[5].blocks = [freeText(`${MARKUP} ${LINK}`)];
  expect((await letter.put('dana', sections)).status).toBe(200);
}

/** Returns the text of the page and its frames, and adds signs of executed markup to `found`. */
async function read(page: Page): Promise<string> {
  const texts = await Promise.all(
    page.frames().map(async (frame) => {
      const strange = (await frame.evaluate(STRANGE)) as string[];
      found.push(...strange.map((html) => `${html} is in ${frame.url()}`));
      return (await frame.evaluate('document.documentElement.textContent')) as string;
    }),
  );
  return texts.join('\n');
}

/** Waits until the page or one of its frames shows this text. */
const shows = (page: Page, text = 'onerror=ran()') =>
  expect.poll(async () => (await read(page)).includes(text), { interval: 50, message: text }).toBe(true);

async function open(url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

afterEach(async () => {
  await Promise.all(context.pages().map((page) => page.close()));
  expect([...new Set(found.splice(0))]).toEqual([]);
});

describe('markup in the data of a persona, a request or a letter', () => {
  it('is shown as text on every screen of Mijn register', async () => {
    const applications = (await service.get('/api/v1/applications', { as: `${SLUG}@${WORLD}` })).body;
    const idOf = (type: string): string => applications.find((one: { type: string }) => one.type === type)?.id;
    const page = await open(`${service.url}/_simulator/mijn/?wereld=${WORLD}&als=${SLUG}#/overzicht`);
    await shows(page);
    for (const screen of [
      'gegevens',
      'adres',
      'aanvragen',
      `aanvragen/${idOf('intake')}`,
      `aanvragen/${idOf('herregistratie')}`,
      `herregistratie/${idOf('herregistratie')}`,
      'registratie',
      'berichten',
      MARKUP,
    ]) {
      const hash = `#/${screen.split('/').map(encodeURIComponent).join('/')}`;
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expect.poll(() => page.locator('.loading').count(), { interval: 50 }).toBe(0);
      await shows(page);
    }
    await page.goto(
      `${service.url}/_simulator/mijn/?wereld=${encodeURIComponent(MARKUP)}&als=${encodeURIComponent(MARKUP)}`,
    );
    await page.getByRole('heading', { level: 1 }).waitFor();
    await read(page);
  });

  it('is shown as text when it is in a URL with an invalid escape, whose page does not exist', async () => {
    const page = await open(`${service.url}/_simulator/mijn/?wereld=${WORLD}&als=${SLUG}#/%zz${MARKUP}`);
    await shows(page, 'Deze pagina bestaat niet');
  });

  it('is shown as text in every part of the console, also in the journal', async () => {
    const page = await open(`${service.url}/_simulator/?wereld=${WORLD}&als=${SLUG}`);
    await page.locator('#journaal summary').nth(3).waitFor({ state: 'attached' });
    await page.evaluate(
      `document.querySelectorAll('[role=tab], .bar [aria-controls], summary').forEach((one) => one.click())`,
    );
    // The file of the persona, the demonstration, and the upload, in whose name the service replaces what a file cannot have.
    for (const text of [`toont ${MARKUP}`, DEMO.title, 'onerror=ran()_.pdf']) await shows(page, text);
    // One entry of the journal is open at a time: at last that of the refused request.
    const entries = page.locator('#journaal .entries > li > details:not([open]) > summary');
    const refused = entries.filter({ hasText: 'change-requests' });
    for (const summary of [...(await entries.all()), refused]) {
      await summary.first().evaluate((one: { click(): void }) => one.click());
      await read(page);
    }
    await shows(page, '"straat"');
    await page.goto(
      `${service.url}/_simulator/?wereld=${encodeURIComponent(MARKUP)}&als=${encodeURIComponent(MARKUP)}`,
    );
    await page.locator('[role="alert"]').first().waitFor();
    await read(page);
  });

  it('is shown as text in a demonstration that is refused, and in one that is played', async () => {
    const page = await open(`${service.url}/_simulator/?wereld=${WORLD}&links=demos`);
    await page.getByLabel('Kies een demonstratie').selectOption(REFUSED_DEMO.name);
    await page.locator('#demonstratie').getByRole('button', { name: 'Begin', exact: true }).click();
    await page.getByText('Die persona is er niet').first().waitFor();
    await shows(page, REFUSED_DEMO.title);
    await page.getByLabel('Kies een demonstratie').selectOption(DEMO.name);
    await page.locator('#demonstratie').getByRole('button', { name: 'Begin', exact: true }).click();
    await page.locator('#demonstratie [role="status"]').filter({ hasText: 'Stap 1 van 2' }).waitFor();
    await shows(page, DEMO.steps[0]?.say);
  });

  it('is shown as text in the letter on screen and in the PDF', async () => {
    const letter = createLetterClient(service, WORLD);
    const page = await open(`${service.url}/_simulator/mijn/?wereld=${WORLD}&als=drafter-dana#/brief`);
    await shows(page);
    await letter.bringTo('sent');
    const mailbox = `${service.url}/_simulator/worlds/${WORLD}/post/lotte-van-dijk`;
    const letters = (await (await fetch(mailbox)).json()) as { id: string }[];
    const all = await Promise.all(
      letters.map(async ({ id }) => Buffer.from(await (await fetch(`${mailbox}/${id}/pdf`)).arrayBuffer())),
    );
    expect(letters.length).toBeGreaterThan(0);
    // An action of a PDF: it could run a script or open an address.
    for (const file of all)
      expect(file.toString('latin1')).not.toMatch(/\/(JavaScript|JS|AA|OpenAction|URI|Launch|SubmitForm)\b/);
  });

  it('is shown as text on the login page', async () => {
    const [issuer = ''] = /http:\S+\/professionals/.exec(withLogin.identity) ?? [];
    const login = new URLSearchParams({
      client_id: 'portal',
      response_type: 'code',
      scope: 'openid',
      redirect_uri: 'http://localhost:5173/callback',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
      login_hint: `${MARKUP}@${MARKUP}`,
      state: MARKUP,
    });
    const page = await open(`${issuer}/auth?${login}`);
    await shows(page);
    expect(await page.getByLabel('Wereld van de simulator').inputValue()).toBe(MARKUP);
    await page.getByRole('button', { name: 'Annuleren' }).waitFor();
    await page.getByLabel('Naam van een verzonnen burger').fill(MARKUP);
    await page.getByRole('button', { name: 'Inloggen', exact: true }).click();
    await shows(page, 'Deze persoon is er niet');
  });
});
