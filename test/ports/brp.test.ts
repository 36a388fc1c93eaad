import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { type ScriptedServer, sendJson, startScriptedServer } from '../support/upstreams/scripted-server.ts';

/** A number that passes the 11-test and that no persona has. The scripted BRP answers about it. */
const BSN = '123456782';

let brp: ScriptedServer;
let service: TestService;
const serve = () =>
  startService({
    BRP_UPSTREAM: `${brp.url}/api/brp/personen`,
    BRP_API_KEY: 'key-1',
    BRP_HEADERS: '{"x-origin-oin":"00000001"}',
  });
beforeAll(async () => {
  brp = await startScriptedServer((_, response) =>
    sendJson(response, { type: 'RaadpleegMetBurgerservicenummer', personen: [] }),
  );
  service = await serve();
});
afterAll(() => Promise.all([service.close(), brp.close()]));

type Members = Record<string, unknown>;

const answerWith = (persoon: Members | null): void => {
  const personen = persoon === null ? [] : [{ burgerservicenummer: BSN, ...persoon }];
  brp.answer = (_, response) => sendJson(response, { type: 'RaadpleegMetBurgerservicenummer', personen });
};
const address = async () => service.get('/api/v1/brp/address', { as: BSN });
const person = async () => (await service.get('/api/v1/dashboard-view', { as: BSN })).body.person;

const utrecht = { code: '0344', omschrijving: 'Utrecht' };
const living = (verblijfadres: Members, more: Members = {}): Members => ({
  verblijfplaats: { type: 'Adres', verblijfadres, ...more },
  gemeenteVanInschrijving: utrecht,
});
const street = { korteStraatnaam: 'Lindelaan', huisnummer: 3 };

describe('the request to the BRP', () => {
  it.each([
    { has: 'no path', path: '', url: '/' },
    { has: 'a slash at its end', path: '/api/brp/personen/', url: '/api/brp/personen/' },
  ])('goes to the path $url when the configured URL has $has', async ({ path, url }) => {
    const own = await startService({ BRP_UPSTREAM: brp.url + path });
    answerWith(null);
    brp.received.length = 0;
    expect((await own.get('/api/v1/brp/address', { as: BSN })).status).toBe(200);
    expect(brp.received).toMatchObject([{ method: 'POST', url }]);
    await own.close();
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
      fields: ['burgerservicenummer', 'verblijfplaats.verblijfadres', 'gemeenteVanInschrijving', ...more],
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
    expect((await address()).body).toEqual({
      gevonden: true,
      adres: { straat, postcode: '3511 AB', woonplaats: 'Utrecht' },
    });
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

describe('GET /brp/address', () => {
  it.each<[string, Members | null]>([
    ['whom the BRP does not know', null],
    ['without any data', {}],
    ['with an empty address', living({})],
    ['without a street name', living({ huisnummer: 3 })],
    ['with "." as street name', living({ korteStraatnaam: '.', huisnummer: 3 })],
    ['with house number 0', living({ korteStraatnaam: 'Lindelaan', huisnummer: 0 })],
    ['without a house number', living({ korteStraatnaam: 'Lindelaan' })],
    [
      'who was established not to live at the address',
      living(street, { indicatieVastgesteldVerblijftNietOpAdres: true }),
    ],
    [
      'who is deceased',
      { ...living(street), opschortingBijhouding: { reden: { code: 'O', omschrijving: 'overlijden' } } },
    ],
    [
      'with a description of a location as address, such as a houseboat',
      { verblijfplaats: { type: 'Locatie', verblijfadres: { locatiebeschrijving: 'woonschip' } } },
    ],
    [
      'who lives abroad',
      {
        verblijfplaats: {
          type: 'VerblijfplaatsBuitenland',
          verblijfadres: { regel1: 'Rue 1', land: { code: '5010' } },
        },
      },
    ],
    [
      'who is a non-resident with a Dutch address',
      {
        verblijfplaats: {
          type: 'VerblijfplaatsBuitenland',
          verblijfadres: { regel1: 'Lindelaan 3', land: { code: '6030' } },
        },
      },
    ],
    ['whose country is unknown', { verblijfplaats: { type: 'VerblijfplaatsOnbekend' } }],
  ])('answers gevonden: false for a person %s', async (_, persoon) => {
    answerWith(persoon);
    expect((await address()).body).toEqual({ gevonden: false, adres: null });
  });

  it.each<[string, Members]>([
    [
      'under investigation',
      living({ ...street, inOnderzoek: { korteStraatnaam: true } }, { inOnderzoek: { type: true } }),
    ],
    ['that is secret', { ...living(street), geheimhoudingPersoonsgegevens: true }],
    ['of a person who emigrated later', { ...living(street), opschortingBijhouding: { reden: { code: 'E' } } }],
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
    [{}, null],
    [undefined, null],
  ])('with the name %j in the BRP has the naam %s', async (naam, expected) => {
    answerWith(naam === undefined ? {} : { naam });
    expect((await person()).naam).toBe(expected);
  });
});

describe('a BRP response', () => {
  // A new service for each test: after so many invalid responses its circuit breaker would open.
  let usual: TestService;
  beforeEach(async () => {
    usual = service;
    service = await serve();
  });
  afterEach(async () => {
    await service.close();
    service = usual;
  });

  it.each<[string, ScriptedServer['answer']]>([
    [
      'about another person',
      (_, response) =>
        sendJson(response, {
          type: 'RaadpleegMetBurgerservicenummer',
          personen: [{ burgerservicenummer: '999990007' }],
        }),
    ],
    [
      'about two people',
      (_, response) =>
        sendJson(response, {
          type: 'RaadpleegMetBurgerservicenummer',
          personen: [{ burgerservicenummer: BSN }, { burgerservicenummer: BSN }],
        }),
    ],
    [
      'about a person without a burgerservicenummer',
      (_, response) => sendJson(response, { type: 'RaadpleegMetBurgerservicenummer', personen: [{}] }),
    ],
    ['of another type', (_, response) => sendJson(response, { type: 'ZoekMetPostcodeEnHuisnummer', personen: [] })],
    [
      'with null instead of an object',
      (_, response) =>
        sendJson(response, {
          type: 'RaadpleegMetBurgerservicenummer',
          personen: [{ burgerservicenummer: BSN, opschortingBijhouding: null }],
        }),
    ],
    [
      'with a string as house number',
      (_, response) =>
        sendJson(response, {
          type: 'RaadpleegMetBurgerservicenummer',
          personen: [{ burgerservicenummer: BSN, ...living({ huisnummer: '3' }) }],
        }),
    ],
    [
      'in HTML from a gateway',
      (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Onderhoud</html>'),
    ],
    ['without a body', (_, response) => response.writeHead(200).end()],
    [
      'that ends before its Content-Length',
      (_, response) => response.writeHead(200, { 'content-length': '500' }).end('{"type"'),
    ],
    ['that is a redirect (302)', (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
  ])('%s gives 502 bron-antwoord-ongeldig', async (_, answer) => {
    brp.answer = answer;
    const { status, body } = await address();
    expect(status).toBe(502);
    expect(body).toMatchObject({ code: 'bron-antwoord-ongeldig', bron: 'brp' });
    expect(JSON.stringify(body)).not.toContain(BSN);
  });

  it.each([400, 401, 403, 404, 406, 415, 429, 500, 501, 503])(
    'with status %i gives 503 bron-niet-beschikbaar with Retry-After',
    async (status) => {
      brp.answer = (_, response) => sendJson(response, { title: 'secret of the source', status }, status);
      const reply = await address();
      expect(reply.status).toBe(503);
      expect(reply.headers['retry-after']).toBe('5');
      expect(reply.body).toMatchObject({ code: 'bron-niet-beschikbaar', bron: 'brp' });
      expect(JSON.stringify(reply.body)).not.toContain('secret');
    },
  );
});
