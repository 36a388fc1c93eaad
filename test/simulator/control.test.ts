import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { PERSONAS } from '../../fixtures/personas/index.ts';
import { EVERY_CASE } from '../support/cases.ts';
import { controlOf } from '../support/control.ts';
import { sectionTextOf } from '../support/letter.ts';
import { byPost, keep, pointersOf, refusalOf, startService, TODAY, useService } from '../support/service.ts';

const service = await useService({ SCANNER: 'simulator' });
const control = controlOf(service);
const slowBrp = (ms: unknown) => ({ upstream: 'brp', kind: 'latency', ms });

const mine = async (as: string) =>
  (await service.get('/api/v1/applications', { as })).body.map(({ status }: { status: object }) => status);
const dashboard = async (as: string) => (await service.get('/api/v1/dashboard-view', { as })).body;

describe('the control API', () => {
  it('has its own OpenAPI document with unique operation ids, which is not part of the public one', async () => {
    const { body } = await control.call('GET', '/openapi.json');
    const ids = Object.values(body.paths as Record<string, Record<string, { operationId: string }>>).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(ids.length).toBeGreaterThan(25);
    expect(new Set(ids).size).toBe(ids.length);
    expect((await service.get('/api/v1/openapi.json')).body.paths).not.toHaveProperty('/_simulator/worlds');
  });

  it('declares in its OpenAPI document the media types of every successful answer with a body', async () => {
    const { body } = await control.call('GET', '/openapi.json');
    type Described = { operationId: string; responses: Record<string, { content?: object }> };
    const types = new Map(
      Object.values(body.paths as Record<string, Record<string, Described>>)
        .flatMap((path) => Object.values(path))
        .flatMap(({ operationId, responses }) =>
          '200' in responses ? [[operationId, Object.keys(responses['200']?.content ?? {})] as const] : [],
        ),
    );
    expect([...types].filter(([, media]) => media.length === 0)).toEqual([]);
    expect(types.get('journalStream')).toEqual(['text/event-stream']);
    expect(types.get('exportPeople')).toEqual(['application/json', 'text/csv']);
  });

  it('describes in its OpenAPI document the items of every list in a snapshot', async () => {
    const { body } = await control.call('GET', '/openapi.json');
    const described = JSON.stringify(body.components.schemas.Snapshot);
    expect(described).toContain('"items":{');
    expect(described).not.toContain('"items":{}');
  });

  it.each([
    [{ origin: 'https://elders.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'http://localhost.elders.example' }, 403],
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }, 403],
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, 403],
    [{ 'x-forwarded-for': '203.0.113.9' }, 403],
    [{ 'x-forwarded-for': '::1, 203.0.113.9' }, 403],
    [{ 'x-forwarded-host': 'demo.elders.example' }, 403],
    [{ 'x-real-ip': '203.0.113.9' }, 403],
    [{ 'cf-connecting-ip': '203.0.113.9' }, 403],
    [{ 'true-client-ip': '203.0.113.9' }, 403],
    [{ 'x-original-host': 'demo.elders.example' }, 403],
    [{ via: '1.1 elders' }, 403],
    [{ forwarded: 'for=203.0.113.9' }, 403],
    [{ forwarded: 'for=127.0.0.1, For="[2001:db8::9]:4711"' }, 403],
    [{ forwarded: 'for=_hidden;proto=https' }, 403],
    [{ forwarded: 'for=unknown' }, 403],
    [{ forwarded: 'for=127.0.0.1;host=demo.elders.example' }, 403],
    [{ forwarded: 'elders' }, 403],
    [{ forwarded: 'for="[::1]:4711";host="localhost:5173";by=127.0.0.1;proto=http' }, 200],
    [{ 'x-forwarded-for': '::1', 'x-forwarded-host': 'localhost:5173' }, 200],
    [{ origin: 'http://localhost:5173' }, 200],
    [{ origin: 'http://127.0.0.1:6006' }, 200],
    [{ origin: 'http://app.localhost:5173' }, 200],
    [{ host: 'app.localhost' }, 200],
    [{ host: '127.0.0.2:3000' }, 200],
    [{ host: 'localhost:99999999' }, 400],
    [{ 'x-forwarded-for': '::ffff:127.0.0.1' }, 200],
    [{ host: 'evillocalhost' }, 421],
    [{ host: 'elders.example' }, 421],
    [{ host: '127.0.0.1.elders.example' }, 421],
  ])('answers a request with the headers %j with %i', async (headers, status) => {
    const answer = await control.call('POST', '/worlds/guard/reset', undefined, headers as Record<string, string>);
    expect(answer.status).toBe(status);
  });

  // macOS has no other IPv4 address of loopback than 127.0.0.1.
  it.each(['localhost', '127.1', ...(process.platform === 'darwin' ? [] : ['127.0.0.2'])])(
    'answers, as the API does, to a service that listens on the loopback address %s, at the URL that its banner has',
    async (HOST) => {
      const own = keep(await startService({ HOST }));
      expect((await controlOf(own).call('GET', '/worlds')).status).toBe(200);
      const origin = own.url;
      expect((await controlOf(own).call('POST', '/worlds/guard/reset', undefined, { origin })).status).toBe(200);
      const answer = await own.get('/api/v1/notes', { as: 'sanne-de-wit', headers: { origin } });
      expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, origin]);
    },
  );

  it('refuses text/plain with 415, because a page on another origin could send it without a preflight', async () => {
    const plain = await control.call('POST', '/worlds/guard/clock', { real: true }, { 'content-type': 'text/plain' });
    expect(plain.status).toBe(415);
  });

  it('refuses in English for `Accept-Language: en`, and in Dutch otherwise', async () => {
    for (const [language, title, detail] of [
      ['nl', 'Dit kan de simulator niet', 'De paden staan in /_simulator/openapi.json.'],
      ['en', 'The simulator cannot do this', 'There is no such path. The paths are in /_simulator/openapi.json.'],
    ] as const) {
      const answer = await control.call('GET', '/mine', undefined, { 'accept-language': language });
      expect(answer.body).toMatchObject({ status: 404, code: 'pad-onbekend', title, detail });
      expect(answer.headers['content-language']).toBe(language === 'en' ? 'en' : undefined);
      expect(answer.headers.vary).toBe('Origin, Accept-Language');
    }
    const noJson = await service.call('POST', '/_simulator/worlds/guard/clock', {
      body: '{"set":NaN}',
      headers: { 'content-type': 'application/json', 'accept-language': 'en' },
    });
    expect(noJson.body.detail).toBe('The body is not valid JSON (character 8).');
    const wrong = await control.call('POST', '/worlds/guard/clock', { to: 'x' }, { 'accept-language': 'en' });
    expect(wrong.body.errors[0].detail).toMatch(/^There is no such member\. The members are: real, set, /);
  });

  it('refuses a query parameter that does not exist, is missing, or has a wrong value, and says what is possible', async () => {
    for (const [path, detail] of [
      [
        '/worlds/guard/journal?perona=sanne-de-wit',
        / queryparameter die niet bestaat\. Bedoelde u persona\? Er zijn: /,
      ],
      ['/scenarios?wereld=guard', / queryparameter die niet bestaat\.$/],
      ['/personas/mila-jansen/copy', /^De queryparameter as ontbreekt\.$/],
      ['/worlds/guard/post?kind=aanmaning', /^De waarde van kind kan hier niet\. Kies uit .*, herinnering, /],
    ] as const) {
      const answer = await control.call('GET', path);
      expect(answer.body).toMatchObject({
        status: 400,
        code: 'ongeldig-verzoek',
        detail: expect.stringMatching(detail),
      });
    }
    for (const path of [
      '/worlds/guard/journal?persona=sanne-de-wit',
      '/scenarios',
      '/personas/mila-jansen/copy?as=mila-twee',
      '/worlds/guard/post?kind=herinnering',
    ])
      expect([path, (await control.call('GET', path)).status]).toEqual([path, 200]);
  });

  it('names a path that is near in a 404, the methods in a 405, and refuses an invalid world with 404', async () => {
    const paths = 'De paden staan in /_simulator/openapi.json.';
    for (const [path, hint] of [
      ['/world', 'Bedoelde u /_simulator/worlds? '],
      ['/worlds/guard/fault', 'Bedoelde u /_simulator/worlds/guard/faults? '],
      ['/api/worlds/guard/clock', 'Bedoelde u /_simulator/worlds/guard/clock? '],
      ['/worlds/demo/scenario', 'Bedoelde u /_simulator/worlds/demo/scenarios/{scenario}? '],
      ['/worlds/demo/scenario/brp-down', 'Bedoelde u /_simulator/worlds/demo/scenarios/brp-down? '],
      ['/worlds/demo/people', 'Bedoelde u /_simulator/people? '],
      ['/world/reset', 'Bedoelde u /_simulator/worlds/reset? '],
      // Not the reset of that world, which is as near in letters.
      ['/worlds/demo/letter', ''],
      ['/worlds/', 'Laat de schuine streep aan het einde weg. '],
      ['/worlds/guard/faults/', 'Laat de schuine streep aan het einde weg. '],
      ['/bestaat-niet/', ''],
      // Not /_simulator/reset, which empties every world.
      ['/mine', ''],
      [`/${'x'.repeat(200)}`, ''],
    ] as const)
      expect((await control.call('GET', path)).body.detail).toBe(hint + paths);
    const wrong = await control.call('DELETE', '/worlds');
    expect([wrong.status, wrong.headers.allow]).toEqual([405, expect.stringMatching(/GET/)]);
    expect((await control.in('Grote_Wereld').get()).body).toMatchObject({ status: 404, code: 'wereld-onbekend' });
    const unset = await control.in('undefined').get();
    expect(unset.body).toMatchObject({
      code: 'wereld-onbekend',
      detail: expect.stringContaining('Kreeg de variabele een waarde'),
    });
    // A name that only contains such a word is a name.
    expect((await control.in('undefined-2').get()).status).toBe(200);
  });

  it('says in its OpenAPI document that it needs no login', async () => {
    expect((await control.call('GET', '/openapi.json')).body.security).toEqual([]);
  });

  it.each([
    ['', ']'.repeat(20_000)],
    [' that breaks off', ''],
  ])('refuses JSON nested 20,000 deep%s with 400, before it is parsed', async (_, end) => {
    const body = `{"title": "x", "persona": "sanne-de-wit", "body": ${'['.repeat(20_000)}${end}}`;
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${service.url}/_simulator/worlds/guard/step`, { method: 'POST', headers, body });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ detail: 'De inhoud is dieper genest dan 32 lagen.' });
  });

  it.each([
    ['nested 600,000 deep', `{"a":${'['.repeat(600_000)}${']'.repeat(600_000)}}`],
    ['with one long text', `{"a":"${'x'.repeat(1_100_000)}"}`],
  ])('refuses JSON of more than 1 MiB with 413: %s', async (_, body) => {
    const headers = { 'content-type': 'application/json' };
    for (const path of ['/personas', '/personas/check', '/worlds/guard/step']) {
      const answer = await fetch(`${service.url}/_simulator${path}`, { method: 'POST', headers, body });
      expect([path, answer.status]).toEqual([path, 413]);
    }
  });

  it('names the valid upstreams and the format of a date in a refusal', async () => {
    const { body } = await control.in('guard').post('/faults', { upstream: 'kadaster', kind: 'hang' });
    expect(body.errors[0].detail).toBe('Kies uit register, brp, duo, documenten, scanner, dienst.');
    const clock = (await control.in('guard').post('/clock', { set: 'morgen' })).body;
    expect(clock.errors[0].detail).toMatch(/2026-06-01/);
  });

  it('names every wrong member of a body in one 400', async () => {
    const { status, body } = await control.in('guard').post('/faults', { upstream: 'kadaster', kind: 'slow', x: 1 });
    expect(status).toBe(400);
    expect(pointersOf(body).sort()).toEqual(['/kind', '/upstream', '/x']);
  });

  it.each([
    ['document', 200],
    ['iframe', 403],
    ['frame', 403],
    ['object', 403],
    ['embed', 403],
  ])('answers a page of another site that opens it as %s with %i', async (dest, status) => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': dest };
    expect((await control.call('GET', '/worlds', undefined, headers)).status).toBe(status);
  });

  it.each([
    ['/reset', { begin: '9999-12-31' }, 'klok-te-ver', { begin: '2150-12-31' }],
    ['/reset', { begin: '0001-01-01' }, 'klok-te-ver', { begin: '1850-01-01' }],
    ['/clock', { deadline: 'sanne-de-wit', days: 2 ** 53 - 1 }, 'ongeldig-verzoek', { deadline: 'sanne-de-wit' }],
    ['/clock', { deadline: 'sanne-de-wit', days: 99_999 }, 'klok-te-ver', { deadline: 'sanne-de-wit', days: 9_999 }],
    ['/clock', { set: '2500-01-01' }, 'klok-te-ver', { set: '2150-01-01' }],
    ['/clock', { move: '+99999years' }, 'klok-te-ver', { move: '+1year' }],
    ['/faults', slowBrp(2 ** 31), 'ongeldig-verzoek', slowBrp(60_000)],
    ['/faults', slowBrp({ min: 0, max: 1e300 }), 'ongeldig-verzoek', slowBrp({ min: 0, max: 60_000 })],
  ])('refuses the out-of-range value %s %j with 400 %s and changes nothing', async (path, body, code, right) => {
    const before = (await control.in('far').get()).body;
    expect(await control.in('far').post(path, body)).toMatchObject({ status: 400, body: { code } });
    expect((await control.in('near').post(path, right)).status).toBe(path === '/faults' ? 201 : 200);
    const { clock, ...rest } = (await control.in('far').get()).body;
    expect({ ...rest, clock: { ...clock, now: before.clock.now } }).toEqual(before);
    expect((await service.get('/api/v1/dashboard-view', { as: 'sanne-de-wit@far' })).status).toBe(200);
    await control.in('far').delete('/journal');
  });

  it('lists a world after a reset of all worlds', async () => {
    await control.in('kept').get();
    await control.call('POST', '/reset');
    expect((await control.call('GET', '/worlds')).body.map(({ world }: { world: string }) => world)).toContain('kept');
  });

  it('does not exist (pad-onbekend) when no upstream is simulated', async () => {
    const closed = 'http://127.0.0.1:1/';
    const real = keep(
      await startService({
        REGISTER_UPSTREAM: closed,
        BRP_UPSTREAM: closed,
        DUO_UPSTREAM: closed,
        DOCUMENTS_UPSTREAM: closed,
        DOCUMENTS_CLIENT_ID: 'x',
        DOCUMENTS_SECRET: 'x'.repeat(40),
        DOCUMENTS_RSIN: '999990639',
        DOCUMENTS_INFORMATIEOBJECTTYPE: 'https://example.nl/type',
      }),
    );
    expect((await real.get('/_simulator/worlds')).body.code).toBe('pad-onbekend');
  });
});

describe('the personas of a world', () => {
  it('are listed with their description, headers, curl command and current status', async () => {
    const { body } = await control.in('faces').get('/personas?also=niemand');
    expect(body.map(({ slug }: { slug: string }) => slug)).toEqual(PERSONAS.map(({ slug }) => slug));
    const inSituation = (name: string) =>
      body.flatMap((one: { slug: string; situaties: string[] }) => (one.situaties.includes(name) ? [one.slug] : []));
    expect(inSituation('twee-beroepen')).toEqual(['mila-jansen']);
    expect(inSituation('overleden')).toEqual(['truus-visser']);
    expect(inSituation('specialist')).toEqual(['amira-el-idrissi', 'sofie-peeters']);
    for (const { toont, curl, headers, nu, kind } of body) {
      expect(toont.length).toBeGreaterThan(20);
      expect(curl).toContain(headers['X-Subject'] ?? headers['X-Medewerker']);
      expect(nu === null).toBe(kind !== 'professional');
    }
  });

  it('have the same status, deadline and eligibility as on their dashboard', async () => {
    const { body } = await control.in('faces').get('/personas?also=burger-179');
    expect(body.at(-1)).toMatchObject({ slug: 'burger-179', nu: { registraties: [{}, {}] } });
    for (const { slug, nu } of body) {
      if (nu === null) continue;
      const { registration, decisions } = await dashboard(`${slug}@faces`);
      expect([slug, nu.status, nu.uhd, nu.eligible, nu.reason]).toEqual([
        slug,
        registration?.status.tag ?? null,
        registration?.status.herregistratieDatum ?? null,
        decisions.eligibleForHerregistratie,
        decisions.herregistratieReason,
      ]);
    }
  });

  it('are in the situations that follow from their requests', async () => {
    await control.in('later').post('/reset', { begin: '2026-06-01' });
    const situaties = async (slug: string): Promise<string[]> =>
      (await control.in('later').get('/personas')).body.find((one: { slug: string }) => one.slug === slug).situaties;
    await service.post('/api/v1/herregistraties', 'sanne-de-wit@later', { uren: 2_600 });
    expect(await situaties('sanne-de-wit')).toEqual(['aan-de-beurt', 'aanvraag-loopt']);
    await control.in('later').post('/clock', { set: '2026-12-01' });
    // Joost did not apply, and Sanne did.
    expect(await situaties('joost-van-buren')).toEqual(
      expect.arrayContaining(['doorgehaald', 'niet-geherregistreerd']),
    );
    expect(await situaties('sanne-de-wit')).toEqual([]);
    await service.post('/api/v1/registrations', 'noor-bakker@later', { diplomaHerkomst: 'duo' });
    await control.in('later').post('/clock', { set: '2026-12-10' });
    expect(await situaties('noor-bakker')).toEqual(['eerste-termijn']);
  });

  it('keep the dates of the day on which they were first used, also for their situations', async () => {
    await control.in('eerder').post('/reset', { begin: '2025-08-01' });
    await service.get('/api/v1/applications', { as: 'ruben-smit@eerder' });
    await control.in('eerder').post('/clock', { real: true });
    const { body } = await control.in('eerder').get('/personas');
    const { nu, situaties } = body.find(({ slug }: { slug: string }) => slug === 'ruben-smit');
    expect([nu.uhd, nu.eligible]).toEqual(['2026-10-01', true]);
    expect(situaties).toContain('aan-de-beurt');
  });

  it('get 200 with the listed headers', async () => {
    const { body } = await control.in('faces').get('/personas');
    for (const { headers, kind } of body) {
      const path = kind === 'professional' ? '/api/v1/dashboard-view' : '/api/v1/brief';
      expect((await service.call('GET', path, { headers })).status).toBe(200);
    }
  });
});

describe('a case of the simulated register', () => {
  it('gives a new deadline when it is granted, and makes the person eligible again when it is rejected', async () => {
    const { referentie } = (await service.post('/api/v1/herregistraties', 'sanne-de-wit@zaken', { uren: 2_600 })).body;
    const world = control.in('zaken');
    const granted = await world.put(`/zaken/${referentie}/besluit`, { uitkomst: 'goedgekeurd' });
    expect(granted.body).toMatchObject({ slug: 'sanne-de-wit', status: 'besloten', besluit: { datum: TODAY } });
    expect((await dashboard('sanne-de-wit@zaken')).registration.status.herregistratieDatum).toBe('2031-06-01');
    expect(await mine('sanne-de-wit@zaken')).toMatchObject([{ tag: 'Goedgekeurd' }]);
    await world.put(`/zaken/${referentie}/besluit`, { uitkomst: 'afgewezen', reden: 'Te laat.' });
    expect((await dashboard('sanne-de-wit@zaken')).decisions.eligibleForHerregistratie).toBe(true);
    expect(await mine('sanne-de-wit@zaken')).toMatchObject([{ tag: 'Afgewezen', reden: 'Te laat.' }]);
    await world.put(`/zaken/${referentie}/besluit`, { uitkomst: 'afgewezen', reden: ' ' });
    expect(await mine('sanne-de-wit@zaken')).toMatchObject([{ reden: 'De aanvraag voldoet niet aan de voorwaarden.' }]);
  });

  it('that exists from the start can be decided and reopened', async () => {
    const world = control.in('zaken2');
    const [lotte] = (await world.get('/zaken')).body;
    expect(lotte).toMatchObject({ slug: 'lotte-van-dijk', status: 'in-behandeling', besluit: null });
    await world.put(`/zaken/${lotte.referentie}/besluit`, { uitkomst: 'afgewezen' });
    expect((await dashboard('lotte-van-dijk@zaken2')).decisions.eligibleForHerregistratie).toBe(true);
    expect(await mine('lotte-van-dijk@zaken2')).toMatchObject([{ tag: 'Afgewezen' }]);
    await world.delete(`/zaken/${lotte.referentie}/besluit`);
    expect((await dashboard('lotte-van-dijk@zaken2')).decisions.herregistratieReason).toMatch(/loopt/);
    expect(await mine('lotte-van-dijk@zaken2')).toMatchObject([{ tag: 'InBehandeling' }]);
    // Also before the service has stored the request of the fixture, which has a decision.
    await world.delete('/zaken/INT-2026-000064/besluit');
    const rubens = await mine('ruben-smit@zaken2');
    expect(rubens.filter(({ tag }: { tag: string }) => tag !== 'Concept')).toMatchObject([{ tag: 'InBehandeling' }]);
  });

  it('keeps its decision beside an undecided one of its kind: another decision and none are 409 lopende-aanvraag', async () => {
    const world = control.in('zaken5');
    await service.post('/api/v1/intakes', 'ruben-smit@zaken5', { uren: 2_600 });
    for (const { status, body } of [
      await world.delete('/zaken/INT-2026-000064/besluit'),
      await world.put('/zaken/INT-2026-000064/besluit', { uitkomst: 'goedgekeurd' }),
    ])
      expect([status, body.code]).toEqual([409, 'lopende-aanvraag']);
    const refused = (await world.get('/zaken')).body.find(
      ({ referentie }: { referentie: string }) => referentie === 'INT-2026-000064',
    );
    expect(refused.besluit.uitkomst).toBe('afgewezen');
  });

  it.each([
    [{}, 'Buiten behandeling gesteld: de aanvraag was niet compleet'],
    [{ reden: 'De gegevens ontbreken.' }, 'Buiten behandeling gesteld: De gegevens ontbreken.'],
  ])('that is not considered, with %j, is Afgewezen with that reason or a general one', async (more, reden) => {
    const world = `zaken6-${'reden' in more ? 'reden' : 'zonder'}`;
    const besluit = { uitkomst: 'buiten-behandeling', ...more };
    const decide = () => control.in(world).put('/zaken/HER-2026-000118/besluit', besluit);
    expect((await decide()).body.code).toBe('besluit-ongegrond');
    await control.in(world).put('/brief', { tag: 'sent', templateId: 'aanvulling-gevraagd' });
    expect((await decide()).body.code).toBe('besluit-ongegrond');
    await control.in(world).post('/clock', { move: '+2months' });
    expect((await decide()).status).toBe(200);
    expect(await mine(`lotte-van-dijk@${world}`)).toMatchObject([{ tag: 'Afgewezen', reden }]);
  });

  it('is shown with its decision on the card of the persona before the persona reads it', async () => {
    const world = control.in('zaken4');
    await world.put('/zaken/HER-2026-000118/besluit', { uitkomst: 'afgewezen' });
    const lotte = (await world.get('/personas')).body.find(({ slug }: { slug: string }) => slug === 'lotte-van-dijk');
    expect(lotte.nu.aanvragen).toEqual([{ referentie: 'HER-2026-000118', type: 'herregistratie', tag: 'Afgewezen' }]);
  });

  it('that does not exist is refused with 404 zaak-onbekend and the existing cases', async () => {
    const { status, body } = await control.in('zaken3').put('/zaken/HER-1/besluit', { uitkomst: 'goedgekeurd' });
    expect([status, body.code]).toEqual([404, 'zaak-onbekend']);
    expect(body.detail).toMatch(/HER-2026-000118/);
  });
});

describe('a change of the letter by the control API', () => {
  it('that the service refuses is 409 with each reason of the service, and leaves the letter as it was', async () => {
    const world = control.in('reden');
    await world.post('/reset', { begin: '2026-06-01' });
    const { body: before } = await world.put('/brief', { tag: 'rejected' });
    await world.put('/zaken/HER-2026-000118/besluit', { uitkomst: 'afgewezen', reden: 'x' });
    const { status, body } = await world.put('/brief', { tag: 'approved', uitkomst: 'afgewezen' });
    expect([status, body.code]).toEqual([409, 'brief-niet-te-brengen']);
    expect(body.detail.split('is vandaag al besloten met een andere reden: x')).toHaveLength(2);
    expect((await world.get('/brief')).body).toEqual(before);
  });

  it('to sent is refused on a day before the receipt of its request, with that day', async () => {
    const world = control.in('vroeg');
    await world.post('/reset', { begin: '2026-06-01' });
    const { body: before } = await world.put('/brief', { tag: 'approved' });
    await world.post('/clock', { set: '2026-04-01' });
    const { status, body } = await world.put('/brief', { tag: 'sent' });
    expect([status, body.code]).toEqual([409, 'nog-niet-ontvangen']);
    expect(body.detail).toContain('Zet de klok op 20 mei 2026 of later.');
    expect((await world.get('/brief')).body).toEqual(before);
  });

  it('that is made twice at the same time succeeds, and is not undone by the one that fails', async () => {
    const world = control.in('tegelijk');
    await world.put('/brief', { tag: 'draft' });
    const change = () => world.put('/brief', { tag: 'approved' });
    const replies = await Promise.all([change(), change()]);
    expect(replies.map(({ status }) => status)).toContain(200);
    expect((await world.get('/brief')).body.tag).toBe('approved');
  });

  it('succeeds during a scenario, and keeps a clock change that was made meanwhile', async () => {
    const world = control.in('meanwhile');
    await world.put('/scenarios/register-down');
    const brought = world.put('/brief', { tag: 'approved' });
    await setTimeout(20);
    await world.post('/clock', { set: '2031-01-01' });
    expect((await brought).status).toBe(200);
    expect((await world.get()).body).toMatchObject({ clock: { today: '2031-01-01' }, scenarios: ['register-down'] });
  });

  it('keeps scenarios that were switched on or off meanwhile', async () => {
    const world = control.in('brief-scenario');
    await world.put('/scenarios/register-down');
    const brought = world.put('/brief', { tag: 'sent' });
    await setTimeout(5);
    await world.delete('/scenarios/register-down');
    await world.put('/scenarios/duo-slow');
    expect((await brought).status).toBe(200);
    expect((await world.get()).body.scenarios).toEqual(['duo-slow']);
  });

  it('does not restore scenarios that a reset removed meanwhile', async () => {
    const world = control.in('brief-reset');
    await world.put('/scenarios/register-down');
    const brought = world.put('/brief', { tag: 'sent' });
    await setTimeout(5);
    await world.post('/reset');
    await brought;
    expect((await world.get()).body).toMatchObject({ scenarios: [], faults: [] });
  });

  it.each(['submitted', 'approved', 'rejected', 'sent', 'draft'])('to %s works from submitted or sent', async (tag) => {
    const world = control.in(`brief-${tag}`);
    expect((await world.get('/brief')).body).toBeNull();
    for (const before of ['submitted', 'sent']) {
      await world.put('/brief', { tag: before });
      expect((await world.put('/brief', { tag })).body).toMatchObject({ tag, referentie: 'HER-2026-000118' });
    }
    const headers = { authorization: 'Bearer x', 'x-subject': `drafter-dana@brief-${tag}` };
    expect((await service.call('GET', '/api/v1/brief', { headers })).body.brief.status.tag).toBe(tag);
  });

  it('about a request that has no letter, or with the template of another request, is refused with 409 and changes nothing', async () => {
    const world = control.in('brief-other');
    const send = (path: string, who: string, body: object) => service.post(path, `${who}@brief-other`, body);
    const intake = (await send('/api/v1/intakes', 'noor-bakker', { uren: 3000 })).body.referentie;
    const documents = byPost('diploma-gewaarmerkt', 'identiteitsbewijs');
    const request = { diplomaHerkomst: 'handmatig', documents };
    const stranger = (await send('/api/v1/registrations', 'admin-ali', request)).body.referentie;
    const bring = (letter: object) => refusalOf(world.put('/brief', { tag: 'sent', ...letter }));
    for (const referentie of [intake, stranger, 'INT-2026-000064'])
      expect(await bring({ referentie })).toEqual([409, 'zaak-zonder-brief']);
    const about = { referentie: 'HER-2026-000118', templateId: 'registratie-besluit' };
    expect(await bring(about)).toEqual([409, 'sjabloon-past-niet']);
    expect((await world.get('/brief')).body).toBeNull();
  });

  it('that does not consider a request names the day and the term of the letter that asked to complete it', async () => {
    const world = control.in('brief-twee');
    const about = { referentie: 'HER-2026-000118' };
    await world.post('/clock', { set: '2026-06-20' });
    await world.put('/brief', { tag: 'sent', ...about, templateId: 'aanvulling-gevraagd' });
    const textOn = async (day: string) => {
      await world.post('/clock', { set: day });
      await world.put('/brief', { tag: 'submitted', ...about, uitkomst: 'buiten-behandeling' });
      const headers = { authorization: 'Bearer x', 'x-subject': 'drafter-dana@brief-twee' };
      const { sections } = (await service.call('GET', '/api/v1/brief', { headers })).body.brief;
      return sectionTextOf(sections, 'motivering');
    };
    const text = await textOn('2026-08-10');
    expect(text).toContain('Op 20 juni 2026 hebben wij u gevraagd');
    // Six weeks later is a Saturday.
    expect(text).toContain('U kon dat doen tot en met 3 augustus 2026.');
  });

  it('that refuses a request counts fewer hours than the applicant stated', async () => {
    const as = 'joost-van-buren@brief-uren';
    const documents = [{ categoryId: 'werkervaring', channel: 'post' }];
    const { referentie } = (await service.post('/api/v1/herregistraties', as, { uren: 1_400, documents })).body;
    await control.in('brief-uren').put('/brief', { tag: 'submitted', referentie, uitkomst: 'afgewezen' });
    const { sections } = (await service.get('/api/v1/brief', { as })).body.brief;
    expect(sectionTextOf(sections, 'motivering')).toContain('Het aantal uren dat meetelt is 1.050.');
  });

  it('succeeds during faults, which stay on afterwards', async () => {
    const world = control.in('brief-away');
    await world.put('/scenarios/register-down');
    await world.post('/faults', { upstream: 'brp', kind: 'hang' });
    expect((await world.put('/brief', { tag: 'sent' })).body.tag).toBe('sent');
    expect((await world.get()).body.faults).toHaveLength(2);
    expect((await service.get('/api/v1/dashboard-view', { as: 'sanne-de-wit@brief-away' })).status).toBe(503);
  });
});

describe('a change of an upload by the control API', () => {
  it('to each state is visible to its owner', async () => {
    const world = control.in('papers');
    const mine = (await world.get('/uploads')).body.filter(({ slug }: { slug: string }) => slug === 'ruben-smit');
    const states = mine.map(({ state }: { state: string }) => state).sort();
    expect(states).toEqual(['pending', 'rejected', 'uploaded', 'uploaded']);
    const { documentId, localId } = mine.find(({ state }: { state: string }) => state === 'pending');
    for (const state of ['uploaded', 'rejected', 'uploaded', 'pending', 'rejected']) {
      expect((await world.put(`/uploads/${documentId}`, { state })).body.state).toBe(state);
      const { body } = await service.get(`/api/v1/uploads/status?localIds=${localId}`, { as: 'ruben-smit@papers' });
      expect(body.results[0].status).toBe(state);
      const content = await service.get(`/api/v1/uploads/${documentId}/content`, { as: 'ruben-smit@papers' });
      expect(content.status).toBe(state === 'uploaded' ? 200 : 404);
    }
  });

  it('is refused with document-in-gebruik for a document of a submitted request', async () => {
    const world = control.in('papers2');
    await service.get('/api/v1/applications', { as: 'ruben-smit@papers2' });
    const old = (await world.get('/uploads')).body.find(
      ({ localId }: { localId: string }) => localId === 'oud-certificaat',
    );
    expect((await world.put(`/uploads/${old.documentId}`, { state: 'pending' })).body.code).toBe('document-in-gebruik');
  });
});

describe('a step of a demonstration', () => {
  it('leaves on exactly its own faults and those of scenarios, and names an impossible fault', async () => {
    const stage = control.in('stap');
    await stage.put('/scenarios/duo-slow');
    await stage.post('/faults', { upstream: 'register', kind: 'hang' });
    const step = { title: 'Storing', persona: 'sanne-de-wit', faults: [{ upstream: 'brp', kind: 'reset' }] };
    const { world } = (await stage.post('/step', step)).body;
    expect(world.faults.filter(({ scenario }: { scenario: string | null }) => scenario === null)).toEqual([
      expect.objectContaining({ upstream: 'brp', kind: 'reset' }),
    ]);
    expect(world.scenarios).toEqual(['duo-slow']);
    expect(await stage.post('/step', { ...step, faults: [{ upstream: 'brp', kind: 'problem' }] })).toMatchObject({
      status: 400,
      body: { code: 'storing-onmogelijk' },
    });
  });

  it.each(['@evil.example/', '.evil.example/', '//evil.example/'])(
    'is refused with the path %s, with which the headers of the persona would go to another server',
    async (path) => {
      const step = { title: 'Elders', persona: 'sanne-de-wit', path };
      expect((await control.in('stap-elders').post('/step', step)).body.errors).toMatchObject([{ pointer: '/path' }]);
      expect((await control.in('stap-elders').post('/step', { ...step, path: `/x${path}` })).status).toBe(200);
    },
  );

  it('can bring the letter to a status with another template', async () => {
    const brief = { tag: 'submitted', templateId: 'aanvulling-gevraagd' };
    expect(
      (await control.in('stap-brief').post('/step', { title: 'Brief', persona: 'drafter-dana', brief })).status,
    ).toBe(200);
    expect((await control.in('stap-brief').get('/brief')).body.tag).toBe('submitted');
  });
});

it('each built-in demonstration plays from the first step to the last, and again with the same answers', async () => {
  const { body: demos } = await control.call('GET', '/demos');
  expect(demos.length).toBeGreaterThan(1);
  for (const { name, steps } of demos) {
    const told: string[][] = [];
    // The first one shows that a demonstration can be played again.
    for (const round of EVERY_CASE || name === demos[0].name ? [1, 2] : [1]) {
      const answers: string[] = [];
      for (const step of steps) {
        const done = await control.in(name).post('/step', step);
        expect([round, step.title, done.status]).toEqual([round, step.title, 200]);
        if (step.path === undefined) continue;
        const answer = await service.call(step.method ?? 'GET', step.path, {
          headers: done.body.headers,
          ...(step.body !== undefined && { json: step.body }),
        });
        answers.push(
          `${step.title} ${answer.status} ${JSON.stringify(answer.body).replace(/"(instance|traceId)":"[^"]*",?/g, '')}`,
        );
      }
      told.push(answers);
    }
    expect(told.at(-1)).toEqual(told[0]);
    const entries = (await control.in(name).get('/journal')).body;
    expect(entries.length).toBeGreaterThan(2);
    expect(entries.flatMap(({ breach = [] }: { breach?: string[] }) => breach)).toEqual([]);
  }
});
