import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createLetterClient, type LetterClient, placeholderOf, sectionTextOf } from '../support/letter.ts';
import { createValidator } from '../support/openapi.ts';
import { pointersOf, startService, use, useService } from '../support/service.ts';
import { startUpstreamProxies, type UpstreamProxy } from '../support/upstreams/proxies.ts';
import { sendJson } from '../support/upstreams/scripted-server.ts';

const sources = await use(startUpstreamProxies());
const { register, brp } = sources;
const service = await useService(sources.env);
afterEach(() => {
  for (const source of [register, brp]) Object.assign(source, { intercept: null, changeBody: null });
});

const approved = async (): Promise<LetterClient> => {
  const letter = createLetterClient(service);
  await letter.bringTo('approved');
  return letter;
};
const tagOf = async (letter: LetterClient): Promise<string> => (await letter.brief()).status.tag;
const dispatched = (from: number) =>
  register.received
    .slice(from)
    .filter(({ url }) => url === '/brieven/verzendingen')
    .map(({ headers, body }) => ({ key: String(headers['idempotency-key']), body: JSON.parse(body) }));
const textOf = (inhoud: { secties: { alineas: { delen: { tekst: string }[] }[] }[] }): string =>
  inhoud.secties
    .flatMap(({ alineas }) => alineas.map(({ delen }) => delen.map(({ tekst }) => tekst).join('')))
    .join('\n');

type Hand = NonNullable<UpstreamProxy['intercept']>;
const answering =
  (status: number): Hand =>
  (_, response) => {
    sendJson(response, {}, status);
    return true;
  };
const closingConnection: Hand = (_, response) => {
  response.destroy();
  return true;
};
/** Returns an `intercept` of a proxy that handles only requests to one path. */
const onlyAt =
  (path: string, hand: Hand): Hand =>
  (request, r) =>
    request.url.startsWith(path) && hand(request, r);
const SENDING = '/brieven/verzendingen';

describe('the letter that POST /brief/send dispatches to the register', () => {
  it('has all placeholders filled in and unmasked, an idempotency key and the channel berichtenbox', async () => {
    const letter = await approved();
    const from = register.received.length;
    await letter.post('bas', 'send');
    const [sent, ...more] = dispatched(from);
    expect(more).toEqual([]);
    expect(sent?.key).toMatch(/^brief-[\w-]{36}-\d+$/);
    expect(sent?.body).toMatchObject({ referentie: 'HER-2026-000118', kanaal: 'berichtenbox' });
    const contract = readFileSync(new URL('../../adapters/register/openapi.yaml', import.meta.url), 'utf8');
    expect(createValidator(parse(contract))('/components/schemas/Verzending', sent?.body)).toEqual([]);
    const text = textOf(sent?.body.inhoud);
    expect(text).toContain('L. van Dijk\nKleine Houtweg 27 RD\n2012 CB  HAARLEM\nDatum: 1 juni 2026');
    expect(sent?.body.besluit).toEqual({ uitkomst: 'goedgekeurd', reden: null });
    expect(text).toContain('Registratienummer: 90000011130');
    expect(text).toContain('Wij hebben gekeken naar deze periode: 1 juni 2022 tot 1 mei 2026.');
    expect(text).not.toMatch(/\{\{|\*\*|null|undefined/);
    const titles = sent?.body.inhoud.secties.map(({ titel }: { titel: string }) => titel);
    expect(titles).not.toContain('Aanvullende bewijsstukken');
    expect(titles).toHaveLength(7);
  });

  it('has the text of the approval, also when data in the register and the BRP changed after the approval', async () => {
    const letter = await approved();
    const before = (await letter.brief()).sections;
    register.changeBody = (path, body) => {
      if (path === '/registraties/zoek') body[0].registerNummer = '90000099930';
      if (path === '/brieven/opdrachten/zoek') body[0].urenOpgegeven = 1;
      return body;
    };
    expect((await letter.brief()).sections).toEqual(before);
    // Name and address are stored with the letter: of the BRP it needs only whether the address is secret now.
    expect(JSON.parse(brp.received.at(-1)?.body ?? '{}').fields).toEqual(['burgerservicenummer']);
    const from = register.received.length;
    const sent = (await letter.post('bas', 'send')).body.sections;
    // The text of the approval, with the dates that follow from the day of sending.
    for (const [key, text] of Object.entries({ datum_brief: '1 juni 2026', nieuwe_herregistratiedatum: '1 juni 2031' }))
      placeholderOf(before, key).text = text;
    expect(sent).toEqual(before);
    const text = textOf(dispatched(from)[0]?.body.inhoud);
    expect(text).toContain('L. van Dijk\nKleine Houtweg 27 RD');
    expect(text).toContain('90000011130');
    expect(text).toContain('2.412 uur');
  });

  it('is dispatched with one call to the register and without a call to the BRP', async () => {
    const letter = await approved();
    brp.intercept = closingConnection;
    register.intercept = (request, response) => request.url !== SENDING && closingConnection(request, response);
    expect((await letter.post('bas', 'send')).status).toBe(200);
  });

  it('can be read while the BRP fails, or the register has no such case any more, with “(geheim)” for the address, which may be secret now', async () => {
    const letter = await approved();
    const address = async () => {
      const { status, body } = await letter.get('dana');
      return [status, /Kleine Houtweg/.test(JSON.stringify(body)), /\(geheim\)/.test(JSON.stringify(body))];
    };
    expect(await address()).toEqual([200, true, false]);
    brp.intercept = answering(503);
    expect(await address()).toEqual([200, false, true]);
    brp.intercept = null;
    register.changeBody = (path, body) => (path === '/brieven/opdrachten/zoek' ? [] : body);
    expect(await address()).toEqual([200, false, true]);
  });

  it('contains a secret address, which every answer of the service replaces by “(geheim)”', async () => {
    brp.changeBody = (_, body) => {
      body.personen[0].geheimhoudingPersoonsgegevens = true;
      return body;
    };
    const letter = createLetterClient(service);
    const seen = [await letter.get('dana', { 'x-step-up': '1' })];
    await letter.bringTo('approved');
    brp.changeBody = null;
    const from = register.received.length;
    seen.push(await letter.get('anna'), await letter.post('bas', 'send'), await letter.get('bas'));
    for (const { status, body } of seen) {
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toMatch(/Kleine Houtweg|2012/);
      expect(JSON.stringify(body)).toContain('(geheim)');
    }
    expect(textOf(dispatched(from)[0]?.body.inhoud)).toContain('Kleine Houtweg 27 RD\n2012 CB  HAARLEM');
  });

  it('has the channel post and the correspondence address for a person who is not in the BRP', async () => {
    const loginId = 'tomasz-wolski';
    register.changeBody = (path, body) => {
      if (path === '/brieven/opdrachten/zoek') {
        body[0].indiener = { loginId };
        body[0].registratieId = `90000010904.${loginId}`;
        body[0].beroepCode = '04';
        body[0].correspondentieadres = { adresregel: 'Lange Lozanastraat 114', postcodeWoonplaats: '2018 Antwerpen' };
      }
      return body;
    };
    const letter = createLetterClient(service);
    await letter.bringTo('sent');
    const { body } = dispatched(0).at(-1) ?? {};
    expect(body.kanaal).toBe('post');
    expect(textOf(body.inhoud)).toContain('Tomasz Wolski\nLange Lozanastraat 114\n2018 Antwerpen\n');
    expect(textOf(body.inhoud)).toContain('Geachte Tomasz Wolski,');
  });
});

describe('POST /brief/send', () => {
  it.each([
    ['refuses the dispatch with', 422],
    ['reports a conflict with', 409],
    ['finds the dispatch invalid with', 400],
  ])('answers 409 verzending-geweigerd and leaves the letter approved when the register %s %i', async (_, status) => {
    const letter = await approved();
    register.intercept = onlyAt(SENDING, answering(status));
    expect(await letter.post('bas', 'send')).toMatchObject({ status: 409, body: { code: 'verzending-geweigerd' } });
    expect(await tagOf(letter)).toBe('approved');
    register.intercept = null;
    const { briefId } = await letter.brief();
    expect((await letter.post('dana', 'reset')).body.brief.briefId).toBe(briefId);
  });

  const ways: [string, Hand, number][] = [
    ['answers 503', answering(503), 503],
    ['refuses the credential with 401', answering(401), 503],
    ['closes the connection', closingConnection, 504],
    ['has a gateway that does not wait for it (408)', answering(408), 504],
    ['answers 202 without the expected members', answering(202), 502],
    [
      'stores the letter and closes the connection without an answer',
      async (request, response) => {
        await register.forward(request);
        return closingConnection(request, response);
      },
      504,
    ],
    [
      'stores the letter and closes the connection during its answer',
      async (request, response) => {
        await register.forward(request);
        response.writeHead(202, { 'content-type': 'application/json', 'content-length': 100 }).write('{');
        setTimeout(() => response.destroy(), 20);
        return true;
      },
      504,
    ],
  ];
  it.each(ways)(
    'leaves the letter approved when the register %s, and repeats the same dispatch with the same key at the next attempt',
    async (_, way, status) => {
      const letter = await approved();
      const from = register.received.length;
      register.intercept = onlyAt(SENDING, way);
      const failed = await letter.post('bas', 'send');
      expect(failed).toMatchObject({ status, body: { bron: 'register' } });
      expect(JSON.stringify(failed.body)).not.toMatch(/Lotte|127\.0\.0\.1/);
      expect(await tagOf(letter)).toBe('approved');
      register.intercept = null;
      expect((await letter.post('anna', 'send')).status).toBe(200);
      expect(await tagOf(letter)).toBe('sent');
      const tries = dispatched(from);
      expect(tries).toHaveLength(2);
      expect(new Set(tries.map(({ key, body }) => `${key} ${JSON.stringify(body)}`)).size).toBe(1);
    },
  );

  it.each([
    ['from the register keeps the letter, so that a reset creates a new one', [closingConnection]],
    ['keeps the letter at a reset, also after one that was refused with 401', [closingConnection, answering(401)]],
    ['keeps the letter at a reset, also after one that was refused with 422', [closingConnection, answering(422)]],
  ])('without an answer %s', async (_, attempts) => {
    const letter = await approved();
    const { briefId } = await letter.brief();
    for (const way of attempts) {
      register.intercept = onlyAt(SENDING, way);
      await letter.post('bas', 'send');
    }
    register.intercept = null;
    expect((await letter.post('dana', 'reset')).body.brief.briefId).not.toBe(briefId);
  });

  it('uses another idempotency key for each sent letter', async () => {
    const letter = createLetterClient(service);
    const from = register.received.length;
    await letter.bringTo('sent');
    await letter.post('dana', 'reset');
    await letter.bringTo('sent');
    expect(new Set(dispatched(from).map(({ key }) => key)).size).toBe(2);
  });
});

describe('an upstream that answers 5xx', () => {
  it('makes reading and approving a letter fail with 503 bron-niet-beschikbaar, and leaves the letter submitted', async () => {
    const letter = createLetterClient(service);
    await letter.bringTo('submitted');
    for (const source of [register, brp]) {
      source.intercept = answering(503);
      for (const reply of [await letter.get('dana'), await letter.post('anna', 'approve')]) {
        expect(reply).toMatchObject({ status: 503, body: { code: 'bron-niet-beschikbaar' } });
      }
      source.intercept = null;
    }
    expect(await tagOf(letter)).toBe('submitted');
    expect((await letter.post('anna', 'approve')).status).toBe(200);
  });

  it.each(['register', 'brp'] as const)(
    'makes a reset fail with 503 when it is the %s, and leaves the letter approved with its text',
    async (name) => {
      const letter = await approved();
      const before = (await letter.get('dana')).body;
      sources[name].intercept = answering(503);
      expect((await letter.post('dana', 'reset')).status).toBe(503);
      sources[name].intercept = null;
      expect((await letter.get('dana')).body).toEqual(before);
    },
  );

  it('makes the first read of a letter fail with 503, and the next read creates the letter', async () => {
    const letter = createLetterClient(service);
    register.intercept = onlyAt('/brieven/sjablonen', answering(500));
    expect((await letter.get('dana')).status).toBe(503);
    register.intercept = null;
    expect((await letter.get('anna')).body.brief.drafterId).toBe(`drafter-dana@${letter.world}`);
  });
});

describe('a letter for a person', () => {
  it('whom the BRP does not know is refused on submit and on approval with 409 plaatshouder-open', async () => {
    const letter = createLetterClient(service);
    await letter.bringTo('submitted');
    brp.changeBody = (_, body) => {
      body.personen = [];
      return body;
    };
    const refused = await letter.post('anna', 'approve');
    expect([refused.status, refused.body.code]).toEqual([409, 'plaatshouder-open']);
    expect(pointersOf(refused.body)).toEqual([
      '/sections/0/blocks/0/content/paragraphs/1/nodes/4',
      '/sections/0/blocks/0/content/paragraphs/1/nodes/6',
    ]);
    await letter.post('anna', 'reject', { comments: 'Geen adres.' });
    expect((await letter.post('dana', 'submit')).body.code).toBe('plaatshouder-open');
    const { sections } = await letter.brief();
    expect(['naam', 'adresregel'].map((key) => placeholderOf(sections, key).text)).toEqual(['Lotte van Dijk', null]);
    expect(sectionTextOf(sections, 'aanhef')).toMatch(/^Geachte Lotte van Dijk,/);
  });

  it.each<[string, object, string]>([
    [
      'with a title, who lives abroad, has that title above the name, and the country as the last line,',
      {
        aanhef: 'Hoogwelgeboren vrouwe',
        aanschrijfwijze: { naam: 'L. barones van Dijk', aanspreekvorm: 'De hoogwelgeboren vrouwe' },
        ...{ adresregel1: 'Rue du pomme 26 ', adresregel2: 'Bruxelles', adresregel3: 'postcode 1000' },
        land: { code: '5010', omschrijving: 'België' },
      },
      'De hoogwelgeboren vrouwe\nL. barones van Dijk\nRue du pomme 26\nBruxelles\npostcode 1000\nBelgië\nDatum',
    ],
    [
      'without any address has a name only, for the Berichtenbox,',
      { aanhef: 'Geachte mevrouw Van Dijk', aanschrijfwijze: { naam: 'L. van Dijk' } },
      'www.zorgregister.example\nL. van Dijk\nDatum',
    ],
    [
      'without salutation is greeted by the full name,',
      { adresregel1: 'Dam 1', adresregel2: '1012 JS  AMSTERDAM' },
      'www.zorgregister.example\nLotte van Dijk\nDam 1\n1012 JS  AMSTERDAM\nDatum',
    ],
  ])('%s and is sent', async (_, adressering, head) => {
    brp.changeBody = (__, body) => {
      body.personen[0].verblijfplaats = { type: 'Briefadres' };
      body.personen[0].adressering = adressering;
      return body;
    };
    const letter = createLetterClient(service);
    const from = register.received.length;
    await letter.bringTo('sent');
    const text = textOf(dispatched(from)[0]?.body.inhoud);
    expect(text).toContain(head);
    const { aanhef = 'Geachte Lotte van Dijk' } = adressering as { aanhef?: string };
    expect(text).toContain(`\n${aanhef},\n`);
  });

  it('with only a country in the BRP has no address', async () => {
    brp.changeBody = (_, body) => {
      body.personen[0].verblijfplaats = { type: 'VerblijfplaatsBuitenland', verblijfadres: {} };
      body.personen[0].adressering = { land: { code: '5010', omschrijving: 'België' } };
      return body;
    };
    const { sections } = (await createLetterClient(service).get('dana')).body.brief;
    for (const key of ['adresregel', 'postcode_woonplaats']) expect(placeholderOf(sections, key).text).toBe('');
  });

  it.each<[string, string, string, readonly [string, string]]>([
    ['abroad has no address lines when the BRP refuses the country', 'VerblijfplaatsBuitenland', 'land', ['', '']],
    ['in the Netherlands is used if the BRP refuses a line', 'Adres', 'adresregel2', ['Dam 1', '1012 JS Amsterdam']],
    ['in the Netherlands has its lines if the BRP refuses the country', 'Adres', 'land', ['Dam 1 (lijn)', 'A (lijn)']],
  ])('%s', async (_, type, refused, expected) => {
    const own = await startService(sources.env);
    brp.intercept = ({ body }, response) => {
      const { fields } = JSON.parse(body);
      const field = `adressering.${refused}`;
      const isRefused = fields.includes(field);
      if (isRefused) sendJson(response, { status: 403, code: 'unauthorizedField', detail: field }, 403);
      return isRefused;
    };
    brp.changeBody = (__, body) => {
      const { personen } = body;
      for (const persoon of personen) {
        const verblijfadres = { korteStraatnaam: 'Dam', huisnummer: 1, postcode: '1012JS', woonplaats: 'Amsterdam' };
        persoon.verblijfplaats = { type, verblijfadres: type === 'Adres' ? verblijfadres : {} };
        persoon.adressering = { adresregel1: 'Dam 1 (lijn)', adresregel2: 'A (lijn)' };
        delete persoon.adressering[refused];
      }
      return body;
    };
    const { sections } = (await createLetterClient(own).get('dana')).body.brief;
    await own.close();
    expect(['adresregel', 'postcode_woonplaats'].map((key) => placeholderOf(sections, key).text)).toEqual(expected);
  });

  it('has the usual words after "Geachte" in a template without the placeholder aanhef', async () => {
    register.changeBody = (path, body) => {
      if (!path.startsWith('/brieven/sjablonen')) return body;
      body.velden = body.velden.filter(({ sleutel }: { sleutel: string }) => sleutel !== 'aanhef');
      body.secties[1].alineas[0].tekst = 'Geachte {{aanspreekvorm}},';
      return body;
    };
    const { sections } = (await createLetterClient(service).get('dana')).body.brief;
    expect(sectionTextOf(sections, 'aanhef')).toMatch(/^Geachte mevrouw Van Dijk,/);
  });
});

describe('a workspace', () => {
  it('without a letter in the register is answered with brief: null, and every change with brief-status', async () => {
    register.changeBody = (path, body) => (path === '/brieven/opdrachten/zoek' ? [] : body);
    const letter = createLetterClient(service);
    expect((await letter.get('dana')).body).toEqual({ brief: null, availablePassages: [] });
    expect((await letter.post('dana', 'reset')).body).toEqual({ brief: null, availablePassages: [] });
    for (const action of ['submit', 'send']) expect((await letter.post('dana', action)).body.code).toBe('brief-status');
    expect((await letter.put('dana', [])).body.code).toBe('brief-status');
  });

  it('without a drafter in the register gets the first caller who saves as drafter', async () => {
    register.changeBody = (path, body) => {
      if (path === '/brieven/opdrachten/zoek') body[0].opsteller = null;
      return body;
    };
    const letter = createLetterClient(service);
    expect((await letter.get('anna')).body.brief.drafterId).toBeNull();
    expect((await letter.put('bas', await letter.filledSections())).body.drafterId).toBe(
      `behandelaar-bas@${letter.world}`,
    );
  });
});

describe('a passage with a new version in the library', () => {
  it('is offered in its newest version, and is still accepted in its older version in a letter that contains it', async () => {
    const letter = createLetterClient(service);
    await letter.get('dana');
    register.changeBody = (path, body) => {
      if (!path.startsWith('/brieven/passages')) return body;
      const newer = { ...body[0], versie: 3, alineas: [{ lijst: 'nummering', tekst: 'Nieuw: {{naam}}' }] };
      return [...body, newer];
    };
    const { brief, availablePassages } = (await letter.get('dana')).body;
    expect(
      availablePassages.filter(({ passageId }: { passageId: string }) => passageId === 'p-besluit-toewijzing'),
    ).toEqual([
      expect.objectContaining({ version: 3, content: { paragraphs: [expect.objectContaining({ list: 'number' })] } }),
    ]);
    const { sections } = (await letter.put('dana', brief.sections)).body;
    expect(sections[2].blocks[0]).toMatchObject({ sourceVersion: 2, edited: false });
    brief.sections[2].blocks[0].sourceVersion = 3;
    expect((await letter.put('dana', brief.sections)).body.sections[2].blocks[0]).toMatchObject({
      sourceVersion: 3,
      edited: true,
    });
  });

  it('is offered no more when its newest version is of another template', async () => {
    const letter = createLetterClient(service);
    const { brief } = (await letter.get('dana')).body;
    register.changeBody = (path, body) =>
      path.startsWith('/brieven/passages') ? [...body, { ...body[0], versie: 3, templateId: 'registratie' }] : body;
    const { availablePassages } = (await letter.get('dana')).body;
    const ids = availablePassages.map(({ passageId }: { passageId: string }) => passageId);
    expect(ids).not.toContain('p-besluit-toewijzing');
    // The letter that contains the version before it can still be saved.
    expect((await letter.put('dana', brief.sections)).status).toBe(200);
  });
});

it('a passage that was removed from the library is accepted in the block that contains it, and is refused with 400 in a new block', async () => {
  const letter = createLetterClient(service);
  const sections = await letter.filledSections();
  register.changeBody = (path, body) =>
    path.startsWith('/brieven/passages')
      ? body.filter(({ passageId }: { passageId: string }) => passageId !== 'p-motivering-werkervaring')
      : body;
  const saved = await letter.put('dana', sections);
  expect(saved.status).toBe(200);
  const passageOf = (all: typeof sections) => all[3].blocks[0];
  expect(passageOf(saved.body.sections)).toMatchObject({ sourcePassageId: 'p-motivering-werkervaring', edited: false });
  passageOf(sections).content.paragraphs[0].nodes.unshift({ type: 'text', text: 'Ook: ' });
  expect(passageOf((await letter.put('dana', sections)).body.sections).edited).toBe(true);
  sections[4].blocks.push({ ...passageOf(sections), blockId: 'elsewhere' });
  expect((await letter.put('dana', sections)).status).toBe(400);
});
