import { effectiveUhd } from '../domain/herregistratie.ts';
import { rule } from '../domain/rule.ts';
import type { UhdCondition } from '../ports/brieven.ts';
import type { Registratie } from '../ports/register.ts';
import type { Brief } from '../ports/store/brief-store.ts';
import type { FieldFault } from '../problem.ts';
import { longDate } from '../wire/dates.ts';
import { usedPassages } from './rules.ts';

interface UsedText {
  readonly pointer: string;
  readonly passageId: string;
  readonly uhd: UhdCondition;
}

/** Input of the rule `checkUhd`, which compares a letter with the last date for renewal (UHD). */
export interface UhdFacts {
  readonly brief: Pick<Brief, 'sections'>;
  /** The registration that the letter is about; null for a request for a first registration. */
  readonly registratie: Pick<Registratie, 'uhd' | 'specialistTot'> | null;
  /** Date in the Netherlands, `YYYY-MM-DD`: the letter is not sent before this day. */
  readonly today: string;
}

const usedTexts = (brief: Pick<Brief, 'sections'>): UsedText[] =>
  usedPassages(brief).flatMap(({ pointer, passage: { sourcePassageId, uhd } }) =>
    uhd ? [{ pointer, passageId: sourcePassageId, uhd }] : [],
  );

/**
 * Returns a fault for each passage (standard text) of a letter that is right only until the last date for renewal
 * (UHD) while that date has passed, or only after it while it has not (domain 4.8).
 */
export const checkUhd = rule(
  'domain 4.8',
  function checkUhd({ brief, registratie, today }: UhdFacts): FieldFault[] {
    const uhd = registratie && effectiveUhd(registratie);
    if (uhd === null) return [];
    const now = uhd < today ? 'voorbij' : 'loopt';
    return usedTexts(brief)
      .filter((one) => one.uhd !== now)
      .map(({ pointer, passageId }) => ({
        pointer,
        code: 'besluit-tegenstrijdig',
        detail: `Passage ${passageId} klopt niet: de uiterste herregistratiedatum, ${longDate(uhd)}, is ${now === 'voorbij' ? 'voorbij' : 'nog niet voorbij'}. Kies de andere passage.`,
      }));
  },
  {
    facts: ({ brief, registratie, today }) => ({
      uhd: registratie && effectiveUhd(registratie),
      today,
      used: usedTexts(brief).map(({ passageId, uhd }) => ({ passageId, uhd })),
    }),
  },
);

/**
 * Returns the last day on which the text of a letter is right, `YYYY-MM-DD`: the last date for renewal (UHD) when the
 * letter has a text that is right only until then. Null when the text stays right.
 */
export const lastDayOf = (brief: UhdFacts['brief'], registratie: UhdFacts['registratie']): string | null =>
  registratie && usedTexts(brief).some(({ uhd }) => uhd === 'loopt') ? effectiveUhd(registratie) : null;
