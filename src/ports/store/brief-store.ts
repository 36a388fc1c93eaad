import type { RichText } from '../../wire/rich-text.ts';
import type { Beroep, BriefTag, Uitkomst } from '../../wire/values.ts';
import type {
  FrozenSection,
  HoursCondition,
  LetterBesluit,
  PlaceholderDef,
  Reactie,
  UhdCondition,
  Verzending,
  Verzoek,
} from '../brieven.ts';

/** One block of text in a letter's section: written by a drafter, or a standard text (passage) of the library. */
export type BriefBlock = { readonly blockId: string; readonly content: RichText } & (
  | { readonly type: 'freeText' }
  | {
      readonly type: 'passage';
      readonly sourcePassageId: string;
      readonly sourceVersion: number;
      /** Name of the passage in the library. Absent in letters from before this was stored. */
      readonly label?: string;
      /** True when a drafter changed the text of the passage in this letter. */
      readonly edited: boolean;
      /** Null when the passage states none. Absent in letters from before passages had decisions. */
      readonly besluit?: LetterBesluit | null;
      /** Null when the passage fits every decision. Absent in letters from before passages had outcomes. */
      readonly uitkomsten?: readonly Uitkomst[] | null;
      /** Null when the hours make no difference. Absent in letters from before passages had this. */
      readonly uren?: HoursCondition | null;
      /** Null when the UHD makes no difference. Absent in letters from before passages had this. */
      readonly uhd?: UhdCondition | null;
      /** What the passage says about a reaction of the applicant. Absent in letters from before passages had this. */
      readonly reactie?: Reactie | null;
      /** Null when no fact about the applicant is needed. Absent in letters from before passages had this. */
      readonly feit?: string | null;
    }
);

/** A section of a letter. A locked one cannot be changed by a drafter (domain.md 4.8). */
export interface BriefSection {
  readonly sectionKey: string;
  readonly title: string;
  readonly required: boolean;
  readonly locked: boolean;
  readonly blocks: readonly BriefBlock[];
}

/**
 * The text of an approved letter and the data with which it is sent, so that later changes elsewhere do not change it.
 */
export interface ApprovedLetter {
  /** The text of each placeholder that the server fills, keyed by placeholder; null when it has no text yet. */
  readonly values: Readonly<Record<string, string | null>>;
  /** The addressee's data were secret (geheim) in the BRP at the approval. Then no answer may show the address. */
  readonly geheim: boolean;
  readonly kanaal: Verzending['kanaal'];
  readonly referentie: string;
  /** Null when the letter states none. Absent in letters from before letters had decisions. */
  readonly besluit?: LetterBesluit | null;
  /** The last day on which the text is right; null when it stays right. Absent in letters from before this was stored. */
  readonly uiterlijk?: string | null;
  /**
   * `reactieTot` is null when it follows from the date of sending. Null for a letter with a decision, absent in letters
   * from before this was stored.
   */
  readonly verzoek?: (Omit<Verzoek, 'reactieTot'> & { readonly reactieTot: string | null }) | null;
  readonly sections: readonly FrozenSection[];
}

/**
 * Stored as one JSON value. Timestamps are RFC 3339 in UTC. Persons are identified by `Caller.subject`, except a
 * drafter whom the register names.
 */
export interface BriefContent {
  readonly opdrachtId: string;
  readonly templateId: string;
  readonly beroep: Beroep;
  /** Definitions of the placeholders, copied from the template when the letter was created. */
  readonly placeholders: readonly PlaceholderDef[];
  readonly sections: readonly BriefSection[];
  /** The drafter who last reset the letter, else whom the register names, else the first who saved it; else null. */
  readonly drafterId: string | null;
  /**
   * Everybody who saved the letter since it was created or reset. None of them may approve it (four-eyes, domain.md
   * 4.8).
   */
  readonly savedBy: readonly string[];
  /** Everybody who submitted the letter since it was created or reset; as `savedBy`, none of them may approve it. */
  readonly submitters: readonly string[];
  readonly submittedBy: string | null;
  readonly submittedAt: string | null;
  readonly approvedBy: string | null;
  readonly approvedAt: string | null;
  readonly rejectedBy: string | null;
  readonly rejectedAt: string | null;
  readonly comments: string | null;
  readonly frozen: ApprovedLetter | null;
}

/** A letter in the store. */
export interface Brief extends BriefContent {
  readonly briefId: string;
  readonly workspace: string;
  /**
   * Increases by one when the content or the state changes, not when only `sending` changes. It is part of the ETag.
   */
  readonly version: number;
  readonly tag: BriefTag;
  readonly sentAt: string | null;
  /** Token of the last attempt to send the letter that succeeded or may have succeeded; null when there was none. */
  readonly sending: string | null;
}

/** What a change stores; everything else of the letter stays. */
export interface BriefChange {
  readonly tag: BriefTag;
  readonly content: BriefContent;
}

/**
 * A workspace has at most one current letter. A letter that was or may have been sent is never overwritten by another.
 */
export interface BriefStore {
  /** Returns the current letter of a workspace; null when there is none. */
  current(workspace: string): Promise<Brief | null>;
  /** Creates a draft letter with the id `briefId`. Does nothing when the workspace already has a letter. */
  begin(workspace: string, briefId: string, content: BriefContent): Promise<void>;
  /**
   * Returns false, and changes nothing, when the letter is no longer the version in `seen` or no longer the current
   * one. The change survives a power failure, unless the new state is `draft`.
   */
  change(seen: Brief, change: BriefChange): Promise<boolean>;
  /**
   * Replaces the current letter with a new draft, and returns true. The draft keeps the id of the replaced letter. It
   * gets the id `briefId` when there was none, or when that letter was or may have been sent, because then it stays in
   * the store.
   *
   * @param seen - the letter as the caller read it: returns false, and replaces nothing, when the current letter is
   * another one or has another version. Without it, any version is replaced
   */
  restart(
    workspace: string,
    briefId: string,
    content: BriefContent,
    seen?: Pick<Brief, 'briefId' | 'version'>,
  ): Promise<boolean>;
  /**
   * Stores the token before an attempt to send an approved letter. Returns false, and changes nothing, when the letter
   * has changed since the caller read `seen`, or is not the current one.
   */
  send(seen: Brief, token: string): Promise<boolean>;
  /** Removes the token of an attempt that certainly failed. Does nothing when the letter has another one. */
  unsend(briefId: string, token: string): Promise<void>;
  /**
   * Sets an approved letter to sent at time `at` (RFC 3339 in UTC). Returns false when the letter is not approved, for
   * example because it was sent already. The change survives a power failure.
   */
  settle(briefId: string, at: string): Promise<boolean>;
}

/** The version alone would not do, because each new letter starts at version 1. */
export const etagOf = ({ briefId, version }: { readonly briefId: string; readonly version: number }): string =>
  `"${briefId}.${version}"`;
