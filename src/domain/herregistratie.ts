import type { Registratie } from '../ports/register.ts';
import { longDate, plusMonths } from '../wire/dates.ts';
import { rule } from './rule.ts';

/**
 * A professional can apply from this many months before the uiterste herregistratiedatum (UHD), when the register sends
 * its letter (domain 1.3).
 */
const OPENS_MONTHS_BEFORE = 6;

/**
 * Returns the registration that the dashboard shows: one that is not struck off before one that is, then the newest.
 * Null when there are no registrations.
 */
export const currentRegistration = rule(
  'domain 4.2',
  function currentRegistration({ registraties }: { registraties: readonly Registratie[] }): Registratie | null {
    const [first] = [...registraties].sort(
      (a, b) =>
        Number(a.status.tag === 'Doorgehaald') - Number(b.status.tag === 'Doorgehaald') ||
        b.registratiedatum.localeCompare(a.registratiedatum),
    );
    return first ?? null;
  },
  { outcome: (current) => current?.id ?? null },
);

/**
 * Checks one reason why herregistratie is not possible. Returns the Dutch sentence to show, or null when it does not
 * apply.
 */
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

/** All obstacles in the order of domain 4.2. Only the first that applies is shown. */
const OBSTACLES = { doorgehaald, geschorst, specialist, geenPeriode, loopt, teVroeg, teLaat } satisfies Record<
  string,
  Obstacle
>;

/** Returns the first obstacle to herregistratie, its name and its sentence; null when there is none. */
function obstacleTo(
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

/** Facts of `checkHerregistratie`. */
interface HerregistratieFacts {
  /** Null when the professional has no registration. */
  readonly registratie: Registratie | null;
  /** Date in the Netherlands, `YYYY-MM-DD`. */
  readonly today: string;
}

/**
 * Returns whether the professional may apply for herregistratie today, and if not, the reason as a Dutch sentence.
 * Allowed when the registration is Geregistreerd, there is no exemption as a specialist, no herregistratie request is
 * running, and UHD − 6 months ≤ today ≤ UHD (domain 4.2).
 */
export const checkHerregistratie = rule(
  'domain 4.2',
  function checkHerregistratie({ registratie, today }: HerregistratieFacts) {
    const reason = obstacleTo(registratie, today)?.sentence ?? null;
    return { eligibleForHerregistratie: reason === null, herregistratieReason: reason };
  },
  {
    outcome: (decisions, { registratie, today }) => ({
      ...decisions,
      obstacle: obstacleTo(registratie, today)?.name ?? null,
    }),
  },
);
