import type { RichText } from '../wire/rich-text.ts';
import type { Beroep, BriefTag } from '../wire/values.ts';
import type { FrozenSection, PlaceholderDef, Verzending } from './brieven.ts';

export type Block = { readonly blockId: string; readonly content: RichText } & (
  | { readonly type: 'freeText' }
  | {
      readonly type: 'passage';
      readonly sourcePassageId: string;
      readonly sourceVersion: number;
      /** Whether it says anything else than that version of that passage. */
      readonly edited: boolean;
    }
);

export interface Section {
  readonly sectionKey: string;
  readonly title: string;
  readonly required: boolean;
  readonly locked: boolean;
  readonly blocks: readonly Block[];
}

/** What was approved, to the letter: from here on no source is asked what the letter says. */
export interface Frozen {
  /** What each placeholder of the server stood for. */
  readonly values: Readonly<Record<string, string | null>>;
  /** Whether the address among them may not be shown. */
  readonly geheim: boolean;
  readonly kanaal: Verzending['kanaal'];
  readonly referentie: string;
  readonly sections: readonly FrozenSection[];
}

/** What of a letter is kept as one piece. Moments are RFC 3339 in UTC; people are subjects, never numbers. */
export interface BriefContent {
  readonly opdrachtId: string;
  readonly templateId: string;
  readonly beroep: Beroep;
  /** The template's, as they were when the letter began. */
  readonly placeholders: readonly PlaceholderDef[];
  readonly sections: readonly Section[];
  /** Null until somebody has drafted anything. */
  readonly drafterId: string | null;
  readonly submittedBy: string | null;
  readonly submittedAt: string | null;
  readonly approvedBy: string | null;
  readonly approvedAt: string | null;
  readonly rejectedBy: string | null;
  readonly rejectedAt: string | null;
  readonly comments: string | null;
  readonly frozen: Frozen | null;
}

export interface Brief extends BriefContent {
  readonly briefId: string;
  readonly workspace: string;
  /** Goes up by one with every change; what an ETag is made of, and what every change is held to. */
  readonly version: number;
  readonly tag: BriefTag;
  readonly sentAt: string | null;
  /** Token of the last sending that was begun and is not known to have failed; null when nothing can be out. */
  readonly sending: string | null;
}

/** A letter's next state. */
export interface Change {
  readonly tag: BriefTag;
  readonly content: BriefContent;
}

/**
 * The letters, of which each workspace has one current. Each method is atomic and the same on every engine: conditional
 * updates instead of locks. A letter that went out, or may have, is never overwritten: it is kept beside the current one.
 */
export interface BriefStore {
  current(workspace: string): Promise<Brief | null>;
  /** The first letter of a workspace, a draft. Changes nothing where there is one. */
  begin(workspace: string, briefId: string, content: BriefContent): Promise<void>;
  /** The next state of a letter. False: it is no longer the version that the caller saw. Survives a power cut when it is no draft. */
  change(seen: Brief, change: Change): Promise<boolean>;
  /** A fresh draft instead of the current letter: under its id, or the new one when the letter may be with its reader. */
  restart(workspace: string, briefId: string, content: BriefContent): Promise<void>;
  /** Notes that an approved letter is about to go out. False: it is no longer what the caller saw. */
  send(seen: Brief, token: string): Promise<boolean>;
  /** It certainly did not go out by that sending. */
  unsend(briefId: string, token: string): Promise<void>;
  /** It went out; also when the workspace has another letter by now. False when that was known. Survives a power cut. */
  settle(briefId: string, at: string): Promise<boolean>;
}
