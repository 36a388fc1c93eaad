/** The data of a person in the format of the BRP, and the selection of the requested fields. */
import { longDate } from '../../../src/wire/dates.ts';
import type { Resident } from '../../people/resident.ts';

/** The fields that a request may name. As in the real BRP, members that are always sent may not be named. */
export const FIELDS = new Set([
  'burgerservicenummer',
  'leeftijd',
  'geslacht',
  'naam',
  'naam.volledigeNaam',
  'naam.voornamen',
  'naam.voorletters',
  'naam.voorvoegsel',
  'naam.geslachtsnaam',
  'naam.aanduidingNaamgebruik',
  'geboorte',
  'geboorte.datum',
  'verblijfplaats',
  'verblijfplaats.type',
  'verblijfplaats.functieAdres',
  'verblijfplaats.verblijfadres',
  'verblijfplaats.verblijfadres.officieleStraatnaam',
  'verblijfplaats.verblijfadres.korteStraatnaam',
  'verblijfplaats.verblijfadres.huisnummer',
  'verblijfplaats.verblijfadres.huisletter',
  'verblijfplaats.verblijfadres.huisnummertoevoeging',
  'verblijfplaats.verblijfadres.postcode',
  'verblijfplaats.verblijfadres.woonplaats',
  'verblijfplaats.verblijfadres.regel1',
  'verblijfplaats.verblijfadres.regel2',
  'verblijfplaats.verblijfadres.regel3',
  'verblijfplaats.verblijfadres.land',
  'gemeenteVanInschrijving',
  'adressering.aanhef',
]);

/** Returns a date in the format of the BRP. */
const datum = (day: string) => ({ type: 'Datum', datum: day, langFormaat: longDate(day) });

type BrpRecord = ReturnType<typeof makeRecord>;

/** The record of each resident on the day on which it was last requested. Residents do not change. */
const records = new WeakMap<Resident, { readonly today: string; readonly record: BrpRecord }>();

/** Returns all data of a resident in the format of the BRP. `today` is `YYYY-MM-DD` and decides the age. */
export function brpRecord(resident: Resident, today: string): BrpRecord {
  const known = records.get(resident);
  if (known?.today === today) return known.record;
  const record = makeRecord(resident, today);
  records.set(resident, { today, record });
  return record;
}

function makeRecord(resident: Resident, today: string) {
  const { person, geboortedatum, overledenOp, verblijfplaats } = resident;
  const { voornamen, voorvoegsel, geslachtsnaam } = person.naam;
  const abroad = verblijfplaats.soort !== 'adres';
  return {
    burgerservicenummer: resident.bsn,
    ...(person.geheim && { geheimhoudingPersoonsgegevens: true }),
    ...(overledenOp !== null && {
      opschortingBijhouding: { reden: { code: 'O', omschrijving: 'overlijden' }, datum: datum(overledenOp) },
    }),
    leeftijd:
      Number(today.slice(0, 4)) - Number(geboortedatum.slice(0, 4)) - (today.slice(5) < geboortedatum.slice(5) ? 1 : 0),
    geslacht: person.geslacht === 'V' ? { code: 'V', omschrijving: 'vrouw' } : { code: 'M', omschrijving: 'man' },
    naam: {
      volledigeNaam: resident.naam,
      voornamen,
      voorletters: `${voornamen.slice(0, 1)}.`,
      ...(voorvoegsel && { voorvoegsel }),
      geslachtsnaam,
      aanduidingNaamgebruik: { code: 'E', omschrijving: 'eigen geslachtsnaam' },
    },
    adressering: { aanhef: aanhef(person) },
    geboorte: { datum: datum(geboortedatum) },
    verblijfplaats: verblijfplaatsOf(verblijfplaats),
    gemeenteVanInschrijving: abroad
      ? { code: '1999', omschrijving: 'Registratie Niet-Ingezetenen' }
      : verblijfplaats.gemeente,
  };
}

/** Returns the salutation. The prefix ("van", "de") has a capital, because no first name stands before it. */
export function aanhef({ geslacht, naam: { voorvoegsel, geslachtsnaam } }: Resident['person']): string {
  const name = [voorvoegsel, geslachtsnaam].filter(Boolean).join(' ');
  return `Geachte ${geslacht === 'V' ? 'mevrouw' : 'heer'} ${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** Returns an address in the format of the BRP. */
function verblijfplaatsOf(verblijfplaats: Resident['verblijfplaats']) {
  switch (verblijfplaats.soort) {
    case 'adres':
      return {
        type: 'Adres',
        functieAdres: { code: 'W', omschrijving: 'woonadres' },
        verblijfadres: {
          officieleStraatnaam: verblijfplaats.straat,
          korteStraatnaam: verblijfplaats.straat,
          huisnummer: verblijfplaats.huisnummer,
          ...(verblijfplaats.huisletter && { huisletter: verblijfplaats.huisletter }),
          ...(verblijfplaats.toevoeging && { huisnummertoevoeging: verblijfplaats.toevoeging }),
          postcode: verblijfplaats.postcode,
          woonplaats: verblijfplaats.woonplaats,
        },
      };
    case 'buitenland': {
      const lines = verblijfplaats.regels.map((regel, index) => [`regel${index + 1}`, regel]);
      return {
        type: 'VerblijfplaatsBuitenland',
        verblijfadres: { ...Object.fromEntries(lines), land: verblijfplaats.land },
      };
    }
    case 'onbekend':
      return { type: 'VerblijfplaatsOnbekend' };
  }
}

/** Path of each field, as names of members. */
const FIELD_PATHS = new Map([...FIELDS].map((field) => [field, field.split('.')]));

/** Members that are sent without being requested. */
const ALWAYS_SENT = ['geheimhoudingPersoonsgegevens', 'opschortingBijhouding'];

type Group = Record<string, unknown>;

/**
 * Returns the requested fields of a person and the fields that are always sent. A group whose requested fields are all
 * absent is an empty object.
 */
export function selectFields(persoon: Group, fields: readonly string[]): Group {
  const selected: Group = {};
  for (const name of ALWAYS_SENT) if (name in persoon) selected[name] = persoon[name];
  for (const field of fields) copy(persoon, selected, FIELD_PATHS.get(field) ?? []);
  const from = persoon.verblijfplaats as Group;
  const to = selected.verblijfplaats as Group | undefined;
  if (to !== undefined) to.type = from.type;
  return selected;
}

/** Copies one member, given by its path, from one object to the other. */
function copy(from: Group, to: Group, path: readonly string[], at = 0): void {
  const { [at]: name = '' } = path;
  if (!(name in from)) return;
  if (at === path.length - 1) {
    to[name] = from[name];
    return;
  }
  to[name] ??= {};
  if (to[name] !== from[name]) copy(from[name] as Group, to[name] as Group, path, at + 1);
}
