import { readFileSync } from 'node:fs';
import { request } from 'undici';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { PERSONAS } from '../../fixtures/personas/index.ts';
import { createDirectory } from '../../simulator/people/directory.ts';
import { readPersonas } from '../../simulator/persona-files/read.ts';
import { createValidator } from '../support/openapi.ts';
import { useSimulators } from '../support/service.ts';
import { officialFile } from '../support/upstreams/official.ts';

const directory = createDirectory();
const simulators = await useSimulators(['brp'], { directory });

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire has no type until a test looks at it
type Json = any;

const ask = (slugs: readonly string[], fields: readonly string[]): Promise<Json> =>
  askAbout(
    slugs.map((slug) => directory.professional(slug)?.bsn ?? '123456782'),
    fields,
  );

async function askAbout(
  burgerservicenummer: readonly string[],
  fields: readonly string[],
  { urls } = simulators,
  headers: Record<string, string> = { 'content-type': 'application/json' },
): Promise<Json> {
  const body = JSON.stringify({ type: 'RaadpleegMetBurgerservicenummer', burgerservicenummer, fields });
  const answer = await request(urls.brp ?? '', { method: 'POST', headers, body });
  return answer.body.json();
}
const one = async (slug: string, ...fields: string[]): Promise<Json> => (await ask([slug], fields)).personen[0];

/** The names of all groups of fields and of all single fields of a person. */
const ALL = [
  'aNummer',
  'adressering',
  'burgerservicenummer',
  'datumEersteInschrijvingGBA',
  'datumInschrijvingInGemeente',
  'europeesKiesrecht',
  'geboorte',
  'gemeenteVanInschrijving',
  'geslacht',
  'gezag',
  'immigratie',
  'indicatieCurateleRegister',
  'kinderen',
  'leeftijd',
  'naam',
  'nationaliteiten',
  'ouders',
  'overlijden',
  'partners',
  'uitsluitingKiesrecht',
  'verblijfplaats',
  'verblijfstitel',
];

const official = officialFile('brp/openapi.yaml');
const here = official !== null;

/**
 * The name of the schema of each member, keyed by path. The path of a list has the schema of its items; `*` means that
 * the member `type` names the schema.
 */
const SCHEMAS: Readonly<Record<string, string>> = {
  '': 'Persoon',
  '/adressering': 'Adressering',
  '/geboorte': 'Geboorte',
  '/immigratie': 'Immigratie',
  '/kinderen': 'Kind',
  '/naam': 'NaamPersoon',
  '/nationaliteiten': '*',
  '/opschortingBijhouding': 'OpschortingBijhouding',
  '/ouders': 'Ouder',
  '/ouders/naam': 'NaamGerelateerde',
  '/overlijden': 'Overlijden',
  '/partners': 'Partner',
  '/partners/aangaanHuwelijkPartnerschap': 'AangaanHuwelijkPartnerschap',
  '/rni': 'RniDeelnemer',
  '/verblijfplaats': '*',
  '/verblijfstitel': 'Verblijfstitel',
  '/verificatie': 'Verificatie',
};
/** The name of the schema for a value of `type` that differs from it. */
const TYPES: Readonly<Record<string, string>> = { Nationaliteit: 'NationaliteitBekend', Datum: 'VolledigeDatum' };
const PLACES: Readonly<Record<string, string>> = {
  Adres: 'VerblijfadresBinnenland',
  Locatie: 'VerblijfadresLocatie',
  VerblijfplaatsBuitenland: 'VerblijfadresBuitenland',
};

/** Returns the official document with schemas that refuse additional members. */
function strict(document: Json): object {
  const { schemas } = document.components;
  const added = Object.keys(schemas).map((name) => [
    `Only${name}`,
    { allOf: [{ $ref: `#/components/schemas/${name}` }], unevaluatedProperties: false },
  ]);
  return { ...document, components: { ...document.components, schemas: { ...schemas, ...Object.fromEntries(added) } } };
}

/** Returns all objects in a value, with their paths without list indexes. */
function* objectsIn(value: Json, path = ''): Generator<[path: string, value: Json]> {
  if (Array.isArray(value)) for (const item of value) yield* objectsIn(item, path);
  else if (typeof value === 'object' && value !== null) {
    yield [path, value];
    for (const [name, member] of Object.entries(value)) yield* objectsIn(member, `${path}/${name}`);
  }
}

/** These tests run where the official OpenAPI document is. */
describe.skipIf(!here)('the answers of the simulated BRP', () => {
  const people = [
    ...PERSONAS.flatMap(({ kind, slug }) => (kind === 'professional' ? [slug] : [])),
    ...Array.from({ length: 300 }, (_, n) => `burger-${n + 1}`),
  ];
  let check: ReturnType<typeof createValidator>;
  let answers: Json[];
  beforeAll(async () => {
    const document = strict(parse(readFileSync(official ?? '', 'utf8')));
    check = createValidator(document);
    answers = [];
    for (let at = 0; at < people.length; at += 20) answers.push(await ask(people.slice(at, at + 20), ALL));
  });

  it('match the official OpenAPI document for 300 generated citizens and all personas, with all fields', () => {
    for (const answer of answers) {
      expect(check('/components/schemas/RaadpleegMetBurgerservicenummerResponse', answer)).toEqual([]);
    }
    expect(answers.flatMap(({ personen }) => personen).length).toBeGreaterThan(300);
  });

  it('have no member that is absent from the official document, at any depth', () => {
    for (const persoon of answers.flatMap(({ personen }) => personen)) {
      for (const [path, value] of objectsIn(persoon)) {
        const dated = typeof value.langFormaat === 'string' ? '*' : undefined;
        const place = path === '/verblijfplaats/verblijfadres' ? PLACES[persoon.verblijfplaats.type] : undefined;
        const named = dated ?? place ?? SCHEMAS[path];
        const name = named === '*' ? (TYPES[value.type] ?? value.type) : named;
        if (name !== undefined) expect([path, check(`/components/schemas/Only${name}`, value)]).toEqual([path, []]);
      }
    }
  });

  it('have every field in at least one person, except three fields', () => {
    const members = new Set(answers.flatMap(({ personen }) => personen.flatMap(Object.keys)));
    const nobody = ['gezag', 'indicatieCurateleRegister', 'uitsluitingKiesrecht'];
    expect(ALL.filter((field) => !members.has(field))).toEqual(nobody);
  });
});

describe('a BRP request for the field', () => {
  it.each([
    ['naam.voornamen', { naam: { voornamen: 'Sanne' } }],
    [
      'geboorte.datum.langFormaat',
      { geboorte: { datum: { type: 'Datum', datum: '1988-03-14', langFormaat: '14 maart 1988' } } },
    ],
    ['geslacht.bestaatNiet', { geslacht: { code: 'V', omschrijving: 'vrouw' } }],
    ['geslacht.code', { geslacht: { code: 'V', omschrijving: 'vrouw' } }],
    ['adressering.adresregel2', { adressering: { adresregel2: '3514 CN  UTRECHT' } }],
    ['adressering.aanschrijfwijze.naam', { adressering: { aanschrijfwijze: { naam: 'S. de Wit' } } }],
    [
      'verblijfplaatsBinnenland.verblijfadres.postcode',
      { verblijfplaats: { type: 'Adres', verblijfadres: { postcode: '3514CN' } } },
    ],
    ['adresseringBinnenland', { adressering: { adresregel1: 'Merelstraat 18', adresregel2: '3514 CN  UTRECHT' } }],
    [
      'nationaliteiten.nationaliteit',
      { nationaliteiten: [{ type: 'Nationaliteit', nationaliteit: { code: '0001', omschrijving: 'Nederlandse' } }] },
    ],
    ['verblijfplaats.verblijfadres.land', { verblijfplaats: { type: 'Adres', verblijfadres: {} } }],
    ['gezag', {}],
    ['indicatieGezagMinderjarige.code', {}],
    ['overlijden', {}],
  ])('%s is answered with that field only', async (field, expected) => {
    expect(await one('sanne-de-wit', field)).toEqual(expected);
  });

  it.each([
    [
      'adresseringBinnenland',
      'in a caravan',
      'burger-394',
      { adressering: { adresregel1: 'Woonwagen, vak 69', adresregel2: 'HEERLEN' } },
    ],
    ['verblijfplaatsBinnenland.type', 'in a caravan', 'burger-394', { verblijfplaats: { type: 'Locatie' } }],
    ['adresseringBinnenland', 'abroad', 'burger-2329', {}],
    ['adresseringBinnenland.aanhef', 'abroad', 'burger-2329', { adressering: { aanhef: expect.any(String) } }],
    ['verblijfplaatsBinnenland.type', 'abroad', 'burger-2329', {}],
    ['verblijfplaats.type', 'abroad', 'burger-2329', { verblijfplaats: { type: 'VerblijfplaatsBuitenland' } }],
  ])('%s of a person who lives %s (%s) is answered when it is for that home', async (field, _, slug, expected) => {
    const { adressering, verblijfplaats } = await one(slug, field);
    expect({ adressering, verblijfplaats }).toEqual(expected);
  });

  const ABSENT = ['fields', 'Parameter bevat een niet bestaande veldnaam.'];
  const SENT_BY_ITSELF = ['fields', 'Parameter bevat een niet toegestane veldnaam.'];
  const PATTERN = ['pattern', 'Waarde voldoet niet aan patroon ^[a-zA-Z0-9\\._]{1,200}$.'];
  it.each([
    ['naam.Voornamen', ABSENT],
    ['inOnderzoek', SENT_BY_ITSELF],
    ['naam.inOnderzoek', SENT_BY_ITSELF],
    ['naam.inOnderzoek.voornamen', SENT_BY_ITSELF],
    ['opschortingBijhouding.reden.omschrijving', SENT_BY_ITSELF],
    ['geheimhoudingPersoonsgegevens', SENT_BY_ITSELF],
    ['rni', SENT_BY_ITSELF],
    ['verificatie', SENT_BY_ITSELF],
    ['verblijfplaats.indicatieVastgesteldVerblijftNietOpAdres', SENT_BY_ITSELF],
    ['verblijfplaatsBinnenland.verblijfadres.regel1', ABSENT],
    ['adresseringBinnenland.land', ABSENT],
    ['naam.voornamen.code', ABSENT],
    ['geboorte.datum.jaar.jaar', ABSENT],
    ['adresseringBinnenland.adresregel3', ABSENT],
    ['naam.volledigeNaam.', ABSENT],
    ['personen', ABSENT],
    ['__proto__', ABSENT],
    ['kinderen.naam.volledigeNaam', ABSENT],
    ['a*nummer', PATTERN],
    ['burger service nummer', PATTERN],
    ['', PATTERN],
    ['x'.repeat(201), PATTERN],
  ])('%s is refused with 400 and the code and reason of the real BRP', async (field, [code, reason]) => {
    expect(await ask(['sanne-de-wit'], ['naam', field])).toMatchObject({
      status: 400,
      detail: 'De foutieve parameter(s) zijn: fields[1].',
      invalidParams: [{ name: 'fields[1]', code, reason }],
    });
  });
});

describe('a BRP request', () => {
  const refusalOf = async (body: Json): Promise<Json> => {
    const headers = { 'content-type': 'application/json' };
    const answer = await request(simulators.urls.brp ?? '', { method: 'POST', headers, body: JSON.stringify(body) });
    return answer.body.json();
  };

  it.each([
    ['without parameters', {}, 'required'],
    ['without a type', { postcode: '3077AW' }, 'required'],
    ['with an empty type', { type: '' }, 'value'],
    ['of an unknown type', { type: 'OnbekendZoekType', fields: [] }, 'value'],
    ['with the type in another case', { type: 'raadpleegmetburgerservicenummer' }, 'value'],
    ['with a type that every object has', { type: 'constructor' }, 'value'],
  ])('%s is refused for its type only', async (_, body, code) => {
    expect(await refusalOf(body)).toMatchObject({
      status: 400,
      code: 'paramsValidation',
      detail: 'De foutieve parameter(s) zijn: type.',
      invalidParams: [{ name: 'type', code }],
    });
  });

  it.each<[string, object, string]>([
    [
      'with faults everywhere',
      { burgerservicenummer: ['1'], fields: ['x'], gemeenteVanInschrijving: '1', naam: 1 },
      'naam, burgerservicenummer[0], gemeenteVanInschrijving, fields[0]',
    ],
    ['with markup as name', { burgerservicenummer: ['000000012'], fields: ['naam'], "<b>'": 1 }, '&lt;b&gt;&#39;'],
  ])('%s names them in the order and the words of the real BRP', async (_, parameters, names) => {
    const { detail, invalidParams } = await refusalOf({ type: 'RaadpleegMetBurgerservicenummer', ...parameters });
    expect(detail).toBe(`De foutieve parameter(s) zijn: ${names}.`);
    expect(invalidParams.map(({ name }: Json) => name).join(', ')).toBe(names);
  });

  it.each<[string, object]>([
    ['ZoekMetGeslachtsnaamEnGeboortedatum', { geslachtsnaam: 'Vries', geboortedatum: '2001-06-04', voornamen: 'Anna' }],
    ['ZoekMetNaamEnGemeenteVanInschrijving', { geslachtsnaam: 'Do', voornamen: 'An', gemeenteVanInschrijving: '0599' }],
    ['ZoekMetPostcodeEnHuisnummer', { postcode: '2497BV', huisnummer: 103 }],
    [
      'ZoekMetStraatHuisnummerEnGemeenteVanInschrijving',
      { straat: 'Dijk', huisnummer: 3, gemeenteVanInschrijving: '0599', inclusiefOverledenPersonen: true },
    ],
    ['ZoekMetNummeraanduidingIdentificatie', { nummeraanduidingIdentificatie: '0599200000219679' }],
    ['ZoekMetAdresseerbaarObjectIdentificatie', { adresseerbaarObjectIdentificatie: '0599010000219679' }],
  ])('%s is refused with 403 unauthorizedParameter when complete, and else with 400', async (type, parameters) => {
    const right = { type, ...parameters, fields: ['burgerservicenummer'] };
    const required = Object.keys(parameters).filter((name) => name !== 'inclusiefOverledenPersonen');
    const names = required.toSorted().join(', ');
    expect(await refusalOf(right)).toEqual({
      type: 'https://datatracker.ietf.org/doc/html/rfc7231#section-6.5.3',
      title: 'U bent niet geautoriseerd voor de gebruikte parameter(s).',
      status: 403,
      detail: `U bent niet geautoriseerd voor het gebruik van parameter(s): ${names}.`,
      code: 'unauthorizedParameter',
      instance: new URL(simulators.urls.brp ?? '').pathname,
    });
    const missing = await refusalOf({ type, fields: ['burgerservicenummer'], bestaatNiet: 1 });

    expect(missing.invalidParams.filter(({ code }: Json) => code === 'required').length).toBeGreaterThan(0);
    expect(missing.invalidParams.every((one: Json) => one.code !== 'required' || required.includes(one.name))).toBe(
      true,
    );
    expect(missing.invalidParams.at(-1)).toMatchObject({ name: 'bestaatNiet', code: 'unknownParam' });
  });

  it.each<[string, Record<string, string>, number | undefined]>([
    ['without Content-Type', {}, undefined],
    ['with an empty Content-Type', { 'content-type': '' }, undefined],
    ['with UTF-8 in another case', { 'content-type': 'application/json;charset=Utf-8' }, undefined],
    ['with any type as Content-Type', { 'content-type': '*/*' }, 415],
    ['with another charset', { 'content-type': 'application/json; charset=cp1252' }, 415],
    ['with an empty Accept', { accept: '' }, undefined],
    ['with any type as Accept', { accept: '*/*; charset=utf-8' }, undefined],
    ['with XML as Accept', { accept: 'application/xml' }, 406],
  ])('%s has the status of the real BRP', async (_, headers, status) => {
    const answer = await askAbout(['000000012'], ['naam'], simulators, headers);
    expect(answer).toMatchObject(status === undefined ? { personen: [] } : { status });
  });

  it('by GET is refused with the words of the real BRP', async () => {
    const answer = await request(simulators.urls.brp ?? '', { method: 'GET' });
    expect(await answer.body.json()).toMatchObject({ title: 'Gebruikte bevragingsmethode is niet toegestaan.' });
  });
});

describe('the address in the simulated BRP', () => {
  const place = ['verblijfplaats.verblijfadres', 'adressering.adresregel1', 'adressering.adresregel2'];
  it.each([
    [
      'rosa-silva',
      'opposite a house number',
      {
        officieleStraatnaam: 'Eikenlaan',
        korteStraatnaam: 'Eikenlaan',
        huisnummer: 19,
        aanduidingBijHuisnummer: { code: 'to', omschrijving: 'tegenover' },
        postcode: '3033AB',
        woonplaats: 'Rotterdam',
      },
      ['Eikenlaan t/o 19', '3033 AB  ROTTERDAM'],
    ],
    [
      'henk-de-boer',
      'in an older record, without official street name and town',
      { korteStraatnaam: 'Stationsstraat', huisnummer: 112, postcode: '7901AC' },
      ['Stationsstraat 112', '7901 AC  HOOGEVEEN'],
    ],
    [
      'chidi-okafor',
      'in a street with a long official name',
      {
        officieleStraatnaam: 'Meester Johannes Molenaarlaan',
        korteStraatnaam: 'Mr J Molenaarlaan',
        huisnummer: 88,
        postcode: '1315AD',
        woonplaats: 'Almere',
      },
      ['Mr J Molenaarlaan 88', '1315 AD  ALMERE'],
    ],
  ])('of %s is %s', async (slug, _, verblijfadres, [adresregel1, adresregel2]) => {
    const { verblijfplaats, adressering } = await one(slug, ...place);
    expect(verblijfplaats.verblijfadres).toEqual(verblijfadres);
    expect(adressering).toEqual({ adresregel1, adresregel2 });
  });
});

/** A record as a persona file, the fields, and the answer, without what the BRP says of every person abroad. */
type Scenario = [record: string, person: object, fields: string, answer: object | undefined];

const OPEN = { days: -30 };
const DEAD = { overleden: { years: -2 }, registraties: [] };
const IN_2024 = { type: 'JaarDatum', jaar: 2024, langFormaat: '2024' };
const NO_DATE = { type: 'DatumOnbekend', onbekend: true, langFormaat: 'onbekend' };
const doubted = (members: string, date = 'datumIngangOnderzoek') => ({
  inOnderzoek: {
    ...Object.fromEntries(members.split(' ').map((name) => [name, true])),
    [date]: { type: 'Datum', datum: '2026-05-02', langFormaat: '2 mei 2026' },
  },
});
const land = (code: string, omschrijving: string) => ({ land: { code, omschrijving } });
const home = (verblijfplaats: object) => ({ verblijfplaats });
const abroad = (code: string, ...regels: string[]) => ({ soort: 'buitenland', regels, ...land(code, 'Elders') });
const nationality = (record: string, code: string, type: string): Scenario => [
  record,
  { brp: { nationaliteit: { code, omschrijving: 'x' } } },
  'nationaliteiten.nationaliteit',
  { nationaliteiten: [{ type }] },
];
const DOUBTED = { brp: { inOnderzoek: OPEN } };
const DOUBTED_HOME = ['with a home that is under investigation', DOUBTED] as const;
const van = { op: { years: -20 }, ...land('0000', 'Onbekend') };
const suspended = (code: string, omschrijving: string) => ({
  opschortingBijhouding: { reden: { code, omschrijving } },
});
const location = { soort: 'locatie', beschrijving: 'Woonboot', gemeente: { code: '0518', omschrijving: 'Den Haag' } };
const HOME = 'verblijfplaats.verblijfadres';
const LINES = 'adressering.adresregel1 adressering.adresregel2';
const TOWN = 'gemeenteVanInschrijving';
const IMMIGRATION =
  'datumVestigingInNederland landVanwaarIngeschreven indicatieVestigingVanuitBuitenland vanuitVerblijfplaatsOnbekend';
const UTRECHT = { gemeenteVanInschrijving: { code: '0344', omschrijving: 'Utrecht' } };
const DATES = 'verblijfplaats.datumVan verblijfplaats.datumIngangGeldigheid';
const SINCE = { datumVan: expect.anything(), datumIngangGeldigheid: expect.anything() };
const DOUBTED_SINCE = { ...SINCE, ...doubted('type datumVan datumIngangGeldigheid') };
const [ADDRESS, ABROAD, UNKNOWN] = ['Adres', 'VerblijfplaatsBuitenland', 'VerblijfplaatsOnbekend'].map((type) => ({
  type,
}));
const NO_ADDRESS = home({ ...ADDRESS, verblijfadres: {} });
const NO_TOWN = { woonplaats: '.', gemeente: UTRECHT.gemeenteVanInschrijving };
const NO_NAME = { voornamen: null, voorvoegsel: null, geslachtsnaam: '.' };
const PARTNER = { voornamen: 'Bo', geslachtsnaam: 'Smit', geslacht: 'M', sinds: { years: -2 } };
const ONLY_COUNTRY = 'with only a country abroad';

const permit = (record: string, facts: object, given: boolean): Scenario => [
  record,
  { brp: { verblijfstitel: { code: '37', omschrijving: 'x', van: { years: -5 }, ...facts } } },
  'verblijfstitel.aanduiding',
  given ? { verblijfstitel: { aanduiding: { code: '37', omschrijving: 'x' } } } : {},
];

/** Scenarios of `features/persoon` in the repository of the BRP API. */
const SCENARIOS: Scenario[] = [
  [
    'without a surname',
    { naam: { ...NO_NAME, voornamen: 'Jan' } },
    'naam.voornamen naam.geslachtsnaam naam.volledigeNaam',
    { naam: { voornamen: 'Jan', volledigeNaam: 'Jan' } },
  ],
  ['without any name', { naam: NO_NAME }, 'naam.geslachtsnaam naam.volledigeNaam', { naam: {} }],
  ['without a street', home({ straat: '.' }), `${HOME}.korteStraatnaam`, NO_ADDRESS],
  ['without an official street', home({ straat: '.' }), `${HOME}.officieleStraatnaam`, NO_ADDRESS],
  ['without a house number', home({ huisnummer: 0 }), `${HOME}.huisnummer`, NO_ADDRESS],
  ['without a town', home(NO_TOWN), `${HOME}.woonplaats`, NO_ADDRESS],
  ['without a street', home({ straat: '.' }), LINES, {}],
  ['without any name', { naam: { geslachtsnaam: '.' } }, 'adressering.aanhef adressering.land', { adressering: {} }],
  ['without any name', { naam: { geslachtsnaam: '.' } }, 'adressering.aanschrijfwijze', {}],
  [ONLY_COUNTRY, home(abroad('6014')), HOME, home({ ...ABROAD, verblijfadres: land('6014', 'Elders') })],
  [
    'with an unknown first line abroad',
    home(abroad('6014', '', 'Boston')),
    `${HOME} ${LINES}`,
    {
      ...home({ ...ABROAD, verblijfadres: { regel2: 'Boston', ...land('6014', 'Elders') } }),
      adressering: { adresregel2: 'Boston' },
    },
  ],
  ['with an unknown country', home(abroad('0000', 'Pietermaai 19')), HOME, home({ ...UNKNOWN })],
  ['with an unknown country', home(abroad('0000')), 'verblijfplaatsBinnenland', {}],
  [
    ...DOUBTED_HOME,
    `${HOME}.huisletter`,
    home({ ...ADDRESS, verblijfadres: doubted('huisletter'), ...doubted('type') }),
  ],
  [...DOUBTED_HOME, DATES, home({ ...ADDRESS, ...DOUBTED_SINCE })],
  [...DOUBTED_HOME, TOWN, { ...UTRECHT, ...doubted(TOWN, 'datumIngangOnderzoekGemeente') }],
  [...DOUBTED_HOME, 'immigratie', { immigratie: doubted(IMMIGRATION) }],
  ['of a person who is not at the address', { brp: { nietOpAdres: OPEN } }, `${TOWN} immigratie`, UTRECHT],
  [
    'of a person who is not at the address',
    { brp: { nietOpAdres: OPEN } },
    'adressering.aanhef',
    { adressering: { aanhef: 'Geachte mevrouw De Wit' } },
  ],
  [
    'of a person who is not at the location',
    { brp: { nietOpAdres: OPEN }, ...home(location) },
    DATES,
    home({ type: 'Locatie', indicatieVastgesteldVerblijftNietOpAdres: true, ...DOUBTED_SINCE }),
  ],
  [
    'with a home abroad that is under investigation',
    { ...DOUBTED, ...home(abroad('6014', 'x')) },
    `${HOME}.regel2`,
    home({ ...ABROAD, verblijfadres: doubted('regel2'), ...doubted('type') }),
  ],
  [
    'with an unknown home that is under investigation',
    { ...DOUBTED, ...home({ soort: 'onbekend' }) },
    DATES,
    home({ ...UNKNOWN, ...DOUBTED_SINCE }),
  ],
  nationality('of a person without a nationality', '0499', 'Staatloos'),
  nationality('with an unknown nationality', '0000', 'NationaliteitOnbekend'),
  nationality('of a person treated as Dutch', '0002', 'BehandeldAlsNederlander'),
  nationality('of a person who is not Dutch', '0500', 'VastgesteldNietNederlander'),
  ['without a partner', { brp: { partner: null } }, 'partners.naam kinderen', { partners: [], kinderen: [] }],
  ['without a known relative', home(abroad('5010', 'Rue 1')), 'ouders', { ouders: [] }],
  [
    'of a person who keeps the name of a former partner',
    { brp: { naamgebruik: 'N', partner: { ...PARTNER, tot: { years: -1 } } } },
    'adressering.aanhef partners.ontbindingHuwelijkPartnerschap',
    {
      adressering: { aanhef: 'Geachte mevrouw De Wit-Smit' },
      partners: [{ ontbindingHuwelijkPartnerschap: { datum: expect.objectContaining({ type: 'Datum' }) } }],
    },
  ],
  [
    'of a noblewoman who was married',
    { brp: { adellijkeTitelPredicaat: 'JV', partner: { ...PARTNER, tot: { years: -1 } } } },
    'adressering.aanhef',
    { adressering: { aanhef: 'Hoogwelgeboren vrouwe' } },
  ],
  permit('with a residence permit until tomorrow', { tot: { days: 1 } }, true),
  permit('with a residence permit until today', { tot: {} }, false),
  permit('with a residence permit that was withdrawn', { code: '98' }, false),
  [
    'of an immigrant from an unknown country',
    { brp: { immigratie: van } },
    'immigratie.vanuitVerblijfplaatsOnbekend immigratie.landVanwaarIngeschreven',
    { immigratie: { vanuitVerblijfplaatsOnbekend: true } },
  ],
  [
    'with an unknown place of birth',
    { brp: { geboren: { plaats: 'Onbekend', code: '0000', ...land('0000', 'Onbekend') } } },
    'geboorte.plaats geboorte.land',
    { geboorte: {} },
  ],
  [
    'with an address since a day that is partly known',
    { brp: { adresdatum: 'DatumOnbekend' } },
    DATES,
    home({ ...ADDRESS, datumVan: NO_DATE, datumIngangGeldigheid: NO_DATE }),
  ],
  [
    'of a marriage in a year that is known',
    { brp: { huwelijksdatum: 'JaarDatum', partner: PARTNER } },
    'partners.aangaanHuwelijkPartnerschap.datum',
    { partners: [{ aangaanHuwelijkPartnerschap: { datum: IN_2024 } }] },
  ],
  [
    'of a death in an unknown month',
    { ...DEAD, brp: { overlijdensdatum: 'JaarDatum' } },
    'overlijden.datum',
    {
      overlijden: { datum: IN_2024 },
      opschortingBijhouding: { ...suspended('O', 'overlijden').opschortingBijhouding, datum: IN_2024 },
    },
  ],
  [
    'of the death of a non-resident',
    { ...DEAD, ...home(abroad('5010', 'Rue 1')), brp: { overlijdensdatum: 'JaarDatum' } },
    'overlijden.datum',
    { overlijden: { datum: IN_2024 } },
  ],
  ['by decision of the minister', { brp: { opschorting: 'M' } }, 'overlijden', suspended('M', 'ministerieel besluit')],
  ['for an unknown reason', { brp: { opschorting: '.' } }, 'overlijden', suspended('.', 'onbekend')],
  ['of guardianship', { brp: { curatele: true } }, 'indicatieCurateleRegister', { indicatieCurateleRegister: true }],
  ['that is an error', { brp: { opschorting: 'F' } }, 'overlijden', undefined],
  ['that was wiped', { brp: { opschorting: 'W' } }, 'overlijden', undefined],
];
/** Of a persona who was born in Suriname, came to the Netherlands and has a partner. */
const BORN_HERE = {
  slug: 'hier-geboren',
  extends: 'maria-de-graaf',
  person: {
    geheim: null,
    brp: {
      geboren: { plaats: 'Utrecht', code: '0344' },
      immigratie: null,
      inOnderzoek: null,
      naamgebruik: null,
      partner: null,
    },
  },
};
const { own, faults } = readPersonas(
  [
    ...SCENARIOS.map(([, person], index) => ({ slug: `persoon-${index}`, extends: 'sanne-de-wit', person })),
    BORN_HERE,
  ].map((persona, index) => ({ file: `${index}.json`, text: JSON.stringify(persona) })),
  PERSONAS,
);
const ownPersonas = own.map(({ persona }) => persona);
const people = createDirectory(() => ownPersonas);
const ofScenarios = await useSimulators(['brp'], { directory: people });

describe('the simulated BRP', () => {
  const bsnAt = (index: number): string => people.professional(`persoon-${index}`)?.bsn ?? '';

  it('knows the record of every scenario', () => {
    expect(faults).toEqual([]);
  });

  it('has of an own persona nothing that its file replaces or sets to null', async () => {
    const number = people.professional(BORN_HERE.slug)?.bsn ?? '';
    const fields = ['geboorte', 'partners', 'immigratie', 'naam.aanduidingNaamgebruik'];
    const { geboorte, ...others } = (await askAbout([number], fields, ofScenarios)).personen[0];
    expect(geboorte).toMatchObject({ plaats: { omschrijving: 'Utrecht' }, land: { omschrijving: 'Nederland' } });
    expect(others).toEqual({
      partners: [],
      naam: { aanduidingNaamgebruik: { code: 'E', omschrijving: 'eigen geslachtsnaam' } },
    });
  });

  it.each(SCENARIOS.map(([record, , fields, answer], index) => ({ record, fields, answer, index })))(
    'gives a record $record as the real one does, for the field $fields',
    async ({ fields, answer, index }) => {
      const { rni, verificatie, ...given } =
        (await askAbout([bsnAt(index)], fields.split(' '), ofScenarios)).personen[0] ?? {};
      if (['R', 'E'].includes(given.opschortingBijhouding?.reden.code)) delete given.opschortingBijhouding;
      expect(given).toEqual(answer ?? {});
    },
  );

  it.each([
    ['gemeenteVanInschrijving', ['Verblijfplaats']],
    ['datumInschrijvingInGemeente', ['Verblijfplaats']],
    ['immigratie.datumVestigingInNederland', ['Verblijfplaats']],
    ['adressering.land', ['Verblijfplaats']],
    ['adressering.aanhef', ['Persoon']],
    ['naam', ['Persoon']],
    ['adressering', ['Persoon', 'Verblijfplaats']],
    ['overlijden', []],
  ])('gives the participants of the categories $1 with the field $0 of a non-resident', async (field, categories) => {
    const index = SCENARIOS.findIndex(([record]) => record === ONLY_COUNTRY);
    const { rni = [] } = (await askAbout([bsnAt(index)], [field], ofScenarios)).personen[0];
    expect(rni.map(({ categorie }: Json) => categorie)).toEqual(categories);
  });

  it.each(['F', 'W'])('gives no person whose record has %s', async (opschorting) => {
    const index = SCENARIOS.findIndex(([, person]) => JSON.stringify(person).includes(`"${opschorting}"`));
    expect((await askAbout([bsnAt(index)], ['naam'], ofScenarios)).personen).toEqual([]);
  });
});

describe('a status fault of the simulated BRP', () => {
  const examples = official && parse(readFileSync(official, 'utf8')).components.responses;

  it.each([
    [401, 'authentication', 'Bearer'],
    [403, 'unauthorizedField', undefined],
    [429, 'tooManyRequests', undefined],
    [500, undefined, undefined],
    [502, undefined, undefined],
    [503, 'notAvailable', undefined],
  ])('with status %i answers with the code %s, as the real BRP does', async (status, code, challenge) => {
    const { worlds, urls } = simulators;
    const fault = { id: 'fault-1', upstream: 'brp', kind: 'status', status, retryAfter: 7 } as const;
    worlds.changeSettings(`status-${status}`, { ...worlds.settings('default'), faults: [fault] });
    const url = new URL(urls.brp ?? '');
    const answer = await request(`${url.origin}/@status-${status}${url.pathname}`, { method: 'POST', body: '{}' });
    const body = (await answer.body.json()) as Json;
    expect([answer.statusCode, body.code, body.instance]).toEqual([status, code, url.pathname]);
    expect(answer.headers).toMatchObject({ 'content-type': 'application/problem+json', 'retry-after': '7' });
    expect(answer.headers['www-authenticate']).toBe(challenge);
    // The real BRP sends other problems than the examples in its document, except for these two.
    if (examples && (status === 429 || status === 503)) {
      const { example } = examples[status].content['application/problem+json'];
      expect(body).toEqual({ ...example, instance: url.pathname });
    }
  });
});
