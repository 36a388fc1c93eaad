import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Request } from 'playwright-core';
import { build } from 'rolldown';
import { describe, expect, it } from 'vitest';
import { controlOf } from '../../test/support/control.ts';
import { createLetterClient, fillablePlaceholderOf, freeText } from '../../test/support/letter.ts';
import { temporaryFolder } from '../../test/support/run-folder.ts';
import { accepted, keep, startService } from '../../test/support/service.ts';
import { expectSoon, horizontalOverflow } from './support/console.ts';
import { findings, type OpenMijn, useMijn } from './support/mijn.ts';
import { smallTargets } from './support/page.ts';

const { service, look, draftAt } = useMijn();

/**
 * Returns the faults of the current screen: those that axe finds in the light and dark colour scheme, controls that are
 * too small, and horizontal scrolling at a width of 320 pixels.
 */
async function faultsOf({ page }: OpenMijn): Promise<string[]> {
  await page.locator('.loading').first().waitFor({ state: 'detached' });
  const faults = [...(await findings(page)), ...(await smallTargets(page))];
  await page.setViewportSize({ width: 320, height: 640 });
  if ((await horizontalOverflow(page)) > 0) faults.push(`${await horizontalOverflow(page)} pixels too wide`);
  await page.setViewportSize({ width: 1_280, height: 900 });
  return faults;
}

describe('every screen of Mijn register', () => {
  it.each([
    ['youssef-amrani', 'Youssef Amrani'],
    ['burger-101', 'Annemarie van den Velde'],
  ])(
    'has its title on one line, and the name of the person away from the lower edge of the bar, in every frame: %s',
    async (persona, name) => {
      const { page } = await look(persona, 'balk');
      await page.locator('.bar__who', { hasText: name }).waitFor();
      const space = `document.querySelector('.bar').getBoundingClientRect().bottom
      - document.querySelector('.bar__who').getBoundingClientRect().bottom`;
      const lines = `(() => {
        const title = new Range();
        title.selectNodeContents(document.querySelector('.bar__title'));
        return title.getClientRects().length;
      })()`;
      for (const width of [360, 660, 768, 880, 1_000]) {
        await page.setViewportSize({ width, height: 640 });
        expect([width, Number(await page.evaluate(space)) >= 8]).toEqual([width, true]);
        expect([width, await page.evaluate(lines)]).toEqual([width, 1]);
      }
    },
  );

  it('has its head in the same place before its modules are loaded', async () => {
    const { page } = await look('sanne-de-wit', 'laden');
    const places: unknown[] = [];
    const addPlaces = async () => {
      for (const width of [390, 768, 1_280]) {
        await page.setViewportSize({ width, height: 640 });
        places.push(await page.evaluate("JSON.stringify(document.querySelector('.bar').getBoundingClientRect())"));
      }
    };
    await page.goto(page.url().replace('?', '?balk=nee&'));
    await page.getByRole('heading', { name: 'Welkom, Sanne de Wit' }).waitFor();
    await addPlaces();
    await page.route('**/mijn/main.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
    await page.reload();
    await page.getByText('Mijn register laden…').waitFor();
    await addPlaces();
    expect(places.slice(3)).toEqual(places.slice(0, 3));
  });

  it('has its head in the same place before the list of persons is loaded, and its footer out of sight', async () => {
    const { page } = await look('sanne-de-wit', 'lijst', { viewport: { width: 412, height: 820 } });
    const place = (of: string) => page.evaluate<number>(`document.querySelector('${of}').getBoundingClientRect().top`);
    const { promise, resolve: answer } = Promise.withResolvers<void>();
    await page.route('**/personas?*', (route) => promise.then(() => route.continue()));
    await page.reload();
    await page.getByText('Laden…').waitFor();
    const before = await place('.masthead');
    expect(await place('.footer')).toBeGreaterThanOrEqual(820);
    answer();
    await page.getByRole('heading', { name: 'Verpleegkundige' }).waitFor();
    expect(await place('.masthead')).toBe(before);
  });

  it.each([
    ['overzicht', 'Uw registratie laden…', 'Lopende zaken'],
    ['gegevens', 'Uw gegevens laden…', 'Aantekeningen'],
  ])('does not move what it shows when the registration comes last: %s', async (screen, loading, last) => {
    const { page, to } = await look('sanne-de-wit', 'laatste');
    await to(screen);
    // A reload would end what the first page still reads.
    await page.getByRole('heading', { name: last }).waitFor();
    await page.locator('.loading').first().waitFor({ state: 'detached' });
    const tops = () =>
      page.evaluate(
        "[...document.querySelectorAll('h2')].map((one) => [one.textContent, one.getBoundingClientRect().top])",
      );
    const { promise, resolve: answer } = Promise.withResolvers<void>();
    await page.route('**/dashboard-view', (route) => promise.then(() => route.continue()));
    const applications = (request: Request) => request.url().endsWith('/applications');
    await Promise.all([page.waitForEvent('requestfinished', applications), page.reload()]);
    await page.getByText(loading).waitFor();
    const before = await tops();
    answer();
    await page.getByText(loading).waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: last }).waitFor();
    expect(await tops()).toEqual(expect.arrayContaining(before as unknown[]));
  });

  it('has a line below only the name of the screen that is open, also in Windows High Contrast', async () => {
    const { page } = await look('sanne-de-wit', 'contrast', { forcedColors: 'active' });
    await page.getByRole('link', { name: 'Overzicht' }).waitFor();
    const lines = (await page.evaluate(
      "[...document.querySelectorAll('.menu__link')].map((one) => getComputedStyle(one).borderBottom)",
    )) as string[];
    expect(lines.filter((one) => one !== lines[0])).toHaveLength(lines.length - 1);
  });

  it('shows how much of a progress bar is filled, also in Windows High Contrast', async () => {
    const { page } = await look('joost-van-buren', 'contrast', { forcedColors: 'active' });
    const bar = page.getByRole('progressbar');
    await bar.waitFor();
    const pictures = [];
    for (const value of [20, 80]) {
      await page.evaluate(`document.querySelector('progress').value = ${value}`);
      pictures.push((await bar.screenshot()).toString('base64'));
    }
    expect(pictures[0]).not.toBe(pictures[1]);
  });

  it('has no findings of axe and fits in 320 pixels, for a professional', async () => {
    const mijn = await look('ruben-smit', 'schermen');
    const { body: drafts } = await service().get('/api/v1/applications', { as: 'ruben-smit@schermen' });
    const letters = [
      'overzicht',
      'aanvragen',
      'berichten',
      'gegevens',
      'adres',
      'registratie',
      'intake',
      'herregistratie',
      'niets',
    ];
    const [herregistratie, intake, refused] = drafts;
    const found: Record<string, string[]> = {};
    for (const screen of [
      ...letters,
      `herregistratie/${herregistratie.id}`,
      `intake/${intake.id}`,
      `aanvragen/${refused.id}`,
    ]) {
      await mijn.to(screen);
      found[screen] = await faultsOf(mijn);
    }
    expect(Object.entries(found).filter(([, faults]) => faults.length > 0)).toEqual([]);
  });

  it.each([
    ['', ''],
    ['drafter-dana', 'brief'],
    ['drafter-dana', 'voorbeeld'],
    ['sanne-de-wit', 'berichten/oproep-30-2026-04-01'],
    ['noor-bakker', 'overzicht'],
    ['wilma-dekker', 'overzicht'],
  ])('has no findings of axe and fits in 320 pixels, for "%s" at "%s"', async (persona, screen) => {
    const mijn = await look(persona, 'default');
    await mijn.to(screen);
    expect(await faultsOf(mijn)).toEqual([]);
  });

  it.each(['overzicht', 'aanvragen', 'gegevens', 'adres', 'herregistratie'])(
    'fits in 768 pixels with text of twice the size, at "%s"',
    async (screen) => {
      const { page, to } = await look('mila-jansen', 'groot', { viewport: { width: 768, height: 900 } });
      await to(screen);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('.loading').first().waitFor({ state: 'detached' });
      await page.evaluate("document.documentElement.style.fontSize = '200%'");
      expect(await horizontalOverflow(page)).toBe(0);
    },
  );

  it('fits in 320 pixels with text of twice the size, also with references and dates', async () => {
    const as = 'sanne-de-wit@groot';
    const documents = [{ categoryId: 'werkervaring', channel: 'post' }];
    const documenten = documents.map((one) => ({ ...one, localId: null, documentId: null, name: 'Werk', size: 0 }));
    const id = await draftAt(as, 3, { uren: 2_600, documenten });
    await service().post(`/api/v1/applications/${id}/submit`, as, { uren: 2_600, documents });
    const { page, to } = await look('sanne-de-wit', 'groot', { viewport: { width: 320, height: 640 } });
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    const found = [];
    for (const screen of ['aanvragen', `aanvragen/${id}`, 'berichten/oproep-30-2026-04-01']) {
      await to(screen);
      await page.locator('.nowrap').first().waitFor();
      await page.locator('.loading').first().waitFor({ state: 'detached' });
      found.push([screen, await horizontalOverflow(page)]);
    }
    expect(found.filter(([, overflow]) => overflow !== 0)).toEqual([]);
    // A reference is on one line where it fits.
    await page.setViewportSize({ width: 768, height: 900 });
    const lines = await page.locator('.paper .nowrap').evaluateAll((all) =>
      all.map((one) => {
        const range = one.ownerDocument.createRange();
        range.selectNodeContents(one);
        return range.getClientRects().length;
      }),
    );
    expect(new Set(lines)).toEqual(new Set([1]));
  });

  it('prints an overview without buttons', async () => {
    const { page } = await look('ruben-smit', 'afdruk');
    await page.getByRole('link', { name: 'Begin Adres voor post wijzigen' }).waitFor();
    await page.emulateMedia({ media: 'print' });
    for (const button of await page.locator('main').getByRole('button').or(page.locator('.button-link')).all())
      expect([await button.innerText(), await button.isVisible()]).toEqual([expect.any(String), false]);
  });

  it('prints only the letter, in dark colours on white also when the screen is dark', async () => {
    const { page } = await look('drafter-dana', 'afdruk', { colorScheme: 'dark' });
    await page.getByRole('heading', { name: 'Brief aan L. van Dijk' }).waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('region', { name: 'Op papier' }).isVisible()).toBe(true);
    for (const text of ['De tekst', 'Naar de inhoud']) {
      expect([text, await page.getByText(text, { exact: true }).isVisible()]).toEqual([text, false]);
    }
    const colours = () => page.evaluate("getComputedStyle(document.body).getPropertyValue('--mijn-simulator')");
    const printed = await colours();
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
    expect(printed).toBe(await colours());
  });

  it('has a switcher that tells people with one name apart', async () => {
    const { page } = await look('sanne-de-wit', 'wissel');
    const place = temporaryFolder('switcher');
    writeFileSync(join(place, 'sanne.json'), JSON.stringify({ slug: 'sanne-twee', extends: 'sanne-de-wit' }));
    const other = keep(await startService({ PERSONAS_DIR: place }));
    await page.goto(`${other.url}/_simulator/mijn/?als=sanne-de-wit`);
    const names = page.getByLabel('U kijkt als').getByRole('option');
    const ofSanne = async () => (await names.allTextContents()).filter((name) => name.includes('Sanne'));
    await expectSoon(ofSanne).toEqual(['Sanne de Wit (sanne-de-wit)', 'Sanne de Wit (sanne-twee)']);
    expect(await names.allTextContents()).toContain('Noor Bakker');
  });

  it('has a switcher whose button puts persona and world in the URL, and has none when the URL says balk=nee', async () => {
    const { page } = await look('sanne-de-wit', 'wissel');
    await page.getByLabel('U kijkt als').focus();
    await page.keyboard.press('ArrowDown');
    // The list is read again when the state of the service changes.
    const isRead = page.waitForEvent('requestfinished', (request) => request.url().includes('/personas'));
    await page.evaluate("dispatchEvent(new Event('data-changed'))");
    await isRead;
    await page.getByRole('link', { name: 'Begin Herregistratie aanvragen' }).waitFor();
    expect(await page.getByLabel('U kijkt als').inputValue()).not.toBe('sanne-de-wit');
    await page.getByLabel('U kijkt als').selectOption('noor-bakker');
    expect(new URL(page.url()).searchParams.get('als')).toBe('sanne-de-wit');
    await page.getByRole('button', { name: 'Wissel' }).press('Enter');
    await page.getByRole('heading', { name: 'U staat nog niet in het register' }).waitFor();
    expect(new URL(page.url()).search).toBe('?als=noor-bakker&wereld=wissel');
    await page.goto(`${page.url().split('#')[0]}&balk=nee`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByLabel('U kijkt als').count()).toBe(0);
    await page.getByRole('link', { name: 'Uitloggen' }).click();
    await page.getByRole('heading', { name: 'Wie bent u?' }).waitFor();
    expect(new URL(page.url()).search).toBe('?wereld=wissel&balk=nee');
    // Back shows nothing of the person, until somebody logs in again.
    await page.goBack();
    await page.getByText('U bent uitgelogd').waitFor();
    expect(await page.locator('body').innerText()).not.toContain('U staat nog niet');
    const search = page.getByLabel('Zoek op naam of situatie');
    await search.fill('bestaat niet');
    const more = page.getByRole('link', { name: 'Meer personen' });
    expect(await more.getAttribute('href')).toBe('/_simulator/?wereld=wissel&links=zoeken');
    await search.fill('noor');
    await page.getByRole('link', { name: 'Noor Bakker' }).click();
    await page.getByRole('heading', { name: 'Welkom, Noor Bakker' }).waitFor();
  });

  it('can be used with the keyboard alone: from the skip link to a draft', async () => {
    const { page, sees } = await look('sanne-de-wit', 'toetsen');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('main:focus').waitFor();
    await page.getByRole('link', { name: 'Begin Herregistratie aanvragen' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('h1:focus', { hasText: 'Herregistratie aanvragen' }).waitFor();
    await page.getByRole('button', { name: 'Beginnen' }).press('Enter');
    await sees('Stap 1 van 4');
  });
});

describe('a time in Mijn register', () => {
  it('is the day in the Netherlands, also for a moment just after midnight, and no more years than are left', async () => {
    const { page } = await look('sanne-de-wit', 'default');
    const dates = {
      '2026-06-01': '1 juni 2026',
      '2026-06-01T21:59:59Z': '1 juni 2026',
      '2026-06-01T22:00:00Z': '2 juni 2026',
      '2026-12-31T23:30:00Z': '1 januari 2027',
      '1890-05-14': '14 mei 1890',
    };
    const left = {
      0: 'vandaag',
      89: 'nog 89 dagen',
      122: 'nog 4 maanden',
      1209: 'nog ruim 3 jaar',
      1767: 'nog bijna 5 jaar',
      1826: 'nog 5 jaar',
    };
    const { output } = await build({
      input: 'simulator/ui/mijn/words.ts',
      tsconfig: 'simulator/ui/tsconfig.json',
      platform: 'browser',
      write: false,
      output: { format: 'iife', name: 'words' },
    });
    const shown = await page.evaluate(
      `(() => { ${output[0].code}; return [
        ${JSON.stringify(Object.keys(dates))}.map(words.dateText), ${JSON.stringify(Object.keys(left))}.map(Number).map(words.remainingText)
      ]; })()`,
    );
    expect(shown).toEqual([Object.values(dates), Object.values(left)]);
  });
});

describe('the letter in Mijn register', () => {
  it.each(['brief', 'voorbeeld'])('is not for a citizen, at "%s"', async (screen) => {
    const { page, to, sees } = await look('sanne-de-wit', 'default');
    await to(screen);
    await sees('Deze pagina bestaat niet');
    expect(await page.locator('.editor, .paper, .pdf').count()).toBe(0);
  });

  it('can be written and submitted by Dana, who sees that Ali rejects it, and approved by Ali and sent, with the focus on what changed', async () => {
    const dana = await look('drafter-dana', 'brief');
    // Told again after each press.
    for (let press = 0; press < 2; press += 1) {
      await dana.press('Voorleggen ter beoordeling');
      await dana.page.locator('.failure:focus', { hasText: '“Beoordeelde periode” heeft nog geen tekst.' }).waitFor();
    }
    await expectSoon(() => dana.page.title()).toMatch(/^Fout: Brief aan/);
    await dana.page
      .getByRole('alert')
      .getByRole('link', { name: '“Beoordeelde periode” heeft nog geen tekst.' })
      .click();
    await dana.page.locator('#invul-periode_beoordeeld:focus[aria-invalid="true"]').waitFor();
    await dana.page.locator('.field--invalid', { hasText: 'Vul dit in.' }).waitFor();
    await dana.sees(/^In de vijf jaar vóór de aanvraag, zoals \d+ \w+ 2021 tot en met \d+ \w+ 2026\.$/);
    await dana.page.keyboard.type('1 juni 2022 tot 1 mei 2026.');
    // An error that is mended disappears before the next attempt.
    await expectSoon(() => dana.page.locator('.failure').count()).toBe(0);
    await expectSoon(() => dana.page.title()).toMatch(/^Brief aan/);
    // The text has a full stop of its own.
    await expectSoon(() => dana.page.locator('.paper').innerText()).toMatch(/1 juni 2022 tot 1 mei 2026\.(?!\.)/);
    await dana.page.getByLabel('Tekst toevoegen').last().selectOption('Originele stukken terug');
    await dana.press('Voeg toe aan Aanvullende bewijsstukken');
    await dana.press('Bewerk Genoeg werkervaring (bij toewijzing)');
    await dana.page
      .getByRole('textbox', { name: 'Tekst van Genoeg werkervaring (bij toewijzing)' })
      .and(dana.page.locator(':focus'))
      .waitFor();
    for (const key of ['Control+End', 'Enter', 'Control+B']) await dana.page.keyboard.press(key);
    await dana.page.keyboard.type('Let op:');
    await dana.page.keyboard.press('Control+B');
    await dana.page.keyboard.type(' bewaar deze brief.');
    await dana.press('Klaar Genoeg werkervaring (bij toewijzing)');
    await dana.page.locator('button:focus', { hasText: 'Bewerk Genoeg werkervaring (bij toewijzing)' }).waitFor();
    await dana.press('Voeg toe aan Aanvullende bewijsstukken');
    await dana.press('Verwijder eigen tekst');
    await dana.page
      .getByRole('region', { name: 'Aanvullende bewijsstukken' })
      .and(dana.page.locator(':focus'))
      .waitFor();
    await dana.press('Voeg toe aan Aanvullende bewijsstukken');
    await dana.page.locator('.ProseMirror:focus').waitFor();
    await dana.page.keyboard.type('Wij bewaren geen kopie.');
    await dana.press('Voorleggen ter beoordeling');
    await dana.page.locator('#status:focus', { hasText: 'Ter beoordeling' }).waitFor();
    await dana.sees('De brief ligt bij een collega.');
    // It begins at its top again, and there is no bar for actions without any.
    expect(await dana.page.evaluate('scrollY')).toBe(0);
    expect(await dana.page.evaluate("getComputedStyle(document.querySelector('.actions')).position")).toBe('static');
    expect(await dana.page.getByRole('button', { name: /beginnen/ }).count()).toBe(0);

    const ali = await look('admin-ali', 'brief');
    await ali.press('Afkeuren…');
    await ali.page.locator('#comments:focus').waitFor();
    await ali.press('Annuleren');
    await ali.page.locator('#afkeuren:focus').press('Enter');
    await ali.press('Afkeuren');
    await ali.sees('Schrijf wat er anders moet.');
    await ali.page.locator('#comments:focus').waitFor();
    await ali.fill('Wat moet er anders?', 'Noem de periode voluit.');
    await ali.press('Afkeuren');
    await ali.sees('Afgekeurd door Ali Demir: dit moet er anders');

    // The letter was with a colleague: coming back to the tab is enough.
    await dana.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await dana.sees('Noem de periode voluit.');
    await dana.press('Voorleggen ter beoordeling');
    await dana.sees('De brief ligt bij een collega.');

    await ali.page.reload();
    await ali.press('Goedkeuren…');
    const asked = ali.page.getByRole('dialog', { name: 'Wilt u deze brief goedkeuren?' });
    await expectSoon(() => asked.innerText()).toContain('L. van Dijk, Kleine Houtweg 27 RD');
    expect(await asked.innerText()).toContain(
      'Uitkomst\nToewijzing\nIngevuld door de opsteller\nBeoordeelde periode: 1 juni 2022 tot 1 mei 2026\nAangepaste teksten\nGenoeg werkervaring (bij toewijzing)\nEigen tekst in\nAanvullende bewijsstukken',
    );
    await asked.locator('button:focus', { hasText: 'Annuleren' }).waitFor();
    expect(await findings(ali.page)).toEqual([]);
    await ali.press('Annuleren');
    await ali.page.locator('button:focus', { hasText: 'Goedkeuren…' }).press('Enter');
    // It is closed and opened again before the browser tells the page that it was closed.
    await ali.page.evaluate(`{
      [...document.querySelectorAll('dialog[open] button')].at(-1).click();
      [...document.querySelectorAll('button')].find((one) => one.textContent.includes('Goedkeuren…')).click();
    }`);
    await ali.press('Ja, keur de brief goed');
    await ali.page.locator('#status:focus', { hasText: 'Goedgekeurd' }).waitFor();
    await ali.sees('Goedgekeurd door Ali Demir. U kunt de brief nu verzenden.');
    await ali.press('Verzenden…');
    const sending = ali.page.getByRole('dialog', { name: 'Wilt u deze brief verzenden?' });
    await expectSoon(() => sending.innerText()).toContain('1 juni 2026');
    await ali.press('Ja, verzend de brief');
    await ali.sees(/^Verzonden aan L\. van Dijk op 1 juni 2026 om \d\d:\d\d\. Goedgekeurd door Ali Demir\.$/);
    await ali.press('Nieuwe brief beginnen…');
    const beginning = ali.page.getByRole('dialog', { name: 'Wilt u een nieuwe brief beginnen?' });
    await expectSoon(() => beginning.innerText()).toContain('HER-2026-000118');
    await ali.press('Annuleren');
    await ali.to('voorbeeld');
    await expectSoon(() => ali.page.locator('.paper').innerText()).toContain('Let op: bewaar deze brief.');
    expect(await ali.page.locator('.paper strong', { hasText: 'Let op:' }).count()).toBe(1);
    const { body } = await service().get('/api/v1/brief', {
      as: 'drafter-dana@brief',
      headers: { 'x-role': 'drafter' },
    });
    expect(body.brief.status.tag).toBe('sent');
  });

  it('says that it cannot be submitted with two decisions, and with a period that cannot be right, until each is mended', async () => {
    const dana = await look('drafter-dana', 'tegenstrijdig');
    const failure = dana.page.locator('.failure:focus');
    const mended = () => dana.page.locator('.failure').waitFor({ state: 'detached' });
    await dana.fill('Beoordeelde periode', '1 juni 1990 tot 1 juni 1995');
    await dana.page
      .getByLabel('Tekst toevoegen aan Besluit')
      .selectOption('Afwijzing: te weinig uren en geen scholing');
    await dana.press('Voeg toe aan Besluit');
    await dana.press('Voorleggen ter beoordeling');
    await failure
      .getByRole('link', { name: '“Toewijzing” is een besluit: toewijzen; een brief heeft één besluit.' })
      .waitFor();
    const period = failure.getByRole('link', { name: 'De beoordeelde periode ligt in de vijf jaar vóór de aanvraag' });
    await period.waitFor();
    await dana.sees('De brief klopt nog niet');
    await dana.press('Verwijder Toewijzing');
    // Its reasons and consequences are those of a grant.
    await dana.press('Voorleggen ter beoordeling');
    await period.waitFor();
    await failure
      .getByRole('link', { name: '“Genoeg werkervaring (bij toewijzing)” past niet bij een afwijzing.' })
      .click();
    await dana.page.locator('.block:focus', { hasText: '“Genoeg werkervaring (bij toewijzing)” past niet' }).waitFor();
    await dana.page.getByLabel('Tekst toevoegen aan Besluit').selectOption('Toewijzing');
    await dana.press('Voeg toe aan Besluit');
    await dana.press('Verwijder Afwijzing: te weinig uren en geen scholing');
    await dana.press('Voorleggen ter beoordeling');
    await failure.locator('a[href="#invul-periode_beoordeeld"]').waitFor();
    // A tab, as a table of a spreadsheet has, becomes a space.
    await dana.fill('Beoordeelde periode', '1 juni 2022 tot\t1 mei 2026');
    await mended();
    // What the service fills in has no field, and the text is not about this decision: the error leads to the text, once.
    await dana.page
      .getByLabel('Tekst toevoegen aan Motivering')
      .selectOption('Aanvraag niet compleet gemaakt (bij buiten behandeling)');
    await dana.press('Voeg toe aan Motivering');
    await dana.page.locator('.paper mark', { hasText: '[Datum van het verzoek om aanvulling]' }).waitFor();
    await dana.press('Voorleggen ter beoordeling');
    await failure
      .getByRole('link', { name: '“Aanvraag niet compleet gemaakt (bij buiten behandeling)” past niet' })
      .click();
    await dana.page
      .locator('.block:focus', { hasText: '“Aanvraag niet compleet gemaakt (bij buiten behandeling)” past niet' })
      .waitFor();
    await dana.press('Verwijder Aanvraag niet compleet gemaakt (bij buiten behandeling)');
    await mended();
    // A text that is added has what was filled in before.
    await dana.page.getByLabel('Tekst toevoegen aan Motivering').selectOption('Te weinig werkervaring (bij afwijzing)');
    await dana.press('Voeg toe aan Motivering');
    const paper = dana.page.locator('.paper');
    await expectSoon(async () => (await paper.innerText()).split('1 juni 2022 tot 1 mei 2026').length).toBe(3);
  });

  it('names the field of a value that cannot be right, and leads to the section in which a text is missing', async () => {
    await controlOf(service()).in('gegeven').put('/brief', { tag: 'draft', uitkomst: 'afgewezen' });
    const dana = await look('drafter-dana', 'gegeven');
    await dana.fill('Beoordeelde periode', '1 juni 2022 tot 1 mei 2026');
    await dana.sees('Alleen cijfers, zoals 1.200.');
    await dana.fill('Uren die meetellen', 'achttienhonderd');
    await dana.fill('Reden van de afwijzing', 'een deel van het werk hoort niet bij uw beroep');
    await dana.press('Voorleggen ter beoordeling');
    const told = await dana.page.locator('.failure:focus').innerText();
    expect(told.split('\n').filter(Boolean)).toEqual([
      'Een ingevuld gegeven klopt niet',
      'Uren die meetellen: dit is geen aantal. Schrijf alleen cijfers: 1.200.',
      'Verbeter wat u hebt ingevuld.',
    ]);
    await dana.fill('Uren die meetellen', '1800');
    await dana.page.locator('.paper', { hasText: 'Het aantal uren dat meetelt is 1.800.' }).waitFor();
    // What the section has already is not offered again.
    const choices = dana.page.getByLabel('Tekst toevoegen aan Motivering').getByRole('option');
    expect(await choices.allInnerTexts()).not.toContain('Niet om een reactie gevraagd (bij afwijzing)');
    await dana.press('Verwijder Niet om een reactie gevraagd (bij afwijzing)');
    await dana.press('Voorleggen ter beoordeling');
    await dana.page.locator('.failure:focus', { hasText: '(Awb 4:7)' }).getByRole('link').click();
    await dana.page.locator('#sectie-motivering:focus', { hasText: '(Awb 4:7)' }).waitFor();
    await dana.page
      .getByLabel('Tekst toevoegen aan Motivering')
      .selectOption('Niet om een reactie gevraagd (bij afwijzing)');
    await dana.press('Voeg toe aan Motivering');
    await expectSoon(() => dana.page.locator('.failure').count()).toBe(0);
  });

  it('leads a judge from a value that is no longer right to its text', async () => {
    const world = controlOf(service()).in('gegeven-later');
    await world.put('/brief', { tag: 'submitted', templateId: 'aanvulling-gevraagd' });
    await world.post('/clock', { move: '+80days' });
    const anna = await look('approver-anna', 'gegeven-later');
    await anna.press('Goedkeuren…');
    await anna.press('Ja, keur de brief goed');
    await anna.page.locator('.failure:focus').getByRole('link').click();
    await anna.page.locator('.block:focus', { hasText: 'Uiterste datum van reactie: kies een datum van' }).waitFor();
  });

  it('shows what a colleague submitted, beside a change that came too late until its writer gives it up', async () => {
    const letter = createLetterClient(service(), 'te-laat');
    const dana = await look('drafter-dana', 'te-laat');
    await dana.page.getByLabel('Beoordeelde periode').waitFor();
    const sections = await letter.filledSections();
    sections.find(({ sectionKey }) => sectionKey === 'gevolgen').blocks.push(freeText('Van Ali.'));
    await accepted(letter.put('ali', sections));
    await accepted(letter.post('ali', 'submit'));
    await dana.fill('Beoordeelde periode', '1 mei 2022 tot 1 mei 2026');
    // Its field is gone.
    await dana.page.locator('#status:focus').waitFor();
    const late = dana.page.getByText('1 mei 2022 tot 1 mei 2026');
    for (const time of ['at once', 'after a reload']) {
      if (time === 'after a reload') await dana.page.reload();
      await dana.page.locator('.compare').filter({ has: late }).waitFor();
      expect([time, await late.count()]).toEqual([time, 1]);
      // What only the colleague changed is not among it.
      expect([time, await dana.page.locator('.compare tbody th').allInnerTexts()]).toEqual([time, ['Motivering']]);
      await dana.sees('Ter beoordeling');
    }
    await dana.page.getByRole('link', { name: 'Bekijk uw wijziging' }).click();
    await dana.page.locator('#bewaard:focus').waitFor();
    await dana.press('Laat mijn wijziging vervallen');
    await dana.page.locator('#status:focus').waitFor();
    expect(await late.count()).toBe(0);
  });

  it('gets the changes of a colleague in other sections, and asks which version to keep only of a section that both changed, also after a reload', async () => {
    const letter = createLetterClient(service(), 'samen');
    const ali = async (...changes: [sectionKey: string, text: string][]) => {
      const { sections } = (await letter.get('ali')).body.brief;
      for (const [key, text] of changes)
        sections.find(({ sectionKey }: { sectionKey: string }) => sectionKey === key).blocks.push(freeText(text));
      await accepted(letter.put('ali', sections));
    };
    const dana = await look('drafter-dana', 'samen');
    const period = dana.page.getByLabel('Beoordeelde periode');
    const paper = dana.page.locator('.paper');
    const saved = async () => JSON.stringify((await letter.get('dana')).body);
    await period.waitFor();
    await ali(['gevolgen', 'Eerste van Ali.']);
    await period.fill('1 juni 2022 tot 1 mei 2026');
    await dana.sees('Bewaard. Uw wijziging is samengevoegd met die van een collega.');
    await expectSoon(() => paper.innerText()).toContain('Eerste van Ali.');
    expect(await saved()).toMatch(/1 juni 2022 tot 1 mei 2026.*Eerste van Ali/);

    await ali(['motivering', 'Tweede van Ali.'], ['gevolgen', 'Derde van Ali.']);
    await period.fill('1 juni 2022 tot 2 mei 2026');
    const rows = dana.page.locator('.compare tbody th');
    for (const time of ['at once', 'after a reload']) {
      if (time === 'after a reload') await dana.page.reload();
      await rows.first().waitFor();
      expect([time, await rows.allInnerTexts()]).toEqual([time, ['Motivering']]);
    }
    // One line stays beside what is written, also on a telephone.
    await dana.page.setViewportSize({ width: 375, height: 700 });
    const texts = await dana.page.locator('.compare td').evaluateAll((all) => all.map((one) => one.clientWidth));
    expect(Math.min(...texts)).toBeGreaterThan(140);
    await dana.press('Voorleggen ter beoordeling');
    const title = dana.page.locator('#bewaard:focus', { hasText: /^Deze tekst is ook ergens anders veranderd$/ });
    await title.waitFor();
    await period.focus();
    const bar = dana.page.locator('.letter-bar');
    await expectSoon(() => bar.evaluate((one) => one.getBoundingClientRect().top)).toBe(0);
    expect(await bar.evaluate((one) => one.getBoundingClientRect().height)).toBeLessThan(60);
    await bar.getByRole('link', { name: 'Kies een versie' }).click();
    await title.waitFor();
    expect(await findings(dana.page)).toEqual([]);
    await dana.press('Houd wat ik hier heb');
    await dana.page.locator('#bewaard:focus', { hasText: 'Bewaard' }).waitFor();
    await expectSoon(saved).toMatch(/1 juni 2022 tot 2 mei 2026.*Derde van Ali/);
    expect(await saved()).not.toContain('Tweede van Ali');
  });

  it('is shown again to an approver after colleagues have changed it, and can then be approved', async () => {
    const letter = createLetterClient(service(), 'gewijzigd');
    await letter.bringTo('submitted');
    const anna = await look('approver-anna', 'gewijzigd');
    await anna.page.getByRole('button', { name: 'Goedkeuren…' }).waitFor();
    await letter.post('ali', 'reject', { comments: 'De periode klopt niet.' });
    const sections = await letter.filledSections();
    fillablePlaceholderOf(sections).text = '1 mei 2022 tot 1 mei 2026';
    await letter.put('dana', sections);
    await letter.post('dana', 'submit');
    await anna.press('Goedkeuren…');
    await anna.press('Ja, keur de brief goed');
    await anna.sees('Hieronder staat de nieuwe versie.');
    await expectSoon(() => anna.page.locator('.paper').innerText()).toContain('1 mei 2022 tot 1 mei 2026');
    const decision = controlOf(service()).in('gewijzigd');
    await decision.put('/zaken/HER-2026-000118/besluit', { uitkomst: 'afgewezen' });
    await anna.press('Goedkeuren…');
    await anna.press('Ja, keur de brief goed');
    await anna.sees('Keur de brief af. Schrijf erbij wat er anders moet.');
    await decision.delete('/zaken/HER-2026-000118/besluit');
    await anna.press('Goedkeuren…');
    await anna.press('Ja, keur de brief goed');
    await anna.page.locator('#status:focus', { hasText: 'Goedgekeurd' }).waitFor();
    // A screen reader reads the name of a group that gets the focus, and not what is in it.
    await anna.page.getByRole('group', { name: 'Status van de brief: Goedgekeurd' }).waitFor();
    expect(await anna.page.getByRole('alert').count()).toBe(0);
    expect(await anna.page.getByRole('button', { name: /beginnen/ }).count()).toBe(0);
  });

  it('leads from a refusal without its earlier letter to that letter, and from there to the decision', async () => {
    const dana = await look('drafter-dana', 'eerst-voornemen');
    await dana.page
      .getByLabel('Tekst toevoegen aan Besluit')
      .selectOption('Afwijzing: te weinig uren en geen scholing');
    await dana.press('Voeg toe aan Besluit');
    await dana.press('Verwijder Toewijzing');
    await dana.press('Voorleggen ter beoordeling');
    await dana.press('Voornemen om af te wijzen beginnen…');
    await dana.press('Ja, begin die brief');
    await dana.page.locator('#status:focus', { hasText: 'Concept' }).waitFor();
    await dana.sees('Reden van de afwijzing');
    expect(await dana.page.getByRole('heading', { name: 'Ons voornemen' }).count()).toBe(1);
    await controlOf(service()).in('eerst-voornemen').put('/brief', { tag: 'sent' });
    await dana.page.reload();
    await dana.page.getByRole('button', { name: 'Afwijzing beginnen…' }).waitFor();
    // Only a request for what is missing can end in that, and the next letter is the decision.
    expect(await dana.page.getByRole('button', { name: /Buiten behandeling|Nieuwe brief/ }).count()).toBe(0);
    await dana.press('Afwijzing beginnen…');
    await dana.press('Ja, begin die brief');
    await dana.page.locator('#status:focus', { hasText: 'Concept' }).waitFor();
    await dana.page.getByText('Om een reactie gevraagd: geen reactie').first().waitFor();
  });

  it.for([
    ['Toewijzing beginnen…', 'Standaardtekst: Toewijzing'],
    ['Buiten behandeling laten…', 'Standaardtekst: Buiten behandeling'],
  ] as const)(
    'begins after a request for more documents the decision with the outcome that the drafter chooses: %s',
    async ([button, standard]) => {
      const world = standard.replaceAll(/\W/g, '').toLowerCase();
      await controlOf(service()).in(world).put('/brief', { tag: 'sent', templateId: 'aanvulling-gevraagd' });
      const dana = await look('drafter-dana', world);
      await dana.press(button);
      await dana.press('Ja, begin die brief');
      await dana.page.locator('#status:focus', { hasText: 'Concept' }).waitFor();
      await dana.sees(standard);
    },
  );

  it('says which action is not confirmed while the register is away, and does it when the register is back', async () => {
    const control = controlOf(service()).in('nog-niet');
    await control.put('/brief', { tag: 'approved' });
    const anna = await look('approver-anna', 'nog-niet');
    await anna.sees('Goedgekeurd door Anna Kuiper. U kunt de brief nu verzenden.');
    await control.put('/scenarios/register-down');
    await anna.press('Verzenden…');
    await anna.press('Ja, verzend de brief');
    await anna.page
      .locator('.failure:focus', { hasText: 'Het verzenden van de brief is nog niet bevestigd.' })
      .waitFor();
    expect(await anna.page.getByText('U kunt de brief nu verzenden.').count()).toBe(0);
    await anna.page.waitForResponse((answer) => answer.url().endsWith('/brief') && !answer.ok());
    await anna.page.getByText('Het verzenden van de brief is nog niet bevestigd.').waitFor();
    await control.delete('/scenarios/register-down');
    await anna.sees(/^Verzonden aan L\. van Dijk/);
    expect(await anna.page.getByText('nog niet bevestigd').count()).toBe(0);
  });

  it('shows that an action was done after all, although its answer was lost', async () => {
    await controlOf(service()).in('toch-verzonden').put('/brief', { tag: 'approved' });
    const anna = await look('approver-anna', 'toch-verzonden');
    await anna.page.getByRole('button', { name: 'Verzenden…' }).waitFor();
    await anna.page.route('**/brief/send', async (route) => {
      expect((await route.fetch()).status()).toBe(200);
      await route.fulfill({ status: 504 });
    });
    const seen = Promise.withResolvers<void>();
    await anna.page.route('**/brief', async (route) => {
      await seen.promise;
      await route.continue();
    });
    await anna.press('Verzenden…');
    await anna.press('Ja, verzend de brief');
    await anna.sees('Het verzenden van de brief is nog niet bevestigd.');
    seen.resolve();
    await anna.sees(/^Verzonden aan L\. van Dijk/);
    expect(await anna.page.getByText('nog niet bevestigd').count()).toBe(0);
  });

  it('shows an approver whose tab stays in view that a colleague submitted or sent it', async () => {
    const letter = createLetterClient(service(), 'in-beeld');
    const anna = await look('approver-anna', 'in-beeld');
    await anna.sees('De brief is nog een concept. U kunt beoordelen zodra een collega de brief voorlegt.');
    await letter.bringTo('submitted');
    await anna.page.getByRole('button', { name: 'Goedkeuren…' }).waitFor();
    const approved = createLetterClient(service(), 'al-verzonden');
    await approved.bringTo('approved');
    const other = await look('approver-anna', 'al-verzonden');
    await other.page.getByRole('button', { name: 'Verzenden…' }).waitFor();
    expect((await approved.post('bas', 'send')).status).toBe(200);
    await other.sees(/^Verzonden aan /);
  });

  it('cannot be judged on the page by an admin who submitted it, while another approver can judge it', async () => {
    const letter = createLetterClient(service(), 'vier-ogen');
    await letter.bringTo('submitted');
    await letter.post('anna', 'reject', { comments: 'De periode klopt niet.' });
    const anna = await look('approver-anna', 'vier-ogen', { reducedMotion: 'no-preference' });
    await anna.sees(/voorgelegd door Dana Mulder$/);
    await anna.sees('Afgekeurd door Anna Kuiper: dit moet er anders');
    await anna.sees('De brief is afgekeurd. U kunt beoordelen zodra een collega de brief voorlegt.');
    const ali = await look('admin-ali', 'vier-ogen');
    await ali.press('Voorleggen ter beoordeling');
    await ali.sees('U hebt deze brief zelf geschreven of voorgelegd. Een collega moet hem beoordelen.');
    await ali.sees('Dit onderdeel staat niet in de brief.');
    expect(await ali.page.getByRole('button', { name: /^(Goed|Af)keuren/ }).count()).toBe(0);
    await anna.page.reload();
    const tess = await look('teamlead-tess', 'vier-ogen');
    await tess.press('Afkeuren…');
    await tess.fill('Wat moet er anders?', 'De periode.');
    await anna.press('Goedkeuren…');
    await anna.page.evaluate("scrollTo({ top: 1_000, behavior: 'instant' })");
    await anna.press('Ja, keur de brief goed');
    await anna.page.locator('#status:focus', { hasText: 'Goedgekeurd' }).waitFor();
    await expectSoon(() => anna.page.evaluate('scrollY')).toBe(0);
    await tess.press('Afkeuren');
    await tess.page
      .locator('.failure:focus', { hasText: 'Een collega was u voor, of u deed dit al in een ander venster.' })
      .waitFor();
    await tess.page.getByRole('button', { name: 'Verzenden…' }).waitFor();
    expect(await tess.page.getByLabel('Wat moet er anders?').count()).toBe(0);
  });

  it('has no actions of a judge any more after the service refused that of an admin who changed it', async () => {
    const letter = createLetterClient(service(), 'zelf-gewijzigd');
    await accepted(letter.put('ali', await letter.filledSections()));
    await accepted(letter.post('dana', 'submit'));
    const ali = await look('admin-ali', 'zelf-gewijzigd');
    await ali.press('Goedkeuren…');
    await ali.press('Ja, keur de brief goed');
    expect((await ali.page.locator('.failure:focus').innerText()).split(/\n+/)).toEqual([
      'Iemand anders moet dit beoordelen',
      'U hebt deze brief zelf geschreven of voorgelegd.',
    ]);
    expect(await ali.page.getByRole('button', { name: /^(Goed|Af)keuren/ }).count()).toBe(0);
  });

  it('tells an admin beforehand that a colleague must judge what the admin saved in this tab', async () => {
    const letter = createLetterClient(service(), 'zelf-bewaard');
    const ali = await look('admin-ali', 'zelf-bewaard');
    await ali.fill('Beoordeelde periode', '1 juni 2022 tot 1 mei 2026');
    await expectSoon(async () => JSON.stringify((await letter.get('dana')).body)).toContain('1 juni 2022');
    await ali.sees('Bewaard');
    await accepted(letter.post('dana', 'submit'));
    await ali.page.reload();
    await ali.sees('U hebt deze brief zelf geschreven of voorgelegd. Een collega moet hem beoordelen.');
    expect(await ali.page.getByRole('button', { name: /^(Goed|Af)keuren/ }).count()).toBe(0);
  });

  it('is submitted with what is typed while it is being saved', async () => {
    const letter = createLetterClient(service(), 'doortypen');
    const dana = await look('drafter-dana', 'doortypen');
    const later = ['2 juni 2022 tot 1 mei 2026', '3 juni 2022 tot 1 mei 2026'];
    await dana.page.route('**/api/v1/brief', async (route) => {
      const next = route.request().method() === 'PUT' ? later.shift() : undefined;
      if (next) await dana.fill('Beoordeelde periode', next);
      return route.continue();
    });
    await dana.fill('Beoordeelde periode', '1 juni 2022 tot 1 mei 2026');
    await dana.press('Voorleggen ter beoordeling');
    await dana.page.locator('#status:focus', { hasText: 'Ter beoordeling' }).waitFor();
    expect(JSON.stringify((await letter.get('anna')).body)).toContain('3 juni 2022 tot 1 mei 2026');
  });

  it('can be begun again, after a question, when the service refuses its text', async () => {
    const dana = await look('drafter-dana', 'opnieuw');
    await dana.page.route('**/api/v1/brief', (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    );
    await dana.fill('Beoordeelde periode', 'tekst die niet bewaard wordt');
    await dana.sees('Uw laatste wijziging staat nog alleen op dit apparaat.');
    // One line stays beside what is written, and leads to it.
    await dana.page.setViewportSize({ width: 375, height: 667 });
    await dana.page.getByRole('button', { name: 'Voorleggen ter beoordeling' }).scrollIntoViewIfNeeded();
    const line = dana.page.locator('.letter-bar').getByRole('link', { name: 'Niet bewaard: geen verbinding' });
    await expectSoon(async () => (await line.boundingBox())?.y).toBeLessThan(40);
    await line.click();
    await dana.page.locator('#bewaard:focus', { hasText: 'Nu proberen' }).waitFor();
    await dana.press('Opnieuw beginnen…');
    await dana.press('Ja, begin opnieuw');
    await dana.page.locator('#status:focus', { hasText: 'Bewaard' }).waitFor();
    expect(await dana.page.locator('.paper').innerText()).not.toContain('tekst die niet bewaard wordt');
  });
});
