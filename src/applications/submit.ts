import type * as z from 'zod';
import type { Professional } from '../auth/identity.ts';
import { type Answer, ok, type Request } from '../http/operation.ts';
import { judged } from '../http/why.ts';
import { registerKey } from '../ports/register.ts';
import type { Application } from '../ports/store.ts';
import { Problem } from '../problem.ts';
import { lookAtRegister, runningOf } from '../submission/current.ts';
import type { SubmissionDeps } from '../submission/deps.ts';
import { gatherFacts, weighed } from '../submission/facts.ts';
import { demandScholing } from '../submission/scholing.ts';
import { fingerprint, holdDocuments, sendNoted, toZaak } from '../submission/sending.ts';
import { digitalOf } from '../uploads/rules.ts';
import { toStatus } from './present.ts';
import { answerOf, DRAFT_RULES, isDraftType, refusalOf } from './rules.ts';
import type { SubmitApplicationRequest, SubmitApplicationResponse } from './schema.ts';

type SubmitRequest = Request<Professional, z.output<typeof SubmitApplicationRequest>>;

/** Judges and sends a Concept that nobody else can change meanwhile. */
export async function submitClaimed(
  deps: SubmissionDeps,
  request: SubmitRequest,
  application: Application,
  token: string,
): Promise<Answer> {
  const { caller, body, making, now, call, because } = request;
  const { id, type } = application;
  request.account.about({ applicationId: id });
  const at = now.toISOString();
  if (!isDraftType(type)) throw new Error(`a draft of type ${type}`);
  const open = await lookAtRegister(deps, request);
  const arrived = await arrivedUnheard(deps, request, application);
  const { asked, answers, facts, zaak, sentHash } = await contentOf(
    deps,
    request,
    application,
    runningOf(open, type, id),
  );
  if (arrived !== null) {
    await deps.applications.settle(id, { ...arrived, at });
    if (application.sentHash !== sentHash) throw await alreadySubmitted(deps, request, id);
    return outcome(deps, caller, id);
  }

  if (type === 'intake') demandScholing({ uren: body.uren, ...answers }, facts.registraties, because);
  const rule = DRAFT_RULES[type];
  judged(because, { rule: rule.name, source: 'domain.md 4.4, 4.7', facts: () => weighed(asked, facts) }, () => {
    const faults = rule(asked, facts);
    const refusal = refusalOf(faults);
    if (refusal !== null) throw new Problem(refusal.code, refusal.detail, { errors: faults });
  });

  // After an answer that never came the register may have it under that key, so that key it stays.
  const noted = { token, sentKey: application.sentKey ?? making.key, sentHash, before: application.sentHash };
  const documentIds = [...new Set([...application.documentIds, ...digitalOf(zaak.documenten)])];
  const once = {
    rule: 'one of a kind',
    source: 'reliability.md, "Nothing lost, nothing twice"',
    facts: () => ({ id, type, documentIds, open }),
  };
  await judged(because, once, async () => {
    if (!(await deps.applications.send(id, token, noted, documentIds))) {
      throw new Problem('lopende-aanvraag', 'Een andere aanvraag van deze soort is al onderweg.');
    }
    if (!(await holdDocuments(deps, zaak, noted, caller.subject)))
      throw new Problem('aanvraag-onvolledig', 'Een van de documenten is intussen weggegooid.');
  });
  const ontvangst = await sendNoted(deps, zaak, noted, { owner: caller.subject, at, call, because });
  // What arrived was an earlier content; to answer 200 would promise that this one had.
  if (ontvangst === null) throw await alreadySubmitted(deps, request, id);
  return outcome(deps, caller, id);
}

/** What this submit says: the body, and the draft where the rules look at it. */
async function contentOf(
  deps: SubmissionDeps,
  request: SubmitRequest,
  application: Application,
  running: string | null,
) {
  const { caller, body } = request;
  const { id, type, draft } = application;
  const answers = {
    scholing: answerOf('scholing', body.scholing, draft),
    punten: answerOf('punten', body.punten, draft),
  };
  const asked = { ...body, ...answers, draft, taalvaardigheid: answerOf('taalvaardigheid', null, draft) };
  const facts = await gatherFacts(deps, request, type, asked, running);
  const zaak = toZaak(caller, id, type, asked, facts);
  return { asked, answers, facts, zaak, sentHash: fingerprint(zaak) };
}

/**
 * The same submit again, after an answer that was lost on the way: the same answer. Anything else comes too late, also the
 * same key with a content that is not what the register has.
 */
export async function submitAgain(deps: SubmissionDeps, request: SubmitRequest, id: string): Promise<Answer> {
  const { caller, making } = request;
  const earlier = await deps.applications.find(caller.subject, id);
  if (earlier !== null && making.retry && earlier.sentKey === making.key) {
    const { sentHash } = await contentOf(deps, request, earlier, null);
    if (sentHash === earlier.sentHash) return submitted(earlier);
  }
  throw await alreadySubmitted(deps, request, id);
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

/** The answer to whoever submitted this application. */
const submitted = (application: Application): Answer =>
  ok({ referentie: application.referentie, status: toStatus(application) } satisfies SubmitApplicationResponse);

/** 409 for whoever comes too late, with the reference of what was submitted (domain.md 4.4). */
export async function alreadySubmitted(
  { applications: store }: SubmissionDeps,
  { caller, because }: Pick<Request<Professional>, 'caller' | 'because'>,
  id: string,
): Promise<Problem> {
  const application = await store.find(caller.subject, id);
  const referentie = application?.referentie;
  because?.({
    rule: 'alreadySubmitted',
    source: 'domain.md 4.4',
    facts: { id, tag: application?.tag ?? null, referentie: referentie ?? null },
    outcome: { geweigerd: 'aanvraag-al-ingediend' },
  });
  return new Problem(
    'aanvraag-al-ingediend',
    `Deze aanvraag is al ingediend${referentie ? ` als ${referentie}` : ''}.`,
    {
      ...(referentie && { members: { referentie } }),
    },
  );
}
