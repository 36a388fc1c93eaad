/** Facts that few generated citizens have (docs/domain.md 5.1), such as a second profession or a foreign diploma. */

import type { PersonPartner } from '../../fixtures/brp.ts';
import { LOOPBANEN, type Loopbaan } from '../../fixtures/burgers/careers.ts';
import type { Familie } from '../../fixtures/burgers/families.ts';
import { VOORNAMEN } from '../../fixtures/burgers/first-names.ts';
import {
  BELGIE,
  CLAUSULE,
  type Herkomstland,
  ZELDZAME_KANSEN as KANSEN,
  LANDEN_VAN_FAMILIES,
  VOORSCHRIJFBEVOEGDHEID,
  ZELDZAAM,
} from '../../fixtures/burgers/rare-facts.ts';
import type { Offset } from '../../fixtures/offset.ts';
import type { Person } from '../../fixtures/person.ts';
import type { PersonAantekening, PersonRegistratie } from '../../fixtures/registratie.ts';
import { dayOf } from '../../src/domain/workdays.ts';
import { type Career, termsOf } from './career.ts';
import { plusYears, workdayOnOrBefore } from './days.ts';
import type { Draw } from './draw.ts';
import { termOn } from './situations.ts';

/**
 * A generated citizen without rare facts, and the data that decide which rare facts are possible. Days are day numbers
 * (days since 1970).
 */
export interface OrdinaryCitizen {
  readonly person: Person;
  readonly career: Career;
  readonly loopbaan: Loopbaan;
  /** The family of names that the first name belongs to; undefined for a Dutch name. */
  readonly familie: Familie | undefined;
  readonly today: number;
  /** First nine digits of the citizen's register numbers. */
  readonly serial: string;
  /** True when the citizen has the situation `gewoon`, an ordinary registration. */
  readonly isOrdinary: boolean;
  readonly decade: string;
  readonly drawSurname: () => Pick<PersonPartner, 'voorvoegsel' | 'geslachtsnaam'>;
}

export function withRareFacts(draw: Draw, ordinary: OrdinaryCitizen): Person {
  const { person, loopbaan } = ordinary;
  const kind = draw.between(0, 9_999);
  const chances = draw.between(0, 9_999) / 100;
  if (loopbaan.registerTot !== undefined)
    return chances < KANSEN.vervallen ? withEndedProfession(draw, ordinary) : person;
  const isResident = person.verblijfplaats.soort === 'adres' && person.overleden === undefined;
  const changed = isResident && ordinary.isOrdinary ? withUnusualAddressOrDiploma(draw, ordinary, kind) : person;
  const noted = { ...changed, registraties: withVermelding(draw, ordinary, changed.registraties) };
  const both = loopbaan.code === '16' && ordinary.isOrdinary && chances < KANSEN.gzPsycholoog;
  const registered = both ? withSecondProfession(draw, ordinary, noted) : noted;
  const takesName = person.geslacht === 'V' && person.leeftijd >= 28 && isResident && changed.brp === undefined;
  return takesName && draw.chance(KANSEN.naamPartner) ? withNameOfPartner(draw, ordinary, registered) : registered;
}

/** `kind` is a random number from 0 to 9,999 that selects at most one rare fact. */
function withUnusualAddressOrDiploma(draw: Draw, ordinary: OrdinaryCitizen, kind: number): Person {
  const { person, familie, today, career } = ordinary;
  const { geheim, ...known } = person;
  if (kind < ZELDZAAM.adresOnbekend) {
    const left = Math.max(today - draw.between(60, 2_000), career.diploma + 20);
    return { ...known, verblijfplaats: { soort: 'onbekend' }, brp: { emigratie: { days: left - today } } };
  }
  if (kind < ZELDZAAM.adresOnbekend + ZELDZAAM.inOnderzoek)
    return { ...person, brp: { inOnderzoek: { days: -draw.between(5, 140) } } };
  const abroad = kind - ZELDZAAM.adresOnbekend - ZELDZAAM.inOnderzoek;
  const of = familie && LANDEN_VAN_FAMILIES[familie.land.code];
  if (familie && of && abroad < ZELDZAAM.erkenningBuitenEu)
    return withForeignDiploma(draw, ordinary, { land: familie.land, ...of }, 'buiten-eu');
  if (familie === undefined && abroad < ZELDZAAM.erkenningEu) return withForeignDiploma(draw, ordinary, BELGIE, 'eu');
  return person;
}

/** A psychologist is returned unchanged. */
function withForeignDiploma(
  draw: Draw,
  { person, career, today, loopbaan }: OrdinaryCitizen,
  { land, nationaliteit, plaatsen }: Herkomstland,
  herkomst: 'eu' | 'buiten-eu',
): Person {
  // Psychologists are registered with a training that follows after the study.
  if (loopbaan.opleiding === null) return person;
  const sinds = career.sinds ?? today;
  const outside = herkomst === 'buiten-eu';
  // The assessment of a diploma from outside the EU takes most of a year.
  const came = outside ? sinds - draw.between(270, 900) : Math.max(career.diploma + 3, sinds - draw.between(20, 700));
  const isIncomplete = draw.chance(KANSEN.geboortedatumOnvolledig);
  const isLimited = draw.chance(KANSEN.clausule) && today - sinds < 730;
  const permanent = plusYears(came, 5);
  const at = (day: number): Offset => ({ days: day - today });
  const plaats = draw.pick(plaatsen);
  return {
    ...person,
    herkomst,
    diplomas: [],
    brp: {
      geboren: { plaats, land },
      nationaliteit,
      immigratie: { op: at(came), land },
      ...(outside && isIncomplete && { geboortedatum: 'JaarDatum' as const }),
      ...(outside && {
        verblijfstitel: permanent < today ? permit(25, at(permanent)) : permit(21, at(came), at(permanent)),
      }),
    },
    registraties:
      outside && isLimited
        ? withNote(person.registraties, { soort: 'beperking', omschrijving: CLAUSULE, van: at(sinds) })
        : person.registraties,
  };
}

/** Residence permits for work, keyed by code: for five years, and permanent (table 56 of the BRP, where 27 is for asylum). */
const PERMITS = {
  21: 'Vw 2000 art. 8, onder a, vergunning regulier bepaalde tijd, arbeid vrij',
  25: 'Vw 2000 art. 8, sub b, verg. reg. onbep. tijd of langdurig ingez., arbeid vrij',
};
function permit(code: keyof typeof PERMITS, van: Offset, tot?: Offset) {
  return { code: String(code), omschrijving: PERMITS[code], van, ...(tot && { tot }) };
}

/** A nurse with an hbo diploma may get the note (vermelding) that the nurse may prescribe medicines. */
function withVermelding(
  draw: Draw,
  { loopbaan, career, today, isOrdinary }: OrdinaryCitizen,
  registraties: Person['registraties'],
): Person['registraties'] {
  const isDrawn = draw.chance(KANSEN.voorschrijfbevoegdheid);
  const omschrijving = draw.pick(VOORSCHRIJFBEVOEGDHEID.omschrijvingen);
  const part = draw.between(0, 999) / 1_000;
  const earliest = Math.max(dayOf(VOORSCHRIJFBEVOEGDHEID.sinds), plusYears(career.sinds ?? today, 3)) + 5;
  const van = workdayOnOrBefore(Math.floor(earliest + part * (today - 10 - earliest)));
  if (!isDrawn || !isOrdinary || loopbaan.opleiding?.code !== 'hbo-verpleegkunde' || earliest > today - 20)
    return registraties;
  return withNote(registraties, { soort: 'vermelding', omschrijving, van: { days: van - today } });
}

const withNote = (
  [first, ...others]: Person['registraties'],
  note: Omit<PersonAantekening, 'openbaar'>,
): readonly PersonRegistratie[] =>
  first === undefined
    ? []
    : [{ ...first, aantekeningen: [...(first.aantekeningen ?? []), { ...note, openbaar: true }] }, ...others];

const GZ_PSYCHOLOOG = LOOPBANEN.find(({ code }) => code === '25');

/** Unchanged when that registration would be too recent, or when its renewal would already have been requested. */
function withSecondProfession(draw: Draw, { career, today, serial }: OrdinaryCitizen, person: Person): Person {
  const [first] = person.registraties;
  const sinds = workdayOnOrBefore((career.sinds ?? today) + draw.between(30, 1_500));
  if (first === undefined || GZ_PSYCHOLOOG === undefined || sinds > today - 30) return person;
  const term = termOn(termsOf(draw, today, sinds, sinds, GZ_PSYCHOLOOG), today);
  // A citizen has at most one request at a time.
  if (term === undefined || term.request <= today) return person;
  const at = (day: number): Offset => ({ days: day - today });
  const second = { nummer: `${serial}25`, sinds: at(sinds), uhd: at(term.uhd) };
  return { ...person, registraties: [...person.registraties, second] };
}

/** Ended by law on `registerTot` (domain.md 1.1). Unchanged when the dates leave no room for it. */
function withEndedProfession(draw: Draw, { person, career, loopbaan, today, serial }: OrdinaryCitizen): Person {
  const [from, ended] = [dayOf(loopbaan.registerSinds), dayOf(loopbaan.registerTot ?? '')];
  const sinds = workdayOnOrBefore(Math.max(from, career.diploma) + draw.between(8, 900));
  if (sinds > ended - 60 || ended > today) return person;
  const at = (day: number): Offset => ({ days: day - today });
  const status = { soort: 'doorgehaald', op: at(ended), reden: 'Registratie van rechtswege vervallen' } as const;
  return { ...person, registraties: [{ nummer: `${serial}${loopbaan.code}`, sinds: at(sinds), uhd: null, status }] };
}

function withNameOfPartner(
  draw: Draw,
  { decade, familie, today, drawSurname }: OrdinaryCitizen,
  person: Person,
): Person {
  const names = familie?.voornamen.M ?? VOORNAMEN[decade]?.M ?? [];
  const age = draw.between(23, Math.min(38, person.leeftijd - 2));
  const sinds = workdayOnOrBefore(today - Math.round((person.leeftijd - age) * 365.25) - draw.between(0, 200));
  const name = { voornamen: draw.pick(names), ...drawSurname() };
  const partner: PersonPartner = { ...name, geslacht: 'M', sinds: { days: sinds - today } };
  const naamgebruik = draw.weighted(['V', 'P', 'N'] as const, (use) => ({ V: 6, P: 3, N: 1 })[use]);
  return { ...person, brp: { ...person.brp, naamgebruik, partner } };
}
