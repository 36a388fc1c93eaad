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
  /** Filled by the server. */
  readonly autoResolvable: boolean;
  /** Filled by the drafter. */
  readonly fillable: boolean;
  /** Still shown in an existing draft, but refused when the letter is submitted. */
  readonly deprecated: boolean;
}

/**
 * How a placeholder may be used in a letter. `vervallen`: not at all, because it is deprecated or has no definition.
 */
export type PlaceholderUse = 'auto' | 'fillable' | 'vervallen';

/** One version of the template of a letter. A letter keeps the version that it was created with. */
export interface Sjabloon {
  readonly templateId: string;
  readonly placeholders: readonly PlaceholderDef[];
  readonly sections: readonly {
    readonly sectionKey: string;
    readonly title: string;
    readonly required: boolean;
    readonly locked: boolean;
    /** Initial text; without paragraphs when the drafter writes the section. */
    readonly content: RichText;
  }[];
}

/** One version of a standard text of the library. Published versions never change. */
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

/** A section as it is sent: text, marks and line breaks, with every placeholder replaced. */
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
 * The letters part of the register: assignments, templates, passages, and sending (domain.md 3.1). Permissions and the
 * states of a draft are decided in this service. Every method throws `UpstreamError` and nothing else when there is no
 * answer.
 */
export interface Brieven {
  /** Returns the assignment of the current letter of a workspace, or the one with an id; null when there is none. */
  opdracht(which: { werkruimte: string } | { opdrachtId: string }, call: Call): Promise<Opdracht | null>;
  /** Returns the newest version of a template. */
  sjabloon(templateId: string, call: Call): Promise<Sjabloon>;
  /** Returns every version of the general passages and of the passages for one profession. */
  passages(beroep: Beroep, call: Call): Promise<readonly Passage[]>;
  /**
   * Submits a letter for delivery. `sleutel` is the idempotency key: the register delivers one letter per key, also
   * after a retry. The register decides the case with the outcome of the letter, on the day on which it is sent. Returns
   * that day, `YYYY-MM-DD`, or `refused` when the register will not deliver it: also when the case was decided otherwise.
   * After an `UpstreamError` that is not `undone` it is unknown whether the letter was accepted.
   */
  verzenden(verzending: Verzending, sleutel: string, call: Call): Promise<{ readonly op: string } | 'refused'>;
}
