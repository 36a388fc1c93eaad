import { describe, expect, it } from 'vitest';
import type { Clock } from '../../src/ports/clock.ts';
import { accepted, newWorld, pointersOf, refusalOf, together, useService } from '../support/service.ts';

let now = '2026-06-01T12:00:00Z';
const clock: Clock = { now: () => new Date(now) };
const service = await useService({}, clock);

const someone = (slug: string): string => `${slug}@${newWorld()}`;
const PATH = '/api/v1/applications';
const create = async (as: string, type: string): Promise<string> =>
  (await accepted(service.post(PATH, as, { type }))).body.id;
const draftOf = async (slug: string, type: string) => {
  const as = someone(slug);
  return { as, id: await create(as, type) };
};
const read = (as: string, id: string) => service.get(`${PATH}/${id}`, { as });
const list = async (as: string) => (await service.get(PATH, { as })).body;
const sync = (as: string, id: string, json: unknown, headers = {}) =>
  service.call('PUT', `${PATH}/${id}`, { as, json, headers });
const syncText = (as: string, id: string, body: string) =>
  service.call('PUT', `${PATH}/${id}`, { as, body, headers: { 'content-type': 'application/json' } });
const documentsOf = async (as: string): Promise<string[]> =>
  (await service.get('/api/v1/uploads/status', { as })).body.results.flatMap(
    ({ documentId }: { documentId: string | null }) => documentId ?? [],
  );
const remove = (as: string, id: string, headers = {}) => service.call('DELETE', `${PATH}/${id}`, { as, headers });
const submit = (as: string, id: string, json: unknown = {}, headers = {}) =>
  service.post(`${PATH}/${id}/submit`, as, json, headers);

describe('a draft application', () => {
  it('is created with 201, Location and the status Concept at step 0 of 0', async () => {
    const as = someone('noor-bakker');
    const { status, headers, body } = await service.post(PATH, as, { type: 'registratie' });
    expect(status).toBe(201);
    expect(headers.location).toBe(`${PATH}/${body.id}`);
    expect(body).toEqual({
      id: expect.any(String),
      type: 'registratie',
      status: { tag: 'Concept', stepIndex: 0, stepCount: 0, referentie: null, manual: null, reden: null },
      documentIds: [],
      createdAt: '2026-06-01T12:00:00Z',
      updatedAt: '2026-06-01T12:00:00Z',
      submittedAt: null,
      draft: null,
    });
    expect((await read(as, body.id)).body).toEqual(body);
  });

  it('above the limit of 100 per person is refused with 409 te-veel-concepten, and is accepted after a delete', async () => {
    const as = someone('noor-bakker');
    const replies = await together(104, () => service.post(PATH, as, { type: 'registratie' }));
    const refused = replies.filter(({ status }) => status !== 201);
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(Array(4).fill([409, 'te-veel-concepten']));
    const [first] = await list(as);
    expect(await list(as)).toHaveLength(100);
    await remove(as, first.id);
    expect((await service.post(PATH, as, { type: 'registratie' })).status).toBe(201);
    expect((await service.post(PATH, someone('noor-bakker'), { type: 'registratie' })).status).toBe(201);
  });

  it.each([{ type: 'adreswijziging' }, { type: 'iets' }, { type: null }, {}])(
    'created with %j is refused with 400 and a pointer to /type',
    async (json) => {
      const { status, body } = await service.post(PATH, someone('noor-bakker'), json);
      expect(status).toBe(400);
      expect(body.errors).toMatchObject([{ pointer: '/type' }]);
    },
  );

  it.each([
    '{"a":1.0,"b":12345678901234567890,"c":-0,"d":1E5}',
    '{"z":1,"a":2,"2":0,"1":0,"a":3}',
    '{"nul":"\\u0000","half":"\\ud800","é":"\\u00e9 é 🎈"}',
    '[ 1 ,\n  {"x" : [ ] } ]',
    '"tekst met \\"draft\\": en , en }"',
    '0.10',
    'false',
  ])('with the content %s is returned byte for byte', async (draft) => {
    const { as, id } = await draftOf('sanne-de-wit', 'intake');
    const body = `{ "stepCount":3, "draft" : ${draft} ,"stepIndex":2,"documentIds":[]}`;
    expect(await syncText(as, id, body)).toMatchObject({ status: 204, body: '' });
    const headers = { authorization: 'Bearer x', 'x-subject': as };
    const text = await (await fetch(`${service.url}${PATH}/${id}`, { headers })).text();
    expect(text.endsWith(`,"draft":${draft}}`)).toBe(true);
    expect(JSON.parse(text)).toMatchObject({ status: { stepIndex: 2, stepCount: 3 }, documentIds: [] });
  });

  it.each([
    [{ stepIndex: 1 }, ['/stepIndex']],
    [{ documentIds: ['van-niemand'] }, ['/documentIds/0']],
    [{ documentIds: ['\u0000'] }, ['/documentIds/0']],
  ])('saved with %j is refused with 400 and stays unchanged', async (content, pointers) => {
    const { as, id } = await draftOf('sanne-de-wit', 'intake');
    const { status, body } = await sync(as, id, { draft: 'nieuw', ...content });
    expect([status, body.code]).toEqual([400, 'ongeldig-verzoek']);
    expect(pointersOf(body)).toEqual(pointers);
    expect((await read(as, id)).body.draft).toBeNull();
  });

  it('saved with a document of another person is refused with 400', async () => {
    const [theirs] = await documentsOf(someone('joost-van-buren'));
    const as = someone('sanne-de-wit');
    expect(await sync(as, await create(as, 'intake'), { documentIds: [theirs] })).toMatchObject({ status: 400 });
  });

  it('does not list a document after an administrator deleted it; a submitted application does not either', async () => {
    const as = someone('ruben-smit');
    const before = (await list(as)).flatMap(({ documentIds }: { documentIds: string[] }) => documentIds);
    expect(before).toHaveLength(2);
    for (const documentId of before) {
      const admin = { as: as.replace('ruben-smit', 'admin-ali'), headers: { 'x-role': 'admin' } };
      expect((await service.call('DELETE', `/api/v1/admin/uploads/${documentId}`, admin)).status).toBe(204);
    }
    expect((await list(as)).flatMap(({ documentIds }: { documentIds: string[] }) => documentIds)).toEqual([]);
  });

  it('saved with two members `draft` is refused, and one that has a member twice is kept', async () => {
    const { as, id } = await draftOf('sanne-de-wit', 'intake');
    expect((await syncText(as, id, '{"draft":1,"dr\\u0061ft":2}')).status).toBe(400);
    expect((await syncText(as, id, '{"dr\\u0061ft":{"a":1,"a":2}}')).status).toBe(204);
    expect((await read(as, id)).body.draft).toEqual({ a: 2 });
  });

  it('loses the members that a save leaves out', async () => {
    const as = someone('joost-van-buren');
    const [mine] = await documentsOf(as);
    const id = await create(as, 'intake');
    await sync(as, id, { draft: { a: 1 }, stepIndex: 2, stepCount: 3, documentIds: [mine] });
    expect((await read(as, id)).body.documentIds).toEqual([mine]);
    await sync(as, id, {});
    const expected = { draft: null, documentIds: [], status: { stepIndex: 0, stepCount: 0 } };
    expect((await read(as, id)).body).toMatchObject(expected);
  });

  it('is listed first after a save, without its content', async () => {
    const as = someone('sanne-de-wit');
    const [first, second] = [await create(as, 'intake'), await create(as, 'herregistratie')];
    now = '2026-06-01T12:00:01Z';
    await sync(as, first, { draft: 1 });
    now = '2026-06-01T12:00:00Z';
    expect((await list(as)).map(({ id }: { id: string }) => id)).toEqual([first, second]);
    expect((await list(as))[0]).not.toHaveProperty('draft');
  });

  it('is deleted with 204, and then answered with 404', async () => {
    const { as, id } = await draftOf('sanne-de-wit', 'intake');
    expect((await remove(as, id)).status).toBe(204);
    expect((await remove(as, id)).status).toBe(404);
    expect((await read(as, id)).status).toBe(404);
  });

  it('is saved with the If-Match of its current version, also one that a proxy made weak, and refused with 412 for every other version', async () => {
    const { as, id } = await draftOf('sanne-de-wit', 'intake');
    const { etag } = (await read(as, id)).headers;
    const saved = await sync(as, id, { draft: 1 }, { 'if-match': etag });
    expect(saved.status).toBe(204);
    const wrong = [etag, '"99"', 'W/"1"', '"01"', 'nonsense', '', ','].map((stale) => ({ 'if-match': stale }));
    const excluded = ['*', '"2"', 'W/"7", W/"2"'].map((tags) => ({ 'if-none-match': tags, 'if-match': '"2"' }));
    for (const headers of [...wrong, ...excluded]) {
      expect(await refusalOf(sync(as, id, { draft: 2 }, headers))).toEqual([412, 'versie-verouderd']);
    }
    const { detail } = (await sync(as, id, { draft: 2 }, { 'if-match': '2' })).body;
    expect(detail).toContain('Stuur `If-Match` met de `ETag` van het laatste antwoord, met aanhalingstekens');
    expect((await remove(as, id, { 'if-none-match': '*' })).status).toBe(412);
    expect((await submit(as, id, { uren: 2_600 }, { 'if-none-match': '*' })).status).toBe(412);
    expect((await sync(as, 'no-such-id', { draft: 4 }, { 'if-none-match': '*' })).status).toBe(404);
    expect((await sync(as, id, { draft: 3 }, { 'if-match': `W/${saved.headers.etag}` })).status).toBe(204);
    expect((await sync(as, id, { draft: 4 }, { 'if-match': '*', 'if-none-match': '"2"' })).status).toBe(204);
    expect((await sync(as, id, { draft: 5 }, { 'if-match': '"1", "4"' })).status).toBe(204);
    expect((await sync(as, 'no-such-id', { draft: 4 }, { 'if-match': '"1"' })).status).toBe(404);
  });

  it('is refused with 400 for a wrong scholing, also with the If-Match of an older version', async () => {
    const { as, id } = await draftOf('sanne-de-wit', 'intake');
    await sync(as, id, { draft: 1 });
    expect(await refusalOf(submit(as, id, { uren: 100 }, { 'if-match': '"1"' }))).toEqual([400, 'scholing-regel']);
    expect((await submit(as, id, { uren: 2_600 }, { 'if-match': '"1"' })).status).toBe(412);
  });

  it('is submitted and deleted with the If-Match of its current version, and refused with 412 for an older version', async () => {
    const { as, id } = await draftOf('sanne-de-wit', 'herregistratie');
    await sync(as, id, { draft: 1 });
    const old = { 'if-match': '"1"' };
    for (const refused of [await submit(as, id, { uren: 2_600 }, old), await remove(as, id, old)])
      expect([refused.status, refused.body.code]).toEqual([412, 'versie-verouderd']);
    expect((await submit(as, id, { uren: 2_600 }, { 'if-match': '"2"' })).status).toBe(200);
    expect((await submit(as, id, { uren: 2_600 }, old)).status).toBe(409);
    expect((await remove(as, id, old)).status).toBe(409);
    expect((await remove(as, await create(as, 'intake'), old)).status).toBe(204);
  });
});

it('an application of another person is answered with 404 without a body for read, save, delete and submit', async () => {
  const owner = someone('sanne-de-wit');
  const id = await create(owner, 'intake');
  for (const as of ['joost-van-buren', `sanne-de-wit@other-world`]) {
    for (const target of [id, 'no-such-id', '%00', 'a'.repeat(300)]) {
      const replies = [await read(as, target), await sync(as, target, {})];
      replies.push(await remove(as, target), await submit(as, target));
      expect(replies.map(({ status }) => status).every((status) => status === 404)).toBe(true);
      if (target === id) expect(replies.map(({ body }) => body)).toEqual(['', '', '', '']);
    }
  }
  expect((await read(owner, id)).status).toBe(200);
});

describe('POST /applications/{id}/submit', () => {
  it('turns a Concept into InBehandeling with a reference, and is refused with 409 the second time', async () => {
    const { as, id } = await draftOf('sanne-de-wit', 'herregistratie');
    const { status, body } = await submit(as, id, { uren: 2_600 });
    expect(status).toBe(200);
    expect(body).toEqual({
      referentie: expect.stringMatching(/^HER-2026-\d{6}$/),
      status: {
        tag: 'InBehandeling',
        stepIndex: null,
        stepCount: null,
        referentie: body.referentie,
        manual: false,
        reden: null,
      },
    });
    const refused = { status: 409, body: { code: 'aanvraag-al-ingediend', referentie: body.referentie } };
    expect(await submit(as, id, { uren: 2_600 })).toMatchObject(refused);
    expect(await remove(as, id)).toMatchObject(refused);
    expect((await sync(as, id, { draft: 1 })).status).toBe(404);
  });

  it.each([
    ['with too few hours', { uren: 100 }, ['urennorm-niet-gehaald']],
    [
      'with a document that does not exist',
      { uren: 3_000, documents: [{ categoryId: 'werkervaring', channel: 'digital', documentId: 'x' }] },
      ['documenten-ongeldig'],
    ],
  ])('%s is refused with 409 aanvraag-onvolledig, and leaves a Concept', async (_, json, expected) => {
    const { as, id } = await draftOf('sanne-de-wit', 'herregistratie');
    const { status, body } = await submit(as, id, json);
    expect([status, body.code]).toEqual([409, 'aanvraag-onvolledig']);
    expect(body.errors.map(({ code }: { code: string }) => code)).toEqual(expected);
    expect((await read(as, id)).body.status.tag).toBe('Concept');
    expect((await submit(as, id, { uren: 2_600 })).status).toBe(200);
  });

  it.each([
    ['herregistratie', { uren: 2_600, scholing: { x: 1 }, punten: 'abc' }],
    ['registratie', { diplomaHerkomst: 'duo', scholing: [1], punten: -3 }],
  ])('of a %s with %j is refused with 400 for its scholing and punten, and leaves a Concept', async (type, json) => {
    const { as, id } = await draftOf('noor-bakker', type);
    const { status, body } = await submit(as, id, json);
    expect([status, body.code]).toEqual([400, 'ongeldig-verzoek']);
    expect(pointersOf(body)).toEqual(['/scholing', '/punten']);
    expect((await read(as, id)).body.status.tag).toBe('Concept');
  });

  it.each(['a submitted', 'an unknown'])('of %s application with wrong scholing is refused with 400', async (which) => {
    const as = someone('sanne-de-wit');
    const id = which === 'an unknown' ? 'x' : await create(as, 'intake');
    if (which === 'a submitted') expect((await submit(as, id, { uren: 2_600 })).status).toBe(200);
    const { status, body } = await submit(as, id, { uren: 2_600, scholing: 'misschien', punten: 0 });
    expect([status, body.code]).toEqual([400, 'ongeldig-verzoek']);
    expect(pointersOf(body)).toEqual(['/scholing', '/punten']);
  });

  it.each([
    { scholing: 'nee', punten: 3 },
    { scholing: null, punten: null },
  ])('of a herregistratie with %j is accepted, because only an intake uses these members', async (members) => {
    const { as, id } = await draftOf('sanne-de-wit', 'herregistratie');
    expect((await submit(as, id, { uren: 2_600, ...members })).status).toBe(200);
  });

  it('is refused with lopende-aanvraag while an application of the same type is in progress', async () => {
    const as = someone('noor-bakker');
    const [first, second] = [await create(as, 'registratie'), await create(as, 'registratie')];
    await submit(as, first, { diplomaHerkomst: 'duo' });
    expect((await submit(as, second, { diplomaHerkomst: 'duo' })).body.code).toBe('lopende-aanvraag');
    expect((await read(as, second)).body.status.tag).toBe('Concept');
  });

  it('with a foreign diploma requires six documents, and five when the draft says that the education was in Dutch', async () => {
    const { as, id } = await draftOf('elena-marin', 'registratie');
    await sync(as, id, { draft: { taalvaardigheid: 'taaltoets' } });
    const { body } = await submit(as, id, { diplomaHerkomst: 'buitenland' });
    expect([body.code, body.errors.length]).toEqual(['aanvraag-onvolledig', 6]);
    await sync(as, id, { draft: { taalvaardigheid: 'nederlandstalig' } });
    expect((await submit(as, id, { diplomaHerkomst: 'buitenland' })).body.errors).toHaveLength(5);
  });

  it.each([
    ['does not name a proof of language', [], {}],
    ['names this proof of language', [], { taalvaardigheid: 'taaltoets' }],
    ['has another proof of language', ['/documents/2/categoryId', '/documents'], { taalvaardigheid: 'vooropleiding' }],
    ['says that no proof is needed', ['/documents/2/categoryId'], { taalvaardigheid: 'nederlandstalig' }],
  ])('with a certificate of Dutch, when the draft %s, has the faults %j', async (_, expected, draft) => {
    const { as, id } = await draftOf('gerda-postma', 'registratie');
    await sync(as, id, { draft });
    const documents = ['diploma-gewaarmerkt', 'identiteitsbewijs', 'taalcertificaat'].map((categoryId) => ({
      categoryId,
      channel: 'post',
    }));
    const { status, body } = await submit(as, id, { diplomaHerkomst: 'handmatig', documents });
    const errors: { pointer: string }[] = body.errors ?? [];
    expect([status, errors.map(({ pointer }) => pointer)]).toEqual([expected.length === 0 ? 200 : 409, expected]);
  });

  it.each([
    [{ uren: 2_079 }, null, 'antwoord-vereist'],
    [{ uren: 2_079, scholing: 'nee', punten: 3 }, { scholing: 'ja', punten: 3 }, 'punten-zonder-scholing'],
    [{ uren: 2_079 }, { scholing: ['ja'] }, 'antwoord-ongeldig'],
  ])('of an intake with %j and draft %j is refused with 400 (%s) and leaves a Concept', async (json, draft, regel) => {
    const { as, id } = await draftOf('sanne-de-wit', 'intake');
    await sync(as, id, { draft });
    expect(await submit(as, id, json)).toMatchObject({ status: 400, body: { code: 'scholing-regel', regel } });
    expect((await read(as, id)).body.status.tag).toBe('Concept');
  });

  it.each([
    [{ uren: 2_079, scholing: 'nee' }, null],
    [{ uren: 2_079 }, { scholing: 'ja', punten: 40 }],
    [
      { uren: 2_079, punten: 5 },
      { scholing: 'ja', punten: 'veel' },
    ],
  ])(
    'of an intake with body %j and draft %j is accepted, because members of the body replace those of the draft',
    async (json, draft) => {
      const { as, id } = await draftOf('sanne-de-wit', 'intake');
      await sync(as, id, { draft });
      expect((await submit(as, id, json)).status).toBe(200);
    },
  );
});

describe('an application in progress', () => {
  it('without manual review is approved after two days, and moves the herregistratiedatum by five years', async () => {
    const { as, id } = await draftOf('sanne-de-wit', 'herregistratie');
    await submit(as, id, { uren: 2_600 });
    now = '2026-06-02T12:00:00Z';
    expect((await read(as, id)).body.status.tag).toBe('InBehandeling');
    now = '2026-06-03T12:00:00Z';
    expect((await list(as))[0].status).toMatchObject({ tag: 'Goedgekeurd', manual: false });
    const { registration, decisions } = (await service.get('/api/v1/dashboard-view', { as })).body;
    expect(registration.status.herregistratieDatum).toBe('2031-06-03');
    expect(decisions.herregistratieReason).toContain('vanaf');
    now = '2026-06-01T12:00:00Z';
  });

  it('of a graduate with a DUO diploma is approved after two days and gives a registration', async () => {
    const as = someone('noor-bakker');
    await service.post('/api/v1/registrations', as, { diplomaHerkomst: 'duo' });
    now = '2026-06-03T12:00:00Z';
    expect((await service.get('/api/v1/dashboard-view', { as })).body.registration).toMatchObject({
      beroep: 'verpleegkundige',
      registratiedatum: '2026-06-03',
      // Five years after the diploma, not after the decision.
      status: { tag: 'Geregistreerd', herregistratieDatum: '2031-05-11' },
    });
    now = '2026-06-01T12:00:00Z';
  });

  it('with manual review is still InBehandeling after a month', async () => {
    const as = someone('joost-van-buren');
    await service.post('/api/v1/herregistraties', as, {
      uren: 0,
      documents: [{ categoryId: 'scholingsbewijs', channel: 'post' }],
    });
    now = '2026-07-01T12:00:00Z';
    expect((await list(as))[0].status).toMatchObject({ tag: 'InBehandeling', manual: true });
    now = '2026-06-01T12:00:00Z';
  });
});

describe('the seed data of a persona', () => {
  it('contain applications, and no longer contain one that the persona deleted', async () => {
    const as = someone('ruben-smit');
    const before = await list(as);
    expect(
      before.map(({ type, status }: { type: string; status: { tag: string } }) => `${type} ${status.tag}`),
    ).toEqual(['herregistratie Concept', 'intake Concept', 'intake Afgewezen']);
    expect(before[2].status).toMatchObject({
      reden: 'Het bewijs van scholing is ouder dan twee jaar.',
      referentie: 'INT-2026-000064',
      manual: true,
    });
    await remove(as, before[0].id);
    expect(await list(as)).toHaveLength(2);
  });

  it.each([
    ['lotte-van-dijk', 'HER-2026-000118'],
    ['ingrid-visser', 'HER-2026-000097'],
  ])('contain for %s the application in progress %s', async (slug, referentie) => {
    expect((await list(someone(slug)))[0].status).toMatchObject({ tag: 'InBehandeling', referentie, manual: true });
  });
});
