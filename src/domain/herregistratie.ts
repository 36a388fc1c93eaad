import type { Registratie } from '../ports/register.ts';
import { longDate, plusMonths } from '../wire/dates.ts';
import { rule } from './rule.ts';

/**
 * Number of months before the effective uiterste herregistratiedatum (UHD, the last date for renewal) from which a
 * professional can apply. At that moment the register sends its letter (domain 1.3).
 */
const OPENS_MONTHS_BEFORE = 6;

/**
 * Returns the last date on which a registration is valid without renewal (`YYYY-MM-DD`). This is the UHD (uiterste
 * herregistratiedatum), or the end of the specialist registration when that end is later (domain 4.2). Returns null
 * when the registration has no UHD.
 */
export const effectiveUhd = ({ uhd, specialistTot }: Pick<Registratie, 'uhd' | 'specialistTot'>): string | null =>
  uhd !== null && specialistTot !== null && specialistTot > uhd ? specialistTot : uhd;

/**
 * Returns the first day on which a professional can apply for herregistratie (`YYYY-MM-DD`); null when the registration
 * has no UHD.
 */
function opensOn(registratie: Registratie): string | null {
  const uhd = effectiveUhd(registratie);
  return uhd === null ? null : plusMonths(uhd, -OPENS_MONTHS_BEFORE);
}

/**
 * A check for one reason why herregistratie is not possible. It returns the Dutch sentence to show, or null when the
 * reason does not apply.
 */
type Obstacle = (registratie: Registratie, today: string) => string | null;

const doorgehaald: Obstacle = ({ status }) =>
  status.tag === 'Doorgehaald'
    ? `Uw registratie is doorgehaald${status.op === null ? '' : ` op ${longDate(status.op)}`}.`
    : null;

/**
 * Returns the sentence for a specialist who need not apply now, because the specialist registration has not ended and
 * the period of six months for applications has not begun. Returns null in every other case.
 */
const specialist: Obstacle = (registratie, today) => {
  const { specialistTot } = registratie;
  if (specialistTot === null || specialistTot < today) return null;
  const opens = opensOn(registratie);
  return opens === null || today < opens
    ? 'U staat geregistreerd als specialist; herregistratie is voor u niet nodig.'
    : null;
};

const geenPeriode: Obstacle = ({ uhd }) => (uhd === null ? 'Voor uw registratie geldt geen herregistratie.' : null);

const loopt: Obstacle = ({ lopendeHerregistratie }) =>
  lopendeHerregistratie === null ? null : `Uw aanvraag ${lopendeHerregistratie.referentie} loopt.`;

const teVroeg: Obstacle = (registratie, today) => {
  const opens = opensOn(registratie);
  return opens !== null && today < opens ? `U kunt herregistratie aanvragen vanaf ${longDate(opens)}.` : null;
};

const teLaat: Obstacle = (registratie, today) => {
  const uhd = effectiveUhd(registratie);
  return uhd !== null && today > uhd ? `De uiterste herregistratiedatum, ${longDate(uhd)}, is verstreken.` : null;
};

/** All checks, in the order of domain 4.2. Only the first sentence that a check returns is shown. */
const OBSTACLES = { doorgehaald, specialist, geenPeriode, loopt, teVroeg, teLaat } satisfies Record<string, Obstacle>;

/** Returns the name and the sentence of the first reason against herregistratie; null when there is none. */
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

/** Input of the rule `checkHerregistratie`: the registration and the date. */
interface HerregistratieFacts {
  /** The registration of the professional; null when the professional has none. */
  readonly registratie: Registratie | null;
  /** Date in the Netherlands, `YYYY-MM-DD`. */
  readonly today: string;
}

/**
 * Returns whether the professional may apply for herregistratie (renewal) today, and in `herregistratieReason` the
 * reason why not as a Dutch sentence; null when the professional may apply. The registration must be Geregistreerd or
 * Geschorst: a suspended professional may apply, because the term continues during a suspension. No exemption for a
 * specialist may apply, and no earlier request may be in progress. Today must be in the six months up to and including
 * the effective UHD (domain 4.2).
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
