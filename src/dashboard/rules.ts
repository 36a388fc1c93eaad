import type { Persoon } from '../ports/brp.ts';
import type { Registratie, RegistratieStatus } from '../ports/register.ts';
import { woonadres } from '../wire/adres.ts';
import { longDate, plusMonths } from '../wire/dates.ts';
import type { HerregistratieDecisionsDto, PersonDto, RegistrationDto, RegistrationStatusDto } from './schema.ts';

/** The call for herregistratie goes out this long before the uiterste herregistratiedatum (domain.md 1.3). */
const OPENS_MONTHS_BEFORE = 6;

/** The registration that a dashboard is about: one that stands before one that was struck off, then the newest. */
export function currentRegistration(registraties: readonly Registratie[]): Registratie | null {
  const [first] = [...registraties].sort(
    (a, b) =>
      Number(a.status.tag === 'Doorgehaald') - Number(b.status.tag === 'Doorgehaald') ||
      b.registratiedatum.localeCompare(a.registratiedatum),
  );
  return first ?? null;
}

/** One reason why herregistratie is not possible: the sentence to show, or null when it does not stand in the way. */
type Obstacle = (registratie: Registratie, today: string) => string | null;

const doorgehaald: Obstacle = ({ status }) =>
  status.tag === 'Doorgehaald'
    ? `Uw registratie is doorgehaald${status.op === null ? '' : ` op ${longDate(status.op)}`}.`
    : null;

const geschorst: Obstacle = ({ status }) =>
  status.tag === 'Geschorst'
    ? `Uw registratie is geschorst${status.tot === null ? '' : ` tot ${longDate(status.tot)}`}.`
    : null;

const specialist: Obstacle = ({ specialistTot }, today) =>
  specialistTot !== null && specialistTot >= today
    ? 'U staat geregistreerd als specialist; herregistratie is voor u niet nodig.'
    : null;

const geenPeriode: Obstacle = ({ uhd }) => (uhd === null ? 'Voor uw registratie geldt geen herregistratie.' : null);

const loopt: Obstacle = ({ lopendeHerregistratie }) =>
  lopendeHerregistratie === null ? null : `Uw aanvraag ${lopendeHerregistratie.referentie} loopt.`;

const teVroeg: Obstacle = ({ uhd }, today) => {
  const opens = uhd === null ? null : plusMonths(uhd, -OPENS_MONTHS_BEFORE);
  return opens !== null && today < opens ? `U kunt herregistratie aanvragen vanaf ${longDate(opens)}.` : null;
};

const teLaat: Obstacle = ({ uhd }, today) =>
  uhd !== null && today > uhd ? `De uiterste herregistratiedatum, ${longDate(uhd)}, is verstreken.` : null;

/** In the order of domain.md 4.2: the first that applies is the one that people are told. */
const OBSTACLES = { doorgehaald, geschorst, specialist, geenPeriode, loopt, teVroeg, teLaat } satisfies Record<
  string,
  Obstacle
>;

/** What stands in the way of herregistratie, by name and in a sentence; null when nothing does. */
export function obstacleTo(
  registratie: Registratie | null,
  today: string,
): { readonly name: string; readonly sentence: string } | null {
  if (registratie === null) return { name: 'geenRegistratie', sentence: 'U hebt geen registratie.' };
  for (const [name, obstacle] of Object.entries(OBSTACLES)) {
    const sentence = obstacle(registratie, today);
    if (sentence !== null) return { name, sentence };
  }
  return null;
}

/**
 * Whether someone may ask for herregistratie today, and if not, why not (domain.md 4.2). True exactly when they are
 * Geregistreerd, not exempt as a specialist, without a running request, and UHD − 6 months ≤ today ≤ UHD.
 */
export function checkHerregistratie(registratie: Registratie | null, today: string): HerregistratieDecisionsDto {
  const reason = obstacleTo(registratie, today)?.sentence ?? null;
  return { eligibleForHerregistratie: reason === null, herregistratieReason: reason };
}

/** All but the last two digits hidden (domain.md 4.2): `*********30`. */
export const maskRegisterNummer = (nummer: string): string => nummer.slice(-2).padStart(nummer.length, '*');

export const toRegistration = (registratie: Registratie, steppedUp: boolean): RegistrationDto => ({
  registerNummer: steppedUp ? registratie.registerNummer : maskRegisterNummer(registratie.registerNummer),
  naam: registratie.naam,
  beroep: registratie.beroep,
  registratiedatum: registratie.registratiedatum,
  geboortedatum: registratie.geboortedatum,
  status: toRegistrationStatus(registratie.status, registratie.uhd),
});

/** domain.md 4.2: which dates and reasons belong to which tag. A suspension leaves the UHD running. */
function toRegistrationStatus(status: RegistratieStatus, uhd: string | null): RegistrationStatusDto {
  const none = { tag: status.tag, herregistratieDatum: null, geschorstTot: null, reden: null, doorgehaaldOp: null };
  switch (status.tag) {
    case 'Geregistreerd':
      return { ...none, herregistratieDatum: uhd };
    case 'Geschorst':
      return { ...none, herregistratieDatum: uhd, geschorstTot: status.tot, reden: status.reden };
    case 'Doorgehaald':
      return { ...none, doorgehaaldOp: status.op, reden: status.reden };
  }
}

/**
 * Who someone is: as the BRP has it, or as the register has it when the BRP knows nobody, was not asked or did not answer
 * (`undefined`); the address then is null (domain.md 4.1, "Dashboard without the BRP"). Null: both say that there is nobody.
 */
export function toPerson(registratie: Registratie | null, persoon: Persoon | null | undefined): PersonDto | null {
  if (persoon) return { naam: persoon.naam, geboortedatum: persoon.geboortedatum, adres: woonadres(persoon) };
  if (registratie !== null) return { naam: registratie.naam, geboortedatum: registratie.geboortedatum, adres: null };
  return persoon === undefined ? { naam: null, geboortedatum: null, adres: null } : null;
}
