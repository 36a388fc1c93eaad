import type { RichText } from '../wire/rich-text.ts';
import type { Beroep, PassageScope } from '../wire/values.ts';
import type { Call } from './call.ts';
import type { RegisterKey } from './register.ts';

/** The case that a letter is about, and what the register asks to be written about it. Dates are `YYYY-MM-DD`. */
export interface Opdracht {
  /** The register's own key. Opaque; never leaves the service. */
  readonly opdrachtId: string;
  readonly templateId: string;
  readonly beroep: Beroep;
  /** Of the request that is decided on. */
  readonly referentie: string;
  readonly indiener: RegisterKey;
  /** The registration that the request is about. */
  readonly registratieId: string;
  readonly datumAanvraag: string;
  /** The hours that the applicant stated; null for a request that asks for none. */
  readonly urenOpgegeven: number | null;
  /** Where the register writes to someone for whom the BRP has no address; null when it knows none either. */
  readonly correspondentieadres: { readonly adresregel: string; readonly postcodeWoonplaats: string } | null;
  /** Who was asked to draft it, by the name under which they log in; null when that is whoever begins. */
  readonly opsteller: string | null;
  /** The library passages that belong to the outcome, with which a draft begins. */
  readonly passages: readonly string[];
}

/** PlaceholderDefDto: what may stand between the words of a letter. */
export interface PlaceholderDef {
  readonly key: string;
  readonly label: string;
  /** Filled by the server. */
  readonly autoResolvable: boolean;
  /** Filled by whoever drafts. */
  readonly fillable: boolean;
  /** Shown where it stands, not allowed in a letter that is submitted. */
  readonly deprecated: boolean;
}

/** What a letter may do with a placeholder. `vervallen`: nothing, because it is deprecated or nobody knows it. */
export type PlaceholderUse = 'auto' | 'fillable' | 'vervallen';

/** One version of a letter's template; what a letter began with stays its template. */
export interface Sjabloon {
  readonly templateId: string;
  readonly placeholders: readonly PlaceholderDef[];
  readonly sections: readonly {
    readonly sectionKey: string;
    readonly title: string;
    readonly required: boolean;
    readonly locked: boolean;
    /** The text that it begins with; without paragraphs for a section that the drafter writes. */
    readonly content: RichText;
  }[];
}

/** One version of a text of the library. Published versions never change. */
export interface Passage {
  readonly passageId: string;
  readonly scope: PassageScope;
  readonly sectionKey: string;
  readonly label: string;
  readonly content: RichText;
  readonly version: number;
  readonly beroep: Beroep | null;
}

/** A section as it goes out: words, marks and line breaks, no placeholder left. */
export interface FrozenSection {
  readonly sectionKey: string;
  readonly title: string;
  readonly content: RichText;
}

export interface Verzending {
  readonly referentie: string;
  readonly kanaal: 'berichtenbox' | 'post';
  readonly sections: readonly FrozenSection[];
}

/**
 * The register's letters: what to write about, from which texts, and the sending (domain.md 3.1). Who may write, and what
 * is decided about a draft, is the service's own. Every method throws `UpstreamError` and nothing else without an answer.
 */
export interface Brieven {
  /** The case of the current letter of a workspace, or the one with an id. Null: there is none. */
  opdracht(which: { werkruimte: string } | { opdrachtId: string }, call: Call): Promise<Opdracht | null>;
  /** The newest version of a template. */
  sjabloon(templateId: string, call: Call): Promise<Sjabloon>;
  /** Every version of the passages for everybody and of those for one profession. */
  passages(beroep: Beroep, call: Call): Promise<readonly Passage[]>;
  /**
   * Hands a letter over to be delivered. The same key names the same letter: it goes out once, whatever is sent again.
   * `refused`: the register will not deliver it. An `UpstreamError` that is not `undone` leaves open whether it arrived.
   */
  verzenden(verzending: Verzending, sleutel: string, call: Call): Promise<'accepted' | 'refused'>;
}
