import type { Registratie } from '../ports/register.ts';
import type { Sentence } from '../problem.ts';
import { longDate, plusMonths } from '../wire/dates.ts';
import { type Beroep, DOORHALING } from '../wire/values.ts';
import { rule } from './rule.ts';

// Before the last date for renewal (domain.md 1.3). A choice of the register: the law has no earliest day.
const OPENS_MONTHS_BEFORE = 6;

/**
 * The UHD (`YYYY-MM-DD`), or the end of a specialist registration when that is later (domain.md 4.2). Null without a UHD.
 */
export const effectiveUhd = ({ uhd, specialistTot }: Pick<Registratie, 'uhd' | 'specialistTot'>): string | null =>
  uhd !== null && specialistTot !== null && specialistTot > uhd ? specialistTot : uhd;

// `YYYY-MM-DD`; null without a last date for renewal.
function opensOn(registratie: Registratie): string | null {
  const uhd = effectiveUhd(registratie);
  return uhd === null ? null : plusMonths(uhd, -OPENS_MONTHS_BEFORE);
}

// Returns null when the reason does not apply.
type Obstacle = (registratie: Registratie, today: string) => Sentence | null;

const doorgehaald: Obstacle = ({ status }) =>
  status.tag === 'Doorgehaald'
    ? {
        detail: `Uw registratie is doorgehaald${status.op === null ? '' : ` op ${longDate(status.op)}`}.`,
        english: `Your registration was struck off${status.op === null ? '' : ` on ${status.op}`}.`,
      }
    : null;

const onbekend: Obstacle = ({ status }) =>
  status.tag === 'Onbekend'
    ? {
        detail: 'De status van uw registratie is niet bekend.',
        english: 'The status of your registration is not known.',
      }
    : null;

const specialist: Obstacle = (registratie, today) => {
  const { specialistTot } = registratie;
  if (specialistTot === null || specialistTot < today) return null;
  const opens = opensOn(registratie);
  return opens === null || today < opens
    ? {
        detail: 'U staat geregistreerd als specialist; herregistratie is voor u niet nodig.',
        english: 'You are registered as a specialist, and need no renewal.',
      }
    : null;
};

const geenPeriode: Obstacle = ({ uhd }) =>
  uhd === null
    ? { detail: 'Voor uw registratie geldt geen herregistratie.', english: 'Your registration needs no renewal.' }
    : null;

const loopt: Obstacle = ({ lopendeHerregistratie }) =>
  lopendeHerregistratie === null
    ? null
    : {
        detail: ['Uw aanvraag', lopendeHerregistratie.referentie, 'loopt.'].filter(Boolean).join(' '),
        english: ['Your request', lopendeHerregistratie.referentie, 'is in progress.'].filter(Boolean).join(' '),
      };

const teVroeg: Obstacle = (registratie, today) => {
  const opens = opensOn(registratie);
  return opens !== null && today < opens
    ? {
        detail: `Wij nemen uw aanvraag om herregistratie in behandeling vanaf ${longDate(opens)}.`,
        english: `A renewal can be requested from ${opens}.`,
      }
    : null;
};

const teLaat: Obstacle = (registratie, today) => {
  const uhd = effectiveUhd(registratie);
  return uhd !== null && today > uhd
    ? {
        detail: `De uiterste herregistratiedatum, ${longDate(uhd)}, is verstreken.`,
        english: `The last date for renewal, ${uhd}, has passed.`,
      }
    : null;
};

// In the order of domain.md 4.2, with the name that the journal shows. Only the first that applies is shown.
const OBSTACLES = Object.entries<Obstacle>({ doorgehaald, onbekend, specialist, geenPeriode, loopt, teVroeg, teLaat });

function obstacleTo(
  registratie: Registratie | null,
  today: string,
): { readonly name: string; readonly reason: Sentence } | null {
  if (registratie === null)
    return {
      name: 'geenRegistratie',
      reason: { detail: 'U hebt geen registratie.', english: 'You have no registration.' },
    };
  for (const [name, obstacle] of OBSTACLES) {
    const reason = obstacle(registratie, today);
    if (reason !== null) return { name, reason };
  }
  return null;
}

interface HerregistratieFacts {
  readonly registratie: Registratie | null;
  // In the Netherlands, `YYYY-MM-DD`.
  readonly today: string;
}

/** The first reason against renewal (domain.md 4.2); null when the professional may apply today. */
export const reasonAgainst = ({ registratie, today }: HerregistratieFacts): Sentence | null =>
  obstacleTo(registratie, today)?.reason ?? null;

/**
 * `herregistratieReason` is the first reason against renewal as a Dutch sentence (domain.md 4.2); null when the
 * professional may apply today.
 */
export const checkHerregistratie = rule(
  'domain.md 4.2',
  function checkHerregistratie({ registratie, today }: HerregistratieFacts) {
    const reason = reasonAgainst({ registratie, today })?.detail ?? null;
    return { eligibleForHerregistratie: reason === null, herregistratieReason: reason };
  },
  {
    outcome: (decisions, { registratie, today }) => ({
      ...decisions,
      obstacle: obstacleTo(registratie, today)?.name ?? null,
    }),
  },
);

type Registraties = readonly Registratie[];

/** Returns true for a valid registration: one that was not struck off (Doorgehaald). */
export const isValid = ({ status }: Registratie): boolean => status.tag !== 'Doorgehaald';

/** Returns the valid registration in a profession; undefined when there is none. */
export const validRegistrationIn = (registraties: Registraties, beroep: Beroep | null): Registratie | undefined =>
  registraties.find((one) => one.beroep === beroep && isValid(one));

/**
 * The disciplinary court struck the person off, who was not registered again in the same profession. With `beroep`
 * null, any profession counts.
 */
export const isBarred = (registraties: Registraties, beroep: Beroep | null): boolean =>
  registraties.some(
    (one) =>
      (beroep === null || one.beroep === beroep) &&
      one.status.tag === 'Doorgehaald' &&
      one.status.reden === DOORHALING.tuchtmaatregel &&
      !registraties.some((other) => other.beroep === one.beroep && other.registratiedatum > one.registratiedatum),
  );

/** Returns true when the register struck the person off because of death. */
export const isDeceased = (registraties: Registraties): boolean =>
  registraties.some(({ status }) => status.tag === 'Doorgehaald' && status.reden === DOORHALING.overlijden);

interface CurrentFacts {
  readonly registraties: Registraties;
  readonly today: string;
}

// The order of domain.md 4.2: 0 comes first, 3 last.
function rankOf(registratie: Registratie, today: string): number {
  // A registration with a request in progress of its own is not eligible.
  if (checkHerregistratie({ registratie, today }).eligibleForHerregistratie) return 0;
  if (registratie.lopendeHerregistratie !== null && isValid(registratie)) return 1;
  return isValid(registratie) ? 2 : 3;
}

// Sorts registrations without an end date last.
const NEVER = '9999-12-31';

/** The first in the order of domain.md 4.2. Null when the person has no registration. */
export const currentRegistration = rule(
  'domain.md 4.2',
  function currentRegistration({ registraties, today }: CurrentFacts): Registratie | null {
    const ranked = registraties.map((registratie) => ({
      registratie,
      rank: rankOf(registratie, today),
      until: isValid(registratie) ? (effectiveUhd(registratie) ?? NEVER) : NEVER,
    }));
    const [first] = ranked.sort(
      (a, b) =>
        a.rank - b.rank ||
        a.until.localeCompare(b.until) ||
        b.registratie.registratiedatum.localeCompare(a.registratie.registratiedatum),
    );
    return first?.registratie ?? null;
  },
  { outcome: (current) => current?.id ?? null },
);
