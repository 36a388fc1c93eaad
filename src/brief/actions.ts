import { randomUUID } from 'node:crypto';
import type { Caller } from '../auth/identity.ts';
import type { CallerGroup } from '../auth/policy.ts';
import { decide, findFaults, type OnDecision, type Rule, refuse, rule } from '../domain/rule.ts';
import { lastUnconsideredDay } from '../domain/workdays.ts';
import type { Answer } from '../http/exchange.ts';
import type { Request } from '../http/operation/operation.ts';
import { ifMatchTags, isExcluded } from '../http/request/parameters.ts';
import { type Call, isOutcomeUnknown, UpstreamError } from '../ports/call.ts';
import { dateOf } from '../ports/clock.ts';
import { type Brief, type BriefContent, etagOf } from '../ports/store/brief-store.ts';
import { type FieldFault, NO_VERSION_FITS, Problem } from '../problem.ts';
import type { ProblemCode } from '../problem-codes.ts';
import { longDate } from '../wire/dates.ts';
import { hasAllowedCharacters } from '../wire/rich-text.ts';
import { BRIEF_TAGS, type BriefTag, type Uitkomst } from '../wire/values.ts';
import { briefAnswer } from './answer.ts';
import { besluitOf, checkBesluit, checkGrounds, checkUhd, lastDayOf, verzoekOf } from './besluit.ts';
import { offeredPassages } from './current.ts';
import {
  AANVULLING,
  type BriefDeps,
  datesOfSending,
  type LetterSources,
  type LetterValues,
  lastSent,
  type Placeholders,
  placeholdersOf,
  reactieTotOf,
  SENDING_DATE_KEYS,
} from './placeholders.ts';
import { BRIEF_CONFLICTS, briefConflict, type checkComplete, dateSections, freeze, isBlank } from './rules.ts';

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
    refusals: ['brief-status', ...BRIEF_CONFLICTS, 'versie-verouderd'],
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
  reset: { from: BRIEF_TAGS, to: 'draft', who: 'letter', fourEyes: false, refusals: ['versie-verouderd'] },
} as const satisfies Record<string, Transition>;

export type Action = keyof typeof TRANSITIONS;

// As the end of a sentence: "De brief is …".
const FASE: Readonly<Record<BriefTag, string>> = {
  draft: 'nog een concept',
  submitted: 'ter beoordeling voorgelegd',
  approved: 'goedgekeurd',
  rejected: 'afgekeurd',
  sent: 'verzonden',
};

// `submitters` lacks the last of them when an older version of the service stored the letter.
interface FourEyesFacts extends Pick<Brief, 'drafterId' | 'savedBy' | 'submitters' | 'submittedBy'> {
  readonly action: Action;
  readonly subject: string;
}

/**
 * Throws 403 `vier-ogen` when the caller wants to approve or reject a letter that they drafted, saved or submitted
 * (domain.md 4.8).
 */
export const demandFourEyes = rule(
  'domain.md 4.8',
  function demandFourEyes({ action, subject, drafterId, savedBy, submitters, submittedBy }: FourEyesFacts): void {
    if (!TRANSITIONS[action].fourEyes || ![drafterId, ...savedBy, ...submitters, submittedBy].includes(subject)) return;
    throw new Problem('vier-ogen', 'U hebt deze brief zelf geschreven of voorgelegd.');
  },
);

/** Throws 409 `brief-status` when an action is not possible for a letter with the status `tag` (domain.md 4.8). */
export const demandStatus = rule(
  'domain.md 4.8',
  function demandStatus({ action, tag }: { action: Action; tag: BriefTag }): void {
    const from: readonly BriefTag[] = TRANSITIONS[action].from;
    if (from.includes(tag)) return;
    if (TRANSITIONS[action].to === tag)
      throw new Problem('brief-status', {
        detail: `De brief is al ${FASE[tag]}.`,
        english: `The letter is ${tag} already.`,
      });
    const where = from.map((status) => FASE[status]).join(' of ');
    throw new Problem('brief-status', {
      detail: `De brief is ${FASE[tag]}; dit kan alleen als hij ${where} is.`,
      english: `The letter is ${tag}; this is possible only when it is ${from.join(' or ')}.`,
    });
  },
  { facts: ({ action, tag }) => ({ action, tag, from: TRANSITIONS[action].from, to: TRANSITIONS[action].to }) },
);

/**
 * @param at - time of the action, RFC 3339 in UTC; not used by `save`
 *
 * @param comments - of a rejection
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

/** Throws as `demandFourEyes` does, for a letter that can have former ids of the caller. */
export function demandOtherEyes(
  { caller, onDecision }: Pick<Request<Caller>, 'caller' | 'onDecision'>,
  action: Action,
  brief: Brief,
): void {
  const { subject, otherSubjects = [] } = caller;
  // Another instance may have stored a former id of this caller, and the register knows another id than the service.
  const toCurrent = <Author extends string | null>(author: Author) =>
    otherSubjects.some((other) => other === author) ? subject : author;
  decide(onDecision, demandFourEyes, {
    action,
    subject,
    drafterId: toCurrent(brief.drafterId),
    savedBy: brief.savedBy.map(toCurrent),
    submitters: brief.submitters.map(toCurrent),
    submittedBy: toCurrent(brief.submittedBy),
  });
}

/**
 * Throws 409 with all faults of a letter together: those that `checkText` finds, a contradiction with the decision on its
 * case, a text about the last date for renewal (UHD) that is not right today, and what it says that did not happen.
 */
export function demandRight(
  { today, onDecision }: Pick<Request, 'today' | 'onDecision'>,
  checkText: typeof checkComplete,
  brief: Brief,
  { values, passages: library }: LetterSources,
): void {
  const { facts } = values;
  const passages = offeredPassages(library, brief);
  const find = <Facts>(check: Rule<Facts, FieldFault[]>, of: Facts) => findFaults(onDecision, check, of, briefConflict);
  const [first, ...others] = [
    ...find(checkText, { brief, placeholders: placeholdersOf(brief, values) }),
    ...find(checkBesluit, { brief, decided: facts?.opdracht.besluit ?? null, today }),
    ...find(checkUhd, { brief, registratie: facts?.registratie ?? null, today, passages }),
    ...(facts === null ? [] : find(checkGrounds, { brief, opdracht: facts.opdracht, today, passages })),
  ];
  if (first !== undefined) throw briefConflict([first, ...others]);
}

interface VersionFacts {
  readonly expected: readonly string[] | null;
  /** ETag of the stored letter; null when there is no letter any more. */
  readonly found: string | null;
}

const demandBriefEtag = rule('RFC 9110, 13.1', function demandBriefEtag({ expected, found }: VersionFacts): void {
  if (expected === null || (found !== null && expected.includes(found))) return;
  const detail = 'Iemand heeft de brief intussen gewijzigd. Lees hem opnieuw.';
  throw new Problem('versie-verouderd', expected.length === 0 ? NO_VERSION_FITS : detail);
});

/**
 * Throws 412 `versie-verouderd` when the request has an `If-Match` header that does not contain the letter's ETag, or an
 * `If-None-Match` that does. Call it after the other checks (RFC 9110, 13.2.1).
 */
export function demandBriefVersion(
  { onDecision, http }: Pick<Request, 'onDecision' | 'http'>,
  brief: Brief | null,
): void {
  const found = brief && etagOf(brief);
  const expected = found !== null && isExcluded(http, found) ? [] : (ifMatchTags(http) ?? null);
  decide(onDecision, demandBriefEtag, { expected, found });
}

// In code points.
const MAX_COMMENTS_LENGTH = 4_000;

/** Throws 400 `ongeldig-verzoek` when they are blank, too long, or contain forbidden characters. */
export function readComments(sent: string | null): string {
  const comments = sent?.trim() ?? '';
  const blank = isBlank(comments);
  if (!blank && [...comments].length <= MAX_COMMENTS_LENGTH && hasAllowedCharacters(comments.replace(/[\t\r\n]/g, '')))
    return comments;
  const code = blank ? 'ontbreekt' : 'ongeldige-waarde';
  const errors = [{ pointer: '/comments', code, ...NO_COMMENTS } as const];
  throw new Problem('ongeldig-verzoek', NO_COMMENTS, { errors });
}

const NO_COMMENTS = {
  detail: 'Schrijf wat er anders moet, in ten hoogste 4.000 tekens en zonder stuurtekens.',
  english: 'Write what must be different, in at most 4000 characters and without control characters.',
};

/**
 * Returns the text of a letter and the data with which it is sent, in the form that is stored at its approval. Values
 * that depend on the date of sending are null. Throws an `Error` for a letter that is already approved.
 */
export function frozenContent(
  brief: Brief,
  { values, geheim, facts }: LetterValues,
  placeholders: Placeholders,
): NonNullable<Brief['frozen']> {
  if (facts === null) throw new Error('a letter has frozen values before it is approved');
  const { indiener, referentie } = facts.opdracht;
  const besluit = besluitOf(brief);
  const asked = besluit?.uitkomst === 'buiten-behandeling' ? lastSent(facts.opdracht, AANVULLING) : undefined;
  const days = [lastDayOf(brief, facts.registratie), asked && lastUnconsideredDay(asked.reactieTot)].filter(
    (day) => day != null,
  );
  return {
    values: { ...values, ...Object.fromEntries([...SENDING_DATE_KEYS].map((key) => [key, null])) },
    geheim,
    // The berichtenbox needs a burgerservicenummer; a person without one gets the letter by post.
    kanaal: 'bsn' in indiener ? 'berichtenbox' : 'post',
    referentie,
    besluit,
    uiterlijk: days.sort()[0] ?? null,
    verzoek: verzoekOf(brief) ?? null,
    sections: freeze(brief, placeholders),
  };
}

/**
 * Sends an approved letter through the register, and returns the time of sending (RFC 3339 in UTC). A retry does not
 * send the letter twice. Throws 409 when the register refuses or another request changed the letter, 504 `bron-te-laat`
 * when the outcome is unknown, and otherwise the error of the call.
 */
export async function sendBrief(
  { brieven, briefStore }: BriefDeps,
  brief: Brief,
  now: Date,
  { call, onDecision }: { readonly call: Call; readonly onDecision: OnDecision | undefined },
): Promise<string> {
  const { briefId, opdrachtId, version, frozen } = brief;
  if (frozen === null) throw new Error('an approved letter has no frozen values');
  const { referentie, kanaal, besluit = null, uiterlijk = null } = frozen;
  const token = randomUUID();
  if (!(await briefStore.send(brief, token))) refuseOvertaken(onDecision, brief);
  let outcome: { readonly op: string } | 'refused';
  try {
    const day = dateOf(now);
    const sections = dateSections(frozen.sections, datesOfSending(day));
    const verzoek = frozen.verzoek
      ? { ...frozen.verzoek, reactieTot: frozen.verzoek.reactieTot ?? reactieTotOf(day) }
      : null;
    outcome = await brieven.verzenden(
      { opdrachtId, referentie, kanaal, besluit, uiterlijk, verzoek, sections },
      `brief-${briefId}-${version}`,
      call,
    );
  } catch (error) {
    // `brief.sending` is set when an earlier attempt got no answer. The earlier attempt may have arrived, even when this
    // one failed.
    if (brief.sending === null && error instanceof UpstreamError && error.undone)
      await briefStore.unsend(briefId, token);
    throw isOutcomeUnknown(error)
      ? new Problem('bron-te-laat', UNCERTAIN, { members: { bron: 'register' }, cause: error })
      : error;
  }
  // This attempt was refused. With `brief.sending` set, an earlier one may have arrived.
  if (outcome === 'refused' && brief.sending === null) await briefStore.unsend(briefId, token);
  const uitkomst = besluit?.uitkomst ?? null;
  const register = outcome === 'refused' ? outcome : 'accepted';
  const facts = { briefId, version, referentie, kanaal, uitkomst, uiterlijk, today: dateOf(now), register } as const;
  decide(onDecision, demandBriefAccepted, facts);
  const at = outcome === 'refused' ? now.toISOString() : timeOn(outcome.op, now);
  if (!(await briefStore.settle(briefId, at))) refuseOvertaken(onDecision, brief);
  return at;
}

// Returns the moment of sending. An earlier attempt may have been accepted on an earlier day.
const timeOn = (day: string, now: Date): string =>
  dateOf(now) === day ? now.toISOString() : new Date(`${day}T12:00:00Z`).toISOString();

const UNCERTAIN = {
  detail:
    'Het register antwoordde niet; wij weten nog niet of de brief is aangekomen. Verzend hem opnieuw: hij wordt nooit twee keer verzonden.',
  english:
    'The register did not answer, and it is not known whether the letter arrived. Send it again: it is never sent twice.',
};

interface DispatchFacts {
  readonly briefId: string;
  readonly version: number;
  readonly referentie: string;
  readonly kanaal: string;
  readonly uitkomst: Uitkomst | null;
  /** The last day on which the text of the letter is right; null when it stays right. */
  readonly uiterlijk: string | null;
  readonly today: string;
  readonly register: 'accepted' | 'refused';
}

const demandBriefAccepted = rule('domain.md 4.8', function demandBriefAccepted(facts: DispatchFacts): void {
  const { register, uiterlijk, today } = facts;
  if (register === 'accepted') return;
  if (uiterlijk !== null && uiterlijk < today) {
    throw new Problem('verzending-geweigerd', {
      detail: `Deze brief kon tot en met ${longDate(uiterlijk)} worden verzonden. Begin hem opnieuw: bij het voorleggen ziet u wat niet meer klopt.`,
      english: `The letter could be sent until ${uiterlijk}. Reset it: its submission says what is no longer right.`,
    });
  }
  throw new Problem(
    'verzending-geweigerd',
    'Het register weigert deze brief te verzenden. Kijk of er al op de aanvraag is besloten, of de aanvrager al in dit beroep is geregistreerd, of is overleden.',
  );
});

// Throws the problem for a letter that another request changed after this request read it.
function refuseOvertaken(onDecision: OnDecision | undefined, { briefId, version, tag }: Brief): never {
  const said = {
    detail: 'Iemand anders was u net voor. Lees de brief opnieuw.',
    english: 'Another person changed the letter first. Read it again.',
  };
  const problem = new Problem('brief-status', said);
  return refuse(onDecision, { rule: 'refuseOvertaken', source: 'domain.md 4.8' }, { briefId, version, tag }, problem);
}

/**
 * Stores another state of the letter. When another request has changed the letter meanwhile, it throws what a request
 * that comes later gets: 409 `brief-status` when the action is no longer possible, or 412 for an outdated `If-Match`;
 * without that header 409.
 *
 * @param brief - the letter as this request read it, with what it changes besides the state
 *
 * @param comments - of a rejection
 */
export async function changeState(
  { briefStore }: BriefDeps,
  request: Request<Caller, unknown>,
  action: Exclude<Action, 'send' | 'reset'>,
  brief: Brief,
  values: LetterValues,
  comments: string | null = null,
): Promise<Answer> {
  const { to } = TRANSITIONS[action];
  const { caller, now, onDecision } = request;
  const content = contentAfter(action, brief, { subject: caller.subject, at: now.toISOString(), comments });
  if (!(await briefStore.change(brief, { tag: to, content }))) {
    const current = await briefStore.current(brief.workspace);
    if (current !== null) decide(onDecision, demandStatus, { action, tag: current.tag });
    demandBriefVersion(request, current);
    refuseOvertaken(onDecision, brief);
  }
  return briefAnswer(request, { ...brief, ...content, tag: to, version: brief.version + 1 }, values);
}
