import type { WhomOf } from '../auth/policy.ts';
import { rule } from '../domain/rule.ts';
import type { Brief, BriefContent } from '../ports/brief-store.ts';
import { Problem, type ProblemCode } from '../problem.ts';
import { BRIEF_TAGS, type BriefTag } from '../wire/values.ts';

interface Transition {
  readonly from: readonly BriefTag[];
  readonly to: BriefTag;
  /** As `auth/policy.ts` has it; the role is judged there, before anything is read. */
  readonly who: WhomOf<'saveBrief' | 'briefSubmit' | 'briefApprove' | 'briefReject' | 'briefSend' | 'briefReset'>;
  /** Not by whoever drafted or submitted the letter, whatever their role. */
  readonly fourEyes: boolean;
  /** What it is refused with beside the role, in the order in which it is judged. */
  readonly refusals: readonly ProblemCode[];
}

/**
 * The life of a letter (domain.md 4.8). What is not in `from` is 409 `brief-status`, and 403 goes before 409: four eyes are
 * counted in every state over everybody whom the letter has on record by then. A judge of their own letter hears so in a
 * draft as well as after it was sent.
 */
export const TRANSITIONS = {
  save: {
    from: ['draft', 'rejected'],
    to: 'draft',
    who: 'letterDrafter' satisfies WhomOf<'saveBrief'>,
    fourEyes: false,
    refusals: ['ongeldig-verzoek', 'brief-status', 'sectie-vergrendeld', 'versie-verouderd'],
  },
  submit: {
    from: ['draft', 'rejected'],
    to: 'submitted',
    who: 'letterDrafter' satisfies WhomOf<'briefSubmit'>,
    fourEyes: false,
    refusals: ['brief-status', 'sectie-onvolledig', 'plaatshouder-open', 'plaatshouder-vervallen', 'versie-verouderd'],
  },
  approve: {
    from: ['submitted'],
    to: 'approved',
    who: 'letterApprover' satisfies WhomOf<'briefApprove'>,
    fourEyes: true,
    refusals: ['vier-ogen', 'brief-status', 'plaatshouder-open', 'versie-verouderd'],
  },
  reject: {
    from: ['submitted'],
    to: 'rejected',
    who: 'letterApprover' satisfies WhomOf<'briefReject'>,
    fourEyes: true,
    refusals: ['vier-ogen', 'ongeldig-verzoek', 'brief-status', 'versie-verouderd'],
  },
  send: {
    from: ['approved'],
    to: 'sent',
    who: 'letter' satisfies WhomOf<'briefSend'>,
    fourEyes: false,
    refusals: ['brief-status', 'versie-verouderd', 'verzending-geweigerd'],
  },
  reset: {
    from: BRIEF_TAGS,
    to: 'draft',
    who: 'letter' satisfies WhomOf<'briefReset'>,
    fourEyes: false,
    refusals: ['versie-verouderd'],
  },
} as const satisfies Record<string, Transition>;

export type Action = keyof typeof TRANSITIONS;

const FASE: Readonly<Record<BriefTag, string>> = {
  draft: 'nog een concept',
  submitted: 'ter beoordeling voorgelegd',
  approved: 'goedgekeurd',
  rejected: 'afgekeurd',
  sent: 'verzonden',
};

/** What decides whether somebody may judge a letter. */
interface FourEyesFacts {
  readonly action: Action;
  /** The subject of the caller. */
  readonly subject: string;
  readonly drafterId: string | null;
  readonly submittedBy: string | null;
}

/** Throws 403 `vier-ogen` when the drafter or the submitter of a letter would approve or reject it (domain 4.8). */
export const demandFourEyes = rule(
  'domain 4.8',
  function demandFourEyes({ action, subject, drafterId, submittedBy }: FourEyesFacts): void {
    if (!TRANSITIONS[action].fourEyes || (drafterId !== subject && submittedBy !== subject)) return;
    throw new Problem('vier-ogen', 'Dit is uw eigen brief. Iemand anders moet hem beoordelen.');
  },
);

/** Throws 409 `brief-status` when the action does not start from the present state of the letter. */
export const demandStatus = rule(
  'domain 4.8',
  function demandStatus({ action, tag }: { action: Action; tag: BriefTag }): void {
    const from: readonly BriefTag[] = TRANSITIONS[action].from;
    if (from.includes(tag)) return;
    const where = from.map((one) => FASE[one]).join(' of ');
    throw new Problem('brief-status', `De brief is ${FASE[tag]}; dit kan alleen als hij ${where} is.`);
  },
  { facts: ({ action, tag }) => ({ action, tag, from: TRANSITIONS[action].from, to: TRANSITIONS[action].to }) },
);

/** Who did it and when, as the status of the letter tells it: filled as it goes, and comments gone once they are answered. */
export function record(
  action: 'save' | 'submit' | 'approve' | 'reject',
  brief: Brief,
  { subject, at, comments = null }: { subject: string; at: string; comments?: string | null },
): BriefContent {
  const { briefId, workspace, version, tag, sentAt, sending, ...content } = brief;
  switch (action) {
    case 'save':
      return { ...content, drafterId: content.drafterId ?? subject };
    case 'submit':
      return { ...content, submittedBy: subject, submittedAt: at, comments: null };
    case 'approve':
      return { ...content, approvedBy: subject, approvedAt: at };
    case 'reject':
      return { ...content, rejectedBy: subject, rejectedAt: at, comments };
  }
}
