/** The current letter of a world, on which drafters and approvers work. */
export interface Letter {
  readonly briefId: string;
  readonly tag: 'draft' | 'submitted' | 'approved' | 'rejected' | 'sent';
  readonly version: number;
  readonly referentie: string | null;
  readonly drafterId: string | null;
  readonly submittedBy: string | null;
  readonly approvedBy: string | null;
}

/**
 * The case (`referentie`), template and outcome of a new letter. When they are absent: the case of the current letter;
 * the template of a decision; and the outcome of the decision on the case, or a grant when there is no decision.
 */
export interface LetterAbout {
  readonly referentie?: string | undefined;
  readonly templateId?: 'herregistratie-besluit' | 'registratie-besluit' | 'aanvulling-gevraagd' | undefined;
  /** The outcome for which the new letter has standard passages. */
  readonly uitkomst?: 'goedgekeurd' | 'afgewezen' | 'buiten-behandeling' | undefined;
}

/** A letter that the simulated register sent, without its text. */
export interface SentLetterSummary {
  /** Id of the letter, unique among the letters to one person. */
  readonly id: string;
  /** Date of sending, `YYYY-MM-DD`. */
  readonly date: string;
  readonly kind:
    | 'ontvangstbevestiging'
    | 'brief'
    | 'besluit'
    | 'oproep'
    | 'herinnering'
    | 'voornemen-doorhaling'
    | 'besluit-doorhaling'
    | 'bericht-vertraging'
    | 'bericht-vervallen';
  readonly channel: 'berichtenbox' | 'post';
  readonly subject: string;
  /** Reference of the request that the letter is about; null for a letter about the term of a registration. */
  readonly referentie: string | null;
}

/** A letter that the simulated register sent, as plain text (`text`) and in parts (`letter`). */
export interface SentLetter extends SentLetterSummary {
  readonly text: string;
  readonly letter: {
    readonly sender: readonly string[];
    readonly addressee: readonly string[];
    readonly date: string | null;
    readonly kenmerk: string;
    readonly registratienummer: string | null;
    readonly onderwerp: string;
    readonly paragraphs: readonly {
      readonly list: 'bullet' | 'number' | null;
      /** True for a heading. */
      readonly heading?: boolean | undefined;
      readonly spans: readonly {
        readonly text: string;
        readonly bold?: boolean | undefined;
        readonly italic?: boolean | undefined;
        readonly underline?: boolean | undefined;
      }[];
    }[];
    readonly signature: readonly string[];
  };
}
