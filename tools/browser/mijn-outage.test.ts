import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sampleOfSize } from '../../simulator/samples/sized.ts';
import { controlOf } from '../../test/support/control.ts';
import { expectSoon } from './support/console.ts';
import { findings, useMijn } from './support/mijn.ts';

const { service, look, open, draftAt } = useMijn();

/**
 * The failures: scenarios of the simulator, and a broken connection, each with the name of a screen to check with axe.
 */
const FAILURES = {
  'register-garbage': 'gegevens',
  'duo-down': 'gegevens',
  'brp-down': 'adres',
  'register-down': 'herregistratie',
  'rate-limited': 'gegevens',
  'session-expired': 'overzicht',
  cut: 'aanvragen',
} as const;
const SCREENS = ['overzicht', 'aanvragen', 'berichten', 'gegevens', 'adres', 'registratie', 'intake', 'herregistratie'];

/** Matches words of English or technical texts, which a citizen should not see. */
const NOT_FOR_CITIZENS =
  /\b(the|is not|error|failed|unknown|undefined|null|token|upstream|timeout|urn|NaN)\b|\[object|bron is niet/i;

/** Returns the faults of the current screen during a failure. */
async function wrongWith(page: Page): Promise<string[]> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
  await page.locator('.loading').first().waitFor({ state: 'detached' });
  const text = await page.locator('main').innerText();
  const alerts = await page.getByRole('alert').allInnerTexts();
  const titles = alerts.map((alert) => alert.split('\n')[0]);
  return [
    (await page.getByRole('heading', { level: 1 }).count()) === 1 ? '' : 'not one heading of level 1',
    text.length > 40 ? '' : `almost empty: ${text}`,
    NOT_FOR_CITIZENS.exec(text)?.[0] ?? '',
    new Set(titles).size === titles.length ? '' : `twice: ${titles}`,
    ...alerts.map((alert) =>
      new Set(alert.match(/U hoeft niets|Probeer het|Log opnieuw in|Kijk of|Ga terug/g)).size === 1
        ? ''
        : `not one advice: ${alert}`,
    ),
  ].filter((fault) => fault !== '');
}

describe('every screen of Mijn register', () => {
  it.each(Object.entries(FAILURES))(
    'has one Dutch message with the problem and the solution, and no findings of axe, with %s',
    async (failure, checked) => {
      const world = controlOf(service()).in('uitval');
      const { page, to } = await look('ruben-smit', 'uitval');
      const { body: drafts } = await service().get('/api/v1/applications', { as: 'ruben-smit@uitval' });
      const ids = [`herregistratie/${drafts[0].id}`, `aanvragen/${drafts[2].id}`, 'berichten/weg'];
      if (failure === 'cut') await page.route('**/api/v1/**', (route) => route.abort());
      else await world.put(`/scenarios/${failure}`);
      const found: Record<string, string[]> = {};
      for (const screen of [...SCREENS.filter((one) => one !== checked), ...ids, checked]) {
        await to(screen);
        await page.locator('main h1').waitFor();
        found[screen] = await wrongWith(page);
      }
      found.axe = await findings(page);
      await open(page, 'drafter-dana', 'uitval');
      for (const screen of ['voorbeeld', 'brief']) {
        await to(screen);
        found[screen] = await wrongWith(page);
      }
      await world.delete('/faults');
      expect(Object.entries(found).filter(([, wrong]) => wrong.length > 0)).toEqual([]);
    },
  );
});

describe('a citizen of Mijn register', () => {
  it('keeps a typed address when the register is down, and after logging in again', async () => {
    const world = controlOf(service()).in('getypt');
    const { page, to, fill, press, sees } = await look('sanne-de-wit', 'getypt');
    await to('adres');
    await fill('Straat en huisnummer', 'Lindelaan 12');
    await world.put('/scenarios/register-down');
    await press('Indienen');
    await sees('Het register is nu niet bereikbaar');
    await world.delete('/scenarios/register-down');
    await world.put('/scenarios/session-expired');
    await fill('Postcode', '3511 AB');
    await press('Indienen');
    await sees('U bent niet ingelogd');
    await world.delete('/scenarios/session-expired');
    await press('Log opnieuw in');
    await expectSoon(() => page.getByLabel('Postcode').inputValue()).toBe('3511 AB');
    expect(await page.getByLabel('Straat en huisnummer').inputValue()).toBe('Lindelaan 12');
  });

  it('can create a draft while the register is down', async () => {
    await controlOf(service()).in('alvast').put('/scenarios/register-down');
    const { to, press, sees } = await look('sanne-de-wit', 'alvast');
    await to('herregistratie');
    await sees('U kunt alvast beginnen.');
    await press('Beginnen');
    await sees('Stap 1 van 4');
  });

  it('keeps a chosen file while the document store is down, also in the next step, and can send it again when the store answers', async () => {
    const world = controlOf(service()).in('bestand');
    const { page, to, press, sees } = await look('sanne-de-wit', 'bestand');
    const id = await draftAt('sanne-de-wit@bestand', 2);
    await world.put('/scenarios/documents-down');
    await to(`herregistratie/${id}`);
    await page
      .getByLabel(/^Kies/)
      .first()
      .setInputFiles({
        name: 'bewijs.pdf',
        mimeType: 'application/pdf',
        buffer: Buffer.from(sampleOfSize('pdf', 2_000)),
      });
    await sees('De documentopslag is nu niet bereikbaar');
    await press('Volgende');
    await sees('Deze bestanden gaan niet mee met uw aanvraag.');
    await sees('De documentopslag is nu niet bereikbaar');
    await world.delete('/scenarios/documents-down');
    await press('Vorige');
    await press(/Nu proberen|Probeer opnieuw/);
    await sees(/^Ontvangen$/);
  });

  it('keeps a chosen file when the session has ended, and can send it after logging in beside it', async () => {
    const world = controlOf(service()).in('sessie-bestand');
    const { page, to, press, sees } = await look('sanne-de-wit', 'sessie-bestand');
    await to(`herregistratie/${await draftAt('sanne-de-wit@sessie-bestand', 2)}`);
    const choose = page.getByLabel('Kies bestanden voor Bewijs van werkervaring');
    await choose.waitFor();
    await world.put('/scenarios/session-expired');
    const buffer = Buffer.from(sampleOfSize('pdf', 2_000));
    await choose.setInputFiles({ name: 'bewijs.pdf', mimeType: 'application/pdf', buffer });
    const file = page.locator('.file', { hasText: 'bewijs.pdf' });
    await file.getByText('Niet gelukt').waitFor();
    await sees('dan blijft dit bestand hier gekozen');
    await press('Later verder');
    await sees('Nog niet verstuurd: bewijs.pdf.');
    await press('Annuleren');
    expect(await findings(page)).toEqual([]);
    // A reload would lose it: the browser asks first.
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      return dialog.dismiss();
    });
    await page.evaluate('location.reload()');
    await expect.poll(() => asked).toEqual(['beforeunload']);
    const beside = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'Log opnieuw in (nieuw tabblad)' }).click();
    await world.delete('/scenarios/session-expired');
    await (await beside).close();
    await page.getByRole('button', { name: 'Probeer opnieuw' }).press('Enter');
    await page.locator('#documenten-werkervaring-kop:focus').waitFor();
    await sees(/^Ontvangen$/);
    // What the service does refuse is named so.
    await choose.setInputFiles({ name: 'leeg.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(0) });
    await page.locator('.file', { hasText: 'leeg.pdf' }).getByText('Geweigerd').waitFor();
    await page.reload();
    await sees(/^Ontvangen$/);
    expect(asked).toHaveLength(1);
    await press('Later verder');
    await sees('Nog afmaken');
  });

  it('can send a file again that arrived too slowly', async () => {
    const { page, to, press, sees } = await look('sanne-de-wit', 'trage-lijn');
    await to(`herregistratie/${await draftAt('sanne-de-wit@trage-lijn', 2)}`);
    const body = JSON.stringify({ status: 408, code: 'verzoek-te-traag', title: 'Te traag', detail: 'Te traag.' });
    await page.route('**/uploads', (route) =>
      route.fulfill({ status: 408, contentType: 'application/problem+json', body }),
    );
    const buffer = Buffer.from(sampleOfSize('pdf', 2_000));
    await page
      .getByLabel('Kies bestanden voor Bewijs van werkervaring')
      .setInputFiles({ name: 'bewijs.pdf', mimeType: 'application/pdf', buffer });
    await page.locator('.file', { hasText: 'bewijs.pdf' }).getByText('Niet gelukt').waitFor();
    await page.unroute('**/uploads');
    await press('Probeer opnieuw');
    await sees(/^Ontvangen$/);
  });
});
