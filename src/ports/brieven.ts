import type { RichText } from '../wire/rich-text.ts';
import type { Beroep, PassageScope, Uitkomst } from '../wire/values.ts';
import type { Call } from './call.ts';
import type { RegisterKey } from './register.ts';

/** The decision on a case, as a letter states it. */
export interface LetterBesluit {
  readonly uitkomst: Uitkomst;
  /**
   * The reason in one sentence for the applicant; null when there is none, for example for a decision that grants the
   * application.
   */
  readonly reden: string | null;
}

/** The register's assignment (opdracht) to write a letter about one case. Dates are `YYYY-MM-DD`. */
export interface Opdracht {
  /** The register's own id of the assignment. It never leaves the service. */
  readonly opdrachtId: string;
  readonly templateId: string;
  readonly beroep: Beroep;
  /** Reference of the request that the letter is about. */
  readonly referentie: string;
  readonly indiener: RegisterKey;
  /** The registration that the request is about; null for a request for a first registration. */
  readonly registratieId: string | null;
  readonly datumAanvraag: string;
  /** Hours that the applicant stated; null for a type of request without hours. */
  readonly urenOpgegeven: number | null;
  /**
   * The correspondence address in the register, which the letter uses instead of the address in the BRP; null when the
   * register has none.
   */
  readonly correspondentieadres: { readonly adresregel: string; readonly postcodeWoonplaats: string } | null;
  /**
   * Login name of the person to whom the register gave the assignment, who becomes the drafter of a new letter; null
   * when the first person who saves the letter becomes its drafter.
   */
  readonly opsteller: string | null;
  /** The outcome when the case is already decided; null while it is undecided. */
  readonly besluit: Uitkomst | null;
  /** Ids of the library passages that a new draft contains from the start. They depend on the outcome of the case. */
  readonly passages: readonly string[];
}

/** Definition of a placeholder in the text of a letter (`PlaceholderDefDto` of the specification). */
export interface PlaceholderDef {
  readonly key: string;
  readonly label: string;
  /** True when the server fills in the placeholder. */
  readonly autoResolvable: boolean;
  /** True when the employee who writes the letter must fill in the placeholder. */
  readonly fillable: boolean;
  /**
   * True for a placeholder that is no longer in use. It is shown in an existing draft, but a letter with this
   * placeholder cannot be submitted.
   */
  readonly deprecated: boolean;
}

/**
 * Who fills in a placeholder: the server (`auto`) or the drafter (`fillable`). `vervallen` means that a letter with the
 * placeholder cannot be submitted, because the placeholder is deprecated or has no definition.
 */
export type PlaceholderUse = 'auto' | 'fillable' | 'vervallen';

/** One version of a letter template. A letter keeps the version with which it was created. */
export interface Sjabloon {
  readonly templateId: string;
  readonly placeholders: readonly PlaceholderDef[];
  readonly sections: readonly {
    readonly sectionKey: string;
    readonly title: string;
    readonly required: boolean;
    readonly locked: boolean;
    /** Initial text of the section; it has no paragraphs when the drafter writes the whole section. */
    readonly content: RichText;
  }[];
}

/** One version of a standard text (passage) in the library. A published version never changes. */
export interface Passage {
  readonly passageId: string;
  /** The template that the passage is for; null when it is for every template. */
  readonly templateId: string | null;
  /** The decision that a letter with this passage states; null when the passage states none. */
  readonly besluit: LetterBesluit | null;
  readonly scope: PassageScope;
  readonly sectionKey: string;
  readonly label: string;
  readonly content: RichText;
  readonly version: number;
  readonly beroep: Beroep | null;
}

/**
 * A section of an approved letter, with text, marks and line breaks. Its placeholders have been replaced by their text,
 * except those that depend on the date of sending: they are replaced when the letter is sent.
 */
export interface FrozenSection {
  readonly sectionKey: string;
  readonly title: string;
  readonly content: RichText;
}

/** An approved letter in the form in which the register receives it. */
export interface Verzending {
  /** Id of the assignment that the letter was written for. */
  readonly opdrachtId: string;
  readonly referentie: string;
  /** The decision on the case that the letter states; null when it states none. */
  readonly besluit: LetterBesluit | null;
  readonly kanaal: 'berichtenbox' | 'post';
  readonly sections: readonly FrozenSection[];
}

/**
 * The register's API for letters: assignments, templates, passages and delivery (domain.md 3.1). The register decides
 * neither on permissions nor on the states of a draft: this service does. A method throws `UpstreamError` when the
 * register gives no usable answer, and `ClientDisconnected` when the client has left.
 */
export interface Brieven {
  /**
   * Returns the assignment for the current letter of a workspace, or the assignment with this id. Returns null when
   * there is no such assignment.
   */
  opdracht(which: { werkruimte: string } | { opdrachtId: string }, call: Call): Promise<Opdracht | null>;
  /** Returns the newest version of a template. Throws `UpstreamError` when the register has no such template. */
  sjabloon(templateId: string, call: Call): Promise<Sjabloon>;
  /** Returns every version of the general passages and of the passages for one profession. */
  passages(beroep: Beroep, call: Call): Promise<readonly Passage[]>;
  /**
   * Submits a letter for delivery. Returns in `op` the date on which the register accepted it (`YYYY-MM-DD`), or
   * `refused` when the register refuses to deliver it. `sleutel` is the idempotency key: for one key the register
   * delivers one letter, also after a retry. After an `UpstreamError` with `undone: false` it is unknown whether the
   * register accepted the letter.
   */
  verzenden(verzending: Verzending, sleutel: string, call: Call): Promise<{ readonly op: string } | 'refused'>;
}
