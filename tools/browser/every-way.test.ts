import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { choosePerson, expectSoon, openPart, press, useConsole } from './support/console.ts';

const { look } = useConsole();

/** The second cell of each row of the table: where a function is on the page. `test/docs.test.ts` checks the others. */
const PLACES = readFileSync(new URL('../../docs/reference/simulator.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(2)
  .map((line) => line.split('|')[2]?.trim().replaceAll('`', '') ?? '');

describe('the table of functions in docs/reference/simulator.md', () => {
  it('lists only controls of the page that Tab and the arrow keys reach', async () => {
    const { page } = await look('rondgang');
    await press(page, 'Begin', '#demonstratie');
    await expectSoon(() => page.locator('#demonstratie [role=status]').innerText()).toContain('Stap 1');
    // The demonstration stopped it; the two buttons take turns.
    await press(page, 'Laat lopen');
    await openPart(page, 'storingen');
    await page.getByRole('switch', { name: 'DUO is traag' }).check();
    await page.locator('#storingen .more > summary').click();
    await press(page, 'Zet storing aan');
    await openPart(page, 'momentopnamen');
    await page.locator('#momentopnamen').getByLabel('Naam').fill('rondgang');
    await press(page, 'Bewaar deze wereld');
    await page.getByRole('button', { name: 'Zet terug rondgang' }).waitFor();

    // The letters of somebody who has some.
    await choosePerson(page, 'sanne-de-wit');
    await openPart(page, 'post');
    await page.locator('#post').getByRole('link', { name: 'PDF' }).first().waitFor();

    // The names of all that the keyboard comes by, in each part of the page.
    const reached = new Set<string>();
    for (const part of PARTS) {
      await openPart(page, part);
      await page.evaluate(begin(part));
      for (let at = 0; at < 100; at += 1) {
        await page.keyboard.press('Tab');
        const stop = await page.evaluate<Stop | null>(stopIn(part));
        if (stop === null) break;
        reached.add(stop.name);
        for (let next = 1; next < stop.group; next += 1) {
          await page.keyboard.press('ArrowDown');
          reached.add((await page.evaluate<Stop>(stopIn(part))).name);
        }
      }
    }
    const missing = PLACES.flatMap((where) =>
      where
        .split(';')
        .flatMap(
          (part) =>
            part
              .split(': ')
              .at(-1)
              ?.split(/, (?!Ruben)/) ?? [],
        )
        .map((name) => name.trim()),
    )
      .filter((name) => !NO_CONTROL.has(name))
      .filter((name) => ![...reached].some((one) => one === name || one.startsWith(`${name} `)));
    expect(missing).toEqual([]);
    await press(page, 'Verwijder rondgang');
  });
});

/** Parts of the page without controls, because users only read them. */
const NO_CONTROL = new Set([
  ...['the links', 'a line of it', 'Personen', 'Zaken', 'Brief', 'Uploads', 'Momentopnamen', 'Scenario’s en storingen'],
]);

/** Parts of the page, of which some are in a drawer or a tab. */
const PARTS = [
  ...['top', 'demonstratie', 'mensen', 'personen', 'tab-antwoord', 'stand', 'post', 'journaal'],
  ...['wereld', 'klok', 'storingen', 'momentopnamen'],
];

/** The focused control: its accessible name, and the number of controls that the arrow keys reach from it. */
interface Stop {
  readonly name: string;
  readonly group: number;
}

/** Returns a script that unfolds a part of the page, and puts the focus before its first control. */
const begin = (part: string): string => `(() => {
  const part = document.getElementById('${part}');
  for (const one of part.querySelectorAll('details.more')) one.open = true;
  part.tabIndex = -1;
  part.focus();
})()`;

/** Returns a script that returns the `Stop` of the focused element; null when that is not in this part of the page. */
const stopIn = (part: string): string => `(() => {
  const one = document.activeElement;
  if (one === null || one.closest('#${part}') === null) return null;
  const label = document.getElementById(one.getAttribute('aria-labelledby')?.split(' ')[0]) ?? one.labels?.[0] ?? one;
  const name = one.getAttribute('aria-label') ?? label.textContent;
  const group = one.closest('[data-roving]')?.querySelectorAll('[data-stop]').length ?? 1;
  return { name: name.trim().replace(/\\s+/g, ' '), group };
})()`;
