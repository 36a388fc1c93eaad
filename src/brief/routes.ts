import { isAdmitted } from '../auth/policy.ts';
import { decide, demand } from '../domain/rule.ts';
import { forCallers } from '../http/operation/operation.ts';
import { ifMatchTags } from '../http/request/parameters.ts';
import { type FieldFault, Problem } from '../problem.ts';
import { PROBLEMS, type ProblemCode } from '../problem-codes.ts';
import {
  type Action,
  changeState,
  demandBriefVersion,
  demandOtherEyes,
  demandRight,
  demandStatus,
  frozenContent,
  readComments,
  sendBrief,
  TRANSITIONS,
} from './actions.ts';
import { briefAnswer, readBriefSources, readBriefView } from './answer.ts';
import { checkTemplate, readSections } from './content.ts';
import { currentBrief, existingBrief, freshDraft, passagesOfTemplate, storedBrief } from './current.ts';
import { type BriefDeps, DATES_UNKNOWN, placeholdersOf, readLetterSources, readLetterValues } from './placeholders.ts';
import { checkComplete, checkResolved } from './rules.ts';
import { BriefDto, BriefViewDto, RejectBriefRequest, SaveBriefRequest } from './schema.ts';

const letterOperation = {
  tag: 'Brief',
  upstreams: ['register', 'brp'],
  stepUp: true,
  responseHeaders: { ETag: 'De versie, voor If-Match.' },
} as const;

const SECTION_EXAMPLE = {
  sectionKey: 'besluit',
  title: 'Besluit',
  required: true,
  blocks: [
    {
      type: 'freeText',
      blockId: 'b-1',
      content: {
        paragraphs: [
          {
            nodes: [
              { type: 'text', text: 'Uw nieuwe uiterste herregistratiedatum is ', marks: ['bold'], key: null },
              { type: 'placeholder', text: null, marks: null, key: 'nieuwe_herregistratiedatum' },
            ],
            list: null,
          },
        ],
      },
      sourcePassageId: null,
      sourceVersion: null,
      edited: null,
    },
  ],
  locked: false,
};

const nobody = { rejectedBy: null, rejectedAt: null, comments: null, approvedBy: null, approvedAt: null };
const draft = { tag: 'draft', submittedBy: null, submittedAt: null, ...nobody, sentAt: null };
const submitted = { ...draft, tag: 'submitted', submittedBy: 'medewerker-1', submittedAt: '2026-03-02T10:15:00Z' };
const rejected = {
  ...submitted,
  tag: 'rejected',
  rejectedBy: 'medewerker-2',
  rejectedAt: '2026-03-03T09:30:00Z',
  comments: 'Noem in de eerste alinea de datum van de aanvraag.',
};
const approved = { ...submitted, tag: 'approved', approvedBy: 'medewerker-2', approvedAt: '2026-03-03T09:30:00Z' };
const STATUS_EXAMPLES = {
  draft,
  submitted,
  rejected,
  approved,
  sent: { ...approved, tag: 'sent', sentAt: '2026-03-04T08:00:00Z' },
};

const letterExample = (tag: keyof typeof STATUS_EXAMPLES) => ({
  briefId: '4bcf6286-b6d5-4e15-9ff5-55876d0012ab',
  beroep: 'verpleegkundige',
  templateId: 'herregistratie-besluit',
  placeholders: [
    {
      key: 'nieuwe_herregistratiedatum',
      label: 'Nieuwe uiterste herregistratiedatum',
      autoResolvable: true,
      fillable: false,
      deprecated: false,
    },
  ],
  sections: [SECTION_EXAMPLE],
  status: STATUS_EXAMPLES[tag],
  drafterId: 'medewerker-1',
});

const viewExample = { brief: letterExample('draft'), availablePassages: [] };

const lockedSections = (errors: readonly FieldFault[]): Problem =>
  new Problem('sectie-vergrendeld', 'De vaste delen van de brief zijn niet te wijzigen.', { errors });

// Returns the parts that all changes of the letter have in common, and those that follow from the transition.
function letterChange(action: Action) {
  const { who, refusals } = TRANSITIONS[action];
  return {
    ...letterOperation,
    method: 'POST',
    admits: who,
    requestHeaders: { 'If-Match': 'De ETag van de gelezen versie. Bij een nieuwere versie is het antwoord 412.' },
    answers: { 200: BriefDto },
    problems: Object.fromEntries(Map.groupBy<number, ProblemCode>(refusals, (code) => PROBLEMS[code].status)),
  } as const;
}

/** Returns the operations on the letter of a workspace (a workspace has one current letter; domain.md 4.8). */
export const brief = (deps: BriefDeps) => [
  forCallers({
    ...letterOperation,
    id: 'brief',
    method: 'GET',
    path: '/brief',
    admits: 'letter',
    activity: 'brief-opstellen',
    english: 'Returns the letter of this workspace, and the passages that it can have.',
    summary: 'De brief van deze werkruimte, en de teksten die erin kunnen',
    description:
      'Wat het register en de BRP weten staat ingevuld: het registernummer zonder X-Step-Up verborgen op de laatste twee ' +
      'cijfers na, een geheim adres als “(geheim)”. `brief` is leeg als het register hier geen brief vraagt.',
    answers: { 200: BriefViewDto },
    answerExample: viewExample,
    async handle(request) {
      return readBriefView(deps, request, await currentBrief(deps, request));
    },
  }),

  forCallers({
    ...letterChange('save'),
    id: 'saveBrief',
    method: 'PUT',
    path: '/brief',
    activity: 'brief-opstellen',
    english: 'Saves the sections of the letter.',
    summary: 'De delen van de brief bewaren',
    description:
      'Vervangt de tekst. Neem de delen over uit GET /brief: alle, in hun volgorde, de vaste precies zoals ze waren; ' +
      'titels zijn van het sjabloon.',
    body: SaveBriefRequest,
    example: { sections: [SECTION_EXAMPLE] },
    answerExample: letterExample('draft'),
    async handle(request) {
      const { body, call, onDecision } = request;
      const seen = await existingBrief(deps, request);
      const { values, passages: library } = await readLetterSources(deps, seen, call);
      const passages = passagesOfTemplate(library, seen.templateId);
      const sections = readSections(body.sections, { brief: seen, passages, newId: request.newId });
      decide(onDecision, demandStatus, { action: 'save', tag: seen.tag });
      demand(onDecision, checkTemplate, { sent: body.sections, sections, template: seen.sections }, lockedSections);
      demandBriefVersion(request, seen);
      return changeState(deps, request, 'save', { ...seen, sections }, values);
    },
  }),

  forCallers({
    ...letterChange('submit'),
    id: 'briefSubmit',
    path: '/brief/submit',
    activity: 'brief-opstellen',
    act: 'brief-voorleggen',
    english: 'Submits the letter for approval.',
    summary: 'De brief ter beoordeling voorleggen',
    description:
      'Daarna kan alleen een ander de brief goedkeuren of afkeuren. Een brief die al is voorgelegd, geeft 409.',
    answerExample: letterExample('submitted'),
    async handle(request) {
      const { call, onDecision } = request;
      const seen = await existingBrief(deps, request);
      decide(onDecision, demandStatus, { action: 'submit', tag: seen.tag });
      const sources = await readLetterSources(deps, seen, call);
      demandRight(request, checkComplete, seen, sources);
      demandBriefVersion(request, seen);
      return changeState(deps, request, 'submit', seen, sources.values);
    },
  }),

  forCallers({
    ...letterChange('approve'),
    id: 'briefApprove',
    path: '/brief/approve',
    activity: 'brief-beoordelen',
    act: 'brief-goedkeuren',
    english: 'Approves the letter.',
    summary: 'De brief goedkeuren',
    description:
      'Legt de tekst vast, met alles ingevuld. Precies die tekst wordt verzonden, met de datum van verzending. ' +
      'Kan alleen door iemand die de brief niet opstelde, bewaarde of voorlegde.',
    answerExample: letterExample('approved'),
    async handle(request) {
      const { call, onDecision } = request;
      const seen = await existingBrief(deps, request);
      demandOtherEyes(request, 'approve', seen);
      decide(onDecision, demandStatus, { action: 'approve', tag: seen.tag });
      const sources = await readLetterSources(deps, seen, call);
      const { values } = sources;
      demandRight(request, checkResolved, seen, sources);
      demandBriefVersion(request, seen);
      const frozen = frozenContent(seen, values, placeholdersOf(seen, values));
      const shown = { values: { ...values.values, ...DATES_UNKNOWN }, geheim: values.geheim, facts: null };
      return changeState(deps, request, 'approve', { ...seen, frozen }, shown);
    },
  }),

  forCallers({
    ...letterChange('reject'),
    id: 'briefReject',
    path: '/brief/reject',
    activity: 'brief-beoordelen',
    act: 'brief-afkeuren',
    english: 'Rejects the letter, with comments.',
    summary: 'De brief afkeuren, met opmerkingen',
    description:
      'Daarna kan de opsteller de brief weer wijzigen. Kan alleen door iemand die de brief niet opstelde, bewaarde of ' +
      'voorlegde.',
    body: RejectBriefRequest,
    example: { comments: 'Noem in de eerste alinea de datum van de aanvraag.' },
    answerExample: letterExample('rejected'),
    async handle(request) {
      const { body, call, onDecision } = request;
      const seen = await existingBrief(deps, request);
      demandOtherEyes(request, 'reject', seen);
      const comments = readComments(body.comments);
      decide(onDecision, demandStatus, { action: 'reject', tag: seen.tag });
      demandBriefVersion(request, seen);
      const values = await readLetterValues(deps, seen, call);
      return changeState(deps, request, 'reject', seen, values, comments);
    },
  }),

  forCallers({
    ...letterChange('send'),
    id: 'briefSend',
    path: '/brief/send',
    activity: 'brief-verzenden',
    act: 'brief-verzenden',
    english: 'Sends the approved letter.',
    summary: 'De goedgekeurde brief laten verzenden',
    description:
      'Verzendt de goedgekeurde tekst, precies één keer, met de datum van vandaag. Het register besluit op de aanvraag zoals ' +
      'in de brief staat. Komt er geen antwoord, verzend dan opnieuw.',
    answerExample: letterExample('sent'),
    async handle(request) {
      const { now, call, onDecision } = request;
      const seen = await existingBrief(deps, request);
      decide(onDecision, demandStatus, { action: 'send', tag: seen.tag });
      demandBriefVersion(request, seen);
      const sentAt = await sendBrief(deps, seen, now, request);
      const sent = { ...seen, tag: 'sent', sentAt, version: seen.version + 1 } as const;
      return briefAnswer(request, sent, await readLetterValues(deps, sent, call));
    },
  }),

  forCallers({
    ...letterChange('reset'),
    id: 'briefReset',
    path: '/brief/reset',
    activity: 'brief-opstellen',
    act: 'brief-opnieuw-beginnen',
    english: 'Replaces the letter by a new draft.',
    summary: 'Opnieuw beginnen met een concept van de brief',
    description:
      'Een nieuw concept, van wie dit doet; van wie het was als die niet mag schrijven. ' +
      'Een brief die is verzonden, of dat kan zijn, wordt apart bewaard.',
    answers: { 200: BriefViewDto },
    answerExample: viewExample,
    async handle(request) {
      const { caller } = request;
      let seen = await storedBrief(deps, request);
      demandBriefVersion(request, seen);
      // A caller who may not write does not become the drafter, because a drafter may not approve (domain.md 4.8).
      const drafterId = isAdmitted(TRANSITIONS.save.who, caller) ? caller.subject : (seen?.drafterId ?? null);
      const fresh = await freshDraft(deps, request, drafterId);
      // The upstreams are asked before the letter is replaced, because an error means that nothing was changed.
      const sources = fresh && (await readBriefSources(deps, request, { ...fresh, sentAt: null }));
      // With `If-Match` only a version that the caller names is replaced; without it, any version.
      const replaced = () => (ifMatchTags(request.http) && seen) ?? undefined;
      while (fresh !== null && !(await deps.briefStore.restart(caller.workspace, request.newId(), fresh, replaced()))) {
        seen = await storedBrief(deps, request);
        demandBriefVersion(request, seen);
      }
      return readBriefView(deps, request, await deps.briefStore.current(caller.workspace), sources ?? undefined);
    },
  }),
];
