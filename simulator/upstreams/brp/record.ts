import { Temporal } from 'temporal-polyfill';
import type { Land } from '../../../fixtures/brp.ts';
import type { Offset } from '../../../fixtures/offset.ts';
import { dateAt, dayOf } from '../../../src/domain/workdays.ts';
import { ageOn, type Resident } from '../../people/resident.ts';
import { aanschrijvingOf, naamgebruikOf, titelOf } from './adressering.ts';
import { adresregelsOf, verblijfplaatsOf } from './place.ts';
import { gemeenteIn, hasEnded, partnersOf, relativesOf, townOf } from './relatives.ts';
import {
  GESLACHT,
  inOnderzoek,
  isKnown,
  knownLand,
  NEDERLAND,
  naamOf,
  ONBEKEND,
  toBrpDate,
  toPartialBrpDate,
  value,
} from './words.ts';

/** The day on which the municipal registers (GBA), the predecessor of the BRP, began. */
const GBA_BEGAN = '1994-10-01';
/** The day on which the register of non-residents (RNI), a part of the BRP, began. */
const RNI_BEGAN = '2014-01-06';

/** Returns false for a person whose data the BRP does not give, because they are an error or were wiped. */
export const isGiven = ({ person }: Pick<Resident, 'person'>): boolean =>
  !['F', 'W'].includes(person.brp?.opschorting ?? '');

/**
 * Returns what the BRP has of a person, as known on `today`; relative dates count from `firstDay` (both `YYYY-MM-DD`).
 */
export function brpRecord(resident: Resident, today: string, firstDay: string): BrpRecord {
  const known = records.get(resident);
  if (known?.today === today && known.firstDay === firstDay) return known.record;
  const record = makeRecord(resident, today, firstDay);
  records.set(resident, { today, firstDay, record });
  return record;
}

type BrpRecord = ReturnType<typeof makeRecord>;

/** A cache of the last record of each resident, with the dates for which it was made. */
const records = new WeakMap<
  Resident,
  { readonly today: string; readonly firstDay: string; readonly record: BrpRecord }
>();

function makeRecord(resident: Resident, today: string, firstDay: string) {
  const { person, geboortedatum, overledenOp, verblijfplaats } = resident;
  const { geslacht, brp = {}, verblijfplaats: lastHome } = person;
  const { adellijkeTitelPredicaat } = brp;
  const naam = { ...person.naam, ...(adellijkeTitelPredicaat && { adellijkeTitelPredicaat }) };
  const T = Temporal.PlainDate.from(firstDay);
  const at = ({ years = 0, months = 0, days = 0 }: Offset): string =>
    T.add({ months: 12 * years + months })
      .add({ days })
      .toString();
  const immigrated = brp.immigratie ? at(brp.immigratie.op) : null;
  const { emigratieOp: left, nietOpAdresOp: notThere } = resident;
  // What the municipality established about the address is under investigation too.
  const onderzoek = resident.inOnderzoekOp ?? notThere;
  const indicatie = notThere !== null && { indicatieVastgesteldVerblijftNietOpAdres: true };
  // The random choices are the same on each day, also on a day before the first one.
  const end = [brp.emigratie, person.overleden].flatMap((offset) => (offset ? [at(offset)] : []));
  const relatives = relativesOf(resident, at, [...end, laterOf(today, firstDay)].sort()[0] ?? today);
  const { draw, ouders } = relatives;
  const born = Number(geboortedatum.slice(0, 4));
  const partner =
    relatives.partner !== null && relatives.partner.sinds <= today
      ? { ...relatives.partner, isEx: hasEnded(relatives.partner, today) }
      : null;
  const partners = partnersOf(relatives, born, brp.huwelijksdatum, today).filter(() => partner !== null);
  const kinderen = relatives.kinderen.filter(({ geboorte }) => geboorte.datum.datum <= today);
  const drawnDays = draw.between(150, 6_000);
  const drawnDay = T.subtract({ days: drawnDays }).toString();
  // Everybody has moved at least once, at the age of 18 or 19.
  const adult = dateAt(dayOf(geboortedatum) + 6_800 + (drawnDays % 365));
  const neverResident = verblijfplaats.soort === 'buitenland' && left === null;
  const firstHome = adult <= today ? adult : geboortedatum;
  const since = [immigrated, left, adult, drawnDay].reduce<string>(
    (latest, day) => (day !== null && day > latest && day < (overledenOp ?? today) ? day : latest),
    neverResident ? laterOf(adult, RNI_BEGAN) : firstHome,
  );
  const birthplace =
    draw.chance(50) && lastHome.soort === 'adres' ? gemeenteIn(lastHome.gemeente, born) : townOf(draw, born);
  const naamgebruik = (partner && brp.naamgebruik) || 'E';
  const isResident = verblijfplaats.soort === 'adres' || verblijfplaats.soort === 'locatie';
  const suspended = opschortingOf(resident, left, since);
  const isAlive = overledenOp === null;
  return {
    aNummer: aNummerOf(resident.bsn ?? ''),
    burgerservicenummer: resident.bsn,
    ...(person.geheim && { geheimhoudingPersoonsgegevens: true }),
    ...(suspended && { opschortingBijhouding: suspended }),
    ...(brp.curatele && { indicatieCurateleRegister: true }),
    ...(isAlive && isAgeKnown(resident, today) && { leeftijd: ageOn(resident, today) }),
    geslacht: GESLACHT[geslacht],
    naam: {
      ...naamOf(naam),
      ...(adellijkeTitelPredicaat && { adellijkeTitelPredicaat: titelOf(adellijkeTitelPredicaat, geslacht) }),
      ...(isKnown(resident.naam) && { volledigeNaam: resident.naam }),
      aanduidingNaamgebruik: naamgebruikOf(naamgebruik),
    },
    geboorte: {
      datum: toPartialBrpDate(geboortedatum, brp.geboortedatum),
      ...(brp.geboren?.code !== ONBEKEND && {
        plaats: brp.geboren
          ? { ...(brp.geboren.code && { code: brp.geboren.code }), omschrijving: brp.geboren.plaats }
          : birthplace,
      }),
      ...knownLand(brp.geboren?.land ?? NEDERLAND),
    },
    nationaliteiten: [nationaliteitOf(brp.nationaliteit, immigrated ?? geboortedatum)],
    datumEersteInschrijvingGBA: toBrpDate(neverResident ? since : laterOf(immigrated ?? geboortedatum, GBA_BEGAN)),
    ...(isResident && { datumInschrijvingInGemeente: toBrpDate(since) }),
    gemeenteVanInschrijving: isResident ? verblijfplaats.gemeente : value('1999', 'Registratie Niet-Ingezetenen'),
    verblijfplaats: {
      ...verblijfplaatsOf(verblijfplaats, toPartialBrpDate(since, brp.adresdatum), onderzoek),
      ...indicatie,
    },
    adressering: {
      ...adresregelsOf(verblijfplaats),
      ...aanschrijvingOf({ naam, geslacht, naamgebruik, partner }),
      ...indicatie,
      ...inOnderzoek(
        onderzoek,
        ['adresregel1', 'adresregel2', 'adresregel3', 'land'],
        'datumIngangOnderzoekVerblijfplaats',
      ),
    },
    ...((immigrated !== null || resident.inOnderzoekOp !== null) && {
      immigratie: {
        ...(brp.immigratie && immigratieOf(at(brp.immigratie.op), brp.immigratie.land)),
        ...inOnderzoek(resident.inOnderzoekOp, IMMIGRATIE),
      },
    }),
    // What the municipality established about the address is not about the registration in the municipality.
    ...inOnderzoek(
      resident.inOnderzoekOp,
      ['gemeenteVanInschrijving', 'datumInschrijvingInGemeente'],
      'datumIngangOnderzoekGemeente',
    ),
    ...(isResident &&
      isAlive &&
      brp.nationaliteit &&
      EU_CODES.has(brp.nationaliteit.code) && {
        europeesKiesrecht: { aanduiding: value('2', 'persoon ontvangt oproep') },
      }),
    ...(brp.verblijfstitel &&
      brp.verblijfstitel.code !== NO_LONGER &&
      at(brp.verblijfstitel.van) <= today &&
      !(brp.verblijfstitel.tot && at(brp.verblijfstitel.tot) <= today) && {
        verblijfstitel: {
          aanduiding: value(brp.verblijfstitel.code, brp.verblijfstitel.omschrijving),
          datumIngang: toBrpDate(at(brp.verblijfstitel.van)),
          ...(brp.verblijfstitel.tot && { datumEinde: toBrpDate(at(brp.verblijfstitel.tot)) }),
        },
      }),
    ...(!isAlive && {
      overlijden: {
        datum: toPartialBrpDate(overledenOp, brp.overlijdensdatum),
        plaats: isResident ? verblijfplaats.gemeente : townOf(draw, Number(overledenOp.slice(0, 4))),
        land: NEDERLAND,
      },
    }),
    // The BRP has no relatives of a person who was never a resident.
    ...(suspended?.reden.code !== 'R' && {
      ouders,
      ...(partners.length > 0 && { partners }),
      ...(kinderen.length > 0 && { kinderen }),
    }),
    ...(suspended?.reden.code === 'R' && {
      rni: ['Persoon', 'Verblijfplaats'].map((categorie) => ({
        deelnemer: value('0201', 'Sociale Verzekeringsbank (inzake AOW, Anw en AKW)'),
        categorie,
      })),
      verificatie: { datum: toBrpDate(since), omschrijving: 'eigen verzoek' },
    }),
  };
}

/** The code in table 56 of the BRP of a residence permit that ended. The BRP gives a valid one only. */
const NO_LONGER = '98';

/** Without the day of birth, it is not known in the month of birth. */
const isAgeKnown = ({ person, geboortedatum }: Resident, today: string): boolean =>
  person.brp?.geboortedatum === undefined ||
  (person.brp.geboortedatum === 'JaarMaandDatum' && geboortedatum.slice(5, 7) !== today.slice(5, 7));

const laterOf = (one: string, other: string): string => (one > other ? one : other);

/** Codes in table 32 of the BRP of the EU nationalities that fixtures use. */
const EU_CODES = new Set(['0052', '0055', '0072', '0073', '0074', '0077']);

const OPSCHORTING = {
  M: value('M', 'ministerieel besluit'),
  '.': value('.', 'onbekend'),
  F: value('F', 'fout'),
  W: value('W', 'wissen'),
};

/** Null for a living resident of the Netherlands. Of a non-resident, only `overlijden` says that they have died. */
function opschortingOf({ person, overledenOp, verblijfplaats }: Resident, left: string | null, since: string) {
  const isResident = left === null && (verblijfplaats.soort === 'adres' || verblijfplaats.soort === 'locatie');
  if (overledenOp !== null && isResident)
    return { reden: value('O', 'overlijden'), datum: toPartialBrpDate(overledenOp, person.brp?.overlijdensdatum) };
  if (person.brp?.opschorting) return { reden: OPSCHORTING[person.brp.opschorting] };
  // An unknown address means that the person left without reporting where to.
  if (left !== null || verblijfplaats.soort === 'onbekend')
    return { reden: value('E', 'emigratie'), datum: toBrpDate(left ?? since) };
  if (verblijfplaats.soort === 'buitenland')
    return { reden: value('R', 'pl is aangelegd in de rni'), datum: toBrpDate(since) };
  return null;
}

/** Dutch when `known` is undefined. `from` is the date from which the person has it, `YYYY-MM-DD`. */
function nationaliteitOf(known: { code: string; omschrijving: string } | undefined, from: string) {
  const special = known && NATIONALITEIT_TYPES.get(known.code);
  return {
    type: special ?? 'Nationaliteit',
    ...(special === undefined && { nationaliteit: known ?? value('0001', 'Nederlandse') }),
    ...(known && { redenOpname: value('301', 'Vaststelling bezit vreemde nationaliteit') }),
    datumIngangGeldigheid: toBrpDate(from),
  };
}

/** The codes in table 32 of the BRP that are no nationality: the type says what they mean. */
const NATIONALITEIT_TYPES = new Map([
  [ONBEKEND, 'NationaliteitOnbekend'],
  ['0002', 'BehandeldAlsNederlander'],
  ['0499', 'Staatloos'],
  ['0500', 'VastgesteldNietNederlander'],
]);

const IMMIGRATIE = [
  'datumVestigingInNederland',
  'landVanwaarIngeschreven',
  'indicatieVestigingVanuitBuitenland',
  'vanuitVerblijfplaatsOnbekend',
];

const immigratieOf = (op: string, land: Land) => ({
  datumVestigingInNederland: toBrpDate(op),
  ...(land.code === ONBEKEND ? { vanuitVerblijfplaatsOnbekend: true } : { landVanwaarIngeschreven: land }),
  indicatieVestigingVanuitBuitenland: true,
});

/** It meets the rules of Logisch Ontwerp GBA, 01.10, and is always the same for the same burgerservicenummer. */
function aNummerOf(bsn: string): string {
  const slot = Number(bsn.slice(1, 8));
  // Four A-nummers share their first seven digits. Because of the large step, consecutive numbers look different.
  let rest = (Math.floor(slot / 4) * STEP) % PREFIXES;
  const prefix: number[] = [];
  for (let previous = 0; prefix.length < 7; previous = prefix.at(-1) ?? 0) {
    const digit = rest % 9;
    rest = Math.floor(rest / 9);
    prefix.push(digit < previous ? digit : digit + 1);
  }
  // Every prefix has at least ten endings that pass.
  for (let ending = 0, found = 0; ; ending += 1) {
    const digits = [...prefix, ...digitsOf(ending)];
    if (passes(digits) && found++ === slot % 4) return digits.join('');
  }
}

/** Number of groups of seven digits that do not begin with 0 and in which no two neighbours are the same. */
const PREFIXES = 9 ** 7;
const STEP = 2_956_037;

const digitsOf = (ending: number): number[] => [Math.floor(ending / 100), Math.floor(ending / 10) % 10, ending % 10];

function passes(digits: readonly number[]): boolean {
  const sum = digits.reduce((total, digit) => total + digit, 0) % 11;
  const weighted = digits.reduce((total, digit, index) => total + digit * 2 ** index, 0) % 11;
  return (sum === 0 || sum === 5) && weighted === 0 && digits.every((digit, index) => digit !== digits[index + 1]);
}
