/** Checks of a persona that a schema cannot express, such as dates that contradict each other. */

import { BEROEP_BY_OPLEIDING } from '../../adapters/duo/map.ts';
import { BEROEP_BY_CODE } from '../../adapters/register/wire.ts';
import type { Offset } from '../../fixtures/offset.ts';
import type { Person } from '../../fixtures/person.ts';
import type { PersonStatus, PersonRegistratie as Registratie } from '../../fixtures/registratie.ts';
import { passesElfproef } from '../../src/domain/identifiers.ts';
import { WETSARTIKEL } from '../../src/domain/professions.ts';
import { effectiveUhd } from '../../src/domain/registraties.ts';
import { hasSpecialismen } from '../../src/domain/specialismen.ts';
import { categoryOf } from '../../src/uploads/categories.ts';
import { plusDays, plusMonths, plusYears } from '../../src/wire/dates.ts';
import { type Beroep, DOORHALING } from '../../src/wire/values.ts';
import { gemeenteOf } from './convert.ts';

export interface PersonaFault {
  readonly file: string;
  /** JSON Pointer to the wrong value; empty for the whole file. */
  readonly pointer: string;
  readonly detail: string;
  /** The allowed values or member names, when there is a list of them. */
  readonly allowed?: readonly string[];
}

export type PersonaFinding = Omit<PersonaFault, 'file'>;

/** The error for a persona file that is refused, with all faults in that file. */
export class RefusedFileError extends Error {
  readonly findings: readonly PersonaFinding[];

  constructor(findings: readonly PersonaFinding[]) {
    super('the file is refused');
    this.findings = findings;
  }
}

/** `pointer` is a JSON Pointer; `allowed` are the values that are allowed there. */
export const fileRefused = (pointer: string, detail: string, allowed?: readonly string[]): RefusedFileError =>
  new RefusedFileError([{ pointer, detail, ...(allowed && { allowed }) }]);

/** The date used as today when relative dates (`Offset`) are compared. Only the differences between dates matter. */
const REFERENCE_DAY = '2026-06-01';
const dateOf = ({ years = 0, months = 0, days = 0 }: Offset): string =>
  plusDays(plusMonths(plusYears(REFERENCE_DAY, years), months), days);
/** Minimum ages in years at a diploma and at the start of a registration. */
const MIN_AGE = { diploma: 16, registration: 18 };

/** Combinations of data that are impossible, such as a suspension that ends before it begins. */
export function findContradictions(person: Person): PersonaFinding[] {
  return [
    ...checkBsn(person),
    ...person.registraties.flatMap((registratie, index) =>
      checkRegistratie(person, registratie, `/person/registraties/${index}`),
    ),
    ...person.diplomas.flatMap(({ behaaldOp }, index) =>
      behaaldOp === null ? [] : checkDiploma(person, behaaldOp, `/person/diplomas/${index}/behaaldOp`),
    ),
    ...checkLife(person),
    ...checkAanvragen(person),
    ...checkAddress(person),
    ...checkUploads(person),
  ];
}

const faultIf = (isWrong: boolean, pointer: string, detail: string): PersonaFinding[] =>
  isWrong ? [{ pointer, detail }] : [];

const checkInPast = (offset: Offset, pointer: string, what: string): PersonaFinding[] =>
  faultIf(dateOf(offset) > REFERENCE_DAY, pointer, `${what} cannot be in the future.`);

const checkAlive = ({ overleden }: Person, offset: Offset, pointer: string, what: string): PersonaFinding[] =>
  faultIf(
    overleden !== undefined && dateOf(offset) > dateOf(overleden),
    pointer,
    `${what} is after the death. Change it, or overleden.`,
  );

/** Returns a fault for a day in the future, after the death, or before the earliest day on which the person can be born. */
const checkInLife = (person: Person, offset: Offset, pointer: string, what: string): PersonaFinding[] => [
  ...checkInPast(offset, pointer, what),
  ...checkAlive(person, offset, pointer, what),
  ...faultIf(
    dateOf(offset) < plusYears(REFERENCE_DAY, -person.leeftijd - 1),
    pointer,
    `${what} is before the birth. Change it, or leeftijd.`,
  ),
];

const checkAge = (
  { leeftijd }: Person,
  offset: Offset,
  pointer: string,
  event: keyof typeof MIN_AGE,
): PersonaFinding[] =>
  faultIf(
    -monthsOf(offset) / 12 > leeftijd - MIN_AGE[event],
    pointer,
    `The person was younger than ${MIN_AGE[event]} at the ${event}. Change it, or leeftijd.`,
  );

const checkDiploma = (person: Person, behaaldOp: Offset, pointer: string): PersonaFinding[] => [
  ...checkInPast(behaaldOp, pointer, 'A diploma'),
  ...checkAlive(person, behaaldOp, pointer, 'A diploma'),
  ...checkAge(person, behaaldOp, pointer, 'diploma'),
];

function checkBsn({ bsn }: Person): PersonaFinding[] {
  return faultIf(
    bsn !== null && !passesElfproef(bsn),
    '/person/bsn',
    'The number does not pass the 11-test. Leave bsn out to get a number that does.',
  );
}

function checkLife(person: Person): PersonaFinding[] {
  const { overleden, registraties, brp = {}, verblijfplaats } = person;
  const { emigratie, naamgebruik = 'E', partner, immigratie, inOnderzoek, nietOpAdres, verblijfstitel } = brp;
  const isHere = verblijfplaats.soort === 'adres' || verblijfplaats.soort === 'locatie';
  const events: readonly [day: Offset | undefined, pointer: string, what: string][] = [
    [overleden, '/person/overleden', 'A date of death'],
    [partner?.sinds, '/person/brp/partner/sinds', 'The marriage'],
    [immigratie?.op, '/person/brp/immigratie/op', 'The immigration'],
    [emigratie, '/person/brp/emigratie', 'The emigration'],
    [inOnderzoek, '/person/brp/inOnderzoek', 'The investigation'],
    [nietOpAdres, '/person/brp/nietOpAdres', 'The finding of the municipality'],
  ];
  return [
    ...events.flatMap(([day, pointer, what]) => (day ? checkInLife(person, day, pointer, what) : [])),
    ...faultIf(
      nietOpAdres !== undefined && !isHere,
      '/person/brp/nietOpAdres',
      'The person has no address in the Netherlands. Change verblijfplaats.',
    ),
    ...faultIf(
      emigratie !== undefined && isHere,
      '/person/brp/emigratie',
      'The person has left, and lives in the Netherlands. Change verblijfplaats.',
    ),
    ...faultIf(
      emigratie !== undefined && immigratie !== undefined && dateOf(immigratie.op) > dateOf(emigratie),
      '/person/brp/immigratie/op',
      'The person came back after emigratie, and lives abroad. Change op, or verblijfplaats.',
    ),
    ...faultIf(
      verblijfstitel?.tot !== undefined && dateOf(verblijfstitel.tot) < dateOf(verblijfstitel.van),
      '/person/brp/verblijfstitel/tot',
      'The residence permit ends before it begins.',
    ),
    ...faultIf(
      naamgebruik !== 'E' && !partner,
      '/person/brp/naamgebruik',
      'There is no partner whose name can be used. Add partner.',
    ),
    ...registraties.flatMap(({ status }, index) => {
      const pointer = `/person/registraties/${index}/status`;
      const isByDeath = status?.reden === 'Overlijden';
      return [
        ...faultIf(
          overleden !== undefined && status?.soort !== 'doorgehaald',
          pointer,
          'The person has died and is not struck off (doorgehaald).',
        ),
        ...faultIf(isByDeath && !overleden, `${pointer}/reden`, 'The person is alive. Add overleden.'),
        ...faultIf(
          isByDeath && overleden !== undefined && dateOf(status.op) < dateOf(overleden),
          `${pointer}/op`,
          'The registration ended by death before the death. Change op, or overleden.',
        ),
      ];
    }),
  ];
}

function checkAanvragen(person: Person): PersonaFinding[] {
  const { registraties, aanvragen = [] } = person;
  return aanvragen.flatMap((aanvraag, index) => {
    const { tag, type } = aanvraag;
    const pointer = `/person/aanvragen/${index}`;
    const [day, member] =
      tag === 'Concept' ? [aanvraag.begonnen, 'begonnen'] : ([aanvraag.ingediend, 'ingediend'] as const);
    return [
      ...checkInLife(person, day, `${pointer}/${member}`, 'The request'),
      ...(tag === 'Afgewezen' ? checkInPast(aanvraag.besloten, `${pointer}/besloten`, 'The decision') : []),
      ...faultIf(
        tag === 'Afgewezen' && dateOf(aanvraag.besloten) < dateOf(day),
        `${pointer}/besloten`,
        'The decision is before ingediend.',
      ),
      ...faultIf(
        tag === 'Afgewezen' && !aanvraag.manual,
        `${pointer}/manual`,
        'Only a case handler rejects. Change it to true.',
      ),
      ...faultIf(
        tag === 'Concept' && aanvraag.stepIndex > aanvraag.stepCount,
        `${pointer}/stepIndex`,
        'This is more than stepCount.',
      ),
      ...faultIf(
        tag === 'Concept' && type === 'adreswijziging',
        `${pointer}/type`,
        'A request of this type has no draft.',
      ),
      ...faultIf(
        tag !== 'Concept' && type === 'herregistratie' && registraties.length === 0,
        `${pointer}/type`,
        'There is no registration to renew. Add one to registraties.',
      ),
      ...faultIf(
        tag === 'InBehandeling' &&
          type === 'herregistratie' &&
          registraties.length > 0 &&
          !registraties.some((one) => dateOf(one.sinds) <= dateOf(day) && dateOf(day) <= lastDayOf(one)),
        `${pointer}/ingediend`,
        'The person had no registration to renew on that day. Change it, or registraties.',
      ),
      // The service does not let a person submit a second request of a type while the first is in progress.
      ...faultIf(
        tag === 'InBehandeling' && aanvragen.slice(0, index).some((one) => one.tag === tag && one.type === type),
        `${pointer}/type`,
        'Another request of this type is in progress.',
      ),
    ];
  });
}

const beroepOf = ({ nummer }: Registratie): Beroep | undefined => BEROEP_BY_CODE.get(nummer.slice(-2));

function checkRegistratie(person: Person, registratie: Registratie, pointer: string): PersonaFinding[] {
  const { nummer, sinds, uhd, specialistTot, status, aantekeningen = [] } = registratie;
  const [beroep, since] = [beroepOf(registratie), dateOf(sinds)];
  const diplomas = person.diplomas.flatMap(({ opleiding, behaaldOp }) =>
    behaaldOp !== null && BEROEP_BY_OPLEIDING.get(opleiding.code) === beroep ? [dateOf(behaaldOp)] : [],
  );
  const [first] = diplomas.sort();
  const others = person.registraties.filter((one) => one !== registratie);
  return [
    ...checkInPast(sinds, `${pointer}/sinds`, 'The registration'),
    ...checkAlive(person, sinds, `${pointer}/sinds`, 'The registration'),
    ...faultIf(
      first !== undefined && since < first,
      `${pointer}/sinds`,
      `The registration is before the diploma of ${beroep}. Change sinds, or behaaldOp.`,
    ),
    ...checkAge(person, sinds, `${pointer}/sinds`, 'registration'),
    ...faultIf(
      others.some((one) => beroepOf(one) === beroep && dateOf(one.sinds) <= since && lastDayOf(one) > since),
      `${pointer}/sinds`,
      `The person is still registered as ${beroep} on that day. End the other registration before it.`,
    ),
    ...faultIf(
      others.slice(0, person.registraties.indexOf(registratie)).some((one) => one.nummer === nummer),
      `${pointer}/nummer`,
      'Another registration of this person has this number.',
    ),
    ...faultIf(uhd !== null && dateOf(uhd) <= since, `${pointer}/uhd`, 'The uhd is not after sinds.'),
    ...faultIf(
      uhd !== null && dateOf(uhd) > plusYears(REFERENCE_DAY, 5),
      `${pointer}/uhd`,
      'A registration lasts five years: the uhd cannot be later than that.',
    ),
    ...faultIf(
      specialistTot !== undefined && !hasSpecialismen(beroep),
      `${pointer}/specialistTot`,
      `The profession ${beroep} has no specialisms.`,
    ),
    ...faultIf(
      specialistTot !== undefined && dateOf(specialistTot) <= since,
      `${pointer}/specialistTot`,
      'The registration as a specialist ends before sinds.',
    ),
    ...(status === undefined ? [] : checkStatus(person, registratie, status, `${pointer}/status`)),
    ...aantekeningen.flatMap(({ soort, omschrijving, openbaar, van, tot }, index) => [
      ...checkInLife(person, van, `${pointer}/aantekeningen/${index}/van`, 'A note'),
      ...faultIf(
        soort === 'specialisme' && !hasSpecialismen(beroep),
        `${pointer}/aantekeningen/${index}/soort`,
        `The profession ${beroep} has no specialisms.`,
      ),
      ...faultIf(
        tot !== undefined && dateOf(tot) < dateOf(van),
        `${pointer}/aantekeningen/${index}/tot`,
        'The note ends before it begins.',
      ),
      ...faultIf(
        soort === 'maatregel' && openbaar && /^waarschuwing/i.test(omschrijving),
        `${pointer}/aantekeningen/${index}/openbaar`,
        'A waarschuwing is never public. Change it to false.',
      ),
    ]),
  ];
}

/** Returns the last date for renewal, also of a specialism; null without one. */
const deadlineOf = ({ uhd, specialistTot }: Registratie): string | null =>
  effectiveUhd({ uhd: uhd && dateOf(uhd), specialistTot: specialistTot ? dateOf(specialistTot) : null });

/** Returns the last day on which a registration can be valid. */
const lastDayOf = (registratie: Registratie): string =>
  registratie.status?.soort === 'doorgehaald'
    ? dateOf(registratie.status.op)
    : (deadlineOf(registratie) ?? '9999-12-31');

function checkStatus(
  person: Person,
  registratie: Registratie,
  status: PersonStatus,
  pointer: string,
): PersonaFinding[] {
  const [op, beroep, deadline] = [dateOf(status.op), beroepOf(registratie), deadlineOf(registratie)];
  const isMissed = status.reden === DOORHALING.nietGeherregistreerd;
  // The register can strike off after a death of which it does not know, and a request in time keeps a registration.
  const isInLife = !isMissed && status.reden !== DOORHALING.overlijden;
  const isKept = person.aanvragen?.some(({ type, tag }) => type === 'herregistratie' && tag !== 'Concept') ?? false;
  const tot = status.soort === 'geschorst' && status.tot !== null ? dateOf(status.tot) : null;
  const isByCourt = status.reden === 'Schorsing door het tuchtcollege';
  return [
    ...checkInPast(status.op, `${pointer}/op`, 'The status'),
    ...faultIf(op < dateOf(registratie.sinds), `${pointer}/op`, 'The status is before sinds.'),
    ...faultIf(tot !== null && tot <= op, `${pointer}/tot`, 'The suspension ends before it begins, or on that day.'),
    ...faultIf(
      isByCourt && (tot === null || tot > plusYears(op, 1)),
      `${pointer}/tot`,
      'The disciplinary court suspends for at most one year.',
    ),
    ...(isInLife ? checkAlive(person, status.op, `${pointer}/op`, 'The status') : []),
    ...faultIf(
      !isMissed && !isKept && deadline !== null && op > plusDays(deadline, 1),
      `${pointer}/op`,
      'The registration had ended by then, because its uhd had passed. Change op, or uhd.',
    ),
    ...faultIf(
      isMissed && op <= (deadline ?? ''),
      `${pointer}/op`,
      'The person could still apply for herregistratie on that day. Change op, or uhd.',
    ),
    ...faultIf(
      status.reden === DOORHALING.vervallen && beroep !== undefined && WETSARTIKEL[beroep] !== '36a',
      `${pointer}/reden`,
      `The profession ${beroep} still exists.`,
    ),
  ];
}

const monthsOf = ({ years = 0, months = 0, days = 0 }: Offset): number => 12 * years + months + days / 30.4;

const checkAddress = ({ verblijfplaats }: Person): PersonaFinding[] =>
  faultIf(
    verblijfplaats.soort === 'adres' && !(verblijfplaats.gemeente ?? gemeenteOf(verblijfplaats.woonplaats)),
    '/person/verblijfplaats/gemeente',
    'The municipality of this woonplaats is not known. Add it: { "code": "0344", "omschrijving": "Utrecht" }.',
  );

function checkUploads({ uploads = [], aanvragen = [] }: Person): PersonaFinding[] {
  const names = uploads.map(({ localId }) => localId);
  return [
    ...uploads.flatMap(({ localId, wizardId, categoryId }, index) => [
      ...faultIf(
        names.indexOf(localId) < index,
        `/person/uploads/${index}/localId`,
        'Another upload has this localId.',
      ),
      ...faultIf(
        categoryOf(wizardId, categoryId) === null,
        `/person/uploads/${index}/categoryId`,
        `The wizard ${wizardId} does not have this category.`,
      ),
    ]),
    ...aanvragen.flatMap(({ tag, type, documenten = [] }, index) =>
      documenten.flatMap((localId, place) => {
        const pointer = `/person/aanvragen/${index}/documenten/${place}`;
        const upload = uploads.find((one) => one.localId === localId);
        const isSent = tag !== 'Concept' && upload !== undefined;
        return [
          ...faultIf(upload === undefined, pointer, 'There is no upload with this localId.').map((finding) => ({
            ...finding,
            allowed: names,
          })),
          ...faultIf(isSent && upload.wizardId !== type, pointer, `The upload is not for the wizard ${type}.`),
          ...faultIf(
            isSent && upload.state !== 'uploaded',
            pointer,
            'The request was sent, and its upload is not uploaded. Change state.',
          ),
        ];
      }),
    ),
  ];
}
