import type { RichText } from '../../wire/rich-text.ts';
import type { Beroep, BriefTag } from '../../wire/values.ts';
import type { FrozenSection, LetterBesluit, PlaceholderDef, Verzending } from '../brieven.ts';

/** One block of a letter's section: text that the drafter wrote, or a standard text (passage) from the library. */
export type BriefBlock = { readonly blockId: string; readonly content: RichText } & (
  | { readonly type: 'freeText' }
  | {
      readonly type: 'passage';
      readonly sourcePassageId: string;
      readonly sourceVersion: number;
      /** True when the drafter changed the text of the passage in this letter. */
      readonly edited: boolean;
      /**
       * The decision that the passage states; null when it states none. Absent in a letter that was stored before
       * passages had decisions.
       */
      readonly besluit?: LetterBesluit | null;
    }
);

/** One section of a letter, with its blocks in order. */
export interface BriefSection {
  readonly sectionKey: string;
  readonly title: string;
  readonly required: boolean;
  readonly locked: boolean;
  readonly blocks: readonly BriefBlock[];
}

/**
 * The exact text of an approved letter, and the data with which it is sent. They are stored so that later changes in an
 * upstream do not change the letter.
 */
export interface ApprovedLetter {
  /**
   * The text of each placeholder that the server fills, keyed by placeholder key. Null for a placeholder without a
   * value, and for a placeholder whose text depends on the date of sending.
   */
  readonly values: Readonly<Record<string, string | null>>;
  /**
   * True when the addressee's data were secret (geheim) in the BRP at the approval, so that no answer may show the
   * address.
   */
  readonly geheim: boolean;
  readonly kanaal: Verzending['kanaal'];
  readonly referentie: string;
  /**
   * The decision that the letter states; null when it states none. Absent in a letter that was approved before letters
   * had decisions.
   */
  readonly besluit?: LetterBesluit | null;
  /**
   * The sections of the letter. Texts have replaced all placeholders, except those that depend on the date of sending.
   */
  readonly sections: readonly FrozenSection[];
}

/**
 * The part of a letter that is stored as one JSON value. Timestamps are RFC 3339 in UTC. People are identified by their
 * subject (`Caller.subject`), never by a burgerservicenummer.
 */
export interface BriefContent {
  readonly opdrachtId: string;
  readonly templateId: string;
  readonly beroep: Beroep;
  /** Definitions of the placeholders, copied from the template when the letter was created. */
  readonly placeholders: readonly PlaceholderDef[];
  readonly sections: readonly BriefSection[];
  /**
   * The person who drafts the letter: the person that the register named, or else the first who saved the letter; null
   * until then.
   */
  readonly drafterId: string | null;
  /**
   * Everybody who saved the letter since it was created or reset, each once. None of them may approve the letter
   * (four-eyes principle, domain.md 4.8).
   */
  readonly savedBy: readonly string[];
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
   * Increases by one when the content or the state changes, not when only `sending` changes. Together with the id it is
   * the ETag of the letter. An update is made only when the version has not changed since it was read (optimistic
   * locking).
   */
  readonly version: number;
  readonly tag: BriefTag;
  readonly sentAt: string | null;
  /**
   * Token of the last attempt to send the letter that succeeded or may have succeeded; null when there was no such
   * attempt.
   */
  readonly sending: string | null;
}

/** The new state and the complete new content of a letter. */
export interface BriefChange {
  readonly tag: BriefTag;
  readonly content: BriefContent;
}

/**
 * The store of the letters. Each workspace has one current letter. Changes are conditional updates without locks, so
 * that two processes never overwrite each other's changes; only `restart` without `seen` replaces any version. Each
 * method has the same effect on every database engine. A letter that was sent, or may have been sent, is never overwritten: it stays
 * in the store next to the current letter.
 */
export interface BriefStore {
  /** Returns the current letter of a workspace, or null when it has none. */
  current(workspace: string): Promise<Brief | null>;
  /**
   * Creates the first letter of a workspace, as a draft with the id `briefId`. Changes nothing when the workspace
   * already has a letter.
   */
  begin(workspace: string, briefId: string, content: BriefContent): Promise<void>;
  /**
   * Stores the next state and content of a letter. `seen` is the letter as the caller read it. Returns false, and
   * changes nothing, when the store has another version than `seen`, or when the letter is no longer the current one.
   * The change survives a power failure, unless the new state is a draft.
   */
  change(seen: Brief, change: BriefChange): Promise<boolean>;
  /**
   * Replaces the current letter of a workspace with a new draft, and returns true. The draft keeps the id of the current
   * letter. In two cases it gets the id `briefId` instead: when the workspace has no letter, and when the current letter
   * was sent or may have been sent, because that letter then stays in the store.
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
   * Stores the token of an attempt to send an approved letter, before that attempt. `seen` is the letter as the caller
   * read it. Returns false, and changes nothing, when the store has another version or another `sending` than `seen`,
   * or when the letter is not approved or not the current one.
   */
  send(seen: Brief, token: string): Promise<boolean>;
  /**
   * Removes the token of an attempt to send the letter, because that attempt certainly failed. Changes nothing when the
   * letter has another token or is not approved.
   */
  unsend(briefId: string, token: string): Promise<void>;
  /**
   * Sets an approved letter to sent at time `at` (RFC 3339 in UTC), even when the letter is not the current one any
   * more. Returns false, and changes nothing, when the letter is not approved, for example because it was sent already.
   * The change survives a power failure.
   */
  settle(briefId: string, at: string): Promise<boolean>;
}
