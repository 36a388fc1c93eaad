import type { RichText } from '../wire/rich-text.ts';
import type { Beroep, PassageScope, Uitkomst } from '../wire/values.ts';
import type { Call } from './call.ts';
import type { RegisterKey } from './register.ts';

/** The decision on a case at the register, as a letter states it. */
export interface LetterBesluit {
  readonly uitkomst: Uitkomst;
  /** The reason in one sentence for the applicant; null when there is none. */
  readonly reden: string | null;
}

/** The decision that the register took on a case. */
export interface ZaakBesluit extends LetterBesluit {
  /** The day of the decision, `YYYY-MM-DD`. */
  readonly datum: string;
}

/** The register's assignment to write a letter about one case. Dates are `YYYY-MM-DD`. */
export interface Opdracht {
  /** The register's own id of the assignment. Clients do not get it; the register and the logs do. */
  readonly opdrachtId: string;
  readonly templateId: string;
  readonly beroep: Beroep;
  /** Reference of the case that the letter is about. */
  readonly referentie: string;
  readonly indiener: RegisterKey;
  /** The registration to be renewed; null when the case is a request for a first registration. */
  readonly registratieId: string | null;
  readonly datumAanvraag: string;
  /** Hours of work that the applicant stated; null when the type of case has none. */
  readonly urenOpgegeven: number | null;
  /** The correspondence address in the register; null when there is none. The letter then uses the BRP address. */
  readonly correspondentieadres: { readonly adresregel: string; readonly postcodeWoonplaats: string } | null;
  /** The person who must draft the letter: the subject claim of their token. Null when the register names nobody. */
  readonly opsteller: string | null;
  /** The decision that the case already has; null while it is undecided. */
  readonly besluit: ZaakBesluit | null;
  /** Ids of the standard texts (passages) that a new draft of the letter starts with. */
  readonly passages: readonly string[];
  /** The facts about the applicant that passages can depend on and that are true; null when the register does not say. */
  readonly feiten: readonly string[] | null;
  /**
   * For a first registration: the last date for renewal, when that follows from the diploma. Null when it is five years
   * after the decision, and for a renewal.
   */
  readonly uhd: string | null;
  /** The letters without a decision that were sent about the case, oldest first. */
  readonly eerder: readonly (Verzoek & { readonly verzondenOp: string })[];
}

/** What a letter without a decision asks of the applicant, or announces. */
export interface Verzoek {
  readonly templateId: string;
  /** The last day on which the applicant can react, `YYYY-MM-DD`. */
  readonly reactieTot: string;
  /** What was asked (`ontbrekende_bewijsstukken`), or the reason of the intended refusal (`reden_afwijzing`). */
  readonly waarover: string;
}

/** Definition of a placeholder in the text of a letter (`PlaceholderDefDto` of the specification). */
export interface PlaceholderDef {
  readonly key: string;
  readonly label: string;
  /** True when the server fills in the placeholder. */
  readonly autoResolvable: boolean;
  /** True when the drafter must fill in the placeholder. */
  readonly fillable: boolean;
  /** True when the placeholder is no longer in use. A letter that contains it cannot be submitted for approval. */
  readonly deprecated: boolean;
}

/** `auto`: the server fills it in. `fillable`: the drafter does. `vervallen`: it may no longer be used. */
export type PlaceholderUse = 'auto' | 'fillable' | 'vervallen';

/** The template of a letter, in one version. */
export interface Sjabloon {
  readonly templateId: string;
  readonly placeholders: readonly PlaceholderDef[];
  readonly sections: readonly {
    readonly sectionKey: string;
    readonly title: string;
    readonly required: boolean;
    readonly locked: boolean;
    /** Initial text of the section, without paragraphs when the drafter must write it all. */
    readonly content: RichText;
  }[];
}

/** When a text is right: until and on the UHD (`loopt`), or after it (`voorbij`). */
export type UhdCondition = 'loopt' | 'voorbij';

/** The declared hours of an applicant: they reach the norm of the profession (`genoeg`) or not. */
export type HoursCondition = 'genoeg' | 'te-weinig';

/** What a text says about the reaction of the applicant to an intended refusal (Awb 4:7). */
export type Reactie = 'geen' | 'gegeven' | 'niet-nodig';

/** A published version never changes. */
export interface Passage {
  readonly passageId: string;
  /** Null when the passage fits every template. */
  readonly templateId: string | null;
  /** The decision that the text of the passage states; null when it states none. */
  readonly besluit: LetterBesluit | null;
  /** The outcomes that the text of the passage fits; null when it fits every decision. */
  readonly uitkomsten: readonly Uitkomst[] | null;
  /** The declared hours with which the text of the passage is right; null when they make no difference. */
  readonly uren: HoursCondition | null;
  /** When the text of the passage is right; null when the last date for renewal makes no difference. */
  readonly uhd: UhdCondition | null;
  /** What the text says about a reaction of the applicant; null when it says nothing about it. */
  readonly reactie: Reactie | null;
  /** The fact about the applicant with which the text is right, in the words of the register; null when none is needed. */
  readonly feit: string | null;
  readonly scope: PassageScope;
  readonly sectionKey: string;
  readonly label: string;
  readonly content: RichText;
  readonly version: number;
  readonly beroep: Beroep | null;
}

/**
 * A section of an approved letter. Its placeholders have become text, except those that depend on the date of sending.
 */
export interface FrozenSection {
  readonly sectionKey: string;
  readonly title: string;
  readonly content: RichText;
}

/** An approved letter in the form in which the register receives it. */
export interface Verzending {
  readonly opdrachtId: string;
  readonly referentie: string;
  /** The decision that the letter states; null when it states none. */
  readonly besluit: LetterBesluit | null;
  /** The last day on which the text is right, `YYYY-MM-DD`; null when it stays right. It is refused after that day. */
  readonly uiterlijk: string | null;
  readonly kanaal: 'berichtenbox' | 'post';
  /** What the letter asks or announces; null for a letter with a decision. */
  readonly verzoek: Verzoek | null;
  readonly sections: readonly FrozenSection[];
}

/**
 * The register's interface for letters (domain.md 3.1). Methods throw `UpstreamError` when the register gives no usable
 * answer.
 */
export interface Brieven {
  /** Returns the assignment for the current letter of a workspace, or with this id; null when there is none. */
  opdracht(which: { werkruimte: string } | { opdrachtId: string }, call: Call): Promise<Opdracht | null>;
  /** Returns the newest version of a template. Throws `UpstreamError` when the register has no such template. */
  sjabloon(templateId: string, call: Call): Promise<Sjabloon>;
  /** Returns every version of the passages for one profession, and of the passages for all professions. */
  passages(beroep: Beroep, call: Call): Promise<readonly Passage[]>;
  /**
   * Submits a letter for delivery; returns the date of acceptance (`YYYY-MM-DD`), or `refused`. With one idempotency
   * key `sleutel` the register delivers one letter. After an `UpstreamError` with `undone: false` it is unknown whether
   * it accepted the letter.
   */
  verzenden(verzending: Verzending, sleutel: string, call: Call): Promise<{ readonly op: string } | 'refused'>;
}
