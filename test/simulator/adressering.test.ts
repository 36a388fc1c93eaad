/** Checks the members of `adressering` in the simulated BRP, where it is also against the official scenarios. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Naamgebruik, Titelcode } from '../../fixtures/brp.ts';
import { fullName } from '../../simulator/people/names.ts';
import { type AdresseringFacts, aanschrijvingOf } from '../../simulator/upstreams/brp/adressering.ts';
import { selectFields } from '../../simulator/upstreams/brp/fields.ts';
import { adresregelsOf } from '../../simulator/upstreams/brp/place.ts';
import { casesOf } from '../support/cases.ts';
import { createLetterClient, type LetterClient, placeholderOf } from '../support/letter.ts';
import { startService, type TestService } from '../support/service.ts';
import { officialFile } from '../support/upstreams/official.ts';
import { startUpstreamProxies } from '../support/upstreams/proxies.ts';

describe('the simulated BRP', () => {
  // Sex, use of names, own title and that of the partner (`ex`: a former one); then the answer.
  it.each<[string, string, string, string, string, string, string]>([
    // The own title, and the predicate of a man, count unless only the name of the partner is used.
    ['M', 'E', 'B', '-', 'Hoogwelgeboren heer', 'De hoogwelgeboren heer', 'J.A. baron van den Aedel'],
    ['V', 'N', 'G', '', 'Hooggeboren vrouwe', 'De hooggeboren vrouwe', 'J.A. gravin van den Aedel-de Boer'],
    ['M', 'V', 'H', '', 'Hoogwelgeboren heer', 'De hoogwelgeboren heer', 'J.A. de Boer-hertog van den Aedel'],
    ['M', 'P', 'B', '', 'Geachte heer De Boer', '', 'J.A. de Boer'],
    ['V', 'E', 'P', '-', 'Hoogheid', 'De hoogheid', 'J.A. prinses van den Aedel'],
    ['M', 'N', 'JH', '', 'Hoogwelgeboren heer', 'De hoogwelgeboren heer', 'Jonkheer J.A. van den Aedel-de Boer'],
    ['M', 'V', 'JV', '', 'Hoogwelgeboren heer', 'De hoogwelgeboren heer', 'J.A. de Boer-jonkheer van den Aedel'],
    // A woman loses a predicate by marriage, until it ends and she uses her own name.
    ['V', 'N', 'JV', '-', 'Hoogwelgeboren vrouwe', 'De hoogwelgeboren vrouwe', 'Jonkvrouw J.A. van den Aedel'],
    ['V', 'E', 'JV', '', 'Geachte mevrouw Van den Aedel', '', 'J.A. van den Aedel'],
    ['V', 'E', 'JV', 'ex', 'Hoogwelgeboren vrouwe', 'De hoogwelgeboren vrouwe', 'Jonkvrouw J.A. van den Aedel'],
    ['V', 'N', 'JV', 'ex', 'Geachte mevrouw Van den Aedel-de Boer', '', 'J.A. van den Aedel-de Boer'],
    // A woman has the title of her husband by courtesy, with his name.
    ['V', 'P', '', 'M', 'Hoogwelgeboren vrouwe', 'De hoogwelgeboren vrouwe', 'J.A. markiezin de Boer'],
    ['V', 'V', 'BS', 'G', 'Hooggeboren vrouwe', 'De hooggeboren vrouwe', 'J.A. gravin de Boer-barones van den Aedel'],
    ['V', 'E', '', 'G', 'Geachte mevrouw Van den Aedel', '', 'J.A. van den Aedel'],
    // Without a known naamgebruik, the own name counts.
    ['V', '.', '', 'G', 'Geachte mevrouw Van den Aedel', '', 'J.A. van den Aedel'],
    ['V', 'P', '', 'R', 'Geachte mevrouw De Boer', '', 'J.A. de Boer'],
    ['V', 'P', '', 'BS', 'Geachte mevrouw De Boer', '', 'J.A. de Boer'],
    ['M', 'P', '', 'G', 'Geachte heer De Boer', '', 'J.A. de Boer'],
    // Women are not knighted, and without a known sex there is no form of a title.
    ['V', 'E', 'R', '-', 'Hoogwelgeboren vrouwe', '', 'J.A. van den Aedel'],
    ['O', 'E', 'G', '-', 'Geachte J.A. van den Aedel', '', 'J.A. van den Aedel'],
    ['O', 'E', 'PS', '-', 'Hoogheid', 'De hoogheid', 'J.A. van den Aedel'],
  ])(
    'addresses a person of sex %s with naamgebruik %s, title "%s" and partner "%s" as %s, %s %s',
    (geslacht, naamgebruik, own, other, aanhef, aanspreekvorm, naam) => {
      const partner = { voornamen: 'Jo', voorvoegsel: 'de', geslachtsnaam: 'Boer', isEx: other === 'ex' };
      const titel = (code: string) => (code ? { adellijkeTitelPredicaat: code as Titelcode } : {});
      const given = aanschrijvingOf({
        naam: { voornamen: 'Jo Anne', voorvoegsel: 'van den', geslachtsnaam: 'Aedel', ...titel(own) },
        geslacht: geslacht as AdresseringFacts['geslacht'],
        naamgebruik: naamgebruik === '.' ? undefined : (naamgebruik as Naamgebruik),
        partner: other === '-' ? null : { ...partner, ...(other !== 'ex' && titel(other)) },
      });
      const expected = [aanhef, aanspreekvorm, naam];
      expect([given.aanhef, given.aanschrijfwijze?.aanspreekvorm ?? '', given.aanschrijfwijze?.naam]).toEqual(expected);
    },
  );

  const named = (voornamen: string, geslachtsnaam: string, more: Partial<AdresseringFacts['naam']> = {}) => ({
    voornamen,
    geslachtsnaam,
    ...more,
  });
  it.each<[string, Partial<AdresseringFacts['naam']>, AdresseringFacts['geslacht'], string, string]>([
    [
      'with a prefix',
      named('Elise Q', 'Veld', { voorvoegsel: 'in het' }),
      'V',
      'E.Q in het Veld',
      'mevrouw In het Veld',
    ],
    [
      'with two spaces between words',
      named('Jo  Anne', 'Aedel', { voorvoegsel: 'van  den' }),
      'V',
      'J.A. van den Aedel',
      'mevrouw Van den Aedel',
    ],
    ['with an accent of its own', named('M\u0302ia C\u0306', 'Veld'), 'V', 'M\u0302.C\u0306 Veld', 'mevrouw Veld'],
    ['with an apostrophe', named('Piet', 'Hart', { voorvoegsel: "'t" }), 'M', "P. 't Hart", "de heer 't Hart"],
    ['without first names', { voorvoegsel: 'in het', geslachtsnaam: 'Veld' }, undefined, 'In het Veld', 'In het Veld'],
    ['of one name', { geslachtsnaam: 'Ali bin Mohammed' }, 'M', 'Ali bin Mohammed', 'de heer Ali bin Mohammed'],
    ['with a title', named('Jo', 'Aedel', { adellijkeTitelPredicaat: 'B' }), 'M', 'J. baron Aedel', 'baron Aedel'],
  ])('names a person %s', (_, naam, geslacht, aanschrijfwijze, lopend) => {
    const given = aanschrijvingOf({ naam, geslacht, naamgebruik: 'E', partner: null });
    expect([given.aanschrijfwijze?.naam, given.gebruikInLopendeTekst]).toEqual([aanschrijfwijze, lopend]);
  });

  it.each<[string, string, string, object]>([
    ['.', 'Boer', 'V', {}],
    ['', 'Boer', 'P', { aanhef: 'Geachte heer Boer' }],
    ['Veld', '.', 'V', { aanhef: 'Geachte heer Veld' }],
    ['Veld', '', 'N', { aanhef: 'Geachte heer Veld' }],
  ])('with the surname "%s", that of the partner "%s" and naamgebruik %s gives %j', (own, other, use, expected) => {
    const given = aanschrijvingOf({
      naam: { geslachtsnaam: own },
      geslacht: 'M',
      naamgebruik: use as Naamgebruik,
      partner: { geslachtsnaam: other },
    });
    expect(given.aanhef === undefined ? given : { aanhef: given.aanhef }).toEqual(expected);
  });

  it.each<[string, 'M' | 'V', string | undefined, string]>([
    ['BS', 'V', 'Robin Sam', 'Robin Sam barones van den Aedel'],
    ['GI', 'M', 'Robin Sam', 'Robin Sam graaf van den Aedel'],
    // Women are not knighted: the word of the code is used.
    ['R', 'V', 'Robin Sam', 'Robin Sam ridder van den Aedel'],
    ['JH', 'V', 'Robin Sam', 'jonkvrouw Robin Sam van den Aedel'],
    ['B', 'M', undefined, 'baron van den Aedel'],
  ])('writes the full name of a person with title %s, sex %s and names %s as %s', (code, geslacht, voornamen, full) => {
    const naam = { ...(voornamen && { voornamen }), voorvoegsel: 'van den', geslachtsnaam: 'Aedel' };
    expect(fullName({ naam, geslacht, brp: { adellijkeTitelPredicaat: code as Titelcode } })).toBe(full);
  });

  const land = { code: '5010', omschrijving: 'België' };
  const there = (regels: string[], code = land.code) => ({ soort: 'buitenland', regels, land: { ...land, code } });
  const gemeente = { code: '0518', omschrijving: "'s-Gravenhage" };
  const adres = {
    soort: 'adres',
    straat: 'Dijk',
    huisnummer: 3,
    postcode: '2583XL',
    woonplaats: 'Loosduinen',
    gemeente,
  };
  it.each<[string, object, object]>([
    ['a house', adres, { adresregel1: 'Dijk 3', adresregel2: '2583 XL  LOOSDUINEN' }],
    ['a letter and an addition', { ...adres, huisletter: 'L', toevoeging: 'III' }, { adresregel1: 'Dijk 3 LIII' }],
    ['an addition that is a number', { ...adres, toevoeging: '2' }, { adresregel1: 'Dijk 3-2' }],
    ['a home near a number', { ...adres, bijHuisnummer: 'by', toevoeging: 'A' }, { adresregel1: 'Dijk bij 3 A' }],
    ['an unknown street', { ...adres, straat: '.' }, { adresregel1: undefined, adresregel2: undefined }],
    ['an unknown number', { ...adres, huisnummer: 0 }, { adresregel1: undefined, adresregel2: undefined }],
    ['a place', { soort: 'locatie', beschrijving: 'B', gemeente }, { adresregel1: 'B', adresregel2: "'S-GRAVENHAGE" }],
    ['abroad', there(['Rue 1', 'Bruxelles']), { adresregel1: 'Rue 1', adresregel2: 'Bruxelles', land }],
    ['abroad, of which the first line is not known', there(['', 'Bruxelles', '']), { adresregel2: 'Bruxelles', land }],
    ['a country alone', there([]), { land: undefined }],
    ['a house without a postcode', { ...adres, postcode: '' }, { adresregel2: 'LOOSDUINEN' }],
    ['an unknown country', there(['x'], '0000'), { adresregel1: undefined }],
    ['a Dutch place of a non-resident', there(['Dijk 3'], '6030'), { adresregel1: 'Dijk 3', land: undefined }],
  ])('has the address lines of %s', (_, place, expected) => {
    const lines = adresregelsOf(place as Parameters<typeof adresregelsOf>[0]);
    expect({ adresregel1: undefined, adresregel2: undefined, land: undefined, ...lines }).toMatchObject(expected);
  });
});

type Fields = Readonly<Record<string, string>>;

/** A step of an official scenario: its sentence, and the values in its table. */
interface Step {
  readonly text: string;
  readonly t: Fields;
}

interface Scenario {
  readonly file: string;
  readonly title: string;
  readonly given: readonly Step[];
  readonly when: { readonly burgerservicenummer: string; readonly fields: string };
  readonly then: readonly Step[];
}

const file = officialFile('brp/official-scenarios.json');
const scenarios: readonly Scenario[] = file === null ? [] : JSON.parse(readFileSync(file, 'utf8')).scenarios;

const naamOf = (fields: Fields) => ({
  voornamen: fields['voornamen (02.10)'] ?? '',
  ...(fields['voorvoegsel (02.30)'] && { voorvoegsel: fields['voorvoegsel (02.30)'] }),
  geslachtsnaam: fields['geslachtsnaam (02.40)'] ?? '',
  ...(fields['adellijke titel of predicaat (02.20)'] && {
    adellijkeTitelPredicaat: fields['adellijke titel of predicaat (02.20)'] as Titelcode,
  }),
});
const BEGAN = 'datum huwelijkssluiting/aangaan geregistreerd partnerschap (06.10)';
const ENDED = 'datum ontbinding huwelijk/geregistreerd partnerschap (07.10)';

/** Returns the partners in a scenario, the one whose name counts first: the oldest relation, else the last former one. */
function partnersOf(given: readonly Step[]) {
  const partners: Fields[] = [];
  for (const { text, t } of given)
    if (text.includes("de 'partner' is gewijzigd")) partners.push({ ...partners.pop(), ...t });
    else if (/'(ex-)?partner'/.test(text)) partners.push(t);
  const former = partners.filter((t) => t[ENDED] !== undefined);
  const current = partners.filter((t) => t[ENDED] === undefined);
  return [
    ...current.sort((one, other) => (one[BEGAN] ?? '').localeCompare(other[BEGAN] ?? '')),
    ...former.sort((one, other) => (other[ENDED] ?? '').localeCompare(one[ENDED] ?? '')),
  ].map((t) => ({ ...naamOf(t), isEx: t[ENDED] !== undefined }));
}

function factsOf({ given, when }: Scenario): AdresseringFacts {
  const own = given.find(({ text }) => text.includes(`'${when.burgerservicenummer}' heeft de volgende gegevens`))?.t;
  const fields = own ?? {};
  const use = fields['aanduiding naamgebruik (61.10)'];
  return {
    naam: naamOf(fields),
    geslacht: fields['geslachtsaanduiding (04.10)'] as AdresseringFacts['geslacht'],
    naamgebruik: use === '.' ? undefined : (use as Naamgebruik | undefined),
    partner: partnersOf(given)[0] ?? null,
  };
}

/** Returns the members of `adressering` in the answer of a scenario, with names such as `aanschrijfwijze.naam`. */
const expectedOf = ({ then }: Scenario): Fields =>
  Object.fromEntries(
    then.filter(({ text }) => text.includes("'adressering' gegevens")).flatMap(({ t }) => Object.entries(t)),
  );

function flat(value: object, prefix = ''): Fields {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      typeof member === 'object' ? Object.entries(flat(member, `${prefix}${name}.`)) : [[prefix + name, member]],
    ),
  );
}

/** Returns the address in the record of a scenario, in the form of a fixture; null when it has none. */
function placeOf({ given }: Scenario) {
  const t: Fields = Object.assign({}, ...given.filter(({ text }) => /verblijfplaats/.test(text)).map((one) => one.t));
  const gemeente = { code: '0518', omschrijving: "'s-Gravenhage" };
  const land = t['land (13.10)'] ?? t['land adres buitenland (13.10)'];
  const regels = [1, 2, 3].map((n) => t[`regel ${n} adres buitenland (13.${n + 2}0)`] ?? '');
  if (land !== undefined)
    return { soort: 'buitenland', regels, land: { code: land, omschrijving: LANDEN[land] ?? '' } };
  if (t['locatiebeschrijving (12.10)'] !== undefined)
    return { soort: 'locatie', beschrijving: t['locatiebeschrijving (12.10)'], gemeente };
  const straat = t['straatnaam (11.10)'];
  if (straat === undefined) return null;
  return {
    ...{ soort: 'adres', straat, huisnummer: Number(t['huisnummer (11.20)']), gemeente },
    ...(t['huisletter (11.30)'] && { huisletter: t['huisletter (11.30)'] }),
    ...(t['huisnummertoevoeging (11.40)'] && { toevoeging: t['huisnummertoevoeging (11.40)'] }),
    ...(t['aanduiding bij huisnummer (11.50)'] && { bijHuisnummer: t['aanduiding bij huisnummer (11.50)'] }),
    ...{ postcode: t['postcode (11.60)'] ?? '', woonplaats: t['woonplaats (11.70)'] ?? '' },
  };
}
const LANDEN: Fields = { '5010': 'België', '6014': 'Verenigde Staten van Amerika', '0000': 'Onbekend' };

/** True for a scenario of the source behind the BRP (`dev/fields-gba`), whose answers the service never gets. */
const isInternal = ({ file: from }: Scenario): boolean => from.endsWith('/fields-gba.feature');

/** True for a scenario that only tells which line may be wrong: a fixture has one day for the whole address. */
const isDoubt = (one: Scenario): boolean =>
  Object.keys(expectedOf(one)).every((name) => name.startsWith('inOnderzoek'));

describe.skipIf(file === null)('the official scenario', () => {
  const isEmpty = ({ then }: Scenario): boolean => then.some(({ text }) => /zonder|leeg/.test(text));
  it.each(scenarios.filter((one) => !isInternal(one) && (isEmpty(one) || !isDoubt(one))))(
    '$file: $title',
    (scenario) => {
      const place = placeOf(scenario) ?? { soort: 'onbekend' };
      const lines = adresregelsOf(place as Parameters<typeof adresregelsOf>[0]);
      const record = {
        verblijfplaats: { type: place.soort === 'adres' ? 'Adres' : 'VerblijfplaatsBuitenland' },
        adressering: { ...lines, ...aanschrijvingOf(factsOf(scenario)) },
      };
      const { adressering } = selectFields(record, scenario.when.fields.split(','));
      expect(adressering && flat(adressering)).toEqual(
        scenario.then.some(({ text }) => text.includes('zonder')) ? undefined : withoutDoubts(expectedOf(scenario)),
      );
    },
  );
});

/** Returns the members that are made of the name and of the address: not why a reader may doubt them. */
const withoutDoubts = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => /^(adresregel|land|aan|gebruik)/.test(name)));

/** Returns an object for members with names such as `land.code`. */
function nested(fields: Fields): Record<string, unknown> {
  const whole: Record<string, unknown> = {};
  for (const [path, text] of Object.entries(fields)) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let group = whole;
    for (const name of names) {
      group[name] ??= {};
      group = group[name] as Record<string, unknown>;
    }
    if (text !== '') group[last] = text === 'true' ? true : text;
  }
  return whole;
}

describe.skipIf(file === null)('the letter of the service, when the BRP answers as in the official scenario,', () => {
  let upstreams: Awaited<ReturnType<typeof startUpstreamProxies>>;
  let letter: LetterClient;
  let service: TestService;
  beforeAll(async () => {
    upstreams = await startUpstreamProxies();
    service = await startService(upstreams.env);
    letter = createLetterClient(service);
    // The first call also makes the letter.
    await letter.get('dana');
  });
  afterAll(() => Promise.all([service.close(), upstreams.close()]));

  const official = scenarios.filter((one) => !isInternal(one));
  it.each(casesOf(official, 30))('has what it gives: $file: $title', async (scenario) => {
    const expected = expectedOf(scenario);
    upstreams.brp.changeBody = (_, { personen: [{ burgerservicenummer }], ...body }) => ({
      ...body,
      personen: [{ burgerservicenummer, naam: { volledigeNaam: 'Lotte van Dijk' }, adressering: nested(expected) }],
    });
    const { status, body } = await letter.get('dana');
    expect(status).toBe(200);
    const values = Object.fromEntries(
      body.brief.placeholders.flatMap(({ key }: { key: string }) => {
        const found = JSON.stringify(body.brief.sections).includes(`"key":"${key}"`);
        return found ? [[key, placeholderOf(body.brief.sections, key).text]] : [];
      }),
    );
    const lines = [1, 2, 3].flatMap((n) => expected[`adresregel${n}`] ?? []);
    const isThere = lines.length > 0 && expected.indicatieVastgesteldVerblijftNietOpAdres !== 'true';
    const address = isThere
      ? [...lines, ...(expected['land.omschrijving'] ? [expected['land.omschrijving']] : [])]
      : [];
    expect(values).toMatchObject({
      aanhef: expected.aanhef ?? `Geachte ${expected['aanschrijfwijze.naam'] ?? 'Lotte van Dijk'}`,
      aanspreekvorm: expected['aanschrijfwijze.aanspreekvorm'] ?? '',
      naam: expected['aanschrijfwijze.naam'] ?? 'Lotte van Dijk',
      adresregel: address[0] ?? '',
      postcode_woonplaats: address.slice(1).join('\n'),
    });
  });
});
