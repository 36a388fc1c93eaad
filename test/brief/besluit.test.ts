import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PASSAGES } from '../../fixtures/brief/passages.ts';
import { SJABLONEN } from '../../fixtures/brief/sjabloon.ts';
import { LetterState } from '../../simulator/control/schema.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { controlOf } from '../support/control.ts';
import { pdf } from '../support/files.ts';
import {
  createLetterClient,
  freeText,
  type LetterClient,
  placeholderOf,
  type Sections,
  sectionTextOf,
} from '../support/letter.ts';
import { upload } from '../support/multipart.ts';
import { byPost, type Reply, refusalOf, use, useService } from '../support/service.ts';
import { startUpstreamProxies } from '../support/upstreams/proxies.ts';

let now = '2026-06-01T12:00:00Z';
const clock: Clock = { now: () => new Date(now) };
const sources = await use(startUpstreamProxies(clock));
/** A service that calls its register and BRP through proxies, so that a test can watch and change their answers. */
const watched = await useService(sources.env, clock);
const service = await useService({}, clock);

/** Returns the block that puts a passage of the library in a letter, as an editor makes it. */
async function passage(letter: LetterClient, passageId: string) {
  const { availablePassages } = (await letter.get('dana')).body;
  const found = availablePassages.find((one: { passageId: string }) => one.passageId === passageId);
  return { type: 'passage', sourcePassageId: passageId, sourceVersion: found.version, content: found.content };
}
const sectionOf = (passageId: string) => PASSAGES.find((one) => one.passageId === passageId)?.sectie;
function newLetter() {
  const letter = createLetterClient(service);
  return { letter, world: controlOf(service).in(letter.world) };
}
const TYPED = { uren_meegeteld: '1.200', periode_beoordeeld: '1 juni 2022 tot 1 mei 2026' };
const fill = (sections: Sections, texts: Record<string, string> = {}): Sections =>
  JSON.parse(JSON.stringify(sections), (_, value) =>
    value?.type === 'placeholder' && !value.text
      ? { ...value, text: { ...TYPED, ...texts }[value.key as string] ?? 'iets' }
      : value,
  );
/** Saves a letter with these passages, each in its section, or free text in the section Besluit, and with what fits them. */
async function withBesluit(letter: LetterClient, ...blocks: (string | object)[]): Promise<void> {
  const { sections } = await letter.brief();
  for (const section of sections) if (!section.locked) section.blocks = [];
  const rest = blocks.includes(AF)
    ? ['p-zienswijze-niet-nodig', 'p-gevolgen-doorhaling']
    : ['p-motivering-werkervaring', 'p-gevolgen-nieuwe-datum'];
  for (const one of [...blocks, ...rest]) {
    const key = typeof one === 'string' ? sectionOf(one) : 'besluit';
    const block = typeof one === 'string' ? await passage(letter, one) : one;
    sections.find((section: { sectionKey: string }) => section.sectionKey === key).blocks.push(block);
  }
  expect((await letter.put('dana', fill(sections))).status).toBe(200);
}
const applicationOf = async (letter: LetterClient) => {
  const { body } = await service.get('/api/v1/applications', { as: `lotte-van-dijk@${letter.world}` });
  return body[0].status;
};
/** A request for registration with a diploma that DUO does not have. */
const BY_HAND = { diplomaHerkomst: 'handmatig', documents: byPost('diploma-gewaarmerkt', 'identiteitsbewijs') };
/** Returns a request for registration of the person `as` with a diploma from abroad. */
async function fromAbroad(as: string): Promise<object> {
  const form = { wizardId: 'registratie', categoryId: 'cv', localId: 'my-cv', file: pdf() };
  const { documentId } = (await upload(service, as, form)).body;
  const byPost = ['diploma-gewaarmerkt', 'identiteitsbewijs', 'diplomasupplement', 'verklaring-bevoegde-autoriteit'];
  return {
    diplomaHerkomst: 'buitenland',
    documents: [
      { categoryId: 'cv', channel: 'digital', documentId },
      ...byPost.map((categoryId) => ({ categoryId, channel: 'post' })),
    ],
  };
}
const TOE = 'p-besluit-toewijzing';
const AF = 'p-besluit-afwijzing-uren';

describe('a letter', () => {
  it.each<[string, (string | object)[], [pointer: string, detail: string][]]>([
    ['free text only', [freeText('Wij wijzen uw aanvraag toe.')], [['/sections/2', 'Kies een tekst met een besluit']]],
    [
      'two passages with different outcomes',
      [TOE, AF],
      [
        ['/sections/2/blocks/0', '“Toewijzing” is een besluit: toewijzen; een brief heeft één besluit.'],
        [
          '/sections/2/blocks/1',
          '“Afwijzing: te weinig uren en geen scholing” is een besluit: afwijzen; een brief heeft één besluit.',
        ],
      ],
    ],
    [
      'a refusal and the reasons and consequences of a grant',
      [AF, 'p-motivering-werkervaring', 'p-gevolgen-nieuwe-datum'],
      [
        [
          '/sections/3/blocks/0',
          '“Genoeg werkervaring (bij toewijzing)” past niet bij een afwijzing. Vervang of verwijder die tekst.',
        ],
        [
          '/sections/4/blocks/0',
          '“Nieuwe uiterste datum (bij toewijzing)” past niet bij een afwijzing. Vervang of verwijder die tekst.',
        ],
      ],
    ],
  ])('with %s is refused on submit with 409 besluit-tegenstrijdig', async (_, besluit, faults) => {
    const letter = createLetterClient(service);
    await withBesluit(letter, ...besluit);
    const { status, body } = await letter.post('dana', 'submit');
    expect([status, body.code]).toEqual([409, 'besluit-tegenstrijdig']);
    expect(body.errors).toEqual(
      faults.map(([pointer, detail]) => expect.objectContaining({ pointer, detail: expect.stringContaining(detail) })),
    );
  });

  it('that contradicts itself and what happened is refused on submit with both, after what is empty', async () => {
    const letter = createLetterClient(service);
    const { sections } = await letter.brief();
    sections[2].blocks = [await passage(letter, AF)];
    await letter.put('dana', sections);
    const codes = async () => {
      const { body } = await letter.post('dana', 'submit');
      return [body.code, ...body.errors.map(({ code }: { code: string }) => code)];
    };
    const wrong = ['besluit-tegenstrijdig', 'besluit-tegenstrijdig', 'besluit-ongegrond'];
    expect(await codes()).toEqual(['plaatshouder-open', 'plaatshouder-open', ...wrong]);
    await letter.put('dana', fill(sections));
    expect(await codes()).toEqual([wrong[0], ...wrong]);
  });

  it.each<[string, (string | object)[]]>([
    ['one passage with an outcome', [AF]],
    ['free text and one passage with an outcome', [freeText('Beste collega,'), TOE]],
    ['a refusal and the reasons and consequences of a refusal', [AF, 'p-motivering-afwijzing']],
  ])('with %s is accepted on submit with 200', async (_, besluit) => {
    const letter = createLetterClient(service);
    await withBesluit(letter, ...besluit);
    expect((await letter.post('dana', 'submit')).status).toBe(200);
  });

  it.each<[string, string | null, object]>([
    [TOE, null, { tag: 'Goedgekeurd', reden: null }],
    [AF, 'een deel was in een ander beroep', { tag: 'Afgewezen', reden: 'een deel was in een ander beroep' }],
    [AF, null, { tag: 'Afgewezen', reden: 'Te weinig gewerkte uren en geen geldig bewijs van scholing.' }],
  ])(
    'with the passage %s and the reason %j sets the decision of the case on send, and not on approval',
    async (name, reden, expected) => {
      const letter = createLetterClient(service);
      await withBesluit(letter, name);
      if (reden !== null) {
        const sections = (await letter.brief()).sections;
        sections[3].blocks = [
          await passage(letter, 'p-motivering-afwijzing'),
          await passage(letter, 'p-zienswijze-niet-nodig'),
        ];
        await letter.put('dana', fill(sections, { reden_afwijzing: reden }));
      }
      await letter.post('dana', 'submit');
      expect((await letter.post('anna', 'approve')).status).toBe(200);
      expect(await applicationOf(letter)).toMatchObject({ tag: 'InBehandeling' });
      expect((await letter.post('bas', 'send')).status).toBe(200);
      expect(await applicationOf(letter)).toMatchObject(expected);
    },
  );

  it.each([
    ['2026-08-11', 200, 200],
    ['2026-08-12', 409, 409],
  ])(
    'that does not consider a request can be sent until four weeks after the term to complete it (%s)',
    async (day, sent, decided) => {
      const { letter, world } = newLetter();
      const about = { referentie: 'HER-2026-000118' };
      await world.post('/clock', { set: '2026-06-02' });
      await world.put('/brief', { tag: 'sent', ...about, templateId: 'aanvulling-gevraagd' });
      const unconsidered = { ...about, uitkomst: 'buiten-behandeling' };
      await world.post('/clock', { set: day });
      const submitted = await world.put('/brief', { tag: 'submitted', ...unconsidered });
      expect(submitted.status).toBe(sent);
      if (sent !== 200)
        expect(submitted.body.detail).toContain('kon tot en met 11 augustus 2026: vier weken na de termijn');
      await world.post('/clock', { set: '2026-07-15' });
      expect((await world.put('/brief', { tag: 'approved', ...unconsidered })).status).toBe(200);
      await world.post('/clock', { set: day });
      expect((await letter.post('bas', 'send')).status).toBe(sent);
      const by = await world.put('/zaken/HER-2026-000118/besluit', { uitkomst: 'buiten-behandeling' });
      expect([by.status, by.body.code]).toEqual([decided, decided === 200 ? undefined : 'besluit-ongegrond']);
    },
  );

  it('that does not consider a request is refused with 409 besluit-ongegrond until a letter asked to complete it and its term passed', async () => {
    const { letter, world } = newLetter();
    const unconsidered = async (day: string) => {
      await world.post('/clock', { set: day });
      return world.put('/brief', { tag: 'sent', referentie: 'HER-2026-000118', uitkomst: 'buiten-behandeling' });
    };
    expect((await unconsidered('2026-06-02')).body.detail).toContain('geen brief verzonden met de vraag om aanvulling');
    const asked = { tag: 'sent', referentie: 'HER-2026-000118', templateId: 'aanvulling-gevraagd' };
    expect((await world.put('/brief', asked)).status).toBe(200);
    expect((await unconsidered('2026-07-14')).body.detail).toContain('nog reageren tot en met 14 juli 2026');
    expect((await unconsidered('2026-07-15')).status).toBe(200);
    expect(await letter.text('motivering')).toContain(
      'Op 2 juni 2026 hebben wij u gevraagd om uw aanvraag compleet te maken. U kon dat doen tot en met 14 juli 2026.',
    );
    expect(await applicationOf(letter)).toMatchObject({
      tag: 'Afgewezen',
      reden: 'Buiten behandeling gesteld: De gevraagde bewijsstukken zijn niet op tijd ontvangen.',
    });
  });

  it('that refuses a request says why there was no voornemen-afwijzing, or was sent after its term', async () => {
    const { letter, world } = newLetter();
    const submit = async (reactie: string | null) => {
      await letter.post('dana', 'reset');
      const sections = await letter.filledSections();
      sections[2].blocks = [await passage(letter, AF)];
      sections[3].blocks = [await passage(letter, 'p-motivering-afwijzing')];
      sections[4].blocks = [await passage(letter, 'p-gevolgen-doorhaling')];
      if (reactie !== null) sections[3].blocks.push(await passage(letter, reactie));
      await letter.put('dana', fill(sections));
      const { status, body } = await letter.post('dana', 'submit');
      return body.code ?? status;
    };
    expect(await submit(null)).toBe('besluit-ongegrond');
    expect(await submit('p-zienswijze-niet-nodig')).toBe(200);
    expect(await submit('p-zienswijze-geen')).toBe('besluit-ongegrond');
    const announced = { tag: 'sent', referentie: 'HER-2026-000118', templateId: 'voornemen-afwijzing' };
    expect((await world.put('/brief', announced)).status).toBe(200);
    await world.put('/brief', { tag: 'draft', referentie: 'HER-2026-000118', uitkomst: 'afgewezen' });
    expect(await submit('p-zienswijze-geen')).toBe('besluit-ongegrond');
    await world.post('/clock', { set: '2026-06-16' });
    expect(await submit('p-zienswijze-niet-nodig')).toBe('besluit-ongegrond');
    expect(await submit('p-zienswijze-geen')).toBe(200);
  });

  it.each([
    ['1 januari 1900', 'besluit-ongegrond'],
    ['2026-07-01', 200],
    ['1\u00a0juli\u00a02026', 200],
  ])('that asks for evidence before “%s” is answered on submit with %s', async (reactiedatum, expected) => {
    const letter = createLetterClient(service);
    const asked = { tag: 'draft', referentie: 'HER-2026-000118', templateId: 'aanvulling-gevraagd' };
    await controlOf(service).in(letter.world).put('/brief', asked);
    const { sections } = await letter.brief();
    await letter.put('dana', fill(sections, { reactiedatum }));
    const { status, body } = await letter.post('dana', 'submit');
    expect(body.code ?? status).toBe(expected);
  });

  it('with another outcome than the decision of the case is refused on submit with 409 besluit-tegenstrijdig', async () => {
    const letter = createLetterClient(service);
    await letter.bringTo('sent');
    await letter.post('dana', 'reset');
    await withBesluit(letter, AF);
    const { status, body } = await letter.post('dana', 'submit');
    expect([status, body.code]).toEqual([409, 'besluit-tegenstrijdig']);
    expect(body.errors[0].detail).toContain('al anders besloten: toewijzen');
    await withBesluit(letter, TOE);
    expect((await letter.post('dana', 'submit')).status).toBe(200);
  });

  it('is refused on approve with 409 besluit-tegenstrijdig when the case got another decision after the submit, and can be rejected', async () => {
    const letter = createLetterClient(service);
    await letter.bringTo('submitted');
    const world = controlOf(service).in(letter.world);
    await world.put('/zaken/HER-2026-000118/besluit', { uitkomst: 'afgewezen', reden: 'Te weinig uren.' });
    const { status, body } = await letter.post('anna', 'approve');
    expect([status, body.code]).toEqual([409, 'besluit-tegenstrijdig']);
    expect(body.errors).toEqual([expect.objectContaining({ pointer: '/sections/2/blocks/0' })]);
    expect((await letter.post('anna', 'reject', { comments: 'Al afgewezen.' })).status).toBe(200);
  });

  it('is refused on send with 409 verzending-geweigerd, and stays approved, when the case got another decision after the approval', async () => {
    const letter = createLetterClient(service);
    await letter.bringTo('approved');
    const world = controlOf(service).in(letter.world);
    await world.put('/zaken/HER-2026-000118/besluit', { uitkomst: 'afgewezen', reden: 'Te weinig uren.' });
    expect(await letter.post('bas', 'send')).toMatchObject({ status: 409, body: { code: 'verzending-geweigerd' } });
    expect((await letter.brief()).status.tag).toBe('approved');
    const { body: zaken } = await world.get('/zaken');
    expect(zaken).toContainEqual(
      expect.objectContaining({ slug: 'lotte-van-dijk', besluit: expect.objectContaining({ uitkomst: 'afgewezen' }) }),
    );
  });
});

it('a letter about a request that is received later than today is refused on send with 409 verzending-geweigerd, and decides nothing', async () => {
  const letter = createLetterClient(service);
  await letter.bringTo('approved');
  await controlOf(service).in(letter.world).post('/clock', { set: '2026-05-01' });
  expect(await letter.post('bas', 'send')).toMatchObject({ status: 409, body: { code: 'verzending-geweigerd' } });
  expect(await applicationOf(letter)).toMatchObject({ tag: 'InBehandeling' });
});

describe('a letter about a case that already has a decision', () => {
  const ZAAK = '/zaken/HER-2026-000118/besluit';
  const worldOf = (letter: LetterClient) => controlOf(service).in(letter.world);
  const herregistratieDatum = async (letter: LetterClient) => {
    const { body } = await service.get('/api/v1/dashboard-view', { as: `lotte-van-dijk@${letter.world}` });
    return body.registration.status.herregistratieDatum;
  };

  it.each([
    ['on an earlier day', 'goedgekeurd', null, '2026-06-05'],
    ['with another reason', 'afgewezen', 'Reden van het register.', '2026-06-01'],
  ])('is refused on send with 409, without effect, when the case was decided %s', async (_, uitkomst, reden, day) => {
    const letter = createLetterClient(service);
    await withBesluit(letter, uitkomst === 'goedgekeurd' ? TOE : AF);
    await letter.post('dana', 'submit');
    expect((await letter.post('anna', 'approve')).status).toBe(200);
    await worldOf(letter).put(ZAAK, { uitkomst, ...(reden && { reden }) });
    await worldOf(letter).post('/clock', { set: day });
    const before = [await applicationOf(letter), await herregistratieDatum(letter)];
    expect(await letter.post('bas', 'send')).toMatchObject({ status: 409, body: { code: 'verzending-geweigerd' } });
    expect([await applicationOf(letter), await herregistratieDatum(letter)]).toEqual(before);
    expect((await letter.brief()).status.tag).toBe('approved');
  });

  it('has the new herregistratiedatum of the register in its draft', async () => {
    const letter = createLetterClient(service);
    await worldOf(letter).put(ZAAK, { uitkomst: 'goedgekeurd' });
    await worldOf(letter).post('/clock', { set: '2026-07-01' });
    await worldOf(letter).put('/brief', { tag: 'draft', referentie: 'HER-2026-000118' });
    const { sections } = await letter.brief();
    expect(await herregistratieDatum(letter)).toBe('2031-06-01');
    expect(sectionTextOf(sections, 'gevolgen')).toContain('is 1 juni 2031.');
  });

  it('is refused with 409, on submit and on send, when it asks for evidence', async () => {
    const letter = createLetterClient(service);
    const asking = { referentie: 'HER-2026-000118', templateId: 'aanvulling-gevraagd' };
    await worldOf(letter).put('/brief', { tag: 'approved', ...asking });
    await worldOf(letter).put(ZAAK, { uitkomst: 'goedgekeurd' });
    expect(await letter.post('bas', 'send')).toMatchObject({ status: 409, body: { code: 'verzending-geweigerd' } });
    await worldOf(letter).put('/brief', { tag: 'draft', ...asking });
    await letter.put('dana', fill((await letter.brief()).sections));
    const { status, body } = await letter.post('dana', 'submit');
    expect([status, body.code]).toEqual([409, 'besluit-tegenstrijdig']);
    expect(body.errors.map(({ pointer, code }: Record<string, string>) => [pointer, code])).toEqual([
      ['/sections', 'besluit-tegenstrijdig'],
      ['/sections/2/blocks/0/content/paragraphs/2/nodes/1', 'besluit-ongegrond'],
    ]);
  });
});

describe('a letter to a person without a Dutch address', () => {
  it.each([
    ['jan-kuipers', '2027-11-02', 'J. Kuipers\nCalle Mayor 14\n03001 Alicante\nSpanje\n'],
    ['tomasz-wolski', '2028-03-01', 'Tomasz Wolski\nLange Lozanastraat 114\n2018 Antwerpen, België\n'],
    [
      'floris-van-duinrode',
      '2026-06-01',
      'De hoogwelgeboren heer\nF. baron van Duinrode\nWoonboot aan de Kromme Rijn\nUTRECHT\n',
    ],
  ])('such as %s has the address lines of the BRP or of the register, and can be sent', async (slug, day, lines) => {
    const { letter, world } = newLetter();
    await world.post('/clock', { set: day });
    const documents = [{ categoryId: 'werkervaring', channel: 'post' }];
    const filed = await service.post('/api/v1/herregistraties', `${slug}@${letter.world}`, { uren: 2_600, documents });
    const brought = await world.put('/brief', { tag: 'sent', referentie: filed.body.referentie });
    expect(brought.body).toMatchObject({ tag: 'sent', referentie: filed.body.referentie });
    expect(await letter.text('briefhoofd')).toContain(lines);
  });

  it('or to somebody whose address is secret has the address on paper, and “(geheim)” in every answer', async () => {
    const { letter, world } = newLetter();
    await world.post('/clock', { set: '2028-06-01' });
    const as = `maria-de-graaf@${letter.world}`;
    const documents = [{ categoryId: 'werkervaring', channel: 'post' }];
    const { referentie } = (await service.post('/api/v1/herregistraties', as, { uren: 3_200, documents })).body;
    expect((await world.put('/brief', { tag: 'sent', referentie })).body.tag).toBe('sent');
    const { body } = await letter.get('dana', { 'x-step-up': '1' });
    expect(sectionTextOf(body.brief.sections, 'briefhoofd')).toContain('M. van Loon-de Graaf\n(geheim)\n(geheim)\n');
    expect(JSON.stringify(body)).not.toContain('Kerkstraat');
    const { body: sent } = await world.get('/post/maria-de-graaf');
    const paper = await world.get(`/post/maria-de-graaf/${(sent as { id: string }[]).at(-1)?.id}`);
    expect((paper.body as { text: string }).text).toContain('M. van Loon-de Graaf\nKerkstraat 66\n2802 AH  GOUDA\n');
  });

  it('nor a name has the name in the register, also about a registration in another profession', async () => {
    const letter = createLetterClient(service);
    const { body } = await service.post('/api/v1/registrations', `tomasz-wolski@${letter.world}`, BY_HAND);
    const brought = await controlOf(service)
      .in(letter.world)
      .put('/brief', { tag: 'sent', ...body });
    expect(brought.body).toMatchObject({ tag: 'sent', ...body });
    const { sections } = await letter.brief();
    expect(sectionTextOf(sections, 'briefhoofd')).toContain('Tomasz Wolski\n');
    expect(sectionTextOf(sections, 'aanhef')).toContain('Geachte Tomasz Wolski,');
  });
});

describe('a letter for an application for registration', () => {
  it('leaves the case InBehandeling with the template aanvulling-gevraagd, and decides it with the template registratie-besluit', async () => {
    const { letter, world } = newLetter();
    const as = `gerda-postma@${letter.world}`;
    const { referentie } = (await service.post('/api/v1/registrations', as, BY_HAND)).body;
    const tagOf = async () => (await service.get('/api/v1/applications', { as })).body[0].status.tag;

    await world.put('/brief', { tag: 'sent', referentie, templateId: 'aanvulling-gevraagd' });
    const { templateId, status } = await letter.brief();
    expect([templateId, status.tag]).toEqual(['aanvulling-gevraagd', 'sent']);
    expect(await tagOf()).toBe('InBehandeling');

    await world.put('/brief', { tag: 'sent', referentie });
    const { brief } = (await letter.get('dana')).body;
    expect(brief.templateId).toBe('registratie-besluit');
    expect(sectionTextOf(brief.sections, 'besluit')).toContain('staan in artikel 32');
    expect(await tagOf()).toBe('Goedgekeurd');
    expect((await world.put('/brief', { tag: 'draft', referentie: 'HER-2026-999999' })).status).toBe(404);
  });

  it.each([
    ['gerda-postma', 'verpleegkundige niet gebruiken.'],
    [
      'wilma-dekker',
      'verloskundige na de doorhaling alleen nog gebruiken met de woorden ‘niet praktiserend’ erachter.',
    ],
  ])('that refuses it to %s says how the title may be used', async (slug, expected) => {
    const letter = createLetterClient(service);
    const { body } = await service.post('/api/v1/registrations', `${slug}@${letter.world}`, BY_HAND);
    await controlOf(service)
      .in(letter.world)
      .put('/brief', { tag: 'draft', ...body, uitkomst: 'afgewezen' });
    expect(await letter.text('gevolgen')).toContain(`U mag de titel ${expected}`);
  });

  it.each([
    ['wilma-dekker', 'goedgekeurd', 'artikel 8, zesde lid', 'Daarmee voldoet u aan de eisen.'],
    ['wilma-dekker', 'afgewezen', 'artikel 8, zesde lid', 'U haalt de norm dus niet.'],
    ['gerda-postma', 'goedgekeurd', 'artikel 8, zesde lid', 'Uw diploma is ouder dan vijf jaar.'],
    ['noor-bakker', 'goedgekeurd', 'de artikelen 3 tot en met 6', 'Dat diploma voldoet aan de eisen'],
    ['noor-bakker', 'afgewezen', 'de artikelen 3 tot en met 6', 'Uw diploma voldoet daar niet aan.'],
    ['chidi-okafor', 'goedgekeurd', 'op grond van artikel 41', 'Wij erkennen dit diploma'],
    ['chidi-okafor', 'afgewezen', 'op grond van artikel 41', 'Wij hebben uw vakbekwaamheid beoordeeld.'],
    ['elena-marin', 'goedgekeurd', 'Richtlijn 2005/36/EG', 'Voor dit diploma geldt automatische erkenning.'],
    ['elena-marin', 'afgewezen', 'de artikelen 3 tot en met 6', 'De reden daarvan is: het certificaat is ouder dan'],
  ])('of %s with the outcome %s rests on its own article: %s', async (slug, uitkomst, article, words) => {
    const { letter, world } = newLetter();
    const as = `${slug}@${letter.world}`;
    const ours = { 'noor-bakker': { diplomaHerkomst: 'duo' }, 'wilma-dekker': BY_HAND, 'gerda-postma': BY_HAND }[slug];
    const { referentie } = (await service.post('/api/v1/registrations', as, ours ?? (await fromAbroad(as)))).body;
    expect((await world.put('/brief', { tag: 'sent', referentie, uitkomst })).status).toBe(200);
    const { sections } = await letter.brief();
    expect(sectionTextOf(sections, 'besluit')).toContain(article);
    expect(sectionTextOf(sections, 'motivering')).toContain(words);
    if (slug === 'wilma-dekker') expect(sectionTextOf(sections, 'motivering')).not.toContain('Uw diploma');
  });

  /** Creates a request for registration that names no profession, and returns functions for its letter. */
  async function withoutProfession(slug: string, day = '2026-06-01') {
    const { letter, world } = newLetter();
    if (day !== '2026-06-01') await world.post('/clock', { set: day });
    const as = `${slug}@${letter.world}`;
    const { referentie } = (await service.post('/api/v1/registrations', as, BY_HAND)).body;
    return {
      letter,
      bringTo: (tag: string) => world.put('/brief', { tag, referentie }),
      grant: (beroep?: string) =>
        world.put(`/zaken/${referentie}/besluit`, { uitkomst: 'goedgekeurd', ...(beroep && { beroep }) }),
      on: (day: string) => world.post('/clock', { set: day }),
      registration: async () => (await service.get('/api/v1/dashboard-view', { as })).body.registration,
      tag: async () => {
        const { body } = await service.get('/api/v1/applications', { as });
        return body.find(({ status }: Reply['body']) => status.referentie === referentie).status.tag;
      },
    };
  }

  it.each([
    ['on the day of its approval', '2026-06-01'],
    ['after the other registration of the person has ended', '2030-02-01'],
  ])('registers the person in the profession that it names when it is sent %s', async (_, day) => {
    const rosa = await withoutProfession('rosa-silva');
    expect((await rosa.bringTo('approved')).body.tag).toBe('approved');
    expect((await rosa.registration()).beroep).toBe('arts');
    await rosa.on(day);
    const sent = await rosa.letter.post('bas', 'send');
    expect(sectionTextOf(sent.body.sections, 'besluit')).toContain('Wij schrijven u als verpleegkundige in');
    await rosa.on('2030-02-01');
    const expected = { beroep: 'verpleegkundige', registratiedatum: day, status: { tag: 'Geregistreerd' } };
    expect(await rosa.registration()).toMatchObject(expected);
  });

  it('names the profession in which a case handler registered the person before it was written', async () => {
    const wilma = await withoutProfession('wilma-dekker');
    expect((await wilma.grant()).status).toBe(200);
    expect((await wilma.registration()).beroep).toBe('verloskundige');
    await wilma.bringTo('draft');
    expect((await wilma.letter.brief()).beroep).toBe('verloskundige');
  });

  it.each([
    ['is registered in the profession that it names', 'sanne-de-wit', '2026-06-01'],
    ['has died after the approval', 'truus-visser', '2026-04-15'],
  ])('is refused on send with 409 verzending-geweigerd when the person %s (%s)', async (_, slug, day) => {
    const { letter, bringTo, tag, on } = await withoutProfession(slug, day);
    await bringTo('approved');
    await on('2026-06-01');
    expect(await letter.post('bas', 'send')).toMatchObject({ status: 409, body: { code: 'verzending-geweigerd' } });
    expect((await letter.brief()).status.tag).toBe('approved');
    expect(await tag()).toBe('InBehandeling');
  });

  it('is refused on send with 409 verzending-geweigerd when a case handler granted another profession after the approval', async () => {
    const rosa = await withoutProfession('rosa-silva');
    await rosa.bringTo('approved');
    await rosa.grant('tandarts');
    expect(await refusalOf(rosa.letter.post('bas', 'send'))).toEqual([409, 'verzending-geweigerd']);
    expect((await rosa.bringTo('sent')).body.tag).toBe('sent');
    expect((await rosa.letter.brief()).beroep).toBe('tandarts');
  });

  it.each([
    ['HER-2026-000118', 'goedgekeurd', 'U haalt de norm.', null],
    ['HER-2026-000118', 'afgewezen', 'artikel 4:7', 'U blijft geregistreerd tot en met 13 augustus 2026'],
    [
      'HER-2026-000097',
      'goedgekeurd',
      'uw beroep is 3.120 uur in de vijf jaar vóór uw aanvraag. U haalt die norm niet.',
      null,
    ],
  ] as const)(
    'about %s begins with the passages of the outcome %s in the control API',
    async (referentie, uitkomst, words, gevolgen) => {
      const { letter, world } = newLetter();
      const brought = await world.put('/brief', { tag: 'sent', referentie, uitkomst });
      expect(brought.body).toMatchObject({ tag: 'sent', referentie });
      const { sections } = await letter.brief();
      const text = ['besluit', 'motivering', 'gevolgen'].map((key) => sectionTextOf(sections, key)).join('\n');
      expect(text).toContain(words);
      if (gevolgen !== null) expect(text).toContain(gevolgen);
      const { body: zaken } = await world.get('/zaken');
      const zaak = (zaken as { referentie: string; besluit: object }[]).find((one) => one.referentie === referentie);
      expect(zaak?.besluit).toMatchObject({ uitkomst });
    },
  );

  it('says that the registration is struck off when the uiterste herregistratiedatum has passed', async () => {
    const { letter, world } = newLetter();
    await world.post('/clock', { set: '2026-07-01' });
    await world.put('/brief', { tag: 'draft', referentie: 'HER-2026-000097', uitkomst: 'afgewezen' });
    expect(await letter.text('gevolgen')).toContain(
      'Uw uiterste herregistratiedatum was 29 mei 2026. Die datum is voorbij.',
    );
  });

  it('is created by a reset after the letter about the herregistratie of the same workspace was sent', async () => {
    const letter = createLetterClient(service);
    const applied = await service.post('/api/v1/registrations', `gerda-postma@${letter.world}`, BY_HAND);
    await letter.bringTo('sent');
    const { brief } = (await letter.post('dana', 'reset')).body;
    expect(brief.templateId).toBe('registratie-besluit');
    expect(sectionTextOf(brief.sections, 'briefhoofd')).toContain(applied.body.referentie);
  });
});

describe('a letter about a herregistratie of somebody who', () => {
  const SUSPENDED = 'U bent nu geschorst. Dat verandert niet door dit besluit.';
  const letterAbout = async (slug: string, uitkomst: string) => {
    const { letter, world } = newLetter();
    const { body } = await service.post('/api/v1/herregistraties', `${slug}@${letter.world}`, { uren: 2_600 });
    expect((await world.put('/brief', { tag: 'draft', ...body, uitkomst })).status).toBe(200);
    return letter;
  };

  it.each([
    ['is suspended', 'pieter-hoekstra', 'goedgekeurd', true],
    ['is suspended', 'pieter-hoekstra', 'afgewezen', true],
    ['is not suspended', 'sanne-de-wit', 'goedgekeurd', false],
    ['is not suspended', 'sanne-de-wit', 'afgewezen', false],
  ])('%s (%s, %s) says that the suspension goes on: %s', async (_, slug, uitkomst, isSaid) => {
    const letter = await letterAbout(slug, uitkomst);
    expect((await letter.text('gevolgen')).includes(SUSPENDED)).toBe(isSaid);
  });

  it.each([
    ['is suspended', 'pieter-hoekstra', 'p-titel-geschorst', 200],
    ['is suspended', 'pieter-hoekstra', 'p-titel-niet-geherregistreerd', 409],
    ['was never suspended', 'sanne-de-wit', 'p-titel-geschorst', 409],
    ['was never suspended', 'sanne-de-wit', 'p-titel-niet-geherregistreerd', 200],
    ['is suspended', 'pieter-hoekstra', 'p-gevolgen-geschorst', 200],
    ['was never suspended', 'sanne-de-wit', 'p-gevolgen-geschorst', 409],
  ])('%s (%s) with the passage %s is answered on submit with %i', async (_, slug, passageId, expected) => {
    const letter = await letterAbout(slug, 'afgewezen');
    const { sections } = await letter.brief();
    sections[4].blocks = [await passage(letter, 'p-gevolgen-doorhaling'), await passage(letter, passageId)];
    await letter.put('dana', fill(sections));
    const { status, body } = await letter.post('dana', 'submit');
    expect(status).toBe(expected);
    if (expected === 409)
      expect([body.code, body.errors]).toEqual([
        'besluit-ongegrond',
        [expect.objectContaining({ pointer: '/sections/4/blocks/1' })],
      ]);
  });
});

describe('a letter that refuses a herregistratie', () => {
  it.each([
    ['approve', '2026-08-13', 200, undefined, undefined],
    [
      'approve',
      '2026-08-14',
      409,
      'besluit-tegenstrijdig',
      '“Doorhaling zonder nieuwe aanvraag (niet bij toewijzing)” klopt niet: de uiterste herregistratiedatum, 13 augustus 2026, is voorbij. Kies “Doorhaling: de uiterste datum is voorbij (niet bij toewijzing)”.',
    ],
    ['send', '2026-08-13', 200, undefined, undefined],
    [
      'send',
      '2026-08-14',
      409,
      'verzending-geweigerd',
      'Deze brief kon tot en met 13 augustus 2026 worden verzonden. Begin hem opnieuw: bij het voorleggen ziet u wat niet meer klopt.',
    ],
  ])(
    'with a text about a uiterste herregistratiedatum of 13 augustus 2026 is answered on %s on %s with %i',
    async (action, day, status, code, detail) => {
      const { letter, world } = newLetter();
      const tag = action === 'approve' ? 'submitted' : 'approved';
      await world.put('/brief', { tag, referentie: 'HER-2026-000118', uitkomst: 'afgewezen' });
      await world.post('/clock', { set: day });
      const answer = await letter.post('anna', action);
      expect([answer.status, answer.body.code, answer.body.detail]).toEqual([status, code, detail]);
    },
  );

  it.each([
    ['p-gevolgen-doorhaling', '2026-08-20', 'is voorbij'],
    ['p-gevolgen-doorhaling-nu', '2026-08-13', 'is nog niet voorbij'],
  ])('with the passage %s is refused on submit on %s', async (passageId, day, words) => {
    const { letter, world } = newLetter();
    await world.put('/brief', { tag: 'draft', referentie: 'HER-2026-000118', uitkomst: 'afgewezen' });
    const { sections } = await letter.brief();
    sections[4].blocks = [await passage(letter, passageId)];
    await letter.put('dana', fill(sections));
    await world.post('/clock', { set: day });
    const { status, body } = await letter.post('dana', 'submit');
    expect([status, body.code]).toEqual([409, 'besluit-tegenstrijdig']);
    expect(body.errors).toEqual([expect.objectContaining({ pointer: '/sections/4/blocks/0' })]);
    expect(body.errors[0].detail).toContain(words);
  });
});

describe('the date in a letter', () => {
  it('is the date of sending in Amsterdam, from which the new herregistratiedatum in the letter and the dashboard follows', async () => {
    const letter = createLetterClient(service);
    now = '2026-06-01T12:00:00Z';
    await letter.bringTo('approved');
    const { sections } = await letter.brief();
    expect(sectionTextOf(sections, 'briefhoofd')).toContain('Datum: datum van verzending\n');
    now = '2026-06-11T22:30:00Z';
    const sent = await letter.post('bas', 'send');
    // Half past twelve at night in Amsterdam.
    expect(sectionTextOf(sent.body.sections, 'briefhoofd')).toContain('Datum: 12 juni 2026\n');
    expect(sectionTextOf(sent.body.sections, 'gevolgen')).toContain('is 12 juni 2031.');
    const { body } = await service.get('/api/v1/dashboard-view', { as: `lotte-van-dijk@${letter.world}` });
    expect(body.registration.status.herregistratieDatum).toBe('2031-06-12');
    now = '2026-06-20T12:00:00Z';
    expect((await letter.brief()).sections).toEqual(sent.body.sections);
    now = '2026-06-01T12:00:00Z';
  });

  it('is the date of the first dispatch when the register accepted it without an answer and the dispatch is repeated on a later day', async () => {
    const letter = createLetterClient(watched);
    await letter.bringTo('approved');
    sources.register.intercept = async (request, response) => {
      if (request.url !== '/brieven/verzendingen') return false;
      await sources.register.forward(request);
      response.destroy();
      return true;
    };
    expect((await letter.post('bas', 'send')).status).toBe(504);
    sources.register.intercept = null;
    now = '2026-06-03T12:00:00Z';
    const sent = await letter.post('bas', 'send');
    expect(sent.body.status.sentAt).toBe('2026-06-01T12:00:00Z');
    expect(sectionTextOf(sent.body.sections, 'briefhoofd')).toContain('Datum: 1 juni 2026\n');
    now = '2026-06-01T12:00:00Z';
  });
});

it('an address that becomes secret after the approval of a letter is sent to the register, and is replaced by “(geheim)” in every answer of the service', async () => {
  const letter = createLetterClient(watched);
  await letter.bringTo('approved');
  sources.brp.changeBody = (_, body) => {
    body.personen[0].geheimhoudingPersoonsgegevens = true;
    return body;
  };
  const from = sources.register.received.length;
  const answers = [await letter.get('anna'), await letter.post('bas', 'send'), await letter.get('bas')];
  for (const { status, body } of answers) {
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain('Kleine Houtweg');
    expect(JSON.stringify(body)).toContain('(geheim)');
  }
  const sent = sources.register.received.slice(from).find(({ url }) => url === '/brieven/verzendingen');
  expect(sent?.body).toContain('Kleine Houtweg 27 RD');
  sources.brp.changeBody = null;
});

it('a template of the register with any key of a section and with control characters in its text gives a letter that can be saved as it was read', async () => {
  const noKeys = `{{Naam}} is geen sleutel, {{${'k'.repeat(65)}}} ook niet`;
  sources.register.changeBody = (path, body) => {
    if (!path.includes('/sjablonen/')) return body;
    const [first, second, ...others] = body.secties;
    const tekst = `Brief\t{{aanhef}},\r\nIn\u200e deze brief\rstaat\nmeer.\n${noKeys}`;
    const named = { ...second, sleutel: `de aanhef ${'é'.repeat(100)}`, alineas: [{ lijst: null, tekst }] };
    return { ...body, secties: [first, named, ...others] };
  };
  const letter = createLetterClient(watched);
  const { sections } = await letter.brief();
  sources.register.changeBody = null;
  expect(sectionTextOf(sections, `de aanhef ${'é'.repeat(100)}`)).toBe(
    `Brief Geachte mevrouw Van Dijk,\nIn deze brief\nstaat\nmeer.\n${noKeys}`,
  );
  const saved = await letter.put('dana', sections);
  expect(saved.status).toBe(200);
  expect(saved.body.sections).toEqual(sections);
});

it('a name in the BRP with a control character does not prevent that a letter is saved as it was read', async () => {
  sources.brp.changeBody = (_, body) => {
    body.personen[0].adressering.aanschrijfwijze.naam = 'L.\tvan Dijk';
    return body;
  };
  const letter = createLetterClient(watched);
  const { sections } = await letter.brief();
  expect(placeholderOf(sections, 'naam').text).toBe('L. van Dijk');
  expect((await letter.put('dana', sections)).status).toBe(200);
  sources.brp.changeBody = null;
});

describe('the texts of letters and passages', () => {
  const texts = [...SJABLONEN.values()].flatMap(({ templateId, velden, secties }) => {
    const known = Object.keys({ ...velden.automatisch, ...velden.invulbaar });
    const own = secties.map(({ sleutel, alineas }) => ({ where: `${templateId} ${sleutel}`, alineas }));
    const passages = PASSAGES.filter((one) => one.templateId === templateId).map(({ passageId, alineas }) => ({
      where: passageId,
      alineas,
    }));
    return [...own, ...passages].map((one) => ({ ...one, known }));
  });

  it.each(texts)(
    'of $where use only known placeholders, sentences of at most 32 words, and no words such as “middels” and “conform”',
    ({ alineas, known }) => {
      for (const alinea of alineas) {
        for (const [, key] of alinea.matchAll(/\{\{(.+?)\}\}/g)) expect(known).toContain(key);
        expect(alinea).not.toMatch(/overgelegd|middels|indien|conform|vóór \{\{|\}\} \{\{|\d \{\{|\}\} \d/);
        for (const sentence of alinea.split(/[.?!:] |\n/))
          expect(sentence.split(' ').length, sentence).toBeLessThanOrEqual(32);
      }
    },
  );

  it('are of the templates and versions in domain.md 6, and of those that the control API takes', () => {
    const rows = readFileSync('docs/domain.md', 'utf8').matchAll(/^\| `([\w-]+)` \| (\d+) \| (?:toewijzen|none)/gm);
    const told = [...rows].map(([, id, version]) => [id, Number(version)]);
    expect(told).toEqual([...SJABLONEN.values()].map(({ templateId, versie }) => [templateId, versie]));
    expect(LetterState.shape.templateId.unwrap().options).toEqual([...SJABLONEN.keys()]);
  });

  it.each(['herregistratie-besluit', 'registratie-besluit'])(
    'of the template %s have a passage for each outcome, with its legal ground',
    (id) => {
      const besluiten = PASSAGES.filter(({ templateId, besluit }) => templateId === id && besluit !== null);
      expect(new Set(besluiten.map(({ besluit }) => besluit?.uitkomst))).toEqual(
        new Set(['goedgekeurd', 'afgewezen', 'buiten-behandeling']),
      );
      for (const { alineas, sectie } of besluiten) {
        expect(sectie).toBe('besluit');
        expect(alineas.join(' ')).toMatch(/op grond van .*(Wet BIG|Awb)/);
      }
    },
  );

  it('of the template aanvulling-gevraagd contain no decision and no paragraph on objection (bezwaar)', () => {
    const { secties = [] } = SJABLONEN.get('aanvulling-gevraagd') ?? {};
    expect(secties.map(({ sleutel }) => sleutel).join()).toBe('briefhoofd,aanhef,bewijsstukken,termijn,afsluiting');
    expect(PASSAGES.filter((one) => one.templateId === 'aanvulling-gevraagd' && one.besluit !== null)).toEqual([]);
    expect(JSON.stringify(secties)).not.toContain('bezwaar');
  });
});
