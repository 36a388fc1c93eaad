import type { Brief } from '../ports/store/brief-store.ts';
import { besluitOf } from './besluit.ts';
import { SENDING_DATE_KEYS } from './placeholders.ts';
import { freeze, type Placeholders } from './rules.ts';
import type { LetterValues } from './values.ts';

/**
 * Returns what is stored with a letter at its approval, so that exactly this text is sent: its text with the
 * placeholders filled in, their values, the decision, and the channel. The values that depend on the date of sending
 * stay null. Throws an `Error` for a letter that was approved already.
 */
export function frozenContent(
  brief: Brief,
  { values, geheim, facts }: LetterValues,
  placeholders: Placeholders,
): NonNullable<Brief['frozen']> {
  if (facts === null) throw new Error('a letter has frozen values before it is approved');
  const { indiener, referentie } = facts.opdracht;
  return {
    values: { ...values, ...Object.fromEntries([...SENDING_DATE_KEYS].map((key) => [key, null])) },
    geheim,
    // The berichtenbox needs a burgerservicenummer; a person without one gets the letter by post.
    kanaal: 'bsn' in indiener ? 'berichtenbox' : 'post',
    referentie,
    besluit: besluitOf(brief),
    sections: freeze(brief, placeholders),
  };
}
