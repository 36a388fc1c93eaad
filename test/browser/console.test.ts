import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { PERSONAS } from '../../fixtures/personas/index.ts';
import { card, choose, findings, open, press, serious, soon, text, withConsole } from '../support/browser/console.ts';

const { look, service } = withConsole();

describe('the console', () => {
  it('lists each persona, filters them, and shows the chosen one with description and current status', async () => {
    const { page } = await look('kaarten');
    expect(await page.locator('.person').count()).toBe(PERSONAS.length);
    const sanne = await text(page, card('sanne-de-wit'));
    expect(sanne).toContain('de uiterste datum is over vier maanden');
    expect(sanne).toContain('Mag herregistreren');
    await choose(page, 'fatima-yilmaz');
    expect(await text(page, card('fatima-yilmaz'))).toContain('geheim adres');
    await choose(page, 'pieter-hoekstra');
    expect(await text(page, card('pieter-hoekstra'))).toContain('Geschorst');

    await page.getByLabel('Zoek een persoon').fill('tuchtcollege');
    expect(await page.locator('.person').count()).toBe(1);
    expect(await text(page, '#personen')).toContain('1 persoon');
  });

  it('has the world in the URL, and creates, resets and deletes it', async () => {
    const { page } = await look('eerste');
    await open(page, 'wereld');
    await page.getByLabel('Naam van de wereld').fill('tweede');
    await press(page, 'Naar deze wereld');
    await soon(() => page.title()).toContain('tweede');
    expect(page.url()).toContain('wereld=tweede');
    await press(page, '+1 dag');
    await soon(() => text(page, '#klok')).toContain('2 juni 2026');

    await page.goBack();
    await soon(() => text(page, '#wereld')).toContain('eerste');
    await soon(() => text(page, '#klok')).toContain('1 juni 2026');
    await page.goForward();
    await soon(() => text(page, '#klok')).toContain('2 juni 2026');

    await press(page, 'Begin opnieuw');
    await soon(() => text(page, '#klok')).toContain('1 juni 2026');
    await press(page, 'Verwijder wereld');
    await soon(() => page.title()).toContain('default');
    expect(page.url()).not.toContain('wereld=');
  });

  it('begins a world on a given date, lists all worlds, and shows changes by others', async () => {
    const { page } = await look('begin');
    await open(page, 'wereld');
    await page.locator('#wereld summary').click();
    await page.getByLabel('Begin op een dag').fill('2028-02-29');
    await press(page, 'Begin op deze dag');
    await soon(() => text(page, '#klok')).toContain('De verhalen begonnen op 29 februari 2028.');
    await soon(() => text(page, card('sanne-de-wit'))).toContain('29 juni 2028');
    expect(await page.locator('#wereld').getByRole('link', { name: 'begin' }).getAttribute('aria-current')).toBe(
      'page',
    );

    await service().call('POST', '/_simulator/worlds/begin/clock', { json: { move: '+1year' } });
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await soon(() => text(page, '#klok')).toContain('28 februari 2029');
    await open(page, 'wereld');
    await page.locator('#wereld').getByRole('link', { name: 'default' }).click();
    await soon(() => page.title()).toContain('default');
  });

  it('copies the headers, the -H lines or the curl command of a persona with one click', async () => {
    const { page, clipboard } = await look('knippen');
    await press(page, 'Kopieer headers van Sanne de Wit');
    await soon(async () => JSON.parse(await clipboard())).toMatchObject({ 'X-Subject': 'sanne-de-wit@knippen' });
    await choose(page, 'teamlead-tess');
    await press(page, 'Kopieer -H-regels van Tess Vermeulen');
    await soon(clipboard).toContain("-H 'X-Medewerker: teamlead-tess@knippen'");
    await choose(page, 'joost-van-buren');
    await press(page, 'Kopieer curl van Joost van Buren');
    await soon(clipboard).toMatch(/^curl .*joost-van-buren@knippen/);
    await soon(() => text(page, '#said')).toBe('Curl gekopieerd.');
  });

  it('explains in Dutch what is wrong and what to do, also when the service is unreachable', async () => {
    const { page } = await look('fouten');
    await open(page, 'klok');
    await page.locator('#klok summary').click();
    await page.getByLabel('Verschuif met').fill('morgen');
    await press(page, 'Verschuif');
    await soon(() => page.locator('#klok [role=alert]').innerText()).toContain('Pas de invoer aan');
    expect(await serious(page)).toEqual([]);

    await page.route('**/_simulator/**', (route) => route.abort());
    await press(page, '+1 dag');
    await soon(() => text(page, '#klok [role=alert]')).toContain('Start hem met npm start');
  });
});

describe('the clock in the console', () => {
  it('can be moved, frozen, started, set to a date and reset to the real time', async () => {
    const { page } = await look('klok');
    await press(page, '+4 maanden');
    await soon(() => text(page, '#klok')).toContain('1 oktober 2026');
    await press(page, '−1 dag');
    await soon(() => text(page, '#klok')).toContain('30 september 2026');
    await press(page, 'Zet stil');
    await soon(() => text(page, '#klok')).toContain('staat stil');
    await press(page, 'Laat lopen');
    await soon(() => text(page, '#klok')).toContain('loopt');
    await open(page, 'klok');
    await page.locator('#klok summary').click();
    await page.getByLabel('Zet op datum').fill('2027-01-15');
    await press(page, 'Zet klok');
    await soon(() => text(page, '#klok')).toMatch(/15 januari 2027.*staat stil/);
    await page.getByLabel('Verschuif met').fill('+1year 2days');
    await press(page, 'Verschuif');
    await soon(() => text(page, '#klok')).toContain('17 januari 2028');
    await press(page, 'Echte tijd');
    await soon(() => text(page, '#klok')).toContain('echte tijd');
  });

  it('can be set to the day before, of and after a deadline with one click', async () => {
    const { page } = await look('dagen');
    await open(page, 'klok');
    await page.getByLabel('Naar de uiterste datum van').selectOption('sanne-de-wit');
    for (const [day, now] of [
      ['Dag −1', 'Geregistreerd'],
      ['Dag 0', 'Geregistreerd'],
      ['Dag +1', 'Doorgehaald'],
    ] as const) {
      await press(page, day);
      await soon(() => text(page, card('sanne-de-wit'))).toContain(now);
    }
    await soon(() => text(page, '#klok')).toContain('2 oktober 2026');
  });
});

describe('faults in the console', () => {
  it('can be switched on and off by scenario, and all off at once', async () => {
    const { page } = await look('scenario');
    await open(page, 'storingen');
    const down = page.getByRole('switch', { name: 'DUO valt uit' });
    await down.check();
    await soon(() => text(page, '#storingen')).toContain('van scenario ‘DUO valt uit’');
    await page.getByRole('switch', { name: 'BRP is traag' }).check();
    await soon(() => text(page, '#wereld')).toContain('2 storingen');
    await down.uncheck();
    await soon(() => text(page, '#wereld')).toContain('1 storing,');
    await press(page, 'Zet alles uit');
    await soon(() => text(page, '#storingen')).toContain('Er staan geen storingen aan.');
    expect(await page.getByRole('switch', { name: 'BRP is traag' }).isChecked()).toBe(false);
  });

  it('can be added one by one, with delay, probability, status and Retry-After', async () => {
    const { page } = await look('storing');
    await open(page, 'storingen');
    await page.locator('#storingen summary').click();
    expect(await page.locator('#storingen .field:visible').count()).toBe(8);
    await page.getByLabel('Bron').selectOption('register');
    await page.locator('#storingen').getByLabel('Operatie').selectOption('zaken-indienen');
    await page.getByLabel('Wat gaat er mis').selectOption('lost');
    await press(page, 'Zet storing aan');
    await soon(() => text(page, '#storingen')).toContain(
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
    await soon(() => text(page, '#storingen')).toContain(
      'BRP (alle operaties): antwoordt laat · 5 tot 9 ms · kans 50 % · seed 7',
    );

    await page.getByLabel('Wat gaat er mis').selectOption('status');
    await page.locator('#storingen').getByLabel('Status', { exact: true }).fill('429');
    await page.getByLabel('Retry-After').fill('3');
    await press(page, 'Zet storing aan');
    await soon(() => text(page, '#storingen')).toContain('antwoordt met een foutstatus · 429 · Retry-After 3');
    await press(page, /^Zet uit BRP.*laat/);
    await soon(() => text(page, '#wereld')).toContain('2 storingen');

    await page.getByLabel('Bron').selectOption('dienst');
    await page.locator('#storingen').getByLabel('Operatie').selectOption('notes');
    await page.getByLabel('Wat gaat er mis').selectOption('problem');
    await page.getByLabel('Probleemcode').selectOption('niet-ingelogd');
    await page.getByLabel('Alleen voor persona').fill('sanne-de-wit');
    await page.getByLabel('Na zoveel aanroepen').fill('2');
    await press(page, 'Zet storing aan');
    await soon(() => text(page, '#storingen')).toContain(
      'De dienst zelf (notes): antwoordt met een probleem · niet-ingelogd · alleen Sanne de Wit · na 2 aanroepen',
    );
  });
});

describe('the panel of cases, letter and uploads in the console', () => {
  it('grants a case, makes it pending again, and refuses or dismisses it with a reason', async () => {
    const { page } = await look('zaken');
    await choose(page, 'lotte-van-dijk');
    await open(page, 'stand');
    const lotte = page.locator('#stand .line', { hasText: 'Lotte van Dijk' });
    await lotte.getByRole('button', { name: 'Wijs toe' }).click();
    await soon(() => lotte.innerText()).toContain('toegewezen');
    await soon(() => text(page, card('lotte-van-dijk'))).toContain('2031');
    await lotte.getByRole('button', { name: 'Terug in behandeling' }).click();
    await soon(() => lotte.innerText()).toContain('in behandeling');
    const reason = lotte.getByRole('textbox', { name: /^Reden om HER-\S+ af te wijzen of niet te behandelen$/ });
    await reason.fill('Te weinig uren.');
    await lotte.getByRole('button', { name: 'Wijs af' }).click();
    await soon(() => lotte.innerText()).toContain('Te weinig uren.');
    await reason.fill('Bewijs ontbreekt.');
    await lotte.getByRole('button', { name: 'Behandel niet' }).click();
    await soon(() => lotte.innerText()).toContain('Bewijs ontbreekt.');
  });

  it('changes the state of the letter and of an upload, but not of an upload of a request', async () => {
    const { page } = await look('stand');
    await choose(page, 'ruben-smit');
    await open(page, 'stand');
    await page.getByLabel('Stand van de brief').selectOption('approved');
    await press(page, 'Zet in deze stand');
    await soon(() => text(page, '#stand')).toContain('Goedgekeurd door');
    await page.getByLabel('Stand van jaaropgave, Ruben Smit').selectOption('uploaded');
    await open(page, 'tab-antwoord');
    await soon(() => text(page, card('ruben-smit'))).toContain('jaaropgave.pdf: geüpload');
    await open(page, 'stand');

    const linked = page.getByLabel('Stand van Certificaat.pdf, Ruben Smit');
    await linked.selectOption('rejected');
    await soon(() => text(page, '#stand [role=alert]')).toContain('Dit document hoort bij een aanvraag');
    await soon(() => linked.inputValue()).toBe('uploaded');
  });
});

describe('the mailbox in the console', () => {
  it('shows the letters of a persona as HTML and PDF, and more letters after the clock is moved', async () => {
    const { page } = await look('brievenbus');
    await open(page, 'post');
    await page.getByLabel('Post van').selectOption('noor-bakker');
    await soon(() => text(page, '#post .lines')).toBe('Er is tot vandaag niets gestuurd.');
    await page.getByLabel('Post van').selectOption('sanne-de-wit');
    await soon(() => page.locator('#post .line').count()).toBe(1);
    await press(page, /^Toon Oproep: .+, 1 april 2026$/);
    const paper = page.getByRole('article', { name: 'Oproep: vraag uiterlijk op 1 oktober 2026 herregistratie aan' });
    await soon(() => paper.innerText()).toContain('Geachte mevrouw De Wit,');
    expect(await paper.getByRole('listitem').count()).toBe(3);
    expect(await serious(page)).toEqual([]);

    const href = await page.getByRole('link', { name: /^PDF Oproep/ }).getAttribute('href');
    const pdf = await page.request.get(new URL(href ?? '', page.url()).href);
    expect([pdf.status(), pdf.headers()['content-type']]).toEqual([200, 'application/pdf']);

    await press(page, '+4 maanden');
    await press(page, '+1 dag');
    await soon(() => page.locator('#post .line').count()).toBe(4);
    // The letter that was open stays so; closing it gives the focus back.
    await paper.waitFor();
    await press(page, /^Sluiten Oproep/);
    expect(await page.evaluate('document.activeElement.textContent')).toMatch(/^Toon Oproep/);
  });
});

describe('the letter in the console', () => {
  it('begins about a case with the outcome buiten behandeling, or with a request to complete the application', async () => {
    const { page } = await look('uitkomst');
    await open(page, 'stand');
    const letter = page.locator('#stand');
    await letter.getByLabel('Zaak van de brief').selectOption('HER-2026-000097');
    await letter.getByLabel('Begin met').selectOption('buiten-behandeling');
    await letter.getByLabel('Stand van de brief').selectOption('sent');
    await press(page, 'Zet in deze stand');
    await soon(() => text(page, '#stand')).toContain('Over zaak HER-2026-000097');
    await soon(() => letter.locator('.line', { hasText: 'Ingrid Visser' }).innerText()).toContain('buiten behandeling');
  });

  it('has a preview in which axe finds nothing', async () => {
    const { page } = await look('papier');
    const dana = { authorization: 'Bearer test', 'x-subject': 'drafter-dana@papier', accept: 'text/html' };
    await page.setExtraHTTPHeaders(dana);
    await page.goto(new URL('/api/v1/brief/preview', page.url()).href);
    expect(await page.getByRole('heading', { level: 2 }).count()).toBe(4);
    expect(await findings(page)).toEqual([]);
  });
});

describe('snapshots in the console', () => {
  it('can be saved, restored, downloaded, deleted and uploaded again', async () => {
    const { page } = await look('opname');
    await press(page, '+1 maand');
    await soon(() => text(page, '#klok')).toContain('1 juli 2026');
    await open(page, 'momentopnamen');
    await page.locator('#momentopnamen').getByLabel('Naam').fill('juli');
    await press(page, 'Bewaar deze wereld');
    const kept = page.locator('#momentopnamen .line', { hasText: 'wereld opname' });
    await kept.first().waitFor();
    await press(page, 'Begin opnieuw');
    await soon(() => text(page, '#klok')).toContain('1 juni 2026');
    await press(page, 'Zet terug juli', '#momentopnamen');
    await soon(() => text(page, '#klok')).toContain('1 juli 2026');

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download juli' }).click(),
    ]);
    const path = await download.path();
    await press(page, 'Verwijder juli');
    await soon(() => kept.count()).toBe(0);
    await page.getByLabel('Momentopname uit een bestand').setInputFiles({
      name: 'zomer.json',
      mimeType: 'application/json',
      buffer: await readFile(path),
    });
    await page.getByRole('button', { name: 'Zet terug zomer' }).waitFor();
    await press(page, 'Verwijder zomer');
  });
});
