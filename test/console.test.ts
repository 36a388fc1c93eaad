import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from './support/browser.ts';
import { type OpenConsole, openConsole, serious, sideways, soon } from './support/console.ts';
import { startService, type TestService } from './support/service.ts';

let service: TestService;
let browser: Browser;
const opened: OpenConsole[] = [];

beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), openBrowser()]);
}, 60_000);

afterAll(async () => {
  await browser?.close();
  await service?.close();
});

afterEach(async () => {
  const errors = opened.flatMap((one) => one.errors);
  await Promise.all(opened.splice(0).map((one) => one.close()));
  expect(errors).toEqual([]);
});

async function look(world: string, options: BrowserContextOptions = {}): Promise<OpenConsole> {
  const one = await openConsole(browser, service.url, world, options);
  opened.push(one);
  return one;
}

const press = (page: Page, name: string | RegExp, within = 'body') =>
  page
    .locator(within)
    .getByRole('button', { name, exact: typeof name === 'string' })
    .click();
const text = (page: Page, selector: string) => page.locator(selector).innerText();
/** A letter that is begun anew has an id of its own. */
const withoutIds = (all: string) => all.replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'id');
const card = (slug: string) => `#persoon-${slug}`;

describe('the console shows a world', () => {
  it('has everyone as a card: what they show, and how they stand now', async () => {
    const { page } = await look('kaarten');
    expect(await page.locator('.card').count()).toBe(18);
    const sanne = await text(page, card('sanne-de-wit'));
    expect(sanne).toContain('vier maanden voor de uiterste datum');
    expect(sanne).toContain('Mag herregistreren');
    expect(await text(page, card('fatima-yilmaz'))).toContain('geheim adres');
    expect(await text(page, card('pieter-hoekstra'))).toContain('Geschorst');

    await page.getByLabel('Zoek een persoon').fill('tuchtcollege');
    expect(await page.locator('.card').count()).toBe(1);
    expect(await text(page, '#personen')).toContain('1 persoon');
  });

  it('keeps the world in the address, makes one by naming it, begins it anew and drops it', async () => {
    const { page } = await look('eerste');
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

  it('begins it on a day, lists the worlds there are, and sees what others do to it', async () => {
    const { page } = await look('begin');
    await page.locator('#wereld summary').click();
    await page.getByLabel('Begin op een dag').fill('2028-02-29');
    await press(page, 'Begin op deze dag');
    await soon(() => text(page, '#klok')).toContain('De verhalen begonnen op 29 februari 2028.');
    await soon(() => text(page, card('sanne-de-wit'))).toContain('29 juni 2028');
    expect(await page.locator('#wereld').getByRole('link', { name: 'begin' }).getAttribute('aria-current')).toBe(
      'page',
    );

    await service.call('POST', '/_simulator/worlds/begin/clock', { json: { move: '+1year' } });
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await soon(() => text(page, '#klok')).toContain('28 februari 2029');
    await page.locator('#wereld').getByRole('link', { name: 'default' }).click();
    await soon(() => page.title()).toContain('default');
  });

  it('copies headers, lines for curl and a whole curl in one click', async () => {
    const { page, clipboard } = await look('knippen');
    await press(page, 'Kopieer headers van Sanne de Wit');
    await soon(async () => JSON.parse(await clipboard())).toMatchObject({ 'X-Subject': 'sanne-de-wit@knippen' });
    await press(page, 'Kopieer -H-regels van Teamlead'.replace('Teamlead', 'Tess Vermeulen'));
    await soon(clipboard).toContain("-H 'X-Medewerker: teamlead-tess@knippen'");
    await press(page, 'Kopieer curl van Joost van Buren');
    await soon(clipboard).toMatch(/^curl .*joost-van-buren@knippen/);
    expect(await text(page, '#said')).toBe('Curl gekopieerd.');
  });

  it('says in Dutch what is wrong and what to do', async () => {
    const { page } = await look('fouten');
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

describe('the console sets the clock', () => {
  it('moves it, stops it, lets it run and puts it on a day', async () => {
    const { page } = await look('klok');
    await press(page, '+4 maanden');
    await soon(() => text(page, '#klok')).toContain('1 oktober 2026');
    await press(page, '−1 dag');
    await soon(() => text(page, '#klok')).toContain('30 september 2026');
    await press(page, 'Zet stil');
    await soon(() => text(page, '#klok')).toContain('staat stil');
    await press(page, 'Laat lopen');
    await soon(() => text(page, '#klok')).toContain('loopt');
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

  it('goes to the day before, of and after a deadline in one click', async () => {
    const { page } = await look('dagen');
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

describe('the console makes things go wrong', () => {
  it('switches scenarios on and off, and all of it off', async () => {
    const { page } = await look('scenario');
    const down = page.getByRole('switch', { name: 'duo-down' });
    await down.check();
    await soon(() => text(page, '#storingen')).toContain('van scenario duo-down');
    await page.getByRole('switch', { name: 'brp-slow' }).check();
    await soon(() => text(page, '#wereld')).toContain('2 storingen');
    await down.uncheck();
    await soon(() => text(page, '#wereld')).toContain('1 storing,');
    await press(page, 'Zet alles uit');
    await soon(() => text(page, '#storingen')).toContain('Er staan geen storingen aan.');
    expect(await page.getByRole('switch', { name: 'brp-slow' }).isChecked()).toBe(false);
  });

  it('adds a fault of one’s own, with the numbers that go with it', async () => {
    const { page } = await look('storing');
    await page.locator('#storingen summary').click();
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
    await page.getByLabel('Status', { exact: true }).first().fill('429');
    await page.getByLabel('Retry-After').fill('3');
    await press(page, 'Zet storing aan');
    await soon(() => text(page, '#storingen')).toContain('antwoordt met een foutstatus · 429 · Retry-After 3');
    await press(page, /^Zet uit BRP.*laat/);
    await soon(() => text(page, '#wereld')).toContain('2 storingen');
  });
});

describe('the console keeps a journal', () => {
  it('shows a call as it comes, with what it asked of whom and why the answer is what it is', async () => {
    const { page, clipboard } = await look('journaal');
    await press(page, 'Probeer als Ingrid Visser');
    await soon(() => text(page, card('ingrid-visser'))).toContain('eligibleForHerregistratie');
    const entry = page.locator('.entry').first();
    await entry.locator('summary').first().click();
    await soon(() => entry.innerText()).toContain('GET /api/v1/dashboard-view');
    const shown = await entry.innerText();
    expect(shown).toContain('ingrid-visser');
    expect(shown).toContain('Waarom');
    expect(shown).toContain('register');
    await press(page, /^Kopieer curl van GET/);
    await soon(clipboard).toContain('ingrid-visser@journaal');
  });

  it('is filtered, paused, taken along as a HAR file and cleared', async () => {
    const { page } = await look('filter');
    await press(page, 'Probeer als Sanne de Wit');
    await press(page, 'Probeer als Bas Willems');
    await page.getByLabel('Pad om te proberen').fill('/api/v1/dashboard-view');
    await press(page, 'Probeer als Bas Willems');
    const visible = page.locator('.entries > li:visible');
    await soon(() => visible.count()).toBe(3);
    await page.locator('#journaal').getByLabel('Status').selectOption('4');
    expect(await visible.count()).toBe(1);
    await page.locator('#journaal').getByLabel('Status').selectOption('');
    await page.locator('#journaal').getByLabel('Persoon').selectOption({ index: 2 });
    expect(await visible.count()).toBe(1);
    await page.locator('#journaal').getByLabel('Persoon').selectOption('');

    await press(page, 'Pauzeer');
    await press(page, 'Probeer als Sanne de Wit');
    await soon(() => text(page, '#wereld')).toContain('4 in het journaal');
    expect(await visible.count()).toBe(3);
    await press(page, 'Ga door');
    await soon(() => visible.count()).toBe(4);

    const [download] = await Promise.all([page.waitForEvent('download'), page.getByText('Download HAR').click()]);
    expect(download.suggestedFilename()).toBe('journaal-filter.har');
    await press(page, 'Wis journaal');
    await soon(() => visible.count()).toBe(0);
  });
});

describe('the console and a service that begins anew', () => {
  it('takes up the journal where the service does', async () => {
    const first = await startService();
    const one = await openConsole(browser, first.url, 'weg');
    opened.push(one);
    const { page } = one;
    await press(page, 'Probeer als Sanne de Wit');
    await press(page, 'Probeer als Ruben Smit');
    await soon(() => page.locator('.entry').count()).toBe(2);
    await first.close();
    await soon(() => text(page, '#journaal')).toContain('De verbinding met het journaal is weg');

    const second = await startService({ PORT: new URL(first.url).port });
    await soon(() => text(page, '#journaal')).not.toContain('De verbinding met het journaal is weg');
    await soon(() => page.locator('.entry').count()).toBe(0);
    await press(page, 'Probeer als Joost van Buren');
    await soon(() => page.locator('.entry').count()).toBe(1);
    await second.close();
  });
});

describe('the console decides', () => {
  it('grants and refuses a case and takes it back', async () => {
    const { page } = await look('zaken');
    const lotte = page.locator('#stand .line', { hasText: 'lotte-van-dijk' });
    await lotte.getByRole('button', { name: 'Wijs toe' }).click();
    await soon(() => lotte.innerText()).toContain('toegewezen');
    await soon(() => text(page, card('lotte-van-dijk'))).toContain('2031');
    await lotte.getByRole('button', { name: 'Terug in behandeling' }).click();
    await soon(() => lotte.innerText()).toContain('in behandeling');
    await lotte.getByRole('textbox').fill('Te weinig uren.');
    await lotte.getByRole('button', { name: 'Wijs af' }).click();
    await soon(() => lotte.innerText()).toContain('Te weinig uren.');
  });

  it('puts the letter and an upload in any state', async () => {
    const { page } = await look('stand');
    await page.getByLabel('Stand van de brief').selectOption('approved');
    await press(page, 'Zet in deze stand');
    await soon(() => text(page, '#stand')).toContain('Goedgekeurd door');
    await page.getByLabel('Stand van jaaropgave, ruben-smit').selectOption('uploaded');
    await soon(() => text(page, card('ruben-smit'))).toContain('jaaropgave.pdf: geüpload');

    const linked = page.getByLabel('Stand van Certificaat.pdf, ruben-smit');
    await linked.selectOption('rejected');
    await soon(() => text(page, '#stand [role=alert]')).toContain('Dit document hoort bij een aanvraag');
    expect(await linked.inputValue()).toBe('uploaded');
  });
});

describe('the console keeps snapshots', () => {
  it('saves a world, puts it back, hands it out as a file and takes it in', async () => {
    const { page } = await look('opname');
    await press(page, '+1 maand');
    await soon(() => text(page, '#klok')).toContain('1 juli 2026');
    await page.locator('#momentopnamen').getByLabel('Naam').fill('juli');
    await press(page, 'Bewaar deze wereld');
    const kept = page.locator('#momentopnamen .line', { hasText: 'wereld opname' });
    await kept.first().waitFor();
    await press(page, 'Begin opnieuw');
    await soon(() => text(page, '#klok')).toContain('1 juni 2026');
    await press(page, 'Zet terug juli');
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
      buffer: (await import('node:fs')).readFileSync(path),
    });
    await page.getByRole('button', { name: 'Zet terug zomer' }).waitFor();
    await press(page, 'Verwijder zomer');
  });
});

describe('the console plays a demonstration', () => {
  /** Plays what has begun to its end, and gives what was answered, but for how long it took. */
  const answers = async (page: Page, steps: number): Promise<string[]> => {
    const seen: string[] = [];
    for (let step = 1; step <= steps; step += 1) {
      await soon(() => text(page, '#demonstratie [role=status]')).toContain(`Stap ${step} van ${steps}`);
      seen.push(await text(page, '#demonstratie .answer'));
      if (step < steps) await press(page, 'Volgende');
    }
    return seen.map((one) => one.replace(/\d+ ms/, ''));
  };
  const statuses = (all: string[]) => all.map((one) => Number.parseInt(one, 10));

  it('from its beginning to its end, the same the second time', async () => {
    const { page } = await look('podium');
    await page.getByLabel('Kies een demonstratie').selectOption('herregistratie');
    await press(page, 'Begin');
    const first = await answers(page, 9);
    expect(statuses(first)).toEqual(Array(9).fill(200));
    expect(first[0]).toContain('"eligibleForHerregistratie": true');
    expect(first[2]).toContain('"eligibleForHerregistratie": false');
    expect(first[3]).toContain('2031');
    expect(first[7]).toContain('"tag": "sent"');
    expect(first[8]).toContain('2031');
    await press(page, 'Opnieuw vanaf het begin');
    expect((await answers(page, 9)).map(withoutIds)).toEqual(first.map(withoutIds));
  });

  it.each([
    ['of a source that is slow, and then gone', 'duo-traag', [200, 200, 200, 503, 200, 200], 'verpleegkundige'],
    ['of a deadline', 'uiterste-datum', [200, 200, 200, 422, 200, 200, 200], '2031-10-02'],
  ] as const)('%s', async (_, name, expected, ends) => {
    const { page } = await look(name);
    await page.getByLabel('Kies een demonstratie').selectOption(name);
    await press(page, 'Begin');
    const all = await answers(page, expected.length);
    expect(statuses(all)).toEqual(expected);
    expect(all.at(-1)).toContain(ends);
  });

  it('back and forth, and from a file', async () => {
    const { page, clipboard } = await look('bestand');
    const steps = ['+1day', '+1month'].map((move) => ({
      title: `Verder met ${move}`,
      say: 'Kijk naar de klok.',
      clock: { move },
      persona: 'sanne-de-wit',
      path: '/api/v1/dashboard-view',
    }));
    const demo = { name: 'eigen', title: 'Eigen verhaal', steps };
    await page
      .getByLabel('Of open een bestand')
      .setInputFiles({ name: 'eigen.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(demo)) });
    await soon(() => text(page, '#klok')).toContain('2 juni 2026');
    await press(page, 'Volgende');
    await soon(() => text(page, '#klok')).toContain('2 juli 2026');
    await press(page, 'Vorige');
    await soon(() => text(page, '#klok')).toContain('2 juni 2026');
    expect(await text(page, '#demonstratie')).toContain('Kijk naar de klok.');
    await press(page, 'Kopieer headers', '#demonstratie');
    await soon(clipboard).toContain('sanne-de-wit@bestand');

    await page
      .getByLabel('Of open een bestand')
      .setInputFiles({ name: 'leeg.json', mimeType: 'application/json', buffer: Buffer.from('{}') });
    await soon(() => text(page, '#demonstratie [role=alert]')).toContain('title en steps');
  });
});

describe('the console is for everyone', () => {
  it('works by keyboard alone, and keeps focus where it was', async () => {
    const { page } = await look('toetsen');
    const focused = () =>
      page.evaluate('document.activeElement.innerText || document.activeElement.id') as Promise<string>;
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Naar de inhoud');
    await page.keyboard.press('Enter');
    expect(await focused()).toContain('Wereld');

    await page.getByRole('button', { name: '+1 dag' }).focus();
    await page.keyboard.press('Enter');
    await soon(() => text(page, '#klok')).toContain('2 juni 2026');
    expect(await focused()).toBe('+1 dag');

    await page.getByRole('button', { name: 'Zet stil' }).focus();
    await page.keyboard.press('Enter');
    await soon(focused).toBe('Laat lopen');

    await page.getByRole('switch', { name: 'duo-slow' }).focus();
    await page.keyboard.press('Space');
    await soon(() => text(page, '#storingen')).toContain('van scenario duo-slow');
    expect(await page.evaluate('document.activeElement.dataset.key')).toBe('scenario-duo-slow');

    await page.getByRole('button', { name: 'Begin', exact: true }).focus();
    await page.keyboard.press('Enter');
    await soon(() => text(page, '#demonstratie [role=status]')).toContain('Stap 1');
    await page.keyboard.press('PageDown');
    await soon(() => text(page, '#demonstratie [role=status]')).toContain('Stap 2');
    await page.keyboard.press('PageUp');
    await soon(() => text(page, '#demonstratie [role=status]')).toContain('Stap 1');

    await page.locator('.entry > summary').first().focus();
    await page.keyboard.press('Enter');
    await soon(() => page.locator('.entry[open]').count()).toBe(1);
  });

  it.each([
    ['320 pixels wide', { viewport: { width: 320, height: 640 } }],
    ['wide', {}],
    ['in the dark', { colorScheme: 'dark' as const }],
  ])('has no serious finding of axe and no sideways scrolling: %s', async (_, options) => {
    const { page } = await look('breed', options);
    await press(page, 'Begin');
    await soon(() => text(page, '#demonstratie [role=status]')).toContain('Stap 1');
    await press(page, 'Probeer als Ruben Smit');
    await page.getByRole('switch', { name: 'register-down' }).check();
    await press(page, 'Probeer als Sanne de Wit');
    for (const summary of await page.locator('.more > summary').all()) await summary.click();
    await page.locator('.entry > summary').first().click();
    await page.locator('.entry .code').first().waitFor();
    expect(await serious(page)).toEqual([]);
    expect(await sideways(page)).toBe(0);
  });
});

describe('two people in two worlds', () => {
  it('see nothing of each other, a year apart', async () => {
    const [{ page: one }, { page: two }] = await Promise.all([look('een'), look('twee')]);
    await two.locator('#klok summary').click();
    await two.getByLabel('Zet op datum').fill('2027-06-01');
    await press(two, 'Zet klok');
    await two.getByRole('switch', { name: 'register-down' }).check();
    await press(two, 'Probeer als Sanne de Wit');
    await press(one, 'Probeer als Sanne de Wit');
    await soon(() => text(one, card('sanne-de-wit'))).toContain('"eligibleForHerregistratie": true');
    await soon(() => text(two, card('sanne-de-wit'))).toContain('503');
    expect(await text(one, '#klok')).toContain('1 juni 2026');
    expect(await text(two, '#klok')).toContain('1 juni 2027');
    await soon(() => one.locator('.entry').count()).toBe(1);
    expect(await text(one, '#storingen')).toContain('Er staan geen storingen aan.');
  });
});
