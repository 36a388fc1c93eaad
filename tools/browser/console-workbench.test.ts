import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { decodeQR } from 'qr/decode.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { sampleOfSize } from '../../simulator/samples/sized.ts';
import { upload } from '../../test/support/multipart.ts';
import { startService } from '../../test/support/service.ts';
import { NETWORK_NAME } from './support/browser.ts';
import {
  choosePerson,
  expectSoon,
  findings,
  openConsole,
  openPart,
  personPanel,
  press,
  text,
  useConsole,
} from './support/console.ts';

const { look, service, browser, keep } = useConsole();

/** Returns the names of all worlds. */
const worlds = async (): Promise<string[]> =>
  (await service().get('/_simulator/worlds')).body.map(({ world }: { world: string }) => world);

/** Returns the names of all snapshots. */
const snapshots = async (): Promise<string[]> =>
  (await service().get('/_simulator/snapshots')).body.map(({ name }: { name: string }) => name);

/** Returns the number of rows on which the buttons of the bar are. */
const rowsOfBar = (page: Page): Promise<number> =>
  page
    .locator('.bar__tools .bar__button:visible')
    .evaluateAll((all) => new Set(all.map((one) => one.getBoundingClientRect().top)).size);

describe('the workbench', () => {
  it('fits in a window of 1440 by 900, and shows Mijn register and the page about the API as the person that is chosen, also after Back', async () => {
    const { page } = await look('werkbank', { viewport: { width: 1_440, height: 900 } });
    await page.getByRole('tab', { name: 'Mijn register' }).click();
    const frame = page.frameLocator('iframe[title^="Mijn register als"]');
    await frame.getByRole('heading', { name: 'Welkom, Sanne de Wit' }).waitFor();
    await frame.getByRole('link', { name: 'Mijn aanvragen' }).click();
    await choosePerson(page, 'joost-van-buren');
    await frame.getByRole('heading', { name: 'Welkom, Joost van Buren' }).waitFor();
    await page.evaluate('history.back()');
    await frame.getByRole('heading', { name: 'Welkom, Sanne de Wit' }).waitFor();
    await page.locator(personPanel('sanne-de-wit')).waitFor();
    await choosePerson(page, 'joost-van-buren');
    await frame.getByRole('heading', { name: 'Welkom, Joost van Buren' }).waitFor();
    const over = 'document.documentElement.scrollHeight - document.documentElement.clientHeight';
    expect(await page.evaluate(over)).toBe(0);
    expect(page.url()).toContain('als=joost-van-buren');
    await page.getByRole('link', { name: 'API uitproberen' }).click();
    await page.getByText('in wereld werkbank').waitFor();
    const overview = page.locator('#operations-Dashboard-dashboardView');
    await overview.locator('.opblock-summary-control').click();
    await overview.getByRole('button', { name: 'Probeer' }).click();
    const [call] = await Promise.all([
      page.waitForRequest('**/api/v1/dashboard-view'),
      overview.getByRole('button', { name: 'Verstuur' }).click(),
    ]);
    expect(call.headers()['x-subject']).toBe('joost-van-buren@werkbank');
  });

  it('shows in Mijn register what was decided in the console or elsewhere, and nothing of a request that is gone', async () => {
    const { page } = await look('beslist');
    const zaak = '/_simulator/worlds/beslist/zaken/HER-2026-000118/besluit';
    await choosePerson(page, 'lotte-van-dijk');
    await page.getByRole('tab', { name: 'Mijn register' }).click();
    const main = page.frameLocator('iframe[title^="Mijn register als"]').getByRole('main');
    await main.getByText('Uw aanvraag HER-2026-000118 is in behandeling').waitFor();
    await openPart(page, 'stand');
    await page.getByRole('button', { name: 'Wijs toe HER-2026-000118' }).click();
    await page.getByRole('tab', { name: 'Mijn register' }).click();
    await main.getByText('Er loopt nu niets.').waitFor();

    await main.getByRole('link', { name: 'Alle aanvragen' }).click();
    await main.getByRole('listitem').filter({ hasText: 'HER-2026-000118' }).getByRole('link').click();
    await main.getByText('Goedgekeurd').waitFor();
    await service().call('PUT', zaak, { json: { uitkomst: 'afgewezen', reden: 'Te weinig uren.' } });
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await main.getByText('Te weinig uren.').waitFor();

    await openPart(page, 'momentopnamen');
    await page.locator('#momentopnamen').getByRole('textbox').fill('leeg');
    await page.locator('#momentopnamen').getByRole('button', { name: 'Bewaar' }).click();
    await page.getByRole('button', { name: 'Zet terug leeg' }).waitFor();
    await page.getByRole('tab', { name: 'Mijn register' }).click();
    await service().post('/api/v1/intakes', 'lotte-van-dijk@beslist', { uren: 2_600 });
    await main.getByRole('link', { name: 'Overzicht' }).click();
    await main.getByRole('link', { name: 'Bekijk Intake' }).click();
    await main.getByText('Stand van zaken').waitFor();
    // The console has perhaps not seen the request yet: it asks at an interval.
    await openPart(page, 'momentopnamen');
    await page.getByRole('button', { name: 'Zet terug leeg' }).click();
    await page.getByRole('tab', { name: 'Mijn register' }).click();
    await main.getByRole('alert').waitFor();
    expect(await main.getByText('Stand van zaken').count()).toBe(0);
    for (const name of await snapshots()) await service().call('DELETE', `/_simulator/snapshots/${name}`);
  });

  it('does not read Mijn register again because of a call in the journal or an empty journal', async () => {
    const { page } = await look('gelezen');
    let reads = 0;
    page.on('request', (request) => {
      if (request.frame() !== page.mainFrame() && request.url().endsWith('/dashboard-view')) reads += 1;
    });
    await page.getByRole('tab', { name: 'Mijn register' }).click();
    await page.frameLocator('iframe[title^="Mijn register als"]').getByText('Welkom, Sanne de Wit').waitFor();
    /** Makes a call elsewhere, and waits until the console has loaded its data again because of it. */
    const callElsewhere = async () => {
      const loaded = page.waitForResponse((response) =>
        response.url().includes('/_simulator/worlds/gelezen/personas?'),
      );
      await service().get('/api/v1/dashboard-view', { as: 'sanne-de-wit@gelezen' });
      await loaded;
    };
    await callElsewhere();
    const before = reads;
    for (let call = 0; call < 3; call += 1) await callElsewhere();
    expect(reads).toBe(before);
    await press(page, 'Wis journaal');
    await page.getByText('Nog geen aanroepen.').waitFor();
    await callElsewhere();
    expect(await page.locator('.entry').count()).toBe(1);
    expect(reads).toBe(before);
  });

  it.each([
    [1_024, 'balk'],
    [1_200, 'demo-diploma-tot-registratie'],
    [1_366, 'demo-diploma-tot-registratie'],
    [1_440, 'demo-diploma-tot-registratie'],
  ])(
    'has its bar on one row in a window %i pixels wide when the clock has the real time and the world is %s',
    async (width, world) => {
      const { page } = await look(world, { viewport: { width, height: 900 } });
      await press(page, 'Echte tijd');
      await expectSoon(() => text(page, '#klok')).toContain('echte tijd');
      expect(await rowsOfBar(page)).toBe(1);
    },
  );

  it('opens a drawer directly below its bar, also when the bar has more than one row', async () => {
    const { page } = await look('laden', { viewport: { width: 720, height: 900 } });
    expect(await rowsOfBar(page)).toBeGreaterThan(1);
    await openPart(page, 'storingen');
    const bottom = (await page.locator('.bar').boundingBox())?.height;
    await expectSoon(async () => (await page.locator('.drawer:visible').boundingBox())?.y).toBe(bottom);
  });

  it('begins on a telephone with the list of people folded, and has no such button on a wide screen', async () => {
    const { page } = await look('vouwen', { viewport: { width: 375, height: 800 } });
    const list = page.getByRole('listbox', { name: 'Personen in deze wereld' });
    await page.getByRole('button', { name: 'Toon de lijst', expanded: false }).waitFor();
    expect(await list.isVisible()).toBe(false);
    await page.setViewportSize({ width: 1_024, height: 800 });
    await list.waitFor();
    expect(await page.getByRole('button', { name: 'Toon de lijst' }).isVisible()).toBe(false);
    await page.setViewportSize({ width: 375, height: 800 });
    await press(page, 'Toon de lijst');
    await list.waitFor();
    await press(page, 'Verberg de lijst');
    await list.waitFor({ state: 'hidden' });
  });

  it('closes the journal of a narrow window with a button, as its other drawers, and has no such button on a wide screen', async () => {
    const { page } = await look('journaal-dicht', { viewport: { width: 1_024, height: 768 } });
    const opener = page.getByRole('button', { name: 'Journaal', exact: true });
    const close = page.getByRole('button', { name: 'Sluiten Journaal' });
    await opener.click();
    await close.click();
    await close.waitFor({ state: 'hidden' });
    await opener.and(page.locator(':focus')).waitFor();
    await page.setViewportSize({ width: 1_440, height: 900 });
    await page.getByRole('heading', { name: 'Journaal' }).waitFor();
    expect(await close.count()).toBe(0);
  });

  it('opens the journal of a narrow window for the calls about a letter, and closes it for what an empty journal leads to', async () => {
    const { page } = await look('journaal-open', { viewport: { width: 1_024, height: 768 } });
    const { body } = await service().post('/api/v1/registrations', 'noor-bakker@journaal-open', {
      diplomaHerkomst: 'duo',
      documents: [],
    });
    await choosePerson(page, 'noor-bakker');
    await openPart(page, 'post');
    await page
      .getByRole('link', { name: `aanroepen over ${body.referentie}` })
      .first()
      .click();
    await page.locator('.entry:visible', { hasText: 'POST /api/v1/registrations' }).waitFor();
    await press(page, 'Wis journaal');
    await press(page, 'Wis de filters');
    await press(page, 'Naar Antwoord');
    await page.getByRole('heading', { name: 'Journaal' }).waitFor({ state: 'hidden' });
    await page.getByLabel('Pad om te proberen').waitFor();
  });

  it('keeps the control that has the focus below its bar on a telephone', async () => {
    const { page } = await look('balk', { viewport: { width: 375, height: 800 } });
    await press(page, 'Toon de lijst');
    const field = page.getByLabel('Zoek een persoon of situatie');
    await page.evaluate("scrollTo(0, document.querySelector('#personen input').getBoundingClientRect().top)");
    expect((await field.boundingBox())?.y).toBe(0);
    await field.focus();
    const bar = (await page.locator('.bar').boundingBox())?.height ?? 800;
    await expectSoon(async () => ((await field.boundingBox())?.y ?? 0) >= bar).toBe(true);
  });

  it('does not move on a telephone when the people are loaded', async () => {
    const { page } = await look('schuiven', { viewport: { width: 375, height: 800 } });
    const people = Promise.withResolvers<void>();
    await page.route('**/worlds/schuiven/personas?*', (route) => people.promise.then(() => route.continue()));
    await page.reload();
    const tab = page.getByRole('tab', { name: 'Antwoord' });
    await tab.waitFor();
    const before = (await tab.boundingBox())?.y ?? 0;
    people.resolve();
    await page.getByRole('heading', { name: 'Sanne de Wit' }).waitFor();
    // The story of a person has one line more or less.
    expect(Math.abs(((await tab.boundingBox())?.y ?? 0) - before)).toBeLessThan(25);
  });

  it.each([320, 375, 1_024])(
    'has a bar that does not scroll, with the name of its world, and the skip link above it, in a window %i pixels wide',
    async (width) => {
      const { page } = await look('demo-diploma-tot-registratie', { viewport: { width, height: 640 } });
      await page.keyboard.press('Tab');
      await page.getByRole('link', { name: 'Naar de inhoud' }).click({ trial: true });
      expect(await page.locator('.bar').evaluate((bar) => bar.clientHeight)).toBeLessThan(150);
      if (width < 700) await press(page, 'Meer');
      expect(await rowsOfBar(page)).toBeLessThan(6);
      for (const part of ['.bar__tools', '.bar__world'])
        expect(await page.locator(part).evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
      await page.getByRole('link', { name: 'API uitproberen' }).click({ trial: true });
    },
  );

  it('does not scroll in a small window when a demonstration chooses its person', async () => {
    const { page } = await look('klein', { viewport: { width: 640, height: 360 } });
    await press(page, 'Presenteer');
    await expectSoon(() => text(page, '#demonstratie [role=status]')).toContain('Stap 1 van');
    expect(await page.evaluate('scrollY')).toBe(0);
    await page.getByText('Noor Bakker is net afgestudeerd').click({ trial: true });
  });

  it('sets the clock to a day of the timeline, for the person that is chosen; a narrow window shows that day', async () => {
    const { page } = await look('tijdlijn');
    const days = page.getByRole('list', { name: 'Tijdlijn' });
    await press(page, /^Uiterste datum/);
    await expectSoon(() => text(page, '#top')).toContain('1 oktober 2026');
    await expectSoon(() => days.getByRole('listitem').allInnerTexts()).toHaveLength(3);
    expect((await days.getByRole('listitem').allInnerTexts())[0]).toContain('Begin');
    await page.getByLabel('Sleep naar een dag').press('ArrowRight');
    await expectSoon(() => text(page, '#top')).toContain('2 oktober 2026');
    await choosePerson(page, 'lotte-van-dijk');
    await expectSoon(() => days.innerText()).toContain('Herregistratie ontvangen');
    await page.setViewportSize({ width: 480, height: 900 });
    await press(page, '+4 maanden');
    const today = days.getByRole('listitem').filter({ hasText: '2 februari 2027' });
    await expectSoon(() => today.count()).toBe(1);
    const list = await days.boundingBox();
    const box = await today.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual((list?.x ?? 0) + (list?.width ?? 0));
  });

  it('removes the message that the simulator is unreachable when it answers again', async () => {
    const { page } = await look('weg-en-terug');
    await page.route('**/clock', (route) => route.abort());
    await press(page, '+1 dag');
    await expectSoon(() => page.locator('#klok [role=alert]').count()).toBe(1);
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await expectSoon(() => page.locator('#klok [role=alert]').count()).toBe(0);
  });
});

describe('undo in the console', () => {
  beforeEach(async () => {
    for (const name of await snapshots()) await service().call('DELETE', `/_simulator/snapshots/${name}`);
  });

  it('restores a world that was reset, and a world that was deleted', async () => {
    const { page } = await look('terug');
    await press(page, '+1 maand');
    await expectSoon(() => text(page, '#klok')).toContain('1 juli 2026');
    await press(page, 'Begin opnieuw', '#wereld');
    await expectSoon(() => text(page, '#klok')).toContain('1 juni 2026');
    // A read of the world that is still in progress when the world is deleted may not create it again.
    const left = Promise.withResolvers<void>();
    await page.route('**/worlds/terug/uploads', (route) => left.promise.then(() => route.continue()));
    const read = page.waitForResponse('**/worlds/terug/uploads');
    await press(page, /^Maak ongedaan opnieuw begonnen in terug/);
    await expectSoon(() => text(page, '#klok')).toContain('1 juli 2026');

    await press(page, 'Verwijder wereld');
    await expectSoon(() => page.title()).toContain('default');
    left.resolve();
    await read;
    await expectSoon(worlds).not.toContain('terug');
    await press(page, /^Maak ongedaan wereld terug verwijderd/);
    await expectSoon(() => page.title()).toContain('terug');
    await expectSoon(() => text(page, '#klok')).toContain('1 juli 2026');
    expect((await service().get('/_simulator/snapshots')).body).toEqual([]);
  });

  it('is possible after a reset of all worlds, which needs a confirmation first', async () => {
    const { page } = await look('allemaal');
    await press(page, '+1 maand');
    await expectSoon(() => text(page, '#klok')).toContain('1 juli 2026');
    await openPart(page, 'wereld');
    await page.locator('#wereld summary').last().click();
    await press(page, 'Begin alle werelden opnieuw', '#wereld');
    await press(page, 'Annuleren', '#wereld');
    expect(await text(page, '#klok')).toContain('1 juli 2026');
    await press(page, 'Begin alle werelden opnieuw', '#wereld');
    await press(page, 'Begin overal opnieuw', '#wereld');
    await expectSoon(() => text(page, '#klok')).toContain('1 juni 2026');
    await press(page, /^Maak ongedaan alle werelden/);
    await expectSoon(() => text(page, '#klok')).toContain('1 juli 2026');
  });

  it('removes an action of which the snapshot was deleted from the list, so that an earlier action can be undone', async () => {
    const { page } = await look('kwijt');
    await press(page, '+1 maand');
    await expectSoon(() => text(page, '#top')).toContain('1 juli 2026');
    await press(page, 'Begin opnieuw', '#wereld');
    await expectSoon(() => text(page, '#top')).toContain('1 juni 2026');
    const [first] = await snapshots();
    await press(page, '+1 dag');
    await expectSoon(() => text(page, '#top')).toContain('2 juni 2026');
    await press(page, 'Begin opnieuw', '#wereld');
    await expectSoon(() => text(page, '#top')).toContain('1 juni 2026');
    const last = (await snapshots()).find((name) => name !== first);
    await service().call('DELETE', `/_simulator/snapshots/${last}`);
    await press(page, /^Maak ongedaan opnieuw begonnen in kwijt/);
    await expectSoon(() => text(page, '#inhoud [role=alert]')).toContain('Die momentopname is er niet');
    expect(await text(page, '#top')).toContain('1 juni 2026');
    await press(page, /^Maak ongedaan opnieuw begonnen in kwijt/);
    await expectSoon(() => text(page, '#top')).toContain('1 juli 2026');
    await page.getByRole('button', { name: 'Maak ongedaan niets' }).waitFor();
    expect(await snapshots()).toEqual([]);
  });

  it('keeps all snapshots of an action until each world is restored, so that it can be tried again', async () => {
    const { page } = await look('halverwege');
    await press(page, '+1 maand');
    await expectSoon(() => text(page, '#top')).toContain('1 juli 2026');
    await openPart(page, 'wereld');
    await page.locator('#wereld summary').last().click();
    await press(page, 'Begin alle werelden opnieuw', '#wereld');
    await press(page, 'Begin overal opnieuw', '#wereld');
    await expectSoon(() => text(page, '#top')).toContain('1 juni 2026');
    const before = await snapshots();
    expect(before.length).toBeGreaterThan(1);
    let restores = 0;
    await page.route('**/restore', (route) => {
      restores += 1;
      return restores === 2 ? route.abort() : route.continue();
    });
    await press(page, /^Maak ongedaan alle werelden/);
    await expectSoon(() => text(page, '#inhoud [role=alert]')).toContain('De simulator is niet bereikbaar');
    expect(await snapshots()).toEqual(before);
    await press(page, /^Maak ongedaan alle werelden/);
    await page.getByRole('button', { name: 'Maak ongedaan niets' }).waitFor();
    await expectSoon(() => text(page, '#top')).toContain('1 juli 2026');
    expect(await snapshots()).toEqual([]);
  });
});

describe('Mijn register in the console', () => {
  it('is shown when the service answers again, without a click', async () => {
    const { page } = await look('weg');
    await page.getByRole('tab', { name: 'Mijn register' }).click();
    const frame = page.frameLocator('iframe[title^="Mijn register als"]');
    await frame.getByRole('heading', { name: 'Welkom, Sanne de Wit' }).waitFor();
    let failed = 0;
    await page.route('**/_simulator/mijn/?*', (route) => {
      failed += 1;
      return failed > 2 ? route.continue() : route.abort();
    });
    await choosePerson(page, 'ingrid-visser');
    await frame.getByRole('heading', { name: 'Welkom, Ingrid Visser' }).waitFor();
    expect(failed).toBe(3);
  });

  it('keeps its screen, and the focus in it, until the data of another day are there', async () => {
    const { page } = await look('blijft');
    await page.getByRole('tab', { name: 'Mijn register' }).click();
    const main = page.frameLocator('iframe[title^="Mijn register als"]').getByRole('main');
    await main.getByRole('heading', { name: 'Welkom, Sanne de Wit' }).waitFor();
    // Else a slow machine would show what is slow.
    await main.evaluate(
      'const later = setTimeout; window.setTimeout = (run, time) => (time === 500 ? 0 : later(run, time))',
    );
    const asked = Promise.withResolvers<void>();
    const isChecked = Promise.withResolvers<void>();
    await page.route('**/api/v1/dashboard-view', async (route) => {
      asked.resolve();
      await isChecked.promise;
      await route.continue();
    });
    await press(page, '+1 dag');
    await asked.promise;
    const link = main.getByRole('link', { name: 'Alle aanvragen' });
    await link.focus();
    await link.evaluate((one) => one.setAttribute('data-before', ''));
    expect(await main.innerText()).toContain('Welkom, Sanne de Wit');
    expect(await main.innerText()).not.toContain('laden…');
    isChecked.resolve();
    await expectSoon(() => main.locator('a:focus:not([data-before])').allInnerTexts()).toEqual(['Alle aanvragen']);
  });

  it('changes the name of the person at the moment that the screen does', async () => {
    const { page } = await look('tegelijk');
    await page.getByRole('tab', { name: 'Mijn register' }).click();
    const frame = page.frameLocator('iframe[title^="Mijn register als"]');
    await frame.getByRole('heading', { name: 'Welkom, Sanne de Wit' }).waitFor();
    const isChecked = Promise.withResolvers<void>();
    await page.route('**/_simulator/mijn/?*', async (route) => {
      await isChecked.promise;
      await route.continue();
    });
    await Promise.all([
      page.waitForRequest('**/_simulator/mijn/?als=ingrid-visser*'),
      choosePerson(page, 'ingrid-visser'),
    ]);
    expect(await text(page, '.person-head h2')).toBe('Sanne de Wit');
    isChecked.resolve();
    await frame.getByRole('heading', { name: 'Welkom, Ingrid Visser' }).waitFor();
    await expectSoon(() => text(page, '.person-head h2')).toBe('Ingrid Visser');
  });

  it('can be left, and shared with an audience, while it does not answer', async () => {
    const { page } = await look('zonder-mijn');
    await page.getByRole('tab', { name: 'Mijn register' }).click();
    const frame = page.frameLocator('iframe[title^="Mijn register als"]');
    await frame.getByRole('heading', { name: 'Welkom, Sanne de Wit' }).waitFor();
    await page.route('**/_simulator/mijn/?*', (route) => route.abort());
    const failed = page.waitForEvent('requestfailed');
    await choosePerson(page, 'ingrid-visser');
    await failed;
    await press(page, 'Laat meekijken');
    await page.getByText('De dienst luistert nu alleen op deze machine').waitFor();
    await press(page, 'Sluiten', 'dialog');
    await press(page, 'Verwijder wereld', '#wereld');
    await expectSoon(() => page.title()).toContain('default');
    await expectSoon(worlds).not.toContain('zonder-mijn');
  });
});

describe('presentation mode', () => {
  it('shows why the service refuses the request of a step, beside Mijn register also on a projector with the page enlarged', async () => {
    const { page } = await look('geweigerd', { viewport: { width: 683, height: 512 } });
    await openPart(page, 'demonstratie');
    await page.getByLabel('Kies een demonstratie').selectOption('vier-ogen');
    await press(page, 'Presenteer');
    for (const step of [1, 2, 3]) {
      await expectSoon(() => text(page, '#demonstratie [role=status]')).toContain(`Stap ${step} van 9`);
      if (step < 3) await page.keyboard.press('PageDown');
    }
    expect(await text(page, '#demonstratie .refusal:visible')).toContain(
      'De dienst antwoordt: U mag dit niet doen. Een brief beoordelen',
    );
    await page.keyboard.press('n');
    const topOf = async (selector: string) => (await page.locator(selector).boundingBox())?.y ?? 0;
    expect(await topOf('#demonstratie [role=status]')).toBeGreaterThanOrEqual(await topOf('.left'));
    const frame = await page.locator('iframe[title^="Mijn register als"]').boundingBox();
    expect((frame?.y ?? 512) + 300).toBeLessThan(512);
    expect(await findings(page)).toEqual([]);
  });

  it('does not load Mijn register again for a step that switches a fault on, and shows the fault in it', async () => {
    const { page } = await look('eenmaal');
    await page.getByRole('tab', { name: 'Mijn register' }).click();
    await openPart(page, 'demonstratie');
    await page.getByLabel('Kies een demonstratie').selectOption('register-valt-om');
    await press(page, 'Begin', '#demonstratie');
    const frame = page.frameLocator('iframe[title^="Mijn register als"]');
    await frame.getByRole('heading', { name: 'Welkom, Sanne de Wit' }).waitFor();
    await expectSoon(() => text(page, '#demonstratie [role=status]')).toContain('Stap 1');
    let loads = 0;
    page.on('request', (request) => {
      if (request.isNavigationRequest()) loads += 1;
    });
    await press(page, 'Volgende', '#demonstratie');
    await frame.getByText('Het register is nu niet bereikbaar').waitFor();
    await expectSoon(() => text(page, '#demonstratie [role=status]')).toContain('Stap 2');
    // The screen says it already.
    expect(await page.locator('#demonstratie .refusal').count()).toBe(0);
    await press(page, '+1 dag');
    await expectSoon(() => text(page, '#klok')).toContain('2 juni 2026');
    expect(loads).toBe(0);
    // The focus stays where the user pressed.
    expect(await page.evaluate('document.activeElement.tagName')).not.toBe('IFRAME');
  });

  it('reads the data of the screen of a step once', async () => {
    const { page } = await look('gelezen-een');
    const step = (n: number) => expectSoon(() => text(page, '#demonstratie [role=status]')).toContain(`Stap ${n} van`);
    await page.getByRole('tab', { name: 'Mijn register' }).click();
    await openPart(page, 'demonstratie');
    await page.getByLabel('Kies een demonstratie').selectOption('diploma-tot-registratie');
    await press(page, 'Begin', '#demonstratie');
    await step(1);
    const reads: string[] = [];
    page.on('request', (request) => {
      if (request.frame() !== page.mainFrame()) reads.push(request.url());
    });
    for (const next of [2, 3]) {
      await press(page, 'Volgende', '#demonstratie');
      await step(next);
    }
    for (const path of ['/notes', '/brp/address']) expect(reads.filter((url) => url.endsWith(path))).toHaveLength(1);
  });

  it('goes back one step with Back, also after a step that opened several screens, and keeps no call in the address', async () => {
    const { page } = await look('terug');
    const step = (n: number) => expectSoon(() => text(page, '#demonstratie [role=status]')).toContain(`Stap ${n} van`);
    await openPart(page, 'demonstratie');
    await page.getByLabel('Kies een demonstratie').selectOption('herregistratie');
    await press(page, 'Presenteer');
    await step(1);
    await page.keyboard.press('PageDown');
    await step(2);
    await expectSoon(() => text(page, '#demonstratie .waiting')).toBe('');
    await page.keyboard.press('w');
    await expectSoon(async () => page.url()).toContain('aanroep=');
    await page.keyboard.press('w');
    await expectSoon(async () => page.url()).not.toContain('aanroep=');
    await page.goBack();
    await step(1);
    await page.keyboard.press('Escape');
    await press(page, 'Stop');
  });

  it('is not ended by Enter or the space bar after it began, and has no outline around the text of a step', async () => {
    const { page } = await look('enter');
    const step = (n: number) => expectSoon(() => text(page, '#demonstratie [role=status]')).toContain(`Stap ${n} van`);
    await openPart(page, 'demonstratie');
    await page.getByLabel('Kies een demonstratie').selectOption('herregistratie');
    await press(page, 'Presenteer');
    await step(1);
    await expectSoon(() => page.evaluate("document.activeElement.matches('.stage')")).toBe(true);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Space');
    await page.keyboard.press('PageDown');
    await step(2);
    expect(await page.getByRole('button', { name: 'Stop presenteren' }).isVisible()).toBe(true);
    expect(await page.evaluate("getComputedStyle(document.querySelector('.stage')).outlineStyle")).toBe('none');
    await page.keyboard.press('Escape');
    await press(page, 'Stop');
  });

  it('shows the narration beside the page of the person, changes step with Page Down and Page Up, also from the frame of that page, makes the screen black with B, and shows notes with N', async () => {
    const { page } = await look('zaal');
    const before = await worlds();
    await openPart(page, 'demonstratie');
    await page.getByLabel('Kies een demonstratie').selectOption('diploma-tot-registratie');
    await press(page, 'Presenteer');
    const step = (n: number) =>
      expectSoon(() => text(page, '#demonstratie [role=status]')).toContain(`Stap ${n} van 7`);
    await step(1);
    const frame = page.frameLocator('iframe[title^="Mijn register als"]');
    await frame.getByRole('heading', { name: 'Welkom, Noor Bakker' }).click();
    expect(await page.locator('#rechts').isVisible()).toBe(false);
    await page.keyboard.press('PageDown');
    await step(2);
    await page.keyboard.press('PageDown');
    await step(3);
    await frame.getByRole('heading', { name: 'Uw aanvraag is ingediend', level: 1 }).waitFor();
    await expectSoon(() => text(page, '#demonstratie .waiting')).toBe('');
    await page.keyboard.press('PageUp');
    await step(2);
    await page.keyboard.press('PageUp');
    await step(1);

    const isBlack = () => page.evaluate('document.elementFromPoint(20, 300) === document.body');
    // The second press without a release is what a key that is held down sends.
    for (const key of ['b', 'b', 'Shift']) await page.keyboard.down(key);
    for (const key of ['b', 'Shift']) await page.keyboard.up(key);
    for (const end of [() => page.mouse.click(20, 300), () => page.keyboard.press('PageDown')]) {
      expect(await isBlack()).toBe(true);
      await end();
      expect(await isBlack()).toBe(false);
      await page.keyboard.press('b');
    }
    await page.keyboard.press('b');
    await step(1);

    const notes = page.locator('#demonstratie .notes');
    expect(await notes.isVisible()).toBe(false);
    await page.keyboard.press('n');
    expect(await notes.innerText()).toContain('Vraag de zaal');
    await page.keyboard.press('PageDown');
    await step(2);
    expect(await notes.innerText()).toContain('wijs op de vraag aan DUO');
    await page.keyboard.press('Escape');
    await expectSoon(() => page.locator('#rechts').isVisible()).toBe(true);
    await press(page, 'Stop');
    await expectSoon(worlds).toEqual(before);
  });
});

describe('the QR code for an audience', () => {
  it('opens Mijn register as the chosen person on another device, where that person can submit an address', async () => {
    const env = { HOST: '0.0.0.0', ALLOW_STAND_IN: 'yes', ALLOWED_HOSTS: `${NETWORK_NAME},localhost` };
    const reachable = await startService(env);
    try {
      const presenter = await openConsole(browser(), reachable.url, 'zaal');
      keep(presenter);
      const { page } = presenter;
      await press(page, 'Laat meekijken');
      const link = await page.getByRole('link', { name: NETWORK_NAME }).innerText();
      const code = await page.getByRole('img', { name: 'QR-code' }).screenshot();
      const data = Uint8Array.from((await page.evaluate(pixelsOf(code))) as number[]);
      expect(decodeQR({ width: SIDE, height: SIDE, data })).toBe(link);
      expect(await findings(page, undefined, 'dialog')).toEqual([]);

      const visitor = await page.context().newPage();
      await visitor.goto(`${link}#/adres`);
      // On such a page the browser has no `crypto.randomUUID`, of which a key could be made.
      expect(await visitor.evaluate('isSecureContext')).toBe(false);
      await visitor.getByLabel('Straat en huisnummer').fill('Lindelaan 12');
      await visitor.getByLabel('Postcode').fill('3511 AB');
      await visitor.getByLabel('Woonplaats').fill('Utrecht');
      await visitor.getByRole('button', { name: 'Indienen' }).click();
      await visitor.getByText(/^ADR-2026-\d{6}$/).waitFor();
      expect(await visitor.locator('.bar__who').innerText()).toContain('Sanne de Wit');
    } finally {
      await reachable.close();
    }
  });

  it('asks first when the service listens on this machine only, then shows link and code in one screen, and closes again', async () => {
    const { page } = await look('alleen', { viewport: { width: 1_280, height: 720 } });
    await press(page, 'Laat meekijken');
    await page.getByText('Zij kunnen alleen lezen.').waitFor();
    expect(await page.getByRole('img', { name: 'QR-code' }).count()).toBe(0);
    expect(await findings(page, undefined, 'dialog')).toEqual([]);
    // It is closed and opened again before the browser tells the page that it was closed.
    await page.evaluate(`{
      [...document.querySelectorAll('dialog[open] button')].at(-1).click();
      document.querySelector('.bar__audience').click();
    }`);
    await press(page, 'Ja, laat meekijken');
    const link = page.locator('.audience__link');
    await link.waitFor();
    await expectSoon(() => link.evaluate((one) => one.matches(':focus'))).toBe(true);
    const image = page.getByRole('img', { name: 'QR-code' });
    for (const part of [link, image]) {
      const { y = 0, height = 0 } = (await part.boundingBox()) ?? {};
      expect(y + height).toBeLessThan(720);
    }
    const dialog = page.locator('dialog[open]');
    expect(await dialog.evaluate((box) => box.scrollHeight - box.clientHeight)).toBeLessThanOrEqual(1);
    const visitor = await page.context().newPage();
    await visitor.goto(await link.innerText());
    await visitor.getByRole('heading', { name: 'Welkom, Sanne de Wit' }).waitFor();
    await press(page, 'Stop met meekijken');
    await expectSoon(() =>
      visitor.reload().then(
        () => 'open',
        () => 'closed',
      ),
    ).toBe('closed');
    await visitor.close();
  });
});

/** Width and height, in pixels, of the image from which the QR code is read. */
const SIDE = 256;

/** Returns a script for the page that reads a PNG, and returns its pixels as bytes. */
const pixelsOf = (png: Buffer): string => `(async () => {
  const bytes = Uint8Array.from(atob('${png.toString('base64')}'), (one) => one.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const canvas = new OffscreenCanvas(${SIDE}, ${SIDE}).getContext('2d');
  canvas.drawImage(image, 0, 0, ${SIDE}, ${SIDE});
  return [...canvas.getImageData(0, 0, ${SIDE}, ${SIDE}).data];
})()`;

describe('a recorded demonstration', () => {
  it('contains the actions in the workbench and the requests to the service as steps, and can be played', async () => {
    const { page } = await look('werk');
    let shownAtReset = '';
    await page.route('**/worlds/opname/reset', async (route) => {
      shownAtReset = await page.title();
      await route.continue();
    });
    await press(page, 'Neem op');
    await expectSoon(() => page.title()).toContain('opname');
    expect(shownAtReset).toContain('werk');
    await choosePerson(page, 'noor-bakker');
    await press(page, '+1 dag');
    await expectSoon(() => text(page, '#klok')).toContain('2 juni 2026');
    const asked = { diplomaHerkomst: 'duo', documents: [] };
    const { body } = await service().post('/api/v1/registrations', 'noor-bakker@opname', asked);
    await openPart(page, 'storingen');
    await page.getByRole('switch', { name: 'DUO valt uit' }).check();
    await expectSoon(() => text(page, '#opname')).toContain('4 handelingen');
    await page.locator('#storingen .more > summary').click();
    await press(page, 'Zet storing aan');
    await expectSoon(() => text(page, '#opname')).toContain('5 handelingen');
    await press(page, /^Probeer als/);

    await expectSoon(() => text(page, '#opname')).toContain('6 handelingen');
    const content = await download(page);
    expect(JSON.parse(content.toString())).toMatchObject({
      name: 'opname',
      steps: [
        {
          title: 'Noor Bakker: POST /registrations',
          persona: 'noor-bakker',
          reset: { begin: '2026-06-01' },
          clock: { move: '+1day' },
          method: 'POST',
          path: '/api/v1/registrations',
          body: asked,
        },
        {
          persona: 'noor-bakker',
          scenarios: ['duo-down'],
          faults: [{ upstream: 'register', kind: 'latency' }],
          path: '/api/v1/dashboard-view',
        },
      ],
    });
    await expectSoon(() => page.title()).toContain('werk');
    await expectSoon(worlds).not.toContain('opname');

    await play(page, content);
    await expectSoon(() => text(page, '#demonstratie .answer')).toContain(body.referentie);
    await press(page, 'Volgende');
    await expectSoon(() => text(page, '#demonstratie [role=status]')).toContain('Stap 2 van 2');
    await press(page, 'Stop', '#demonstratie');
  });

  it('is recorded in a world of its own in each of two browsers', async () => {
    const [{ page: one }, { page: two }] = await Promise.all([look('zaal-een'), look('zaal-twee')]);
    await press(one, 'Neem op');
    await expectSoon(() => one.title()).toContain('opname ·');
    await press(one, '+1 dag');
    await expectSoon(() => text(one, '#klok')).toContain('2 juni 2026');
    await press(two, 'Neem op');
    await expectSoon(() => two.title()).toContain('opname-2 ·');
    await expectSoon(() => text(two, '#opname')).toContain('De opname loopt, in wereld opname-2: 1 handeling');
    await download(two);
    await expectSoon(() => two.title()).toContain('zaal-twee');
    await expectSoon(worlds).not.toContain('opname-2');
    expect((await service().get('/_simulator/worlds/opname')).body.clock.today).toBe('2026-06-02');
    const { steps } = JSON.parse((await download(one)).toString());
    expect(steps).toMatchObject([{ reset: { begin: '2026-06-01' }, clock: { move: '+1day' } }]);
    await expectSoon(worlds).not.toContain('opname');
  });

  it('has a reset as the step for a reset of all worlds, and a message that undoing an action is not recorded', async () => {
    const { page } = await look('werk');
    await press(page, 'Neem op');
    await expectSoon(() => page.title()).toContain('opname');
    await openPart(page, 'wereld');
    await page.locator('#wereld summary').last().click();
    await press(page, 'Begin alle werelden opnieuw', '#wereld');
    await press(page, 'Begin overal opnieuw', '#wereld');
    await expectSoon(() => text(page, '#opname')).toContain('2 handelingen');
    await press(page, /^Maak ongedaan alle werelden/);
    await page.getByRole('button', { name: 'Maak ongedaan niets' }).waitFor();
    const { steps } = JSON.parse((await download(page)).toString());
    expect(steps).toMatchObject([{ reset: { begin: '2026-06-01' } }, { reset: true }]);
    expect(steps[1]).not.toHaveProperty('restore');
    await expectSoon(() => text(page, '#opname')).toContain(
      'Niet opgenomen, omdat een stap het niet kan: iets ongedaan maken',
    );
  });

  it('replaces each uploaded file by a sample, contains changes of the state of documents, and takes ids from the answers to its own steps', async () => {
    const { page } = await look('werk');
    await press(page, 'Neem op');
    await expectSoon(() => page.title()).toContain('opname');
    const ruben = 'ruben-smit@opname';
    const sent = { wizardId: 'intake', categoryId: 'scholingsbewijs', localId: 'bewijs' };
    const file = Buffer.from(sampleOfSize('pdf', 5_000));
    const { documentId } = (await upload(service(), ruben, { ...sent, file, filename: 'Bewijs.pdf' })).body;
    await upload(service(), ruben, { ...sent, localId: 'stuk', file: '%PDF-1.4', filename: 'stuk.pdf' });
    const { id } = (await service().post('/api/v1/applications', ruben, { type: 'intake' })).body;
    const saved = { stepIndex: 1, stepCount: 3, draft: { documents: [{ documentId, localId: 'bewijs' }] } };
    await service().call('PUT', `/api/v1/applications/${id}`, { as: ruben, json: saved });
    await choosePerson(page, 'ruben-smit');
    await openPart(page, 'stand');
    await page.getByLabel('Stand van Bewijs.pdf, Ruben Smit').selectOption('rejected');
    await expectSoon(() => text(page, '#opname')).toContain('3 handelingen');
    const content = await download(page);
    const said = 'gaat er een voorbeeld voor in de plaats (Bewijs.pdf, stuk.pdf).';
    await expectSoon(() => text(page, '#opname')).toContain(said);

    await play(page, content);
    const { steps } = JSON.parse(content.toString()) as { steps: { title: string }[] };
    const answers: string[] = [];
    for (const [at, { title }] of steps.entries()) {
      if (at > 0) await press(page, 'Volgende');
      await expectSoon(() => text(page, '#demonstratie [role=status]')).toContain(`Stap ${at + 1} van ${steps.length}`);
      // A press during a step does nothing.
      await expectSoon(() => text(page, '#demonstratie .waiting')).toBe('');
      const answer = page.locator('#demonstratie .answer > p').first();
      answers.push(`${title}: ${(await answer.count()) === 0 ? '' : (await answer.innerText()).slice(0, 3)}`);
    }
    expect(answers).toEqual([
      'Ruben Smit uploadt Bewijs.pdf: 201',
      'Ruben Smit uploadt stuk.pdf: 422',
      'Ruben Smit: POST /applications: 201',
      'Ruben Smit: PUT /applications/…: 204',
      'Een document krijgt een andere stand: ',
    ]);
    const there = `ruben-smit@${new URL(page.url()).searchParams.get('wereld')}`;
    const status = await service().get('/api/v1/uploads/status?localIds=bewijs', { as: there });
    expect(status.body.results[0].status).toBe('rejected');
    const drafts = (await service().get('/api/v1/applications', { as: there })).body as { id: string }[];
    const all = await Promise.all(drafts.map((one) => service().get(`/api/v1/applications/${one.id}`, { as: there })));
    const [kept] = all.flatMap((one) => one.body.draft?.documents ?? []);
    expect(kept).toEqual({ documentId: expect.stringMatching(/^[0-9a-f-]{36}$/), localId: 'bewijs' });
    expect(kept.documentId).not.toBe(documentId);
    await press(page, 'Stop', '#demonstratie');
  });
});

/** Stops the recording. Returns the content of the file that is downloaded then. */
async function download(page: Page): Promise<Buffer> {
  const [file] = await Promise.all([page.waitForEvent('download'), press(page, 'Rond de opname af')]);
  return readFile(await file.path());
}

/** Starts the demonstration in a file with this content. */
const play = (page: Page, buffer: Buffer) =>
  page.getByLabel('Of open een bestand').setInputFiles({ name: 'verhaal.json', mimeType: 'application/json', buffer });
