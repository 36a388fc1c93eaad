import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLetterClient } from '../support/letter.ts';
import { callAndLog, keep, startService, type TestService, use } from '../support/service.ts';
import { fakeTimers } from '../support/time.ts';
import { type ScriptedServer, sendJson, startScriptedServer } from '../support/upstreams/scripted-server.ts';

/** A number that passes the 11-test and that no persona has. The scripted BRP answers about it. */
const BSN = '123456782';

const brp = await use(startScriptedServer((_, response) => response.end()));
const serve = () =>
  startService({
    BRP_UPSTREAM: `${brp.url}/api/brp/personen`,
    BRP_API_KEY: 'key-1',
    BRP_HEADERS: '{"x-origin-oin":"00000001"}',
  });
let service = await use(serve());

type Members = Record<string, unknown>;

const about =
  (...personen: Members[]): ScriptedServer['answer'] =>
  (_, response) =>
    sendJson(response, { type: 'RaadpleegMetBurgerservicenummer', personen });
const answerWith = (persoon: Members | null): void => {
  brp.answer = persoon === null ? about() : about({ burgerservicenummer: BSN, ...persoon });
};
const address = async () => service.get('/api/v1/brp/address', { as: BSN });
const person = async () => (await service.get('/api/v1/dashboard-view', { as: BSN })).body.person;

const utrecht = { code: '0344', omschrijving: 'Utrecht' };
const living = (verblijfadres: Members, more: Members = {}): Members => ({
  verblijfplaats: { type: 'Adres', verblijfadres, ...more },
  gemeenteVanInschrijving: utrecht,
});
const street = { korteStraatnaam: 'Lindelaan', huisnummer: 3 };
const abroad = (regel1: string, code: string): Members => ({
  verblijfplaats: { type: 'VerblijfplaatsBuitenland', verblijfadres: { regel1, land: { code } } },
});

const suspended = (code: string): Members => ({ opschortingBijhouding: { reden: { code, omschrijving: 'x' } } });

describe('the request to the BRP', () => {
  it.each([
    { has: 'no path', path: '', url: '/' },
    { has: 'a slash at its end', path: '/api/brp/personen/', url: '/api/brp/personen/' },
  ])('goes to the path $url when the configured URL has $has', async ({ path, url }) => {
    const own = keep(await startService({ BRP_UPSTREAM: brp.url + path }));
    answerWith(null);
    brp.received.length = 0;
    expect((await own.get('/api/v1/brp/address', { as: BSN })).status).toBe(200);
    expect(brp.received).toMatchObject([{ method: 'POST', url }]);
  });

  it.each([
    ['GET', '/brp/address', []],
    ['POST', '/change-requests', []],
    ['GET', '/dashboard-view', ['naam.volledigeNaam', 'geboorte.datum']],
  ] as const)('of %s %s asks about one person only what it needs, in the body', async (method, path, more) => {
    answerWith(null);
    brp.received.length = 0;
    const json = { straat: 'Lindelaan 3', postcode: '3511AB', woonplaats: 'Utrecht' };
    await service.call(method, `/api/v1${path}`, { as: BSN, ...(method === 'POST' && { json }) });
    const [asked] = brp.received;
    expect(asked).toMatchObject({ method: 'POST', url: '/api/brp/personen' });
    expect(JSON.parse(asked?.body ?? '')).toEqual({
      type: 'RaadpleegMetBurgerservicenummer',
      burgerservicenummer: [BSN],
      fields: [
        'burgerservicenummer',
        'verblijfplaats.verblijfadres',
        'gemeenteVanInschrijving',
        'overlijden.datum',
        ...more,
      ],
    });
    const { host, connection, 'content-length': length, traceparent, ...headers } = asked?.headers ?? {};
    expect(headers).toEqual({
      accept: 'application/json',
      'content-type': 'application/json',
      'x-api-key': 'key-1',
      'x-origin-oin': '00000001',
    });
  });
});

it('the headers of a request to the BRP have the purpose of a letter for its addressee, and otherwise that of the person', async () => {
  const own = keep(
    await startService({
      BRP_UPSTREAM: `${brp.url}/personen`,
      BRP_HEADERS: '{"x-doelbinding":"inzage","x-verwerking":"Mijn register","x-gebruiker":"BurgerZelf"}',
      BRP_LETTER_HEADERS: '{"X-Doelbinding":"besluit","X-Gebruiker":"Ren%C3%A9e"}',
    }),
  );
  answerWith(null);
  brp.received.length = 0;
  await own.get('/api/v1/brp/address', { as: BSN });
  await createLetterClient(own).get('dana');
  const purposes = brp.received.map(({ headers }) =>
    ['doelbinding', 'verwerking', 'gebruiker'].map((x) => headers[`x-${x}`]),
  );
  expect(purposes).toEqual([
    ['inzage', 'Mijn register', 'BurgerZelf'],
    ['besluit', 'Mijn register', 'Ren%C3%A9e'],
  ]);
});

describe('an address of the BRP', () => {
  it.each([
    [{}, 'Lindelaan 3'],
    [{ huisletter: 'A' }, 'Lindelaan 3 A'],
    [{ huisletter: 'L', huisnummertoevoeging: 'III' }, 'Lindelaan 3 LIII'],
    [{ huisletter: 'B', huisnummertoevoeging: '2' }, 'Lindelaan 3 B2'],
    [{ huisnummertoevoeging: '2' }, 'Lindelaan 3-2'],
    [{ huisnummertoevoeging: 'III' }, 'Lindelaan 3 III'],
    [{ aanduidingBijHuisnummer: { code: 'to', omschrijving: 'tegenover' } }, 'Lindelaan t/o 3'],
    [{ aanduidingBijHuisnummer: { code: 'by', omschrijving: 'bij' }, huisletter: 'C' }, 'Lindelaan bij 3 C'],
    [{ korteStraatnaam: '  Burg  v Oosterhoutln ' }, 'Burg v Oosterhoutln 3'],
    [{ officieleStraatnaam: 'Lindel&amp;n' }, 'Lindelaan 3'],
  ])('with %j has the straat "%s"', async (members, straat) => {
    answerWith(living({ ...street, postcode: '3511ab', woonplaats: 'Utrecht', ...members }));
    const adres = { straat, postcode: '3511 AB', woonplaats: 'Utrecht' };
    expect((await address()).body).toEqual({ gevonden: true, adres });
  });

  it.each([
    ['the municipality when the BRP gives no town', {}, 'Utrecht'],
    ['the town when the BRP gives one', { woonplaats: 'De Meern' }, 'De Meern'],
    [
      'null for municipality 1999 (RNI), which is not a town',
      { gemeenteVanInschrijving: { code: '1999', omschrijving: 'RNI' } },
      null,
    ],
  ])('has as its woonplaats %s', async (_, { gemeenteVanInschrijving, ...members }: Members, woonplaats) => {
    answerWith({
      ...living({ ...street, ...members }),
      ...(gemeenteVanInschrijving !== undefined && { gemeenteVanInschrijving }),
    });
    expect((await address()).body.adres).toEqual({ straat: 'Lindelaan 3', postcode: null, woonplaats });
  });
});

describe('null in an answer of the BRP', () => {
  const all = { ...street, postcode: '3511AB', woonplaats: 'Utrecht' };
  it.each<[string, Members, object]>([
    ['as house letter and addition', { huisletter: null, huisnummertoevoeging: null }, {}],
    ['as house number prefix', { aanduidingBijHuisnummer: null }, {}],
    ['as house number prefix code', { aanduidingBijHuisnummer: { code: null } }, {}],
    ['as postcode', { postcode: null }, { postcode: null }],
    ['as town', { woonplaats: null }, {}],
  ])('%s counts as absent', async (_, members, expected) => {
    answerWith(living({ ...all, ...members }, { indicatieVastgesteldVerblijftNietOpAdres: null }));
    expect((await address()).body).toEqual({
      gevonden: true,
      adres: { straat: 'Lindelaan 3', postcode: '3511 AB', woonplaats: 'Utrecht', ...expected },
    });
  });

  it.each<[string, Members]>([
    ['as street', living({ ...all, korteStraatnaam: null })],
    ['as house number', living({ ...all, huisnummer: null })],
    ['as address', { verblijfplaats: { type: 'Adres', verblijfadres: null } }],
    ['as residence', { verblijfplaats: null, naam: null, geboorte: null, gemeenteVanInschrijving: null }],
  ])('%s gives no address', async (_, persoon) => {
    answerWith(persoon);
    expect(await address()).toMatchObject({ status: 200, body: { gevonden: false, adres: null } });
  });
});

describe('GET /brp/address', () => {
  it.each<[string, Members | null]>([
    ['whom the BRP does not know', null],
    ['without any data', {}],
    ['with an empty address', living({})],
    ['without a street name', living({ huisnummer: 3 })],
    ['with "." as street name', living({ korteStraatnaam: '.', huisnummer: 3 })],
    ['with house number 0', living({ korteStraatnaam: 'Lindelaan', huisnummer: 0 })],
    ['without a house number', living({ korteStraatnaam: 'Lindelaan' })],
    ['who does not live at the address', living(street, { indicatieVastgesteldVerblijftNietOpAdres: true })],
    ['who is deceased', { ...living(street), ...suspended('O') }],
    ...[
      { type: 'Datum', datum: '2026-03-01' },
      { type: 'JaarDatum', jaar: 2026 },
      { type: 'DatumOnbekend', onbekend: true },
    ].map((datum): [string, Members] => [
      `who is a non-resident who died, ${datum.type}`,
      { ...living(street), ...suspended('R'), overlijden: { datum } },
    ]),
    [
      'with a description of a location as address, such as a houseboat',
      { verblijfplaats: { type: 'Locatie', verblijfadres: { locatiebeschrijving: 'woonschip' } } },
    ],
    ['who lives abroad', abroad('Rue 1', '5010')],
    ['who is a non-resident with a Dutch address', abroad('Lindelaan 3', '6030')],
    ['whose country is unknown', { verblijfplaats: { type: 'VerblijfplaatsOnbekend' } }],
    ['of whom only the suspension as an error is given', suspended('F')],
    ['with a country alone', living({ land: { code: '6014' } }, { type: 'VerblijfplaatsBuitenland' })],
    [
      'with an empty residence under investigation',
      {
        verblijfplaats: {
          type: 'Adres',
          inOnderzoek: { type: true },
          verblijfadres: { inOnderzoek: { postcode: true } },
        },
      },
    ],
    [
      'with a municipality and no residence',
      { gemeenteVanInschrijving: utrecht, inOnderzoek: { gemeenteVanInschrijving: true } },
    ],
  ])('answers gevonden: false for a person %s', async (_, persoon) => {
    answerWith(persoon);
    expect((await address()).body).toEqual({ gevonden: false, adres: null });
  });

  it.each<[string, Members]>([
    ['doubted', living({ ...street, inOnderzoek: { korteStraatnaam: true } }, { inOnderzoek: { type: true } })],
    ['that is secret', { ...living(street), geheimhoudingPersoonsgegevens: true }],
    ...['E', 'M', 'R', '.'].map((code): [string, Members] => [
      `whose record is suspended with ${code}`,
      { ...living(street), ...suspended(code) },
    ]),
    ['of a non-resident of whom no death is known', { ...living(street), ...suspended('R'), overlijden: {} }],
    [
      'whose record is suspended for no reason given',
      { ...living(street), opschortingBijhouding: { datum: { type: 'DatumOnbekend', onbekend: true } } },
    ],
    [
      'with participants, a verification and all groups under investigation',
      {
        ...living({ ...street, inOnderzoek: { huisletter: true } }, { inOnderzoek: { type: true } }),
        rni: [{ deelnemer: { code: '0201' }, categorie: 'Persoon' }],
        verificatie: { datum: { type: 'JaarDatum', jaar: 2020 }, omschrijving: 'bewijs nationaliteit' },
        inOnderzoek: { burgerservicenummer: true, gemeenteVanInschrijving: true },
      },
    ],
  ])('answers gevonden: true for an address %s', async (_, persoon) => {
    answerWith(persoon);
    expect((await address()).body.gevonden).toBe(true);
  });
});

describe('the person on the dashboard', () => {
  it.each([
    [{ type: 'Datum', datum: '1984-03-09', langFormaat: '9 maart 1984' }, '1984-03-09'],
    [{ type: 'JaarMaandDatum', jaar: 1971, maand: 5, langFormaat: 'mei 1971' }, null],
    [{ type: 'JaarDatum', jaar: 1963, langFormaat: '1963' }, null],
    [{ type: 'DatumOnbekend', onbekend: true, langFormaat: 'onbekend' }, null],
    [{ type: 'Datum', datum: '1983-02-30' }, null],
    [undefined, null],
  ])('with the date of birth %j in the BRP has the geboortedatum %s', async (datum, geboortedatum) => {
    answerWith({ naam: { volledigeNaam: 'Hanneke van der Wal' }, geboorte: datum ? { datum } : {} });
    expect(await person()).toMatchObject({ naam: 'Hanneke van der Wal', geboortedatum });
  });

  it.each([
    [{ volledigeNaam: "jonkvrouw Eva, «Maria» d'Ancona-Ğ <&@>" }, "jonkvrouw Eva, «Maria» d'Ancona-Ğ <&@>"],
    [{ volledigeNaam: 'Jo Anne  de  Boer ' }, 'Jo Anne de Boer'],
    [{ volledigeNaam: null }, null],
    [{}, null],
    [undefined, null],
  ])('with the name %j in the BRP has the naam %s', async (naam, expected) => {
    answerWith(naam === undefined ? {} : { naam });
    expect((await person()).naam).toBe(expected);
  });
});

describe('a BRP response', () => {
  // A new service for each test: after so many invalid responses its circuit breaker would open.
  const usual = service;
  beforeEach(async () => {
    service = keep(await serve());
  });
  afterEach(() => {
    service = usual;
  });

  it.each<[string, ScriptedServer['answer']]>([
    ['about another person', about({ burgerservicenummer: '999990007' })],
    ['about two people', about({ burgerservicenummer: BSN }, { burgerservicenummer: BSN })],
    ['about a person without a burgerservicenummer', about({})],
    ['of another type', (_, response) => sendJson(response, { type: 'ZoekMetPostcodeEnHuisnummer', personen: [] })],
    ['with null instead of an object', about({ burgerservicenummer: BSN, opschortingBijhouding: null })],
    ['with a string as house number', about({ burgerservicenummer: BSN, ...living({ huisnummer: '3' }) })],
    ['with no type of home', about({ burgerservicenummer: BSN, ...living({ huisnummer: 3 }, { type: undefined }) })],
  ])('%s gives 502 bron-antwoord-ongeldig', async (_, answer) => {
    brp.answer = answer;
    const { reply, line } = await callAndLog(service, 'GET', '/api/v1/brp/address', { as: BSN });
    expect(reply).toMatchObject({ status: 502, body: { code: 'bron-antwoord-ongeldig', bron: 'brp' } });
    expect(JSON.stringify(reply.body)).not.toContain(BSN);
    expect(JSON.stringify(line.error)).toMatch(/brp unreadable: (?!.*\(Invalid input\))/);
  });
});

describe('a BRP that refuses fields', () => {
  const SANNE = '999990007';
  const as = 'sanne-de-wit';
  // A service that has not learned yet which fields are refused.
  let own: TestService;
  beforeEach(async () => {
    own = keep(await serve());
    brp.received.length = 0;
  });
  const fieldsOf = ({ body }: { body: string }): string[] => JSON.parse(body).fields;
  const official = (refused: readonly string[]) =>
    `U bent niet geautoriseerd om de volgende gegevens op te vragen met fields: ${refused.join(', ')}`;

  /** Makes the BRP refuse a request with a field that starts with one of these names. */
  function refuse(
    names: readonly string[],
    detailOf: (refused: readonly string[]) => string | undefined = official,
    code = 'unauthorizedField',
  ): void {
    brp.answer = (request, response) => {
      const fields = fieldsOf(request);
      const refused = fields.filter((field) => names.some((name) => field.startsWith(name)));
      const title = 'U bent niet geautoriseerd voor één of meerdere opgegeven field waarden.';
      if (refused.length > 0) {
        sendJson(response, { title, status: 403, detail: detailOf(refused), code }, 403);
        return;
      }
      const has = (field: string) => fields.includes(field);
      const persoon = {
        burgerservicenummer: SANNE,
        ...(has('naam.volledigeNaam') && { naam: { volledigeNaam: 'Sanne van de BRP' } }),
        ...(has('geboorte.datum') && { geboorte: { datum: { type: 'Datum', datum: '1984-03-09' } } }),
        ...living({ ...street, woonplaats: 'Utrecht' }),
      };
      sendJson(response, { type: 'RaadpleegMetBurgerservicenummer', personen: [persoon] });
    };
  }
  const dashboard = async () => (await own.get('/api/v1/dashboard-view', { as })).body.person;
  const adres = { straat: 'Lindelaan 3', postcode: null, woonplaats: 'Utrecht' };

  it('answers 40 address lookups and 40 dashboards when it refuses the full name, which is then that of the register', async () => {
    refuse(['naam.volledigeNaam']);
    for (let n = 0; n < 40; n += 1) {
      expect(await dashboard()).toEqual({ naam: 'Sanne de Wit', geboortedatum: '1984-03-09', adres });
      expect(await own.get('/api/v1/brp/address', { as })).toMatchObject({ status: 200, body: { adres } });
    }
    // Only the first call was refused: later ones leave the field out.
    expect(brp.received).toHaveLength(81);
    const lines = own.log.filter(({ operation }) => operation === 'dashboardView');
    expect(lines.slice(0, 2)).toMatchObject([
      {
        level: 40,
        status: 200,
        upstream: expect.arrayContaining([
          expect.objectContaining({ outcome: 403, why: 'status 403: unauthorizedField, naam.volledigeNaam' }),
          expect.objectContaining({ bron: 'brp', outcome: 200 }),
        ]),
      },
      { level: 30, status: 200 },
    ]);
  });

  it('shows the name and the date of birth of the register when it refuses both, and neither when it has none', async () => {
    const personen = [{ burgerservicenummer: SANNE, ...living({ ...street, woonplaats: 'Utrecht' }) }];
    brp.answer = about(...personen);
    expect(await dashboard()).toEqual({ naam: null, geboortedatum: null, adres });
    refuse(['naam', 'geboorte']);
    const { person, registration } = (await own.get('/api/v1/dashboard-view', { as })).body;
    expect(person).toEqual({ naam: 'Sanne de Wit', geboortedatum: registration.geboortedatum, adres });
  });

  it.each<[string, (refused: readonly string[]) => string | undefined, number]>([
    ['names one field at a time', ([first = '']) => official([first]), 3],
    ['names no field', () => undefined, 6],
    ['names a group', () => 'Niet toegestaan: naam en geboorte.', 6],
  ])('is asked again until it answers when it $0: $2 calls at first, and one later', async (_, detailOf, calls) => {
    refuse(['naam', 'geboorte'], detailOf);
    expect(await dashboard()).toMatchObject({ naam: 'Sanne de Wit', adres });
    expect(brp.received).toHaveLength(calls);
    expect(await dashboard()).toMatchObject({ naam: 'Sanne de Wit', adres });
    expect(brp.received).toHaveLength(calls + 1);
  });

  it('is asked for the field again after ten minutes, and the name of the BRP returns when it is then authorised', async () => {
    fakeTimers({ toFake: ['performance'] });
    refuse(['naam.volledigeNaam']);
    await dashboard();
    refuse([]);
    vi.advanceTimersByTime(599_000);
    expect(await dashboard()).toMatchObject({ naam: 'Sanne de Wit' });
    vi.advanceTimersByTime(2_000);
    expect(await dashboard()).toMatchObject({ naam: 'Sanne van de BRP' });
  });

  it('keeps the optional fields that it does not refuse, also when it does not name the one that it refuses', async () => {
    refuse(['naam'], () => undefined);
    expect(await dashboard()).toEqual({ naam: 'Sanne de Wit', geboortedatum: '1984-03-09', adres });
  });

  it.each<[string, Parameters<typeof refuse>[1]]>([
    ['and says so', official],
    ['and does not say which field it refuses', () => undefined],
  ])('answers with the town of the address when it refuses the municipality $0', async (_, detailOf) => {
    refuse(['gemeenteVanInschrijving'], detailOf);
    const found = await own.get('/api/v1/brp/address', { as });
    expect(found).toMatchObject({ status: 200, body: { gevonden: true, adres } });
    expect(await dashboard()).toEqual({ naam: 'Sanne van de BRP', geboortedatum: '1984-03-09', adres });
  });

  it('is searched once for the refused field when it refuses a needed one and does not name it', async () => {
    refuse(['verblijfplaats'], () => undefined);
    for (let n = 0; n < 10; n += 1) expect(await dashboard()).toMatchObject({ naam: 'Sanne de Wit', adres: null });
    // One search, for four optional fields.
    expect(brp.received).toHaveLength(14);
  });

  it.each<[string, readonly string[], string]>([
    ['a field that the address needs', ['verblijfplaats.verblijfadres'], 'unauthorizedField'],
    ['the whole API', [''], 'unauthorized'],
    ['the question by number', [''], 'unauthorizedParameter'],
  ])('gives 503 for the address, once asked, when it refuses %s', async (_, names, code) => {
    refuse(names, undefined, code);
    const reply = await own.get('/api/v1/brp/address', { as });
    expect([reply.status, reply.body.bron, brp.received.length]).toEqual([503, 'brp', 1]);
    expect(await dashboard()).toMatchObject({ naam: 'Sanne de Wit', adres: null });
    expect(brp.received).toHaveLength(2);
  });

  it.each<[string, number, object, string]>([
    [
      'the code and the fields that it names',
      403,
      { code: 'unauthorizedField', title: 'Niet geautoriseerd', detail: official(['verblijfplaats.verblijfadres']) },
      'status 403: unauthorizedField, verblijfplaats.verblijfadres',
    ],
    [
      'the code and all requested fields, when it names none',
      403,
      { code: 'unauthorizedField', title: 'Niet geautoriseerd' },
      'status 403: unauthorizedField, one of burgerservicenummer verblijfplaats.verblijfadres',
    ],
    [
      'the code, and the field at each wrong position of the list',
      400,
      {
        code: 'paramsValidation',
        invalidParams: [
          { name: 'fields[1]', code: 'fields', reason: 'Parameter bevat een niet toegestane veldnaam.' },
          { name: `burgerservicenummer[0]`, code: 'pattern', reason: `${SANNE} voldoet niet` },
          { name: SANNE, code: SANNE },
        ],
      },
      'status 400: paramsValidation, verblijfplaats.verblijfadres fields, burgerservicenummer pattern, …',
    ],
    [
      'the title without what can be a name or a number, when there is no code',
      400,
      { title: `De bevraging van Sanne de Wit, ${SANNE}, bevat een fout.`, detail: SANNE },
      'status 400: "… bevraging van … de … … bevat een fout."',
    ],
    ['only the status, when the body is a page', 403, [], 'status 403'],
  ])('has in the log of a request that it refuses %s', async (_, status, body, why) => {
    brp.answer = (__, response) => sendJson(response, body, status);
    expect((await own.get('/api/v1/brp/address', { as })).status).toBe(503);
    const line = own.log.findLast(({ operation }) => operation === 'brpAddress');
    expect(line).toMatchObject({ error: { message: `brp unavailable: ${why}` } });
    expect(line?.upstream).toContainEqual(expect.objectContaining({ outcome: status, why }));
    expect(JSON.stringify(line)).not.toMatch(/999990007|Sanne/);
  });
});
