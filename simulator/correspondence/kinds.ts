/**
 * The kinds of letter, in the order in which a mailbox shows letters of one day. `brief`: a letter that case handlers
 * wrote. The register writes the others itself.
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

/** The kinds of letter about a registration, its term and its end, which no request asks for. */
export type TermKind = Exclude<LetterKind, 'ontvangstbevestiging' | 'brief' | 'besluit'>;
