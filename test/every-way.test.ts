import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createCli } from '../simulator/cli/index.ts';
import { press, soon, withConsole } from './support/console.ts';

const { look, service } = withConsole();

/** The rows of the table: what, on the page, from a terminal, over HTTP. */
const ROWS = readFileSync(new URL('../docs/reference/simulator.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(2)
  .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))
  .map(([, what = '', page = '', terminal = '', http = '']) => ({ what, page, terminal, http }));

describe('the table of functions in docs/reference/simulator.md', () => {
  it('has each command, and no other', () => {
    const named = new Set(ROWS.map(({ terminal }) => terminal.split(' ')[0]));
    const commands = createCli({ out: () => undefined, url: '' }).commands.map((command) => command.name());
    expect([...named].sort()).toEqual([...commands, 'help'].sort());
  });

  it('has each path of the control API, and no other', async () => {
    const { paths } = (await service().get('/_simulator/openapi.json')).body as { paths: Record<string, object> };
    const served = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect([...new Set(ROWS.map(({ http }) => http))].sort()).toEqual(served.sort());
  });

  it('has only controls of the page that Tab reaches', async () => {
    const { page } = await look('rondgang');
    await press(page, 'Begin', '#demonstratie');
    await soon(() => page.locator('#demonstratie [role=status]').innerText()).toContain('Stap 1');
    // The demonstration stopped it; the two buttons take turns.
    await press(page, 'Laat lopen');
    await page.getByRole('switch', { name: 'duo-slow' }).check();
    for (const id of ['wereld', 'klok', 'storingen']) await page.locator(`#${id} .more > summary`).click();
    await press(page, 'Zet storing aan');
    await page.locator('#momentopnamen').getByLabel('Naam').fill('rondgang');
    await press(page, 'Bewaar deze wereld');
    await page.getByRole('button', { name: 'Zet terug rondgang' }).waitFor();
    await page.locator('.entry > summary').first().click();
    await page.locator('.entry .code').first().waitFor();

    // The names of all that Tab comes by, until it is round.
    const reached = new Set<string>();
    await page.evaluate('document.body.tabIndex = -1; document.body.focus()');
    for (let at = 0; at < 400; at += 1) {
      await page.keyboard.press('Tab');
      const name = (await page.evaluate(NAME)) as string | null;
      if (name === null) break;
      reached.add(name);
    }
    const missing = ROWS.flatMap(({ page: where }) =>
      where
        .split(';')
        .flatMap(
          (part) =>
            part
              .split(': ')
              .at(-1)
              ?.split(/, (?!ruben)/) ?? [],
        )
        .map((name) => name.trim()),
    )
      .filter((name) => !NO_CONTROL.has(name))
      .filter((name) => ![...reached].some((one) => one === name || one.startsWith(`${name} `)));
    expect(missing).toEqual([]);
    await press(page, 'Verwijder rondgang');
  }, 30_000);
});

/** Parts of the page that users only read, so that have no control. */
const NO_CONTROL = new Set([
  ...['the links', 'a line of it', 'Personen', 'Zaken', 'Brief', 'Uploads', 'Momentopnamen', 'Scenario’s en storingen'],
]);

/** Script that returns the accessible name of the focused element; null on the body, where Tab began. */
const NAME = `(() => {
  const one = document.activeElement;
  if (one === null || one === document.body) return null;
  const name = one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent;
  return name.trim().replace(/\\s+/g, ' ');
})()`;
