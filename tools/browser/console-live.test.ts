import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createLetterClient } from '../../test/support/letter.ts';
import { startService } from '../../test/support/service.ts';
import {
  callAs,
  DEMO_NAMES,
  expectSoon,
  findings,
  horizontalOverflow,
  openConsole,
  openPart,
  personPanel,
  press,
  seriousFindings,
  switchOn,
  text,
  useConsole,
} from './support/console.ts';
import { smallTargets } from './support/page.ts';

const { look, browser, keep, service } = useConsole();

const worlds = async (): Promise<string[]> =>
  (await service().get('/_simulator/worlds')).body.map(({ world }: { world: string }) => world);

describe('the journal in the console', () => {
  it('shows a new call with its path, caller and the rule that decided, beside an answer with its time, and copies it as curl', async () => {
    const { page, clipboard } = await look('journaal');
    await callAs(page, 'ingrid-visser');
    await expectSoon(() => text(page, personPanel('ingrid-visser'))).toContain('eligibleForHerregistratie');
    expect(await text(page, '.answer__head')).toMatch(/^\d\d:\d\d:\d\d\s200\s\/api\/v1\/dashboard-view · \d+ ms/);
    const entry = page.locator('.entry').first();
    await entry.locator('summary').first().click();
    await expectSoon(() => entry.innerText()).toContain('Waarom');
    const shown = await entry.innerText();
    expect(shown).toContain('GET /api/v1/dashboard-view');
    expect(shown).toContain('Ingrid Visser');
    expect(shown).toContain('Herregistratie kan niet, omdat aanvraag HER-2026-000097 nog loopt.');
    expect(shown).toMatch(/in de wereld 1 jun 2026/);
    const calls = await entry.locator('.waterfall > li').allInnerTexts();
    expect(calls.slice(1).map((one) => one.split(' ')[0])).toEqual(
      expect.arrayContaining(['registraties', 'personen']),
    );
    await entry.locator('.reasons summary').first().click();
    await expectSoon(() => entry.locator('.reasons > li').first().innerText()).toMatch(
      /checkHerregistratie.*Uw aanvraag HER/s,
    );
    const [source] = await Promise.all([
      page.context().waitForEvent('page'),
      entry.getByRole('link', { name: 'domain.md 4.2' }).first().click(),
    ]);
    await source.getByRole('heading', { name: 'Domain: rules and decisions' }).waitFor();
    await source.close();
    await press(page, /^Kopieer curl van GET/);
    await expectSoon(clipboard).toContain('ingrid-visser@journaal');
  });

  it('has the upstreams that answered on one line, says which upstream failed, and is in view while the drawer with its fault is open', async () => {
    const { page } = await look('uitval', { viewport: { width: 1_440, height: 900 } });
    const answerOfSanne = () => service().get('/api/v1/dashboard-view', { as: 'sanne-de-wit@uitval' });
    const upstreams = (status: string) =>
      page.locator('.entry', { hasText: status }).first().locator('.entry__bron').allInnerTexts();
    await answerOfSanne();
    await expectSoon(() => upstreams('200')).toEqual([
      expect.stringMatching(/^(registraties, personen|personen, registraties)$/),
    ]);
    await switchOn(page, 'Register valt uit');
    await answerOfSanne();
    await expectSoon(() => upstreams('503')).toEqual([
      expect.stringMatching(/^register niet beschikbaar \(2 pogingen\), geen verbinding$/),
      expect.stringMatching(/^personen|brp afgebroken$/),
    ]);
    await page.locator('.entry', { hasText: '503' }).locator('summary').first().click();
    await expectSoon(() => page.locator('.reasons > li').allInnerTexts()).toContain(
      'De bron Register deed het niet: niet beschikbaar (2 pogingen), geen verbinding.',
    );
    expect(await page.locator('#storingen').isVisible()).toBe(true);
  });

  it('says first what refused a request, also when other rules were asked after it', async () => {
    const { page } = await look('eerst');
    const letter = createLetterClient(service(), 'eerst');
    await letter.get('dana');
    await letter.post('dana', 'submit');
    await page.locator('.entry', { hasText: 'plaatshouder-open' }).locator('summary').first().click();
    await expectSoon(() => page.locator('.reasons > li').first().innerText()).toContain(
      'Geweigerd, omdat geldt: “‘Beoordeelde periode’ heeft nog geen tekst”.',
    );
    expect(await page.locator('.reasons > li').count()).toBeGreaterThan(1);
  });

  it('shows the duration of each call as a bar, also in Windows High Contrast', async () => {
    const { page } = await look('balken', { forcedColors: 'active' });
    await callAs(page, 'ingrid-visser');
    const entry = page.locator('.entry').first();
    await entry.locator('summary').first().click();
    await entry.locator('.waterfall__bar').first().waitFor();
    const [bar, track] = (await page.evaluate(
      "['.waterfall__bar', '.waterfall__track'].map((part) => getComputedStyle(document.querySelector(part)).backgroundColor)",
    )) as string[];
    expect(bar).not.toBe(track);
  });

  it('is followed without the list of worlds, which is loaded when its drawer opens: a new world of others is in it', async () => {
    const { page } = await look('druk');
    await service().get('/api/v1/notes', { as: 'sanne-de-wit@druk-van-een-ander' });
    await openPart(page, 'wereld');
    await expectSoon(() => text(page, '#wereld')).toContain('druk-van-een-ander');
  });

  it('shows the name of a caller as soon as it is known, also when the call came before it', async () => {
    const { page } = await look('namen');
    let isBasKnown = false;
    const withoutBas = (all: { slug: string }[]) => all.filter(({ slug }) => slug !== 'behandelaar-bas');
    await page.route('**/worlds/namen/personas?*', async (route) => {
      const response = await route.fetch();
      const all = await response.json();
      await route.fulfill({ response, json: isBasKnown ? all : withoutBas(all) });
    });
    await page.reload();
    const who = () => page.locator('.entry__who').allInnerTexts();
    const headers = { authorization: 'Bearer x', 'x-medewerker': 'behandelaar-bas@namen', 'x-rollen': 'behandelaar' };
    await service().call('GET', '/api/v1/brief', { headers });
    await expectSoon(who).toEqual([expect.stringMatching(/^behandelaar-bas · /)]);
    isBasKnown = true;
    await callAs(page, 'sanne-de-wit');
    await expectSoon(who).toEqual([expect.stringMatching(/^Sanne de Wit · /), expect.stringMatching(/^Bas .* · /)]);
  });

  it('can be filtered, paused, downloaded as a HAR file and cleared', async () => {
    const { page } = await look('filter');
    await callAs(page, 'sanne-de-wit');
    await callAs(page, 'behandelaar-bas');
    await page.getByLabel('Pad om te proberen').fill('/api/v1/dashboard-view');
    await callAs(page, 'behandelaar-bas');
    const visible = page.locator('.entries > li:visible');
    await expectSoon(() => visible.count()).toBe(3);
    await page.locator('#journaal').getByLabel('Status').selectOption('4');
    expect(await visible.count()).toBe(1);
    await page.locator('#journaal').getByLabel('Status').selectOption('');
    await page.locator('#journaal').getByLabel('Persoon').selectOption({ index: 2 });
    expect(await visible.count()).toBe(1);
    await page.locator('#journaal').getByLabel('Persoon').selectOption('');
    await page.getByLabel('Zoek in het journaal').fill('geen');
    await page.locator('#journaal').getByText('Geen aanroepen die hierbij passen.').waitFor();
    await press(page, 'Wis de filters');
    await expectSoon(() => visible.count()).toBe(3);

    await press(page, 'Pauzeer');
    await callAs(page, 'sanne-de-wit');
    await expectSoon(() => text(page, '#wereld')).toContain('4 in het journaal');
    expect(await visible.count()).toBe(3);
    await press(page, 'Ga door');
    await expectSoon(() => visible.count()).toBe(4);

    const [download] = await Promise.all([page.waitForEvent('download'), page.getByText('Download HAR').click()]);
    expect(download.suggestedFilename()).toBe('journaal-filter.har');
    await press(page, 'Wis journaal');
    await expectSoon(() => visible.count()).toBe(0);
  });

  it('is downloaded under the name of the world that is shown, and runs again in another world', async () => {
    const { page } = await look('eerst');
    await press(page, 'Pauzeer');
    await openPart(page, 'wereld');
    await page.getByLabel('Naam van de wereld').fill('daarna');
    await press(page, 'Naar deze wereld');
    await expectSoon(() => text(page, '#wereld')).toContain('daarna');
    await page.getByRole('button', { name: 'Pauzeer' }).waitFor();
    const har = page.getByText('Download HAR');
    await expectSoon(() => har.getAttribute('href')).toBe('/_simulator/worlds/daarna/journal.har');
    expect(await har.getAttribute('download')).toBe('journaal-daarna.har');
    await page.locator('#journaal').getByLabel('Status').selectOption('4');
    await expectSoon(() => har.getAttribute('href')).toMatch(/journal\.har\?status=4xx$/);
  });
});

describe('a journal of 5,000 calls', () => {
  it('says how many there are, shows 200 at a time, pages to the oldest, and finds a call by path, person, code and reason', async () => {
    const world = 'vijfduizend';
    const ask = (as: string, path: string) => service().get(`/api/v1/${path}`, { as: `${as}@${world}` });
    await ask('sanne-de-wit', 'registrations/nooit');
    await ask('ingrid-visser', 'dashboard-view');
    for (let done = 2; done < 5_000; done += 34)
      await Promise.all(Array.from({ length: 34 }, () => ask('ruben-smit', 'notes')));
    const { page } = await look(world);
    const entries = page.locator('.entry');
    const count = () => text(page, '.journal__count');
    await expectSoon(count).toBe('5.000 aanroepen; u ziet er 200');
    expect(await entries.count()).toBe(200);

    const search = page.getByLabel('Zoek in het journaal');
    const counts = page.evaluate(`new Promise((resolve) => {
      const seen = [];
      const place = document.querySelector('.journal__count');
      new MutationObserver(() => {
        seen.push(place.textContent);
        if (place.textContent.startsWith('1 ')) resolve(seen);
      }).observe(place, { childList: true, subtree: true, characterData: true });
    })`);
    for (const [words, found] of [
      ['registrations/nooit', /pad-onbekend/],
      ['ingrid', /dashboard-view/],
      ['pad-onbekend', /registrations\/nooit/],
      ['nog loopt', /Ingrid Visser/],
    ] as const) {
      await search.fill(words);
      await expectSoon(count).toBe('1 aanroep gevonden');
      expect(await entries.innerText()).toMatch(found);
    }
    // Not how many there were without the search.
    expect(await counts).toEqual(['Laden…', '1 aanroep gevonden']);
    await search.fill('');
    await expectSoon(() => entries.count()).toBe(200);
    // A pause stops what arrives by itself, not what the user asks for.
    await press(page, 'Pauzeer');
    await search.fill('ingrid');
    await expectSoon(count).toBe('1 aanroep gevonden');
    expect(await entries.innerText()).toContain('Ingrid Visser');
    await search.fill('');
    await expectSoon(() => entries.count()).toBe(200);
    await press(page, 'Ouder');
    await page.getByRole('button', { name: 'Nieuwste' }).waitFor();
    await expectSoon(() => entries.count()).toBe(200);
    await press(page, 'Nieuwste');
    await press(page, 'Ga door');
    // The journal keeps 5,000 calls.
    await ask('ruben-smit', 'notes');
    await expectSoon(() => entries.first().innerText()).toContain('notes');
    await expectSoon(count).toBe('5.000 aanroepen; u ziet er 200');

    await press(page, 'Ouder');
    await expectSoon(count).toBe('5.000 aanroepen; u ziet er 200');
    const { body: oldest } = await service().get(`/_simulator/worlds/${world}/journal?limit=1&after=0`);
    await page.goto(`${page.url().replace(/voor=\d+/, `voor=${oldest[0].id + 2}`)}`);
    await expectSoon(() => entries.allInnerTexts()).toHaveLength(2);
    // A new call is counted, and is not put among older ones.
    await ask('joost-van-buren', 'notes');
    await press(page, 'Nieuwste');
    await expectSoon(() => entries.first().innerText()).toContain('Joost van Buren');
    expect(await entries.count()).toBe(200);
  });

  it('can be used after thousands of calls that arrive at once', async () => {
    const { page } = await look('vloed');
    await service().get('/api/v1/notes', { as: 'ruben-smit@vloed' });
    const { body } = await service().get('/_simulator/worlds/vloed/journal?limit=1');
    const events = Array.from({ length: 3_000 }, (_, at) => ({ ...body[0], id: at + 1_000, traceId: `vloed-${at}` }));
    await page.route('**/journal/stream', (route) =>
      route.fulfill({
        contentType: 'text/event-stream',
        body: `retry: 1000000\n\n${events.map((one) => `event: entry\ndata: ${JSON.stringify(one)}\n\n`).join('')}`,
      }),
    );
    await page.reload();
    await expectSoon(() => text(page, '.journal__count')).toBe('200 aanroepen');
    await page.locator('.entry').first().click();
  });
});

describe('the console after a restart of the service', () => {
  it('reconnects, and shows the journal of the new process only', async () => {
    const first = await startService();
    const one = await openConsole(browser(), first.url, 'weg');
    keep(one);
    const { page } = one;
    await callAs(page, 'sanne-de-wit');
    await callAs(page, 'ruben-smit');
    await expectSoon(() => page.locator('.entry').count()).toBe(2);
    await first.close();
    await expectSoon(() => text(page, '#journaal')).toContain('De verbinding met het journaal is weg');

    const second = await startService({ PORT: new URL(first.url).port });
    await expectSoon(() => text(page, '#journaal')).not.toContain('De verbinding met het journaal is weg');
    await expectSoon(() => page.locator('.entry').count()).toBe(0);
    await callAs(page, 'joost-van-buren');
    await expectSoon(() => page.locator('.entry').count()).toBe(1);
    await second.close();
  });
});

describe('the console on a connection that loses data without closing', () => {
  it('shows the journal entries that it missed', async () => {
    let asleep = false;
    const { port } = new URL(service().url);
    const sleeper = createServer((near) => {
      const far = connect(Number(port), '127.0.0.1');
      near.on('data', (bytes) => asleep || far.write(bytes));
      far.on('data', (bytes) => asleep || near.write(bytes));
      near.on('error', () => far.destroy()).on('close', () => far.destroy());
      far.on('error', () => near.destroy()).on('close', () => near.destroy());
    });
    await once(sleeper.listen(0, '127.0.0.1'), 'listening');
    const one = await openConsole(browser(), `http://127.0.0.1:${(sleeper.address() as AddressInfo).port}`, 'slaap');
    const { page } = one;
    await callAs(page, 'sanne-de-wit');
    await expectSoon(() => text(page, '#wereld')).toContain('1 in het journaal');
    await page.waitForTimeout(500);
    asleep = true;
    await service().get('/api/v1/dashboard-view', { as: 'ruben-smit@slaap' });
    await service().get('/api/v1/dashboard-view', { as: 'joost-van-buren@slaap' });
    // Long enough for what was said in the meantime to be lost.
    await page.waitForTimeout(300);
    asleep = false;
    await press(page, 'Zet stil');
    await expectSoon(() => page.locator('.entry').count()).toBe(3);
    expect(one.errors).toEqual([]);
    await one.close();
    sleeper.close();
  });
});

describe('the console on a connection that breaks in the middle of an answer', () => {
  it('says that the simulator cannot be reached, for the service and for the control API', async () => {
    let isCut = false;
    const { port } = new URL(service().url);
    const proxy = createServer((near) => {
      const far = connect(Number(port), '127.0.0.1');
      near.pipe(far);
      far.on('data', (bytes) => {
        const isHalf = isCut && bytes.includes('\r\n\r\n');
        // The status line, the headers and the first ten bytes of the body.
        near.write(isHalf ? bytes.subarray(0, bytes.indexOf('\r\n\r\n') + 14) : bytes);
        if (isHalf) near.end();
      });
      near.on('error', () => far.destroy()).on('close', () => far.destroy());
      far.on('error', () => near.destroy()).on('close', () => near.destroy());
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const one = await openConsole(browser(), `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, 'half');
    keep(one);
    const { page } = one;
    isCut = true;
    await callAs(page, 'sanne-de-wit');
    await expectSoon(() => text(page, '#inhoud')).toContain('De simulator is niet bereikbaar');
    await openPart(page, 'klok');
    await page.getByRole('button', { name: '+1 dag' }).click();
    await expectSoon(() => text(page, '#klok')).toContain('De simulator is niet bereikbaar');
    isCut = false;
    proxy.close();
  });
});

describe('the console without a connection', () => {
  it('says so once, tries again when asked, and says nothing any more when it is back', async () => {
    const { page } = await look('los');
    const alert = page.locator('#inhoud [role=alert]', { hasText: 'De simulator is niet bereikbaar' });
    await page.context().setOffline(true);
    await alert.waitFor();
    expect(await findings(page)).toEqual([]);
    const again = alert.getByRole('button', { name: 'Probeer opnieuw' });
    const asked = page.waitForEvent('requestfailed');
    await again.click();
    await asked;
    expect(await alert.count()).toBe(1);
    // What was asked of it says so in place of the page.
    await openPart(page, 'klok');
    await page.getByRole('button', { name: '+1 dag' }).click();
    await page.locator('#klok [role=alert]').waitFor();
    expect(await page.locator('[role=alert]').count()).toBe(1);
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Probeer opnieuw' }).click();
    await page.locator('[role=alert]').waitFor({ state: 'detached' });
    expect(await page.getByRole('heading', { name: 'Sanne de Wit' }).isVisible()).toBe(true);
  });
});

describe('the console with a slow simulator', () => {
  it('says where the clock is moved that it waits, until it is moved', async () => {
    const { page } = await look('traag');
    await openPart(page, 'klok');
    const { promise, resolve: answer } = Promise.withResolvers<void>();
    await page.route('**/clock', async (route) => {
      await promise;
      await route.continue();
    });
    await press(page, '+1 dag');
    await expectSoon(() => text(page, '#klok')).toContain('Bezig: de simulator antwoordt nog niet');
    answer();
    await expectSoon(() => text(page, '#klok')).not.toContain('Bezig');
  });
});

describe('a demonstration in the console', () => {
  it('of each kind shows the audience what a step asks of DUO, and tells nothing about parts of the console that presentation mode hides', async () => {
    const demos = (await service().get('/_simulator/demos')).body as {
      steps: { say?: string; path?: string; screen?: string; acts?: { press?: string }[] }[];
    }[];
    expect(demos).toHaveLength(DEMO_NAMES.length);
    const aboutDuo = demos.flatMap(({ steps }) => steps.filter(({ path }) => path?.includes('/duo/')));
    const isShown = ({ screen, acts }: (typeof aboutDuo)[number]) =>
      screen === 'gegevens' || acts?.at(-1)?.press === 'Mijn gegevens';
    expect(aboutDuo.filter((one) => !isShown(one))).toEqual([]);
    const texts = demos.flatMap(({ steps }) => steps.map(({ say = '' }) => say));
    expect(texts.filter((say) => /\b(Post|journaal|tabblad|console)\b/.test(say))).toEqual([]);
  });

  it('of each kind is in the list, plays in its own world, and deletes that world at the end', async () => {
    const { page } = await look('podium');
    await openPart(page, 'demonstratie');
    const choice = page.getByLabel('Kies een demonstratie');
    const names = await choice.locator('option').evaluateAll((all) => all.map((one) => one.getAttribute('value')));
    expect(names.sort()).toEqual(DEMO_NAMES);
    const before = await worlds();
    for (const name of DEMO_NAMES) {
      await choice.selectOption(name);
      await press(page, 'Begin', '#demonstratie');
      await expectSoon(() => text(page, '#demonstratie [role=status]')).toContain('Stap 1 van');
      await expectSoon(() => page.title()).toContain(`demo-${name}`);
      expect(await text(page, '#demonstratie .answer')).toContain('200');
      await press(page, 'Stop', '#demonstratie');
      await expectSoon(() => page.title()).toContain('podium');
    }
    await expectSoon(worlds).toEqual(before);
  });

  it('can be opened from a file and played step by step, forward and back; an invalid file is refused', async () => {
    const { page } = await look('bestand');
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
    await expectSoon(() => text(page, '#klok')).toContain('2 juni 2026');
    await press(page, 'Volgende');
    await expectSoon(() => text(page, '#klok')).toContain('2 juli 2026');
    await press(page, 'Vorige');
    await expectSoon(() => text(page, '#klok')).toContain('2 juni 2026');
    expect(await text(page, '#demonstratie')).toContain('Kijk naar de klok.');

    await page
      .getByLabel('Of open een bestand')
      .setInputFiles({ name: 'leeg.json', mimeType: 'application/json', buffer: Buffer.from('{}') });
    await expectSoon(() => text(page, '#demonstratie [role=alert]')).toContain('title en steps');
    const wrong = { ...demo, steps: [steps[0], { title: 'Zonder persoon' }] };
    await page
      .getByLabel('Of open een bestand')
      .setInputFiles({ name: 'fout.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(wrong)) });
    await expectSoon(() => text(page, '#demonstratie [role=alert]')).toContain(
      '/steps/1/persona: Dit moet tekst zijn.',
    );

    const later = { ...demo, name: 'later', steps: [steps[0], { title: 'Op', persona: 'niemand' }] };
    await page.route('**/_simulator/demos', (route) => route.fulfill({ json: [later] }));
    await page.reload();
    await page.getByLabel('Kies een demonstratie').selectOption('later');
    await press(page, 'Begin');
    await expectSoon(() => text(page, '#demonstratie [role=alert]')).toContain(
      '/steps/1/persona: Die persona is er niet',
    );
    expect(await page.title()).toContain('demo-eigen');
    await page.unroute('**/_simulator/demos');
  });

  it('plays in its own world, continues there after a reload, and deletes that world when it is stopped', async () => {
    const { page } = await look('herladen');
    await openPart(page, 'demonstratie');
    await page.getByLabel('Kies een demonstratie').selectOption('herregistratie');
    await press(page, 'Begin');
    const step = (n: number) =>
      expectSoon(() => text(page, '#demonstratie [role=status]')).toContain(`Stap ${n} van 9`);
    await step(1);
    await press(page, 'Volgende');
    await step(2);
    await expectSoon(() => text(page, '#demonstratie .waiting')).toBe('');
    const shown = await text(page, '#demonstratie .say');

    await page.reload();
    await step(2);
    expect(await text(page, '#demonstratie .say')).toBe(shown);
    // The list of demonstrations is loaded after the stored progress is shown.
    await expectSoon(() => page.getByLabel('Kies een demonstratie').inputValue()).toBe('herregistratie');
    await press(page, 'Volgende');
    await step(3);
    // Nobody asked twice: the request of the second step is there once.
    const [, world] = /[?&]wereld=([\w-]+)/.exec(page.url()) ?? [];
    const { body } = await service().get('/api/v1/applications', { as: `sanne-de-wit@${world}` });
    expect(body).toHaveLength(1);

    await openPart(page, 'wereld');
    await page.getByLabel('Naam van de wereld').fill('zaal');
    await press(page, 'Naar deze wereld');
    await expectSoon(() => page.title()).toContain('zaal');
    await expectSoon(() => page.getByRole('button', { name: 'Volgende' }).isVisible()).toBe(false);
    await page.goBack();
    await step(3);
    await press(page, 'Stop');
    await expectSoon(() => page.title()).toContain('herladen');
    await expectSoon(worlds).not.toContain(world);
    expect((await service().get('/_simulator/worlds/herladen')).body).toMatchObject({ clock: { firstDay: null } });
    // The page may have shown Mijn register there, but the requests of the demonstration are not in that world.
    expect((await service().get('/api/v1/applications', { as: 'sanne-de-wit@herladen' })).body).toEqual([]);
    await page.reload();
    await page.getByRole('heading', { name: 'Sanne de Wit' }).waitFor();
    expect(await page.getByRole('button', { name: 'Volgende' }).isVisible()).toBe(false);
  });

  it('continues after a reset of the world, and does not apply a step twice after its call failed', async () => {
    const { page } = await look('onderbroken');
    await openPart(page, 'demonstratie');
    await page.getByLabel('Kies een demonstratie').selectOption('uiterste-datum');
    await press(page, 'Begin');
    const step = (n: number) =>
      expectSoon(() => text(page, '#demonstratie [role=status]')).toContain(`Stap ${n} van 7`);
    await step(1);
    await press(page, 'Volgende');
    await step(2);
    await press(page, 'Begin opnieuw', '#wereld');
    await expectSoon(() => text(page, '#klok')).toContain('echte tijd');
    await press(page, 'Volgende');
    await step(3);
    await expectSoon(() => text(page, '#klok')).toContain('2 oktober 2026');

    // The step is set, and its call gets no answer: what was set must not be set twice.
    await page.route('**/api/v1/**', (route) => route.abort());
    await press(page, 'Volgende');
    await expectSoon(() => text(page, '#demonstratie [role=alert]')).toContain('niet bereikbaar');
    await page.unroute('**/api/v1/**');
    await press(page, 'Volgende');
    await step(4);
    // The world of before the step is restored, which empties the journal, and the step is played once.
    expect(await text(page, '#klok')).toContain('2 oktober 2026');
    const world = new URL(page.url()).searchParams.get('wereld');
    const { body } = await service().call('GET', `/_simulator/worlds/${world}/journal`);
    expect(body.map((one: { response: { status: number } }) => one.response.status)).toEqual([200]);
  });

  it('plays in a world of its own in each of two browsers that begin at the same moment', async () => {
    const pages = (await Promise.all([look('zaal-een'), look('zaal-twee')])).map(({ page }) => page);
    const step = (page: Page, n: number) =>
      expectSoon(() => text(page, '#demonstratie [role=status]')).toContain(`Stap ${n} van 6`);
    for (const page of pages) {
      await openPart(page, 'demonstratie');
      await page.getByLabel('Kies een demonstratie').selectOption('duo-traag');
    }
    await Promise.all(pages.map((page) => press(page, 'Begin', '#demonstratie')));
    for (const page of pages) {
      await step(page, 1);
      await press(page, 'Volgende');
      await step(page, 2);
    }
    const titles = await Promise.all(pages.map(async (page) => (await page.title()).split(' ')[0]));
    expect(titles.toSorted()).toEqual(['demo-duo-traag', 'demo-duo-traag-2']);
    const [one, two] = (titles[0] === 'demo-duo-traag' ? pages : pages.toReversed()) as [Page, Page];
    await press(two, 'Begin', '#demonstratie');
    await step(two, 1);
    expect(await two.title()).toContain('demo-duo-traag-2 ·');
    await press(two, 'Stop', '#demonstratie');
    await expectSoon(() => two.title()).toContain('zaal-');
    expect((await service().get('/_simulator/worlds/demo-duo-traag')).body).toMatchObject({ scenarios: ['duo-slow'] });
    await press(one, 'Volgende');
    await step(one, 3);
    await press(one, 'Stop', '#demonstratie');
    await expectSoon(() => one.title()).toContain('zaal-');
  });

  it('stays at its step when Page Down scrolls a code block', async () => {
    const { page } = await look('bladeren');
    await press(page, 'Begin');
    await expectSoon(() => text(page, '#demonstratie [role=status]')).toContain('Stap 1');
    await page.locator('#demonstratie .code').focus();
    await page.keyboard.press('PageDown');
    await expectSoon(() => page.locator('#demonstratie .code').evaluate((box) => box.scrollTop)).toBeGreaterThan(0);
    expect(await text(page, '#demonstratie [role=status]')).toContain('Stap 1');
  });
});

/** Parts of the page of which one is shown at a time: in a drawer, or in a tab. */
const PARTS = ['wereld', 'klok', 'storingen', 'momentopnamen', 'mensen', 'stand', 'post'];

describe('the accessibility of the console', () => {
  it('lets a user do everything by keyboard, and keeps the focus after an action', async () => {
    const { page } = await look('toetsen');
    const focused = () =>
      page.evaluate('document.activeElement.innerText || document.activeElement.id') as Promise<string>;
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Naar de inhoud');
    await page.keyboard.press('Enter');
    expect(await focused()).toContain('Sanne de Wit');

    await openPart(page, 'klok');
    await page.getByRole('button', { name: '+1 dag' }).focus();
    await page.keyboard.press('Enter');
    await expectSoon(() => text(page, '#klok')).toContain('2 juni 2026');
    expect(await focused()).toBe('+1 dag');

    await page.getByRole('button', { name: 'Zet stil' }).focus();
    await page.keyboard.press('Enter');
    await expectSoon(focused).toBe('Laat lopen');

    await openPart(page, 'storingen');
    await page.getByRole('switch', { name: 'DUO is traag' }).focus();
    await page.keyboard.press('Space');
    await expectSoon(() => text(page, '#storingen')).toContain('van scenario ‘DUO is traag’');
    expect(await page.evaluate('document.activeElement.getAttribute("aria-describedby")')).toBe('scenario-duo-slow');

    await openPart(page, 'demonstratie');
    await page.getByRole('button', { name: 'Begin', exact: true }).focus();
    await page.keyboard.press('Enter');
    await expectSoon(() => text(page, '#demonstratie [role=status]')).toContain('Stap 1');
    await page.keyboard.press('PageDown');
    await expectSoon(() => text(page, '#demonstratie [role=status]')).toContain('Stap 2');
    await page.keyboard.press('PageUp');
    await expectSoon(() => text(page, '#demonstratie [role=status]')).toContain('Stap 1');

    // The step that was taken back went with its world.
    await expectSoon(() => page.locator('.entry').count()).toBe(1);
    await page.locator('.entry > summary').focus();
    await page.keyboard.press('Enter');
    await expectSoon(() => page.locator('.entry[open]').count()).toBe(1);
  });

  it.each([
    ['on a screen of 320 pixels', { viewport: { width: 320, height: 640 } }],
    ['on a wide screen', {}],
    ['in dark mode', { colorScheme: 'dark' as const }],
  ])(
    'has no serious finding of axe, no horizontal scrolling and no control that is too small %s',
    async (_, options) => {
      await look('b');
      const { page } = await look('breed', options);
      await press(page, 'Begin');
      await expectSoon(() => text(page, '#demonstratie [role=status]')).toContain('Stap 1');
      await callAs(page, 'ruben-smit');
      await switchOn(page, 'Register valt uit');
      await callAs(page, 'sanne-de-wit');
      await openPart(page, 'journaal');
      await page.locator('.entry > summary').first().click();
      await page.locator('.entry .code').first().waitFor();
      const found: Record<string, unknown> = {
        journaal: [await seriousFindings(page), await horizontalOverflow(page), await smallTargets(page)],
      };
      for (const part of PARTS) {
        await openPart(page, part);
        for (const summary of await page.locator(`#${part} .more > summary:visible`).all()) await summary.click();
        found[part] = [
          await seriousFindings(page, `#${part}`),
          await horizontalOverflow(page),
          await smallTargets(page),
        ];
      }
      expect(found).toEqual(Object.fromEntries(Object.keys(found).map((part) => [part, [[], 0, []]])));
    },
  );
});

describe('two consoles in two worlds', () => {
  it('show different clocks, faults and journals', async () => {
    const [{ page: one }, { page: two }] = await Promise.all([look('een'), look('twee')]);
    await openPart(two, 'klok');
    await two.locator('#klok summary').click();
    await two.getByLabel('Zet op datum').fill('2027-06-01');
    await press(two, 'Zet klok');
    await switchOn(two, 'Register valt uit');
    await callAs(two, 'sanne-de-wit');
    await callAs(one, 'sanne-de-wit');
    await expectSoon(() => text(one, personPanel('sanne-de-wit'))).toContain('"eligibleForHerregistratie": true');
    await expectSoon(() => text(two, personPanel('sanne-de-wit'))).toContain('503');
    expect(await text(one, '#klok')).toContain('1 juni 2026');
    expect(await text(two, '#klok')).toContain('1 juni 2027');
    await expectSoon(() => one.locator('.entry').count()).toBe(1);
    expect(await text(one, '#storingen')).toContain('Er staan geen storingen aan.');
  });
});
