import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectSoon, findings, horizontalOverflow } from './support/console.ts';
import { collectErrors, openWindow, smallTargets, useBrowser } from './support/page.ts';

const { service, browser, windows, errors } = useBrowser();

/** Returns a new page in a window of its own. */
async function newPage(options?: BrowserContextOptions): Promise<Page> {
  const window = await openWindow(browser(), options);
  windows.push(window);
  return window.newPage();
}

describe('the page at /docs', () => {
  it.each([
    ['in light mode', { colorScheme: 'light' as const }],
    ['in dark mode', { colorScheme: 'dark' as const }],
    ['on a screen of 375 pixels', { viewport: { width: 375, height: 800 } }],
  ])(
    'has no finding of axe, no small control and no small text %s, before and after a call, and is in Dutch',
    async (_, options) => {
      const page = await newPage(options);
      collectErrors(page, errors);
      await page.goto(`${service().url}/docs`);
      await page.locator('#operations-Dashboard-dashboardView').waitFor();
      expect(await findings(page)).toEqual([]);
      const links = page.locator('.info a').filter({ visible: true });
      const lines = await links.evaluateAll((all) =>
        all.map((one) => one.ownerDocument.defaultView?.getComputedStyle(one).textDecorationLine),
      );
      expect(lines).toEqual(['underline']);
      expect(await page.getByRole('button', { name: 'Token en X-Step-Up' }).count()).toBe(1);
      // It has an address of its own.
      await page.locator('.opblock-summary-control', { hasText: '/health/ready' }).click();
      await page.locator('#operations-Dashboard-dashboardView .opblock-summary-control').click();
      const overview = page.locator('#operations-Dashboard-dashboardView');
      await overview.getByRole('button', { name: 'Probeer' }).click();
      await overview.getByRole('button', { name: 'Verstuur' }).click();
      await overview.getByRole('heading', { name: 'Antwoord van de dienst' }).waitFor();
      const save = page.locator('.opblock-put', { hasText: '/brief' });
      await save.locator('.opblock-summary-control').click();
      await save.getByRole('button', { name: 'Probeer' }).click();
      const letter = save.getByRole('textbox', { name: 'Inhoud van de vraag' });
      await expectSoon(() => letter.inputValue()).toMatch('briefhoofd');
      await letter.fill('{}');
      await save.getByRole('button', { name: 'Verstuur' }).click();
      await save.getByRole('heading', { name: 'Antwoord van de dienst' }).waitFor();
      await save.getByRole('button', { name: 'Begin opnieuw' }).waitFor();
      await overview.getByText('8 fouten', { exact: true }).click();
      // Its answer has one media type.
      expect(await overview.getByText('Bepaalt').filter({ visible: true }).count()).toBe(0);
      await overview.getByText('401 niet-ingelogd, ').click();
      await overview.getByRole('link', { name: 'niet-ingelogd (nieuw tabblad)' }).waitFor();
      expect(await findings(page)).toEqual([]);
      expect(await horizontalOverflow(page)).toBe(0);
      expect(await smallTargets(page)).toEqual([]);
      const cut = `[...document.querySelectorAll('.microlight, .curl, #shows')].filter((one) => one.scrollWidth > one.clientWidth).length`;
      expect(await page.evaluate(cut)).toBe(0);
      const [button, code] = await Promise.all(
        ['.download-contents', '.highlight-code > pre'].map((one) => overview.locator(one).first().boundingBox()),
      );
      expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual(code?.y ?? 0);
      const sizes = `[...document.querySelectorAll('body *')]
        .filter((one) => one.checkVisibility() && [...one.childNodes].some((text) => text.nodeType === 3 && /\\S/.test(text.data)))
        .map((one) => Number.parseFloat(getComputedStyle(one).fontSize))`;
      expect(Math.min(...(await page.evaluate<number[]>(sizes)))).toBeGreaterThan(14.9);
      // The headers of its answer have words that are looked for below.
      await save.locator('.opblock-summary-control').click();
      // A call that Swagger UI does not send.
      const content = page.locator('#operations-Documenten-uploadContent');
      await content.locator('.opblock-summary-control').click();
      await content.getByRole('button', { name: 'Probeer' }).click();
      await content.getByRole('button', { name: 'Verstuur' }).click();
      await content.getByText('Vul documentId in.').waitFor();
      await page.getByRole('button', { name: 'Token en X-Step-Up' }).first().click();
      await page.getByRole('dialog', { name: 'Token en X-Step-Up' }).waitFor();
      expect(await findings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Sluiten' }).first().click();
      await overview.getByRole('tab', { name: 'Schema' }).first().click();
      await overview.getByText('Andere velden').first().waitFor();
      await page.locator('.models').getByRole('button', { name: 'HerregistratieRequest' }).click();
      await page.locator('.models').getByText('lijst van DocumentRefDto of null').waitFor();
      expect(await findings(page)).toEqual([]);
      // The words of Swagger UI itself, also those that only assistive technology reads.
      expect(await page.locator('#api').ariaSnapshot()).not.toMatch(
        /\b(Collapse|Expand|clipboard|authorization button|credentials)\b|button "(get|post) /,
      );
      expect(await page.locator('#api').innerText()).not.toMatch(
        /\b(Execute|Try it out|Responses|Cancel|Request|Authorize|Send|Required|correct|override|forbidden)\b/,
      );
    },
  );

  it('asks for the font of its headings before Swagger UI is loaded, so that nothing moves when it is', async () => {
    const page = await newPage();
    const { promise, resolve: answer } = Promise.withResolvers<void>();
    await page.route('**/swagger-ui-bundle.js', (route) => promise.then(() => route.continue()));
    await Promise.all([
      page.waitForRequest('**/bold.ttf'),
      page.goto(`${service().url}/docs`, { waitUntil: 'commit' }),
    ]);
    answer();
    await page.locator('#operations-Dashboard-dashboardView').waitFor();
  });

  it('finds operations by their words and codes, and leads from an answer to its code and its reasons', async () => {
    const page = await newPage();
    await page.goto(`${service().url}/docs?wereld=zaal`);
    const found = () => page.locator('[data-path]').evaluateAll((all) => all.map((one) => one.dataset.path));
    const schemas = () => page.locator('.models .json-schema-2020-12-head').count();
    const search = page.getByRole('textbox', { name: 'Zoek een operatie' });
    for (const [words, paths, schemaCount] of [
      ['Diploma', ['/duo/diplomas', '/registrations', '/uploads/categories'], 5],
      ['geen-duo-diploma', ['/registrations'], 0],
      ['raadplegen  Diploma ', ['/duo/diplomas'], 0],
      // What has the words in its path or its title is first.
      ['adres', ['/brp/address', '/change-requests', '/dashboard-view', '/uploads/categories', '/brief'], 5],
      [
        'upload status',
        [
          '/uploads/status',
          '/uploads',
          '/uploads/{documentId}/content',
          '/uploads/{documentId}',
          '/admin/uploads/{documentId}',
        ],
        5,
      ],
      ['letter afkeuren', ['/brief/reject', '/brief/submit'], 0],
      ['file weggooien', ['/uploads/{documentId}', '/admin/uploads/{documentId}', '/applications/{id}'], 0],
      // The start of a word comes before the rest of one, as in "goedkeuren".
      [
        'uren',
        [
          '/intake/policy',
          '/herregistraties',
          '/intakes',
          '/applications/{id}',
          '/applications/{id}',
          '/applications/{id}/submit',
          '/uploads',
          '/brief/submit',
          '/brief/approve',
          '/brief/reject',
        ],
        4,
      ],
      ['PersonDto', ['/dashboard-view'], 2],
      ['Diploma nergens', [], 0],
    ] as const) {
      await search.fill(words);
      await expectSoon(found).toEqual(paths);
      await expectSoon(schemas).toBe(schemaCount);
    }
    await page.getByText('Geen operatie gevonden.').waitFor();
    await search.fill('onbekend-veld');
    const meaning = page.getByRole('link', { name: 'Wat betekent onbekend-veld?' });
    expect(await meaning.getAttribute('href')).toMatch('/docs/problems/onbekend-veld?wereld=zaal');
    await search.fill('Diploma nergens');
    await meaning.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('0 operaties').waitFor();
    await page.locator('#persona').selectOption('joost-van-buren');
    await page.goBack();
    await expectSoon(async () => (await found()).length).toBeGreaterThan(20);
    expect(page.url()).toBe(`${service().url}/docs?wereld=zaal&als=joost-van-buren`);
    expect(await search.inputValue()).toBe('');
    await page.goForward();
    await page.getByText('0 operaties').waitFor();
    await search.fill('/herregistraties');
    await page.locator('.opblock-summary-control', { hasText: '/herregistraties' }).click();
    await page.getByRole('button', { name: 'Probeer' }).click();
    await page.getByRole('textbox', { name: 'Inhoud van de vraag' }).fill('{"uren": -5}');
    await page.getByRole('button', { name: 'Verstuur' }).click();
    const body = page.getByRole('heading', { name: 'Inhoud van het antwoord' });
    await expectSoon(async () => (await body.boundingBox())?.y).toBeLessThan(800);
    const code = page.getByRole('link', { name: 'Wat betekent uren-ongeldig?' });
    const linked = page.getByRole('link', { name: 'uren-ongeldig (nieuw tabblad)', exact: true });
    expect(await linked.count()).toBe(0);
    await page.getByText('14 fouten', { exact: true }).click();
    await page.getByText('422 uren-ongeldig, niet-herregistreerbaar, ').click();
    await page
      .getByRole('listitem')
      .filter({ hasText: /^uren-ongeldig: Het aantal uren klopt niet\.$/ })
      .waitFor();
    expect(await linked.getAttribute('href')).toMatch('/docs/problems/uren-ongeldig?wereld=zaal&');
    const why = await page.getByRole('link', { name: 'Waarom dit antwoord?' }).getAttribute('href');
    // What was typed stays in the first tab.
    const [help] = await Promise.all([page.context().waitForEvent('page'), code.click()]);
    await help.getByRole('heading', { name: 'Het aantal uren klopt niet' }).waitFor();
    expect(await findings(help)).toEqual([]);
    const operations = help.getByRole('listitem').filter({ hasText: /^POST / });
    expect(await operations.allInnerTexts()).toEqual([
      'POST /herregistraties Herregistratie aanvragen',
      'POST /intakes Intake indienen',
    ]);
    await help.getByText('"pointer": "/uren"').waitFor();
    await help.getByRole('link', { name: 'Alle problemen' }).click();
    expect(await findings(help)).toEqual([]);
    await help.getByRole('heading', { name: 'Status 422', exact: true }).waitFor();
    await help.getByRole('link', { name: 'Er loopt al zo’n aanvraag' }).click();
    await help.getByText('lopende-aanvraag · status 422 of 409').waitFor();
    await help.goto(`${service().url}/docs/problems/anders`);
    await help.getByRole('heading', { name: 'Deze pagina bestaat niet' }).waitFor();
    expect(await findings(help)).toEqual([]);
    await help.getByRole('link', { name: 'Problemen' }).click();
    await help.getByRole('link', { name: '422', exact: true }).click();
    expect(help.url()).toMatch(/#status-422$/);
    await help.getByRole('link', { name: 'Het aantal uren klopt niet' }).click();
    await help.getByRole('link', { name: 'POST /intakes' }).click();
    await help.getByLabel('Als wie probeert u de API?').waitFor();
    await help.close();
    expect(await page.getByRole('textbox', { name: 'Inhoud van de vraag' }).inputValue()).toBe('{"uren": -5}');
    await page.goto(`${service().url}/docs?wereld=zaal&zoek=uren-ongeldig`);
    await page.getByText('2 operaties', { exact: true }).waitFor();
    await expectSoon(found).toEqual(['/herregistraties', '/intakes']);
    await page.goto(new URL(why ?? '', page.url()).href);
    await page.getByRole('heading', { name: 'Waarom' }).waitFor();
    expect(await page.getByText('422', { exact: true }).first().isVisible()).toBe(true);
  });

  it('moves the focus to the answer of a call, and gives it back when it is cleared and after the dialog for a token', async () => {
    const page = await newPage();
    await page.goto(`${service().url}/docs`);
    const overview = page.locator('#operations-Dashboard-dashboardView');
    await overview.locator('.opblock-summary-control').click();
    await overview.getByRole('button', { name: 'Probeer' }).click();
    await overview.getByRole('button', { name: 'Verstuur' }).press('Enter');
    await overview.getByRole('heading', { name: 'Antwoord van de dienst' }).waitFor();
    const focused = () => page.locator(':focus').evaluateAll((all) => all.map((one) => one.ariaLabel ?? one.innerText));
    await expectSoon(focused).toEqual(['Antwoord: 200']);
    await overview.getByRole('button', { name: 'Wis' }).press('Enter');
    await expectSoon(focused).toEqual(['Verstuur']);
    for (const end of ['Escape', 'Sluiten']) {
      await page.getByRole('button', { name: 'Token en X-Step-Up' }).press('Enter');
      await expectSoon(focused).toEqual(['Waarde van bearer']);
      // The rest of the page cannot have the focus.
      await page.locator('#persona').focus();
      expect(await focused()).toEqual(['Waarde van bearer']);
      await (end === 'Escape' ? page.keyboard.press(end) : page.getByRole('button', { name: end }).first().click());
      await expectSoon(focused).toEqual(['Token en X-Step-Up']);
    }
    await page.getByRole('button', { name: 'Token en X-Step-Up' }).press('Enter');
    await page.getByText('Vul 1 in om het hele registernummer te zien.').waitFor();
    expect(await page.getByRole('button', { name: 'Stel in' }).count()).toBe(2);
    await page.getByRole('textbox', { name: 'Waarde' }).first().fill('token');
    await page.keyboard.press('Enter');
    await expectSoon(focused).toEqual(['Wis']);
    await page.keyboard.press('Escape');
    await expectSoon(focused).toEqual(['Token en X-Step-Up: eigen token']);
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Waarde van stepUp' }).fill('1');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await expectSoon(focused).toEqual(['Token en X-Step-Up: eigen token en heel registernummer']);
  });

  it('says which field of a body is missing, and shows a 401', async () => {
    const page = await newPage({ viewport: { width: 375, height: 800 } });
    await page.goto(`${service().url}/docs`);
    const upload = page.locator('#operations-Documenten-createUpload');
    await upload.locator('.opblock-summary-control').click();
    await upload.getByRole('button', { name: 'Probeer' }).click();
    await upload.getByRole('button', { name: 'Verstuur als sanne-de-wit' }).click();
    await upload.getByRole('alert').filter({ hasText: 'Vul file in.' }).waitFor();
    const file = upload.getByLabel('file', { exact: true });
    expect(await file.getAttribute('aria-invalid')).toBe('true');
    expect(await upload.getByLabel('wizardId', { exact: true }).getAttribute('aria-invalid')).toBe('false');
    expect(await findings(page)).toEqual([]);
    await file.setInputFiles({ name: 'scan.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF') });
    await page.getByLabel('Als wie probeert u de API?').selectOption('niemand (401)');
    await upload.getByRole('button', { name: 'Verstuur als niemand' }).click();
    const answer = upload.getByRole('group', { name: 'Antwoord: 401 niet-ingelogd' });
    await answer.getByRole('cell', { name: '401', exact: true }).waitFor();
    expect(await answer.innerText()).not.toMatch(/Error|Unauthorized/);
    expect(await upload.getByRole('alert').count()).toBe(0);
    await page.route('**/uploads', (route) => route.abort());
    await upload.getByRole('button', { name: 'Verstuur als niemand' }).click();
    const none = upload.getByRole('group', { name: 'Antwoord: geen' });
    await none.waitFor();
    expect(await none.innerText()).toBe('De dienst antwoordt niet. Draait hij nog?');
  });

  it('offers the letter of the person to save, also after a change is taken back', async () => {
    const page = await newPage();
    await page.goto(`${service().url}/docs`);
    const save = page.locator('#operations-Brief-saveBrief');
    await save.locator('.opblock-summary-control').click();
    await save.getByRole('button', { name: 'Probeer' }).click();
    const letter = save.getByRole('textbox', { name: 'Inhoud van de vraag' });
    await expectSoon(() => letter.inputValue()).toMatch('briefhoofd');
    await letter.fill('{}');
    await save.getByRole('button', { name: 'Begin opnieuw' }).click();
    await expectSoon(() => letter.inputValue()).toMatch('briefhoofd');
    await save.getByRole('button', { name: 'Verstuur' }).click();
    await save.getByRole('group', { name: 'Antwoord: 200' }).waitFor();
  });

  it('opens the operation of its address below the bar with the focus, also after Back', async () => {
    const page = await newPage();
    await page.goto(`${service().url}/docs?als=drafter-dana#/Brief/saveBrief`);
    const isShown = async (path: string) => {
      const operation = page.getByRole('heading', { name: path, level: 3 });
      await expectSoon(() => operation.getByRole('button').evaluate((one) => one.matches(':focus'))).toBe(true);
      const bar = await page.locator('.persona').boundingBox();
      const place = await operation.boundingBox();
      expect(place?.y).toBeGreaterThanOrEqual(bar?.height ?? Number.NaN);
      expect(place?.y).toBeLessThan(200);
    };
    await isShown('PUT /brief');
    await page.getByRole('button', { name: 'GET /dashboard-view' }).click();
    await page.getByRole('button', { name: 'GET /health/ready' }).click();
    await page.goBack();
    await isShown('GET /dashboard-view');
    await page.goBack();
    await isShown('PUT /brief');
    // A search that hides it is cleared.
    await page.getByRole('textbox', { name: 'Zoek een operatie' }).fill('diploma');
    await page.getByRole('button', { name: 'GET /duo/diplomas' }).click();
    await page.goBack();
    await isShown('PUT /brief');
    expect(new URL(page.url()).searchParams.has('zoek')).toBe(false);
  });

  it('opens a schema with all its fields, their names as they are, also one that is a word of Swagger UI, and the name of the schema to which one refers', async () => {
    const page = await newPage();
    await page.goto(`${service().url}/docs?zoek=LetterSectionDto`);
    await page.getByRole('button', { name: 'LetterSectionDto', exact: true }).click();
    await page.getByText('sectionKey', { exact: true }).first().waitFor();
    expect(await page.locator('.models').getByText('required', { exact: true }).count()).toBeGreaterThan(0);
    await page.getByRole('textbox', { name: 'Zoek een operatie' }).fill('DashboardViewDto');
    await page.getByRole('button', { name: 'DashboardViewDto', exact: true }).click();
    await page.getByText('RegistrationDto of null', { exact: true }).waitFor();
    await page.getByText('Elf cijfers; ').waitFor();
    await page.getByRole('textbox', { name: 'Zoek een operatie' }).fill('ProblemDetails');
    await page.getByText(/operaties, 1 schema$/).waitFor();
    await page.getByRole('button', { name: 'ProblemDetails', exact: true }).click();
    await page.getByText(/ vaak errors: elke fout met /).waitFor();
    await page.getByText('elke waarde', { exact: true }).waitFor();
    await page.goto(`${service().url}/docs#/Concepten/listApplications`);
    await page.getByRole('tab', { name: 'Schema' }).first().click();
    await page.getByRole('button', { name: 'lijst van ApplicationSummaryDto' }).waitFor();
    await page.getByText('Het id.', { exact: true }).first().waitFor();
  });

  it.each([
    ['readApplication', 'id'],
    ['syncApplication', 'id'],
    ['submitApplication', 'id'],
    ['deleteApplication', 'id'],
    ['uploadContent', 'documentId'],
    ['deleteUpload', 'documentId'],
  ])('offers an id of the person to %s, and says why another person has none', async (operation, name) => {
    const page = await newPage();
    // A world for each operation: two of them take a draft away.
    await page.goto(
      `${service().url}/docs?als=ruben-smit&wereld=${operation.toLowerCase()}#/${name === 'id' ? 'Concepten' : 'Documenten'}/${operation}`,
    );
    const own = page.locator(`[id$="-${operation}"]`);
    const id = () => own.getByRole('textbox', { name, exact: true }).inputValue();
    await own.getByRole('button', { name: 'Probeer' }).click();
    await expectSoon(id).toMatch(/^[\da-f-]{36}$/);
    await own.getByRole('button', { name: 'Verstuur' }).click();
    // His registration ends too late to submit it.
    const answer = own.getByRole('group', { name: /^Antwoord: (20|409 niet-herregistreerbaar)/ });
    await answer.waitFor();
    await page.locator('#persona').selectOption('drafter-dana');
    await answer.waitFor({ state: 'detached' });
    await own.getByText(/^Deze persoon heeft geen (concept|document): /).waitFor();
    expect(await id()).toBe('');
    await page.locator('#persona').selectOption('behandelaar-bas');
    await own.getByText(/^Dit is voor zorgprofessionals\. /).waitFor();
    await page.locator('#persona').selectOption('ruben-smit');
    await expectSoon(id).toMatch(/^[\da-f-]{36}$/);
  });

  it('offers fewer hours with the own document to request herregistratie, and the general example without a document', async () => {
    const page = await newPage();
    await page.goto(`${service().url}/docs?als=joost-van-buren&wereld=uren#/Aanvragen/createHerregistratie`);
    const own = page.locator('#operations-Aanvragen-createHerregistratie');
    await own.getByRole('button', { name: 'Probeer' }).click();
    const body = own.getByRole('textbox', { name: 'Inhoud van de vraag' });
    await expectSoon(() => body.inputValue()).toMatch('scholingsbewijs');
    await own.getByRole('button', { name: 'Verstuur' }).click();
    const answer = own.getByRole('group', { name: 'Antwoord: 200' });
    await answer.waitFor();
    const headings = await answer.locator('h4').filter({ visible: true }).allInnerTexts();
    expect(headings).toEqual(['Antwoord van de dienst', 'Curl']);
    await page.locator('#persona').selectOption('sanne-de-wit');
    await expectSoon(() => body.inputValue()).toMatch('"uren": 2600');
  });

  it('says of a refusal without a body that the specification has it so', async () => {
    const page = await newPage();
    await page.goto(`${service().url}/docs#/Concepten/readApplication`);
    const own = page.locator('#operations-Concepten-readApplication');
    await own.getByRole('button', { name: 'Probeer' }).click();
    await own.getByRole('textbox', { name: 'id', exact: true }).fill('niets');
    await own.getByRole('button', { name: 'Verstuur' }).click();
    const answer = own.getByRole('group', { name: 'Antwoord: 404' });
    await answer.getByText('Bestaat niet, of is niet van u. Geen inhoud: zo staat het in de specificatie.').waitFor();
  });

  it('says of a world in its address that it cannot exist', async () => {
    const page = await newPage();
    await page.goto(`${service().url}/docs?wereld=Wereld_X#/Concepten/readApplication`);
    await page.getByRole('status').getByText('Deze wereld kan niet bestaan: ').waitFor();
    await page.getByRole('button', { name: 'Probeer' }).click();
    await page.getByText('X-Subject is geen bekende naam. ').waitFor();
  });

  it('offers the saved draft of the person to save and to submit', async () => {
    const page = await newPage();
    await page.goto(`${service().url}/docs?als=ruben-smit#/Concepten/syncApplication`);
    const save = page.locator('#operations-Concepten-syncApplication');
    await save.getByRole('button', { name: 'Probeer' }).click();
    await expectSoon(() => save.getByRole('textbox', { name: 'id', exact: true }).inputValue()).not.toBe('');
    const body = save.getByRole('textbox', { name: 'Inhoud van de vraag' });
    await body.fill('{"draft": {"uren": 7}}');
    await save.getByRole('button', { name: 'Verstuur' }).click();
    await save.getByRole('group', { name: 'Antwoord: 204' }).waitFor();
    await body.fill('{}');
    await save.getByRole('button', { name: 'Begin opnieuw' }).click();
    await expectSoon(() => body.inputValue()).toMatch('"uren": 7');
    const submit = page.locator('#operations-Concepten-submitApplication');
    const content = submit.getByRole('textbox', { name: 'Inhoud van de vraag' });
    const isOffered = async (text: RegExp) => {
      await page.goto('about:blank');
      await page.goto(`${service().url}/docs?als=ruben-smit#/Concepten/submitApplication`);
      await submit.getByRole('button', { name: 'Probeer' }).click();
      await expectSoon(() => content.inputValue()).toMatch(text);
    };
    await isOffered(/"uren": 7,\s+"documents"/);
    const asRuben = { Authorization: 'Bearer dev', 'X-Subject': 'ruben-smit' };
    await page.request.post(`${service().url}/api/v1/applications`, { headers: asRuben, data: { type: 'intake' } });
    await isOffered(/"scholing": "ja"/);
  });

  it('keeps what the user typed before the value of the person arrived, and shows no answer to the person before', async () => {
    const page = await newPage();
    const letters = Promise.withResolvers<void>();
    const answers = Promise.withResolvers<void>();
    await page.route('**/brief', (route) => letters.promise.then(() => route.continue()));
    await page.route('**/dashboard-view', (route) => answers.promise.then(() => route.continue()));
    await page.goto(`${service().url}/docs`);
    const save = page.locator('#operations-Brief-saveBrief');
    await save.locator('.opblock-summary-control').click();
    await save.getByRole('button', { name: 'Probeer' }).click();
    const letter = save.getByRole('textbox', { name: 'Inhoud van de vraag' });
    await letter.fill('{"sections": []}');
    const [answered] = [page.waitForEvent('requestfinished', (request) => request.url().endsWith('/brief'))];
    letters.resolve();
    await answered;
    const overview = page.locator('#operations-Dashboard-dashboardView');
    await overview.locator('.opblock-summary-control').click();
    await overview.getByRole('button', { name: 'Probeer' }).click();
    await overview.getByRole('button', { name: 'Verstuur' }).click();
    await page.locator('#persona').selectOption('ruben-smit');
    const shown = overview.getByRole('group', { name: 'Antwoord: 200' });
    answers.resolve();
    await expectSoon(() => overview.locator('.loading-container').count()).toBe(0);
    await shown.waitFor({ state: 'detached' });
    await overview.getByRole('button', { name: 'Verstuur' }).click();
    await shown.waitFor();
    expect(await letter.inputValue()).toBe('{"sections": []}');
  });

  it('has the person in its address, so that a reload and another tab show the same', async () => {
    const page = await newPage();
    await page.goto(`${service().url}/docs?wereld=zaal`);
    await page.getByLabel('Als wie probeert u de API in wereld zaal?').selectOption({ index: 2 });
    const chosen = () =>
      page.locator('#persona').evaluate((list) => (list as unknown as { selectedIndex: number }).selectedIndex);
    await page.reload();
    await expectSoon(chosen).toBe(2);
    expect(await page.locator('#shows').innerText()).toMatch(/^[A-Z].*\.$/);
    expect(await page.evaluate('localStorage.length')).toBe(0);
  });

  it('leads to the console as the person, also one that is not in its list, and as the first without a token', async () => {
    const page = await newPage();
    const addressOf = async (link: string) =>
      new URL((await page.getByRole('link', { name: link }).getAttribute('href')) ?? '', page.url());
    for (const [als, slug] of [
      ['teamlead-tess', 'teamlead-tess'],
      ['burger-7', 'burger-7'],
      ['niemand (401)', null],
    ]) {
      await page.goto(`${service().url}/docs?${new URLSearchParams({ als: als ?? '' })}`);
      await expectSoon(async () => (await addressOf('Console')).searchParams.get('als')).toBe(slug);
      expect(await page.locator('#persona').inputValue()).toBe(als);
      await page.goto(`${service().url}/docs/problems/rol-ontbreekt${new URL(page.url()).search}`);
      expect((await addressOf('in het journaal')).searchParams.get('als')).toBe(slug);
      expect((await addressOf('operaties')).searchParams.get('als')).toBe(als);
      expect((await addressOf('operaties')).searchParams.has('zoek')).toBe(true);
      await page.goto(`${service().url}/docs/problems/kop-te-groot`);
      await page.getByText('Geen: de dienst weigert het verzoek al vóór een operatie.').waitFor();
    }
  });
});
