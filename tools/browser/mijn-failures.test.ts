import { describe, expect, it } from 'vitest';
import { controlOf } from '../../test/support/control.ts';
import { expectSoon } from './support/console.ts';
import { findings, type OpenMijn, useMijn } from './support/mijn.ts';

const { service, look, open, draftAt } = useMijn();

/** Starts an application for herregistratie, and goes to the step with the hours. Returns the id of the draft. */
async function toHours({ page, to, press, sees }: OpenMijn): Promise<string> {
  await to('herregistratie');
  await press('Beginnen');
  await press('Volgende');
  await sees('Stap 2 van 4');
  return new URL(page.url()).hash.split('/')[2] ?? '';
}
/** Goes to the step with the hours, and waits until this step is saved, so that another tab opens it too. */
async function toSavedHours(mijn: OpenMijn, persona: string): Promise<string> {
  const id = await toHours(mijn);
  await expectSoon(async () => {
    const { body } = await service().get(`/api/v1/applications/${id}`, { as: persona });
    return body.status.stepIndex;
  }).toBe(1);
  await mijn.page.locator('.save-state--saved').waitFor();
  return id;
}
const hours = ({ page }: OpenMijn) => page.getByLabel('Aantal uren in vijf jaar');
/** Returns the hours in the draft that the service has stored. */
const savedHours = async (persona: string, id: string) =>
  (await service().get(`/api/v1/applications/${id}`, { as: persona })).body.draft?.uren;

describe('a draft in Mijn register', () => {
  it('is saved during typing, which a screen reader says once, and is shown after a reload', async () => {
    const mijn = await look('sanne-de-wit', 'herladen');
    const id = await toHours(mijn);
    await mijn.page.getByRole('status').filter({ hasText: 'Uw wijzigingen zijn bewaard.' }).waitFor();
    await mijn.page.evaluate(`spoken = 0; new MutationObserver(() => { spoken += 1; }).observe(
      document.querySelector('#bewaard [role="status"]'), { characterData: true, childList: true, subtree: true })`);
    for (const typed of [2_440, 2_450]) {
      await hours(mijn).fill(String(typed));
      await expectSoon(() => savedHours('sanne-de-wit@herladen', id)).toBe(typed);
    }
    await mijn.page.locator('.save-state--saved').waitFor();
    expect(await mijn.page.evaluate('spoken')).toBe(0);
    await mijn.page.reload();
    await mijn.sees('Stap 2 van 4');
    expect(await hours(mijn).inputValue()).toBe('2450');
  });

  it('keeps text that is typed without a connection, also after a reload, and saves it when the connection returns', async () => {
    const mijn = await look('sanne-de-wit', 'los');
    const id = await toHours(mijn);
    await mijn.page.route('**/api/v1/applications/*', (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    );
    await hours(mijn).fill('2300');
    await mijn.sees('Er is geen verbinding');
    expect(await savedHours('sanne-de-wit@los', id)).toBeUndefined();
    await mijn.page.unroute('**/api/v1/applications/*');
    await mijn.page.reload();
    await expectSoon(() => savedHours('sanne-de-wit@los', id)).toBe(2_300);
    expect(await hours(mijn).inputValue()).toBe('2300');
  });

  it('asks which version to keep when a second tab saved first, also after a reload, and loses neither before that', async () => {
    const first = await look('sanne-de-wit', 'tabs');
    const id = await toSavedHours(first, 'sanne-de-wit@tabs');
    const second = await open(await first.context.newPage(), 'sanne-de-wit', 'tabs', `herregistratie/${id}`);
    await hours(second).fill('2700');
    await expectSoon(() => savedHours('sanne-de-wit@tabs', id)).toBe(2_700);
    await hours(first).fill('2800');
    await first.sees('Deze tekst is ook ergens anders veranderd');
    expect(await first.page.locator('.compare').innerText()).toMatch(/Uren\s+2800\s+2700/);
    await first.page.setViewportSize({ width: 320, height: 640 });
    const cells = first.page.locator('.compare :is(th, td)', { hasText: /^(Wat|Hier|Uren|\d+)$/ });
    const lines = await cells.evaluateAll((all) =>
      all.map((cell) => {
        const range = cell.ownerDocument.createRange();
        range.selectNodeContents(cell);
        return range.getClientRects().length;
      }),
    );
    expect(lines).toEqual([1, 1, 1, 1, 1]);
    await hours(first).fill('2850');
    await first.page.reload();
    await first.sees('Deze tekst is ook ergens anders veranderd');
    expect(await first.page.locator('.compare').innerText()).toMatch(/Uren\s+2850\s+2700/);
    await first.press('Houd wat ik hier heb');
    await first.page.locator('#bewaard:focus', { hasText: 'Bewaard' }).waitFor({ state: 'attached' });
    await expectSoon(() => savedHours('sanne-de-wit@tabs', id)).toBe(2_850);
    await hours(second).fill('2900');
    await second.press('Neem de andere versie');
    await expectSoon(() => hours(second).inputValue()).toBe('2850');
  });

  it('takes the version of another tab without a question when nothing was typed in this one, and stays at its own step', async () => {
    const first = await look('sanne-de-wit', 'lezer');
    const id = await toSavedHours(first, 'sanne-de-wit@lezer');
    const second = await open(await first.context.newPage(), 'sanne-de-wit', 'lezer', `herregistratie/${id}`);
    await hours(second).waitFor();
    await hours(first).fill('2700');
    await expectSoon(() => savedHours('sanne-de-wit@lezer', id)).toBe(2_700);
    await second.press('Vorige');
    await second.sees('Stap 1 van 4');
    await expectSoon(async () => {
      const { body } = await service().get(`/api/v1/applications/${id}`, { as: 'sanne-de-wit@lezer' });
      return [body.status.stepIndex, body.draft.uren];
    }).toEqual([0, 2_700]);
    expect(await second.page.getByText('ook ergens anders').count()).toBe(0);
    await second.press('Volgende');
    await second.sees('Stap 2 van 4');
    expect(await hours(second).inputValue()).toBe('2700');
  });

  it('keeps the version of a tab in conflict while another tab goes on, and submits neither', async () => {
    const first = await look('sanne-de-wit', 'door');
    const id = await toSavedHours(first, 'sanne-de-wit@door');
    const second = await open(await first.context.newPage(), 'sanne-de-wit', 'door', `herregistratie/${id}`);
    // Else it could read the draft after the first tab has changed it.
    await hours(second).waitFor();
    await hours(first).fill('1111');
    await expectSoon(() => savedHours('sanne-de-wit@door', id)).toBe(1_111);
    await hours(second).fill('2222');
    await second.sees('Deze tekst is ook ergens anders veranderd');
    await hours(first).fill('1112');
    await expectSoon(() => savedHours('sanne-de-wit@door', id)).toBe(1_112);
    await first.page.locator('.save-state--saved').waitFor();
    await second.page.reload();
    await second.sees('Deze tekst is ook ergens anders veranderd');
    expect(await second.page.locator('.compare').innerText()).toMatch(/Uren\s+2222\s+1112/);
    for (const name of ['Volgende', 'Volgende', 'Indienen']) await second.press(name);
    await second.page.locator('#bewaard:focus', { hasText: 'Deze tekst is ook ergens anders veranderd' }).waitFor();
  });

  it('offers no choice of versions when the answer to its own save was lost', async () => {
    const mijn = await look('sanne-de-wit', 'zoek');
    const id = await toHours(mijn);
    let saves = 0;
    await mijn.page.route('**/api/v1/applications/*', async (route) => {
      if (route.request().method() !== 'PUT') return route.continue();
      saves += 1;
      if (saves > 1) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await hours(mijn).fill('2.222');
    await mijn.press('Nu proberen');
    await mijn.page.getByRole('status').filter({ hasText: 'Uw wijzigingen zijn bewaard.' }).waitFor();
    expect(saves).toBe(2);
    expect(await savedHours('sanne-de-wit@zoek', id)).toBe(2_222);
    expect(await mijn.page.getByText('ook ergens anders').count()).toBe(0);
    expect(await hours(mijn).inputValue()).toBe('2.222');
    const kept = `Object.keys(localStorage).filter((key) => key.includes('${id}'))`;
    await expectSoon(() => mijn.page.evaluate(kept)).toEqual([]);
    await hours(mijn).fill('2.333');
    await expectSoon(() => savedHours('sanne-de-wit@zoek', id)).toBe(2_333);
  });

  it('is not shown as saved any more when the world was reset elsewhere', async () => {
    const mijn = await look('sanne-de-wit', 'gereset');
    await toSavedHours(mijn, 'sanne-de-wit@gereset');
    await controlOf(service()).in('gereset').post('/reset', {});
    // The console sends this event to the page in its frame.
    await mijn.page.evaluate("dispatchEvent(new Event('data-changed'))");
    const message = mijn.page.getByRole('alert').filter({ hasText: 'Dit bestaat niet, of is niet van u.' });
    await message.waitFor();
    expect((await message.innerText()).split('\n')[0]).toBe('Niet gevonden');
    expect(await mijn.page.getByText('Bewaard').count()).toBe(0);
  });

  it('is not saved after it is deleted, also when its last change was not saved yet', async () => {
    const mijn = await look('sanne-de-wit', 'weggegooid');
    const { page } = mijn;
    const id = await toHours(mijn);
    await page.route('**/api/v1/applications/*', (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    );
    await hours(mijn).fill('2300');
    await mijn.sees('Er is geen verbinding');
    const calls: string[] = [];
    page.on('request', (request) => request.method() === 'PUT' && calls.push('PUT'));
    page.on('requestfinished', (request) => request.method() === 'DELETE' && calls.push('DELETE'));
    await mijn.press('Concept weggooien');
    const asked = page.getByRole('dialog', { name: 'Wilt u dit concept weggooien?' });
    await asked.locator('button:focus', { hasText: 'Annuleren' }).press('Enter');
    await mijn.press('Concept weggooien');
    await mijn.press('Ja, gooi het weg');
    await mijn.sees('Er is niets ingediend');
    expect(calls.at(-1)).toBe('DELETE');
    expect(await page.evaluate(`Object.keys(localStorage).filter((key) => key.includes('${id}'))`)).toEqual([]);
  });

  it('sends a change once when two things wait for the same slow save', async () => {
    const mijn = await look('sanne-de-wit', 'traag-bewaren');
    const id = await toSavedHours(mijn, 'sanne-de-wit@traag-bewaren');
    const slow = Promise.withResolvers<void>();
    const sent: unknown[] = [];
    await mijn.page.route('**/api/v1/applications/*', async (route) => {
      if (route.request().method() === 'PUT') sent.push(route.request().postDataJSON().draft.uren);
      if (sent.length === 1) await slow.promise;
      return route.continue();
    });
    await hours(mijn).fill('2300');
    await expect.poll(() => sent).toEqual([2_300]);
    await hours(mijn).fill('2310');
    await mijn.press('Later verder');
    await mijn.press('Later verder');
    slow.resolve();
    await expectSoon(() => savedHours('sanne-de-wit@traag-bewaren', id)).toBe(2_310);
    expect(sent).toEqual([2_300, 2_310]);
  });
});

describe('Mijn register while an upstream or the service fails', () => {
  it('asks once to log in when the session has expired, and then shows the page', async () => {
    const { put, delete: remove } = controlOf(service()).in('verlopen');
    await put('/scenarios/session-expired');
    const { page, press, sees, to } = await look('sanne-de-wit', 'verlopen');
    const alert = page.getByRole('alert');
    await to('gegevens');
    await expect.poll(() => alert.count()).toBe(1);
    await to('aanvragen');
    await sees('U bent niet ingelogd');
    expect(await alert.innerText()).not.toContain('token');
    expect((await alert.innerText()).match(/Log opnieuw in/g)).toHaveLength(2);
    await remove('/scenarios/session-expired');
    await press('Log opnieuw in');
    await sees('Er is niets ingediend');
  });

  it('keeps hours that are typed after the session has expired, and saves them after logging in', async () => {
    const { put, delete: remove } = controlOf(service()).in('verlopen-uren');
    const mijn = await look('sanne-de-wit', 'verlopen-uren');
    const id = await toSavedHours(mijn, 'sanne-de-wit@verlopen-uren');
    await put('/scenarios/session-expired');
    await hours(mijn).fill('2555');
    await mijn.sees('Log opnieuw in. Wat u hebt ingevuld, is niet weg.');
    expect(await hours(mijn).inputValue()).toBe('2555');
    await remove('/scenarios/session-expired');
    await mijn.press('Log opnieuw in');
    await expectSoon(() => savedHours('sanne-de-wit@verlopen-uren', id)).toBe(2_555);
    await mijn.page.locator('.save-state--saved').waitFor();
  });

  it('says that there is no connection, and shows the screen without a click when the connection returns', async () => {
    const { page, context, to, sees } = await look('sanne-de-wit', 'zonder-net');
    await sees('Welkom, Sanne de Wit');
    await context.setOffline(true);
    await to('aanvragen');
    const alert = page.getByRole('alert');
    await alert.getByText('Kijk of u internet hebt.').waitFor();
    expect(await alert.count()).toBe(1);
    expect(await alert.getByRole('button', { name: 'Nu proberen' }).isVisible()).toBe(true);
    await context.setOffline(false);
    await sees('Er is niets ingediend.');
    expect(await alert.count()).toBe(0);
  });

  it('says in the last step what is saved and that nothing is submitted without a connection, and submits when asked again', async () => {
    const as = 'sanne-de-wit@indienen-zonder-net';
    const mijn = await look('sanne-de-wit', 'indienen-zonder-net');
    const { page, context, to, press, sees } = mijn;
    await to(`herregistratie/${await draftAt(as, 2)}`);
    await sees('Bewijs van scholing');
    await page.locator('.save-state--saved').waitFor();
    await context.setOffline(true);
    await press('Volgende');
    await press('Indienen');
    await page.locator('#bewaard:focus', { hasText: 'Er is geen verbinding' }).waitFor();
    const held = page.getByRole('alert').filter({ hasText: 'Uw aanvraag is nog niet ingediend' });
    expect(await held.innerText()).toContain('Eerst moeten uw antwoorden bewaard zijn');
    await context.setOffline(false);
    await held.getByText('Uw antwoorden zijn bewaard. Druk opnieuw op ‘Indienen’.').waitFor();
    expect((await service().get('/api/v1/applications', { as })).body[0].status.tag).toBe('Concept');
    await context.setOffline(true);
    await press('Indienen');
    const failure = page.locator('.failure:focus', { hasText: 'Er is geen verbinding' });
    await failure.getByText('Uw antwoorden zijn bewaard. Uw aanvraag is pas ingediend als u een kenmerk').waitFor();
    expect(await held.count()).toBe(0);
    expect(await page.title()).toMatch(/^Stap 4 van 4/);
    await context.setOffline(false);
    await sees('Uw aanvraag is ingediend');
    await sees(/^HER-2026-\d{6}$/);
  });

  it('counts down, and shows the overview without a click and with the focus on it when the register answers again', async () => {
    const world = controlOf(service()).in('register-weg');
    await world.put('/scenarios/register-down');
    const { page, sees } = await look('sanne-de-wit', 'register-weg');
    await sees('Het register');
    await page.clock.install();
    await page.reload();
    await sees(/Wij proberen het over \d+ secon/);
    await sees('U hoeft niets te doen.');
    await world.delete('/scenarios/register-down');
    await page.getByRole('button', { name: 'Nu proberen' }).focus();
    await page.clock.fastForward('01:00');
    await page.locator('main:focus', { hasText: 'Welkom, Sanne de Wit' }).waitFor();
  });

  it('submits a request once when the answer of the register was lost, however often the button is pressed', async () => {
    const world = controlOf(service()).in('antwoord-weg');
    const mijn = await look('sanne-de-wit', 'antwoord-weg');
    const { to, fill, press, sees } = mijn;
    await to('adres');
    await fill('Straat en huisnummer', 'Lindelaan 12');
    await fill('Postcode', '3511 AB');
    await fill('Woonplaats', 'Utrecht');
    await world.put('/scenarios/answers-lost');
    await press('Indienen');
    await sees('Het antwoord bleef uit');
    // The message says once that the user can submit again.
    expect((await mijn.page.getByRole('alert').innerText()).match(/opnieuw/g)).toHaveLength(2);
    await sees('Dien hem opnieuw in: hij komt nooit twee keer binnen.');
    await world.delete('/scenarios/answers-lost');
    await mijn.page.getByRole('button', { name: /Nu proberen|Probeer opnieuw/ }).click();
    await sees(/^ADR-2026-\d{6}$/);
    const { body } = await service().get('/api/v1/applications', { as: 'sanne-de-wit@antwoord-weg' });
    expect(body).toHaveLength(1);
  });

  it('sends a request once when the button is pressed before the countdown ends and the answer is slow', async () => {
    const { page, to, fill, press, sees } = await look('sanne-de-wit', 'traag-antwoord');
    await to('adres');
    await fill('Straat en huisnummer', 'Lindelaan 12');
    await fill('Postcode', '3511 AB');
    await fill('Woonplaats', 'Utrecht');
    const slow = Promise.withResolvers<void>();
    let sent = 0;
    await page.route('**/api/v1/change-requests', async (route) => {
      sent += 1;
      if (sent === 1) return route.abort();
      await slow.promise;
      return route.continue();
    });
    await page.clock.install();
    await press('Indienen');
    await sees(/Wij proberen het over \d+ secon/);
    await press('Nu proberen');
    await sees('Wij proberen het nu opnieuw');
    await page.evaluate('dispatchEvent(new Event("online"))');
    await page.clock.fastForward('01:00');
    await press('Nu proberen');
    await press('Indienen');
    slow.resolve();
    await sees(/^ADR-2026-\d{6}$/);
    expect(sent).toBe(2);
  });

  it('keeps its buttons readable while an answer is slow', async () => {
    const { page, to, fill, press, sees } = await look('sanne-de-wit', 'leesbaar');
    await to('adres');
    await fill('Straat en huisnummer', 'Lindelaan 12');
    await fill('Postcode', '3511 AB');
    await fill('Woonplaats', 'Utrecht');
    const slow = Promise.withResolvers<void>();
    await page.route('**/api/v1/change-requests', async (route) => {
      await slow.promise;
      return route.continue();
    });
    await press('Indienen');
    await page.locator('button[aria-busy="true"]').waitFor();
    expect(await findings(page)).toEqual([]);
    slow.resolve();
    await sees(/^ADR-2026-\d{6}$/);
  });

  it('stops the countdown when a sent field is changed, so that the old value is not sent again', async () => {
    await controlOf(service()).in('bedenktijd').put('/scenarios/register-down');
    const { page, to, fill, press, sees } = await look('sanne-de-wit', 'bedenktijd');
    await to('adres');
    await fill('Straat en huisnummer', 'Lindelaan 12');
    await fill('Postcode', '3511 AB');
    await fill('Woonplaats', 'Utrecht');
    await press('Indienen');
    await sees(/Wij proberen het over \d+ secon/);
    await fill('Straat en huisnummer', 'Lindelaan 14');
    await page.getByRole('timer').waitFor({ state: 'detached' });
  });
});
