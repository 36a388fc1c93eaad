import { plusYears } from '../../src/wire/dates.ts';
import { createDraw, createRandom } from './draw.ts';
import { drawHome } from './home.ts';
import type { Resident, ResidentRegistratie } from './resident.ts';

/** The date, and the first day: the date to which the dates in the fixture are relative. Both are `YYYY-MM-DD`. */
interface Day {
  readonly today: string;
  readonly firstDay: string;
}

/**
 * Returns a resident without the facts of days after today, such as a death, a diploma or a decision. Use it for a clock
 * that was set back: on the first day and later, it returns the same object.
 * @param keepsRequests - true to keep requests that were submitted after today, as undecided
 */
export function residentOn(resident: Resident, { today, firstDay }: Day, keepsRequests: boolean): Resident {
  if (today >= firstDay) return resident;
  const ifKnown = (date: string | null): string | null => (date !== null && date <= today ? date : null);
  const { emigratieOp, aanvragen, registraties, diplomas } = resident;
  return {
    ...resident,
    overledenOp: ifKnown(resident.overledenOp),
    emigratieOp: ifKnown(emigratieOp),
    inOnderzoekOp: ifKnown(resident.inOnderzoekOp),
    nietOpAdresOp: ifKnown(resident.nietOpAdresOp),
    verblijfplaats: homeOn(resident, today),
    registraties: registraties.filter(({ sinds }) => sinds <= today).map((one) => registratieOn(one, today)),
    aanvragen: aanvragen
      .filter(({ referentie, begonnenOp }) => referentie === null || keepsRequests || begonnenOp <= today)
      .map((one) =>
        one.beslotenOp === null || one.beslotenOp <= today
          ? one
          : { ...one, tag: 'InBehandeling' as const, beslotenOp: null, reden: null },
      ),
    diplomas: diplomas.filter(({ behaaldOp }) => behaaldOp === null || behaaldOp <= today),
  };
}

function registratieOn(registratie: ResidentRegistratie, day: string): ResidentRegistratie {
  const { uhd, status, specialistTot } = registratie;
  const aantekeningen = registratie.aantekeningen.filter(({ van }) => van <= day);
  const isSpecialist = aantekeningen.some(isSpecialisme) || !registratie.aantekeningen.some(isSpecialisme);
  return {
    ...registratie,
    uhd: uhd && endOfTermOn(day, uhd),
    status: status !== null && status.op <= day ? status : null,
    specialistTot: specialistTot && isSpecialist ? endOfTermOn(day, specialistTot) : null,
    aantekeningen,
  };
}

const isSpecialisme = ({ soort }: ResidentRegistratie['aantekeningen'][number]): boolean => soort === 'specialisme';

/** Number of years after which a registration must be renewed (domain.md 1.3). */
export const TERM_YEARS = 5;

/** Fixtures have only the last term. The terms before it are counted back in steps of five years. */
function endOfTermOn(day: string, end: string): string {
  const begin = plusYears(end, -TERM_YEARS);
  return begin > day ? endOfTermOn(day, begin) : end;
}

/** Before the emigration a random home in the Netherlands, because fixtures do not have it. */
export function homeOn(
  { naam, person, emigratieOp, verblijfplaats }: Resident,
  day: string,
): Resident['verblijfplaats'] {
  if (emigratieOp === null || emigratieOp <= day) return verblijfplaats;
  const seed = [...naam, ...person.verjaardag].reduce((hash, char) => Math.imul(31, hash) + char.charCodeAt(0), 7);
  const draw = createDraw(createRandom(seed));
  return drawHome(draw, draw.between(1, 120));
}
