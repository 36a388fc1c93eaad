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
] as const;

export type LetterKind = (typeof LETTER_KINDS)[number];

/** The kinds of letter about the term of a registration. */
export type TermKind = Extract<LetterKind, 'oproep' | 'herinnering' | 'voornemen-doorhaling' | 'besluit-doorhaling'>;
