import type { Professional } from '../auth/identity.ts';
import { decide, demand, refuse } from '../domain/rule.ts';
import { type Answer, ok } from '../http/exchange.ts';
import type { Request } from '../http/operation/operation.ts';
import { validated } from '../http/request/body.ts';
import { ifMatch, isExcluded } from '../http/request/parameters.ts';
import { type Ontvangst, registerKey } from '../ports/register.ts';
import type { Application, ApplicationSummary } from '../ports/store/applications.ts';
import { Problem } from '../problem.ts';
import { gatherFacts, NO_ANSWER, refreshFromRegister, type SubmissionDeps, toNoAnswer } from '../requests/current.ts';
import { demandScholing } from '../requests/rules.ts';
import { aboutOf, fingerprint, linkDocuments, sendRecorded, toZaak } from '../requests/sending.ts';
import { dropDeleted } from '../uploads/documents.ts';
import { digitalOf } from '../uploads/rules.ts';
import type { OpenBody } from '../wire/primitives.ts';
import {
  answersIn,
  applicationConflict,
  DRAFT_RULES,
  demandApplicationVersion,
  demandSending,
  isDraftType,
  scholingAnswer,
} from './rules.ts';
import {
  type AanvraagStatusDto,
  ScholingMembers,
  type SubmitApplicationRequest,
  type SubmitApplicationResponse,
} from './schema.ts';

type SubmitRequest = Request<Professional, OpenBody<typeof SubmitApplicationRequest>>;

/**
 * Checks a draft that is claimed with `token`, and sends it to the register. Throws a problem when a rule refuses it or
 * the register's answer is lost, and `UpstreamError` when an upstream fails.
 */
export async function submitClaimed(
  deps: SubmissionDeps,
  request: SubmitRequest,
  application: Application,
  token: string,
): Promise<Answer> {
  const { caller, body, idempotency, now, call, onDecision, http } = request;
  const { id, type, version } = application;
  request.processingDetails.about({ applicationId: id });
  const at = now.toISOString();
  if (!isDraftType(type)) throw new Error(`a draft of type ${type}`);
  if (type !== 'intake') validated(ScholingMembers, body);
  const open = await refreshFromRegister(deps, request);
  const arrived = await findArrived(deps, request, application);
  const { answers, facts, zaak, sentHash } = await contentOf(deps, request, application, open);
  if (arrived !== null) {
    await deps.applications.settle(id, { ...arrived, at });
    if (application.sentHash !== sentHash) return refuseSubmitted(deps, request, id);
    return readSubmittedAnswer(deps, caller, application, arrived);
  }

  // 400 comes before 412 (domain.md 4.1, "Order of checks").
  if (type === 'intake') demandScholing({ uren: body.uren, ...answers }, facts.registraties, onDecision);
  const expected = isExcluded(http, `"${version}"`) ? [] : ifMatch(http);
  const found = expected === undefined || expected.includes(version) ? version : 'stale';
  decide(onDecision, demandApplicationVersion, { id, expected: expected ?? null, found });
  demand(onDecision, DRAFT_RULES[type], facts, applicationConflict);

  // When the answer to an earlier attempt was lost, the register may have the application under its key: use it again.
  const recorded = {
    token,
    sentKey: application.sentKey ?? idempotency.key,
    sentHash,
    earlierHash: application.sentHash,
    about: aboutOf(zaak),
  };
  const documentIds = [...new Set([...application.documentIds, ...digitalOf(zaak.documenten)])];
  const outcome = !(await deps.applications.send(id, token, recorded, documentIds))
    ? 'overtaken'
    : !(await linkDocuments(deps, zaak, recorded, caller.subject))
      ? 'document-gone'
      : 'sending';
  if (outcome !== 'overtaken') await dropDeleted(deps, caller.subject, documentIds);
  decide(onDecision, demandSending, { id, type, documentIds, open, outcome });
  const ontvangst = await sendRecorded(deps, zaak, recorded, { owner: caller.subject, at, call, onDecision });
  // The register has the content of an earlier attempt: 200 would confirm content that it did not receive.
  if (ontvangst === null) return refuseSubmitted(deps, request, id);
  return readSubmittedAnswer(deps, caller, application, ontvangst);
}

// `open` are the undecided applications of the caller.
async function contentOf(
  deps: SubmissionDeps,
  request: SubmitRequest,
  application: Application,
  open: readonly ApplicationSummary[],
) {
  const { caller, body } = request;
  const { id, type, draft } = application;
  const drafted = answersIn(draft);
  const answers = scholingAnswer(body, drafted);
  const asked = {
    ...body,
    ...answers,
    taalvaardigheid: drafted.taalvaardigheid ?? null,
    beroep: drafted.beroep ?? null,
  };
  const facts = await gatherFacts(deps, request, type, asked, open, id);
  const zaak = toZaak(caller, id, type, { ...asked, draft }, facts);
  return { answers, facts, zaak, sentHash: fingerprint(zaak) };
}

/**
 * Returns the 200 answer again for a retry with the same idempotency key and content; otherwise throws 409
 * `aanvraag-al-ingediend`.
 */
export async function submitAgain(deps: SubmissionDeps, request: SubmitRequest, id: string): Promise<Answer> {
  const { caller, idempotency } = request;
  request.processingDetails.about({ applicationId: id });
  const earlier = await deps.applications.find(caller.subject, id);
  if (earlier !== null && idempotency.retry) {
    const { sentHash } = await contentOf(deps, request, earlier, []);
    if (sentHash === earlier.sentHash) return toSubmittedAnswer(earlier);
  }
  return refuseSubmitted(deps, request, id);
}

// The application was sent before without a confirmation.
async function findArrived({ register }: SubmissionDeps, { caller, call }: SubmitRequest, application: Application) {
  const { id, sentKey } = application;
  if (sentKey === null) return null;
  const zaken = await register.zaken(registerKey(caller), call);
  const listed = zaken.find(({ kenmerk }) => kenmerk === id);
  if (listed !== undefined) return listed;
  const zaak = await register.zaakBySleutel(registerKey(caller), sentKey, call).catch(toNoAnswer);
  return zaak !== NO_ANSWER && zaak?.kenmerk === id ? zaak : null;
}

// The store may not have it under this owner any more: another instance renames owners at any moment (`SUBJECT_KEYS`).
async function readSubmittedAnswer(
  { applications }: SubmissionDeps,
  { subject }: Professional,
  application: Application,
  { referentie, manual }: Pick<Ontvangst, 'referentie' | 'manual'>,
): Promise<Answer> {
  const settled = await applications.find(subject, application.id);
  return toSubmittedAnswer(settled ?? { ...application, tag: 'InBehandeling', referentie, manual });
}

/** Members that do not belong to the tag of an application are null (domain.md 4.4). */
export function toStatus({
  tag,
  stepIndex,
  stepCount,
  referentie,
  manual,
  reden,
}: ApplicationSummary): AanvraagStatusDto {
  const none = { stepIndex: null, stepCount: null, referentie: null, manual: null, reden: null };
  if (tag === 'Concept') return { tag, ...none, stepIndex, stepCount };
  return { tag, ...none, referentie, manual, reden: tag === 'Afgewezen' ? reden : null };
}

const toSubmittedAnswer = (application: Application): Answer =>
  ok({ referentie: application.referentie, status: toStatus(application) } satisfies SubmitApplicationResponse);

/** Throws 409 `aanvraag-al-ingediend`, with the reference if there is one. */
export async function refuseSubmitted(
  { applications: store }: SubmissionDeps,
  { caller, onDecision }: Pick<Request<Professional>, 'caller' | 'onDecision'>,
  id: string,
): Promise<never> {
  const application = await store.find(caller.subject, id);
  const referentie = application?.referentie ?? null;
  const facts = { id, tag: application?.tag ?? null, referentie };
  const said = {
    detail: `Deze aanvraag is al ingediend${referentie ? ` als ${referentie}` : ''}.`,
    english: `This application was submitted already${referentie ? `, as ${referentie}` : ''}.`,
  };
  const problem = new Problem('aanvraag-al-ingediend', said, referentie ? { members: { referentie } } : {});
  return refuse(onDecision, { rule: 'refuseSubmitted', source: 'domain.md 4.4' }, facts, problem);
}
