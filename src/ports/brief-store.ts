import type { RichText } from '../wire/rich-text.ts';
import type { Beroep, BriefTag } from '../wire/values.ts';
import type { FrozenSection, LetterBesluit, PlaceholderDef, Verzending } from './brieven.ts';

/** One block of a section: free text, or the text of a library passage. */
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

/** The exact text that was approved. After approval, the text of a letter no longer depends on an upstream. */
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
  /** Copied from the template when the letter was created. */
  readonly placeholders: readonly PlaceholderDef[];
  readonly sections: readonly BriefSection[];
  /** Null until the first change to the draft. */
  readonly drafterId: string | null;
  readonly submittedBy: string | null;
  readonly submittedAt: string | null;
  readonly approvedBy: string | null;
  readonly approvedAt: string | null;
  readonly rejectedBy: string | null;
  readonly rejectedAt: string | null;
  readonly comments: string | null;
  readonly frozen: ApprovedLetter | null;
}

/** A letter as it is stored. */
export interface Brief extends BriefContent {
  readonly briefId: string;
  readonly workspace: string;
  /**
   * Increases by one with every change. Used for the ETag, and every update is conditional on it (optimistic locking).
   */
  readonly version: number;
  readonly tag: BriefTag;
  readonly sentAt: string | null;
  /** Token of the last send attempt that is not known to have failed; null when the letter cannot have been sent. */
  readonly sending: string | null;
}

/** The new state and content of a letter. */
export interface BriefChange {
  readonly tag: BriefTag;
  readonly content: BriefContent;
}

/**
 * Stores the letters. Each workspace has one current letter. Each method is atomic and behaves the same on every
 * database engine: conditional updates instead of locks. A letter that was sent, or may have been sent, is never
 * overwritten: it stays in the store beside the current one.
 */
export interface BriefStore {
  /** Returns the current letter of a workspace, or null when it has none. */
  current(workspace: string): Promise<Brief | null>;
  /** Creates the first letter of a workspace, as a draft. Changes nothing when the workspace has a letter already. */
  begin(workspace: string, briefId: string, content: BriefContent): Promise<void>;
  /**
   * Stores the next state of a letter. Returns false, without a change, when its version is no longer the one of
   * `seen`. The change is durable (survives a power failure) unless the new state is a draft.
   */
  change(seen: Brief, change: BriefChange): Promise<boolean>;
  /**
   * Replaces the current letter by a new draft. The draft keeps the id of the current letter, and gets the given
   * `briefId` when that letter was sent or may have been sent.
   */
  restart(workspace: string, briefId: string, content: BriefContent): Promise<void>;
  /**
   * Stores that a send attempt of an approved letter starts. Returns false when its version is no longer the one of
   * `seen`.
   */
  send(seen: Brief, token: string): Promise<boolean>;
  /** Removes the token of a send attempt that certainly failed. */
  unsend(briefId: string, token: string): Promise<void>;
  /**
   * Stores that the letter was sent, also when it is no longer the current letter. Returns false when that was stored
   * already. Durable: survives a power failure.
   */
  settle(briefId: string, at: string): Promise<boolean>;
}
