import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestService } from '../../test/support/service.ts';
import { openBrowser } from './support/browser.ts';
import {
  choosePerson,
  expectSoon,
  type OpenConsole,
  openConsole,
  openPart,
  personPanel,
  press,
  seriousFindings,
  text,
} from './support/console.ts';

let folder: string;
let service: TestService;
let browser: Browser;
let opened: OpenConsole;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'console-'));
  [service, browser] = await Promise.all([startService({ PERSONAS_DIR: folder }), openBrowser()]);
});
afterEach(async () => {
  expect(opened.errors).toEqual([]);
  await opened.close();
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
  rmSync(folder, { recursive: true });
});

describe('the console', () => {
  it('finds people by conditions, and explains a wrong condition', async () => {
    opened = await openConsole(browser, service.url, 'zoeken');
    const { page, clipboard } = opened;
    await openPart(page, 'mensen');
    await press(page, 'Zoek personen');
    await page.locator('#mensen').getByRole('link', { name: 'Pieter Hoekstra', exact: true }).waitFor();
    await page.getByLabel('Voorwaarden').fill('status=Geschorst beroep=arts situatie!=buitenland');
    await press(page, 'Zoek personen');
    await expectSoon(() => text(page, '#mensen')).toMatch(/burger-\d+ · Geschorst, arts/);
    await page.locator('#mensen').getByRole('button', { name: 'Kopieer X-Subject burger' }).first().click();
    await expectSoon(clipboard).toMatch(/^X-Subject: burger-\d+@zoeken$/);
    const [mijn] = await Promise.all([
      page.context().waitForEvent('page'),
      page.locator('#mensen').getByRole('link', { name: 'Open als burger: burger' }).first().click(),
    ]);
    await mijn.getByRole('heading', { name: 'Welkom,' }).waitFor();
    await mijn.close();
    const found = page
      .locator('#mensen')
      .getByRole('link', { name: /^burger-\d+$/ })
      .first();
    const slug = await found.textContent();
    await found.click();
    await page.locator('iframe:visible').contentFrame().getByText('Welkom,').waitFor();
    expect(new URL(page.url()).searchParams.get('als')).toBe(slug);
    await page.reload();
    await page.locator('iframe:visible').contentFrame().getByText('Welkom,').waitFor();
    await openPart(page, 'mensen');
    await page.getByLabel('Voorwaarden').fill('staus=Geschorst');
    await press(page, 'Zoek personen');
    await expectSoon(() => text(page, '#mensen .field--invalid')).toContain('Bedoelde u status?');
  });

  it('says that a person does not exist, and shows Mijn register of nobody', async () => {
    opened = await openConsole(browser, service.url, 'niemand');
    const { page } = opened;
    await page.goto(`${service.url}/_simulator/?wereld=niemand&als=kim-van-damm`);
    await page.getByText('Er is geen persoon met de naam kim-van-damm. Kies iemand bij Personen.').waitFor();
    expect(await page.locator('iframe:visible').count()).toBe(0);
    await choosePerson(page, 'lotte-van-dijk');
    await page.frameLocator('iframe[title="Mijn register als Lotte van Dijk"]').getByText('Welkom, Lotte').waitFor();
    await page.getByRole('tab', { name: 'Antwoord' }).click();
    await page.getByText('herregistratie in behandeling (HER-2026-').waitFor();
  });

  it('saves a new persona as a download and as a file in the folder of personas', async () => {
    opened = await openConsole(browser, service.url, 'maken');
    const { page } = opened;
    await page.getByRole('link', { name: 'Maak een eigen persona' }).click();
    await page.locator('#eigen-persona summary:focus').waitFor();
    await page.getByLabel('Lijkt op').selectOption('sanne-de-wit');
    await page.getByLabel('Naam in X-Subject').fill('kim-van-dam');
    await page.getByLabel('Voornamen').fill('Kim');
    await page.getByLabel('Voorvoegsel').fill('van');
    await page.getByLabel('Geslachtsnaam').fill('Dam');
    await page.getByLabel('Status in het register').selectOption('geschorst');
    await page.getByLabel('Uiterste datum over hoeveel maanden').fill('2');
    await page.getByLabel('Straat').fill('Kade');
    await page.getByLabel('Huisnummer').fill('3');
    await page.getByLabel('Postcode').fill('9712GJ');
    await page.getByLabel('Woonplaats').fill('Groningen');
    const downloading = page.waitForEvent('download');
    await press(page, 'Download bestand');
    const file = await downloading;
    expect(file.suggestedFilename()).toBe('kim-van-dam.json');
    const downloaded = JSON.parse(readFileSync(await file.path(), 'utf8'));
    expect(downloaded).toMatchObject({ slug: 'kim-van-dam', extends: 'sanne-de-wit' });

    await press(page, 'Bewaar in de map');
    await page.locator(personPanel('kim-van-dam')).getByText('Geschorst').waitFor();
    const shown = await text(page, personPanel('kim-van-dam'));
    expect(shown).toContain('Kim van Dam');
    expect(shown).toContain('Geschorst');
    expect(shown).toContain('1 augustus 2026');
    expect(shown).toContain('Groningen');
    expect(JSON.parse(readFileSync(join(folder, 'kim-van-dam.json'), 'utf8'))).toEqual(downloaded);

    await press(page, 'Bewaar in de map');
    /** What is said at the field that has the focus. */
    const refusal = () => text(page, '#mensen .field--invalid:focus-within .utrecht-form-field-error-message');
    await expectSoon(refusal).toBe('Er is al een persona kim-van-dam. Kies een andere naam.');
    await page.getByLabel('Naam in X-Subject').fill('tomas');
    await page.getByLabel('Lijkt op').selectOption('tomasz-wolski');
    await page.getByLabel('Uiterste datum over hoeveel maanden').fill('-40');
    await press(page, 'Bewaar in de map');
    await expectSoon(refusal).toBe('Dit ontbreekt, of past niet bij de andere gegevens van deze persoon.');
    await page.getByLabel('Uiterste datum over hoeveel maanden').fill('2');
    // With an address in the Netherlands in place of one abroad.
    await press(page, 'Bewaar in de map');
    await page.locator(personPanel('tomas')).getByText('Geschorst').waitFor();
    const wrong = page.locator('#mensen input:invalid');
    for (const [field, typed] of [
      ['Naam in X-Subject', 'Kim van Dam'],
      ['Postcode', '9712 gj'],
    ] as const) {
      expect(await wrong.count()).toBe(0);
      const before = await page.getByLabel(field).inputValue();
      await page.getByLabel(field).fill(typed);
      expect(await wrong.count()).toBe(1);
      await page.getByLabel(field).fill(before);
    }
    expect(await seriousFindings(page)).toEqual([]);
  });

  it('keeps the prefix of the name with the surname when only other names are filled in, and replaces it otherwise', async () => {
    opened = await openConsole(browser, service.url, 'namen');
    const { page } = opened;
    await page.getByRole('link', { name: 'Maak een eigen persona' }).click();
    await page.getByLabel('Lijkt op').selectOption('sanne-de-wit');
    await page.getByLabel('Naam in X-Subject').fill('kim');
    /** Fills in the three parts of the name, and returns the name in the file that is downloaded then. */
    const nameOf = async (voornamen: string, voorvoegsel: string, geslachtsnaam: string) => {
      await page.getByLabel('Voornamen').fill(voornamen);
      await page.getByLabel('Voorvoegsel').fill(voorvoegsel);
      await page.getByLabel('Geslachtsnaam').fill(geslachtsnaam);
      const [file] = await Promise.all([page.waitForEvent('download'), press(page, 'Download bestand')]);
      return JSON.parse(readFileSync(await file.path(), 'utf8')).person.naam;
    };
    expect(await nameOf('Kim', '', '')).toEqual({ voornamen: 'Kim', voorvoegsel: 'de', geslachtsnaam: 'Wit' });
    expect(await nameOf('', 'van', 'Dam')).toMatchObject({ voorvoegsel: 'van', geslachtsnaam: 'Dam' });
    expect(await nameOf('', 'van', '')).toMatchObject({ voorvoegsel: 'van', geslachtsnaam: 'Wit' });
    expect(await nameOf('', '', 'Dam')).toMatchObject({ voorvoegsel: null, geslachtsnaam: 'Dam' });
  });
});
