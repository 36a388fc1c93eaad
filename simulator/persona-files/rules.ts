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
    ...checkNaam(person),
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

type Check = readonly [isWrong: boolean, member: string, detail: string];

const faultsAt = (pointer: string, checks: readonly Check[]): PersonaFinding[] =>
  checks.flatMap(([isWrong, member, detail]) => (isWrong ? [{ pointer: pointer + member, detail }] : []));

const checkInPast = (offset: Offset, pointer: string, what: string): PersonaFinding[] =>
  faultsAt(pointer, [[dateOf(offset) > REFERENCE_DAY, '', `${what} cannot be in the future.`]]);

function checkAlive({ overleden }: Person, offset: Offset, pointer: string, what: string): PersonaFinding[] {
  const isAfterDeath = overleden !== undefined && dateOf(offset) > dateOf(overleden);
  return faultsAt(pointer, [[isAfterDeath, '', `${what} is after the death. Change it, or overleden.`]]);
}

/** Returns a fault for a day in the future, after the death, or before the earliest day on which the person can be born. */
function checkInLife(person: Person, offset: Offset, pointer: string, what: string): PersonaFinding[] {
  const isBeforeBirth = dateOf(offset) < plusYears(REFERENCE_DAY, -person.leeftijd - 1);
  return [
    ...checkInPast(offset, pointer, what),
    ...checkAlive(person, offset, pointer, what),
    ...faultsAt(pointer, [[isBeforeBirth, '', `${what} is before the birth. Change it, or leeftijd.`]]),
  ];
}

function checkAge({ leeftijd }: Person, offset: Offset, pointer: string, event: keyof typeof MIN_AGE) {
  const isTooYoung = -monthsOf(offset) / 12 > leeftijd - MIN_AGE[event];
  const detail = `The person was younger than ${MIN_AGE[event]} at the ${event}. Change it, or leeftijd.`;
  return faultsAt(pointer, [[isTooYoung, '', detail]]);
}

const checkDiploma = (person: Person, behaaldOp: Offset, pointer: string): PersonaFinding[] => [
  ...checkInPast(behaaldOp, pointer, 'A diploma'),
  ...checkAlive(person, behaaldOp, pointer, 'A diploma'),
  ...checkAge(person, behaaldOp, pointer, 'diploma'),
];

function checkBsn({ bsn }: Person): PersonaFinding[] {
  const isWrong = bsn !== null && !passesElfproef(bsn);
  const detail = 'The number does not pass the 11-test. Leave bsn out to get a number that does.';
  return faultsAt('/person/bsn', [[isWrong, '', detail]]);
}

const checkNaam = ({ naam }: Person): PersonaFinding[] =>
  faultsAt('/person/naam/voornamen', [[naam.voornamen === '.', '', 'Of a person without first names, this is null.']]);

function checkLife(person: Person): PersonaFinding[] {
  const { overleden, registraties, brp = {}, verblijfplaats } = person;
  const { emigratie, naamgebruik = 'E', partner, immigratie, inOnderzoek, nietOpAdres, verblijfstitel } = brp;
  const isHere = verblijfplaats.soort === 'adres' || verblijfplaats.soort === 'locatie';
  const isBackAgain = emigratie !== undefined && immigratie !== undefined && dateOf(immigratie.op) > dateOf(emigratie);
  const change = isBackAgain ? 'The person has come back: leave emigratie out.' : 'Change verblijfplaats.';
  const isPermitOver = verblijfstitel?.tot !== undefined && dateOf(verblijfstitel.tot) < dateOf(verblijfstitel.van);
  const isOverBefore = partner?.tot !== undefined && dateOf(partner.tot) < dateOf(partner.sinds);
  const hasLeft = emigratie !== undefined && isHere;
  const isNotHere = nietOpAdres !== undefined && !isHere;
  const events: readonly [day: Offset | undefined, pointer: string, what: string][] = [
    [overleden, '/person/overleden', 'A date of death'],
    [partner?.sinds, '/person/brp/partner/sinds', 'The marriage'],
    [partner?.tot, '/person/brp/partner/tot', 'The end of the marriage'],
    [immigratie?.op, '/person/brp/immigratie/op', 'The immigration'],
    [emigratie, '/person/brp/emigratie', 'The emigration'],
    [inOnderzoek, '/person/brp/inOnderzoek', 'The investigation'],
    [nietOpAdres, '/person/brp/nietOpAdres', 'The finding of the municipality'],
    [verblijfstitel?.van, '/person/brp/verblijfstitel/van', 'The residence permit'],
  ];
  return [
    ...events.flatMap(([day, pointer, what]) => (day ? checkInLife(person, day, pointer, what) : [])),
    ...faultsAt('/person/brp', [
      [isNotHere, '/nietOpAdres', 'The person has no address in the Netherlands. Change verblijfplaats.'],
      [hasLeft, '/emigratie', `The person has left, and lives in the Netherlands. ${change}`],
      [
        isBackAgain && !isHere,
        '/immigratie/op',
        'The person came back after emigratie, and lives abroad. Change op, or verblijfplaats.',
      ],
      [isPermitOver, '/verblijfstitel/tot', 'The residence permit ends before it begins.'],
      [isOverBefore, '/partner/tot', 'The marriage ends before it begins.'],
      [naamgebruik !== 'E' && !partner, '/naamgebruik', 'There is no partner whose name can be used. Add partner.'],
    ]),
    ...registraties.flatMap(({ status }, index) => {
      const isByDeath = status?.reden === 'Overlijden';
      const isLeft = overleden !== undefined && status?.soort !== 'doorgehaald';
      const isTooEarly = isByDeath && overleden !== undefined && dateOf(status.op) < dateOf(overleden);
      return faultsAt(`/person/registraties/${index}/status`, [
        [isLeft, '', 'The person has died and is not struck off (doorgehaald).'],
        [isByDeath && !overleden, '/reden', 'The person is alive. Add overleden.'],
        [isTooEarly, '/op', 'The registration ended by death before the death. Change op, or overleden.'],
      ]);
    }),
  ];
}

function checkAanvragen(person: Person): PersonaFinding[] {
  const { registraties, aanvragen = [] } = person;
  return aanvragen.flatMap((aanvraag, index) => {
    const { tag, type } = aanvraag;
    const pointer = `/person/aanvragen/${index}`;
    const isDraft = aanvraag.tag === 'Concept';
    const isRejected = aanvraag.tag === 'Afgewezen';
    const isOpen = aanvraag.tag === 'InBehandeling';
    const isRenewal = type === 'herregistratie';
    const [day, member] = isDraft ? [aanvraag.begonnen, 'begonnen'] : ([aanvraag.ingediend, 'ingediend'] as const);
    const isValidThen = (one: Registratie) => dateOf(one.sinds) <= dateOf(day) && dateOf(day) <= lastDayOf(one);
    const hasNone = registraties.length === 0;
    const isEarly = isOpen && isRenewal && !hasNone && !registraties.some(isValidThen);
    // The service does not let a person submit a second request of a type while the first is in progress. A renewal is
    // of one registration, and does not prevent that of another.
    const earlier = aanvragen.slice(0, index).filter((one) => one.tag === tag && one.type === type).length;
    const isSecond = isOpen && earlier >= (isRenewal ? Math.max(1, registraties.filter(isValidThen).length) : 1);
    return [
      ...checkInLife(person, day, `${pointer}/${member}`, 'The request'),
      ...(isRejected ? checkInPast(aanvraag.besloten, `${pointer}/besloten`, 'The decision') : []),
      ...faultsAt(pointer, [
        [isRejected && dateOf(aanvraag.besloten) < dateOf(day), '/besloten', 'The decision is before ingediend.'],
        [isRejected && !aanvraag.manual, '/manual', 'Only a case handler rejects. Change it to true.'],
        [isDraft && aanvraag.stepIndex > aanvraag.stepCount, '/stepIndex', 'This is more than stepCount.'],
        [isDraft && type === 'adreswijziging', '/type', 'A request of this type has no draft.'],
        [!isDraft && isRenewal && hasNone, '/type', 'There is no registration to renew. Add one to registraties.'],
        [isEarly, '/ingediend', 'The person had no registration to renew on that day. Change it, or registraties.'],
        [isSecond, '/type', 'Another request of this type is in progress.'],
      ]),
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
  const [canSpecialise, noSpecialisms] = [hasSpecialismen(beroep), `The profession ${beroep} has no specialisms.`];
  const isBeforeDiploma = first !== undefined && since < first;
  const early = `The registration is before the diploma of ${beroep}. Change sinds, or behaaldOp.`;
  const latest = plusYears(REFERENCE_DAY, 5);
  const isTooLong = uhd !== null && dateOf(uhd) > latest;
  const isTooLate = specialistTot !== undefined && dateOf(specialistTot) > latest;
  const isTooShort = specialistTot !== undefined && dateOf(specialistTot) <= since;
  const earlier = others.slice(0, person.registraties.indexOf(registratie));
  const isHeld = (one: Registratie) => beroepOf(one) === beroep && dateOf(one.sinds) <= since && lastDayOf(one) > since;
  return [
    ...checkInPast(sinds, `${pointer}/sinds`, 'The registration'),
    ...checkAlive(person, sinds, `${pointer}/sinds`, 'The registration'),
    ...faultsAt(pointer, [[isBeforeDiploma, '/sinds', early]]),
    ...checkAge(person, sinds, `${pointer}/sinds`, 'registration'),
    ...faultsAt(pointer, [
      [
        others.some(isHeld),
        '/sinds',
        `The person is still registered as ${beroep} on that day. End the other registration before it.`,
      ],
      [earlier.some((one) => one.nummer === nummer), '/nummer', 'Another registration of this person has this number.'],
      [uhd !== null && dateOf(uhd) <= since, '/uhd', 'The uhd is not after sinds.'],
      [isTooLong, '/uhd', 'A registration lasts five years: the uhd cannot be later than that.'],
      [specialistTot !== undefined && !canSpecialise, '/specialistTot', noSpecialisms],
      [isTooShort, '/specialistTot', 'The registration as a specialist ends before sinds.'],
      [isTooLate, '/specialistTot', 'A registration as a specialist lasts five years: it cannot end later than that.'],
    ]),
    ...(status === undefined ? [] : checkStatus(person, registratie, status, `${pointer}/status`)),
    ...aantekeningen.flatMap(({ soort, omschrijving, openbaar, van, tot }, index) => {
      const note = `${pointer}/aantekeningen/${index}`;
      const isWarning = soort === 'maatregel' && openbaar && /^waarschuwing/i.test(omschrijving);
      return [
        ...checkInLife(person, van, `${note}/van`, 'A note'),
        ...faultsAt(note, [
          [soort === 'specialisme' && !canSpecialise, '/soort', noSpecialisms],
          [tot !== undefined && dateOf(tot) < dateOf(van), '/tot', 'The note ends before it begins.'],
          [isWarning, '/openbaar', 'A waarschuwing is never public. Change it to false.'],
        ]),
      ];
    }),
  ];
}

/** Returns the last date for renewal, also of a specialism; null without one. */
const deadlineOf = ({ uhd, specialistTot }: Registratie): string | null =>
  effectiveUhd({ uhd: uhd && dateOf(uhd), specialistTot: specialistTot ? dateOf(specialistTot) : null });

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
  const isTooLong = isByCourt && (tot === null || tot > plusYears(op, 1));
  const isTooLate = !isMissed && !isKept && deadline !== null && op > plusDays(deadline, 1);
  const isInTime = isMissed && op <= (deadline ?? '');
  const isVervallen = status.reden === DOORHALING.vervallen;
  const isTemporary = beroep === undefined || WETSARTIKEL[beroep] === '36a';
  return [
    ...checkInPast(status.op, `${pointer}/op`, 'The status'),
    ...faultsAt(pointer, [
      [op < dateOf(registratie.sinds), '/op', 'The status is before sinds.'],
      [tot !== null && tot <= op, '/tot', 'The suspension ends before it begins, or on that day.'],
      [isTooLong, '/tot', 'The disciplinary court suspends for at most one year.'],
    ]),
    ...(isInLife ? checkAlive(person, status.op, `${pointer}/op`, 'The status') : []),
    ...faultsAt(pointer, [
      [isTooLate, '/op', 'The registration had ended by then, because its uhd had passed. Change op, or uhd.'],
      [isInTime, '/op', 'The person could still apply for herregistratie on that day. Change op, or uhd.'],
      [isVervallen && !isTemporary, '/reden', `The profession ${beroep} still exists.`],
    ]),
  ];
}

const monthsOf = ({ years = 0, months = 0, days = 0 }: Offset): number => 12 * years + months + days / 30.4;

function checkAddress({ verblijfplaats: home }: Person): PersonaFinding[] {
  const isUnknown = home.soort === 'adres' && !(home.gemeente ?? gemeenteOf(home.woonplaats));
  const detail =
    'The municipality of this woonplaats is not known. Add it: { "code": "0344", "omschrijving": "Utrecht" }.';
  return faultsAt('/person/verblijfplaats/gemeente', [[isUnknown, '', detail]]);
}

function checkUploads({ uploads = [], aanvragen = [] }: Person): PersonaFinding[] {
  const names = uploads.map(({ localId }) => localId);
  return [
    ...uploads.flatMap(({ localId, wizardId, categoryId }, index) => {
      const isUnknown = categoryOf(wizardId, categoryId) === null;
      return faultsAt(`/person/uploads/${index}`, [
        [names.indexOf(localId) < index, '/localId', 'Another upload has this localId.'],
        [isUnknown, '/categoryId', `The wizard ${wizardId} does not have this category.`],
      ]);
    }),
    ...aanvragen.flatMap(({ tag, type, documenten = [] }, index) =>
      documenten.flatMap((localId, place) => {
        const pointer = `/person/aanvragen/${index}/documenten/${place}`;
        const upload = uploads.find((one) => one.localId === localId);
        if (upload === undefined) return [{ pointer, detail: 'There is no upload with this localId.', allowed: names }];
        if (tag === 'Concept') return [];
        return faultsAt(pointer, [
          [upload.wizardId !== type, '', `The upload is not for the wizard ${type}.`],
          [upload.state !== 'uploaded', '', 'The request was sent, and its upload is not uploaded. Change state.'],
        ]);
      }),
    ),
  ];
}
