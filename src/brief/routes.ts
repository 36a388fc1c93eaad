import type { Caller } from '../auth/identity.ts';
import { demand } from '../domain/rule.ts';
import { type Answer, forCallers, type Request } from '../http/operation.ts';
import type { Brief, BriefContent } from '../ports/brief-store.ts';
import { type Fault, Problem } from '../problem.ts';
import { answerOf, declared, viewOf } from './answer.ts';
import { checkTemplate, readSections } from './content.ts';
import { currentBrief, existingBrief, freshDraft, placeholdersOf, type Said, said } from './current.ts';
import { demandOtherEyes, demandTransition, demandVersion } from './demands.ts';
import type { BriefDeps } from './deps.ts';
import { usesOf } from './placeholders.ts';
import { isFit } from './rich-text.ts';
import { checkComplete, checkResolved, conflict, freeze, isBlank } from './rules.ts';
import { BriefDto, BriefViewDto, RejectBriefRequest, SaveBriefRequest } from './schema.ts';
import { refuseOvertaken, sendBrief } from './send.ts';
import { type Action, record, TRANSITIONS } from './transitions.ts';

/** What every operation on the letter is declared with. */
const letter = {
  tag: 'Brief',
  sources: ['register', 'brp'],
  stepUp: true,
  sends: { ETag: 'De versie, voor If-Match.' },
} as const;

/** And every one that changes it. */
const change = {
  ...letter,
  headers: { 'If-Match': 'Alleen als dit nog de versie is: de ETag van het lezen.' },
} as const;

const MOST_COMMENTS = 4_000;

/** 409 for a save that changes what the template locks. */
const locked = (errors: readonly Fault[]): Problem =>
  new Problem('sectie-vergrendeld', 'De vaste delen van de brief zijn niet te wijzigen.', { errors });

export const brief = (deps: BriefDeps) => [
  forCallers({
    ...letter,
    id: 'brief',
    method: 'GET',
    path: '/brief',
    summary: 'De brief van deze werkruimte, en de teksten die erin kunnen',
    description:
      'Wat het register en de BRP weten staat ingevuld: het registernummer zonder X-Step-Up verborgen op de laatste twee ' +
      'cijfers na, een geheim adres als “(geheim)”. `brief` is leeg als het register hier geen brief vraagt.',
    answers: { 200: BriefViewDto },
    async handle(request) {
      return viewOf(deps, request, await currentBrief(deps, asked(request)));
    },
  }),

  forCallers({
    ...change,
    id: 'saveBrief',
    method: 'PUT',
    path: '/brief',
    summary: 'De delen van de brief bewaren',
    description:
      'Vervangt de tekst. Alle delen in hun volgorde, de vaste zoals ze waren; titels zijn van het sjabloon.',
    body: SaveBriefRequest,
    answers: { 200: BriefDto },
    problems: declared('save'),
    async handle(request) {
      const { caller, body, now, today, call, because } = request;
      const seen = await existingBrief(deps, asked(request));
      const [passages, sources] = await Promise.all([
        deps.brieven.passages(seen.beroep, call),
        said(deps, seen, today, call),
      ]);
      const sections = readSections(body.sections, { brief: seen, passages, use: usesOf(seen), newId: request.newId });
      demandTransition(request, 'save', seen);
      demand(because, checkTemplate, { sections, template: seen.sections }, locked);
      demandVersion(request, seen);
      const content = record('save', { ...seen, sections }, { subject: caller.subject, at: now.toISOString() });
      return move(deps, request, 'save', seen, content, sources);
    },
  }),

  forCallers({
    ...change,
    id: 'briefSubmit',
    method: 'POST',
    path: '/brief/submit',
    summary: 'De brief ter beoordeling voorleggen',
    answers: { 200: BriefDto },
    problems: declared('submit'),
    async handle(request) {
      const { caller, now, today, call } = request;
      const seen = await existingBrief(deps, asked(request));
      demandTransition(request, 'submit', seen);
      const sources = await said(deps, seen, today, call);
      demand(request.because, checkComplete, { brief: seen, placeholders: placeholdersOf(seen, sources) }, conflict);
      demandVersion(request, seen);
      const content = record('submit', seen, { subject: caller.subject, at: now.toISOString() });
      return move(deps, request, 'submit', seen, content, sources);
    },
  }),

  forCallers({
    ...change,
    id: 'briefApprove',
    method: 'POST',
    path: '/brief/approve',
    summary: 'De brief goedkeuren',
    description: 'Legt de tekst vast, met alles ingevuld en met de datum van vandaag: precies dat gaat eruit.',
    answers: { 200: BriefDto },
    problems: declared('approve'),
    async handle(request) {
      const { caller, now, today, call } = request;
      const seen = await existingBrief(deps, asked(request));
      demandOtherEyes(request, 'approve', seen);
      demandTransition(request, 'approve', seen);
      const sources = await said(deps, seen, today, call);
      const placeholders = placeholdersOf(seen, sources);
      demand(request.because, checkResolved, { brief: seen, placeholders }, conflict);
      demandVersion(request, seen);
      const { values, geheim, facts } = sources;
      if (facts === null) throw new Error('a letter that is frozen before it is approved');
      // The berichtenbox is found by burgerservicenummer; whoever has none gets paper.
      const kanaal = 'bsn' in facts.opdracht.indiener ? 'berichtenbox' : 'post';
      const { referentie } = facts.opdracht;
      const frozen = { values, geheim, kanaal, referentie, sections: freeze(seen, placeholders) } as const;
      const content = record('approve', { ...seen, frozen }, { subject: caller.subject, at: now.toISOString() });
      return move(deps, request, 'approve', seen, content, sources);
    },
  }),

  forCallers({
    ...change,
    id: 'briefReject',
    method: 'POST',
    path: '/brief/reject',
    summary: 'De brief afkeuren, met wat er anders moet',
    body: RejectBriefRequest,
    answers: { 200: BriefDto },
    problems: declared('reject'),
    async handle(request) {
      const { caller, body, now, today, call } = request;
      const seen = await existingBrief(deps, asked(request));
      demandOtherEyes(request, 'reject', seen);
      const comments = body.comments?.trim() ?? '';
      if (isBlank(comments) || comments.length > MOST_COMMENTS || !isFit(comments.replace(/[\t\r\n]/g, ''))) {
        const detail = `Schrijf wat er anders moet, in ten hoogste 4.000 tekens en zonder stuurtekens.`;
        const errors = [{ pointer: '/comments', code: isBlank(comments) ? 'ontbreekt' : 'ongeldige-waarde', detail }];
        throw new Problem('ongeldig-verzoek', detail, { errors });
      }
      demandTransition(request, 'reject', seen);
      demandVersion(request, seen);
      const sources = await said(deps, seen, today, call);
      const content = record('reject', seen, { subject: caller.subject, at: now.toISOString(), comments });
      return move(deps, request, 'reject', seen, content, sources);
    },
  }),

  forCallers({
    ...change,
    id: 'briefSend',
    method: 'POST',
    path: '/brief/send',
    summary: 'De goedgekeurde brief laten verzenden',
    description: 'Wat is goedgekeurd gaat één keer uit. Blijft het antwoord uit, verzend dan opnieuw.',
    answers: { 200: BriefDto },
    problems: declared('send'),
    async handle(request) {
      const { now, today, call } = request;
      const seen = await existingBrief(deps, asked(request));
      demandTransition(request, 'send', seen);
      demandVersion(request, seen);
      const sentAt = now.toISOString();
      await sendBrief(deps, seen, sentAt, request);
      const sent = { ...seen, tag: 'sent', sentAt, version: seen.version + 1 } as const;
      return answerOf(request, sent, await said(deps, sent, today, call));
    },
  }),

  forCallers({
    ...change,
    id: 'briefReset',
    method: 'POST',
    path: '/brief/reset',
    summary: 'Opnieuw beginnen',
    description:
      'Een nieuw concept, van wie dit doet. Een brief die is verzonden, of dat kan zijn, wordt apart bewaard.',
    answers: { 200: BriefViewDto },
    problems: declared('reset'),
    async handle(request) {
      const { caller, call } = request;
      const seen = await deps.briefStore.current(caller.workspace);
      if (seen !== null) demandVersion(request, seen);
      const fresh = await freshDraft(deps, caller.workspace, caller.subject, call);
      if (fresh !== null) await deps.briefStore.restart(caller.workspace, request.newId(), fresh);
      return viewOf(deps, request, await deps.briefStore.current(caller.workspace));
    },
  }),
];

const asked = ({ caller: { workspace }, call, account, because, newId }: Request<Caller, unknown>) => ({
  workspace,
  call,
  account,
  because,
  newId,
});

/** Brings the letter that was seen to its next state, or 409 when it is not that letter any more. */
async function move(
  { briefStore }: BriefDeps,
  request: Request<Caller, unknown>,
  action: Exclude<Action, 'send' | 'reset'>,
  seen: Brief,
  content: BriefContent,
  sources: Said,
): Promise<Answer> {
  const { to } = TRANSITIONS[action];
  if (!(await briefStore.change(seen, { tag: to, content }))) refuseOvertaken(request.because, seen);
  return answerOf(request, { ...seen, ...content, tag: to, version: seen.version + 1 }, sources);
}
