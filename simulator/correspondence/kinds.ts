/**
 * The kinds of letter, in the order in which a mailbox shows the letters of one day. Case handlers write a `brief`; the
 * register makes the other kinds itself.
 */
export const LETTER_KINDS = [
  'ontvangstbevestiging',
  'bericht-vertraging',
  'brief',
  'besluit',
  'oproep',
  'herinnering',
  'voornemen-doorhaling',
  'besluit-doorhaling',
  'bericht-vervallen',
] as const;

export type LetterKind = (typeof LETTER_KINDS)[number];

/** The kinds of letter about the term or the end of a registration. They are not about a request. */
export type TermKind = Exclude<LetterKind, 'ontvangstbevestiging' | 'bericht-vertraging' | 'brief' | 'besluit'>;
