/** Checks what the service does with values of upstreams that it does not understand (architecture.md). */
import { readdirSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createBrp } from '../../adapters/brp/index.ts';
import { BrpAntwoordWire } from '../../adapters/brp/wire.ts';
import { createDocuments } from '../../adapters/documents/index.ts';
import { DocumentWire, LijstWire } from '../../adapters/documents/wire.ts';
import { createDuo } from '../../adapters/duo/index.ts';
import { DuoAntwoordWire } from '../../adapters/duo/wire.ts';
import { createHttpClient, type HttpClient } from '../../adapters/http/client.ts';
import { createBrieven } from '../../adapters/register/brieven/index.ts';
import { OpdrachtWire, PassageWire, SjabloonWire, VerzondenWire } from '../../adapters/register/brieven/wire.ts';
import { createRegister } from '../../adapters/register/index.ts';
import {
  AantekeningWire,
  CorrespondentieadresWire,
  OntvangstWire,
  RegistratieWire,
  ZaakBijSleutelWire,
  ZaakWire,
} from '../../adapters/register/wire.ts';
import { createLetterClient } from '../support/letter.ts';
import { use, useService } from '../support/service.ts';
import { type TestCall, testCall } from '../support/upstreams/call.ts';
import { startUpstreamProxies } from '../support/upstreams/proxies.ts';
import { sendJson, startScriptedServer } from '../support/upstreams/scripted-server.ts';

// biome-ignore lint/suspicious/noExplicitAny: JSON of whatever shape the upstream has
type Json = any;

describe('the service, when an upstream sends a value that it does not understand,', async () => {
  const upstreams = await use(startUpstreamProxies());
  const service = await useService({ ...upstreams.env, MANAGEMENT_PORT: '0' });

  afterEach(() => {
    for (const one of [upstreams.register, upstreams.brp, upstreams.duo]) one.changeBody = null;
  });

  const change = (upstream: 'register' | 'brp' | 'duo', path: string, how: (body: Json) => Json): void => {
    upstreams[upstream].changeBody = (at, body) => (at.endsWith(path) ? how(body) : body);
  };
  /** Gives each registration these members. */
  const changeRegistrations = (members: Json): void =>
    change('register', '/registraties/zoek', (found) => found.map((one: Json) => ({ ...one, ...members })));
  /** Gives each diploma these members. */
  const changeDiplomas = (members: Json): void =>
    change('duo', '/diplomas/raadplegen', (body) => ({
      ...body,
      diplomas: body.diplomas.map((one: Json) => ({ ...one, ...members })),
    }));
  const get = (path: string, as: string) => service.get(`/api/v1${path}`, { as });

  it('finds no address for an unknown kind of residence, and shows name and date of birth', async () => {
    change('brp', '/personen', (body) => {
      for (const { verblijfplaats } of body.personen) verblijfplaats.type = 'Briefadres';
      return body;
    });
    const none = { gevonden: false, adres: null };
    expect(await get('/brp/address', 'sanne-de-wit')).toMatchObject({ status: 200, body: none });
    const { status, body } = await get('/dashboard-view', 'sanne-de-wit');
    expect([status, body.person]).toEqual([
      200,
      { naam: 'Sanne de Wit', geboortedatum: expect.stringMatching(/^\d{4}-03-14$/), adres: null },
    ]);
  });

  it('shows no date of birth for one with a time, and logs its form', async () => {
    change('brp', '/personen', (body) => {
      for (const { geboorte } of body.personen) geboorte.datum.datum += 'T00:00:00Z';
      return body;
    });
    const { status, body } = await get('/dashboard-view', 'sanne-de-wit');
    expect([status, body.person.geboortedatum]).toEqual([200, null]);
    const line = service.log.findLast(({ operation }) => operation === 'dashboardView');
    const left = { member: '/personen[]/geboorte/datum/datum', shape: '"9999-99-99A99:99:99A"', count: 1 };
    expect(line?.upstream).toContainEqual(expect.objectContaining({ bron: 'brp', notUnderstood: [left] }));
  });

  it('shows the known registration beside one in an unknown profession, and counts and logs the other', async () => {
    const plain = await get('/dashboard-view', 'sanne-de-wit');
    change('register', '/registraties/zoek', (found) => [
      { ...found[0], registratieId: 'x', beroepCode: '05' },
      ...found,
    ]);
    expect((await get('/dashboard-view', 'sanne-de-wit')).body).toEqual(plain.body);
    const metrics = await (await fetch(`${service.managementUrl}/metrics`)).text();
    expect(metrics).toMatch(/^upstream_not_understood_total\{bron="register",member="\[\]\/beroepCode"\} [1-9]/m);
    const line = service.log.findLast(({ operation }) => operation === 'dashboardView');
    expect(line).toMatchObject({
      level: 40,
      upstream: expect.arrayContaining([
        expect.objectContaining({ notUnderstood: [{ member: '[]/beroepCode', shape: '"99"', count: 1 }] }),
      ]),
    });
    expect(await get('/notes', 'sanne-de-wit')).toMatchObject({ status: 200 });
  });

  it('does not say that a person is not registered whose only registration is in an unknown profession', async () => {
    changeRegistrations({ beroepCode: '05' });
    expect(await get('/dashboard-view', 'sanne-de-wit')).toMatchObject({ status: 502, body: { bron: 'register' } });
  });

  it('shows a registration with an unknown status without status, which cannot be renewed', async () => {
    change('register', '/registraties/zoek', (found) =>
      found.map((one: Json) => ({ ...one, status: { ...one.status, soort: 'ingetrokken' } })),
    );
    const { body } = await get('/dashboard-view', 'sanne-de-wit');
    expect(body).toMatchObject({
      registration: { beroep: 'verpleegkundige', status: null },
      decisions: {
        eligibleForHerregistratie: false,
        herregistratieReason: 'De status van uw registratie is niet bekend.',
      },
    });
    const { status, body: refused } = await service.post('/api/v1/herregistraties', 'sanne-de-wit', { uren: 2_600 });
    expect([status, refused.code]).toEqual([422, 'niet-herregistreerbaar']);
  });

  it('reads the decisions on other cases than one with an unknown status, which stays as it was', async () => {
    change('register', '/zaken/zoek', (found) =>
      found.map((one: Json) =>
        one.referentie.startsWith('INT')
          ? { ...one, status: 'wacht-op-aanvulling' }
          : { ...one, status: 'besloten', besluit: { uitkomst: 'goedgekeurd', reden: null, datum: '2026-06-01' } },
      ),
    );
    const as = 'wilma-dekker';
    await service.post('/api/v1/intakes', as, { uren: 2_600 });
    await service.post('/api/v1/change-requests', as, { straat: 'Dam 1', postcode: '1012 JS', woonplaats: 'Diemen' });
    const { body } = await get('/applications', as);
    const tags = body.map(({ type, status }: Json) => [type, status.tag]).sort();
    expect(tags).toEqual([
      ['adreswijziging', 'Goedgekeurd'],
      ['intake', 'InBehandeling'],
    ]);
  });

  it('shows the notes of a known kind', async () => {
    const { body: all } = await get('/notes', 'amira-el-idrissi');
    change('register', '/aantekeningen', (found) => [{ ...found[0], soort: 'aanwijzing' }, ...found]);
    expect(await get('/notes', 'amira-el-idrissi')).toMatchObject({ status: 200, body: all });
    expect(all.length).toBeGreaterThan(0);
  });

  it.each<[string, Json]>([
    ['revoked', { status: 'revoked' }],
    ['without a date', { behaaldOp: null }],
  ])('offers the other diplomas when one is %s', async (_, members) => {
    change('duo', '/diplomas/raadplegen', (body) => ({
      ...body,
      diplomas: [{ ...body.diplomas[0], ...members, diplomaId: 'x' }, ...body.diplomas],
    }));
    const { status, body } = await get('/duo/diplomas', 'noor-bakker');
    expect([status, body.diplomas.length]).toEqual([200, 1]);
    expect(body.diplomas[0].id).not.toBe('x');
  });

  it.each<[string, Json, status: number]>([
    ['of a kind that is not known', { status: 'passed-with-honours' }, 502],
    ['that somebody failed', { status: 'failed' }, 200],
  ])('does not say that somebody has no diploma whose only one has a status %s', async (_, members, expected) => {
    changeDiplomas(members);
    const { status, body } = await get('/duo/diplomas', 'noor-bakker');
    expect([status, body.diplomas]).toEqual([expected, expected === 200 ? [] : undefined]);
  });

  it.each([
    ['without a list', { gevonden: false }, 200],
    ['with null as list', { gevonden: false, diplomas: null }, 200],
    ['with null as list of somebody who was found', { gevonden: true, diplomas: null }, 502],
  ])('reads that DUO does not know somebody from an answer %s', async (_, body, status) => {
    change('duo', '/diplomas/raadplegen', () => body);
    const reply = await get('/duo/diplomas', 'noor-bakker');
    expect([reply.status, reply.body.diplomas]).toEqual([status, status === 200 ? [] : undefined]);
  });

  it.each([
    ['of tomorrow', '2026-06-02', 0],
    ['of the year 9999', '9999-12-31', 0],
    ['of today', '2026-06-01', 1],
  ])('offers, and registers with, no diploma of a later day: one %s', async (_, behaaldOp, offered) => {
    changeDiplomas({ behaaldOp });
    const as = 'noor-bakker';
    expect((await get('/duo/diplomas', as)).body.diplomas).toHaveLength(offered);
    const { status, body } = await service.post('/api/v1/registrations', as, { diplomaHerkomst: 'duo' });
    expect([status, body.code]).toEqual(offered === 1 ? [200, undefined] : [422, 'geen-duo-diploma']);
  });

  it('reads 0001-01-01 of the register as no date', async () => {
    const none = '0001-01-01';
    changeRegistrations({ uhd: none, specialistTot: none, geboortedatum: none });
    expect((await get('/dashboard-view', 'amira-el-idrissi')).body).toMatchObject({
      registration: { geboortedatum: null, status: { tag: 'Geregistreerd', herregistratieDatum: null } },
      decisions: { herregistratieReason: 'Voor uw registratie geldt geen herregistratie.' },
    });
    changeRegistrations({ status: { soort: 'doorgehaald', datum: none, reden: 'Op eigen verzoek' } });
    expect((await get('/dashboard-view', 'amira-el-idrissi')).body.decisions.herregistratieReason).toBe(
      'Uw registratie is doorgehaald.',
    );
    change('register', '/aantekeningen', (found) => found.map((one: Json) => ({ ...one, einddatum: none })));
    expect((await get('/notes', 'amira-el-idrissi')).body).not.toEqual([]);
  });

  it.each([[null], ['eng'], [7]])('asks about the language of a diploma in the language %j', async (taal) => {
    change('duo', '/diplomas/raadplegen', (body) => ({
      ...body,
      diplomas: body.diplomas.map((one: Json) => ({ ...one, opleiding: { ...one.opleiding, taal } })),
    }));
    const { body } = await get('/duo/diplomas', 'noor-bakker');
    expect(body.diplomas.map(({ policyQuestions }: Json) => policyQuestions.map(({ id }: Json) => id))).toEqual([
      ['opleidingstaal'],
    ]);
  });

  it('shows text without NUL, and with U+FFFD for each half of a surrogate pair', async () => {
    changeDiplomas({ instelling: { naam: 'A\0B \ud800 \udc00\ud83d\ude00' } });
    expect((await get('/duo/diplomas', 'noor-bakker')).body.diplomas).toMatchObject([
      { instelling: 'AB \ufffd \ufffd\u{1f600}' },
    ]);
  });

  it('offers the passages that it understands', async () => {
    const letter = createLetterClient(service);
    const { body: before } = await letter.get('dana');
    change('register', '/brieven/passages?beroep=30', (found) => [
      { ...found[0], beroepCode: '05' },
      ...found.slice(1),
    ]);
    const { status, body } = await letter.get('dana');
    expect([status, body.availablePassages]).toEqual([200, before.availablePassages.slice(1)]);
  });

  it('accepts a reference of seven digits', async () => {
    change('register', '/zaken', (body) => ({ ...body, referentie: 'INT-2026-0000118' }));
    const { status, body } = await service.post('/api/v1/intakes', 'fatima-yilmaz', { uren: 3_200 });
    expect([status, body]).toEqual([200, { referentie: 'INT-2026-0000118' }]);
  });
});

/** An answer of an upstream: its schema, a right one, how the adapter reads it, and what it may not misunderstand. */
interface Read {
  readonly schema: z.ZodType;
  readonly right: Json;
  readonly read: (http: HttpClient, call: TestCall) => Promise<unknown>;
  /** The members that decide something: without one of them the answer is unreadable. */
  readonly decides: readonly string[];
}

const BSN = '999990007';
const UUID = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
const registratie = (nummer: string): Json => ({
  registratieId: `r-${nummer}`,
  registerNummer: `900000101${nummer}`,
  naam: 'Sanne de Wit',
  beroepCode: '30',
  registratiedatum: '2016-09-30',
  geboortedatum: '1988-03-14',
  uhd: '2026-09-30',
  status: { soort: 'geregistreerd', datum: '2016-09-30', tot: '2027-01-01', reden: 'x' },
  specialistTot: '2027-01-01',
  lopendeHerregistratie: { referentie: 'HER-2026-000118' },
});
const aantekening = { omschrijving: 'x', ingangsdatum: '2026-01-01', einddatum: '2027-01-01', openbaar: true };
const besluit = { uitkomst: 'afgewezen', reden: 'x', datum: '2026-06-01' };
const zaak = (referentie: string): Json => ({ referentie, kenmerk: 'k', status: 'besloten', handmatig: true, besluit });
const alinea = { lijst: 'opsomming', kop: true, tekst: 'x' };
const passage = (passageId: string): Json => ({
  ...{ passageId, versie: 1, beroepCode: '30', templateId: 't', sectie: 'besluit', omschrijving: 'x', uhd: 'loopt' },
  reactie: 'geen',
  feit: 'x',
  uitkomsten: ['afgewezen'],
  uren: 'genoeg',
  besluit: { uitkomst: 'afgewezen', reden: 'x' },
  alineas: [alinea],
});
const sectie = { sleutel: 's', titel: 'x', verplicht: true, vast: false, alineas: [alinea] };
const document = (identificatie: string): Json => ({
  url: `https://documenten.example/${UUID}`,
  identificatie,
  bestandsomvang: 3,
  integriteit: { algoritme: 'sha_256', waarde: 'ab' },
  locked: false,
  bestandsdelen: [{ url: `https://documenten.example/${UUID}`, volgnummer: 1, omvang: 3, lock: 'slot' }],
});
const documentsOf = (http: HttpClient) => createDocuments(http, { rsin: '123456782', informatieobjecttype: 'x' });
const zaakOf = { soort: 'intake', indiener: { bsn: BSN }, kenmerk: 'k', gegevens: {}, documenten: [] } as const;

const READS: Readonly<Record<string, Read>> = {
  'a person of the BRP': {
    schema: BrpAntwoordWire,
    right: {
      type: 'RaadpleegMetBurgerservicenummer',
      personen: [
        {
          burgerservicenummer: BSN,
          geheimhoudingPersoonsgegevens: true,
          naam: { volledigeNaam: 'Sanne de Wit' },
          geboorte: { datum: { type: 'Datum', datum: '1988-03-14' } },
          opschortingBijhouding: { reden: { code: 'E' } },
          overlijden: { datum: { type: 'Datum', datum: '2026-01-14' } },
          verblijfplaats: {
            type: 'Adres',
            verblijfadres: {
              ...{ korteStraatnaam: 'Lindelaan', huisnummer: 3, huisletter: 'A', huisnummertoevoeging: '1' },
              ...{ aanduidingBijHuisnummer: { code: 'to' }, postcode: '3511AB', woonplaats: 'Utrecht' },
            },
            indicatieVastgesteldVerblijftNietOpAdres: false,
          },
          adressering: {
            ...{ aanhef: 'x', aanschrijfwijze: { naam: 'x', aanspreekvorm: 'x' } },
            ...{ adresregel1: 'x', adresregel2: 'x', adresregel3: 'x', land: { omschrijving: 'x' } },
            indicatieVastgesteldVerblijftNietOpAdres: false,
          },
          gemeenteVanInschrijving: { code: '0344', omschrijving: 'Utrecht' },
        },
      ],
    },
    read: (http, call) => createBrp(http).persoon(BSN, call),
    decides: [
      ...['/type', '/personen', '/personen[]', '/personen[]/burgerservicenummer'],
      ...['/personen[]/opschortingBijhouding', '/personen[]/opschortingBijhouding/reden', '/personen[]/verblijfplaats'],
      ...[
        ...['', '/korteStraatnaam', '/huisnummer', '/huisletter', '/huisnummertoevoeging'],
        ...['/aanduidingBijHuisnummer', '/postcode', '/woonplaats'],
      ].map((name) => `/personen[]/verblijfplaats/verblijfadres${name}`),
    ],
  },
  'the registrations of a person': {
    schema: z.array(RegistratieWire),
    right: [registratie('30'), registratie('31')],
    read: (http, call) => createRegister(http).registraties({ bsn: BSN }, call),
    decides: [],
  },
  'the correspondence address of a person': {
    schema: z.array(CorrespondentieadresWire),
    right: [{ straat: 'Dam 1', postcode: '1012 JS', woonplaats: 'Amsterdam' }],
    read: (http, call) => createRegister(http).correspondentieadres({ bsn: BSN }, call),
    decides: ['[]', '[]/straat', '[]/postcode', '[]/woonplaats'],
  },
  'the notes of a registration': {
    schema: z.array(AantekeningWire),
    right: [
      { ...aantekening, soort: 'maatregel' },
      { ...aantekening, soort: 'beperking' },
    ],
    read: (http, call) => createRegister(http).aantekeningen('r', call),
    decides: [],
  },
  'the confirmation of a case': {
    schema: OntvangstWire,
    right: { referentie: 'INT-2026-000001', handmatig: true, nieuw: true },
    read: (http, call) => createRegister(http).indienen(zaakOf, 'sleutel', call),
    decides: ['/referentie', '/handmatig', '/nieuw'],
  },
  'the cases of a person': {
    schema: z.array(ZaakWire),
    right: [zaak('INT-2026-000001'), zaak('HER-2026-000001')],
    read: (http, call) => createRegister(http).zaken({ bsn: BSN }, call),
    decides: [],
  },
  'a case by its key': {
    schema: ZaakBijSleutelWire,
    right: { zaak: zaak('INT-2026-000001') },
    read: (http, call) => createRegister(http).zaakBySleutel({ bsn: BSN }, 'sleutel', call),
    decides: ['/zaak', '/zaak/referentie', '/zaak/kenmerk', '/zaak/handmatig'],
  },
  'the assignment of a letter': {
    schema: z.array(OpdrachtWire),
    right: [
      {
        ...{ opdrachtId: 'o', templateId: 't', beroepCode: '30', referentie: 'INT-2026-000001' },
        ...{ indiener: { burgerservicenummer: BSN }, registratieId: 'r', datumAanvraag: '2026-05-01' },
        ...{ urenOpgegeven: 1, opsteller: 'x', besluit, passages: ['p'], feiten: ['x'] },
        correspondentieadres: { adresregel: 'Dam 1', postcodeWoonplaats: '1012 JS Amsterdam' },
        uhd: '2030-01-01',
        eerder: [{ templateId: 't', verzondenOp: '2026-05-02', reactieTot: '2026-05-09', waarover: 'x' }],
      },
    ],
    read: (http, call) => createBrieven(http).opdracht({ opdrachtId: 'o' }, call),
    decides: [
      ...['', '/opdrachtId', '/templateId', '/beroepCode', '/referentie', '/indiener', '/registratieId'],
      ...['/datumAanvraag', '/urenOpgegeven', '/opsteller', '/besluit', '/besluit/uitkomst', '/besluit/reden'],
      ...[
        '/besluit/datum',
        '/passages',
        '/passages[]',
        '/feiten',
        '/feiten[]',
        '/correspondentieadres',
        '/correspondentieadres/adresregel',
      ],
      ...['/correspondentieadres/postcodeWoonplaats', '/uhd', '/eerder', '/eerder[]', '/eerder[]/templateId'],
      ...['/eerder[]/verzondenOp', '/eerder[]/reactieTot', '/eerder[]/waarover'],
    ].map((name) => `[]${name}`),
  },
  'a template': {
    schema: SjabloonWire,
    right: {
      templateId: 't',
      velden: ['a', 'b'].map((sleutel) => ({ sleutel, omschrijving: 'x', soort: 'invulbaar' })),
      secties: [sectie],
    },
    read: (http, call) => createBrieven(http).sjabloon('t', call),
    decides: [
      ...['/templateId', '/velden', '/secties', '/secties[]', '/secties[]/sleutel', '/secties[]/titel'],
      ...['/secties[]/verplicht', '/secties[]/vast', '/secties[]/alineas', '/secties[]/alineas[]'],
      '/secties[]/alineas[]/tekst',
    ],
  },
  'the passages of a profession': {
    schema: z.array(PassageWire),
    right: [passage('p-1'), passage('p-2')],
    read: (http, call) => createBrieven(http).passages('verpleegkundige', call),
    decides: [],
  },
  'the confirmation of a letter': {
    schema: VerzondenWire,
    right: { verzondenOp: '2026-06-01' },
    read: (http, call) =>
      createBrieven(http).verzenden(
        {
          opdrachtId: 'o',
          referentie: 'x',
          kanaal: 'post',
          besluit: null,
          uiterlijk: null,
          verzoek: null,
          sections: [],
        },
        'sleutel',
        call,
      ),
    decides: ['/verzondenOp'],
  },
  'the diplomas of a person': {
    schema: DuoAntwoordWire,
    right: {
      gevonden: true,
      diplomas: ['d-1', 'd-2'].map((diplomaId) => ({
        diplomaId,
        opleiding: { naam: 'x', code: 'hbo-verpleegkunde', taal: 'nl' },
        instelling: { naam: 'x' },
        behaaldOp: '2026-01-01',
        status: 'passed',
      })),
    },
    read: (http, call) => createDuo(http).diplomas(BSN, call),
    decides: ['/gevonden', '/diplomas'],
  },
  'a document': {
    schema: DocumentWire,
    right: document('ZR-1'),
    read: (http, call) => documentsOf(http).stat(UUID, call),
    decides: ['/url', '/identificatie', '/bestandsomvang', '/locked', '/bestandsdelen'],
  },
  'the documents with one identificatie': {
    schema: LijstWire,
    right: { results: [document('ZR-2'), document('ZR-1')] },
    read: (http, call) => documentsOf(http).find('ZR-1', call),
    decides: ['/results'],
  },
};

/** Exported schemas of parts of answers, and of the answers of issuers (`test/auth/issuer.test.ts` tests their keys). */
const OTHERS = [
  ...['PersoonWire', 'BestandsdeelWire', 'DiplomaWire', 'BesluitWire', 'referentie'],
  ...['DiscoveryWire', 'IntrospectionWire', 'JwksWire', 'JwkWire'],
];

it('the table below has every schema in a wire.ts', async () => {
  const adapters = new URL('../../adapters/', import.meta.url);
  const files = readdirSync(adapters, { recursive: true, encoding: 'utf8' }).filter((file) => /\bwire\.ts$/.test(file));
  const read = Object.values(READS).map(({ schema }) => (schema instanceof z.ZodArray ? schema.element : schema));
  const missing: string[] = [];
  for (const file of files)
    for (const [name, value] of Object.entries<unknown>(await import(new URL(file, adapters).href)))
      if (value instanceof z.ZodType && !read.includes(value) && !OTHERS.includes(name))
        missing.push(`${file} ${name}`);
  expect(missing).toEqual([]);
  expect(files.length).toBeGreaterThan(4);
});

/** Values of which a schema refuses at least one. */
const OUTSIDE: readonly unknown[] = ['van buiten', 7, '', '\ud800', null];

/** A member of an answer, with the same answer in which it has a value that its schema refuses. */
interface Mutation {
  readonly member: string;
  readonly answer: Json;
}

/**
 * Returns a mutation for each member of a schema, at every depth: for enumerations a value that is not in them, for
 * others a value of another type. Of a list, only the first item is changed.
 */
function* mutationsOf(schema: z.core.$ZodType, right: Json, member = ''): Generator<Mutation> {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) schema = innermost(schema);
  const outside = OUTSIDE.find((value) => !z.safeParse(schema, value).success);
  if (outside !== undefined && member !== '') yield { member, answer: outside };
  if (schema instanceof z.ZodPipe && schema.out instanceof z.ZodArray) schema = schema.out;
  if (schema instanceof z.ZodObject)
    for (const [name, inner] of Object.entries<z.core.$ZodType>(schema.shape))
      for (const one of mutationsOf(inner, right[name], `${member}/${name}`))
        yield { ...one, answer: { ...right, [name]: one.answer } };
  if (schema instanceof z.ZodArray)
    for (const one of mutationsOf(schema.element, right[0], `${member}[]`))
      yield { ...one, answer: right.with(0, one.answer) };
}

function innermost(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? innermost(schema.unwrap()) : schema;
}

describe('an adapter', async () => {
  let answer: Json;
  const server = await use(startScriptedServer((_, response) => sendJson(response, answer)));
  // The circuit breaker never opens.
  const http = createHttpClient({ upstream: 'register', url: new URL(server.url), headers: {} });
  afterAll(() => http.close());

  const readWith = async ({ read }: Read, sent: Json): Promise<{ result: unknown; call: TestCall }> => {
    answer = sent;
    const call = testCall();
    const result = await read(http, call).then(
      (value) => value,
      (error: Error) => error,
    );
    return { result, call };
  };

  describe.each(Object.entries(READS))('that reads %s', (_, one) => {
    const mutations = [...mutationsOf(one.schema, one.right)];

    it('ignores members that it does not know, at every depth', async () => {
      const more = (value: Json): Json =>
        Array.isArray(value)
          ? value.map(more)
          : typeof value === 'object' && value !== null
            ? {
                ...Object.fromEntries(Object.entries(value).map(([name, at]) => [name, more(at)])),
                somethingNew: { x: [1] },
              }
            : value;
      const { result, call } = await readWith(one, more(one.right));
      expect(result).toEqual((await readWith(one, one.right)).result);
      expect(result).not.toBeInstanceOf(Error);
      expect(call.records).toEqual([expect.not.objectContaining({ notUnderstood: expect.anything() })]);
    });

    it('fails only when a member that decides something has a value that it does not understand', async () => {
      const failed: string[] = [];
      for (const { member, answer: sent } of mutations) {
        const { result } = await readWith(one, sent);
        if (result instanceof Error) failed.push(member);
      }
      expect(failed.sort()).toEqual([...one.decides].sort());
    });

    it('reports each other value that it does not understand, without the value, and keeps the rest', async () => {
      const { result: right } = await readWith(one, one.right);
      for (const { member, answer: sent } of mutations.filter((it) => !one.decides.includes(it.member))) {
        const { result, call } = await readWith(one, sent);
        const reported = call.records.flatMap(({ notUnderstood = [] }) => notUnderstood.map((note) => note.member));
        expect(reported, member).toContain(member);
        expect(JSON.stringify(call.records), member).not.toContain('van buiten');
        if (Array.isArray(right)) expect(result, member).toContainEqual(right.at(-1));
      }
    });
  });
});
