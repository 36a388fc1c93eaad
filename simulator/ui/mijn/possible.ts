import type {
  ApplicationSummaryDto,
  ApplicationType,
  DashboardViewDto,
  DuoDiplomaDto,
  RegistrationDto,
} from 'zorgregister-bff/client';
import { currentPerson } from './people.ts';
import type { Answers } from './requests/draft.ts';
import { today } from './session.ts';
import { dateText, monthsBefore } from './words.ts';

export type View = { [Name in 'registration' | 'decisions']?: DashboardViewDto[Name] | undefined };

/** A registration, of the dashboard or of the simulator, with the members that say whether it has ended and why. */
type Ended = { beroep?: string; status?: { tag?: string; reden?: string | null } | null } | null | undefined;

/** Returns the day (`YYYY-MM-DD`) from which the service takes an application for herregistratie with this deadline. */
export const beginOf = (deadline: string) => monthsBefore(deadline, 6);

/** Returns true for a person who has died, for whom nothing can be applied for any more. */
export const isDeceased = (registration: Ended) => registration?.status?.reden === 'Overlijden';

/** Returns true when the only reason against herregistratie is that the period to apply begins later. */
export function isOnlyEarly({ registration, decisions }: View) {
  const deadline = registration?.status?.herregistratieDatum;
  return Boolean(deadline && decisions?.herregistratieReason?.includes(dateText(beginOf(deadline))));
}

/**
 * Returns a Dutch text that says why an intake has no use for this person: an intake asks whether hours and training are
 * enough for a herregistratie that is possible now or soon, or to return (domain.md 4.7). Null when it has. A proof of
 * training counts for two years (domain.md 1.3).
 */
export function noIntakeReason({ registration, decisions }: View) {
  if (decisions?.eligibleForHerregistratie !== false || returnText(registration) !== null) return null;
  const deadline = registration?.status?.herregistratieDatum;
  if (!deadline || !isOnlyEarly({ registration, decisions }))
    return `Een intake helpt u nu niet. ${decisions.herregistratieReason}`;
  const begin = monthsBefore(deadline, 6 + 24);
  return today.value < begin
    ? `Een intake helpt u pas vanaf ${dateText(begin)}. Wij kijken bij herregistratie naar uw uren van de laatste vijf jaar, en een bewijs van scholing mag niet ouder zijn dan twee jaar.`
    : null;
}

/**
 * Returns a Dutch text about a person who cannot simply be registered again in the same profession, but in another one as
 * others: struck off by the disciplinary court (Wet BIG, art. 50), or in a profession that left the register. Null for
 * everybody else.
 */
export function barredText(registration: Ended) {
  const { beroep, status } = registration ?? {};
  const other = 'In een ander beroep kunt u wel registratie aanvragen.';
  if (status?.reden === 'Tuchtmaatregel')
    return `Het tuchtcollege heeft uw registratie als ${beroep} doorgehaald. Alleen een koninklijk besluit kan die herstellen. ${other}`;
  return status?.reden === 'Registratie van rechtswege vervallen'
    ? `Het beroep ${beroep} staat niet meer in het register. ${other}`
    : null;
}

/**
 * Returns the professions in which this person is registered. That of the dashboard is from the API of the service, which
 * shows one registration; the others are from the simulator.
 */
export function heldProfessions(registration: RegistrationDto | null | undefined) {
  const all = [
    { beroep: registration?.beroep, status: registration?.status?.tag },
    ...(currentPerson()?.nu?.registraties ?? []),
  ];
  return new Set(all.flatMap(({ beroep, status }) => (beroep && status !== 'Doorgehaald' ? [beroep] : [])));
}

/**
 * Returns the profession of a submitted application; empty when it is not known. A herregistratie or an intake from
 * another page than this does not name it: it is about the only profession of the person, from the simulator.
 */
export function professionOf(type: ApplicationType, { beroep }: Answers) {
  const [only = '', ...others] = new Set(currentPerson()?.nu?.registraties.map((one) => one.beroep));
  const isAboutHeld = type === 'herregistratie' || type === 'intake';
  return beroep || (isAboutHeld && others.length === 0 ? only : '');
}

/** Returns a Dutch sentence that says why this person cannot be registered in a profession; null when they can. */
export function noRegistrationReason(beroep: string | undefined, registration: RegistrationDto | null | undefined) {
  if (beroep && heldProfessions(registration).has(beroep)) return `U staat al in het register als ${beroep}.`;
  return beroep === registration?.beroep ? barredText(registration) : null;
}

/** Returns the diploma with which this person is registered: the newest for a profession in which that is possible. */
export const diplomaToUse = (diplomas: readonly DuoDiplomaDto[], registration: RegistrationDto | null | undefined) =>
  diplomas.find(({ beroep }) => noRegistrationReason(beroep, registration) === null) ?? diplomas[0];

export const HOURS_AFTER_END = 'Uren van na de doorhaling tellen niet mee.';

/**
 * Returns a Dutch text about a person who was struck off and can be registered again in the same profession, with the
 * same criteria as for herregistratie (domain.md 1.3). Null for everybody else.
 */
export const returnText = (registration: Ended) =>
  registration?.status?.tag === 'Doorgehaald' && barredText(registration) === null && !isDeceased(registration)
    ? `Wilt u weer in het register staan? Vraag opnieuw registratie aan. U hebt dan genoeg uren of scholing nodig, zoals bij herregistratie. ${HOURS_AFTER_END}`
    : null;

/** Returns a Dutch text that says up to which day this person can renew a registration; null when that is not possible. */
export function renewalText({ registration, decisions }: View) {
  const deadline = registration?.status?.herregistratieDatum;
  return decisions?.eligibleForHerregistratie && deadline
    ? `Vraag uiterlijk op ${dateText(deadline)} herregistratie aan als ${registration.beroep}. Doet u dat niet, dan halen wij uw registratie door.`
    : null;
}

/** Returns what a person can do who was struck off; null for everybody else. */
export const endedText = (registration: Ended) => barredText(registration) ?? returnText(registration);

/**
 * Returns the draft and the application in progress of a kind. With two registrations, a herregistratie in progress can be
 * about the other one than that of the `decisions`.
 */
export function openOf(
  type: ApplicationSummaryDto['type'],
  applications: readonly ApplicationSummaryDto[],
  decisions?: View['decisions'],
) {
  const isOther = type === 'herregistratie' && decisions?.eligibleForHerregistratie;
  const find = (tag: string) => applications.find((one) => one.type === type && one.status.tag === tag);
  return { draft: find('Concept'), running: isOther ? undefined : find('InBehandeling') };
}
