import { describe, expect, it } from 'vitest';
import { BEROEP_BY_CODE } from '../../../adapters/register/wire.ts';
import { LOOPBANEN } from '../../../fixtures/burgers/careers.ts';
import { familieVan } from '../../../fixtures/burgers/families.ts';
import { VOORNAMEN } from '../../../fixtures/burgers/first-names.ts';
import { BUITENLAND, PLAATSEN, STRATEN } from '../../../fixtures/burgers/places.ts';
import { INSTELLING_SINDS } from '../../../fixtures/opleidingen.ts';
import { PERSONAS } from '../../../fixtures/personas/index.ts';
import { burger } from '../../../simulator/people/burger.ts';
import { createDirectory } from '../../../simulator/people/directory.ts';
import { type Resident, residentOf } from '../../../simulator/people/resident.ts';
import { factsOf } from '../../../simulator/search/facts.ts';
import { SITUATION_NAMES, type Situation } from '../../../simulator/search/values.ts';
import { brpRecord } from '../../../simulator/upstreams/brp/record.ts';
import { passesElfproef } from '../../../src/domain/identifiers.ts';
import { TODAY } from '../../support/service.ts';

/** Number of generated citizens that are checked; `burger-1` is the first. */
const PEOPLE = 20_000;
const directory = createDirectory();

function resident(slug: string, today = TODAY): Resident {
  const person = burger(slug, today);
  const caller = directory.professional(slug);
  if (person === null || caller === null) throw new Error(`${slug} does not exist`);
  return residentOf(person, caller, today);
}

const citizens = Array.from({ length: PEOPLE }, (_, n) => resident(`burger-${n + 1}`));
const personas = PERSONAS.flatMap((persona) => {
  const caller = directory.professional(persona.slug);
  return persona.kind === 'professional' && caller !== null ? [residentOf(persona.person, caller, TODAY)] : [];
});

/** Public holidays without a fixed date, on which no generated date may fall. */
const EASTER_AND_SO_ON = [
  '1999-05-13',
  '2000-06-01',
  '2004-05-20',
  '2010-05-24',
  '2016-03-28',
  '2021-04-05',
  '2026-05-25',
];
const isHoliday = (date: string): boolean =>
  ['01-01', '12-25', '12-26'].includes(date.slice(5)) ||
  (date >= '2014' ? /-04-27$/ : /-04-30$/).test(date) ||
  EASTER_AND_SO_ON.includes(date);
const weekday = (date: string): number => new Date(date).getUTCDay();
const years = (date: string, more: number): string => {
  const later = new Date(date);
  later.setUTCFullYear(later.getUTCFullYear() + more);
  return later.toISOString().slice(0, 10);
};
const days = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000;
const near = (one: string, other: string): boolean => Math.abs(days(one, other)) <= 1;
const isStreet = (straat: string): boolean => (STRATEN as readonly string[]).includes(straat);
type Wrong = (one: Resident) => boolean;
const anyRegistration =
  (wrong: (registratie: Resident['registraties'][number]) => boolean): Wrong =>
  ({ registraties }) =>
    registraties.some(wrong);
const anyDiploma =
  (wrong: (diploma: Resident['diplomas'][number]) => boolean): Wrong =>
  ({ diplomas }) =>
    diplomas.some(wrong);
const careersOf = (one: Resident) =>
  LOOPBANEN.filter(
    ({ opleiding, code }) =>
      one.diplomas.some((diploma) => diploma.opleiding === opleiding) || code === one.registraties[0]?.beroepCode,
  );

/** Impossible situations of a person in the registers. Each function returns true for a person in that situation. */
const IMPOSSIBLE: Readonly<Record<string, Wrong>> = {
  'a number that fails the 11-test': ({ bsn }) => bsn !== null && !passesElfproef(bsn),
  'an age under 21 or over 75': ({ person }) => person.leeftijd < 21 || person.leeftijd > 75,
  'a date of birth that does not go with the age': ({ geboortedatum, person }) =>
    years(geboortedatum, person.leeftijd) > TODAY || years(geboortedatum, person.leeftijd + 1) <= TODAY,
  'a diploma before the nineteenth birthday': ({ geboortedatum, diplomas }) =>
    diplomas.some(({ behaaldOp }) => behaaldOp !== null && behaaldOp < years(geboortedatum, 19)),
  'a diploma in the future': anyDiploma(({ behaaldOp }) => (behaaldOp ?? '') > TODAY),
  'a diploma given in a weekend': anyDiploma(
    ({ behaaldOp }) => behaaldOp !== null && [0, 6].includes(weekday(behaaldOp)),
  ),
  'a diploma or a registration of a public holiday': ({ diplomas, registraties }) =>
    diplomas.some(({ behaaldOp }) => isHoliday(behaaldOp ?? '')) || registraties.some(({ sinds }) => isHoliday(sinds)),
  'a registration number of another form': anyRegistration(
    ({ nummer, beroepCode }) => !/^90\d{9}$/.test(nummer) || !BEROEP_BY_CODE.has(beroepCode),
  ),
  'a registration before the register, 1 December 1997': anyRegistration(({ sinds }) => sinds < '1997-12-01'),
  'a registration in the future': anyRegistration(({ sinds }) => sinds > TODAY),
  'a registration on a Sunday': anyRegistration(({ sinds }) => weekday(sinds) === 0),
  'a registration before the diploma': ({ registraties, diplomas }) =>
    registraties.some(
      ({ sinds }) => diplomas.length > 0 && diplomas.every(({ behaaldOp }) => (behaaldOp ?? '9') >= sinds),
    ),
  'a registration in a profession of art. 36a that did not end by law': anyRegistration(
    ({ beroepCode, status }) =>
      (status?.reden === 'Registratie van rechtswege vervallen' ? `${beroepCode} ${status.op}` : beroepCode) !==
      ({ '79': '79 2025-07-01', '80': '80 2022-05-01' }[beroepCode] ?? beroepCode),
  ),
  'a UHD more than five years ahead': anyRegistration(({ uhd }) => uhd !== null && uhd > years(TODAY, 5)),
  'a UHD in the first four and a half years': ({ registraties, diplomas }) =>
    registraties.some(({ uhd, sinds }) => uhd !== null && days(diplomas[0]?.behaaldOp ?? sinds, uhd) < 4.5 * 365),
  'a first term that is not five years': ({ registraties, diplomas }) =>
    registraties.some(({ uhd, sinds }) => {
      const from =
        diplomas
          .map(({ behaaldOp }) => behaaldOp ?? '')
          .sort()
          .at(-1) ?? sinds;
      const first = uhd !== null && days(sinds, uhd) < 5 * 365 - 130 && days(from, sinds) < 130;
      return first && !near(years(from, 5), uhd);
    }),
  'a registration after the UHD without a request for herregistratie': ({ registraties, aanvragen }) =>
    registraties.some(
      ({ uhd, status, specialistTot }) =>
        status?.soort !== 'doorgehaald' &&
        (uhd ?? '9') < TODAY &&
        (specialistTot ?? '') < TODAY &&
        aanvragen.every(({ type }) => type !== 'herregistratie'),
    ),
  'a strike-off before the registration or in the future': anyRegistration(
    ({ status, sinds }) => status?.soort === 'doorgehaald' && (status.op <= sinds || status.op > TODAY),
  ),
  'a strike-off for not renewing on another day than after the UHD': anyRegistration(
    ({ status, uhd }) => status?.reden === 'Niet geherregistreerd' && (uhd === null || days(uhd, status.op) !== 1),
  ),
  'a suspension shorter than two weeks or longer than a year': anyRegistration(
    ({ status }) =>
      status?.soort === 'geschorst' &&
      status.tot !== null &&
      (days(status.op, status.tot) < 14 || days(status.op, status.tot) > 366),
  ),
  'a suspension that is over, or has not begun': anyRegistration(
    ({ status }) => status?.soort === 'geschorst' && (status.op > TODAY || (status.tot ?? '9') <= TODAY),
  ),
  'a note before the registration or in the future': anyRegistration(({ aantekeningen, sinds }) =>
    aantekeningen.some(({ van }) => van < sinds || van > TODAY),
  ),
  'a specialist registration without a specialism, or a specialism without that registration': anyRegistration(
    ({ specialistTot, aantekeningen }) =>
      (specialistTot !== null) !== aantekeningen.some(({ soort, tot }) => soort === 'specialisme' && tot === null),
  ),
  'a specialism that began after the registration would have been struck off': anyRegistration(
    ({ uhd, aantekeningen }) => aantekeningen.some(({ soort, van }) => soort === 'specialisme' && van > (uhd ?? '9')),
  ),
  'a specialism that does not end after terms of five years': anyRegistration(({ specialistTot, aantekeningen }) =>
    aantekeningen.some(
      ({ soort, van }) =>
        soort === 'specialisme' &&
        specialistTot !== null &&
        ![5, 10, 15, 20, 25, 30].some((term) => near(years(van, term), specialistTot)),
    ),
  ),
  'a pending herregistratie from before the six months until the UHD, or from the future': ({
    aanvragen,
    registraties,
  }) =>
    aanvragen.some(
      ({ type, tag, begonnenOp }) =>
        type === 'herregistratie' &&
        tag === 'InBehandeling' &&
        (begonnenOp > TODAY || registraties.every(({ uhd }) => uhd === null || days(begonnenOp, uhd) > 184)),
    ),
  'a postcode with a letter or a pair of letters that is not used': ({ verblijfplaats }) =>
    verblijfplaats.soort === 'adres' &&
    !/^[1-9]\d{3}(?!SA|SD|SS)[ABCDEGHJKLMNPRSTVWXZ]{2}$/.test(verblijfplaats.postcode),
  'a municipality code that is not four digits': ({ verblijfplaats }) =>
    verblijfplaats.soort === 'adres' && !/^\d{4}$/.test(verblijfplaats.gemeente.code),
  'a street name of more than 24 characters': ({ verblijfplaats }) =>
    verblijfplaats.soort === 'adres' && verblijfplaats.straat.length > 24,
  'a death in the future, or without a strike-off for it': ({ overledenOp, registraties }) =>
    overledenOp !== null && (overledenOp > TODAY || registraties.some(({ status }) => status?.reden !== 'Overlijden')),
  'a strike-off for death without a date of death': ({ overledenOp, registraties }) =>
    overledenOp === null && registraties.some(({ status }) => status?.reden === 'Overlijden'),
};

/** Impossible situations of a generated citizen. Places, programmes and names come from fixtures/burgers/. */
const IMPOSSIBLE_CITIZEN: Readonly<Record<string, Wrong>> = {
  'a measure or a specialism from a public holiday': anyRegistration(({ aantekeningen }) =>
    aantekeningen.some(({ van }) => isHoliday(van)),
  ),
  'a diploma of an institution that did not exist yet': anyDiploma(
    ({ instelling, behaaldOp }) => Number(behaaldOp?.slice(0, 4)) < (INSTELLING_SINDS[instelling.code] ?? 0),
  ),
  'a strike-off for not renewing before the first deadline of the profession': (one) =>
    one.registraties.some(
      ({ status }) =>
        status?.reden === 'Niet geherregistreerd' && careersOf(one).every(({ eersteUhd }) => status.op <= eersteUhd),
    ),
  'a renewal before periodic registration began in 2023': anyRegistration(
    ({ beroepCode, uhd }) => ['31', '82'].includes(beroepCode) && (uhd ?? '9') < '2028-01-01',
  ),
  'a first name and a surname of different languages': ({ person: { naam } }) => {
    const familie = familieVan(naam.voornamen ?? '');
    const achternaam = [naam.voorvoegsel, naam.geslachtsnaam].filter(Boolean).join(' ');
    return familie !== undefined && !familie.achternamen.includes(achternaam);
  },
  'an addition to the house number that only Amsterdam uses': ({ verblijfplaats: place }) =>
    place.soort === 'adres' && place.woonplaats !== 'Amsterdam' && ['III', 'hs'].includes(place.toevoeging ?? ''),
  'a postcode of another town': ({ verblijfplaats: place }) =>
    place.soort === 'adres' &&
    !PLAATSEN.some(
      ({ woonplaats, gemeente, postcodes }) =>
        woonplaats === place.woonplaats &&
        gemeente.code === place.gemeente.code &&
        postcodes.includes(Number(place.postcode.slice(0, 4))),
    ),
  'a street that is not in the table': ({ verblijfplaats: place }) =>
    place.soort === 'adres' && !isStreet(place.straat),
  'a foreign town that is not in the country': ({ verblijfplaats: place }) =>
    place.soort === 'buitenland' &&
    !BUITENLAND.some(({ land, plaatsen }) => land.code === place.land.code && plaatsen.includes(place.regels[1] ?? '')),
  'an institution that does not give the programme': (one) =>
    one.diplomas.some(
      ({ opleiding, instelling }) =>
        !careersOf(one).some((career) => career.opleiding === opleiding && career.instellingen.includes(instelling)),
    ),
  'a diploma of a programme for another profession': (one) =>
    one.diplomas.some(({ opleiding }) =>
      one.registraties.some(
        ({ beroepCode }) => !LOOPBANEN.some((career) => career.opleiding === opleiding && career.code === beroepCode),
      ),
    ),
  'a diploma before the programme existed': anyDiploma(({ opleiding, behaaldOp }) =>
    LOOPBANEN.every((career) => career.opleiding !== opleiding || (behaaldOp ?? '9') < career.diplomasSinds),
  ),
  'a registration before the profession was in the register': (one) =>
    one.registraties.some(({ sinds }) => careersOf(one).every(({ registerSinds }) => sinds < registerSinds)),
  'a specialism of another profession, or before it existed': anyRegistration(({ beroepCode, aantekeningen }) =>
    aantekeningen.some(
      ({ soort, omschrijving, van }) =>
        soort === 'specialisme' &&
        !LOOPBANEN.some(
          ({ code, specialismen = [] }) =>
            code === beroepCode && specialismen.some(([naam, , , since]) => naam === omschrijving && since <= van),
        ),
    ),
  ),
  'a first name that was not usual in the decade of birth or the one before': ({
    person: { naam, leeftijd, geslacht },
  }) =>
    ![0, 10].some((back) =>
      VOORNAMEN[String(Math.floor((Number(TODAY.slice(0, 4)) - leeftijd) / 10) * 10 - back)]?.[
        geslacht as 'M' | 'V'
      ].includes(naam.voornamen ?? ''),
    ),
};

/** The BRP records of some citizens, with the facts that must agree. */
const records = [
  ...citizens.slice(0, 2_000),
  ...citizens.slice(2_000).filter(({ person: { brp } }) => brp !== undefined && brp.naamgebruik === undefined),
].map((one) => ({ one, record: brpRecord(one, TODAY, TODAY) as unknown as BrpFacts }));
interface BrpFacts {
  readonly aNummer: string;
  readonly leeftijd?: number;
  readonly naam: Name & { readonly aanduidingNaamgebruik: { readonly code: 'E' | 'P' | 'V' | 'N' } };
  readonly adressering: { readonly aanhef: string };
  readonly europeesKiesrecht?: object;
  readonly verblijfstitel?: { readonly aanduiding: { readonly code: string } };
  readonly immigratie?: { readonly datumVestigingInNederland: Birth['datum'] };
  readonly verblijfplaats: {
    readonly type: string;
    readonly datumVan: Birth['datum'];
    readonly inOnderzoek?: { readonly datumIngangOnderzoek: Birth['datum'] };
  };
  readonly datumEersteInschrijvingGBA: Birth['datum'];
  readonly opschortingBijhouding?: {
    readonly reden: { readonly code: string };
    readonly datum: { readonly datum: string };
  };
  readonly geboorte: Birth;
  readonly ouders?: readonly { readonly geboorte: Birth }[];
  readonly kinderen?: readonly { readonly geboorte: Birth; readonly naam: Name }[];
  readonly partners?: readonly {
    readonly geslacht: { readonly code: 'M' | 'V' };
    readonly soortVerbintenis: { readonly code: 'H' | 'P' };
    readonly geboorte: Birth;
    readonly naam: Name;
    readonly aangaanHuwelijkPartnerschap: Birth;
  }[];
}
interface Name {
  readonly voornamen: string;
  readonly voorvoegsel?: string;
  readonly geslachtsnaam: string;
}
interface Birth {
  readonly datum: { readonly type: string; readonly datum: string };
  readonly plaats?: { readonly code?: string };
  readonly land: { readonly code: string };
}
const surnameOf = ({ voorvoegsel, geslachtsnaam }: Name): string =>
  [voorvoegsel, geslachtsnaam].filter(Boolean).join(' ');
const eventsOf = ({ geboorte, ouders = [], kinderen = [], partners = [] }: BrpFacts): Birth[] => [
  geboorte,
  ...[...ouders, ...kinderen, ...partners].map((relative) => relative.geboorte),
  ...partners.map(({ aangaanHuwelijkPartnerschap }) => aangaanHuwelijkPartnerschap),
];

/** Impossible contents of the BRP record of a generated citizen. */
const IMPOSSIBLE_RECORD: Readonly<Record<string, (facts: (typeof records)[number]) => boolean>> = {
  'a birth or a marriage in a municipality that did not exist yet': ({ record }) =>
    eventsOf(record).some(({ datum, plaats }) =>
      PLAATSEN.some(
        ({ gemeente, sinds = 0 }) => gemeente.code === plaats?.code && Number(datum.datum.slice(0, 4)) < sinds,
      ),
    ),
  'a registered partnership before 1998, or a marriage of two women or two men before 1 April 2001': ({
    one,
    record,
  }) =>
    (record.partners ?? []).some(
      ({ geslacht, soortVerbintenis, aangaanHuwelijkPartnerschap: { datum } }) =>
        (soortVerbintenis.code === 'P' && datum.datum < '1998-01-01') ||
        (soortVerbintenis.code === 'H' && geslacht.code === one.person.geslacht && datum.datum < '2001-04-01'),
    ),
  'a marriage on a Sunday': ({ record: { partners = [] } }) =>
    partners.some(({ aangaanHuwelijkPartnerschap: { datum } }) => weekday(datum.datum) === 0),
  'a marriage or a child after the record was closed': ({
    record: { partners = [], kinderen = [], opschortingBijhouding: end },
  }) =>
    end !== undefined &&
    [...partners.map((one) => one.aangaanHuwelijkPartnerschap), ...kinderen.map(({ geboorte }) => geboorte)].some(
      ({ datum }) => datum.datum > end.datum.datum,
    ),
  'two children born within ten months': ({ record: { kinderen = [] } }) =>
    kinderen.some(({ geboorte }, index) => {
      const next = kinderen[index + 1];
      return next !== undefined && days(geboorte.datum.datum, next.geboorte.datum.datum) < 270;
    }),
  'two children with one first name': ({ record: { kinderen = [] } }) =>
    new Set(kinderen.map(({ naam }) => naam.voornamen)).size < kinderen.length,
  'a salutation with another name than the one that is used': ({ one: { person }, record }) => {
    const { naam, partners = [], adressering } = record;
    const own = surnameOf(naam);
    const partner = partners[0] ? surnameOf(partners[0].naam) : '';
    const used = { E: own, P: partner, V: `${partner}-${own}`, N: `${own}-${partner}` }[
      naam.aanduidingNaamgebruik.code
    ];
    const [first = ''] = used;
    return (
      adressering.aanhef !==
      `Geachte ${person.geslacht === 'V' ? 'mevrouw' : 'heer'} ${first.toUpperCase()}${used.slice(1)}`
    );
  },
  'a residence permit for asylum': ({ record: { verblijfstitel } }) =>
    verblijfstitel !== undefined && !['21', '25'].includes(verblijfstitel.aanduiding.code),
  'an age while only the year of birth is known': ({ record: { leeftijd, geboorte } }) =>
    leeftijd !== undefined && geboorte.datum.type !== 'Datum',
  'a birth or a marriage in Amstelveen before 1964, when it got that name': ({ record }) =>
    eventsOf(record).some(({ datum, plaats }) => plaats?.code === '0362' && datum.datum < '1964'),
  'a European right to vote without living here': ({ record: { europeesKiesrecht, opschortingBijhouding: end } }) =>
    europeesKiesrecht !== undefined && end !== undefined,
  'a registration as a non-resident before 6 January 2014, when that register began': ({ record }) =>
    record.opschortingBijhouding?.reden.code === 'R' && record.datumEersteInschrijvingGBA.datum < '2014-01-06',
  'an unknown address and a record that goes on': ({ record }) =>
    record.verblijfplaats.type === 'VerblijfplaatsOnbekend' && record.opschortingBijhouding?.reden.code !== 'E',
  'a birth abroad and no immigration': ({ record: { geboorte, immigratie, opschortingBijhouding: end } }) =>
    geboorte.land.code !== '6030' && immigratie === undefined && end?.reden.code !== 'R',
  'a registration within half a year of the immigration, with a diploma from outside the EU': ({
    one: { person, registraties },
    record: { immigratie },
  }) =>
    person.herkomst === 'buiten-eu' &&
    registraties.some(({ sinds }) => days(immigratie?.datumVestigingInNederland.datum ?? sinds, sinds) < 182),
  'a birth or a marriage of the family in the Netherlands before the immigration': ({ record }) =>
    // Without a date for an address under investigation.
    record.immigratie?.datumVestigingInNederland !== undefined &&
    [
      ...(record.kinderen ?? []).map(({ geboorte }) => geboorte),
      ...(record.partners ?? []).map((partner) => partner.aangaanHuwelijkPartnerschap),
    ].some(
      ({ datum, land }) =>
        land.code === '6030' && datum.datum < `${record.immigratie?.datumVestigingInNederland.datum.slice(0, 4)}`,
    ),
  'a removal before the birth, in the future, or after an investigation began': ({ one, record: { verblijfplaats } }) =>
    verblijfplaats.datumVan.datum < one.geboortedatum ||
    verblijfplaats.datumVan.datum > (verblijfplaats.inOnderzoek?.datumIngangOnderzoek.datum ?? TODAY),
  'an emigration before the diploma': ({ one, record: { opschortingBijhouding: end } }) =>
    end?.reden.code === 'E' && one.diplomas.some(({ behaaldOp }) => (behaaldOp ?? '') > end.datum.datum),
  'a birth in the Netherlands and no residence ever': ({ record }) =>
    record.opschortingBijhouding?.reden.code === 'R' &&
    (record.geboorte.plaats?.code !== undefined || record.ouders !== undefined),
};

describe('no BRP record of a generated citizen has', () => {
  it.each(Object.entries(IMPOSSIBLE_RECORD))('%s', (_, isWrong) => {
    expect(
      records
        .filter(isWrong)
        .map(({ one }) => one.loginId)
        .slice(0, 5),
    ).toEqual([]);
  });

  it('an age in the month of birth while the day of birth is not known', () => {
    const maria = personas.find(({ loginId }) => loginId === 'maria-de-graaf') as Resident;
    const ages = ['2026-04-30', '2026-05-01', '2026-05-31', '2026-06-01'].map(
      (day) => brpRecord(maria, day, TODAY).leeftijd,
    );
    expect(ages).toEqual([53, undefined, undefined, 54]);
  });

  it('the A-nummer of another one', () => {
    expect(new Set(records.map(({ record }) => record.aNummer)).size).toBe(new Set(records.map(({ one }) => one)).size);
  });
});

it.each(Object.entries({ ...IMPOSSIBLE, ...IMPOSSIBLE_CITIZEN }))('no generated citizen has %s', (_, isWrong) => {
  expect(
    citizens
      .filter(isWrong)
      .map(({ loginId }) => loginId)
      .slice(0, 5),
  ).toEqual([]);
});

describe('the reference of a request of a generated citizen', () => {
  const references = citizens.flatMap(({ aanvragen }) => aanvragen.flatMap(({ referentie }) => referentie ?? []));

  it('belongs to one request', () => {
    expect(references.length).toBeGreaterThan(100);
    expect(new Set(references).size).toBe(references.length);
  });

  it('has a number above those of submitted requests, which count from 10,001', () => {
    expect(references.filter((referentie) => !/^HER-\d{4}-[1-9]\d{5}$/.test(referentie))).toEqual([]);
  });
});

const situationsOf = new Map(
  citizens.map(({ person, bsn }) => [
    person,
    new Set(factsOf(person, bsn, { firstDay: TODAY, today: TODAY }).flatMap(({ situaties }) => situaties)),
  ]),
);
describe('a situation that a search offers', () => {
  const withCitizen = new Set([...situationsOf.values()].flatMap((names) => [...names]));
  const withPersona = new Set(
    personas.flatMap(({ person, bsn }) =>
      factsOf(person, bsn, { firstDay: TODAY, today: TODAY }).flatMap(({ situaties }) => situaties),
    ),
  );

  it.each(SITUATION_NAMES)('%s has a persona or a generated citizen in it', (name) => {
    expect(withCitizen.has(name) || withPersona.has(name)).toBe(true);
  });

  it('has no generated citizen only when it needs a request or the absence of a burgerservicenummer', () => {
    const expected = ['concept', 'aanvraag-afgewezen', 'zonder-bsn'];
    expect(SITUATION_NAMES.filter((name) => !withCitizen.has(name))).toEqual(expected);
  });
});

it('a postcode of a generated citizen or a persona belongs to one street of one town', () => {
  const streets = new Map<string, string>();
  const others = [...citizens, ...personas].flatMap(({ verblijfplaats: place }) => {
    if (place.soort !== 'adres') return [];
    const street = `${place.straat}, ${place.woonplaats}`;
    const known = streets.get(place.postcode) ?? street;
    streets.set(place.postcode, known);
    return known === street ? [] : [`${place.postcode}: ${known} and ${street}`];
  });
  expect(streets.size).toBeGreaterThan(10_000);
  expect(others).toEqual([]);
});

it.each(Object.entries(IMPOSSIBLE))('no persona has %s', (_, isWrong) => {
  expect(personas.filter(isWrong).map(({ loginId }) => loginId)).toEqual([]);
});

const share = (list: readonly Resident[], has: (one: Resident) => boolean): number =>
  (100 * list.filter(has).length) / list.length;
const inRegister = citizens.filter(({ registraties }) => registraties.length > 0);
const ofProfession = (code: string) => inRegister.filter(({ registraties }) => registraties[0]?.beroepCode === code);
const is =
  (name: Situation) =>
  ({ person }: Resident) =>
    situationsOf.get(person)?.has(name) === true;
const isOrdinary = ({ person }: Resident) => situationsOf.get(person)?.size === 0;
const isWoman = ({ person }: Resident) => person.geslacht === 'V';
const livesIn = (town: string) => (one: Resident) =>
  one.verblijfplaats.soort === 'adres' && one.verblijfplaats.woonplaats === town;
const registeredIn =
  (from: string, to: string) =>
  ({ registraties }: Resident) =>
    (registraties[0]?.sinds ?? '') >= from && (registraties[0]?.sinds ?? '9') < to;

const partnerOf = new Map(records.map(({ one, record }) => [one, record.partners?.[0]]));
const couples = records.flatMap(({ one, record }) => (record.partners ? [one] : []));

/** Shares of groups of people, in percent: minimum and maximum. */
const SHARES: readonly [
  title: string,
  group: readonly Resident[],
  has: (one: Resident) => boolean,
  min: number,
  max: number,
][] = [
  ['registered without anything special', citizens, isOrdinary, 52, 64],
  ['in the first term', inRegister, is('eerste-termijn'), 8, 13],
  ['not registered', citizens, is('niet-geregistreerd'), 3, 6],
  ['struck off', citizens, is('doorgehaald'), 4, 9],
  ['suspended', citizens, is('geschorst'), 0.1, 0.6],
  ['deceased', citizens, is('overleden'), 0.1, 1],
  ['can apply for herregistratie', citizens, is('aan-de-beurt'), 2, 12],
  ['waiting for a decision', citizens, is('aanvraag-loopt'), 0.5, 5],
  ['living abroad', citizens, is('buitenland'), 0.5, 3],
  ['with a foreign diploma', citizens, (one) => is('erkenning-eu')(one) || is('erkenning-buiten-eu')(one), 0.8, 3],
  ["using the partner's name", citizens, is('naam-partner'), 4, 9],
  [
    'in a registered partnership, of the couples',
    couples,
    (one) => partnerOf.get(one)?.soortVerbintenis.code === 'P',
    6,
    14,
  ],
  ['of one sex, of the couples', couples, (one) => partnerOf.get(one)?.geslacht.code === one.person.geslacht, 0.7, 3],
  ['registered in two professions', citizens, is('twee-beroepen'), 0.3, 1.5],
  ['specialist, of the artsen', ofProfession('01'), is('specialist'), 40, 60],
  ['specialist, of the tandartsen', ofProfession('02'), is('specialist'), 2, 9],
  ['specialist, of the verpleegkundigen', ofProfession('30'), is('specialist'), 0.7, 5],
  ['specialist, of the apothekers', ofProfession('17'), is('specialist'), 20, 50],
  ['specialist, of the gz-psychologen', ofProfession('25'), is('specialist'), 5, 20],
  [
    'with a UHD in the past, of the specialists',
    inRegister.filter(is('specialist')),
    ({ registraties }) => (registraties[0]?.uhd ?? '9') < TODAY,
    50,
    90,
  ],
  ['women, of the verloskundigen', ofProfession('03'), isWoman, 92, 98],
  ['women, of the verpleegkundigen', ofProfession('30'), isWoman, 83, 87],
  ['women, of the artsen', ofProfession('01'), isWoman, 54, 62],
  ['women, of the artsen under 40', ofProfession('01').filter(({ person }) => person.leeftijd < 40), isWoman, 64, 72],
  ['women, of the artsen from 55 on', ofProfession('01').filter(({ person }) => person.leeftijd > 54), isWoman, 37, 47],
  ['in Amsterdam', citizens, livesIn('Amsterdam'), 9, 13],
  ['in Assen', citizens, livesIn('Assen'), 0.5, 1.2],
  ['registered in 1997 and 1998', inRegister, registeredIn('1997-12-01', '1999-01-01'), 1, 9],
  ['registered from 1999 to 2009', inRegister, registeredIn('1999-01-01', '2010-01-01'), 20, 45],
  ['registered since 2010', inRegister, registeredIn('2010-01-01', '9'), 45, 70],
  ['under 30', inRegister, ({ person }) => person.leeftijd < 30, 5, 20],
  ['over 60', inRegister, ({ person }) => person.leeftijd > 60, 8, 25],
];

describe('the share of generated citizens', () => {
  it.each(SHARES)('%s is within the limits of the table', (_, group, has, min, max) => {
    const found = share(group, has);
    expect(found).toBeGreaterThanOrEqual(min);
    expect(found).toBeLessThanOrEqual(max);
  });

  it('who are struck off is spread over all days of the month', () => {
    const ended = citizens.flatMap(({ registraties }) =>
      registraties[0]?.status?.soort === 'doorgehaald' ? [registraties[0].status.op] : [],
    );
    const byDay = new Map<string, number>();
    for (const op of ended) byDay.set(op.slice(8), (byDay.get(op.slice(8)) ?? 0) + 1);
    expect(byDay.size).toBe(31);
    expect(Math.max(...byDay.values())).toBeLessThan(ended.length / 12);
  });

  it('is above zero in each profession of the register, with ages from 21 to over 70', () => {
    const codes = new Set(inRegister.map(({ registraties }) => registraties[0]?.beroepCode));
    expect([...codes].sort()).toEqual(['01', '02', '03', '04', '16', '17', '25', '30', '31', '79', '81', '82']);
    const ages = citizens.map(({ person }) => person.leeftijd);
    expect(Math.min(...ages)).toBe(21);
    expect(Math.max(...ages)).toBeGreaterThan(70);
  });
});

describe('a generated citizen', () => {
  it('has the same name, birthday, register number, programme and address on the next day', () => {
    for (let n = 1; n <= 300; n += 1) {
      const fixed = (today: string) => {
        const person = burger(`burger-${n}`, today);
        return [
          person?.naam,
          person?.verjaardag,
          person?.verblijfplaats,
          person?.registraties[0]?.nummer,
          person?.diplomas[0]?.opleiding,
        ];
      };
      expect(fixed('2026-11-21')).toEqual(fixed('2026-11-22'));
    }
  });

  it.each(['2025-02-28', '2028-02-29', '2031-12-31'])('has valid weekdays and terms also when today is %s', (today) => {
    for (let n = 1; n <= 500; n += 1) {
      const { registraties, diplomas } = resident(`burger-${n}`, today);
      for (const { behaaldOp } of diplomas) expect([1, 2, 3, 4, 5]).toContain(weekday(behaaldOp ?? ''));
      for (const { sinds, uhd, beroepCode } of registraties) {
        expect(weekday(sinds)).not.toBe(0);
        // A profession of art. 36a was never renewed.
        expect(uhd === null ? beroepCode === '79' : uhd <= years(today, 5)).toBe(true);
      }
    }
  });
});
