import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import type { Professional } from '../auth/identity.ts';
import { decide, refuse } from '../domain/rule.ts';
import { JSON_TYPE, notFound, ok } from '../http/exchange.ts';
import { forProfessionals, type Request } from '../http/operation/operation.ts';
import { validated } from '../http/request/body.ts';
import { ifMatch, isExcluded } from '../http/request/parameters.ts';
import type { Call } from '../ports/call.ts';
import { registerKey } from '../ports/register.ts';
import type { Application, ApplicationSummary, Unchanged } from '../ports/store/applications.ts';
import { chooseFrom, Problem } from '../problem.ts';
import {
  diedUnregistered,
  NO_ANSWER,
  refreshFromRegister,
  type SubmissionDeps,
  toNoAnswer,
} from '../requests/current.ts';
import { dropDeleted, findExistingIds, removeDocuments } from '../uploads/documents.ts';
import { toWholeSecond } from '../wire/dates.ts';
import {
  DRAFT_RULES,
  demandAlive,
  demandApplicationVersion,
  demandDraftContent,
  isDraftType,
  MAX_CONCEPTS,
} from './rules.ts';
import {
  ApplicationDetailDto,
  ApplicationSummaryDto,
  CreateApplicationRequest,
  DraftSyncRequest,
  ScholingMembers,
  SubmitApplicationRequest,
  SubmitApplicationResponse,
} from './schema.ts';
import { refuseSubmitted, submitAgain, submitClaimed, toStatus } from './submit.ts';

const VERSION = 'De versie, voor If-Match.';

const CONCEPT_EXAMPLE = {
  id: '4bcf6286-b6d5-4e15-9ff5-55876d0012ab',
  type: 'herregistratie',
  status: { tag: 'Concept', stepIndex: 0, stepCount: 3, referentie: null, manual: null, reden: null },
  documentIds: [],
  createdAt: '2026-03-02T10:15:00Z',
  updatedAt: '2026-03-02T10:15:00Z',
  submittedAt: null,
};

export const applications = (deps: SubmissionDeps) => [
  forProfessionals({
    id: 'listApplications',
    method: 'GET',
    path: '/applications',
    activity: 'aanvraag-bijhouden',
    tag: 'Concepten',
    english: 'Returns all applications of the caller.',
    summary: 'Al uw aanvragen',
    description: 'Concepten en ingediende aanvragen, de laatst gewijzigde eerst.',
    answers: { 200: z.array(ApplicationSummaryDto) },
    answerExample: [CONCEPT_EXAMPLE],
    async handle(request) {
      await refreshFromRegister(deps, request);
      const mine = await deps.applications.list(request.caller.subject);
      return ok(mine.filter(({ tag }) => tag !== 'Pending').map(toSummary) satisfies ApplicationSummaryDto[]);
    },
  }),

  forProfessionals({
    id: 'createApplication',
    method: 'POST',
    path: '/applications',
    activity: 'aanvraag-bijhouden',
    tag: 'Concepten',
    english: 'Creates a draft.',
    summary: 'Een concept beginnen',
    description:
      'Voor een aanvraag in stappen. Het begint leeg; bewaar het met PUT /applications/{id}. Elke aanroep maakt een nieuw concept, behalve met dezelfde Idempotency-Key.',
    creates: true,
    body: CreateApplicationRequest,
    example: { type: 'herregistratie' },
    answers: { 201: ApplicationDetailDto },
    answerExample: { ...CONCEPT_EXAMPLE, status: { ...CONCEPT_EXAMPLE.status, stepCount: 0 }, draft: null },
    problems: { 409: ['te-veel-concepten', 'aanvrager-overleden'] },
    responseHeaders: { ETag: VERSION, Location: 'Waar het concept staat.' },
    async handle({ caller, body, idempotency, now, call, onDecision }) {
      const { type } = body;
      if (!isDraftType(type)) {
        const possible = Object.keys(DRAFT_RULES);
        const said = chooseFrom(possible);
        const errors = [{ pointer: '/type', code: 'ongeldige-waarde' as const, ...said }];
        const problem = new Problem('ongeldig-verzoek', said, { errors });
        return refuse(onDecision, { rule: 'isDraftType', source: 'domain.md 4.4' }, { type, possible }, problem);
      }
      // A draft can be made while the register does not answer; its submission is checked again.
      const registraties = await deps.register.registraties(registerKey(caller), call).catch(toNoAnswer);
      const deceased = registraties !== NO_ANSWER && (await diedUnregistered(deps.brp, caller, registraties, call));
      decide(onDecision, demandAlive, { registraties, deceased });
      const concept = { id: idempotency.id, owner: caller.subject, type, createdAt: now.toISOString() };
      const made = await deps.applications.add(concept, MAX_CONCEPTS);
      if (made === null) {
        // Not in the specification, which sets no limit: 409, as with too many documents.
        const detail = `U hebt al ${MAX_CONCEPTS} concepten. Dien er een in, of gooi er een weg.`;
        const problem = new Problem('te-veel-concepten', detail);
        return refuse(onDecision, { rule: 'MAX_CONCEPTS', source: 'domain.md 4.4' }, { most: MAX_CONCEPTS }, problem);
      }
      const headers = {
        'Content-Type': JSON_TYPE,
        ETag: etag(made.version),
        Location: `/api/v1/applications/${made.id}`,
      };
      return { status: 201, body: toDetail(made), headers };
    },
  }),

  forProfessionals({
    id: 'readApplication',
    method: 'GET',
    path: '/applications/{id}',
    activity: 'aanvraag-bijhouden',
    tag: 'Concepten',
    english: 'Returns one application, with the draft as it was saved.',
    summary: 'Eén aanvraag, met het concept zoals het is bewaard',
    description: 'Na het indienen met de stand bij het register, zoals goedgekeurd of afgewezen.',
    answers: { 200: ApplicationDetailDto, 404: null },
    answerExample: { ...CONCEPT_EXAMPLE, draft: { uren: 2600 } },
    responseHeaders: { ETag: VERSION },
    async handle(request) {
      const { caller, params } = request;
      const id = params.id ?? '';
      const known = await deps.applications.find(caller.subject, id);
      if (known === null || known.tag === 'Pending') return notFound;
      const mayHaveChanged = known.tag === 'InBehandeling' || (known.tag === 'Concept' && known.sentKey !== null);
      if (mayHaveChanged) await refreshFromRegister(deps, request);
      const application = mayHaveChanged ? await deps.applications.find(caller.subject, id) : known;
      if (application === null) return notFound;
      const headers = { 'Content-Type': JSON_TYPE, ETag: etag(application.version) };
      return { status: 200, body: toDetail(application), headers };
    },
  }),

  forProfessionals({
    id: 'syncApplication',
    method: 'PUT',
    path: '/applications/{id}',
    activity: 'aanvraag-bijhouden',
    tag: 'Concepten',
    english: 'Saves a draft.',
    summary: 'Een concept bewaren',
    description: 'Vervangt het concept. De laatste wint, tenzij If-Match zegt op welke versie de wijziging berust.',
    requestHeaders: { 'If-Match': 'Alleen bewaren als dit nog de versie is: de ETag van het lezen.' },
    body: DraftSyncRequest,
    example: { draft: { uren: 2600 }, stepIndex: 1, stepCount: 3, documentIds: [] },
    answers: { 204: null, 404: null },
    responseHeaders: { ETag: VERSION },
    problems: { 412: ['versie-verouderd'] },
    async handle(request) {
      const { caller, params, body, written, now, onDecision } = request;
      const expected = await versionsToChange(deps, request);
      const draft = written('draft') ?? null;
      const content = {
        draft: draft === 'null' ? null : draft,
        stepIndex: body.stepIndex ?? 0,
        stepCount: body.stepCount ?? 0,
        documentIds: body.documentIds ?? [],
      };
      const { stepIndex, stepCount, documentIds } = content;
      const mine = await findExistingIds(deps.uploads, caller.subject, documentIds);
      decide(onDecision, demandDraftContent, { stepIndex, stepCount, documentIds, mine });
      const saved = await retryWhileUnconfirmed(deps, request, () =>
        deps.applications.sync(caller.subject, params.id ?? '', content, now.toISOString(), expected),
      );
      decide(onDecision, demandApplicationVersion, { id: params.id ?? '', expected: expected ?? null, found: saved });
      await dropDeleted(deps, caller.subject, documentIds);
      // PUT declares no 409: what is no longer a Concept is not found (domain.md 4.4).
      return typeof saved === 'number' ? { status: 204, headers: { ETag: etag(saved) } } : notFound;
    },
  }),

  forProfessionals({
    id: 'deleteApplication',
    method: 'DELETE',
    path: '/applications/{id}',
    activity: 'aanvraag-bijhouden',
    tag: 'Concepten',
    english: 'Deletes a draft.',
    summary: 'Een concept weggooien',
    description: 'Met de documenten die alleen bij dit concept horen.',
    requestHeaders: { 'If-Match': 'Alleen weggooien als dit nog de versie is: de ETag van het lezen.' },
    answers: { 204: null, 404: null },
    problems: { 409: ['aanvraag-al-ingediend'], 412: ['versie-verouderd'] },
    async handle(request) {
      const { caller, params, call, onDecision } = request;
      const id = params.id ?? '';
      const expected = await versionsToChange(deps, request);
      const removed = await retryWhileUnconfirmed(deps, request, () =>
        deps.applications.remove(caller.subject, id, expected),
      );
      const found = typeof removed === 'string' ? removed : 'removed';
      decide(onDecision, demandApplicationVersion, { id, expected: expected ?? null, found });
      if (removed === 'submitted') return refuseSubmitted(deps, request, id);
      if (typeof removed === 'string') return notFound;
      await removeDocuments(deps, caller.subject, removed, call);
      return { status: 204 };
    },
  }),

  forProfessionals({
    id: 'submitApplication',
    method: 'POST',
    path: '/applications/{id}/submit',
    activity: 'aanvraag-indienen',
    act: 'aanvraag-indienen',
    tag: 'Concepten',
    english: 'Submits a draft.',
    summary: 'Een concept indienen',
    description: 'Een intake onder de drempel vraagt een antwoord over scholing, hier of bovenaan in het concept.',
    requestHeaders: { 'If-Match': 'Alleen indienen als dit nog de versie is: de ETag van het lezen.' },
    creates: true,
    body: SubmitApplicationRequest,
    example: { uren: 2600, documents: [] },
    answers: { 200: SubmitApplicationResponse, 404: null },
    answerExample: {
      referentie: 'HER-2026-123456',
      status: {
        tag: 'InBehandeling',
        stepIndex: null,
        stepCount: null,
        referentie: 'HER-2026-123456',
        manual: false,
        reden: null,
      },
    },
    problems: {
      400: ['scholing-regel'],
      409: ['aanvraag-al-ingediend', 'aanvraag-onvolledig', 'lopende-aanvraag', 'niet-herregistreerbaar'],
      412: ['versie-verouderd'],
    },
    upstreams: ['register', 'duo'],
    async handle(request) {
      const { caller, params, body, call } = request;
      const id = params.id ?? '';
      const token = randomUUID();
      const claimed = await retryWhileLocked(call, () =>
        deps.applications.claim(caller.subject, id, { token, until: Date.now() + deps.timing.applicationLease }),
      );
      // 400 comes before 404 and 409 (domain.md 4.1, "Order of checks").
      if (typeof claimed === 'string') validated(ScholingMembers, body);
      if (claimed === 'submitted') return submitAgain(deps, request, id);
      if (typeof claimed === 'string') return notFound;
      try {
        return await submitClaimed(deps, request, claimed, token);
      } finally {
        // When the store fails here, the claim expires by itself, and the answer of the submission is still the answer.
        await deps.applications.release(id, token).catch(() => undefined);
      }
    },
  }),
];

// Milliseconds.
const RETRY_INTERVAL = 25;

// Tries again until the deadline of the current request, and then throws 503 `overbelast`.
async function retryWhileLocked<Result>(
  call: Call,
  attempt: () => Promise<Result | Unchanged>,
): Promise<Result | Exclude<Unchanged, 'busy'>> {
  for (;;) {
    const result = await attempt();
    if (result !== 'busy') return result as Result | Exclude<Unchanged, 'busy'>;
    if (call.signal.aborted)
      throw new Problem('overbelast', 'Een andere indiening van deze aanvraag duurt nog voort.', {
        headers: { 'Retry-After': '2' },
      });
    await setTimeout(RETRY_INTERVAL, undefined, { signal: call.signal }).catch(() => undefined);
  }
}

// When the application was sent but not confirmed, asks the register for the status and tries once more.
async function retryWhileUnconfirmed<Result>(
  deps: SubmissionDeps,
  request: Pick<Request<Professional>, 'caller' | 'now' | 'call' | 'onDecision'>,
  attempt: () => Promise<Result | Unchanged>,
): Promise<Result | 'absent' | 'submitted' | 'stale'> {
  const first = await retryWhileLocked(request.call, attempt);
  if (first !== 'in-doubt') return first as Result | 'absent' | 'submitted' | 'stale';
  await refreshFromRegister(deps, request);
  const second = await retryWhileLocked(request.call, attempt);
  if (second !== 'in-doubt') return second as Result | 'absent' | 'submitted' | 'stale';
  const detail =
    'Deze aanvraag is ingediend, en wij weten nog niet of hij is aangekomen. Dien hem opnieuw in, of wacht twee minuten.';
  throw new Problem('overbelast', detail, { headers: { 'Retry-After': '30' } });
}

// Times are rounded down to whole seconds.
const toSummary = (application: ApplicationSummary): ApplicationSummaryDto => ({
  id: application.id,
  type: application.type,
  status: toStatus(application),
  documentIds: [...application.documentIds],
  createdAt: toWholeSecond(application.createdAt),
  updatedAt: toWholeSecond(application.updatedAt),
  submittedAt: application.submittedAt && toWholeSecond(application.submittedAt),
});

// `draft` is exactly the text that the client sent.
const toDetail = (application: Application): string =>
  `${JSON.stringify(toSummary(application)).slice(0, -1)},"draft":${application.draft ?? 'null'}}`;

const etag = (version: number): string => `"${version}"`;

// Returns the versions that the request may change; undefined for any version. A version that comes later is none that
// `If-None-Match` can name.
async function versionsToChange(
  { applications }: SubmissionDeps,
  { caller, params, http }: Pick<Request<Professional>, 'caller' | 'params' | 'http'>,
): Promise<readonly number[] | undefined> {
  const isConditional = http.req.headersDistinct['if-none-match'] !== undefined;
  const found = isConditional ? await applications.find(caller.subject, params.id ?? '') : null;
  return found !== null && isExcluded(http, etag(found.version)) ? [] : ifMatch(http);
}
