/** Checks of a persona that a schema cannot express, such as dates that contradict each other. */

import { toDiploma } from '../../adapters/duo/map.ts';
import { BEROEP_BY_CODE } from '../../adapters/register/wire.ts';
import type { Offset } from '../../fixtures/offset.ts';
import type { Person } from '../../fixtures/person.ts';
import { passesElfproef } from '../../src/domain/identifiers.ts';
import { categoryOf } from '../../src/uploads/categories.ts';
import { plusDays, plusMonths, plusYears } from '../../src/wire/dates.ts';
import { gemeenteOf } from './convert.ts';

export interface PersonaFault {
  readonly file: string;
  /** JSON Pointer to the wrong value; empty for the whole file. */
  readonly pointer: string;
  /** What is wrong, in English. */
  readonly detail: string;
  /** The allowed values or member names, when there is a list of them. */
  readonly allowed?: readonly string[];
}

export type PersonaFinding = Omit<PersonaFault, 'file'>;

/** The date used as today when relative dates (`Offset`) are compared. Only the differences between dates matter. */
const REFERENCE_DAY = '2026-06-01';
const dateOf = ({ years = 0, months = 0, days = 0 }: Offset): string =>
  plusDays(plusMonths(plusYears(REFERENCE_DAY, years), months), days);
/** Minimum age in years at the start of a registration. */
const MIN_AGE = 18;

/**
 * Returns a fault for each combination of data about a person that is impossible, such as a suspension that ends before
 * it begins.
 */
export function findContradictions(person: Person): PersonaFinding[] {
  return [
    ...checkBsn(person),
    ...person.registraties.flatMap((registratie, index) =>
      checkRegistratie(person, registratie, `/person/registraties/${index}`),
    ),
    ...person.diplomas.flatMap(({ behaaldOp }, index) =>
      behaaldOp === null ? [] : checkInPast(behaaldOp, `/person/diplomas/${index}/behaaldOp`, 'A diploma'),
    ),
    // The data of a recorded person come from real upstreams, and are not checked.
    ...checkLife(person),
    ...checkAddress(person),
    ...checkUploads(person),
  ];
}

const toFinding = (pointer: string, detail: string): PersonaFinding => ({ pointer, detail });

const checkInPast = (offset: Offset, pointer: string, what: string): PersonaFinding[] =>
  dateOf(offset) > REFERENCE_DAY ? [toFinding(pointer, `${what} cannot be in the future.`)] : [];

function checkBsn({ bsn }: Person): PersonaFinding[] {
  return bsn === null || passesElfproef(bsn)
    ? []
    : [toFinding('/person/bsn', 'The number does not pass the 11-test. Leave bsn out to get a number that does.')];
}

/** Returns the faults in the events of a life (such as death and marriage) and in the dates of applications. */
function checkLife({ overleden, registraties, brp = {}, verblijfplaats, aanvragen = [] }: Person): PersonaFinding[] {
  const { emigratie, naamgebruik = 'E', partner, immigratie, inOnderzoek, nietOpAdres } = brp;
  const isHere = verblijfplaats.soort === 'adres' || verblijfplaats.soort === 'locatie';
  return [
    ...(overleden ? checkInPast(overleden, '/person/overleden', 'A date of death') : []),
    ...(partner ? checkInPast(partner.sinds, '/person/brp/partner/sinds', 'The marriage') : []),
    ...(immigratie ? checkInPast(immigratie.op, '/person/brp/immigratie/op', 'The immigration') : []),
    ...(emigratie ? checkInPast(emigratie, '/person/brp/emigratie', 'The emigration') : []),
    ...(inOnderzoek ? checkInPast(inOnderzoek, '/person/brp/inOnderzoek', 'The investigation') : []),
    ...(nietOpAdres ? checkInPast(nietOpAdres, '/person/brp/nietOpAdres', 'The finding of the municipality') : []),
    ...(nietOpAdres && !isHere
      ? [toFinding('/person/brp/nietOpAdres', 'The person has no address in the Netherlands. Change verblijfplaats.')]
      : []),
    ...(emigratie && isHere
      ? [
          toFinding(
            '/person/brp/emigratie',
            'The person has left, and lives in the Netherlands. Change verblijfplaats.',
          ),
        ]
      : []),
    ...(naamgebruik !== 'E' && !partner
      ? [toFinding('/person/brp/naamgebruik', 'There is no partner whose name can be used. Add partner.')]
      : []),
    ...registraties.flatMap(({ status }, index) =>
      overleden && status?.soort !== 'doorgehaald'
        ? [
            toFinding(
              `/person/registraties/${index}/status`,
              'The person has died and is not struck off (doorgehaald).',
            ),
          ]
        : [],
    ),
    ...registraties.flatMap(({ status }, index) =>
      status?.reden === 'Overlijden' && !overleden
        ? [toFinding(`/person/registraties/${index}/status/reden`, 'The person is alive. Add overleden.')]
        : [],
    ),
    ...aanvragen.flatMap((aanvraag, index) =>
      checkInPast(
        aanvraag.tag === 'Concept' ? aanvraag.begonnen : aanvraag.ingediend,
        `/person/aanvragen/${index}/${aanvraag.tag === 'Concept' ? 'begonnen' : 'ingediend'}`,
        'The request',
      ),
    ),
    ...aanvragen.flatMap((aanvraag, index) =>
      aanvraag.tag === 'Afgewezen' && dateOf(aanvraag.besloten) < dateOf(aanvraag.ingediend)
        ? [toFinding(`/person/aanvragen/${index}/besloten`, 'The decision is before ingediend.')]
        : [],
    ),
    // The service does not let a person submit a second request of a type while the first is in progress.
    ...aanvragen.flatMap(({ tag, type }, index) =>
      tag === 'InBehandeling' && aanvragen.slice(0, index).some((one) => one.tag === tag && one.type === type)
        ? [toFinding(`/person/aanvragen/${index}/type`, 'Another request of this type is in progress.')]
        : [],
    ),
  ];
}

function checkRegistratie(
  person: Person,
  registratie: Person['registraties'][number],
  pointer: string,
): PersonaFinding[] {
  const { nummer, sinds, uhd, status, aantekeningen = [] } = registratie;
  const [beroep, since] = [BEROEP_BY_CODE.get(nummer.slice(-2)), dateOf(sinds)];
  const diplomas = person.diplomas.flatMap(({ opleiding, instelling, behaaldOp }) => {
    const wire = {
      diplomaId: '',
      opleiding,
      instelling,
      behaaldOp: behaaldOp && dateOf(behaaldOp),
      status: 'passed' as const,
    };
    const diploma = toDiploma(wire);
    return diploma !== null && diploma.beroep === beroep ? [diploma.behaaldOp] : [];
  });
  const [first] = diplomas.sort();
  return [
    ...checkInPast(sinds, `${pointer}/sinds`, 'The registration'),
    ...(first !== undefined && since < first
      ? [
          toFinding(
            `${pointer}/sinds`,
            `The registration is before the diploma of ${beroep}. Change sinds, or behaaldOp.`,
          ),
        ]
      : []),
    ...(-monthsOf(sinds) / 12 > person.leeftijd - MIN_AGE
      ? [
          toFinding(
            `${pointer}/sinds`,
            `The person was younger than ${MIN_AGE} at the registration. Change sinds, or leeftijd.`,
          ),
        ]
      : []),
    ...(uhd !== null && dateOf(uhd) <= since ? [toFinding(`${pointer}/uhd`, 'The uhd is not after sinds.')] : []),
    ...(uhd !== null && dateOf(uhd) > plusYears(REFERENCE_DAY, 5)
      ? [toFinding(`${pointer}/uhd`, 'A registration lasts five years: the uhd cannot be later than that.')]
      : []),
    ...(status === undefined ? [] : checkInPast(status.op, `${pointer}/status/op`, 'The status')),
    ...(status !== undefined && dateOf(status.op) < since
      ? [toFinding(`${pointer}/status/op`, 'The status is before sinds.')]
      : []),
    ...(status?.soort === 'geschorst' && status.tot !== null && dateOf(status.tot) < dateOf(status.op)
      ? [toFinding(`${pointer}/status/tot`, 'The suspension ends before it begins.')]
      : []),
    ...aantekeningen.flatMap(({ van }, index) => checkInPast(van, `${pointer}/aantekeningen/${index}/van`, 'A note')),
    ...aantekeningen.flatMap(({ van, tot }, index) =>
      tot !== undefined && dateOf(tot) < dateOf(van)
        ? [toFinding(`${pointer}/aantekeningen/${index}/tot`, 'The note ends before it begins.')]
        : [],
    ),
  ];
}

const monthsOf = ({ years = 0, months = 0, days = 0 }: Offset): number => 12 * years + months + days / 30.4;

function checkAddress({ verblijfplaats }: Person): PersonaFinding[] {
  if (verblijfplaats.soort !== 'adres' || (verblijfplaats.gemeente ?? gemeenteOf(verblijfplaats.woonplaats))) return [];
  return [
    toFinding(
      '/person/verblijfplaats/gemeente',
      'The municipality of this woonplaats is not known. Add it: { "code": "0344", "omschrijving": "Utrecht" }.',
    ),
  ];
}

function checkUploads({ uploads = [], aanvragen = [] }: Person): PersonaFinding[] {
  const names = uploads.map(({ localId }) => localId);
  return [
    ...uploads.flatMap(({ localId, wizardId, categoryId }, index) => [
      ...(names.indexOf(localId) < index
        ? [toFinding(`/person/uploads/${index}/localId`, 'Another upload has this localId.')]
        : []),
      ...(categoryOf(wizardId, categoryId) === null
        ? [toFinding(`/person/uploads/${index}/categoryId`, `The wizard ${wizardId} does not have this category.`)]
        : []),
    ]),
    ...aanvragen.flatMap(({ documenten = [] }, index) =>
      documenten.flatMap((localId, place) =>
        names.includes(localId)
          ? []
          : [
              {
                pointer: `/person/aanvragen/${index}/documenten/${place}`,
                detail: 'There is no upload with this localId.',
                allowed: names,
              },
            ],
      ),
    ),
  ];
}
