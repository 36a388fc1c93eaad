import { describe, expect, it } from 'vitest';
import { pdf } from '../support/files.ts';
import { upload } from '../support/multipart.ts';
import { newWorld, pointersOf, refusalOf, useService } from '../support/service.ts';

const service = await useService();

const post = (path: string, as: string, json: unknown, headers?: Record<string, string>) =>
  service.post(`/api/v1${path}`, as, json, headers);
const codes = (body: { errors?: { code: string }[] }): string[] => (body.errors ?? []).map(({ code }) => code);

/** The documents that a registration with a diploma on paper needs. */
const REQUIRED = ['diploma-gewaarmerkt', 'identiteitsbewijs'];
const byPost = (...categories: string[]) =>
  categories.map((categoryId) => ({ categoryId, channel: 'post', documentId: null }));

describe('POST /registrations', () => {
  it('with a recent DUO diploma and no documents creates an application with manual: false', async () => {
    const as = `noor-bakker@${newWorld()}`;
    const { status, body } = await post('/registrations', as, { diplomaHerkomst: 'duo' });
    expect(status).toBe(200);
    expect(body.referentie).toMatch(/^REG-2026-\d{6}$/);
    const [application] = (await service.get('/api/v1/applications', { as })).body;
    expect(application).toMatchObject({
      type: 'registratie',
      status: { tag: 'InBehandeling', referentie: body.referentie, manual: false, stepIndex: null },
      submittedAt: '2026-06-01T12:00:00Z',
    });
  });

  it('by a struck-off professional creates an application with manual: true', async () => {
    const as = `wilma-dekker@${newWorld()}`;
    const documents = byPost(...REQUIRED, 'werkervaring', 'werkervaring');
    expect((await post('/registrations', as, { diplomaHerkomst: 'handmatig', documents })).status).toBe(200);
    const [application] = (await service.get('/api/v1/applications', { as })).body;
    expect(application.status.manual).toBe(true);
  });

  it.each([
    ['diplomaHerkomst is absent', 'gerda-postma', {}, ['diplomaherkomst-ongeldig']],
    ['DUO has no diploma of the caller', 'gerda-postma', { diplomaHerkomst: 'duo' }, ['geen-duo-diploma']],
    [
      'both required documents are missing',
      'gerda-postma',
      { diplomaHerkomst: 'handmatig' },
      ['documenten-ongeldig', 'documenten-ongeldig'],
    ],
  ])('is refused with 422 when %s', async (_, who, json, expected) => {
    const { status, body } = await post('/registrations', `${who}@${newWorld()}`, json);
    expect(status).toBe(422);
    expect(codes(body)).toEqual(expected);
    expect(body.code).toBe(expected[0]);
  });

  it('is refused with 422 documenten-ongeldig for a document by post with a documentId, and accepted when it is digital', async () => {
    const as = `gerda-postma@${newWorld()}`;
    const { documentId } = (await upload(service, as, { wizardId: 'registratie', file: pdf() })).body;
    const register = (channel: string) =>
      post('/registrations', as, {
        diplomaHerkomst: 'handmatig',
        documents: [...byPost(...REQUIRED), { categoryId: 'werkervaring', channel, documentId }],
      });
    const { status, body } = await register('post');
    expect(status).toBe(422);
    expect(body.errors).toMatchObject([{ code: 'documenten-ongeldig', pointer: '/documents/2/documentId' }]);
    expect((await register('digital')).status).toBe(200);
  });

  it.each(['taalcertificaat', 'schooldiplomas'])(
    'with the proof of language %s is accepted with 200, because the body cannot say how the applicant learned Dutch',
    async (proof) => {
      const json = { diplomaHerkomst: 'handmatig', documents: byPost(...REQUIRED, proof) };
      expect((await post('/registrations', `gerda-postma@${newWorld()}`, json)).status).toBe(200);
    },
  );

  it('with a DUO diploma is refused with 422 for a proof of language', async () => {
    const json = { diplomaHerkomst: 'duo', documents: byPost('taalcertificaat', 'schooldiplomas') };
    const { status, body } = await post('/registrations', `noor-bakker@${newWorld()}`, json);
    expect([status, pointersOf(body)]).toEqual([422, ['/documents/0/categoryId', '/documents/1/categoryId']]);
  });

  it('is refused with 422 lopende-aanvraag while an earlier application is in progress', async () => {
    const as = `noor-bakker@${newWorld()}`;
    const { referentie } = (await post('/registrations', as, { diplomaHerkomst: 'duo' })).body;
    const { status, body } = await post('/registrations', as, { diplomaHerkomst: 'duo' });
    expect([status, body.code]).toEqual([422, 'lopende-aanvraag']);
    expect(body.detail).toContain(referentie);
  });
});

describe('POST /herregistraties', () => {
  it.each([
    [-1, 422, ['uren-ongeldig']],
    [2_079, 422, ['urennorm-niet-gehaald']],
    [2_080, 200, []],
  ])('by a nurse with %i hours is answered with %i', async (uren, status, expected) => {
    const reply = await post('/herregistraties', `sanne-de-wit@${newWorld()}`, { uren });
    expect(reply.status).toBe(status);
    expect(codes(reply.body)).toEqual(expected);
  });

  it.each([
    ['without hours', {}, 422],
    ['with hours: null', { uren: null }, 400],
    ['with a fraction of an hour', { uren: 2_080.5 }, 400],
    ['with hours as text', { uren: 'veel' }, 400],
    ['with more hours than a 32-bit number', { uren: 3_000_000_000 }, 400],
  ])('%s is answered with %i', async (_, json, status) => {
    expect((await post('/herregistraties', `sanne-de-wit@${newWorld()}`, json)).status).toBe(status);
  });

  it('with too few hours is refused, and with a proof of training is accepted with manual: true', async () => {
    const as = `joost-van-buren@${newWorld()}`;
    expect((await post('/herregistraties', as, { uren: 1_400 })).body.code).toBe('urennorm-niet-gehaald');
    expect((await post('/herregistraties', as, { uren: 1_400, documents: byPost('scholingsbewijs') })).status).toBe(
      200,
    );
    expect((await service.get('/api/v1/applications', { as })).body[0].status.manual).toBe(true);
  });

  it('by a specialist is refused with 422 niet-herregistreerbaar and the herregistratieReason of the dashboard', async () => {
    const as = `amira-el-idrissi@${newWorld()}`;
    const { status, body } = await post('/herregistraties', as, { uren: 4_000 });
    expect(status).toBe(422);
    expect(codes(body)).toContain('niet-herregistreerbaar');
    const { decisions } = (await service.get('/api/v1/dashboard-view', { as })).body;
    expect(body.detail).toContain(decisions.herregistratieReason);
    expect(body.detail).toContain('specialist');
  });

  it('is refused with 422 lopende-aanvraag, which names the application in progress', async () => {
    const { status, body } = await post('/herregistraties', `lotte-van-dijk@${newWorld()}`, { uren: 4_000 });
    expect([status, codes(body)]).toEqual([422, ['lopende-aanvraag']]);
    expect(body.detail).toContain('HER-2026-000118');
  });

  it('by a suspended professional is accepted with manual: true', async () => {
    const as = `pieter-hoekstra@${newWorld()}`;
    expect((await service.get('/api/v1/dashboard-view', { as })).body).toMatchObject({
      registration: { status: { tag: 'Geschorst' } },
      decisions: { eligibleForHerregistratie: true, herregistratieReason: null },
    });
    expect((await post('/herregistraties', as, { uren: 2_600 })).status).toBe(200);
    expect((await service.get('/api/v1/applications', { as })).body[0].status.manual).toBe(true);
  });

  it('is refused with all faults in one answer', async () => {
    const { body } = await post('/herregistraties', `wilma-dekker@${newWorld()}`, {
      uren: -5,
      documents: byPost('diploma', 'scholingsbewijs', 'scholingsbewijs'),
    });
    expect(body.errors.map(({ code, pointer }: { code: string; pointer: string }) => `${code} ${pointer}`)).toEqual([
      'uren-ongeldig /uren',
      'niet-herregistreerbaar ',
      'documenten-ongeldig /documents/0/categoryId',
      'documenten-ongeldig /documents/2',
    ]);
  });

  it('makes the dashboard show that the application is in progress', async () => {
    const as = `sanne-de-wit@${newWorld()}`;
    const { referentie } = (await post('/herregistraties', as, { uren: 2_600 })).body;
    expect((await service.get('/api/v1/dashboard-view', { as })).body.decisions).toEqual({
      eligibleForHerregistratie: false,
      herregistratieReason: `Uw aanvraag ${referentie} loopt.`,
    });
  });
});

describe('POST /intakes', () => {
  it.each([
    [2_079, {}, 'antwoord-vereist'],
    [3_000, { scholing: 7 }, 'antwoord-ongeldig'],
    [3_000, { punten: 5 }, 'punten-zonder-scholing'],
    [2_079, { scholing: 'ja', punten: '5' }, 'punten-ongeldig'],
  ])('with %i hours and %j is refused with 400 scholing-regel, regel: %s', async (uren, answer, regel) => {
    const { status, body } = await post('/intakes', `sanne-de-wit@${newWorld()}`, { uren, ...answer });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'scholing-regel', regel });
  });

  it.each([
    [2_079, { scholing: 'ja', punten: 1 }],
    [2_080, {}],
  ])('with %i hours and %j is accepted with 200', async (uren, answer) => {
    const { status, body } = await post('/intakes', `sanne-de-wit@${newWorld()}`, { uren, ...answer });
    expect(status).toBe(200);
    expect(body.referentie).toMatch(/^INT-/);
  });

  it('by a gezondheidszorgpsycholoog requires 3,120 hours without scholing', async () => {
    const asked = async (uren: number) => (await post('/intakes', `fatima-yilmaz@${newWorld()}`, { uren })).body.regel;
    expect([await asked(3_119), await asked(3_120)]).toEqual(['antwoord-vereist', undefined]);
  });

  it('with 43,801 hours and an answer about training that is not possible is refused with 422 uren-ongeldig', async () => {
    const json = { uren: 43_801, scholing: 'misschien' };
    expect(await refusalOf(post('/intakes', `sanne-de-wit@${newWorld()}`, json))).toEqual([422, 'uren-ongeldig']);
  });
});

describe('POST /change-requests', () => {
  const there = { straat: 'Kerkstraat 1 A', postcode: '1012gg', woonplaats: 'Amsterdam' };

  it('with a street, a postcode without a space and a town is accepted with 200, and is in the draft of the application', async () => {
    const as = `sanne-de-wit@${newWorld()}`;
    const { status, body } = await post('/change-requests', as, there);
    expect(status).toBe(200);
    expect(body.referentie).toMatch(/^ADR-/);
    const [{ id }] = (await service.get('/api/v1/applications', { as })).body;
    const { draft } = (await service.get(`/api/v1/applications/${id}`, { as })).body;
    expect(draft).toEqual({ ...there, postcode: '1012 GG' });
  });

  it.each([
    ['no members', {}, ['/straat', '/postcode', '/woonplaats']],
    ['a street without a number', { ...there, straat: 'Kerkstraat' }, ['/straat']],
    ['a street that begins with a number and has no other', { ...there, straat: '1e Oosterparkstraat' }, ['/straat']],
    ['a house number before the street', { ...there, straat: '12 Kerkstraat' }, ['/straat']],
    ['a street of 81 characters', { ...there, straat: `${'a'.repeat(79)} 1` }, ['/straat']],
    ['a postcode that is not given out', { ...there, postcode: '1234 SS' }, ['/postcode']],
    ['a town with digits', { ...there, woonplaats: 'Utrecht2' }, ['/woonplaats']],
    ['a town of spaces', { ...there, woonplaats: '   ' }, ['/woonplaats']],
  ])('with %s is refused with 422 adres-ongeldig and a pointer to each wrong member', async (_, json, pointers) => {
    const { status, body } = await post('/change-requests', `sanne-de-wit@${newWorld()}`, json);
    expect([status, body.code]).toEqual([422, 'adres-ongeldig']);
    expect(pointersOf(body)).toEqual(pointers);
  });

  it.each([
    ['straat', '', 'Vul uw straat en huisnummer in.'],
    ['straat', '12', 'De naam van de straat ontbreekt.'],
    ['straat', 'Spui 7\u202e', 'Er staat een teken in dat wij niet kunnen lezen. Typ het opnieuw.'],
    ['woonplaats', 'Den\u202e Haag', 'Er staat een teken in dat wij niet kunnen lezen. Typ het opnieuw.'],
    ['straat', '12 Kerkstraat', 'Er ontbreekt een huisnummer achter de straat.'],
    ['postcode', ' ', 'Vul uw postcode in.'],
    ['woonplaats', '', 'Vul uw woonplaats in.'],
    ['woonplaats', 'a'.repeat(81), 'Een woonplaats is ten hoogste 80 tekens.'],
  ])('with %s "%s" is refused with the text: %s', async (part, value, detail) => {
    const json = { ...there, [part]: value };
    expect((await post('/change-requests', `sanne-de-wit@${newWorld()}`, json)).body.detail).toBe(detail);
  });

  it.each([
    ['sanne-de-wit', { straat: ' merelstraat  18 ', postcode: '3514cn', woonplaats: 'UTRECHT' }],
    ['tomasz-wolski', { straat: 'Lange lozanastraat 114', postcode: '2018', woonplaats: 'ANTWERPEN' }],
  ])('with the current address of %s in another spelling is refused with adres-ongewijzigd', async (slug, adres) => {
    const { body } = await post('/change-requests', `${slug}@${newWorld()}`, adres);
    expect(body.code).toBe('adres-ongewijzigd');
  });

  it.each(['1e Oosterparkstraat 12', 'Lindelaan t/o 3', "'t Hoekje 7-2", 'Spui\t7'])(
    'with the street %s is accepted with 200',
    async (straat) => {
      expect((await post('/change-requests', `sanne-de-wit@${newWorld()}`, { ...there, straat })).status).toBe(200);
    },
  );
});

describe('POST /change-requests by a person who lives abroad', () => {
  const there = { straat: 'Lange Lozanastraat 120', postcode: '2018', woonplaats: 'Antwerpen' };
  const change = (over: object) => post('/change-requests', `tomasz-wolski@${newWorld()}`, { ...there, ...over });

  it.each(['2018', 'B-2018', 'SW1A 1AA', '12', '1234567890'])('with the postcode %s is accepted', async (postcode) => {
    expect((await change({ postcode })).status).toBe(200);
  });

  it.each(['', '1', '12345678901', '20_18', '- -', '2018!'])('with postcode %j is refused (422)', async (postcode) => {
    const { status, body } = await change({ postcode });
    expect([status, pointersOf(body)]).toEqual([422, ['/postcode']]);
  });

  it.each([
    ['12 Rue de Rivoli', 200],
    ['Rue de Rivoli', 422],
    ['12', 422],
  ])('with the street %s is answered with %i', async (straat, status) => {
    expect((await change({ straat })).status).toBe(status);
  });

  it('accepts a postcode that is refused with adres-ongeldig for a person who lives in the Netherlands', async () => {
    expect((await post('/change-requests', `sanne-de-wit@${newWorld()}`, there)).body.code).toBe('adres-ongeldig');
  });
});

describe('POST /change-requests by a person for whom the BRP has no address', () => {
  it.each([
    ['who lives in a caravan in the Netherlands', 'burger-394', 422],
    ['who left without a new address', 'burger-133', 200],
  ])('%s (%s), with a foreign postcode, is answered with %s', async (_, slug, status) => {
    const there = { straat: 'Lange Lozanastraat 120', postcode: '2018', woonplaats: 'Antwerpen' };
    expect((await post('/change-requests', `${slug}@${newWorld()}`, there)).status).toBe(status);
  });

  it('who lives in a caravan in the Netherlands, with a Dutch address, is answered with 200', async () => {
    const there = { straat: 'Dam 1', postcode: '1012 JS', woonplaats: 'Amsterdam' };
    expect((await post('/change-requests', `burger-394@${newWorld()}`, there)).status).toBe(200);
  });
});

describe('a JSON body', () => {
  const as = 'sanne-de-wit@bodies';
  const raw = (body: string | Buffer, headers: Record<string, string> = {}) =>
    service.call('POST', '/api/v1/herregistraties', {
      as,
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });

  it('with unknown members is refused with 400 and a pointer to each', async () => {
    const { status, body } = await raw(
      '{"uren":2600,"urenn":1,"documents":[{"categoryId":"x","a/b":1}],"__proto__":{},"constructor":1}',
    );
    expect(status).toBe(400);
    expect(
      body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${code} ${pointer}`).sort(),
    ).toEqual([
      'onbekend-veld /__proto__',
      'onbekend-veld /constructor',
      'onbekend-veld /documents/0/a~1b',
      'onbekend-veld /urenn',
    ]);
  });

  it.each([
    ['{"Uren":2600}', '/Uren', 'Dit veld bestaat niet. Bedoelde u uren? Hier kan: uren, documents.'],
    ['{"hours":2600}', '/hours', 'Dit veld bestaat niet. Hier kan: uren, documents.'],
    [
      '{"documents":[{"category":"diploma"}]}',
      '/documents/0/category',
      'Dit veld bestaat niet. Bedoelde u categoryId? Hier kan: categoryId, channel, documentId.',
    ],
    ['{"documents":[1]}', '/documents/0', 'Dit moet een object zijn.'],
  ])('with a wrong member says what can be there: %s', async (text, pointer, detail) => {
    expect((await raw(text)).body.errors).toContainEqual(expect.objectContaining({ pointer, detail }));
  });

  it.each([
    ['a slash', '/', '~1'],
    ['a tilde', '~', '~0'],
    ['an emoji', '👍', '\ufffd'],
  ])(
    'with a name of more than 100 characters, the hundredth %s, is refused with 400 and a valid JSON Pointer',
    async (_, last, shown) => {
      const name = 'n'.repeat(99);
      const { body } = await raw(JSON.stringify({ [`${name}${last}more`]: 1 }));
      expect(body.errors).toMatchObject([{ pointer: `/${name}${shown}` }]);
    },
  );

  const wrongType = { errors: [{ pointer: '', code: 'verkeerd-type' }] };
  it.each<[string, string, object]>([
    ['no bytes', '', { detail: 'De inhoud is leeg; stuur JSON.' }],
    ['an object as a text', '[object Object]', { detail: expect.stringContaining('JSON.stringify') }],
    ['incomplete JSON', '{"uren":', { detail: expect.stringMatching(/^De inhoud is geen geldige JSON/) }],
    ['a list', '[]', wrongType],
    ['a JSON string', '"uren"', wrongType],
    ['null', 'null', wrongType],
  ])('of %s is refused with 400', async (_, body, problem) => {
    expect(await raw(body)).toMatchObject({ status: 400, body: { code: 'ongeldig-verzoek', ...problem } });
  });

  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  const list = (items: number, item = '1') => `[${Array(items).fill(item).join(',')}]`;
  // One member, a list of 20 lists, and their items: 20,001 values when the last list has 980.
  const values = (last: number) => `[${[...Array(19).fill(list(1_000)), list(last)].join(',')}]`;
  it.each([
    ['nesting of 33 levels', nested(32), nested(31), 400],
    ['a list of 1,001 items', list(1_001), list(1_000), 400],
    ['a text of 10,001 characters', `"${'é'.repeat(10_001)}"`, `"${'é'.repeat(10_000)}"`, 400],
    ['20,001 values', values(980), values(979), 400],
    ['bytes that are not UTF-8', '"\xff"', '"\xc3\xa9"', 400],
    ['more than 256 KiB', list(27, `"${'a'.repeat(9_990)}"`), list(26, `"${'a'.repeat(9_990)}"`), 413],
  ])('of a draft with %s is refused, and accepted with one less', async (name, wrong, right, status) => {
    const { id } = (await service.post('/api/v1/applications', as, { type: 'intake' })).body;
    const save = (draft: string) =>
      service.call('PUT', `/api/v1/applications/${id}`, {
        as,
        body: Buffer.from(`{"draft":${draft}}`, name.includes('UTF-8') ? 'latin1' : 'utf8'),
        headers: { 'content-type': 'application/json' },
      });
    expect([(await save(wrong)).status, (await save(right)).status]).toEqual([status, 204]);
  });

  it.each([
    [10_000, 'Er is één fout in de inhoud.'],
    [10_001, 'Een tekst in de inhoud heeft meer dan 10.000 tekens.'],
  ])('with a text of %i characters is refused with 400 "%s"', async (length, detail) => {
    for (const text of ['a'.repeat(length), '👍'.repeat(length), '"'.repeat(length)])
      expect((await raw(JSON.stringify({ x: [text] }))).body).toMatchObject({ code: 'ongeldig-verzoek', detail });
  });

  it.each<[string, unknown, string]>([
    ['a text in a list', { documents: [{}, { 'a/b': ['x', 'a'.repeat(10_001)] }] }, '/documents/1/a~1b/1'],
    ['a text after a longer name', { 'x"},': [], '2': { y: 'a'.repeat(10_001) } }, '/2/y'],
    ['the name of a member', { a: { ['n'.repeat(10_001)]: 1 } }, '/a'],
    ['a list', { a: [[], Array(1_001).fill({})] }, '/a/1'],
    ['the outermost list', Array(1_001).fill(1), ''],
    ['the nesting', { a: 1, b: JSON.parse(`${'['.repeat(32)}${']'.repeat(32)}`) }, `/b${'/0'.repeat(31)}`],
    ['a text under a name that could be a number of a person', { '123456782': 'a'.repeat(10_001) }, '/…'],
  ])('with %s that exceeds a limit is refused with 400 and a pointer to it', async (_, body, pointer) => {
    const refused = await raw(JSON.stringify(body));
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ pointer, code: 'buiten-bereik' }] } });
  });

  it.each([
    ['text/plain', 'no Content-Encoding', 415, {}],
    ['application/xml', 'no Content-Encoding', 415, {}],
    ['application/json; charset=latin1', 'no Content-Encoding', 415, {}],
    ['multipart/form-data; boundary=x', 'no Content-Encoding', 415, {}],
    ['application/json', 'Content-Encoding gzip', 415, { 'content-encoding': 'gzip' }],
    ['application/json', 'Content-Encoding Identity', 422, { 'content-encoding': 'Identity' }],
    ['application/json; charset=utf-8', 'no Content-Encoding', 422, {}],
    ['application/json;', 'no Content-Encoding', 422, {}],
    ['application/json; charset=utf-8;', 'no Content-Encoding', 422, {}],
    ['application/json,', 'no Content-Encoding', 415, {}],
    ['Application/JSON;charset="UTF-8"', 'no Content-Encoding', 422, {}],
  ])('with Content-Type %s and %s is answered with %i', async (type, _, status, headers) => {
    expect((await raw('{"uren":-1}', { 'content-type': type, ...headers })).status).toBe(status);
  });

  it.each([
    ['a request', '/api/v1/intakes', 'application/json', 'text/plain'],
    ['an upload', '/api/v1/uploads', 'multipart/form-data; boundary=x', 'multipart/form-data; boundary=y'],
  ])('of %s with two Content-Type headers is refused with 415', async (_, path, first, second) => {
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x\r\nX-Subject: sanne-de-wit\r\n`;
    const types = `Content-Type: ${first}\r\nContent-Type: ${second}\r\n`;
    const answer = await service.raw(`${head}${types}Content-Length: 2\r\nConnection: close\r\n\r\n{}`);
    expect(answer).toMatch(/^HTTP\/1\.1 415 .*"code":"mediatype-niet-ondersteund"/s);
  });
});
