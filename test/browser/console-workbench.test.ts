import { describe, expect, it } from 'vitest';
import { choose, open, press, soon, text, withConsole } from '../support/console.ts';

const { look, service } = withConsole();

/** The names of the worlds that there are. */
const worlds = async (): Promise<string[]> =>
  (await service().get('/_simulator/worlds')).body.map(({ world }: { world: string }) => world);

describe('the workbench', () => {
  it('fits in a window of 1440 by 900, and shows Mijn register as the person that is chosen', async () => {
    const { page } = await look('werkbank', { viewport: { width: 1_440, height: 900 } });
    await page.getByRole('tab', { name: 'Mijn register' }).click();
    const frame = page.frameLocator('iframe[title^="Mijn register als"]');
    await frame.getByRole('heading', { name: 'Welkom, Sanne de Wit' }).waitFor();
    await choose(page, 'joost-van-buren');
    await frame.getByRole('heading', { name: 'Welkom, Joost van Buren' }).waitFor();
    const over = 'document.documentElement.scrollHeight - document.documentElement.clientHeight';
    expect(await page.evaluate(over)).toBe(0);
    expect(page.url()).toContain('als=joost-van-buren');
  });

  it('sets the clock to a day of the timeline, which is of the person that is chosen', async () => {
    const { page } = await look('tijdlijn');
    const days = page.getByRole('list', { name: 'Tijdlijn' });
    await press(page, /^Uiterste datum/);
    await soon(() => text(page, '#top')).toContain('1 oktober 2026');
    await soon(() => days.getByRole('listitem').allInnerTexts()).toHaveLength(3);
    expect((await days.getByRole('listitem').allInnerTexts())[0]).toContain('Begin');
    await choose(page, 'lotte-van-dijk');
    await soon(() => days.innerText()).toContain('Herregistratie ontvangen');
  });

  it('takes away that the simulator is unreachable when it answers again', async () => {
    const { page } = await look('weg-en-terug');
    await page.route('**/clock', (route) => route.abort());
    await press(page, '+1 dag');
    await soon(() => page.locator('#klok [role=alert]').count()).toBe(1);
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await soon(() => page.locator('#klok [role=alert]').count()).toBe(0);
  });
});

describe('undo in the console', () => {
  it('brings back a world that was reset, and then one that was deleted', async () => {
    const { page } = await look('terug');
    await press(page, '+1 maand');
    await soon(() => text(page, '#klok')).toContain('1 juli 2026');
    await press(page, 'Begin opnieuw', '#wereld');
    await soon(() => text(page, '#klok')).toContain('1 juni 2026');
    await press(page, /^Maak ongedaan opnieuw begonnen in terug/);
    await soon(() => text(page, '#klok')).toContain('1 juli 2026');

    await press(page, 'Verwijder wereld');
    await soon(() => page.title()).toContain('default');
    expect(await worlds()).not.toContain('terug');
    await press(page, /^Maak ongedaan wereld terug verwijderd/);
    await soon(() => page.title()).toContain('terug');
    await soon(() => text(page, '#klok')).toContain('1 juli 2026');
    expect((await service().get('/_simulator/snapshots')).body).toEqual([]);
  });

  it('asks before all worlds begin again', async () => {
    const { page } = await look('allemaal');
    await press(page, '+1 maand');
    await soon(() => text(page, '#klok')).toContain('1 juli 2026');
    await open(page, 'wereld');
    await page.locator('#wereld summary').click();
    await press(page, 'Begin alle werelden opnieuw', '#wereld');
    await press(page, 'Nee, ga terug', 'dialog');
    expect(await text(page, '#klok')).toContain('1 juli 2026');
    await press(page, 'Begin alle werelden opnieuw', '#wereld');
    await press(page, 'Ja, begin alle werelden opnieuw', 'dialog');
    await soon(() => text(page, '#klok')).toContain('1 juni 2026');
    await press(page, /^Maak ongedaan alle werelden/);
    await soon(() => text(page, '#klok')).toContain('1 juli 2026');
  });
});

describe('presentation mode', () => {
  it('shows the narration beside what the person sees, and goes on with Page Down from within the frame', async () => {
    const { page } = await look('zaal');
    await open(page, 'demonstratie');
    await page.getByLabel('Kies een demonstratie').selectOption('herregistratie');
    await press(page, 'Presenteer');
    const step = (n: number) => soon(() => text(page, '#demonstratie [role=status]')).toContain(`Stap ${n} van 9`);
    await step(1);
    const frame = page.frameLocator('iframe[title^="Mijn register als"]');
    await frame.getByRole('heading', { name: 'Welkom, Sanne de Wit' }).click();
    expect(await page.locator('#rechts').isVisible()).toBe(false);
    await page.keyboard.press('PageDown');
    await step(2);
    await page.keyboard.press('PageUp');
    await step(1);
    await page.keyboard.press('Escape');
    await soon(() => page.locator('#rechts').isVisible()).toBe(true);
    await press(page, 'Stop');
    await soon(worlds).not.toContain('demo-herregistratie');
  }, 30_000);
});
