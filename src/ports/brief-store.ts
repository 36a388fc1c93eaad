import type { RichText } from '../wire/rich-text.ts';
import type { Beroep, BriefTag } from '../wire/values.ts';
import type { FrozenSection, LetterBesluit, PlaceholderDef, Verzending } from './brieven.ts';

/** One block of a letter's section: text that the drafter wrote, or a standard text (passage) from the library. */
export type BriefBlock = { readonly blockId: string; readonly content: RichText } & (
  | { readonly type: 'freeText' }
  | {
      readonly type: 'passage';
      readonly sourcePassageId: string;
      readonly sourceVersion: number;
      /** True when the content differs from that version of the passage. */
      readonly edited: boolean;
      /**
       * Decision that the passage takes; null when it takes none. Absent in a letter that was stored before passages
       * had one.
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

/** The exact text of an approved letter. It is stored so that later changes in an upstream do not change the letter. */
export interface ApprovedLetter {
  /**
   * Text of each placeholder that the server fills, by placeholder key; null when it had no value, and for those that
   * follow from the date of sending.
   */
  readonly values: Readonly<Record<string, string | null>>;
  /** True when the addressee's data are confidential and the address may not be shown. */
  readonly geheim: boolean;
  readonly kanaal: Verzending['kanaal'];
  readonly referentie: string;
  /** The decision that the letter takes. Absent in a letter that was approved before letters had one. */
  readonly besluit?: LetterBesluit | null;
  /** Without placeholders, but for those that follow from the date of sending. */
  readonly sections: readonly FrozenSection[];
}

/**
 * The part of a letter that is stored as one JSON value. Timestamps are RFC 3339 in UTC. People are token subjects,
 * never a burgerservicenummer.
 */
export interface BriefContent {
  readonly opdrachtId: string;
  readonly templateId: string;
  readonly beroep: Beroep;
  /** Definitions of the placeholders, copied from the template when the letter was created. */
  readonly placeholders: readonly PlaceholderDef[];
  readonly sections: readonly BriefSection[];
  /** The person who drafts the letter; null until the first change to the draft. */
  readonly drafterId: string | null;
  /** Everyone who saved the letter since it was begun or reset, each once. Four-eyes counts them (domain.md 4.8). */
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
   * Increases by one with every change. Used for the ETag, and every update is conditional on it (optimistic locking).
   */
  readonly version: number;
  readonly tag: BriefTag;
  readonly sentAt: string | null;
  /**
   * Token of the last attempt to send the letter that may have succeeded; null when the letter was certainly not sent.
   */
  readonly sending: string | null;
}

/** The new state and the complete new content of a letter. */
export interface BriefChange {
  readonly tag: BriefTag;
  readonly content: BriefContent;
}

/**
 * The store of the letters. Each workspace has one current letter. Each method is atomic and behaves the same on every
 * database engine: conditional updates instead of locks. A letter that was sent, or may have been sent, is never
 * overwritten: it stays in the store beside the current one.
 */
export interface BriefStore {
  /** Returns the current letter of a workspace, or null when it has none. */
  current(workspace: string): Promise<Brief | null>;
  /** Creates the first letter of a workspace as a draft. Changes nothing when the workspace has a letter. */
  begin(workspace: string, briefId: string, content: BriefContent): Promise<void>;
  /**
   * Stores a letter's next state and content. Returns false, and changes nothing, when the stored version differs from
   * the version of `seen`. The change is durable (survives a power failure) unless the new state is a draft.
   */
  change(seen: Brief, change: BriefChange): Promise<boolean>;
  /**
   * Replaces the current letter by a new draft. The draft keeps the id of the current letter, and gets the given
   * `briefId` when that letter was sent or may have been sent.
   */
  restart(workspace: string, briefId: string, content: BriefContent): Promise<void>;
  /**
   * Stores the token of an attempt to send an approved letter, before that attempt. Returns false, and changes nothing,
   * when the stored version differs from the version of `seen`.
   */
  send(seen: Brief, token: string): Promise<boolean>;
  /** Removes the token of an attempt to send the letter that certainly failed. */
  unsend(briefId: string, token: string): Promise<void>;
  /**
   * Sets a letter to sent at time `at` (RFC 3339 in UTC), also when it is no longer the current letter. Returns false
   * when it was set to sent before. The change is durable: it survives a power failure.
   */
  settle(briefId: string, at: string): Promise<boolean>;
}
