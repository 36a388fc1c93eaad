/**
 * The kinds of letter, in the order in which a mailbox shows the letters of one day. A `brief` was written by case
 * handlers; the register writes all other letters itself.
 */
export const LETTER_KINDS = [
  'ontvangstbevestiging',
  'brief',
  'besluit',
  'oproep',
  'herinnering',
  'voornemen-doorhaling',
  'besluit-doorhaling',
  'bericht-vervallen',
] as const;

export type LetterKind = (typeof LETTER_KINDS)[number];

/** The kinds of letter that do not answer a request: they are about the term or the end of a registration. */
export type TermKind = Exclude<LetterKind, 'ontvangstbevestiging' | 'brief' | 'besluit'>;
