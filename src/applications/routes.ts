import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import type { Professional } from '../auth/identity.ts';
import { type Answer, forProfessionals, notFound, ok, type Request } from '../http/operation.ts';
import { ifMatch } from '../http/precondition.ts';
import type { Call } from '../ports/call.ts';
import { registerKey } from '../ports/register.ts';
import type { Application, Unchanged } from '../ports/store.ts';
import { Problem } from '../problem.ts';
import { lookAtRegister, runningOf } from '../submission/current.ts';
import type { SubmissionDeps } from '../submission/deps.ts';
import { gatherFacts } from '../submission/facts.ts';
import { demandScholing } from '../submission/scholing.ts';
import { fingerprint, LEASE, sendNoted, toZaak } from '../submission/sending.ts';
import { etag, toDetail, toStatus, toSummary } from './present.ts';
import { answerOf, DRAFT_RULES, isDraftType, refusalOf } from './rules.ts';
import {
  ApplicationDetailDto,
  ApplicationSummaryDto,
  CreateApplicationRequest,
  DraftSyncRequest,
  SubmitApplicationRequest,
  SubmitApplicationResponse,
} from './schema.ts';

const VERSION = 'De versie, voor If-Match.';
const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };

export const applications = (deps: SubmissionDeps) => [
  forProfessionals({
    id: 'listApplications',
    method: 'GET',
    path: '/applications',
    tag: 'Concepten',
    summary: 'Al uw aanvragen',
    description: 'Concepten en ingediende aanvragen, de laatst gewijzigde eerst.',
    answers: { 200: z.array(ApplicationSummaryDto) },
    sources: ['register'],
    async handle(request) {
      await lookAtRegister(deps, request);
      const mine = await deps.applications.list(request.caller.subject);
      return ok(mine.filter(({ tag }) => tag !== 'Pending').map(toSummary) satisfies ApplicationSummaryDto[]);
    },
  }),

  forProfessionals({
    id: 'createApplication',
    method: 'POST',
    path: '/applications',
    tag: 'Concepten',
    summary: 'Een concept beginnen',
    makes: true,
    body: CreateApplicationRequest,
    answers: { 201: ApplicationDetailDto },
    sends: { ETag: VERSION, Location: 'Waar het concept staat.' },
    async handle({ caller, body, making, now }) {
      const { type } = body;
      if (!isDraftType(type)) {
        const detail = `Kies uit ${Object.keys(DRAFT_RULES).join(', ')}.`;
        throw new Problem('ongeldig-verzoek', detail, {
          errors: [{ pointer: '/type', code: 'ongeldige-waarde', detail }],
        });
      }
      await deps.applications.add({ id: making.id, owner: caller.subject, type, createdAt: now.toISOString() });
      const made = await deps.applications.find(caller.subject, making.id);
      if (made === null) throw new Error('an application that was added is gone');
      const headers = { ...JSON_TYPE, ETag: etag(made.version), Location: `/api/v1/applications/${made.id}` };
      return { status: 201, body: toDetail(made), headers };
    },
  }),

  forProfessionals({
    id: 'readApplication',
    method: 'GET',
    path: '/applications/{id}',
    tag: 'Concepten',
    summary: 'Eén aanvraag, met het concept zoals het is bewaard',
    answers: { 200: ApplicationDetailDto, 404: null },
    sends: { ETag: VERSION },
    sources: ['register'],
    async handle(request) {
      const { caller, params } = request;
      const id = params.id ?? '';
      const known = await deps.applications.find(caller.subject, id);
      if (known === null || known.tag === 'Pending') return notFound;
      const mayHaveMoved = known.tag === 'InBehandeling' || (known.tag === 'Concept' && known.sentKey !== null);
      if (mayHaveMoved) await lookAtRegister(deps, request);
      const application = mayHaveMoved ? await deps.applications.find(caller.subject, id) : known;
      if (application === null) return notFound;
      return { status: 200, body: toDetail(application), headers: { ...JSON_TYPE, ETag: etag(application.version) } };
    },
  }),

  forProfessionals({
    id: 'syncApplication',
    method: 'PUT',
    path: '/applications/{id}',
    tag: 'Concepten',
    summary: 'Een concept bewaren',
    description: 'Vervangt het concept. De laatste wint, tenzij If-Match zegt op welke versie de wijziging berust.',
    headers: { 'If-Match': 'Alleen bewaren als dit nog de versie is: de ETag van het lezen.' },
    body: DraftSyncRequest,
    answers: { 204: null, 404: null },
    sends: { ETag: VERSION },
    problems: { 412: ['versie-verouderd'] },
    async handle(request) {
      const { caller, params, body, written, now, http } = request;
      const expected = ifMatch(http);
      const draft = written.get('draft') ?? null;
      const content = {
        draft: draft === 'null' ? null : draft,
        stepIndex: body.stepIndex ?? 0,
        stepCount: body.stepCount ?? 0,
        documentIds: body.documentIds ?? [],
      };
      const saved = await whenClear(deps, request, () =>
        deps.applications.sync(caller.subject, params.id ?? '', content, now.toISOString(), expected),
      );
      if (saved === 'stale') {
        throw new Problem(
          'versie-verouderd',
          'Iemand heeft dit concept intussen gewijzigd. Lees het opnieuw en probeer het nog eens.',
        );
      }
      // PUT declares no 409: what is no longer a Concept is no longer there to be written (domain.md 4.4).
      return typeof saved === 'number' ? { status: 204, headers: { ETag: etag(saved) } } : notFound;
    },
  }),

  forProfessionals({
    id: 'deleteApplication',
    method: 'DELETE',
    path: '/applications/{id}',
    tag: 'Concepten',
    summary: 'Een concept weggooien',
    answers: { 204: null, 404: null },
    problems: { 409: ['aanvraag-al-ingediend'] },
    async handle(request) {
      const { caller, params } = request;
      const id = params.id ?? '';
      const removed = await whenClear(deps, request, () => deps.applications.remove(caller.subject, id));
      if (removed === 'submitted') throw await alreadySubmitted(deps, caller, id);
      return removed === 'removed' ? { status: 204 } : notFound;
    },
  }),

  forProfessionals({
    id: 'submitApplication',
    method: 'POST',
    path: '/applications/{id}/submit',
    tag: 'Concepten',
    summary: 'Een concept indienen',
    description: 'Een intake onder de drempel vraagt een antwoord over scholing, hier of bovenaan in het concept.',
    makes: true,
    body: SubmitApplicationRequest,
    answers: { 200: SubmitApplicationResponse, 404: null },
    problems: {
      400: ['scholing-regel'],
      409: ['aanvraag-al-ingediend', 'aanvraag-onvolledig', 'lopende-aanvraag', 'niet-herregistreerbaar'],
    },
    sources: ['register', 'duo'],
    async handle(request) {
      const { caller, params, call, making } = request;
      const id = params.id ?? '';
      const token = randomUUID();
      const claimed = await whenFree(call, () =>
        deps.applications.claim(caller.subject, id, { token, until: Date.now() + LEASE }),
      );
      if (claimed === 'submitted') {
        const earlier = await deps.applications.find(caller.subject, id);
        // The same key again, after an answer that was lost on the way: the same answer.
        if (making.retry && earlier?.sentKey === making.key) return submitted(earlier);
        throw await alreadySubmitted(deps, caller, id);
      }
      if (typeof claimed === 'string') return notFound;
      try {
        return await submitClaimed(deps, request, claimed, token);
      } finally {
        await deps.applications.release(id, token);
      }
    },
  }),
];

type SubmitRequest = Request<Professional, z.output<typeof SubmitApplicationRequest>>;

/** Judges and sends a Concept that nobody else can change meanwhile. */
async function submitClaimed(
  deps: SubmissionDeps,
  request: SubmitRequest,
  application: Application,
  token: string,
): Promise<Answer> {
  const { caller, body, making, now, call } = request;
  const { id, type, draft } = application;
  const at = now.toISOString();
  if (!isDraftType(type)) throw new Error(`a draft of type ${type}`);
  const answers = {
    scholing: answerOf('scholing', body.scholing, draft),
    punten: answerOf('punten', body.punten, draft),
  };
  const asked = { ...body, ...answers, draft, taalvaardigheid: answerOf('taalvaardigheid', null, draft) };

  const open = await lookAtRegister(deps, request);
  const arrived = await arrivedUnheard(deps, request, application);
  const facts = await gatherFacts(deps, request, type, asked, runningOf(open, type, id));
  const zaak = toZaak(caller, id, type, asked, facts);
  const sentHash = fingerprint(zaak);
  if (arrived !== null) {
    await deps.applications.settle(id, { ...arrived, at });
    if (application.sentHash !== sentHash) throw await alreadySubmitted(deps, caller, id);
    return outcome(deps, caller, id);
  }

  if (type === 'intake') demandScholing({ uren: body.uren, ...answers }, facts.registraties);
  const faults = DRAFT_RULES[type](asked, facts);
  const refusal = refusalOf(faults);
  if (refusal !== null) throw new Problem(refusal.code, refusal.detail, { errors: faults });

  // After an answer that never came the register may have it under that key, so that key it stays.
  const noted = { token, sentKey: application.sentKey ?? making.key, sentHash, before: application.sentHash };
  if (!(await deps.applications.send(id, token, noted))) {
    throw new Problem('lopende-aanvraag', 'Een andere aanvraag van deze soort is al onderweg.');
  }
  const ontvangst = await sendNoted(deps, zaak, noted, { at, call });
  // What arrived was an earlier content; to answer 200 would promise that this one had.
  if (ontvangst === null) throw await alreadySubmitted(deps, caller, id);
  return outcome(deps, caller, id);
}

/** What became of a submit in doubt, when the register has it; null when it was in no doubt, or has not arrived. */
async function arrivedUnheard(deps: SubmissionDeps, { caller, call }: SubmitRequest, { id, sentKey }: Application) {
  if (sentKey === null) return null;
  const zaken = await deps.register.zaken(registerKey(caller), call);
  return zaken.find(({ kenmerk }) => kenmerk === id) ?? null;
}

async function outcome(deps: SubmissionDeps, caller: Professional, id: string): Promise<Answer> {
  const settled = await deps.applications.find(caller.subject, id);
  if (settled === null) throw new Error('an application that was submitted is gone');
  return submitted(settled);
}

const submitted = (application: Application): Answer =>
  ok({ referentie: application.referentie, status: toStatus(application) } satisfies SubmitApplicationResponse);

async function alreadySubmitted(
  { applications: store }: SubmissionDeps,
  caller: Professional,
  id: string,
): Promise<Problem> {
  const application = await store.find(caller.subject, id);
  const referentie = application?.referentie;
  return new Problem(
    'aanvraag-al-ingediend',
    `Deze aanvraag is al ingediend${referentie ? ` als ${referentie}` : ''}.`,
    {
      ...(referentie && { members: { referentie } }),
    },
  );
}

/** Milliseconds between two looks at an application that a submit holds. */
const LOOK_AGAIN = 25;

/** Waits for a submit that is under way: whoever comes second must hear how it ended, not that it was busy. */
async function whenFree<Result>(
  call: Call,
  attempt: () => Promise<Result | Unchanged>,
): Promise<Result | Exclude<Unchanged, 'busy'>> {
  while (!call.signal.aborted) {
    const result = await attempt();
    if (result !== 'busy') return result as Result | Exclude<Unchanged, 'busy'>;
    await setTimeout(LOOK_AGAIN, undefined, { signal: call.signal }).catch(() => undefined);
  }
  throw new Problem('overbelast', 'Een andere indiening van deze aanvraag duurt nog voort.', {
    headers: { 'Retry-After': '2' },
  });
}

/**
 * The same for a change of a Concept, which can only be made to one that is certainly still a Concept: what is in doubt is
 * first asked of the register, and while nobody knows it stays as it was sent.
 */
async function whenClear<Result>(
  deps: SubmissionDeps,
  request: Pick<Request<Professional>, 'caller' | 'now' | 'call'>,
  attempt: () => Promise<Result | Unchanged>,
): Promise<Result | 'absent' | 'submitted' | 'stale'> {
  const first = await whenFree(request.call, attempt);
  if (first !== 'in-doubt') return first as Result | 'absent' | 'submitted' | 'stale';
  await lookAtRegister(deps, request);
  const second = await whenFree(request.call, attempt);
  if (second !== 'in-doubt') return second as Result | 'absent' | 'submitted' | 'stale';
  const detail =
    'Deze aanvraag is ingediend, en wij weten nog niet of hij is aangekomen. Dien hem opnieuw in, of wacht twee minuten.';
  throw new Problem('overbelast', detail, { headers: { 'Retry-After': '30' } });
}
