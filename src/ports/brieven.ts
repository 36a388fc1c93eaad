import type { RichText } from '../wire/rich-text.ts';
import type { Beroep, PassageScope, Uitkomst } from '../wire/values.ts';
import type { Call } from './call.ts';
import type { RegisterKey } from './register.ts';

/** A decision on a case that a letter makes known. */
export interface LetterBesluit {
  readonly uitkomst: Uitkomst;
  /** Reason in one sentence, as the applicant reads it at the application; null for a decision that grants it. */
  readonly reden: string | null;
}

/** The register's assignment to write a letter about one case. Dates are `YYYY-MM-DD`. */
export interface Opdracht {
  /** The register's own key. Opaque; never leaves the service. */
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
  /** Address in the register, used when the BRP has no address; null when the register has none either. */
  readonly correspondentieadres: { readonly adresregel: string; readonly postcodeWoonplaats: string } | null;
  /** Login name of the person who was asked to draft it; null when any drafter may start. */
  readonly opsteller: string | null;
  /** Outcome that the case already has; null while it is undecided. */
  readonly besluit: Uitkomst | null;
  /** Ids of the library passages that a new draft starts with; they follow from the outcome of the case. */
  readonly passages: readonly string[];
}

/** Definition of a placeholder in the text of a letter (`PlaceholderDefDto` of the specification). */
export interface PlaceholderDef {
  readonly key: string;
  readonly label: string;
  /** True when the server fills in the placeholder. */
  readonly autoResolvable: boolean;
  /** True when the drafter fills in the placeholder. */
  readonly fillable: boolean;
  /** True when the placeholder is shown in an existing draft but refused when the letter is submitted. */
  readonly deprecated: boolean;
}

/**
 * The permitted use of a placeholder in a letter: filled in by the server (`auto`), filled in by the drafter
 * (`fillable`), or not permitted because it is deprecated or has no definition (`vervallen`).
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
  /** The template that it belongs to; null for every template. */
  readonly templateId: string | null;
  /** The decision that a letter with this passage takes; null when it takes none. */
  readonly besluit: LetterBesluit | null;
  readonly scope: PassageScope;
  readonly sectionKey: string;
  readonly label: string;
  readonly content: RichText;
  readonly version: number;
  readonly beroep: Beroep | null;
}

/** A section of an approved letter: text, marks and line breaks, with a text instead of each placeholder. */
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
  /** The decision on the case that the letter makes known; null when it decides nothing. */
  readonly besluit: LetterBesluit | null;
  readonly kanaal: 'berichtenbox' | 'post';
  readonly sections: readonly FrozenSection[];
}

/**
 * The register's API for letters: assignments, templates, passages and delivery (domain.md 3.1). This service decides
 * on permissions and on the states of a draft. Every method throws only `UpstreamError` when the register does not
 * answer.
 */
export interface Brieven {
  /**
   * Returns the assignment for a workspace's current letter, or the assignment with this id; null when it does not
   * exist.
   */
  opdracht(which: { werkruimte: string } | { opdrachtId: string }, call: Call): Promise<Opdracht | null>;
  /** Returns the newest version of a template. */
  sjabloon(templateId: string, call: Call): Promise<Sjabloon>;
  /** Returns every version of the general passages and of the passages for one profession. */
  passages(beroep: Beroep, call: Call): Promise<readonly Passage[]>;
  /**
   * Submits a letter for delivery. `sleutel` is the idempotency key: the register delivers one letter per key, also
   * after a retry. Returns `refused` when the register does not deliver the letter. After an `UpstreamError` with
   * `undone: false` it is unknown whether the register accepted the letter.
   */
  verzenden(verzending: Verzending, sleutel: string, call: Call): Promise<{ readonly op: string } | 'refused'>;
}
