import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestService } from './support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** Each test plays in a world of its own, so that none sees what another handed in. */
let worlds = 0;
const world = (): string => {
  worlds += 1;
  return `t${worlds}`;
};
const post = (path: string, as: string, json: unknown, headers?: Record<string, string>) =>
  service.post(`/api/v1${path}`, as, json, headers);
const codes = (body: { errors?: { code: string }[] }): string[] => (body.errors ?? []).map(({ code }) => code);

const byPost = (...categories: string[]) =>
  categories.map((categoryId) => ({ categoryId, channel: 'post', documentId: null }));

describe('a request for registration', () => {
  it('with a fresh DUO diploma and no documents goes through, and is not judged by hand', async () => {
    const as = `noor-bakker@${world()}`;
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

  it('of a struck-off professional is a new registration, judged by hand', async () => {
    const as = `wilma-dekker@${world()}`;
    const documents = byPost('diploma-gewaarmerkt', 'identiteitsbewijs', 'werkervaring', 'werkervaring');
    expect((await post('/registrations', as, { diplomaHerkomst: 'handmatig', documents })).status).toBe(200);
    const [application] = (await service.get('/api/v1/applications', { as })).body;
    expect(application.status.manual).toBe(true);
  });

  it.each([
    ['nobody knows where the diploma is from', 'gerda-postma', {}, ['diplomaherkomst-ongeldig']],
    ['the origin is not one of three', 'gerda-postma', { diplomaHerkomst: 'DUO' }, ['diplomaherkomst-ongeldig']],
    ['DUO has no diploma', 'gerda-postma', { diplomaHerkomst: 'duo' }, ['geen-duo-diploma']],
    ['DUO has one that leads nowhere', 'fatima-yilmaz', { diplomaHerkomst: 'duo' }, ['geen-duo-diploma']],
    ['they are suspended', 'pieter-hoekstra', { diplomaHerkomst: 'duo' }, ['al-geregistreerd']],
    [
      'both documents are missing',
      'gerda-postma',
      { diplomaHerkomst: 'handmatig' },
      ['documenten-ongeldig', 'documenten-ongeldig'],
    ],
  ])('is refused when %s', async (_, who, json, expected) => {
    const { status, body } = await post('/registrations', `${who}@${world()}`, json);
    expect(status).toBe(422);
    expect(codes(body)).toEqual(expected);
    expect(body.code).toBe(expected[0]);
  });

  it.each([
    [
      'of a category that is not asked',
      { categoryId: 'cv', channel: 'digital', documentId: 'x' },
      '/documents/2/categoryId',
    ],
    ['of no category', { channel: 'post' }, '/documents/2/categoryId'],
    ['a second time', { categoryId: 'identiteitsbewijs', channel: 'post' }, '/documents/2'],
    ['by carrier pigeon', { categoryId: 'werkervaring', channel: 'duif' }, '/documents/2/channel'],
    ['by post with an id', { categoryId: 'werkervaring', channel: 'post', documentId: 'x' }, '/documents/2/documentId'],
    ['digitally without an id', { categoryId: 'werkervaring', channel: 'digital' }, '/documents/2/documentId'],
    [
      'that nobody handed over',
      { categoryId: 'werkervaring', channel: 'digital', documentId: 'x' },
      '/documents/2/documentId',
    ],
  ])('is refused with a document %s', async (_, document, pointer) => {
    const documents = [...byPost('diploma-gewaarmerkt', 'identiteitsbewijs'), document];
    const { status, body } = await post('/registrations', `gerda-postma@${world()}`, {
      diplomaHerkomst: 'handmatig',
      documents,
    });
    expect(status).toBe(422);
    expect(body.errors).toMatchObject([{ code: 'documenten-ongeldig', pointer }]);
  });

  it('is refused while another runs', async () => {
    const as = `noor-bakker@${world()}`;
    const { referentie } = (await post('/registrations', as, { diplomaHerkomst: 'duo' })).body;
    const { status, body } = await post('/registrations', as, { diplomaHerkomst: 'duo' });
    expect([status, body.code]).toEqual([422, 'lopende-aanvraag']);
    expect(body.detail).toContain(referentie);
  });
});

describe('a request for herregistratie', () => {
  it.each([
    [-1, 422, ['uren-ongeldig']],
    [0, 422, ['urennorm-niet-gehaald']],
    [2_079, 422, ['urennorm-niet-gehaald']],
    [2_080, 200, []],
    [43_800, 200, []],
    [43_801, 422, ['uren-ongeldig']],
  ])('of a nurse with %i hours is answered with %i', async (uren, status, expected) => {
    const reply = await post('/herregistraties', `sanne-de-wit@${world()}`, { uren });
    expect(reply.status).toBe(status);
    expect(codes(reply.body)).toEqual(expected);
  });

  it.each([
    ['without hours', {}, 422],
    ['with hours of null, which they may not be', { uren: null }, 400],
    ['with half an hour', { uren: 2_080.5 }, 400],
    ['with hours in words', { uren: 'veel' }, 400],
    ['with more hours than fit', { uren: 3_000_000_000 }, 400],
  ])('%s is answered with %i', async (_, json, status) => {
    expect((await post('/herregistraties', `sanne-de-wit@${world()}`, json)).status).toBe(status);
  });

  it('with too few hours and a proof of schooling goes to a person', async () => {
    const as = `joost-van-buren@${world()}`;
    expect((await post('/herregistraties', as, { uren: 1_400 })).body.code).toBe('urennorm-niet-gehaald');
    expect((await post('/herregistraties', as, { uren: 1_400, documents: byPost('scholingsbewijs') })).status).toBe(
      200,
    );
    expect((await service.get('/api/v1/applications', { as })).body[0].status.manual).toBe(true);
  });

  it.each([
    ['amira-el-idrissi', 'specialist'],
    ['wilma-dekker', 'doorgehaald'],
    ['fatima-yilmaz', 'vanaf'],
    ['noor-bakker', 'geen registratie'],
  ])('of %s is refused with the reason that the dashboard gives', async (who, says) => {
    const as = `${who}@${world()}`;
    const { status, body } = await post('/herregistraties', as, { uren: 4_000 });
    expect(status).toBe(422);
    expect(codes(body)).toContain('niet-herregistreerbaar');
    const { decisions } = (await service.get('/api/v1/dashboard-view', { as })).body;
    expect(body.detail).toContain(decisions.herregistratieReason);
    expect(body.detail).toContain(says);
  });

  it.each([
    ['lotte-van-dijk', 'HER-2026-000118'],
    ['ingrid-visser', 'HER-2026-000097'],
  ])('of %s is refused because %s runs, like a second request of any other kind', async (who, referentie) => {
    const { status, body } = await post('/herregistraties', `${who}@${world()}`, { uren: 4_000 });
    expect([status, codes(body)]).toEqual([422, ['lopende-aanvraag']]);
    expect(body.detail).toContain(referentie);
  });

  it.each([-1, 43_801, 50_000])('of %i hours is refused', async (uren) => {
    const { status, body } = await post('/herregistraties', `sanne-de-wit@${world()}`, { uren });
    expect([status, body.code]).toEqual([422, 'uren-ongeldig']);
  });

  it('of somebody suspended goes through, and a person judges it', async () => {
    const as = `pieter-hoekstra@${world()}`;
    expect((await service.get('/api/v1/dashboard-view', { as })).body).toMatchObject({
      registration: { status: { tag: 'Geschorst' } },
      decisions: { eligibleForHerregistratie: true, herregistratieReason: null },
    });
    expect((await post('/herregistraties', as, { uren: 2_600 })).status).toBe(200);
    expect((await service.get('/api/v1/applications', { as })).body[0].status.manual).toBe(true);
  });

  it('names everything that is wrong at once', async () => {
    const { body } = await post('/herregistraties', `wilma-dekker@${world()}`, {
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

  it('makes the dashboard say that it runs', async () => {
    const as = `sanne-de-wit@${world()}`;
    const { referentie } = (await post('/herregistraties', as, { uren: 2_600 })).body;
    expect((await service.get('/api/v1/dashboard-view', { as })).body.decisions).toEqual({
      eligibleForHerregistratie: false,
      herregistratieReason: `Uw aanvraag ${referentie} loopt.`,
    });
  });
});

describe('an intake', () => {
  it.each([
    [2_079, {}, 'antwoord-vereist'],
    [0, { scholing: null }, 'antwoord-vereist'],
    [2_079, { scholing: 'misschien' }, 'antwoord-ongeldig'],
    [3_000, { scholing: 7 }, 'antwoord-ongeldig'],
    [2_079, { scholing: 'nee', punten: 5 }, 'punten-zonder-scholing'],
    [3_000, { punten: 5 }, 'punten-zonder-scholing'],
    [2_079, { scholing: 'ja', punten: 0 }, 'punten-ongeldig'],
    [2_079, { scholing: 'ja', punten: 1.5 }, 'punten-ongeldig'],
    [3_000, { scholing: 'ja', punten: '5' }, 'punten-ongeldig'],
  ])('of %i hours with %j breaks the scholing rule: %s', async (uren, answer, regel) => {
    const { status, body } = await post('/intakes', `sanne-de-wit@${world()}`, { uren, ...answer });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'scholing-regel', regel });
  });

  it.each([
    [2_079, { scholing: 'nee' }],
    [2_079, { scholing: 'ja' }],
    [2_079, { scholing: 'ja', punten: 1 }],
    [2_080, {}],
    [2_081, {}],
    [3_000, { scholing: 'nee' }],
  ])('of %i hours with %j goes through', async (uren, answer) => {
    const { status, body } = await post('/intakes', `sanne-de-wit@${world()}`, { uren, ...answer });
    expect(status).toBe(200);
    expect(body.referentie).toMatch(/^INT-/);
  });

  it('of a psychologist has the higher threshold', async () => {
    expect((await post('/intakes', `fatima-yilmaz@${world()}`, { uren: 3_119 })).body.regel).toBe('antwoord-vereist');
    expect((await post('/intakes', `fatima-yilmaz@${world()}`, { uren: 3_120 })).status).toBe(200);
  });

  it.each([
    [-1, { scholing: 'nee' }],
    [-1, {}],
    [43_801, {}],
    [50_000, { scholing: 'misschien' }],
  ])('of %i hours with %j is refused for its hours', async (uren, answer) => {
    const { status, body } = await post('/intakes', `sanne-de-wit@${world()}`, { uren, ...answer });
    expect([status, body.code]).toEqual([422, 'uren-ongeldig']);
  });
});

describe('a change of address', () => {
  const there = { straat: 'Kerkstraat 1 A', postcode: '1012gg', woonplaats: 'Amsterdam' };

  it('goes through, as the register writes addresses', async () => {
    const { status, body } = await post('/change-requests', `sanne-de-wit@${world()}`, there);
    expect(status).toBe(200);
    expect(body.referentie).toMatch(/^ADR-/);
  });

  it.each([
    ['nothing at all', {}, ['/straat', '/postcode', '/woonplaats']],
    ['a street without a number', { ...there, straat: 'Kerkstraat' }, ['/straat']],
    ['a street that begins with a number and has no other', { ...there, straat: '1e Oosterparkstraat' }, ['/straat']],
    ['a street of 81 characters', { ...there, straat: `${'a'.repeat(79)} 1` }, ['/straat']],
    ['a postcode that begins with 0', { ...there, postcode: '0123 AB' }, ['/postcode']],
    ['a postcode that is not given out', { ...there, postcode: '1234 SS' }, ['/postcode']],
    ['a town with digits', { ...there, woonplaats: 'Utrecht2' }, ['/woonplaats']],
    ['a town of spaces', { ...there, woonplaats: '   ' }, ['/woonplaats']],
  ])('is refused with %s', async (_, json, pointers) => {
    const { status, body } = await post('/change-requests', `sanne-de-wit@${world()}`, json);
    expect([status, body.code]).toEqual([422, 'adres-ongeldig']);
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers);
  });

  it('is refused when nothing changes, however it is written', async () => {
    const { body } = await post('/change-requests', `sanne-de-wit@${world()}`, {
      straat: ' merelstraat  18 ',
      postcode: '3514cn',
      woonplaats: 'UTRECHT',
    });
    expect(body.code).toBe('adres-ongewijzigd');
  });

  it.each(['1e Oosterparkstraat 12', 'Lindelaan t/o 3', "'t Hoekje 7-2"])(
    'takes %s for a street with a number',
    async (straat) => {
      expect((await post('/change-requests', `sanne-de-wit@${world()}`, { ...there, straat })).status).toBe(200);
    },
  );
});

describe('a change of address by somebody who lives abroad', () => {
  const there = { straat: 'Lange Lozanastraat 120', postcode: '2018', woonplaats: 'Antwerpen' };
  const change = (over: object) => post('/change-requests', `tomasz-wolski@${world()}`, { ...there, ...over });

  it.each(['2018', 'B-2018', 'SW1A 1AA', '12', '1234567890'])('can have the postcode %s', async (postcode) => {
    expect((await change({ postcode })).status).toBe(200);
  });

  it.each(['', '1', '12345678901', '20_18', '- -', '2018!'])('cannot have the postcode %j', async (postcode) => {
    const { status, body } = await change({ postcode });
    expect([status, body.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([422, ['/postcode']]);
  });

  it('needs a Dutch postcode from somebody who lives in the Netherlands', async () => {
    expect((await post('/change-requests', `sanne-de-wit@${world()}`, there)).body.code).toBe('adres-ongeldig');
  });
});

describe('a body', () => {
  const as = 'sanne-de-wit@bodies';
  const raw = (body: string | Buffer, headers: Record<string, string> = {}) =>
    service.call('POST', '/api/v1/herregistraties', {
      as,
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });

  it('that has members of its own is refused, with a pointer to each', async () => {
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
    ['nothing', '', 400],
    ['half JSON', '{"uren":', 400],
    ['a list', '[]', 400],
    ['a word', '"uren"', 400],
    ['null', 'null', 400],
    ['33 levels', `{"documents":${'['.repeat(33)}${']'.repeat(33)}}`, 400],
    ['1,001 items', `{"documents":[${'{},'.repeat(1_000)}{}]}`, 400],
    ['what is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 400],
    ['more than 256 KiB', `{"x":"${'a'.repeat(262_144)}"}`, 413],
  ])('of %s is refused', async (_, body, status) => {
    expect((await raw(body)).status).toBe(status);
  });

  it.each([
    ['text/plain', {}, 415],
    ['application/xml', {}, 415],
    ['application/json; charset=latin1', {}, 415],
    ['multipart/form-data; boundary=x', {}, 415],
    ['application/json', { 'content-encoding': 'gzip' }, 415],
    ['application/json; charset=utf-8', {}, 422],
    ['Application/JSON;charset="UTF-8"', {}, 422],
  ])('sent as %s %j is answered with %i', async (type, headers, status) => {
    expect((await raw('{"uren":-1}', { 'content-type': type, ...headers })).status).toBe(status);
  });
});
