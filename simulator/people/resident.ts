import type { PersonAanvraag, PersonUpload } from '../../fixtures/aanvraag.ts';
import type { Verblijfplaats } from '../../fixtures/brp.ts';
import type { PersonDiploma } from '../../fixtures/diploma.ts';
import type { Offset } from '../../fixtures/offset.ts';
import type { Person } from '../../fixtures/person.ts';
import type { PersonRegistratie, PersonStatus } from '../../fixtures/registratie.ts';
import { effectiveUhd } from '../../src/domain/registraties.ts';
import { dateAt, dayOf, workdayFrom } from '../../src/domain/workdays.ts';
import { DOORHALING } from '../../src/wire/values.ts';
import { plusMonths, plusYears, workdayOnOrBefore } from './days.ts';
import { fullName } from './names.ts';
import { uuidOf } from './uuid.ts';

/**
 * A person as the upstreams know them at the start. Dates are `YYYY-MM-DD`, but those in `person` are relative to the
 * first day of the world.
 */
export interface Resident {
  readonly bsn: string | null;
  readonly loginId: string;
  readonly naam: string;
  readonly person: Person;
  readonly geboortedatum: string;
  readonly verblijfplaats: Verblijfplaats;
  readonly overledenOp: string | null;
  readonly emigratieOp: string | null;
  /** The day from which the address is under investigation; null when it is not. */
  readonly inOnderzoekOp: string | null;
  /** The day on which it was established that the person does not live at the address; null when it was not. */
  readonly nietOpAdresOp: string | null;
  readonly registraties: readonly ResidentRegistratie[];
  readonly aanvragen: readonly ResidentAanvraag[];
  readonly uploads: readonly ResidentUpload[];
  readonly diplomas: readonly (Omit<PersonDiploma, 'behaaldOp'> & {
    readonly id: string;
    readonly behaaldOp: string | null;
  })[];
}

export interface ResidentUpload extends PersonUpload {
  readonly documentId: string;
}

/** An application that a person has at the start: a draft, or one that was submitted before. */
export interface ResidentAanvraag {
  /** Id in the service's application store. */
  readonly id: string;
  readonly type: PersonAanvraag['type'];
  readonly tag: PersonAanvraag['tag'];
  readonly begonnenOp: string;
  readonly beslotenOp: string | null;
  readonly referentie: string | null;
  readonly manual: boolean;
  /** Number of the registration that a herregistratie is about; null for a draft and another type. */
  readonly over: string | null;
  readonly reden: string | null;
  readonly stepIndex: number;
  readonly stepCount: number;
  readonly draft: string | null;
  readonly documentIds: readonly string[];
}

/** A registration that a person has at the start, with dates `YYYY-MM-DD`. */
export interface ResidentRegistratie {
  readonly nummer: string;
  readonly beroepCode: string;
  readonly sinds: string;
  readonly uhd: string | null;
  readonly status: {
    readonly soort: PersonStatus['soort'];
    readonly op: string;
    readonly tot: string | null;
    readonly reden: string;
  } | null;
  readonly specialistTot: string | null;
  readonly aantekeningen: readonly {
    readonly soort: string;
    readonly omschrijving: string;
    readonly van: string;
    readonly tot: string | null;
    readonly openbaar: boolean;
  }[];
}

/** Returns the age of a resident in years on the date `today`, `YYYY-MM-DD`. */
export const ageOn = ({ geboortedatum: born }: Pick<Resident, 'geboortedatum'>, today: string): number =>
  Number(today.slice(0, 4)) - Number(born.slice(0, 4)) - (today.slice(5) < born.slice(5) ? 1 : 0);

/**
 * Returns a person as a resident of a world. Dates in the fixture `person` are relative to `firstDay` (`YYYY-MM-DD`).
 * `identity` has the burgerservicenummer and the login of the person in that world.
 */
export function residentOf(
  person: Person,
  identity: { bsn: string | null; loginId: string },
  firstDay: string,
): Resident {
  const T = dayOf(firstDay);
  const at: DateOf = ({ years = 0, months = 0, days = 0 }) => dateAt(plusMonths(T, 12 * years + months) + days);
  const registraties = person.registraties.map((registratie) => toRegistratie(registratie, person.diplomas, at));
  const aanvragen: ResidentAanvraag[] = [];
  for (const [index, aanvraag] of (person.aanvragen ?? []).entries()) {
    // A renewal in progress is not about a registration that another one renews.
    const isFree = ({ nummer }: ResidentRegistratie) =>
      aanvraag.tag !== 'InBehandeling' ||
      !aanvragen.some(({ tag, over }) => tag === 'InBehandeling' && over === nummer);
    const free = registraties.filter(isFree);
    aanvragen.push(toAanvraag(aanvraag, { loginId: identity.loginId, index, at, registraties: free }));
  }
  return {
    ...identity,
    naam: fullName(person),
    person,
    geboortedatum: birthDateOf(T, person.leeftijd, person.verjaardag),
    verblijfplaats: person.verblijfplaats,
    overledenOp: person.overleden ? at(person.overleden) : null,
    emigratieOp: person.brp?.emigratie ? at(person.brp.emigratie) : null,
    inOnderzoekOp: person.brp?.inOnderzoek ? at(person.brp.inOnderzoek) : null,
    nietOpAdresOp: person.brp?.nietOpAdres ? at(person.brp.nietOpAdres) : null,
    registraties,
    aanvragen,
    uploads: (person.uploads ?? []).map((upload) => ({
      ...upload,
      documentId: uuidOf(`${identity.loginId}/upload/${upload.localId}`),
    })),
    diplomas: person.diplomas.map((diploma, index) => ({
      ...diploma,
      id: `d-${identity.loginId}-${index + 1}`,
      behaaldOp: diploma.behaaldOp && workdayOf(at(diploma.behaaldOp)),
    })),
  };
}

type DateOf = (offset: Offset) => string;

function toRegistratie(
  { nummer, sinds, uhd, status, specialistTot, aantekeningen = [] }: PersonRegistratie,
  diplomas: Person['diplomas'],
  at: DateOf,
): ResidentRegistratie {
  // A missed deadline was the day before, when the file does not give it.
  const missed = status?.reden === DOORHALING.nietGeherregistreerd ? status.op : null;
  const deadline = uhd ?? (missed && { ...missed, days: (missed.days ?? 0) - 1 });
  // No term begins with a diploma of after the registration: that is of another profession.
  const before = diplomas.flatMap(({ behaaldOp }) => (behaaldOp && at(behaaldOp) <= at(sinds) ? behaaldOp : []));
  return {
    nummer,
    // The register number ends in the code of the profession (domain.md 1.2).
    beroepCode: nummer.slice(-2),
    sinds: workdayOf(at(sinds)),
    uhd: deadline && uhdOf(deadline, [...before, sinds], at),
    status: status
      ? {
          soort: status.soort,
          op: at(status.op),
          tot: 'tot' in status && status.tot ? at(status.tot) : null,
          reden: status.reden,
        }
      : null,
    specialistTot: specialistTot ? at(specialistTot) : null,
    aantekeningen: aantekeningen.map(({ van, tot, ...rest }) => ({
      ...rest,
      // A note of the day of registration moves with that day.
      van: at(van) === at(sinds) ? workdayOf(at(van)) : at(van),
      tot: tot ? at(tot) : null,
    })),
  };
}

// Returns the deadline. When it is exactly five years after one of `starts`, and that day is moved to a workday, it
// becomes five years after that workday.
function uhdOf(uhd: Offset, starts: readonly Offset[], at: DateOf): string {
  const start = starts.find(
    (one) => workdayOf(at(one)) !== at(one) && at({ ...one, years: (one.years ?? 0) + 5 }) === at(uhd),
  );
  return start ? dateAt(plusYears(dayOf(workdayOf(at(start))), 5)) : at(uhd);
}

interface AanvraagOf {
  readonly loginId: string;
  readonly index: number;
  readonly at: DateOf;
  readonly registraties: readonly ResidentRegistratie[];
}

function toAanvraag(aanvraag: PersonAanvraag, { loginId, index, at, registraties }: AanvraagOf): ResidentAanvraag {
  return {
    id: uuidOf(`${loginId}/${index}`),
    type: aanvraag.type,
    tag: aanvraag.tag,
    begonnenOp: at('begonnen' in aanvraag ? aanvraag.begonnen : aanvraag.ingediend),
    // The register decides on workdays.
    beslotenOp: 'besloten' in aanvraag ? workdayFrom(at(aanvraag.besloten)) : null,
    referentie:
      'volgnummer' in aanvraag ? referentieOf(aanvraag.type, at(aanvraag.ingediend), aanvraag.volgnummer) : null,
    manual: 'manual' in aanvraag && aanvraag.manual,
    over:
      'ingediend' in aanvraag && aanvraag.type === 'herregistratie'
        ? renewedOn(at(aanvraag.ingediend), registraties)
        : null,
    reden: 'reden' in aanvraag ? aanvraag.reden : null,
    stepIndex: 'stepIndex' in aanvraag ? aanvraag.stepIndex : 0,
    stepCount: 'stepCount' in aanvraag ? aanvraag.stepCount : 0,
    draft: 'draft' in aanvraag ? JSON.stringify(aanvraag.draft) : null,
    documentIds: (aanvraag.documenten ?? []).map((localId) => uuidOf(`${loginId}/upload/${localId}`)),
  };
}

/**
 * The registration that the service renews on a day: of the valid ones, that with the first deadline (domain.md 4.2).
 * One that was struck off later comes last, because a request would have kept it.
 */
function renewedOn(day: string, registraties: readonly ResidentRegistratie[]): string | null {
  const until = (one: ResidentRegistratie) => effectiveUhd(one) ?? '9999-12-31';
  const valid = registraties.filter(
    (one) => one.sinds <= day && day <= until(one) && !(one.status?.soort === 'doorgehaald' && one.status.op <= day),
  );
  const isEnded = ({ status }: ResidentRegistratie) => Number(status?.soort === 'doorgehaald');
  const [first = registraties[0]] = valid.sort(
    (a, b) => isEnded(a) - isEnded(b) || until(a).localeCompare(until(b)) || b.sinds.localeCompare(a.sinds),
  );
  return first?.nummer ?? null;
}

const workdayOf = (date: string): string => dateAt(workdayOnOrBefore(dayOf(date)));

/** First three letters of a referentie, keyed by the kind of application (domain.md 4.1). */
export const REFERENTIE_PREFIX = {
  registratie: 'REG',
  herregistratie: 'HER',
  intake: 'INT',
  adreswijziging: 'ADR',
} as const;

/** Returns a referentie: `<prefix>-<yyyy>-<6 digits>` (domain.md 4.1). `day` is the day of submission, `YYYY-MM-DD`. */
const referentieOf = (type: PersonAanvraag['type'], day: string, volgnummer: number): string =>
  `${REFERENTIE_PREFIX[type]}-${day.slice(0, 4)}-${String(volgnummer).padStart(6, '0')}`;

/** `T` is a day number (days since 1970), and `verjaardag` is `MM-DD`. */
function birthDateOf(T: number, leeftijd: number, verjaardag: string): string {
  const thisYear = dayOf(`${dateAt(T).slice(0, 4)}-${verjaardag}`);
  return dateAt(plusYears(thisYear, -(thisYear <= T ? leeftijd : leeftijd + 1)));
}
