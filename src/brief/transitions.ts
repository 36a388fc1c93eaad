import type { CallerGroup } from '../auth/policy.ts';
import { rule } from '../domain/rule.ts';
import type { Brief, BriefContent } from '../ports/store/brief-store.ts';
import { Problem } from '../problem.ts';
import type { ProblemCode } from '../problem-codes.ts';
import { BRIEF_TAGS, type BriefTag } from '../wire/values.ts';

/** An action on a letter: when it is possible, who may do it, and with which problem codes it can be refused. */
interface Transition {
  readonly from: readonly BriefTag[];
  readonly to: BriefTag;
  readonly who: CallerGroup;
  /** True when a person who drafted, saved or submitted the letter may not do the action. */
  readonly fourEyes: boolean;
  /** Problem codes with which the action can be refused, in the order of the checks. */
  readonly refusals: readonly ProblemCode[];
}

/** The actions on a letter (domain.md 4.8). */
export const TRANSITIONS = {
  save: {
    from: ['draft', 'rejected'],
    to: 'draft',
    who: 'letterDrafter',
    fourEyes: false,
    refusals: ['ongeldig-verzoek', 'brief-status', 'sectie-vergrendeld', 'versie-verouderd'],
  },
  submit: {
    from: ['draft', 'rejected'],
    to: 'submitted',
    who: 'letterDrafter',
    fourEyes: false,
    refusals: [
      'brief-status',
      'sectie-onvolledig',
      'plaatshouder-open',
      'plaatshouder-vervallen',
      'besluit-tegenstrijdig',
      'besluit-ongegrond',
      'versie-verouderd',
    ],
  },
  approve: {
    from: ['submitted'],
    to: 'approved',
    who: 'letterApprover',
    fourEyes: true,
    refusals: [
      'vier-ogen',
      'brief-status',
      'plaatshouder-open',
      'besluit-tegenstrijdig',
      'besluit-ongegrond',
      'versie-verouderd',
    ],
  },
  reject: {
    from: ['submitted'],
    to: 'rejected',
    who: 'letterApprover',
    fourEyes: true,
    refusals: ['vier-ogen', 'ongeldig-verzoek', 'brief-status', 'versie-verouderd'],
  },
  send: {
    from: ['approved'],
    to: 'sent',
    who: 'letter',
    fourEyes: false,
    refusals: ['brief-status', 'versie-verouderd', 'verzending-geweigerd'],
  },
  reset: {
    from: BRIEF_TAGS,
    to: 'draft',
    who: 'letter',
    fourEyes: false,
    refusals: ['versie-verouderd'],
  },
} as const satisfies Record<string, Transition>;

/** An action on a letter, for example `submit`. */
export type Action = keyof typeof TRANSITIONS;

/** Each status of a letter as the end of a Dutch sentence: "De brief is …". */
const FASE: Readonly<Record<BriefTag, string>> = {
  draft: 'nog een concept',
  submitted: 'ter beoordeling voorgelegd',
  approved: 'goedgekeurd',
  rejected: 'afgekeurd',
  sent: 'verzonden',
};

interface FourEyesFacts {
  readonly action: Action;
  readonly subject: string;
  readonly drafterId: string | null;
  /** The ids (`Caller.subject`) of everybody who saved the letter since its last reset. */
  readonly savedBy: readonly string[];
  /**
   * The ids of everybody who submitted the letter since its last reset; without the last of them when an older version of
   * the service stored the letter.
   */
  readonly submitters: readonly string[];
  readonly submittedBy: string | null;
}

/**
 * Throws 403 `vier-ogen` when the caller wants to approve or reject a letter that they drafted, saved or submitted
 * (domain 4.8).
 */
export const demandFourEyes = rule(
  'domain 4.8',
  function demandFourEyes({ action, subject, drafterId, savedBy, submitters, submittedBy }: FourEyesFacts): void {
    if (!TRANSITIONS[action].fourEyes || ![drafterId, ...savedBy, ...submitters, submittedBy].includes(subject)) return;
    throw new Problem(
      'vier-ogen',
      'U hebt deze brief zelf geschreven of voorgelegd. Iemand anders moet hem beoordelen.',
    );
  },
);

/** Throws 409 `brief-status` when an action is not possible for a letter with the status `tag` (domain 4.8). */
export const demandStatus = rule(
  'domain 4.8',
  function demandStatus({ action, tag }: { action: Action; tag: BriefTag }): void {
    const from: readonly BriefTag[] = TRANSITIONS[action].from;
    if (from.includes(tag)) return;
    const where = from.map((status) => FASE[status]).join(' of ');
    throw new Problem('brief-status', `De brief is ${FASE[tag]}; dit kan alleen als hij ${where} is.`);
  },
  { facts: ({ action, tag }) => ({ action, tag, from: TRANSITIONS[action].from, to: TRANSITIONS[action].to }) },
);

/**
 * Returns the content of a letter after an action, which records the person who did it.
 *
 * @param subject - the person who does the action (`Caller.subject`)
 * @param at - time of the action, RFC 3339 in UTC; not used by `save`
 * @param comments - the comments of a rejection; not used by other actions
 */
export function contentAfter(
  action: 'save' | 'submit' | 'approve' | 'reject',
  brief: Brief,
  { subject, at, comments = null }: { subject: string; at: string; comments?: string | null },
): BriefContent {
  const { briefId, workspace, version, tag, sentAt, sending, ...content } = brief;
  switch (action) {
    case 'save':
      return {
        ...content,
        drafterId: content.drafterId ?? subject,
        savedBy: [...new Set([...content.savedBy, subject])],
      };
    case 'submit': {
      // An older version of the service stored only the last submitter.
      const earlier = content.submittedBy === null ? [] : [content.submittedBy];
      return {
        ...content,
        submitters: [...new Set([...content.submitters, ...earlier, subject])],
        submittedBy: subject,
        submittedAt: at,
        comments: null,
      };
    }
    case 'approve':
      return { ...content, approvedBy: subject, approvedAt: at };
    case 'reject':
      return { ...content, rejectedBy: subject, rejectedAt: at, comments };
  }
}
