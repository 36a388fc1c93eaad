import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { PERSONAS } from '../../fixtures/personas/index.ts';
import {
  choosePerson,
  expectSoon,
  openPart,
  personPanel,
  press,
  seriousFindings,
  text,
  useConsole,
} from './support/console.ts';

const { look, service } = useConsole();

describe('the console', () => {
  it('lists all personas, filters the list, and shows the chosen persona with description and current status', async () => {
    const { page } = await look('kaarten');
    expect(await page.locator('.person').count()).toBe(PERSONAS.length);
    const sanne = await text(page, personPanel('sanne-de-wit'));
    expect(sanne).toContain('de uiterste datum is over vier maanden');
    expect(sanne).toContain('Mag herregistreren');
    await choosePerson(page, 'fatima-yilmaz');
    expect(await text(page, personPanel('fatima-yilmaz'))).toContain('geheim adres');
    await choosePerson(page, 'pieter-hoekstra');
    expect(await text(page, personPanel('pieter-hoekstra'))).toContain('Geschorst');
    await choosePerson(page, 'lotte-van-dijk');
    expect(await text(page, personPanel('lotte-van-dijk'))).toContain('Herregistratie aangevraagd');
    await choosePerson(page, 'noor-bakker');
    expect(await text(page, personPanel('noor-bakker'))).not.toContain('herregistreren');

    await page.emulateMedia({ forcedColors: 'active' });
    const lines = (await page.evaluate(
      "[...document.querySelectorAll('.person')].map((one) => getComputedStyle(one).borderLeft)",
    )) as string[];
    expect(lines.filter((one) => one !== lines[0])).toHaveLength(1);

    await page.getByLabel('Zoek een persoon').fill('tuchtcollege');
    expect(await page.locator('.person').count()).toBe(1);
    expect(await text(page, '#personen')).toContain('1 persoon');
  });

  it('shows the world, person and tab that are named in the URL, and creates, resets and deletes worlds', async () => {
    const { page } = await look('eerste');
    await openPart(page, 'wereld');
    await page.getByLabel('Naam van de wereld').fill('tweede');
    await press(page, 'Naar deze wereld');
    await expectSoon(() => page.title()).toContain('tweede');
    expect(page.url()).toContain('wereld=tweede');
    await press(page, '+1 dag');
    await expectSoon(() => text(page, '#klok')).toContain('2 juni 2026');
    await page.keyboard.press('Escape');
    await page.locator('.person', { hasText: 'Joost van Buren' }).click();
    await page.getByRole('tab', { name: 'Post' }).click();

    // Each choice is a step: the tab, the person, the drawer of the clock, closed and opened, and the world.
    await page.goBack();
    await page.getByRole('tab', { name: 'Antwoord', selected: true }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Sanne de Wit' }).waitFor();
    await page.goBack();
    await page.goBack();
    await page.goBack();
    await expectSoon(() => text(page, '#wereld')).toContain('eerste');
    await expectSoon(() => text(page, '#klok')).toContain('1 juni 2026');
    for (let step = 0; step < 5; step += 1) await page.goForward();
    await expectSoon(() => text(page, '#klok')).toContain('2 juni 2026');
    await page.getByRole('heading', { name: 'Joost van Buren' }).waitFor();
    await page.getByRole('tab', { name: 'Post', selected: true }).waitFor();

    await press(page, 'Begin opnieuw');
    await expectSoon(() => text(page, '#klok')).toContain('1 juni 2026');
    await press(page, 'Verwijder wereld');
    await expectSoon(() => page.title()).toContain('default');
    expect(page.url()).not.toContain('wereld=');
  });

  it('begins a world on a given date, lists all worlds, and shows changes by others', async () => {
    const { page } = await look('begin');
    await openPart(page, 'wereld');
    await page.locator('#wereld summary').last().click();
    await page.getByLabel('Begin op een dag').fill('2028-02-29');
    await press(page, 'Begin op deze dag');
    await expectSoon(() => text(page, '#klok')).toContain('De verhalen begonnen op 29 februari 2028.');
    await expectSoon(() => text(page, personPanel('sanne-de-wit'))).toContain('29 juni 2028');
    expect(await page.locator('#wereld').getByRole('link', { name: 'begin' }).getAttribute('aria-current')).toBe(
      'page',
    );

    await service().call('POST', '/_simulator/worlds/begin/clock', { json: { move: '+1year' } });
    await service().call('POST', '/_simulator/worlds/demo-verhaal/clock', { json: { move: '+1day' } });
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await expectSoon(() => text(page, '#klok')).toContain('28 februari 2029');
    await openPart(page, 'wereld');
    await page.locator('#wereld').getByRole('link', { name: 'default' }).click();
    await expectSoon(() => page.title()).toContain('default');

    // The worlds of demonstrations are listed apart.
    await page.getByText(/^Van demonstraties/).click();
    await page
      .getByRole('list', { name: 'Werelden van demonstraties' })
      .getByRole('link', { name: 'demo-verhaal' })
      .click();
    await expectSoon(() => page.title()).toContain('demo-verhaal');
  });

  it('copies the headers, the -H lines or the curl command of a persona with one click', async () => {
    const { page, clipboard } = await look('knippen');
    await press(page, 'Kopieer headers van Sanne de Wit');
    await expectSoon(async () => JSON.parse(await clipboard())).toMatchObject({ 'X-Subject': 'sanne-de-wit@knippen' });
    await choosePerson(page, 'teamlead-tess');
    await press(page, 'Kopieer -H-regels van Tess Vermeulen');
    await expectSoon(clipboard).toContain("-H 'X-Medewerker: teamlead-tess@knippen'");
    await choosePerson(page, 'joost-van-buren');
    await press(page, 'Kopieer curl van Joost van Buren');
    await expectSoon(clipboard).toMatch(/^curl .*joost-van-buren@knippen/);
    await expectSoon(() => text(page, '#said')).toBe('Curl gekopieerd.');
  });

  it('explains in Dutch what is wrong and what to do, also when the service is unreachable', async () => {
    const { page } = await look('fouten');
    await openPart(page, 'klok');
    await page.locator('#klok summary').click();
    await page.getByLabel('Verschuif met').fill('morgen');
    await press(page, 'Verschuif');
    await page.locator('#klok .field--invalid', { hasText: 'bijvoorbeeld +4months' }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);

    await page.goto(`${service().url}/_simulator/?wereld=Fout`);
    await expectSoon(() => text(page, '#inhoud [role=alert]')).toContain('Een wereld heet met kleine letters');
    expect(await seriousFindings(page)).toEqual([]);

    await page.route('**/_simulator/**', (route) => route.abort());
    await press(page, '+1 dag');
    await expectSoon(() => text(page, '#klok [role=alert]')).toContain('Start hem met npm start');
  });
});

describe('the clock in the console', () => {
  it('can be moved, frozen, started, set to a date and reset to the real time', async () => {
    const { page } = await look('klok');
    await press(page, '+4 maanden');
    await expectSoon(() => text(page, '#klok')).toContain('1 oktober 2026');
    await press(page, '−1 dag');
    await expectSoon(() => text(page, '#klok')).toContain('30 september 2026');
    await press(page, 'Zet stil');
    await expectSoon(() => text(page, '#klok')).toContain('staat stil');
    await press(page, 'Laat lopen');
    await expectSoon(() => text(page, '#klok')).toContain('loopt');
    await openPart(page, 'klok');
    await page.locator('#klok summary').click();
    await page.getByLabel('Zet op datum').fill('2027-01-15');
    await press(page, 'Zet klok');
    await expectSoon(() => text(page, '#klok')).toMatch(/15 januari 2027.*staat stil/);
    await page.getByLabel('Verschuif met').fill('+1year 2days');
    await press(page, 'Verschuif');
    await expectSoon(() => text(page, '#klok')).toContain('17 januari 2028');
    await press(page, 'Echte tijd');
    await expectSoon(() => text(page, '#klok')).toContain('echte tijd');
  });

  it('can be set with one click to the day before, on or after a deadline, first that of the chosen person', async () => {
    const { page } = await look('dagen');
    await choosePerson(page, 'joost-van-buren');
    await openPart(page, 'klok');
    const person = page.getByLabel('Naar de uiterste datum van');
    expect(await person.inputValue()).toBe('joost-van-buren');
    await person.selectOption('sanne-de-wit');
    await choosePerson(page, 'sanne-de-wit');
    await openPart(page, 'klok');
    for (const [day, now] of [
      ['Dag −1', 'Geregistreerd'],
      ['Dag 0', 'Geregistreerd'],
      ['Dag +1', 'Doorgehaald'],
    ] as const) {
      await press(page, day);
      await expectSoon(() => text(page, personPanel('sanne-de-wit'))).toContain(now);
    }
    await expectSoon(() => text(page, '#klok')).toContain('2 oktober 2026');
    // Who is struck off has no deadline any more; the buttons keep the one before.
    await press(page, 'Dag −1');
    await expectSoon(() => text(page, '#klok')).toContain('30 september 2026');
    expect(await person.inputValue()).toBe('sanne-de-wit');
    await press(page, 'Dag +1');
    await expectSoon(() => text(page, '#klok')).toContain('2 oktober 2026');
    // The story of a person is that of the first day.
    await expectSoon(() => text(page, personPanel('sanne-de-wit'))).toContain('Aan het begin: Mag herregistratie');
    const stories = page.locator('.person__story');
    expect(await stories.first().innerText()).toMatch(/^Aan het begin: Mag herregistratie/);
    expect(await stories.filter({ hasText: 'Staat niet in het register' }).first().innerText()).not.toContain('begin');
  });
});

describe('faults in the console', () => {
  it('can be switched on and off by scenario, and all switched off at once', async () => {
    const { page } = await look('scenario');
    await openPart(page, 'storingen');
    const down = page.getByRole('switch', { name: 'DUO valt uit' });
    await down.check();
    await expectSoon(() => text(page, '#storingen')).toContain('van scenario ‘DUO valt uit’');
    await page.getByRole('switch', { name: 'BRP is traag' }).check();
    await expectSoon(() => text(page, '#wereld')).toContain('2 storingen');
    await service().get('/api/v1/duo/diplomas', { as: 'noor-bakker@scenario' });
    await expectSoon(() => page.locator('.entry__bron').allInnerTexts()).toContainEqual(
      expect.stringMatching(/niet beschikbaar.*, geen verbinding$/),
    );
    await down.uncheck();
    await expectSoon(() => text(page, '#wereld')).toContain('1 storing,');
    await press(page, 'Zet alles uit');
    await expectSoon(() => text(page, '#storingen')).toContain('Er staan geen storingen aan.');
    expect(await page.getByRole('switch', { name: 'BRP is traag' }).isChecked()).toBe(false);
  });

  it('can be added separately, with delay, probability, status and Retry-After', async () => {
    const { page } = await look('storing');
    await openPart(page, 'storingen');
    await page.locator('#storingen summary').click();
    expect(await page.locator('#storingen .field:visible').count()).toBe(9);
    await page.getByLabel('Bron').selectOption('register');
    await page.locator('#storingen').getByLabel('Operatie').selectOption('zaken-indienen');
    await page.getByLabel('Wat gaat er mis').selectOption('lost');
    await press(page, 'Zet storing aan');
    await expectSoon(() => text(page, '#storingen')).toContain(
      'Register (zaken-indienen): doet het, maar het antwoord raakt zoek',
    );

    await page.getByLabel('Bron').selectOption('brp');
    await page.getByLabel('Wat gaat er mis').selectOption('latency');
    await page.getByLabel('Vertraging').selectOption('range');
    await page.getByLabel('Minimaal').fill('5');
    await page.getByLabel('Maximaal').fill('9');
    await page.getByLabel('Kans').fill('0.5');
    await page.getByLabel('Seed').fill('7');
    await press(page, 'Zet storing aan');
    await expectSoon(() => text(page, '#storingen')).toContain(
      'BRP (alle operaties): antwoordt laat · 5 tot 9 ms · kans 50 % · seed 7',
    );

    await page.getByLabel('Wat gaat er mis').selectOption('status');
    await page.locator('#storingen').getByLabel('Status', { exact: true }).fill('429');
    await page.getByLabel('Retry-After').fill('3');
    await press(page, 'Zet storing aan');
    await expectSoon(() => text(page, '#storingen')).toContain('antwoordt met een foutstatus · 429 · Retry-After 3');
    await press(page, /^Zet uit BRP.*laat/);
    await expectSoon(() => text(page, '#wereld')).toContain('2 storingen');

    await page.getByLabel('Bron').selectOption('dienst');
    await page.locator('#storingen').getByLabel('Operatie').selectOption('notes');
    await page.getByLabel('Wat gaat er mis').selectOption('problem');
    await page.getByLabel('Probleemcode').selectOption('niet-ingelogd');
    await page.getByLabel('Alleen voor persona').fill('sanne-de-wit');
    await page.getByLabel('Na zoveel aanroepen').fill('2');
    await page.getByLabel('Hoeveel keer').fill('1');
    await press(page, 'Zet storing aan');
    await expectSoon(() => text(page, '#storingen')).toContain(
      'De dienst zelf (notes): antwoordt met een probleem · niet-ingelogd · alleen Sanne de Wit · na 2 aanroepen · 1 keer',
    );
  });
});

describe('the panel of cases, letter and uploads in the console', () => {
  it('grants a case, makes it pending again, and refuses or dismisses it with a reason', async () => {
    const { page } = await look('zaken');
    await choosePerson(page, 'lotte-van-dijk');
    await openPart(page, 'stand');
    const lotte = page.locator('#stand .line', { hasText: 'Lotte van Dijk' });
    await lotte.getByRole('button', { name: 'Wijs toe' }).click();
    await expectSoon(() => lotte.innerText()).toContain('toegewezen');
    expect(await lotte.locator('.day').evaluateAll((all) => all.map((one) => one.getClientRects().length))).toEqual([
      1, 1,
    ]);
    await expectSoon(() => text(page, personPanel('lotte-van-dijk'))).toContain('2031');
    await lotte.getByRole('button', { name: 'Terug in behandeling' }).click();
    await expectSoon(() => lotte.innerText()).not.toContain('toegewezen');
    const reason = lotte.getByRole('textbox', {
      name: /^Reden om HER-\S+ af te wijzen of buiten behandeling te laten$/,
    });
    await reason.fill('Te weinig uren.');
    await lotte.getByRole('button', { name: 'Wijs af' }).click();
    await expectSoon(() => lotte.innerText()).toContain('Te weinig uren.');
    await reason.fill('Bewijs ontbreekt.');
    await lotte.getByRole('button', { name: 'Laat buiten behandeling' }).click();
    await expectSoon(() => text(page, '#stand [role=alert]')).toContain('kan pas na een brief aanvulling-gevraagd');
  });

  it('shows a reason that is typed for a case only in the world of that case', async () => {
    const { page } = await look('reden-een');
    await openPart(page, 'stand');
    const reason = page.getByRole('textbox', {
      name: 'Reden om HER-2026-000097 af te wijzen of buiten behandeling te laten',
    });
    await reason.fill('Te weinig uren.');
    const visit = async (world: string) => {
      await openPart(page, 'wereld');
      await page.getByLabel('Naam van de wereld').fill(world);
      await press(page, 'Naar deze wereld');
      await expectSoon(() => page.title()).toContain(world);
      await expectSoon(() => text(page, '#wereld')).toContain(world);
      await openPart(page, 'stand');
    };
    await visit('reden-twee');
    await expectSoon(() => reason.inputValue()).toBe('');
  });

  it('changes the state of the letter and of an upload, but not of an upload of a request', async () => {
    const { page } = await look('stand');
    await choosePerson(page, 'ruben-smit');
    await openPart(page, 'stand');
    await page.getByLabel('Stand van de brief').selectOption('ter beoordeling');
    await press(page, 'Zet in deze stand');
    await expectSoon(() => text(page, '#stand')).toContain('Voorgelegd door');
    await page.getByLabel('Stand van de brief').selectOption('approved');
    await press(page, 'Zet in deze stand');
    await expectSoon(() => text(page, '#stand')).toContain('Goedgekeurd door');
    await page.getByLabel('Stand van jaaropgave, Ruben Smit').selectOption('uploaded');
    await openPart(page, 'tab-antwoord');
    await expectSoon(() => text(page, personPanel('ruben-smit'))).toContain('jaaropgave.pdf: geüpload');
    await openPart(page, 'stand');

    const linked = page.getByLabel('Stand van Certificaat.pdf, Ruben Smit');
    await linked.selectOption('rejected');
    await expectSoon(() => text(page, '#stand [role=alert]')).toContain('Dit document hoort bij een aanvraag');
    await expectSoon(() => linked.inputValue()).toBe('uploaded');
  });
});

describe('the mailbox in the console', () => {
  it('shows the letters to the chosen person as HTML and PDF, and more letters after the clock is moved', async () => {
    const { page } = await look('brievenbus');
    await openPart(page, 'post');
    await choosePerson(page, 'noor-bakker');
    await expectSoon(() => text(page, '#post .empty')).toContain('Er is tot vandaag niets gestuurd dat hierbij past.');
    await choosePerson(page, 'sanne-de-wit');
    await expectSoon(() => page.locator('#post .line').count()).toBe(1);
    await press(page, /^Toon Oproep: .+, 1 april 2026, Sanne de Wit$/);
    const paper = page.getByRole('article', { name: 'Oproep: vraag uiterlijk op 1 oktober 2026 herregistratie aan' });
    await expectSoon(() => paper.innerText()).toContain('Geachte mevrouw De Wit,');
    expect(await paper.getByRole('listitem').count()).toBe(6);
    const topOf = async (shown: Locator) => Math.round((await shown.boundingBox())?.y ?? -1);
    const panel = await topOf(page.getByRole('tabpanel', { name: 'Post' }));
    // A scroll position is a whole number of pixels, the position of a line is not.
    expect(Math.abs((await topOf(page.locator('#post .line'))) - panel)).toBeLessThanOrEqual(1);
    expect(await seriousFindings(page)).toEqual([]);

    const href = await page.getByRole('link', { name: /^PDF Oproep/ }).getAttribute('href');
    const pdf = await page.request.get(new URL(href ?? '', page.url()).href);
    expect([pdf.status(), pdf.headers()['content-type']]).toEqual([200, 'application/pdf']);

    await press(page, '+4 maanden');
    await press(page, '+1 dag');
    await expectSoon(() => page.locator('#post .line').count()).toBe(4);
    // The letter that was open stays so; closing it gives the focus back.
    await paper.waitFor();
    await press(page, /^Sluiten Oproep/);
    expect(await page.evaluate('document.activeElement.textContent')).toMatch(/^Toon Oproep/);
  });
});

describe('the inbox in the console', () => {
  it('has the letters to all persons, newest first, with a search, a filter, and links to the person and the cause', async () => {
    const { page } = await look('postvak');
    await service().call('PUT', '/_simulator/worlds/postvak/zaken/HER-2026-000118/besluit', {
      json: { uitkomst: 'afgewezen', reden: 'Te weinig uren.' },
    });
    await openPart(page, 'post');
    await page.getByLabel('Post aan').selectOption('iedereen');
    const lines = page.locator('#post .line');
    await lines.filter({ hasText: 'Aan Lotte van Dijk · Besluit · zaak HER-2026-000118' }).waitFor();
    const days = await page.locator('#post .day').allInnerTexts();
    expect(days.length).toBeGreaterThan(5);
    await page.getByLabel('Zoek in de post').fill('weinig uren');
    await expectSoon(() => lines.count()).toBe(1);
    await lines.first().getByRole('link', { name: 'zaak HER-2026-000118' }).click();
    const marked = page.locator('#stand .line[aria-current]');
    await expectSoon(() => marked.innerText()).toContain('Te weinig uren.');
    await page.goBack();
    await lines.first().getByRole('link', { name: 'Lotte van Dijk', exact: true }).click();
    await page.getByRole('heading', { name: 'Lotte van Dijk' }).waitFor();

    await openPart(page, 'post');
    await page.getByLabel('Zoek in de post').fill('');
    await page.locator('#post').getByLabel('Soort').selectOption('oproep');
    await expectSoon(() => lines.allInnerTexts()).toSatisfy(
      (all: string[]) => all.length > 0 && all.every((one) => one.includes('Oproep')),
    );
    await page.getByLabel('Zoek in de post').fill('bestaat niet');
    await page.getByRole('button', { name: 'Toon alle post' }).click();
    await expectSoon(() => page.locator('#post .day').allInnerTexts()).toEqual(days);
  });

  it('finds the call that caused a letter', async () => {
    const { page } = await look('oorzaak');
    const asked = { diplomaHerkomst: 'duo', documents: [] };
    const { body } = await service().post('/api/v1/registrations', 'noor-bakker@oorzaak', asked);
    await choosePerson(page, 'noor-bakker');
    await openPart(page, 'post');
    await page
      .getByRole('link', { name: `aanroepen over ${body.referentie}` })
      .first()
      .click();
    await expectSoon(() => page.locator('.entry:visible').allInnerTexts()).toHaveLength(1);
    expect(await page.locator('.entry').innerText()).toContain('POST /api/v1/registrations');
  });
});

describe('the letter in the console', () => {
  it.each(['aanvulling-gevraagd', 'voornemen-afwijzing'])('begins about a case with the template %s', async (id) => {
    const { page } = await look(id);
    await openPart(page, 'stand');
    const letter = page.locator('#stand');
    await letter.getByLabel('Zaak van de brief').selectOption('HER-2026-000097');
    await letter.getByLabel('Begin met').selectOption(id);
    await letter.getByLabel('Stand van de brief').selectOption('sent');
    await press(page, 'Zet in deze stand');
    await expectSoon(() => text(page, '#stand')).toContain('Over zaak HER-2026-000097');
    const { body } = await service().get('/api/v1/brief', {
      as: `drafter-dana@${id}`,
      headers: { 'x-role': 'drafter' },
    });
    expect(body.brief.templateId).toBe(id);
  });
});

describe('snapshots in the console', () => {
  it('can be saved, restored, downloaded, deleted and uploaded again', async () => {
    const { page } = await look('opname');
    await press(page, '+1 maand');
    await expectSoon(() => text(page, '#klok')).toContain('1 juli 2026');
    await openPart(page, 'momentopnamen');
    const name = page.locator('#momentopnamen').getByLabel('Naam');
    await name.fill('Juli 2026');
    await press(page, 'Bewaar deze wereld');
    await page.locator('#momentopnamen input[aria-invalid]:focus').waitFor();
    await name.fill('juli');
    expect(await page.getByText('Deze bestaat al, en wordt vervangen.').count()).toBe(0);
    await press(page, 'Bewaar deze wereld');
    const kept = page.locator('#momentopnamen .line', { hasText: 'wereld opname' });
    await kept.first().waitFor();
    expect(await page.locator('#momentopnamen [aria-invalid]').count()).toBe(0);
    // The name is emptied, and the field looks as it did before anything was typed.
    const borderOf = (field: Locator) =>
      field.evaluate((one) => one.ownerDocument.defaultView?.getComputedStyle(one).borderColor);
    expect(await name.inputValue()).toBe('');
    expect(await borderOf(name)).toBe(await borderOf(page.getByLabel('Naam van de wereld')));
    await name.fill('juli');
    await page.getByText('Deze bestaat al, en wordt vervangen.').waitFor();
    await press(page, 'Begin opnieuw');
    await expectSoon(() => text(page, '#klok')).toContain('1 juni 2026');
    await press(page, 'Zet terug juli', '#momentopnamen');
    await expectSoon(() => text(page, '#klok')).toContain('1 juli 2026');

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download juli' }).click(),
    ]);
    const buffer = await readFile(await download.path());
    await press(page, 'Verwijder juli');
    await expectSoon(() => kept.count()).toBe(0);
    // The second one does not replace the first.
    for (const name of ['zomer-1', 'zomer-1-nieuw']) {
      const file = { name: 'Zomer (1).json', mimeType: 'application/json', buffer };
      await page.getByLabel('Momentopname uit een bestand').setInputFiles(file);
      await page.getByRole('button', { name: `Zet terug ${name}`, exact: true }).waitFor();
    }
    await press(page, 'Verwijder zomer-1');
    await press(page, 'Verwijder zomer-1-nieuw');
  });
});
