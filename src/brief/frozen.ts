import type { Brief } from '../ports/store/brief-store.ts';
import { besluitOf, lastUnconsideredDay, verzoekOf } from './besluit.ts';
import { AANVULLING, lastSent, SENDING_DATE_KEYS } from './placeholders.ts';
import { freeze, type Placeholders } from './rules.ts';
import { lastDayOf } from './uhd.ts';
import type { LetterValues } from './values.ts';

/**
 * Returns the text of a letter and the data with which it is sent, in the form that is stored at its approval. Values
 * that depend on the date of sending are null. Throws an `Error` for a letter that is already approved.
 */
export function frozenContent(
  brief: Brief,
  { values, geheim, facts }: LetterValues,
  placeholders: Placeholders,
): NonNullable<Brief['frozen']> {
  if (facts === null) throw new Error('a letter has frozen values before it is approved');
  const { indiener, referentie } = facts.opdracht;
  const besluit = besluitOf(brief);
  const asked = besluit?.uitkomst === 'buiten-behandeling' ? lastSent(facts.opdracht, AANVULLING) : undefined;
  const days = [lastDayOf(brief, facts.registratie), asked && lastUnconsideredDay(asked.reactieTot)].filter(
    (day) => day != null,
  );
  return {
    values: { ...values, ...Object.fromEntries([...SENDING_DATE_KEYS].map((key) => [key, null])) },
    geheim,
    // The berichtenbox needs a burgerservicenummer; a person without one gets the letter by post.
    kanaal: 'bsn' in indiener ? 'berichtenbox' : 'post',
    referentie,
    besluit,
    uiterlijk: days.sort()[0] ?? null,
    verzoek: verzoekOf(brief) ?? null,
    sections: freeze(brief, placeholders),
  };
}
