import { randomUUID } from 'node:crypto';
import type { Professional } from '../auth/identity.ts';
import { demand, refuse } from '../domain/rule.ts';
import { type Answer, ok } from '../http/exchange.ts';
import { keyInUse } from '../http/operation/idempotency.ts';
import type { Request } from '../http/operation/operation.ts';
import type { Zaak } from '../ports/register.ts';
import type { ApplicationSummary } from '../ports/store/applications.ts';
import { firstOf, Problem, type ProblemFault, type Sentence } from '../problem.ts';
import { digitalOf } from '../uploads/rules.ts';
import type { ApplicationType } from '../wire/values.ts';
import { gatherFacts, refreshFromRegister, type SubmissionDeps } from './current.ts';
import { ONE_OPEN_REQUEST, type RequestContent, type RequestFacts, type RequestRule } from './rules.ts';
import type { ReferentieResponse } from './schema.ts';
import { aboutOf, fingerprint, linkDocuments, sendRecorded, toZaak } from './sending.ts';

interface RequestKind {
  readonly type: ApplicationType;
  readonly check: RequestRule;
  // Before `check`; throws its own problem.
  readonly first?: (facts: RequestFacts) => void;
  // True for a kind without drafts: the application then has what was asked as its draft.
  readonly keepsContent?: boolean;
}

/**
 * Submits a request without a draft. When an earlier one of this type is unconfirmed, sends its idempotency key, so
 * that the register accepts only one of them. Throws 422 with all faults that `check` found, and other problems, for
 * example when an upstream fails.
 */
export async function submit(
  deps: SubmissionDeps,
  request: Request<Professional>,
  { type, check, first, keepsContent = false }: RequestKind,
  asked: RequestContent,
): Promise<Answer> {
  const { caller, idempotency, onDecision } = request;
  const open = await refreshFromRegister(deps, request);
  const doubtful = open.find((one) => one.type === type && one.tag === 'Pending' && !one.claimed);
  const facts = await gatherFacts(deps, request, type, asked, open, doubtful?.id);
  if (idempotency.retry) {
    const sentHash = fingerprint(toZaak(caller, idempotency.id, type, asked, facts));
    const arrived = await earlierAnswer(deps, request, type, sentHash, open);
    if (arrived !== null) return arrived;
  }
  first?.(facts);
  demand(onDecision, check, facts, unprocessable);

  const id = doubtful?.id ?? idempotency.id;
  request.processingDetails.about({ applicationId: id });
  return send(deps, request, toZaak(caller, id, type, asked, facts), doubtful, keepsContent);
}

// 422 `lopende-aanvraag` when the earlier attempt had other content, and 409 while it is in progress.
async function earlierAnswer(
  { applications }: SubmissionDeps,
  { caller, idempotency, onDecision, processingDetails }: Request<Professional>,
  type: ApplicationType,
  sentHash: string,
  open: readonly ApplicationSummary[],
): Promise<Answer | null> {
  // An attempt with this key may have sent its content with the key of an earlier request that was in doubt.
  const hasThisContent = (one: ApplicationSummary) => one.type === type && one.sentHash === sentHash;
  const earlier = (await applications.find(caller.subject, idempotency.id)) ?? open.find(hasThisContent);
  if (earlier?.referentie) {
    processingDetails.about({ applicationId: earlier.id });
    // The register may have the content of another attempt that was sent under the same key.
    if (sentHash === earlier.sentHash) return answer(earlier.referentie);
    const { referentie } = earlier;
    const problem = lopend({
      detail: `Uw aanvraag ${referentie} was al aangekomen, met een andere inhoud.`,
      english: `Your request ${referentie} had arrived already, with other content.`,
    });
    refuse(onDecision, ONE_OPEN_REQUEST, { earlier }, problem);
  }
  if (earlier?.claimed) refuse(onDecision, ONE_OPEN_REQUEST, { earlier }, keyInUse());
  return null;
}

// Another request of this type can be submitted first (422 `lopende-aanvraag`), and a document deleted meanwhile (422
// `documenten-ongeldig`). `doubtful` is the earlier unconfirmed request.
async function send(
  deps: SubmissionDeps,
  { caller: { subject: owner }, idempotency, now, call, onDecision }: Request<Professional>,
  zaak: Zaak,
  doubtful: ApplicationSummary | undefined,
  keepsContent: boolean,
): Promise<Answer> {
  const { applications } = deps;
  const { kenmerk: id, soort: type } = zaak;
  const draft = keepsContent ? JSON.stringify(zaak.gegevens) : null;
  const documentIds = digitalOf(zaak.documenten);
  const at = now.toISOString();
  const recorded = {
    token: randomUUID(),
    sentKey: doubtful?.sentKey ?? idempotency.key,
    sentHash: fingerprint(zaak),
    earlierHash: doubtful?.sentHash ?? null,
    about: aboutOf(zaak),
  };
  const claim = { token: recorded.token, until: Date.now() + deps.timing.applicationLease };
  const isClaimed = doubtful
    ? await applications.adopt(id, doubtful.sentAt, recorded, claim, [
        ...new Set([...doubtful.documentIds, ...documentIds]),
      ])
    : await applications.addPending({ id, owner, type, createdAt: at, documentIds, draft }, recorded, claim);
  if (!isClaimed)
    refuse(
      onDecision,
      ONE_OPEN_REQUEST,
      { type, doubtful },
      lopend({
        detail: 'Een andere aanvraag van deze soort is al onderweg.',
        english: 'Another request of this type is being sent.',
      }),
    );
  if (!(await linkDocuments(deps, zaak, recorded, owner)))
    refuse(onDecision, ONE_OPEN_REQUEST, { documentIds }, unprocessable([GONE]));

  const ontvangst = await sendRecorded(deps, zaak, recorded, { owner, at, call, onDecision });
  if (ontvangst !== null) return answer(ontvangst.referentie);
  const running = await applications.find(owner, id);
  const named = running?.referentie ? `, ${running.referentie},` : '';
  const problem = lopend({
    detail: `Uw vorige aanvraag${named} was toch aangekomen.`,
    english: `Your previous request${named} had arrived after all.`,
  });
  refuse(onDecision, ONE_OPEN_REQUEST, { running }, problem);
}

const GONE: ProblemFault = {
  code: 'documenten-ongeldig',
  pointer: '/documents',
  detail: 'Een van de documenten is intussen weggegooid.',
  english: 'One of the documents was deleted in the meantime.',
};

const lopend = (said: Sentence): Problem => unprocessable([{ code: 'lopende-aanvraag', pointer: '', ...said }]);

const answer = (referentie: string): Answer => ok({ referentie } satisfies ReferentieResponse);

function unprocessable(faults: readonly [ProblemFault, ...ProblemFault[]]): Problem {
  return new Problem(faults[0].code, firstOf(faults), { errors: faults, status: 422 });
}
