import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { choosePerson, expectSoon, openPart, press, text, useConsole } from './support/console.ts';

const { look, service } = useConsole();

/** Returns what a user sees of the state of the page: person, tabs, drawer, open call, open letter, filters. */
const shown = (page: Page) =>
  page.evaluate(`(() => {
    const textOf = (selector) => [...document.querySelectorAll(selector)].map((one) => one.textContent).join();
    const values = [...document.querySelectorAll('#personen input, #tab-antwoord input, #journaal input, #journaal select, #post input, #post select')];
    return {
      world: textOf('.bar__world'),
      person: textOf('.person-head h2'),
      tabs: textOf('[role="tab"][aria-selected="true"]'),
      drawer: document.querySelector('.drawer:not([hidden])')?.id ?? null,
      call: textOf('.entry[open] .entry__call'),
      letter: textOf('#post .paper__facts dd:first-of-type'),
      marked: textOf('.line[aria-current] strong'),
      filters: values.map((one) => one.value),
    };
  })()`);

type Act = (page: Page) => Promise<unknown>;
const STATES: readonly (readonly [name: string, act: Act])[] = [
  ['person', (page) => choosePerson(page, 'joost-van-buren')],
  ['tab', (page) => page.getByRole('tab', { name: 'Zaken en uploads' }).click()],
  ['tab of the left column', (page) => page.getByRole('tab', { name: 'Meer personen' }).click()],
  ['drawer', (page) => openPart(page, 'klok')],
  ['call', (page) => page.locator('.entry > summary').last().click()],
  ['filter of the journal', (page) => page.locator('#journaal').getByLabel('Status').selectOption('4')],
  ['caller in the journal', (page) => page.locator('#journaal').getByLabel('Persoon').selectOption('ruben-smit')],
  ['search in the journal', (page) => page.getByLabel('Zoek in het journaal').pressSequentially('ruben')],
  ['search of a person', (page) => page.getByLabel('Zoek een persoon').pressSequentially('tucht')],
  ['path to try', (page) => page.getByLabel('Pad om te proberen').pressSequentially('/api/v1/notes')],
  ['letter', (page) => press(page, /^Toon Oproep.*1 april 2026, Sanne/, '#post')],
  ['addressee of letters', (page) => page.getByLabel('Post aan').selectOption('iedereen')],
  ['kind of letters', (page) => page.locator('#post').getByLabel('Soort').selectOption('oproep')],
  ['search of letters', (page) => page.getByLabel('Zoek in de post').pressSequentially('joost')],
  [
    'world',
    async (page) => {
      await openPart(page, 'wereld');
      await page.getByLabel('Naam van de wereld').fill('een-andere');
      await press(page, 'Naar deze wereld');
      await expectSoon(() => text(page, '.bar__world strong')).toBe('een-andere');
    },
  ],
];

describe('the address of the console', () => {
  it.each(STATES)('has the %s: a reload and a second tab show it, and Back and Forward too', async (name, act) => {
    const world = `adres-${name.replaceAll(' ', '-')}`.slice(0, 32);
    for (const as of ['sanne-de-wit', 'ruben-smit'])
      await service().get('/api/v1/dashboard-view', { as: `${as}@${world}` });
    await service().get('/api/v1/brief', { as: `sanne-de-wit@${world}` });
    const { page } = await look(world);
    if (/letter/.test(name)) await openPart(page, 'post');
    await expectSoon(() => page.locator('.entry').count()).toBe(3);
    if (name === 'world') await openPart(page, 'wereld');
    const before = await shown(page);
    await act(page);
    await expectSoon(() => shown(page)).not.toEqual(before);
    // What arrives later, such as an answer to a search, belongs to the state.
    await page.waitForLoadState('networkidle');
    const after = await shown(page);

    await page.reload();
    await expectSoon(() => shown(page)).toEqual(after);
    const second = await page.context().newPage();
    await second.goto(page.url());
    await expectSoon(() => shown(second)).toEqual(after);
    await page.goBack();
    await expectSoon(() => shown(page)).toEqual(before);
    // The other tab has a state of its own.
    expect(await shown(second)).toEqual(after);
    await page.goForward();
    await expectSoon(() => shown(page)).toEqual(after);
    expect(await page.evaluate('localStorage.length')).toBe(0);
  });

  it('with a call that is not among the newest shows that call', async () => {
    const world = 'adres-oud';
    await service().get('/api/v1/notes', { as: `sanne-de-wit@${world}` });
    const { body } = await service().get(`/_simulator/worlds/${world}/journal`);
    for (let call = 0; call < 200; call += 1) await service().get('/api/v1/notes', { as: `ruben-smit@${world}` });
    const { page } = await look(world);
    await page.goto(`${page.url()}&aanroep=${body[0].traceId}`);
    await expectSoon(() => page.locator('.entry[open]').innerText()).toContain('Sanne de Wit');
  });
});
