/** What an audience sees of a demonstration: Mijn register is used on the screen, and shows what the presenter says. */
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { DEMO_NAMES, expectSoon, openPart, press, text, useConsole } from './support/console.ts';

const { look, service } = useConsole();

interface Step {
  readonly persona: string;
  readonly screen?: string;
  readonly say?: string;
  readonly notes?: string;
  readonly visible?: readonly string[];
  readonly acts?: readonly object[];
  readonly method?: string;
}

const demos = async (): Promise<{ name: string; steps: Step[] }[]> => (await service().get('/_simulator/demos')).body;

const frameOf = (page: Page): FrameLocator => page.frameLocator('iframe[title^="Mijn register als"]');

const step = (page: Page, number: number): Promise<void> =>
  expectSoon(() => text(page, '#demonstratie [role=status]')).toContain(`Stap ${number} van`);

/** Waits until nothing is being done in the step. */
const isDone = (page: Page): Promise<void> => expectSoon(() => text(page, '#demonstratie .waiting')).toBe('');

/** Does the rest of the acts of a step at once, when there is a rest, and waits until it is done. */
const skipActs = (page: Page): Promise<void> =>
  expectSoon(async () => {
    await page.evaluate(`document.querySelector('#demonstratie .pace button')?.click()`);
    return text(page, '#demonstratie .waiting');
  }).toBe('');

async function present(page: Page, name: string): Promise<void> {
  await openPart(page, 'demonstratie');
  await page.getByLabel('Kies een demonstratie').selectOption(name);
  await press(page, 'Presenteer');
}

/**
 * Notes in each picture that the browser draws whether a frame with a screen is visible. `blank` counts the pictures
 * without one, after the first. `others` has what does not belong to the text of the step: the screen of another person,
 * another screen than that of a step that only shows one, or the address of another step.
 */
const watch = (steps: readonly Step[]) => `
  const steps = ${JSON.stringify(steps.map(({ persona, screen = '', acts }) => ({ persona, screen: acts ? null : screen })))};
  globalThis.blank = 0;
  globalThis.others = new Set();
  let begun = false;
  const look = () => {
    const frame = [...document.querySelectorAll('iframe.mijn')].find((one) => one.checkVisibility());
    const isShown = frame?.contentDocument?.querySelector('main h1, main .loading') != null;
    if (isShown) begun = true;
    else if (begun) globalThis.blank += 1;
    const [, number] = /Stap (\\d+)/.exec(document.querySelector('#demonstratie [role=status]').textContent) ?? [];
    const { persona, screen } = steps[number - 1] ?? {};
    const { hash, search } = frame?.contentWindow.location ?? {};
    const shown = new URLSearchParams(search).get('als');
    const address = new URLSearchParams(location.search).get('stap');
    if (isShown && shown !== persona) globalThis.others.add(number + shown);
    if (isShown && screen !== null && hash !== '#/' + screen) globalThis.others.add(number + hash);
    if (address !== number) globalThis.others.add(number + '?stap=' + address);
    requestAnimationFrame(look);
  };
  look();
`;

/**
 * True for a text that is in view, on a screen that is scrolled only when its top does not show that text, and then not
 * to the middle of a paragraph.
 */
const isInView = (place: Locator): Promise<boolean> =>
  place.evaluate((one) => {
    const { top, bottom } = one.getBoundingClientRect();
    const { clientHeight, scrollTop } = one.ownerDocument.documentElement;
    const isCut = [...one.ownerDocument.querySelectorAll('main :is(h2, h3, p)')].some((block) => {
      const edges = block.getBoundingClientRect();
      return edges.top < -1 && edges.bottom > 1;
    });
    return (
      top >= 0 && bottom <= clientHeight && (scrollTop === 0 || (!isCut && bottom + scrollTop > clientHeight - 32))
    );
  });

/** The text that is marked on the screen. */
const marked = async (page: Page): Promise<string> =>
  String(
    await frameOf(page).locator('html').evaluate('[...(CSS.highlights.get("demonstratie") ?? [])].join()'),
  ).replaceAll(/\s+/g, ' ');

describe('each built-in demonstration', () => {
  it('has its whole title and the number of its steps above the list of demonstrations', async () => {
    const { page } = await look('titels');
    await openPart(page, 'demonstratie');
    await page.getByLabel('Kies een demonstratie').selectOption('herregistratie');
    const { body } = await service().get('/_simulator/demos');
    const { title, steps } = body.find(({ name }: { name: string }) => name === 'herregistratie');
    const whole = `${title} (${steps.length} stappen)`;
    await page.locator('#demonstratie .row').getByText(whole, { exact: true }).waitFor();
  });

  it('names in each step texts that the screen shows, has notes, and does what a citizen does on the screen', async () => {
    for (const { name, steps } of await demos())
      for (const [index, { persona, visible, acts, method, say, notes }] of steps.entries()) {
        expect([name, index, visible?.length ?? 0]).not.toEqual([name, index, 0]);
        expect([name, index, notes]).toEqual([name, index, expect.any(String)]);
        const isCitizen = !/^(drafter|approver|admin)-/.test(persona);
        if (isCitizen && method !== undefined) expect([name, index, acts]).not.toEqual([name, index, undefined]);
        expect(say).not.toMatch(/\b[1-5]\d\d\b(?! uur)/);
      }
  });

  it.each(DEMO_NAMES)(
    'shows in Mijn register what each step of %s tells, and is never blank: one load for each person',
    async (name) => {
      const { page } = await look(`beeld-${name}`, {
        viewport: { width: 1_440, height: 900 },
        reducedMotion: 'no-preference',
      });
      let loads = 0;
      page.on('request', (request) => {
        if (request.isNavigationRequest() && request.frame() !== page.mainFrame()) loads += 1;
      });
      const steps = (await demos()).find((one) => one.name === name)?.steps ?? [];
      await present(page, name);
      await step(page, 1);
      await page.evaluate(watch(steps));
      for (const [index, { visible = [] }] of steps.entries()) {
        if (index > 0) await page.keyboard.press('PageDown');
        await step(page, index + 1);
        await skipActs(page);
        for (const wanted of visible)
          await expectSoon(async () =>
            (await frameOf(page).locator('body').innerText()).replaceAll(/\s+/g, ' '),
          ).toContain(wanted);
        const last = frameOf(page)
          .locator('main')
          .getByText(visible.at(-1) ?? '')
          .first();
        await expectSoon(() => isInView(last)).toBe(true);
        await expectSoon(() => marked(page)).toContain(visible.at(-1));
        expect(await page.locator('#demonstratie [role=alert]').count()).toBe(0);
        // Before the first step the console shows another person, in another world.
        if (index === 0) loads = 0;
      }
      const changes = steps.filter(({ persona }, index) => persona !== steps[index - 1]?.persona).length;
      expect(loads).toBe(changes - 1);
      expect(await page.evaluate('[globalThis.blank, ...globalThis.others]')).toEqual([0]);
    },
  );
});

describe('a step', () => {
  it('that decides a case lets Mijn register read its screen once', async () => {
    const { page } = await look('eenmaal');
    await present(page, 'uiterste-datum');
    const to = async (number: number) => {
      if (number > 1) await page.keyboard.press('PageDown');
      await step(page, number);
      await isDone(page);
    };
    for (const number of [1, 2, 3, 4, 5]) await to(number);
    await frameOf(page).getByText('Uw aanvraag is in behandeling').first().waitFor();
    let reads = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/dashboard-view') && request.frame() !== page.mainFrame()) reads += 1;
    });
    await to(6);
    await frameOf(page).getByText('Doorgehaald op').first().waitFor();
    await to(7);
    await frameOf(page).getByText('Herregistratie uiterlijk op 2 oktober 2031').waitFor();
    expect(reads).toBe(2);
  });

  it('begins at the top of its screen, also after one that ended further down', async () => {
    const { page } = await look('boven', { viewport: { width: 1_440, height: 900 } });
    const { steps = [] } = (await demos()).find(({ name }) => name === 'oproep-tot-nieuwe-termijn') ?? {};
    // A long letter, and then the overview.
    const buffer = Buffer.from(JSON.stringify({ steps: [steps[3], steps[6]] }));
    await openPart(page, 'demonstratie');
    const file = page.getByLabel('Of open een bestand (JSON)');
    await file.setInputFiles({ name: 'boven.json', mimeType: 'application/json', buffer });
    await step(page, 1);
    await isDone(page);
    const top = frameOf(page)
      .locator('html')
      .evaluate((html) => html.scrollTop);
    expect(await top).toBeGreaterThan(0);
    const first = page.evaluate(`new Promise((resolve) => {
      const look = () => {
        const { contentDocument, contentWindow } = document.querySelector('iframe.mijn');
        const isThere = contentDocument.querySelector('h1')?.textContent.startsWith('Welkom');
        if (isThere) resolve(contentWindow.scrollY);
        else requestAnimationFrame(look);
      };
      look();
    })`);
    await page.keyboard.press('PageDown');
    expect(await first).toBe(0);
  });

  it('without notes says so to a presenter who asks for them', async () => {
    const { page } = await look('kaal');
    const steps = [{ title: 'Zonder notities', persona: 'sanne-de-wit', path: '/api/v1/dashboard-view' }];
    await openPart(page, 'demonstratie');
    const buffer = Buffer.from(JSON.stringify({ steps }));
    const file = page.getByLabel('Of open een bestand (JSON)');
    await file.setInputFiles({ name: 'kaal.json', mimeType: 'application/json', buffer });
    await step(page, 1);
    await isDone(page);
    await press(page, 'Presenteer');
    await page.keyboard.press('n');
    await page.getByText('Geen notities bij deze stap.').waitFor();
  });

  it('has its mark before the letter on paper beside it has arrived', async () => {
    const { page } = await look('verborgen', { viewport: { width: 1_440, height: 900 } });
    await page.route('**/brief/pdf', () => {});
    await present(page, 'vier-ogen');
    await step(page, 1);
    await page.keyboard.press('PageDown');
    await step(page, 2);
    await expectSoon(() => marked(page)).toBe('20 mei 2021 tot en met 19 mei 2026');
    await page.keyboard.press('PageDown');
    await step(page, 3);
    await expectSoon(async () => [await frameOf(page).locator('main h1').count(), await marked(page)]).toEqual([
      1,
      'De brief ligt bij een collega',
    ]);
  });

  it('that is the first says that it is being prepared, and cannot be begun again meanwhile', async () => {
    const { page } = await look('eerste');
    const begin = page.getByRole('button', { name: 'Begin', exact: true });
    let checks = 0;
    const isDisabled = () => begin.getAttribute('aria-disabled');
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/demos/check', (route) => {
      checks += 1;
      return held.then(() => route.continue());
    });
    await openPart(page, 'demonstratie');
    expect(await isDisabled()).toBe('false');
    await begin.click();
    await page.getByText('Bezig…').waitFor();
    expect(await isDisabled()).toBe('true');
    await page.keyboard.press('Enter');
    await begin.dispatchEvent('click');
    answer();
    await step(page, 1);
    await isDone(page);
    expect(await isDisabled()).toBe('false');
    expect(checks).toBe(1);
    await page.keyboard.press('Enter');
    await expectSoon(async () => checks).toBe(2);
    await isDone(page);
  });

  it('is announced with its text, and with a refusal', async () => {
    const { page } = await look('voorgelezen');
    await present(page, 'vier-ogen');
    await step(page, 1);
    const announced = await page.locator('#demonstratie [aria-live]:has(> .say)').elementHandle();
    for (const number of [2, 3]) {
      await page.keyboard.press('PageDown');
      await step(page, number);
      await isDone(page);
    }
    expect(await announced?.innerText()).toMatch(/^De brief ligt nu bij een collega\.[\s\S]*U mag dit niet doen\./);
  });
});

describe('the acts of a step', () => {
  /** The requests of a person in the world in which the page plays the demonstration. */
  const requestsOf = async (slug: string, page: Page) => {
    const [, world] = /[?&]wereld=([\w-]+)/.exec(page.url()) ?? [];
    return (await service().get('/api/v1/applications', { as: `${slug}@${world}` })).body;
  };

  it('are shown with a pointer, one at a time, and are completed at once by "Sla over"', async () => {
    const { page } = await look('tempo', { reducedMotion: 'no-preference' });
    await present(page, 'herregistratie');
    await step(page, 1);
    await page.keyboard.press('PageDown');
    // The text is there before the first act.
    await step(page, 2);
    const [ring, dot] = [0, 1].map((nth) => frameOf(page).locator('[data-demonstratie="aanwijzer"]').nth(nth)) as [
      Locator,
      Locator,
    ];
    await ring.waitFor();
    // The dot is not on the text of the button.
    const bottomOf = async (place: Locator) => {
      const { y = 0, height = 0 } = (await place.boundingBox()) ?? {};
      return y + height;
    };
    expect(await bottomOf(dot)).toBeGreaterThan(await bottomOf(ring));
    expect(await frameOf(page).getByText('Uw aanvraag is ingediend').count()).toBe(0);
    await press(page, 'Sla over');
    await frameOf(page).getByRole('heading', { name: 'Uw aanvraag is ingediend' }).waitFor();
    await isDone(page);
    expect(await frameOf(page).locator('[data-demonstratie="aanwijzer"]').count()).toBe(0);
    expect(await requestsOf('sanne-de-wit', page)).toHaveLength(1);
  });

  it('are done at once for a user who wants no motion', async () => {
    const { page } = await look('kalm');
    await present(page, 'herregistratie');
    await step(page, 1);
    await page.keyboard.press('PageDown');
    await step(page, 2);
    await isDone(page);
    expect(await requestsOf('sanne-de-wit', page)).toHaveLength(1);
  });

  it('leave the keys of the presenter to presentation mode, also when a field of the screen has the focus', async () => {
    const { page } = await look('toetsen');
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/brief/reject', (route) => held.then(() => route.continue()));
    const rejected = page.waitForRequest('**/brief/reject');
    await present(page, 'vier-ogen');
    for (const number of [1, 2, 3]) {
      await step(page, number);
      await isDone(page);
      await page.keyboard.press('PageDown');
    }
    await rejected;
    const field = frameOf(page).getByLabel('Wat moet er anders?');
    const typed = await field.inputValue();
    for (const key of ['n', 'w', 'b']) await field.press(key);
    expect(await page.locator('body.with-notes.with-calls.black').count()).toBe(1);
    for (const key of ['Enter', 'Escape']) await field.press(key);
    expect(await page.locator('#rechts').isVisible()).toBe(false);
    expect(await field.inputValue()).toBe(typed);
    answer();
    await frameOf(page).getByText(typed).first().waitFor();
    await isDone(page);
  });

  it('of an earlier step are done behind the picture after Page Up, without the steps before it', async () => {
    const { page } = await look('vorige', { reducedMotion: 'no-preference' });
    // Of a browser tab that was closed, and whose world was removed after a day.
    await service().call('PUT', '/_simulator/worlds/dicht/snapshots/ongedaan-dicht-stap-2');
    await service().call('DELETE', '/_simulator/worlds/dicht');
    await present(page, 'herregistratie');
    await step(page, 1);
    await page.keyboard.press('PageDown');
    await step(page, 2);
    await skipActs(page);
    await page.keyboard.press('PageDown');
    await step(page, 3);
    await isDone(page);
    await frameOf(page).getByText('U hebt al een aanvraag lopen').waitFor();
    let steps = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/step')) steps += 1;
    });
    await page.evaluate(`void (globalThis.pictures = new Promise((resolve) => {
      const seen = new Set();
      const look = () => {
        const [frame] = document.querySelectorAll('iframe.mijn');
        const title = document.querySelector('#demonstratie [role=status]').textContent.slice(0, 6);
        seen.add(title + ': ' + frame.contentDocument.querySelector('h1')?.textContent);
        seen.add(document.querySelector('#demonstratie .waiting').textContent);
        if (title === 'Stap 2') resolve([...seen]);
        else requestAnimationFrame(look);
      };
      look();
    }))`);
    await page.keyboard.press('PageUp');
    expect(await page.evaluate('globalThis.pictures')).toEqual([
      'Stap 3: Herregistratie aanvragen',
      '',
      'Even terug…',
      'Stap 2: Uw aanvraag is ingediend',
    ]);
    await isDone(page);
    expect(steps).toBe(1);
    expect(await requestsOf('sanne-de-wit', page)).toHaveLength(1);
    await page.keyboard.press('PageDown');
    await step(page, 3);
    await frameOf(page).getByText('U hebt al een aanvraag lopen').waitFor();

    const world = new URL(page.url()).searchParams.get('wereld');
    const saved = async () => {
      const { body } = await service().get('/_simulator/snapshots');
      return body.filter((one: { world: string }) => [world, 'dicht'].includes(one.world)).length;
    };
    expect(await saved()).toBe(2);
    await page.keyboard.press('Escape');
    await press(page, 'Stop', '#demonstratie');
    await expectSoon(saved).toBe(0);
  });
});

describe('a reload of the page', () => {
  /** Goes on with the next step, and does its acts at once. */
  async function next(page: Page, number: number): Promise<void> {
    await page.keyboard.press('PageDown');
    await step(page, number);
    await skipActs(page);
  }
  const LOST = 'Het antwoord bleef uit';

  it('after the acts of a step keeps what they left on the screen, for the next step too', async () => {
    const { page } = await look('herladen');
    await present(page, 'register-valt-om');
    await step(page, 1);
    for (const number of [2, 3, 4, 5]) await next(page, number);
    await page.reload();
    await step(page, 5);
    await isDone(page);
    await frameOf(page).getByText(LOST).waitFor();
    await next(page, 6);
    await frameOf(page).getByText('Uw kenmerk is').waitFor();
  });

  it('during the acts of a step goes back to the step before, and each step can be played again', async () => {
    const { page } = await look('herladen-midden', { reducedMotion: 'no-preference' });
    await present(page, 'register-valt-om');
    await step(page, 1);
    for (const number of [2, 3, 4]) await next(page, number);
    await page.keyboard.press('PageDown');
    await page.getByRole('button', { name: 'Sla over' }).waitFor();
    await page.reload();
    await step(page, 4);
    await isDone(page);
    for (let time = 1; time <= 2; time += 1) {
      await next(page, 5);
      await frameOf(page).getByText(LOST).waitFor();
      await page.keyboard.press('PageUp');
      await step(page, 4);
      await isDone(page);
    }
  });
});

describe('presentation mode', () => {
  it('tells the audience calmly that the service is away, and does the step at the next Page Down', async () => {
    const { page } = await look('even-weg');
    await present(page, 'diploma-tot-registratie');
    await step(page, 1);
    await isDone(page);
    const message = page.locator('#demonstratie [role=alert]');
    await page.route('**/_simulator/worlds/**', (route) => route.abort());
    await page.keyboard.press('PageDown');
    await message.waitFor();
    expect(await message.innerText()).not.toMatch(/npm|Probeer/);
    expect(await message.innerText()).toContain('de verbinding is even weg');
    await page.keyboard.press('n');
    expect(await message.innerText()).toContain('Start hem met npm start');
    await page.unroute('**/_simulator/worlds/**');
    await page.keyboard.press('PageDown');
    await step(page, 2);
  });

  it('goes on with the demonstration that is played, and begins another that is chosen, also during the acts of a step', async () => {
    const { page } = await look('ander', { reducedMotion: 'no-preference' });
    // The acts of step 3 wait for its answer.
    let end = () => {};
    const held = new Promise<void>((resolve) => {
      end = resolve;
    });
    await page.route('**/api/v1/registrations', (route) => held.then(() => route.abort()));
    await present(page, 'diploma-tot-registratie');
    await step(page, 1);
    for (const number of [2, 3]) {
      await isDone(page);
      await page.keyboard.press('PageDown');
      await step(page, number);
    }
    await page.keyboard.press('Escape');
    await press(page, 'Presenteer');
    await page.getByRole('button', { name: 'Stop presenteren' }).waitFor();
    await step(page, 3);
    await page.keyboard.press('Escape');
    await present(page, 'vier-ogen');
    await expectSoon(() => text(page, '#demonstratie [role=status]')).toContain('Stap 1 van 9');
    await isDone(page);
    expect(await page.locator('#demonstratie [role=alert]').count()).toBe(0);
    await page.keyboard.press('PageDown');
    await step(page, 2);
    end();
  });

  it('goes back three steps with Page Up three times, and changes date, address and text together', async () => {
    const { page } = await look('drie-terug');
    await present(page, 'diploma-tot-registratie');
    await step(page, 1);
    for (const number of [2, 3, 4, 5, 6]) {
      await page.keyboard.press('PageDown');
      await step(page, number);
      await isDone(page);
    }
    await page.evaluate(`
      globalThis.pictures = new Set();
      const look = () => {
        const [title, date] = ['#demonstratie [role=status]', '[data-key=lade-klok] strong'].map(
          (one) => document.querySelector(one).textContent,
        );
        globalThis.pictures.add([title.slice(0, 6), date, new URLSearchParams(location.search).get('stap')].join());
        requestAnimationFrame(look);
      };
      look();
    `);
    // All before the screen of one of these steps can be ready.
    await page.evaluate(`
      for (let time = 1; time <= 3; time += 1)
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'PageUp', bubbles: true, view: window }));
    `);
    await step(page, 3);
    await isDone(page);
    expect(await page.evaluate('[...globalThis.pictures]')).toEqual(['Stap 6,3 juni 2026,6', 'Stap 3,1 juni 2026,3']);
  });

  it('keeps its step and what the person did on the screen after a reload, and Back returns to the step before', async () => {
    const { page } = await look('adres');
    await present(page, 'herregistratie');
    await step(page, 1);
    await page.keyboard.press('PageDown');
    await step(page, 2);
    await isDone(page);
    await frameOf(page).getByRole('heading', { name: 'Uw aanvraag is ingediend' }).waitFor();
    expect(page.url()).toMatch(/beeld=presentatie.*stap=2|stap=2.*beeld=presentatie/);

    await page.keyboard.press('n');
    await page.reload();
    await step(page, 2);
    await frameOf(page).getByRole('heading', { name: 'Uw aanvraag is ingediend' }).waitFor();
    await page.getByText('Bewijs stuurt zij alleen als het register daarom vraagt.').waitFor();
    expect(await page.locator('#demonstratie [role=alert]').count()).toBe(0);
    const other = await page.context().newPage();
    await other.goto(page.url());
    // It begins with what the tab has stored, as a copy of a tab does.
    const copy = page.waitForEvent('popup');
    await page.evaluate('void open(location.href)');
    for (const tab of [other, await copy]) {
      await expectSoon(() => text(tab, '#demonstratie [role=alert]')).toMatch(
        /^Deze stap hoort bij een ander venster\.\s+Kies een demonstratie en begin opnieuw\.$/,
      );
      await tab.close();
    }
    expect(await page.getByRole('button', { name: 'Stop presenteren' }).isVisible()).toBe(true);
    expect(await page.locator('#rechts').isVisible()).toBe(false);

    await page.keyboard.press('PageDown');
    await step(page, 3);
    await isDone(page);
    await page.keyboard.press('PageDown');
    await step(page, 4);
    await isDone(page);
    await page.evaluate('history.back()');
    await step(page, 3);
    expect(await page.getByRole('button', { name: 'Stop presenteren' }).isVisible()).toBe(true);
    await frameOf(page).getByText('U hebt al een aanvraag lopen').waitFor();

    // The notes are in view, also in a page that is enlarged.
    await page.setViewportSize({ width: 640, height: 360 });
    await expectSoon(async () => (await page.locator('.notes').boundingBox())?.y).toBeLessThan(330);
    await page.setViewportSize({ width: 1_280, height: 720 });

    await press(page, 'Weer volledig scherm');
    await expectSoon(() => page.evaluate('document.fullscreenElement !== null')).toBe(true);
    expect(await page.getByRole('button', { name: 'Weer volledig scherm' }).count()).toBe(0);

    // Beside the buttons of a step there is none that deletes the world.
    const stop = page.getByRole('button', { name: 'Stop', exact: true });
    expect(await stop.count()).toBe(0);
    await page.keyboard.press('Escape');
    await expectSoon(async () => page.url()).not.toContain('beeld=');
    await stop.click();

    // Without a demonstration there is one to choose.
    await page.locator('#demonstratie .running').waitFor({ state: 'hidden' });
    await page.goto(`${page.url()}&beeld=presentatie`);
    await page.getByLabel('Kies een demonstratie').waitFor();
    // Its button is hidden when it begins, and the focus is not lost.
    await press(page, 'Begin', '#demonstratie');
    await step(page, 1);
    await expectSoon(() => page.evaluate('document.activeElement.className')).toBe('stage');
  });

  it('goes back one step with Back, and on again with Forward, also when the steps on the way use the screen', async () => {
    const { page } = await look('terug');
    await present(page, 'vier-ogen');
    await step(page, 1);
    for (const number of [2, 3, 4, 5]) {
      await isDone(page);
      await page.keyboard.press('PageDown');
      await step(page, number);
    }
    const { steps = [] } = (await demos()).find(({ name }) => name === 'vier-ogen') ?? {};
    await page.evaluate(watch(steps));
    for (const [move, number] of [
      ['back', 4],
      ['back', 3],
      ['back', 2],
      ['forward', 3],
    ] as const) {
      await isDone(page);
      await page.evaluate(`history.${move}()`);
      await step(page, number);
      await isDone(page);
      expect(page.url()).toContain(`stap=${number}`);
    }
    // Text, person, screen and address change together.
    expect(await page.evaluate('[globalThis.blank, ...globalThis.others]')).toEqual([0]);

    // A reload keeps what is marked, and the buttons of the bar stay within reach of the Tab key.
    await page.evaluate('history.back()');
    await step(page, 2);
    await isDone(page);
    await page.reload();
    await step(page, 2);
    await expectSoon(() => marked(page)).toBe('20 mei 2021 tot en met 19 mei 2026');
    await page.getByRole('link', { name: 'Naar de inhoud' }).focus();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.dataset.key')).toBe('lade-klok');

    // Back from the first step leaves the presentation.
    await page.evaluate('history.back()');
    await step(page, 1);
    await isDone(page);
    await page.evaluate('history.back()');
    await page.getByRole('button', { name: 'Presenteer', exact: true }).waitFor();
  });

  it.each([
    ['the key Escape', (page: Page) => page.keyboard.press('Escape')],
    [
      'the end of full screen, for which a browser uses Escape,',
      (page: Page) => page.evaluate('document.exitFullscreen()'),
    ],
  ])('goes on when %s closes a drawer above it', async (_, leave) => {
    const { page } = await look('lade');
    await present(page, 'herregistratie');
    await step(page, 1);
    await expectSoon(() => page.evaluate('document.fullscreenElement !== null')).toBe(true);
    await page.locator('[data-key="lade-klok"]').click();
    await page.locator('#lade-klok').waitFor();
    await leave(page);
    await page.locator('#lade-klok').waitFor({ state: 'hidden' });
    expect(await page.getByRole('button', { name: 'Stop presenteren' }).isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Presenteer', exact: true }).waitFor();
  });

  it('goes to the next step with Page Down, and closes the calls, the QR code or the drawer above it', async () => {
    const { page } = await look('dicht');
    await present(page, 'uiterste-datum');
    const parts = [
      ['#rechts', () => page.keyboard.press('w')],
      ['dialog.dialog--audience', () => page.keyboard.press('q')],
      ['#lade-klok', () => page.locator('[data-key="lade-klok"]').click()],
    ] as const;
    for (const [index, [part, open]] of parts.entries()) {
      await step(page, index + 1);
      await isDone(page);
      await open();
      await page.locator(part).waitFor();
      await page.keyboard.press('PageDown');
      await page.locator(part).waitFor({ state: 'hidden' });
    }
    await step(page, 4);
    expect(await page.evaluate('document.activeElement.className')).toBe('stage');
  });

  it('keeps text and buttons at their place, whatever the title of a step and while the screen is used', async () => {
    const { page } = await look('plaats', { viewport: { width: 1_440, height: 900 }, reducedMotion: 'no-preference' });
    await present(page, 'diploma-tot-registratie');
    const parts = page.locator('#demonstratie').locator('.say, button:has-text("Volgende")');
    const tops = () => parts.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
    await step(page, 1);
    const first = await tops();
    for (const next of [2, 3]) {
      await page.keyboard.press('PageDown');
      await step(page, next);
      expect(await tops()).toEqual(first);
    }
    await page.getByRole('button', { name: 'Sla over' }).waitFor();
    expect(await tops()).toEqual(first);
  });

  it('shows on a telephone the text above the screen, also when the page was scrolled and with notes', async () => {
    const { page } = await look('telefoon', { viewport: { width: 320, height: 640 }, reducedMotion: 'no-preference' });
    await openPart(page, 'demonstratie');
    await page.evaluate('scrollTo(0, 1_000), new Promise(requestAnimationFrame)');
    await present(page, 'register-valt-om');
    await page.keyboard.press('n');
    for (const number of [1, 2, 3]) {
      await step(page, number);
      await skipActs(page);
      const parts = ['#top', '#demonstratie [role=status]', '#tab-mijn'].map((one) => page.locator(one).boundingBox());
      const [bar, title, screen] = await Promise.all(parts);
      expect(title?.y).toBeGreaterThanOrEqual((bar?.y ?? 0) + (bar?.height ?? 0));
      expect(screen?.y).toBeLessThan(400);
      expect((screen?.y ?? 0) + (screen?.height ?? 0)).toBe(640);
      await press(page, 'Volgende');
    }
    await page.keyboard.press('w');
    await expectSoon(async () => (await page.locator('#rechts').boundingBox())?.width).toBe(320);
  });

  it('hides what is for developers, and its controls while the mouse rests and no button has the focus', async () => {
    const { page } = await look('rust', { viewport: { width: 1_920, height: 1_080 } });
    await present(page, 'oproep-tot-nieuwe-termijn');
    await step(page, 1);
    await page.keyboard.press('PageDown');
    await step(page, 2);
    await isDone(page);
    const extra = frameOf(page).getByText('Extra van de simulator');
    await extra.waitFor({ state: 'hidden' });
    const next = page.getByRole('button', { name: 'Volgende' });
    const opacity = () => next.evaluate((one) => one.ownerDocument.defaultView?.getComputedStyle(one).opacity);
    await expectSoon(opacity).toBe('0');
    await page.mouse.move(100, 100);
    await expectSoon(opacity).toBe('1');
    await expectSoon(opacity).toBe('0');
    await page.keyboard.press('Shift+Tab');
    await expectSoon(opacity).toBe('1');
    // As wide as a laptop: the text in it is larger.
    expect(
      await frameOf(page)
        .locator('html')
        .evaluate((html) => html.clientWidth),
    ).toBeLessThan(1_000);
    await page.keyboard.press('Escape');
    await openPart(page, 'tab-mijn');
    await extra.waitFor();
  });

  it.each([
    ['vier-ogen', 3, 'U mag dit niet doen.', 'POST /api/v1/brief/approve'],
    ['diploma-tot-registratie', 4, 'Een tweede komt er niet bij.', 'GET /api/v1/applications'],
    ['register-valt-om', 6, 'en geen tweede aanvraag.', 'POST /api/v1/applications/'],
  ])(
    'opens with W the calls of a step of %s in a drawer, at the reasons of its own call, and shows no status code to the audience',
    async (name, last, said, call) => {
      const { page } = await look(`waarom-${name}`, { viewport: { width: 1_440, height: 900 } });
      await page.clock.setFixedTime('2100-01-01');
      await present(page, name);
      for (let number = 1; number <= last; number += 1) {
        await step(page, number);
        await isDone(page);
        if (number < last) await page.keyboard.press('PageDown');
      }
      await expectSoon(() => text(page, '#demonstratie .stage')).toContain(said);
      expect(await text(page, '#demonstratie .stage')).not.toMatch(/\b[1-5]\d\d\b/);
      await page.keyboard.press('w');
      await expectSoon(() => text(page, '#rechts')).toContain('Waarom');
      const isFocusIn = (part: string) => page.evaluate(`document.activeElement.closest('${part}') !== null`);
      await expectSoon(() => isFocusIn('#rechts details[open]')).toBe(true);
      const { notes = '' } = (await demos()).find((one) => one.name === name)?.steps[last - 1] ?? { notes: '' };
      const [, answer = ''] = /et antwoord is (\d+)/.exec(notes) ?? [];
      expect((await text(page, '#rechts details[open]')).replaceAll(/\s+/g, ' ')).toContain(`${answer} ${call}`);
      expect(await text(page, '#rechts .entry__inside')).toMatch(
        /^Waarom(?![\s\S]*([a-z][A-Z]|domain|"))[\s\S]*\b(Wet|Afspraak)\b/,
      );
      await page.keyboard.press('Escape');
      expect(await page.locator('#rechts').isVisible()).toBe(false);
      expect(await isFocusIn('#demonstratie')).toBe(true);
      expect(await page.getByRole('button', { name: 'Stop presenteren' }).isVisible()).toBe(true);
      // Another step would play behind the drawer.
      await page.keyboard.press('w');
      await page.locator('#rechts').waitFor();
      await page.keyboard.press('PageUp');
      await page.locator('#rechts').waitFor({ state: 'hidden' });
    },
  );

  it('shows with W no calls of earlier steps, and opens the call of the step when it arrives later', async () => {
    const { page } = await look('later');
    await present(page, 'oproep-tot-nieuwe-termijn');
    for (const number of [1, 2, 3, 4]) {
      if (number > 1) await page.keyboard.press('PageDown');
      await step(page, number);
      await isDone(page);
    }
    await page.keyboard.press('w');
    await expectSoon(() => text(page, '#rechts')).toBe(
      'Bij deze stap is de dienst nog niets gevraagd. Berichten komen niet van deze dienst.',
    );
    const world = new URL(page.url()).searchParams.get('wereld');
    await service().get('/api/v1/dashboard-view', { as: `sanne-de-wit@${world}` });
    await expectSoon(() => text(page, '#rechts details[open]')).toContain('GET /api/v1/dashboard-view');
    expect(await page.locator('#rechts .entries > li').count()).toBe(1);
  });
});

describe('moving the clock', () => {
  it('tells before a button is pressed, and while the user drags along the timeline, what the register will send', async () => {
    const { page } = await look('vooruit');
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().includes('/expected/%2B')) asked += 1;
    });
    await page.reload();
    await page.getByRole('heading', { name: 'Sanne de Wit' }).waitFor();
    expect(asked).toBe(0);
    await openPart(page, 'klok');
    const line = page.locator('#klok .expected li', { hasText: '+4 maanden' });
    await expectSoon(() => line.first().innerText()).toMatch(/Tot en met 1 oktober 2026: .*herinnering \(.*voornemen/);
    expect(await text(page, '#klok')).toContain('1 juni 2026');
    await page.keyboard.press('Escape');
    await page.locator('#tijdlijn-dag').focus();
    await page.locator('#tijdlijn-dag').evaluate((slider) => {
      (slider as unknown as { value: string }).value = String(Date.parse('2026-07-09') / 86_400_000);
      slider.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await expectSoon(() => text(page, '.timeline__day')).toMatch(/Tot en met 9 juli 2026: herinnering \(/);
    expect((await service().get('/_simulator/worlds/vooruit')).body.clock.today).toBe('2026-06-01');
  });
});
