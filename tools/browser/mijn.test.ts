import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { controlOf } from '../../test/support/control.ts';
import { pdfAndZip } from '../../test/support/files.ts';
import { expectSoon } from './support/console.ts';
import { type OpenMijn, useMijn } from './support/mijn.ts';

const { service, look, draftAt } = useMijn();
const SCAN = readFileSync(new URL('../../docs/console.png', import.meta.url));

/** Returns the applications of a person, from the public API. */
const applicationsOf = async (persona: string) => (await service().get('/api/v1/applications', { as: persona })).body;

/** Chooses a file for a category. */
async function attach({ page }: OpenMijn, category: string, name: string): Promise<void> {
  await page.getByLabel(category).setInputFiles({ name, mimeType: 'image/png', buffer: SCAN });
}

describe('a professional in Mijn register', () => {
  it('may use a diploma again when the console sets the world back to before the registration', async () => {
    const [world, as] = ['naar-voor-registratie', 'noor-bakker@naar-voor-registratie'];
    const control = controlOf(service()).in(world);
    await service().post('/api/v1/registrations', as, { diplomaHerkomst: 'duo', documents: [] });
    await control.post('/clock', { move: '+2days' });
    const { page, to, sees } = await look('noor-bakker', world);
    await sees('Geregistreerd sinds');
    // Another profession is the least likely of what is possible.
    expect(await page.locator('.task:not(.task--closed) h3').allInnerTexts()).toEqual([
      'Adres voor post wijzigen',
      'In nog een beroep registreren',
    ]);
    await to('gegevens');
    await sees('Hbo-Verpleegkunde');
    await control.post('/reset', {});
    const { id } = (await service().post('/api/v1/applications', as, { type: 'registratie' })).body;
    await to(`registratie/${id}`);
    await page.evaluate('dispatchEvent(new Event("world-changed"))');
    await page.getByLabel('Mijn diploma staat bij DUO').waitFor();
  });

  it('applies for herregistratie with an uploaded document, and finds the confirmation in the mailbox', async () => {
    const mijn = await look('sanne-de-wit', 'her');
    const { page, press, fill, sees } = mijn;
    await page.getByRole('link', { name: 'Begin Herregistratie aanvragen' }).click();
    await press('Beginnen');
    await sees('Merelstraat 18');
    await press('Volgende');
    await fill('Aantal uren in vijf jaar', '2.600');
    await press('Volgende');
    await attach(mijn, 'Kies bestanden voor Bewijs van werkervaring', 'jaaropgave.png');
    await sees(/^Ontvangen$/);
    await press('Volgende');
    await sees('2.600');
    await press('Indienen');
    await sees('Uw aanvraag is ingediend');
    const reference = await page.locator('.confirmation__number').innerText();
    expect(reference).toMatch(/^HER-2026-\d{6}$/);
    await page.getByRole('link', { name: /ontvangst|ontvangen/i }).click();
    await page.locator('.paper').waitFor();
    // Dates, references and telephone numbers stay on one line.
    const unbroken = page.locator('.paper .nowrap');
    expect(await unbroken.allInnerTexts()).toEqual(expect.arrayContaining(['1 juni 2026', reference, '070 000 00 00']));
    await mijn.to('berichten/oproep-30-2026-04-01');
    await unbroken
      .filter({ hasText: /^OPR-\d{8}-\d{6}$/ })
      .first()
      .waitFor();
    const [application] = await applicationsOf('sanne-de-wit@her');
    expect(application).toMatchObject({ type: 'herregistratie', status: { referentie: reference } });
    expect(application.documentIds).toHaveLength(1);
  });

  it.each([
    ['noor-bakker', 'Mijn diploma staat bij DUO', []],
    [
      'gerda-postma',
      'Mijn Nederlandse diploma staat niet bij DUO',
      [
        'Gewaarmerkte kopie van uw diploma',
        'Kopie van een geldig identiteitsbewijs',
        'Certificaat taaltoets Nederlands',
      ],
    ],
    [
      'elena-marin',
      'Mijn diploma komt uit het buitenland',
      [
        'Gewaarmerkte kopie van uw diploma',
        'Kopie van een geldig identiteitsbewijs',
        'Diplomasupplement',
        'Verklaring van de bevoegde autoriteit (CCPS)',
        'Certificaat taaltoets Nederlands',
      ],
    ],
  ])('applies for registration: %s, "%s"', async (persona, origin, byPost) => {
    const mijn = await look(persona, 'reg');
    const { page, press, sees, to } = mijn;
    await to('registratie');
    await press('Beginnen');
    await page.getByLabel(origin).check();
    await press('Volgende');
    if (byPost.length > 0) {
      await page.getByLabel('Voor welk beroep?').selectOption('verpleegkundige');
      expect(await page.getByText('Hoe laat u zien dat u Nederlands spreekt?').count()).toBe(0);
      await page.getByRole('group', { name: 'Was uw opleiding in het Nederlands?' }).getByLabel('Nee').check();
      await page.getByLabel('Ik heb een taaltoets Nederlands gehaald').check();
      await page.getByLabel(/^Op welke datum/).fill('6-7-2014');
      await press('Volgende');
      // An answer that is missing is named above the fields and beside its field, until it is given.
      const summary = page.locator('#fouten');
      await summary.getByRole('link', { name: /^Hebt u in een ander land een maatregel/ }).click();
      const measure = page.getByRole('group', { name: /^Hebt u in een ander land een maatregel/ });
      expect(await measure.innerText()).toContain('Beantwoord deze vraag.');
      expect(await page.title()).toMatch(/^Fout: Stap 2 van 4/);
      const no = measure.getByLabel('Nee');
      await no.check();
      // A chosen answer looks the same when the user has gone on to the next one.
      await page.mouse.move(0, 0);
      const chosen = await no.screenshot();
      await no.blur();
      expect(chosen.equals(await no.screenshot())).toBe(true);
      expect(await measure.innerText()).not.toContain('Beantwoord deze vraag.');
      expect(await summary.innerText()).not.toContain('maatregel');
      await page.getByLabel(/^Bij welke/).fill('Alfa-college');
      // Who chose a Dutch diploma has said the country.
      const land = page.getByLabel(/^In welk land/);
      expect(await land.count()).toBe(persona === 'elena-marin' ? 1 : 0);
      if (persona === 'elena-marin') {
        for (const [answer, message] of [
          ['asdf', 'Schrijf de Nederlandse naam van het land'],
          ['holland', 'U koos in de vorige stap'],
        ] as const) {
          await land.fill(answer);
          await press('Volgende');
          await summary.getByRole('link', { name: message }).waitFor();
        }
        await land.fill('Engeland');
        await summary.waitFor({ state: 'detached' });
        expect(
          await page.locator('datalist option').evaluateAll((all) => all.map((one) => one.getAttribute('value'))),
        ).toContain('Roemenië');
        await land.fill('roemenie');
      }
      await press('Volgende');
      await sees('Stap 3 van 4');
    }
    if (byPost.length > 0) {
      await press('Volgende');
      // A required document that is missing is named as an answer is. One that comes by post is not missing.
      const summary = page.locator('#fouten:focus');
      await summary.waitFor();
      expect(await page.title()).toMatch(/^Fout: Stap 3 van 4/);
      expect(await summary.getByRole('link').allInnerTexts()).toHaveLength(
        byPost.length + (persona === 'elena-marin' ? 1 : 0),
      );
      await summary.getByRole('link', { name: `${byPost[0]}: Kies een bestand, of` }).click();
      await page.locator('#documenten-diploma-gewaarmerkt:focus').waitFor();
    }
    // Only about a certified copy is it said that a scan of it will do.
    expect(await page.getByText('U mag een scan van die kopie sturen').count()).toBe(byPost.length > 0 ? 1 : 0);
    for (const title of byPost) {
      const document = page.locator('.document', { has: page.getByRole('heading', { name: title, exact: true }) });
      await document.getByLabel(`Ik stuur dit per post: ${title}`, { exact: true }).check();
    }
    if (persona === 'elena-marin') {
      // Only the message about this category is left.
      expect(await page.locator('#fouten').getByRole('link').allInnerTexts()).toEqual([
        'Curriculum vitae: Kies een bestand. Dit document kan niet per post.',
      ]);
      await attach(mijn, 'Kies een bestand voor Curriculum vitae', 'cv.png');
      await sees(/^Ontvangen$/);
    }
    expect(await page.locator('#fouten').count()).toBe(0);
    // Without questions and without documents to send, there is no step for them.
    const step = byPost.length > 0 ? /^Stap 3 van 4: Documenten/ : /^Stap 2 van 2: Controleren/;
    await expect.poll(() => page.title()).toMatch(step);
    expect(await page.getByText('Uw diploma is ouder dan vijf jaar').count()).toBe(byPost.length > 0 ? 1 : 0);
    if (byPost.length > 0) {
      await press('Volgende');
      await sees('6 juli 2014');
      expect(await page.locator('.summary', { hasText: 'Vragen' }).innerText()).toMatch(/maatregel[^?]*\?\s+Nee/);
    }
    await press('Indienen');
    await sees('Uw aanvraag is ingediend');
    await page.locator('.facts', { hasText: /Beroep\s*Verpleegkundige/ }).waitFor();
    await sees(byPost.length > 0 ? 'zodra wij hebben wat u per post stuurt' : 'Wij controleren uw aanvraag.');
    await sees(persona === 'elena-marin' ? 'binnen drie maanden nadat wij alles' : 'binnen acht weken na uw aanvraag');
    if (byPost.length > 0) {
      const heading = page.getByRole('heading', { level: 3, name: 'Stuur deze documenten per post' });
      expect(await page.locator('.utrecht-alert', { has: heading }).innerText()).toContain('Postbus 100');
      await sees('6 juli 2014');
      await page.locator('.cover dd', { hasText: /^(Gerda Postma|Elena Marin), / }).waitFor();
      // Only the cover sheet for the envelope is printed.
      await page.emulateMedia({ media: 'print' });
      expect((await page.locator('.mijn').innerText()).split(/\s*\n\s*/)).toEqual([
        ...['Zorgregister', 'Postbus 100', '2500 AA ’s-Gravenhage'],
        'Kenmerk',
        expect.stringMatching(/^REG-2026-\d{6}$/),
        'Afzender',
        expect.stringMatching(/^(Gerda Postma|Elena Marin), .+ \d{4} [A-Z]{2} .+/),
        'Documenten',
        ...byPost,
      ]);
      await page.emulateMedia({ media: 'screen' });
      await to('overzicht');
      await sees(`Stuur per post, als u dat nog niet hebt gedaan: ${byPost.join(', ')}.`);
    }
    expect((await applicationsOf(`${persona}@reg`))[0]).toMatchObject({
      type: 'registratie',
      status: { tag: 'InBehandeling' },
    });
  });

  it('goes between the steps of an application with Back and Forward of the browser', async () => {
    const { page, press, fill, sees, to } = await look('sanne-de-wit', 'terug');
    await to('herregistratie');
    await press('Beginnen');
    await sees('Stap 1 van 4');
    await press('Volgende');
    await fill('Aantal uren in vijf jaar', '2.600');
    await press('Volgende');
    await sees('Stap 3 van 4');
    await page.goBack();
    await sees('Stap 2 van 4');
    expect(await page.getByLabel('Aantal uren in vijf jaar').inputValue()).toBe('2.600');
    await page.goForward();
    await sees('Stap 3 van 4');
    await expect.poll(() => page.title()).toBe('Stap 3 van 4: Documenten · Herregistratie aanvragen · Mijn register');
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.getByRole('navigation', { name: 'Stappen' }).getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringContaining('Uw gegevens'),
      expect.stringContaining('Uw uren'),
      expect.stringContaining('Documenten'),
      expect.stringContaining('Controleren'),
    ]);
    await page.reload();
    await sees('Stap 3 van 4');
    await page.goBack();
    await page.goBack();
    await sees('Stap 1 van 4');
    await page.goBack();
    await sees('U was al begonnen');
  });

  it('goes back from the confirmation to the page on which the application began', async () => {
    const { page, press, fill, sees, to } = await look('sanne-de-wit', 'terug-na-indienen');
    await to('herregistratie');
    await press('Beginnen');
    await sees('Stap 1 van 4');
    await press('Volgende');
    await fill('Aantal uren in vijf jaar', '2.600');
    await press('Volgende');
    await sees('Stap 3 van 4');
    await press('Volgende');
    await sees('Stap 4 van 4');
    await press('Indienen');
    await sees('Uw aanvraag is ingediend');
    await page.goBack();
    await sees('U hebt al een aanvraag lopen');
    await page.goForward();
    await sees('Uw aanvraag is ingediend');
  });

  it('goes back from the confirmation to the list from which the last step was opened, after a change of another step', async () => {
    const { page, press, sees, to } = await look('sanne-de-wit', 'terug-naar-lijst');
    await draftAt('sanne-de-wit@terug-naar-lijst', 3);
    await to('aanvragen');
    await page.getByRole('link', { name: 'Ga verder met uw herregistratie' }).click();
    await sees('Stap 4 van 4');
    await press(/^Wijzig\s+Uw uren/);
    await sees('Stap 2 van 4');
    await press('Volgende');
    await sees('Stap 3 van 4');
    await press('Volgende');
    await sees('Stap 4 van 4');
    await press('Indienen');
    await sees('Uw aanvraag is ingediend');
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Mijn aanvragen' }).waitFor();
  });

  it('closes the question about a draft when the user goes back to the step before', async () => {
    const { page, press, sees, to } = await look('sanne-de-wit', 'vraag');
    await to('herregistratie');
    await press('Beginnen');
    await press('Volgende');
    await sees('Stap 2 van 4');
    await press('Concept weggooien');
    const question = page.getByRole('dialog', { name: 'Wilt u dit concept weggooien?' });
    await question.waitFor();
    await page.goBack();
    await page.locator('#stap:focus', { hasText: 'Stap 1 van 4' }).waitFor();
    expect(await question.count()).toBe(0);
    await press('Concept weggooien');
    await press('Ja, gooi het weg');
    await sees('Er is niets ingediend');
  });

  it('shows the step before when the user goes back as soon as a step is shown', async () => {
    const { page, press, fill, sees, to } = await look('sanne-de-wit', 'snel');
    await to('herregistratie');
    await press('Beginnen');
    await press('Volgende');
    await fill('Aantal uren in vijf jaar', '2.600');
    for (let time = 0; time < 5; time += 1) {
      await page.evaluate(`new MutationObserver((_, observer) => {
        if (!document.getElementById('stap').textContent.includes('Stap 3')) return;
        observer.disconnect();
        history.back();
      }).observe(document.body, { childList: true, characterData: true, subtree: true })`);
      const isBack = page.waitForEvent('framenavigated', (frame) => frame.url().endsWith('/2'));
      await press('Volgende');
      await isBack;
      await sees('Stap 2 van 4');
      expect(await page.getByLabel('Aantal uren in vijf jaar').inputValue()).toBe('2.600');
    }
  });

  it('is told in the draft of a renewal, before the first day of the renewal, that it cannot be submitted now', async () => {
    const { page, press, sees, to } = await look('ruben-smit', 'te-vroeg');
    await to('aanvragen');
    await page
      .getByRole('link', { name: /herregistratie/i })
      .first()
      .click();
    await sees('U kunt deze aanvraag nu niet indienen');
    await press('Volgende');
    await sees('U kunt deze aanvraag nu niet indienen');
    await service().post('/api/v1/applications', 'fatima-yilmaz@te-vroeg', { type: 'intake' });
    const fatima = (await look('fatima-yilmaz', 'te-vroeg')).page;
    await fatima.locator('.task--closed', { hasText: 'Een intake helpt u pas vanaf' }).waitFor();
    await fatima.getByRole('link', { name: 'Ga verder met uw intake' }).click();
    await fatima.locator('form', { hasText: 'Een intake helpt u pas vanaf' }).waitFor();
  });

  it.each([
    ['sanne-de-wit', 'U hebt waarschijnlijk niets te registreren', 0, ['verpleegkundige']],
    ['mila-jansen', 'U hebt waarschijnlijk niets te registreren', 0, ['verpleegkundige', 'physician assistant']],
    ['ruben-smit', 'met uw diploma bij DUO als verpleegkundige', 1, ['physician assistant']],
  ])(
    'is told where a profession is chosen that a registration in it exists: %s',
    async (persona, text, atDuo, held) => {
      const { page, press, sees, to } = await look(persona, 'al');
      await to('registratie');
      await sees(text);
      expect(await page.getByRole('heading', { level: 2, name: text }).count()).toBe(1 - atDuo);
      await press('Beginnen');
      await page.getByText('Met welk diploma vraagt u registratie aan?').waitFor();
      expect(await page.getByLabel('Mijn diploma staat bij DUO').count()).toBe(atDuo);
      for (const beroep of atDuo ? [] : held) await sees(`U staat al in het register als ${beroep}.`);
      await page.getByLabel('Mijn diploma komt uit het buitenland').check();
      await press('Volgende');
      for (const beroep of held) {
        await page.getByLabel('Voor welk beroep?').selectOption(beroep);
        await press('Volgende');
        await page.getByRole('link', { name: `U staat al in het register als ${beroep}.` }).waitFor();
        await page.locator('#beroep[aria-invalid]').waitFor();
      }
      await page.getByLabel('Voor welk beroep?').selectOption('tandarts');
      expect(await page.locator('#fouten').getByText('U staat al').count()).toBe(0);
    },
  );

  it('is asked about scholing in an intake only with too few hours', async () => {
    const mijn = await look('joost-van-buren', 'int');
    const { page, press, fill, sees, to } = mijn;
    await to('intake');
    await press('Beginnen');
    for (const [hours, message] of [
      ['9999999999', 'Meer dan 43.800 kan niet'],
      ['43.801', 'Meer dan 43.800 kan niet'],
      ['1040.5', /bijvoorbeeld 2600\.$/],
      ['veel', /bijvoorbeeld 2600\.$/],
    ] as const) {
      await fill('Aantal uren in vijf jaar', hours);
      await press('Volgende');
      await sees(message);
      await sees('Stap 1 van');
    }
    await sees('Voor uw beroep is de norm 2.080 uur.');
    await fill('Aantal uren in vijf jaar', '9000');
    await press('Volgende');
    await sees('Stap 2 van 2');
    expect(await page.locator('main').innerText()).not.toContain('Scholing');
    await press('Vorige');
    await fill('Aantal uren in vijf jaar', '900');
    await press('Volgende');
    await sees('Stap 2 van 3');
    await press('Volgende');
    await page.getByRole('link', { name: 'Hebt u scholing gevolgd? Beantwoord deze vraag.' }).click();
    await page.locator('#scholing:focus').waitFor();
    await page.getByLabel('Ja', { exact: true }).check();
    await fill(/Hoeveel punten/, '40');
    await attach(mijn, 'Kies een bestand voor Bewijs van scholing', 'certificaat.png');
    await sees(/^Ontvangen$/);
    await press('Volgende');
    await sees('certificaat.png');
    await press('Indienen');
    await sees('Uw aanvraag is ingediend');
    expect((await applicationsOf('joost-van-buren@int'))[0].documentIds).toHaveLength(1);
  });

  it('can go on with an intake with enough hours after a wrong answer about scholing', async () => {
    const { page, press, fill, sees, to } = await look('joost-van-buren', 'genoeg');
    await to('intake');
    await press('Beginnen');
    await fill('Aantal uren in vijf jaar', '1000');
    await press('Volgende');
    await page.getByLabel('Ja', { exact: true }).check();
    await fill(/Hoeveel punten/, '12.5');
    await press('Volgende');
    await sees('Vul een heel getal van 1 of meer in.');
    await press('Vorige');
    await fill('Aantal uren in vijf jaar', '9000');
    await press('Volgende');
    await sees('Stap 2 van 2');
    await press('Indienen');
    await sees('Uw aanvraag is ingediend');
  });

  it('sees a link to each wrong field when an address is refused, and the corrected address when it is submitted', async () => {
    const { page, press, fill, sees, to } = await look('sanne-de-wit', 'adr');
    await to('adres');
    await press('Indienen');
    await sees('Vul uw woonplaats in.');
    expect(await page.getByRole('alert').innerText()).not.toContain('En nog');
    await expect.poll(() => page.title()).toBe('Fout: Adres voor post wijzigen · Mijn register');
    await page.locator('.failure:focus').waitFor();
    await fill('Straat en huisnummer', 'Lindelaan');
    await fill('Postcode', '3511 AB');
    await fill('Woonplaats', 'Utrecht');
    await press('Indienen');
    await sees('Het adres klopt niet');
    await page.getByRole('alert').getByRole('link').first().click();
    await page.locator('#straat:focus').waitFor();
    await fill('Straat en huisnummer', 'Lindelaan 12');
    await press('Indienen');
    await sees(/^ADR-2026-\d{6}$/);
    await sees('Wat gebeurt er nu?');
    await sees('ook op uw oude adres');
    expect(await page.locator('address').innerText()).toBe('Lindelaan 12\n3511 AB Utrecht');
    expect(await page.title()).toBe('Uw adreswijziging is ingediend · Mijn register');
    // A second change has no form while the first one is in progress.
    await to('overzicht');
    await to('adres');
    await sees('U hebt al een aanvraag lopen');
    expect(await page.getByRole('button', { name: 'Indienen' }).count()).toBe(0);
  });

  it('sees the address that was asked for while the request runs, and as the address for letters once it is granted', async () => {
    const { page, press, fill, sees, to } = await look('tomasz-wolski', 'adr');
    await to('adres');
    await sees('wij schrijven het land waar u woont erbij');
    await fill('Straat en huisnummer', 'Lange Lozanastraat 114');
    await fill('Postcode', '2018');
    await fill('Woonplaats', 'Antwerpen');
    await press('Indienen');
    await sees('Dit is al uw adres voor post');
    await fill('Straat en huisnummer', 'Meir 5');
    await press('Indienen');
    await sees('Wat gebeurt er nu?');
    await sees('ook op uw oude adres');
    await to('aanvragen');
    await page.getByRole('link', { name: 'Adreswijziging' }).click();
    await sees('Meir 5, 2018 Antwerpen');
    await to('adres');
    await sees('U hebt al een aanvraag lopen');
    await expectSoon(() => page.locator('address').innerText()).toBe('Meir 5\n2018 Antwerpen');
    expect(await page.getByRole('textbox').count()).toBe(0);
    const [{ status }] = await applicationsOf('tomasz-wolski@adr');
    await controlOf(service()).in('adr').put(`/zaken/${status.referentie}/besluit`, { uitkomst: 'goedgekeurd' });
    await to('gegevens');
    await expectSoon(() => page.locator('address').last().innerText()).toBe('Meir 5\n2018 Antwerpen');
  });

  it('reads wherever a secret address is shown that it is secret', async () => {
    const { sees, to } = await look('fatima-yilmaz', 'default');
    await sees('Nieuwe Binnenweg 310 B, 3021 GS Rotterdam (geheim)');
    await to('gegevens');
    await sees('Uw adres is geheim');
    await to('adres');
    await sees('Dit adres is geheim');
    await to(`herregistratie/${await draftAt('fatima-yilmaz', 0)}`);
    await sees('3021 GS Rotterdam (geheim)');
    const generated = await look('burger-7', 'default');
    await generated.sees(/\(geheim\)$/);
    const sanne = await look('sanne-de-wit', 'default');
    await sanne.sees('3514 CN Utrecht');
    expect(await sanne.page.getByText('geheim').count()).toBe(0);
  });

  it('sees the deadline that has passed apart from today, and no deadline for a specialist', async () => {
    await controlOf(service()).in('termijn').post('/clock', { move: '+8months' });
    const { page, sees } = await look('ingrid-visser', 'termijn');
    await sees('8 maanden geleden');
    const days = page.locator('.deadline__points strong');
    const deadline = await days.nth(1).boundingBox();
    const today = await days.nth(2).boundingBox();
    expect((today?.x ?? 0) - (deadline?.x ?? 0) - (deadline?.width ?? 0)).toBeGreaterThan(10);
    const amira = await look('amira-el-idrissi', 'termijn');
    await amira.sees('herregistratie is voor u niet nodig');
    await amira.sees('Uw registratie als arts loopt nu tot en met 5 juli 2029.');
    await amira.sees('dan kunt u vanaf 5 januari 2029 herregistratie aanvragen');
    // What the user can do comes first.
    expect(await amira.page.locator('.task--closed:last-child').innerText()).not.toContain('niet mogelijk');
    expect(await amira.page.getByText('Herregistratie uiterlijk op').count()).toBe(0);
  });

  it.each([
    ['+0days', 'Nog 3 maanden', 'info'],
    ['+3days', 'Nog 89 dagen', 'warning'],
  ])(
    'sees the time that is left in the colour of a warning only when it is counted in days: %s',
    async (move, text, tone) => {
      await controlOf(service()).in(`kleur-${tone}`).post('/clock', { move });
      const { page } = await look('pieter-hoekstra', `kleur-${tone}`);
      await page.locator(`.deadline--${tone}`, { hasText: text }).waitFor();
    },
  );

  it('sees the whole register number only after a step-up', async () => {
    const { page, press, sees } = await look('sanne-de-wit', 'nummer');
    expect(await page.locator('.number__digits').innerText()).toBe('*********30');
    const number = page.getByRole('status').filter({ has: page.locator('.number__digits') });
    expect(await number.ariaSnapshot()).toBe('- status: eindigt op 30');
    await press('Toon hele nummer');
    await sees('Uw nummer is openbaar, en staat voluit in onze brieven aan u.');
    await press('Ik ben het');
    await sees(/^90\d{9}$/);
    expect(await number.ariaSnapshot()).toMatch(/^- status: "?90\d{9}"?$/);
    await press('Verberg');
    await sees('*********30');
  });

  it('sees each step with the focus on its heading, and submits nothing with a double click or with Enter twice', async () => {
    const { page, press, sees, to } = await look('sanne-de-wit', 'dubbel');
    const submissions: string[] = [];
    page.on('request', (request) => request.url().endsWith('/submit') && submissions.push(request.url()));
    const isAt = (step: number) => page.locator('#stap:focus', { hasText: `Stap ${step} van 4` }).waitFor();
    await to(`herregistratie/${await draftAt('sanne-de-wit@dubbel', 2)}`);
    await page.getByRole('button', { name: 'Volgende' }).hover();
    for (const clickCount of [1, 2]) {
      await page.mouse.down({ clickCount });
      await page.mouse.up({ clickCount });
      await isAt(4);
    }
    await press('Vorige');
    await isAt(3);
    await page.getByRole('button', { name: 'Volgende' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await isAt(4);
    await press(/^Wijzig\s+Uw uren/);
    await isAt(2);
    await press('Later verder');
    await sees('Nog afmaken');
    expect(submissions).toEqual([]);
  });

  it('sees that a proof of scholing is required with fewer hours than the norm', async () => {
    const { page, press, fill, sees, to } = await look('sanne-de-wit', 'norm');
    await to(`herregistratie/${await draftAt('sanne-de-wit@norm', 1)}`);
    await fill('Aantal uren in vijf jaar', '100');
    expect(await page.getByText('bevel').count()).toBe(0);
    const henk = await look('henk-de-boer', 'norm');
    await henk.to(`herregistratie/${await draftAt('henk-de-boer@norm', 1)}`);
    await henk.sees('U hebt een bevel van de inspectie (IGJ): uren uit die tijd tellen soms niet mee.');
    // While the user types, the first digits are always too few.
    expect(await page.getByText(/minder/).count()).toBe(0);
    await press('Volgende');
    await sees('Uw uren zijn minder dan de norm');
    // Only somebody whose profession has specialisms can be in training for one.
    await sees('Bent u in opleiding tot specialist?');
    await henk.fill('Aantal uren in vijf jaar', '100');
    await henk.press('Volgende');
    await henk.sees('Uw uren zijn minder dan de norm');
    expect(await henk.page.getByText('opleiding tot specialist?').count()).toBe(0);
    for (const one of [page, henk.page])
      await one.locator('.document', { hasText: 'Bewijs van werkervaring' }).getByText('Ik stuur dit per post').click();
    await expectSoon(() => page.getByText('Verplicht', { exact: true }).count()).toBe(0);
    await henk.page
      .locator('.document', { hasText: 'werkervaring' })
      .getByRole('checkbox', { checked: true })
      .waitFor();
    expect(await henk.page.getByText('Verplicht', { exact: true }).count()).toBe(1);
    await page.getByText('Ik stuur dit per post').first().click();
    const proof = page.locator('.document', { hasText: 'Bewijs van scholing' });
    await proof.getByText('Verplicht', { exact: true }).waitFor();
    expect(await page.getByText('Niet verplicht').count()).toBe(1);
    // A screen reader reads with the field what the document is, and that it is required.
    const described = await page
      .getByLabel('Kies een bestand voor Bewijs van scholing')
      .evaluate((one) =>
        one
          .getAttribute('aria-describedby')
          ?.replaceAll(/\S+/g, (id: string) => one.ownerDocument.getElementById(id)?.textContent ?? ''),
      );
    expect(described).toMatch(/^Verplicht Periodiek Registratie Certificaat .* Pdf, jpg of png/);
    await press('Volgende');
    const missing = page.getByRole('link', { name: /^Bewijs van scholing: Kies een bestand/ });
    await missing.waitFor();
    const empty = { name: 'leeg.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(0) };
    await page.getByLabel('Kies een bestand voor Bewijs van scholing').setInputFiles(empty);
    await sees('Het bestand is leeg');
    expect(await missing.count()).toBe(1);
    // A proof of work can take its place.
    // What happens with documents by post is said once, and read with each tick.
    await page.locator('#per-post', { hasText: 'Stuurt u iets per post?' }).waitFor();
    expect(await page.locator('[type=checkbox][aria-describedby="per-post"]').count()).toBe(2);
    await page.getByLabel('Ik stuur dit per post: Bewijs van werkervaring').check();
    expect(await page.locator('#fouten').count()).toBe(0);
    await press('Volgende');
    await sees('Stap 4 van 4');
  });

  it('cannot submit an old draft with unanswered questions, and sees in the last step who applies and what is missing', async () => {
    const as = 'gerda-postma@oud';
    const { id } = (await service().post('/api/v1/applications', as, { type: 'registratie' })).body;
    const draft = { diplomaHerkomst: 'handmatig', beroep: 'verpleegkundige', taalvaardigheid: 'nederlandstalig' };
    await service().call('PUT', `/api/v1/applications/${id}`, { as, json: { draft, stepIndex: 3, stepCount: 4 } });
    const { page, press, sees, to } = await look('gerda-postma', 'oud');
    const submissions: string[] = [];
    page.on('request', (request) => request.url().endsWith('/submit') && submissions.push(request.url()));
    await to(`registratie/${id}/4`);
    await expect
      .poll(() => page.locator('.summary', { hasText: 'Wie vraagt aan' }).innerText())
      .toContain('Gerda Postma');
    const done = page.getByRole('navigation', { name: 'Stappen' }).getByText('(klaar)');
    await expect.poll(() => done.count()).toBe(1);
    await press(/^Vul aan\s+Documenten/);
    await sees('Stap 3 van 4');
    await page.goBack();
    await sees('Stap 4 van 4');
    await press('Indienen');
    await sees('Stap 2 van 4');
    await page.locator('#fouten:focus').waitFor();
    expect(await page.locator('#fouten').getByRole('link').count()).toBe(4);
    // Answers that cannot be true are asked again.
    await page.getByLabel(/^Bij welke/).fill('Alfa-college');
    await page.locator('input[name="maatregel-buitenland"][value="nee"]').check();
    await page.locator('input[name="opleiding-nederlandstalig"][value="nee"]').check();
    for (const [date, message] of [
      ['31 juni 1999', /Deze datum bestaat niet/],
      ['30 juni 2199', /Deze dag moet nog komen/],
      ['0999-01-01', /nog geen 16 jaar/],
      ['30/06/1999', /Hoe laat u zien .* Kies een van de mogelijkheden/],
    ] as const) {
      await page.getByLabel(/^Op welke datum/).fill(date);
      await press('Volgende');
      await page.getByRole('link', { name: message }).waitFor();
    }
    await page.locator('input[name="opleiding-nederlandstalig"][value="ja"]').check();
    expect(await page.locator('#fouten').count()).toBe(0);
    await press('Volgende');
    await sees('Stap 3 van 4');
    expect(submissions).toEqual([]);
  });

  it('loses only the message about the documents of the category that changes, when the service refused them', async () => {
    const as = 'sanne-de-wit@geweigerd';
    const lost = (categoryId: string) => ({
      categoryId,
      channel: 'digital',
      localId: categoryId,
      documentId: '00000000-0000-4000-8000-000000000000',
      name: `${categoryId}.pdf`,
      size: 1,
    });
    const documenten = [lost('werkervaring'), { ...lost('scholingsbewijs'), documentId: 'weg' }];
    const id = await draftAt(as, 3, { uren: 2_600, documenten });
    const { page, press, sees, to } = await look('sanne-de-wit', 'geweigerd');
    await to(`herregistratie/${id}`);
    await press('Indienen');
    const failure = page.locator('.failure:focus');
    await failure.waitFor();
    await expect.poll(() => page.title()).toMatch(/^Fout: Stap 4 van 4/);
    expect(await failure.getByRole('link').count()).toBe(2);
    await failure.getByRole('link').first().click();
    await sees('Stap 3 van 4');
    await page.getByRole('button', { name: 'Verwijder werkervaring.pdf' }).click();
    const left = page.locator('.failure');
    await expect.poll(() => left.getByRole('link').count()).toBe(1);
    await left.getByRole('link').click();
    await page.locator('#documenten-scholingsbewijs-kop:focus, #documenten-scholingsbewijs:focus').waitFor();
  });

  it('names in the last step the profession of the registration', async () => {
    const { page, to } = await look('sanne-de-wit', 'beroep');
    await to(`herregistratie/${await draftAt('sanne-de-wit@beroep', 3)}`);
    const applicant = page.locator('.summary', { hasText: 'Wie vraagt aan' });
    await expect.poll(() => applicant.innerText()).toMatch(/Sanne de Wit[\s\S]*Verpleegkundige/);
  });

  it.each(['noor-bakker', 'amira-el-idrissi', 'lotte-van-dijk', 'rosa-silva'])(
    'is not offered an intake that has no use: %s',
    async (persona) => {
      const { page, sees, to } = await look(persona, 'default');
      await sees('Wat kunt u doen?');
      expect(await page.getByRole('heading', { name: 'Intake doen' }).count()).toBe(0);
      await to('intake');
      await sees('Dit kan nu niet');
      expect(await page.getByRole('button', { name: 'Beginnen' }).count()).toBe(0);
    },
  );

  it.each([
    ['sanne-de-wit', 0],
    ['pieter-hoekstra', 0],
    ['mila-jansen', 0],
    ['wilma-dekker', 1],
  ])('is offered an intake, which says when hours do not count: %s', async (persona, notes) => {
    const { page, press, sees } = await look(persona, 'intake');
    await page.getByRole('link', { name: 'Begin Intake doen' }).click();
    await press('Beginnen');
    await sees('Aantal uren in vijf jaar');
    await expect.poll(() => page.getByText('Uren van na de doorhaling').count()).toBe(notes);
  });

  it.each([
    ['floris-van-duinrode', 'Woonboot aan de Kromme Rijn', 'UTRECHT'],
    ['jan-kuipers', 'Calle Mayor 14', '03001 Alicante', 'Spanje'],
    ['tomasz-wolski', 'Lange Lozanastraat 114', '2018 Antwerpen', 'België'],
  ])('sees a home that is no address in the Netherlands: %s', async (persona, ...lines) => {
    const { page, sees, to } = await look(persona, 'default');
    await sees(lines.join(', '));
    for (const screen of ['gegevens', 'adres']) {
      await to(screen);
      await expect.poll(() => page.locator('.address').first().innerText()).toBe(lines.join('\n'));
    }
  });

  it.each([
    ['sanne-de-wit', 'Dit komt uit de Basisregistratie Personen (BRP).', 'RNI'],
    ['jan-kuipers', 'in het buitenland bij een RNI-loket', 'Basisregistratie'],
    [
      'tomasz-wolski',
      'U hebt geen burgerservicenummer. Daarom weten wij dit adres alleen van u.',
      /RNI|Basisregistratie/,
    ],
  ])('reads where an address comes from, and where to mend it: %s', async (persona, text, otherwise) => {
    const { page, sees, to } = await look(persona, 'default');
    await to('gegevens');
    await sees(text);
    expect(await page.getByText(otherwise).count()).toBe(0);
  });

  it.each([
    ['sanne-de-wit', 'Bijvoorbeeld: 3511 AB'],
    ['tomasz-wolski', ''],
  ])('sees a Dutch postcode as an example only with a home in the Netherlands: %s', async (persona, hint) => {
    const { page, sees, to } = await look(persona, 'default');
    await to('adres');
    await sees(persona === 'sanne-de-wit' ? 'Dit moet een adres in Nederland zijn' : 'Woont u niet in Nederland?');
    expect(await page.locator('#postcode-uitleg').allInnerTexts()).toEqual(hint ? [hint] : []);
    expect(await page.getByText('BRP').count()).toBe(0);
  });

  it('reads before, during and after an intake up to which day herregistratie must be asked for', async () => {
    const as = 'joost-van-buren@intake-termijn';
    const control = controlOf(service()).in('intake-termijn');
    const text = 'Vraag uiterlijk op 1 augustus 2026 herregistratie aan als fysiotherapeut.';
    const { page, sees, to } = await look('joost-van-buren', 'intake-termijn');
    await sees(text);
    const { referentie } = (await service().post('/api/v1/intakes', as, { uren: 1_400, scholing: 'nee' })).body;
    const [{ id }] = await applicationsOf(as);
    await to(`aanvragen/${id}`);
    await sees(`Uw uiterste datum verandert niet door deze intake. ${text}`);
    expect(await page.getByText('U hoeft nu niets te doen.').count()).toBe(0);
    for (const [uitkomst, reden] of [
      ['goedgekeurd', null],
      ['afgewezen', 'te weinig uren'],
    ]) {
      await control.delete(`/zaken/${referentie}/besluit`);
      await control.put(`/zaken/${referentie}/besluit`, { uitkomst, reden });
      await page.reload();
      await page.locator('.badge', { hasText: uitkomst === 'goedgekeurd' ? /^In orde/ : 'Niet in orde' }).waitFor();
      await sees('Dit is geen besluit over uw registratie');
      await sees(text);
    }
    // A request in progress keeps the registration as it is.
    await service().post('/api/v1/herregistraties', as, { uren: 2_600 });
    await page.reload();
    await sees('Dit is geen besluit over uw registratie');
    await page.getByText(text).waitFor({ state: 'detached' });
  });

  it.each([
    ['joost-van-buren', 0, 'Vraag uiterlijk op 1 augustus 2026 herregistratie aan'],
    ['sanne-de-wit', 150, 'Wilt u weer in het register staan? Vraag opnieuw registratie aan.'],
  ])(
    'reads of a refused herregistratie what is possible, and until when: %s after %i days',
    async (persona, days, text) => {
      const world = `geweigerd-${days}`;
      const control = controlOf(service()).in(world);
      const { referentie } = (
        await service().post('/api/v1/herregistraties', `${persona}@${world}`, {
          uren: 1_000,
          documents: [{ categoryId: 'scholingsbewijs', channel: 'post' }],
        })
      ).body;
      if (days > 0) await control.post('/clock', { move: `+${days}days` });
      await control.put(`/zaken/${referentie}/besluit`, { uitkomst: 'afgewezen', reden: 'het bewijs is te oud' });
      const [{ id }] = await applicationsOf(`${persona}@${world}`);
      const { sees, to } = await look(persona, world);
      await to(`aanvragen/${id}`);
      await sees(text);
      await sees('U kunt bezwaar maken tot zes weken na de datum van de brief.');
    },
  );

  it('reads in each step of a renewal that came too late how to return', async () => {
    const { page, press, sees, to } = await look('sanne-de-wit', 'te-laat');
    const id = await draftAt('sanne-de-wit@te-laat', 3);
    await to(`herregistratie/${id}`);
    await sees('Stap 4 van 4');
    expect(await page.getByText('U kunt deze aanvraag nu niet indienen').count()).toBe(0);
    await controlOf(service()).in('te-laat').post('/clock', { deadline: 'sanne-de-wit', days: 1 });
    await page.reload();
    for (const step of [4, 3, 2, 1]) {
      await sees(`Stap ${step} van 4`);
      await sees('Uw registratie is doorgehaald op 2 oktober 2026. Wilt u weer in het register staan?');
      if (step > 1) await press('Vorige');
    }
    await page.getByRole('link', { name: 'Registratie aanvragen' }).click();
    await page.getByRole('heading', { level: 1, name: 'Registratie aanvragen' }).waitFor();
  });

  it('sees the form of a draft also at its address with another kind, and at that of a submitted request', async () => {
    const { page, sees, to } = await look('sanne-de-wit', 'andere-soort');
    const id = await draftAt('sanne-de-wit@andere-soort', 1);
    for (const place of ['registratie', 'aanvragen']) {
      await to(`${place}/${id}`);
      await sees('Aantal uren in vijf jaar');
      expect(page.url()).toContain(`#/herregistratie/${id}`);
      await to('overzicht');
      await sees('Welkom, Sanne de Wit');
    }
  });

  it('is not asked to send documents that the register has, by its own letter', async () => {
    const as = 'elena-marin@compleet';
    const { id } = (await service().post('/api/v1/applications', as, { type: 'registratie' })).body;
    const draft = {
      diplomaHerkomst: 'buitenland',
      beroep: 'verpleegkundige',
      taalvaardigheid: 'nederlandstalig',
      antwoorden: {
        'diploma-land': 'België',
        'diploma-instelling': 'UZ Leuven',
        'diploma-datum': '6-7-2024',
        'opleiding-nederlandstalig': 'ja',
        'maatregel-buitenland': 'nee',
      },
      documenten: [
        'diploma-gewaarmerkt',
        'identiteitsbewijs',
        'diplomasupplement',
        'verklaring-bevoegde-autoriteit',
      ].map((categoryId) => ({
        categoryId,
        channel: 'post',
        localId: null,
        documentId: null,
        size: 0,
        name: categoryId,
      })),
    };
    await service().call('PUT', `/api/v1/applications/${id}`, { as, json: { draft, stepIndex: 2, stepCount: 4 } });
    const mijn = await look('elena-marin', 'compleet');
    const { page, press, sees, to } = mijn;
    await to(`registratie/${id}`);
    await attach(mijn, 'Kies een bestand voor Curriculum vitae', 'cv.png');
    await sees(/^Ontvangen$/);
    await press('Volgende');
    await sees('Stap 4 van 4');
    await press('Indienen');
    await sees('Stuur deze documenten per post');
    await controlOf(service()).in('compleet').post('/clock', { move: '+4months' });
    await page.reload();
    await sees('Dat duurt langer dan wij u hadden gezegd.');
    await sees('U hoeft nu niets te doen.');
    expect(await page.getByText(/per post stuurt|Stuur deze documenten/).count()).toBe(0);
    await to('aanvragen');
    await sees('In behandeling');
    await expect.poll(() => page.getByText('Stuur per post').count()).toBe(0);
  });

  it('can begin nothing, and has no form for another address, after their death', async () => {
    const { page, sees, to } = await look('truus-visser', 'default');
    await page.getByRole('heading', { name: 'Truus Visser', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: /^Begin/ }).count()).toBe(0);
    const draft = await draftAt('truus-visser', 0);
    for (const screen of ['overzicht', 'aanvragen', 'registratie', 'intake', 'adres', `herregistratie/${draft}`]) {
      await to(screen);
      await sees('Deze persoon is overleden.');
      expect(await page.getByRole('button', { name: /Beginnen|Indienen|Volgende/ }).count()).toBe(0);
      expect(await page.locator('main').innerText()).not.toMatch(
        /Welkom|Dit kan nu niet|Elke vijf jaar|kunt aanvragen|Ga verder|nog (geen|niets)/,
      );
    }
    await to('gegevens');
    await sees('17 februari');
    expect(await page.locator('main').innerText()).not.toMatch(/uw gemeente|vult u uw diploma zelf in/);
  });

  it.each([
    ['tuchtmaatregel', 'Alleen een koninklijk besluit kan die herstellen.'],
    ['van-rechtswege-vervallen', 'staat niet meer in het register.'],
  ])('reads before an application for registration what is not possible after %s', async (situation, text) => {
    const { body } = await controlOf(service()).call('GET', `/people?where=situatie%3D${situation}&n=1`);
    const [persona = ''] = JSON.stringify(body).match(/burger-\d+/) ?? [];
    const { page, sees, to } = await look(persona, 'default');
    await sees(text);
    await to('registratie');
    await page.getByRole('button', { name: 'Beginnen' }).waitFor();
    await sees(text);
  });

  it('reads how to return after being struck off, and not what a form that is closed asks for', async () => {
    const { page, press, sees, to } = await look('wilma-dekker', 'terug');
    await sees('Wilt u weer in het register staan?');
    expect(await page.locator('.task h3').allInnerTexts()).toEqual([
      'Registratie aanvragen',
      'Intake doen',
      'Adres voor post wijzigen',
    ]);
    await to('herregistratie');
    await sees('Dit kan nu niet');
    expect(await page.getByText('Wat hebt u nodig?').count()).toBe(0);
    await page.getByRole('link', { name: 'Registratie aanvragen' }).click();
    await sees('Wat hebt u nodig?');
    await press('Beginnen');
    await sees('Stap 1 van 4');
    await page.getByLabel('Mijn Nederlandse diploma staat niet bij DUO').check();
    await press('Volgende');
    expect(await page.getByLabel('Voor welk beroep?').inputValue()).toBe('verloskundige');
    const { id } = (await service().post('/api/v1/applications', 'wilma-dekker@terug', { type: 'registratie' })).body;
    const json = { draft: { diplomaHerkomst: 'handmatig', beroep: 'verloskundige' }, stepIndex: 2, stepCount: 4 };
    await service().call('PUT', `/api/v1/applications/${id}`, { as: 'wilma-dekker@terug', json });
    await to(`registratie/${id}`);
    await page.locator('form', { hasText: 'Uren van na de doorhaling tellen niet mee.' }).waitFor();
    // An intake serves to return, until that is asked.
    await to('overzicht');
    await page.getByRole('link', { name: 'Begin Intake doen' }).waitFor();
    const documents = ['diploma-gewaarmerkt', 'identiteitsbewijs', 'werkervaring'].map((categoryId) => ({
      categoryId,
      channel: 'post',
    }));
    await service().post('/api/v1/registrations', 'wilma-dekker@terug', { diplomaHerkomst: 'handmatig', documents });
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.getByRole('link', { name: 'Begin Intake doen' }).waitFor({ state: 'detached' });
    await to('intake');
    await sees('U hebt al een aanvraag lopen');
    expect(await page.getByRole('button', { name: 'Beginnen' }).count()).toBe(0);
    const noor = await look('noor-bakker', 'terug');
    await noor.sees('Vraag registratie aan met uw diploma. Staat u in het register, dan mag u');
    expect(await noor.page.getByRole('link', { name: /egistratie aanvragen/ }).count()).toBe(1);
    expect(await noor.page.getByText('Herregistratie').count()).toBe(0);
    await noor.to('herregistratie');
    await noor.sees('Vraag eerst registratie aan.');
    await noor.to('gegevens');
    await noor.sees('Er zijn geen aantekeningen.');
    await controlOf(service()).in('geweest').post('/clock', { move: '+1years' });
    const mila = await look('mila-jansen', 'geweest');
    const other = mila.page.locator('.panel', { hasText: 'Uw andere registratie' });
    await expectSoon(() => other.innerText()).toMatch(
      /Verpleegkundige[^?]*doorgehaald[\s\S]*Wilt u weer in het register staan/i,
    );
  });

  it('sends no document that another answer made needless: a promise by post goes by itself, a file is removed first', async () => {
    const as = 'gerda-postma@niet-meer-nodig';
    const { id } = (await service().post('/api/v1/applications', as, { type: 'registratie' })).body;
    const post = (categoryId: string) => ({ categoryId, channel: 'post', localId: null, documentId: null, size: 0 });
    const draft = {
      diplomaHerkomst: 'handmatig',
      beroep: 'verpleegkundige',
      taalvaardigheid: 'taaltoets',
      antwoorden: {
        'diploma-instelling': 'Alfa-college',
        'diploma-datum': '6-7-1999',
        'opleiding-nederlandstalig': 'nee',
        'maatregel-buitenland': 'nee',
      },
      documenten: [
        { ...post('diploma-gewaarmerkt'), name: 'Gewaarmerkte kopie van uw diploma' },
        { ...post('identiteitsbewijs'), name: 'Kopie van een geldig identiteitsbewijs' },
        { ...post('taalcertificaat'), name: 'Certificaat taaltoets Nederlands' },
      ],
    };
    await service().call('PUT', `/api/v1/applications/${id}`, { as, json: { draft, stepIndex: 2, stepCount: 4 } });
    const mijn = await look('gerda-postma', 'niet-meer-nodig');
    const { page, press, sees, to } = mijn;
    const answerInDutch = async (answer: 'Ja' | 'Nee') => {
      await press('Vorige');
      await page
        .getByRole('group', { name: 'Was uw opleiding in het Nederlands?' })
        .getByLabel(answer, { exact: true })
        .check();
      if (answer === 'Nee') await page.getByLabel('Ik heb een taaltoets Nederlands gehaald').check();
      await press('Volgende');
      await sees('Stap 3 van 4');
    };
    const byPost = page.getByLabel('Ik stuur dit per post: Certificaat taaltoets Nederlands');
    await to(`registratie/${id}`);
    await byPost.and(page.locator(':checked')).waitFor();
    await answerInDutch('Ja');
    await page
      .getByLabel('Ik stuur dit per post: Gewaarmerkte kopie van uw diploma')
      .and(page.locator(':checked'))
      .waitFor();
    expect(await page.getByText('Niet meer nodig').count()).toBe(0);
    await answerInDutch('Nee');
    await byPost.waitFor();
    expect(await byPost.isChecked()).toBe(false);
    await attach(mijn, 'Kies een bestand voor Certificaat taaltoets Nederlands', 'toets.png');
    await sees(/^Ontvangen$/);
    await answerInDutch('Ja');
    await sees('Niet meer nodig');
    await press('Volgende');
    await page.getByRole('link', { name: 'Niet meer nodig: Verwijder deze documenten.' }).click();
    await page.locator('#documenten-niet-nodig:focus').waitFor();
    await press(/^Verwijder/);
    await page.getByRole('heading', { name: 'Niet meer nodig' }).waitFor({ state: 'detached' });
    await press('Volgende');
    await sees('Stap 4 van 4');
    expect(await page.locator('.summary', { hasText: 'Documenten' }).innerText()).not.toContain('taaltoets');
    await press('Indienen');
    await sees('Uw aanvraag is ingediend');
  });

  it.each([
    ['pieter-hoekstra', 1],
    ['sanne-de-wit', 0],
  ])(
    'is told only during a suspension that the term goes on, while an application is possible: %s',
    async (persona, count) => {
      const { page, press, sees, to } = await look(persona, 'geschorst');
      const text = page.getByText('U bent nu geschorst. Ook dan moet u op tijd herregistratie aanvragen');
      await sees('Herregistratie uiterlijk op');
      expect(await text.count()).toBe(count);
      await to(`herregistratie/${await draftAt(`${persona}@geschorst`, 3)}`);
      await press('Indienen');
      await sees('Uw aanvraag is ingediend');
      await to('overzicht');
      await sees('Tot het besluit blijft u in het register staan.');
      expect(await text.count()).toBe(0);
      const control = controlOf(service()).in('geschorst');
      const all = (await control.get('/zaken')).body as { slug: string; referentie: string }[];
      const { referentie } = all.find(({ slug }) => slug === persona) as { referentie: string };
      await control.put(`/zaken/${referentie}/besluit`, { uitkomst: 'goedgekeurd' });
      await page.reload();
      await sees('Wij nemen uw aanvraag om herregistratie in behandeling vanaf');
      expect(await text.count()).toBe(0);
    },
  );

  it.each([
    ['amira-el-idrissi', 'U staat geregistreerd als specialist; herregistratie is voor u niet nodig.', 0],
    ['mila-jansen', 'Wilt u uw registratie verlengen? Dan vraagt u herregistratie aan. Herregistratie aanvragen', 1],
    ['fatima-yilmaz', 'Dan vraagt u herregistratie aan. Op het overzicht ziet u wanneer dat kan.', 0],
  ])('with nothing to register is told of the renewal what is so: %s', async (persona, text, links) => {
    const { page, to } = await look(persona, 'verlengen');
    await to('registratie');
    const alert = page.locator('.utrecht-alert', { hasText: 'U hebt waarschijnlijk niets te registreren' });
    await alert.waitFor();
    expect((await alert.innerText()).replaceAll(/\s+/g, ' ')).toContain(text);
    expect(await alert.getByRole('link').count()).toBe(links);
  });

  it('is told that DUO has no diploma for a profession in the register, when DUO can have another one', async () => {
    const { press, sees, to } = await look('fatima-yilmaz', 'ander-diploma');
    await to('registratie');
    await press('Beginnen');
    await sees('DUO heeft geen diploma van u voor een beroep in dit register');
  });

  it('is told in an old draft that a registration in the profession of the diploma exists, also when it is suspended', async () => {
    const as = 'pieter-hoekstra@dubbel';
    const { id } = (await service().post('/api/v1/applications', as, { type: 'registratie' })).body;
    const draft = { diplomaHerkomst: 'duo', antwoorden: { 'werkervaring-5-jaar': 'ja' } };
    await service().call('PUT', `/api/v1/applications/${id}`, { as, json: { draft, stepIndex: 3, stepCount: 4 } });
    const { page, press, sees, to } = await look('pieter-hoekstra', 'dubbel');
    await to(`registratie/${id}`);
    await sees('Volgens uw diploma');
    await sees('Hebt u in de afgelopen vijf jaar gewerkt');
    await press('Indienen');
    await sees('Stap 1 van 4');
    await page
      .getByRole('link', { name: 'U staat al in het register als tandarts. Kies een ander diploma.' })
      .waitFor();
  });

  it('sees two registrations, each with its own deadline and what can be done about it', async () => {
    const { page, press, sees, to } = await look('mila-jansen', 'twee');
    await sees('U kunt nu herregistratie aanvragen als verpleegkundige.');
    await sees('Herregistratie uiterlijk op 11 september 2026');
    const other = page.locator('.panel', { hasText: 'Uw andere registratie' });
    await expect
      .poll(() => other.innerText())
      .toMatch(/Physician assistant[\s\S]*1 februari 2029[\s\S]*vanaf 1 augustus 2028/);
    await to(`herregistratie/${await draftAt('mila-jansen@twee', 3)}`);
    await press('Indienen');
    await sees('Uw aanvraag is ingediend');
    await controlOf(service()).in('twee').post('/clock', { move: '+7days' });
    await to('overzicht');
    await sees('Herregistratie uiterlijk op 1 februari 2029');
    // The renewed registration is the other one now.
    await expect.poll(() => other.innerText()).toMatch(/Verpleegkundige[\s\S]*2031/);
    // Each request says which one it is about: the draft the next one.
    await draftAt('mila-jansen@twee', 1);
    await to('aanvragen');
    for (const [name, beroep] of [
      ['Ga verder met uw herregistratie', 'physician assistant'],
      ['Herregistratie', 'verpleegkundige'],
    ] as const) {
      const link = page.getByRole('link', { name, exact: true });
      await page.locator('.row-item', { has: link }).getByText(`· ${beroep}`).waitFor();
    }
    await page.getByRole('link', { name: 'Herregistratie', exact: true }).click();
    await page.locator('.facts', { hasText: /Beroep\s*Verpleegkundige/ }).waitFor();
  });

  it.each([
    ['herregistraties', 'sanne-de-wit', 'verpleegkundige'],
    ['intakes', 'joost-van-buren', 'fysiotherapeut'],
  ])('sees which profession a request of another page is about (%s)', async (kind, slug, beroep) => {
    const world = `elders-${kind}`;
    await service().post(`/api/v1/${kind}`, `${slug}@${world}`, { uren: 2_600 });
    const { page, to } = await look(slug, world);
    await to('aanvragen');
    await page.locator('.row-item').getByText(`· ${beroep}`).waitFor();
    await page.locator('.row-item').getByRole('link').first().click();
    await page.locator('.facts', { hasText: new RegExp(`Beroep\\s*${beroep}`, 'i') }).waitFor();
  });

  it('removes an uploaded document without a question about another tab, and keeps the focus in the category', async () => {
    const as = 'sanne-de-wit@weg';
    const mijn = await look('sanne-de-wit', 'weg');
    const { page, to } = mijn;
    const id = await draftAt(as, 2);
    await to(`herregistratie/${id}`);
    const heading = page.locator('h3:focus', { hasText: 'Bewijs van scholing' });
    await attach(mijn, 'Kies een bestand voor Bewijs van scholing', 'certificaat.png');
    await heading.waitFor();
    await page.getByRole('status').filter({ hasText: 'certificaat.png is ontvangen.' }).waitFor({ state: 'attached' });
    const namesOf = async () =>
      (await service().get(`/api/v1/applications/${id}`, { as })).body.draft.documenten.map(
        ({ name }: { name: string }) => name,
      );
    await expectSoon(namesOf).toEqual(['certificaat.png']);
    await page.locator('.save-state--saved').waitFor();
    await page.getByRole('button', { name: 'Verwijder certificaat.png' }).click();
    await heading.waitFor();
    await page.getByRole('status').filter({ hasText: 'certificaat.png is verwijderd.' }).waitFor({ state: 'attached' });
    await expectSoon(namesOf).toEqual([]);
    expect(await page.getByText('ook ergens anders veranderd').count()).toBe(0);
  });

  it('is told that a file was chosen twice for one document, and can keep or remove it', async () => {
    const as = 'sanne-de-wit@twee-keer';
    const mijn = await look('sanne-de-wit', 'twee-keer');
    const { page, press, sees, to } = mijn;
    await to(`herregistratie/${await draftAt(as, 2)}`);
    const files = page.locator('.file', { hasText: 'Ontvangen' });
    const twice = page.locator('.file').getByText('U hebt dit bestand hier al gekozen.');
    for (const [name, said] of [
      ['jaaropgave.png', 0],
      ['contract.png', 0],
      ['jaaropgave.png', 1],
    ] as const) {
      const before = await files.count();
      await attach(mijn, 'Kies bestanden voor Bewijs van werkervaring', name);
      await files.nth(before).waitFor();
      expect(await twice.count()).toBe(said);
    }
    await page.getByRole('status').filter({ hasText: 'Was dat niet de bedoeling?' }).waitFor({ state: 'attached' });
    // For another document it may be the same file.
    await attach(mijn, 'Kies een bestand voor Bewijs van scholing', 'jaaropgave.png');
    await files.nth(3).waitFor();
    expect(await twice.count()).toBe(1);
    await page.getByRole('button', { name: 'Verwijder jaaropgave.png' }).first().click();
    await twice.waitFor({ state: 'detached' });
    await attach(mijn, 'Kies bestanden voor Bewijs van werkervaring', 'jaaropgave.png');
    await twice.waitFor();
    await press('Volgende');
    await press('Indienen');
    await sees('Uw aanvraag is ingediend');
    expect((await applicationsOf(as))[0].documentIds).toHaveLength(4);
  });

  it('sees in the last step that a file is still being uploaded, and can submit the application when the file has arrived', async () => {
    const mijn = await look('sanne-de-wit', 'onderweg');
    const { page, press, sees, to } = mijn;
    const arrives = Promise.withResolvers<void>();
    await page.route('**/api/v1/uploads', async (route) => {
      await arrives.promise;
      return route.continue();
    });
    await to(`herregistratie/${await draftAt('sanne-de-wit@onderweg', 2)}`);
    await attach(mijn, 'Kies bestanden voor Bewijs van werkervaring', 'jaaropgave.png');
    await press('Volgende');
    await sees('Nog niet meegestuurd');
    expect(await page.locator('.file').innerText()).toContain('Bewijs van werkervaring');
    await press('Indienen');
    await page.locator('#uploads:focus', { hasText: 'Wacht tot deze bestanden zijn aangekomen.' }).waitFor();
    arrives.resolve();
    await expect
      .poll(() => page.locator('.summary', { hasText: 'Documenten' }).innerText())
      .toMatch(/Bewijs van werkervaring\s+jaaropgave.png/);
    await press('Indienen');
    await sees('Uw aanvraag is ingediend');
    expect((await applicationsOf('sanne-de-wit@onderweg'))[0].documentIds).toHaveLength(1);
  });

  it('sees the step of a draft only when the draft was saved', async () => {
    const as = 'sanne-de-wit@stap';
    await service().post('/api/v1/applications', as, { type: 'intake' });
    await draftAt(as, 2);
    const { page, sees, to } = await look('sanne-de-wit', 'stap');
    await to('aanvragen');
    await sees('Nog afmaken');
    const rows = await page.locator('.row-item').allInnerTexts();
    expect(rows.find((row) => row.includes('herregistratie'))).toMatch(/Bewaard op 1 juni 2026 · stap 3 van 4/);
    expect(rows.find((row) => row.includes('intake'))).not.toMatch(/stap/);
  });

  it('sees the date of the letter of decision as the date of the decision, and no confirmation any more', async () => {
    const as = 'sanne-de-wit@besluit';
    await service().post('/api/v1/herregistraties', as, { uren: 2_600 });
    await controlOf(service()).in('besluit').post('/clock', { move: '+1year' });
    const [{ id }] = await applicationsOf(as);
    const { page, sees, to } = await look('sanne-de-wit', 'besluit');
    // The address of the confirmation, which the browser kept.
    await to(`aanvragen/${id}/ontvangen`);
    await sees('Brieven over deze aanvraag');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Herregistratie');
    expect(await page.getByText('Wij hebben uw aanvraag ontvangen').count()).toBe(0);
    const letter = page.locator('.row-item', { has: page.locator('[href^="#/berichten/besluit-"]') });
    const date = await letter.locator('.small').innerText();
    expect(date).toMatch(/ juni 2026$/);
    expect(await page.locator('.facts').innerText()).toMatch(new RegExp(`Besluit\\s+${date}`));
  });

  it.each([
    ['ruben-smit', 'INT-2026-000064', 'Niet in orde', 'Beoordeeld', 'U kunt een nieuwe intake doen.'],
    [
      'lotte-van-dijk',
      'HER-2026-000118',
      'Afgewezen',
      'Besluit',
      'In de brief met het besluit staat hoe u bezwaar maakt.',
    ],
  ])(
    'reads of a refusal, and how to object, only about a decision: %s, %s',
    async (persona, referentie, status, term, advice) => {
      const world = `bezwaar-${persona}`;
      await controlOf(service()).in(world).put(`/zaken/${referentie}/besluit`, { uitkomst: 'afgewezen', reden: 'nee' });
      const applications = await applicationsOf(`${persona}@${world}`);
      const { id } = applications.find(
        (one: { status: { referentie: string } }) => one.status.referentie === referentie,
      );
      const { page, sees, to } = await look(persona, world);
      await to(`aanvragen/${id}`);
      await sees(advice);
      await page.locator('.facts dt', { hasText: term }).waitFor();
      expect(await page.locator('.badge').first().innerText()).toBe(status);
      await sees('Nee.');
      expect(await page.locator('.alert').count()).toBe(1);
      // Its letter comes before a reminder of the same day.
      await to('berichten');
      await page.locator(`.rows > :first-child [href="#/berichten/besluit-${referentie}"]`).waitFor();
    },
  );

  it.each([
    ['lotte-van-dijk', 'HER-2026-000118', '+1years', 'Dat duurt langer dan wij u hadden gezegd.'],
    ['lotte-van-dijk', 'HER-2026-000118', '+1days', 'Lees onze brief van 2 juni 2026'],
  ])('reads about %s, %s %s only what still holds', async (persona, referentie, move, text) => {
    const world = `later-${persona}${move.slice(2)}`;
    await controlOf(service()).in(world).post('/clock', { move });
    if (move === '+1days')
      await controlOf(service())
        .in(world)
        .put('/brief', { tag: 'sent', referentie, templateId: 'aanvulling-gevraagd' });
    const { page, sees } = await look(persona, world);
    // Also on the overview, so that no term is missed.
    const row = page.locator('.row-item', { hasText: referentie });
    await row.waitFor();
    await expect.poll(() => row.getByText('Lees onze brief van 2 juni 2026').count()).toBe(move === '+1days' ? 1 : 0);
    await page.getByRole('link', { name: 'Mijn aanvragen' }).click();
    await row.getByRole('link').click();
    await sees(text);
    expect(await page.getByText(/binnen acht weken|een nieuwe intake doen|Lees onze .* niets te doen/).count()).toBe(0);
  });

  it('sees why a file is refused, and what to do', async () => {
    const { page, press, sees, to } = await look('sanne-de-wit', 'bestand');
    await to('herregistratie');
    await press('Beginnen');
    await press('Volgende');
    await page.getByLabel('Aantal uren in vijf jaar').fill('2600');
    await press('Volgende');
    const choose = page.getByLabel('Kies bestanden voor Bewijs van werkervaring');
    await choose.setInputFiles({
      name: 'brief.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.7\nhalf'),
    });
    await sees('Het bestand is beschadigd');
    await sees('Kies een ander bestand, of sla het opnieuw op.');
    await page.getByRole('button', { name: 'Verwijder brief.pdf' }).click();
    expect(await page.locator('.file').count()).toBe(0);
    await choose.setInputFiles({ name: 'leeg.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(0) });
    const message = page.locator('.file').getByRole('alert');
    expect((await message.innerText()).split(/\n+/)).toEqual(['Het bestand is leeg', 'Kies een ander bestand.']);
    expect(await page.locator('.file__line').innerText()).toContain('0 kB');
    await choose.setInputFiles({ name: 'zip.pdf', mimeType: 'application/pdf', buffer: pdfAndZip() });
    await sees('Dit bestand is ook een zip-archief. Sla het op zonder bijlagen, of druk het af naar een nieuwe pdf.');
  });
});
