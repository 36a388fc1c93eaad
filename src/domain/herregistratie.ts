import type { Registratie } from '../ports/register.ts';
import { longDate, plusMonths } from '../wire/dates.ts';
import { rule } from './rule.ts';

// Before the last date for renewal (domain 1.3). A choice of the register: the law has no earliest day.
const OPENS_MONTHS_BEFORE = 6;

/**
 * The UHD (`YYYY-MM-DD`), or the end of a specialist registration when that is later (domain 4.2). Null without a UHD.
 */
export const effectiveUhd = ({ uhd, specialistTot }: Pick<Registratie, 'uhd' | 'specialistTot'>): string | null =>
  uhd !== null && specialistTot !== null && specialistTot > uhd ? specialistTot : uhd;

// `YYYY-MM-DD`; null without a last date for renewal.
function opensOn(registratie: Registratie): string | null {
  const uhd = effectiveUhd(registratie);
  return uhd === null ? null : plusMonths(uhd, -OPENS_MONTHS_BEFORE);
}

// Returns the Dutch sentence to show, or null when the reason does not apply.
type Obstacle = (registratie: Registratie, today: string) => string | null;

const doorgehaald: Obstacle = ({ status }) =>
  status.tag === 'Doorgehaald'
    ? `Uw registratie is doorgehaald${status.op === null ? '' : ` op ${longDate(status.op)}`}.`
    : null;

const onbekend: Obstacle = ({ status }) =>
  status.tag === 'Onbekend' ? 'De status van uw registratie is niet bekend.' : null;

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
  lopendeHerregistratie === null
    ? null
    : ['Uw aanvraag', lopendeHerregistratie.referentie, 'loopt.'].filter(Boolean).join(' ');

const teVroeg: Obstacle = (registratie, today) => {
  const opens = opensOn(registratie);
  return opens !== null && today < opens
    ? `Wij nemen uw aanvraag om herregistratie in behandeling vanaf ${longDate(opens)}.`
    : null;
};

const teLaat: Obstacle = (registratie, today) => {
  const uhd = effectiveUhd(registratie);
  return uhd !== null && today > uhd ? `De uiterste herregistratiedatum, ${longDate(uhd)}, is verstreken.` : null;
};

// In the order of domain 4.2, with the name that the journal shows. Only the first that applies is shown.
const OBSTACLES = Object.entries<Obstacle>({ doorgehaald, onbekend, specialist, geenPeriode, loopt, teVroeg, teLaat });

function obstacleTo(
  registratie: Registratie | null,
  today: string,
): { readonly name: string; readonly sentence: string } | null {
  if (registratie === null) return { name: 'geenRegistratie', sentence: 'U hebt geen registratie.' };
  for (const [name, obstacle] of OBSTACLES) {
    const sentence = obstacle(registratie, today);
    if (sentence !== null) return { name, sentence };
  }
  return null;
}

interface HerregistratieFacts {
  readonly registratie: Registratie | null;
  // In the Netherlands, `YYYY-MM-DD`.
  readonly today: string;
}

/**
 * `herregistratieReason` is the first reason against renewal as a Dutch sentence (domain 4.2); null when the
 * professional may apply today.
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
