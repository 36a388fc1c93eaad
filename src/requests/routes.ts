import { randomUUID } from 'node:crypto';
import type { Professional } from '../auth/identity.ts';
import { demand, refuse } from '../domain/rule.ts';
import { type Answer, ok } from '../http/answer.ts';
import { keyInUse } from '../http/idempotency.ts';
import { forProfessionals, type Request } from '../http/operation.ts';
import type { ApplicationSummary } from '../ports/applications.ts';
import { type FieldFault, Problem } from '../problem.ts';
import type { ProblemCode } from '../problem-codes.ts';
import { digitalOf } from '../uploads/rules.ts';
import type { ApplicationType } from '../wire/values.ts';
import { refreshFromRegister, runningOf } from './current.ts';
import type { SubmissionDeps } from './deps.ts';
import { gatherFacts } from './facts.ts';
import {
  checkChange,
  checkHerregistratieRequest,
  checkIntake,
  checkRegistratie,
  ONE_OPEN_REQUEST,
  type RequestContent,
  type RequestFacts,
  type RequestRule,
} from './rules.ts';
import {
  ChangeRequestRequest,
  HerregistratieRequest,
  IntakeRequest,
  ReferentieResponse,
  RegistratieRequest,
} from './schema.ts';
import { demandScholing } from './scholing.ts';
import { APPLICATION_LEASE_MS, fingerprint, linkDocuments, sendNoted, toZaak } from './sending.ts';

export const requests = (deps: SubmissionDeps) => [
  forProfessionals({
    id: 'createRegistration',
    method: 'POST',
    path: '/registrations',
    tag: 'Aanvragen',
    summary: 'Registratie aanvragen',
    makes: true,
    body: RegistratieRequest,
    answers: { 200: ReferentieResponse },
    problems: {
      422: [
        'diplomaherkomst-ongeldig',
        'geen-duo-diploma',
        'al-geregistreerd',
        'herinschrijving-niet-mogelijk',
        'lopende-aanvraag',
        'documenten-ongeldig',
      ],
    },
    upstreams: ['register', 'duo'],
    handle: (request) => submit(deps, request, { type: 'registratie', check: checkRegistratie }, request.body),
  }),

  forProfessionals({
    id: 'createHerregistratie',
    method: 'POST',
    path: '/herregistraties',
    tag: 'Aanvragen',
    summary: 'Herregistratie aanvragen',
    makes: true,
    body: HerregistratieRequest,
    answers: { 200: ReferentieResponse },
    problems: {
      422: [
        'uren-ongeldig',
        'niet-herregistreerbaar',
        'urennorm-niet-gehaald',
        'lopende-aanvraag',
        'documenten-ongeldig',
      ],
    },
    upstreams: ['register'],
    handle: (request) =>
      submit(deps, request, { type: 'herregistratie', check: checkHerregistratieRequest }, request.body),
  }),

  forProfessionals({
    id: 'createIntake',
    method: 'POST',
    path: '/intakes',
    tag: 'Aanvragen',
    summary: 'Intake indienen',
    description:
      'Onder de drempel van GET /intake/policy moet `scholing` met ja of nee zijn beantwoord; `punten` alleen bij ja.',
    makes: true,
    body: IntakeRequest,
    answers: { 200: ReferentieResponse },
    problems: { 400: ['scholing-regel'], 422: ['uren-ongeldig', 'lopende-aanvraag'] },
    upstreams: ['register'],
    handle: (request) =>
      submit(
        deps,
        request,
        {
          type: 'intake',
          check: checkIntake,
          first: ({ registraties }) => {
            const { uren, scholing, punten } = request.body;
            demandScholing({ uren, scholing, punten }, registraties, request.because);
          },
        },
        request.body,
      ),
  }),

  forProfessionals({
    id: 'createChangeRequest',
    method: 'POST',
    path: '/change-requests',
    tag: 'Aanvragen',
    summary: 'Correspondentieadres wijzigen',
    description:
      'Het adres waar het register naartoe schrijft. Een verhuizing meldt u bij uw gemeente. ' +
      'Wie niet in Nederland woont, mag elke postcode van 2 tot 10 tekens geven.',
    makes: true,
    body: ChangeRequestRequest,
    answers: { 200: ReferentieResponse },
    problems: { 422: ['adres-ongeldig', 'adres-ongewijzigd', 'lopende-aanvraag'] },
    upstreams: ['brp', 'register'],
    handle: (request) => submit(deps, request, { type: 'adreswijziging', check: checkChange }, request.body),
  }),
];

/** A kind of request that is submitted without a draft: its type, and the checks on the request. */
interface RequestKind {
  readonly type: ApplicationType;
  readonly check: RequestRule;
  /** A check that runs before `check`, and throws a problem with a code of its own; absent when there is none. */
  readonly first?: (facts: RequestFacts) => void;
}

/**
 * Submits a request without a draft: checks the request, records that it is being sent, sends it to the register,
 * stores the reference and returns a 200 answer with it. When the answer to an earlier request of the same kind was
 * lost, sends the new request with the idempotency key of the earlier request, so that the register accepts only one of
 * them. Throws the problem of `first`; 409 `sleutel-in-gebruik` while an earlier attempt with the key is in progress;
 * 422 with all faults of the request; 504 when the register's answer is lost; and `UpstreamError` when an upstream
 * fails.
 */
async function submit(
  deps: SubmissionDeps,
  request: Request<Professional>,
  { type, check, first }: RequestKind,
  asked: RequestContent,
): Promise<Answer> {
  const { caller, making, now, call, because } = request;
  const { applications } = deps;
  const owner = caller.subject;
  const documentIds = digitalOf(asked.documents ?? []);
  const at = now.toISOString();

  const open = await refreshFromRegister(deps, request);
  const doubtful = open.find((one) => one.type === type && one.tag === 'Pending' && !one.claimed);
  const facts = await gatherFacts(deps, request, type, asked, runningOf(open, type, doubtful?.id));
  if (making.retry) {
    const sentHash = fingerprint(toZaak(caller, making.id, type, asked, facts));
    // An attempt with this key may have sent its content with the key of an earlier request that was in doubt.
    const hasThisContent = (one: ApplicationSummary) => one.type === type && one.sentHash === sentHash;
    const earlier = (await applications.find(owner, making.id)) ?? open.find(hasThisContent);
    if (earlier?.referentie) {
      // The register may have the content of another attempt that was sent under the same key.
      if (sentHash === earlier.sentHash) return answer(earlier.referentie);
      refuse(
        because,
        ONE_OPEN_REQUEST,
        { earlier },
        lopend(`Uw aanvraag ${earlier.referentie} was al aangekomen, met een andere inhoud.`),
      );
    }
    if (earlier?.claimed) refuse(because, ONE_OPEN_REQUEST, { earlier }, keyInUse());
  }
  first?.(facts);
  demand(because, check, facts, unprocessable);

  const id = doubtful?.id ?? making.id;
  request.account.about({ applicationId: id });
  const zaak = toZaak(caller, id, type, asked, facts);
  const noted = {
    token: randomUUID(),
    sentKey: doubtful?.sentKey ?? making.key,
    sentHash: fingerprint(zaak),
    before: doubtful?.sentHash ?? null,
  };
  const claim = { token: noted.token, until: Date.now() + APPLICATION_LEASE_MS };
  const isOurs = doubtful
    ? await applications.adopt(id, doubtful.sentAt, noted, claim)
    : await applications.addPending({ id, owner, type, createdAt: at, documentIds }, noted, claim);
  if (!isOurs)
    refuse(because, ONE_OPEN_REQUEST, { type, doubtful }, lopend('Een andere aanvraag van deze soort is al onderweg.'));
  if (!(await linkDocuments(deps, zaak, noted, owner)))
    refuse(because, ONE_OPEN_REQUEST, { documentIds }, unprocessable([GONE]));

  const ontvangst = await sendNoted(deps, zaak, noted, { owner, at, call, because });
  if (ontvangst !== null) return answer(ontvangst.referentie);
  const running = await applications.find(caller.subject, id);
  refuse(
    because,
    ONE_OPEN_REQUEST,
    { running },
    lopend(`Uw vorige aanvraag${running?.referentie ? `, ${running.referentie},` : ''} was toch aangekomen.`),
  );
}

const GONE: FieldFault = {
  code: 'documenten-ongeldig',
  pointer: '/documents',
  detail: 'Een van de documenten is intussen weggegooid.',
};

const lopend = (detail: string): Problem => unprocessable([{ code: 'lopende-aanvraag', pointer: '', detail }]);

const answer = (referentie: string): Answer => ok({ referentie } satisfies ReferentieResponse);

/** Returns a 422 problem with all faults. The code of the problem is that of the first fault. */
function unprocessable(faults: readonly [FieldFault, ...FieldFault[]]): Problem {
  const [{ code, detail }] = faults;
  const more = faults.length === 1 ? '' : ` En nog ${faults.length - 1} ${faults.length === 2 ? 'punt' : 'punten'}.`;
  return new Problem(code as ProblemCode, `${detail}${more}`, { errors: faults, status: 422 });
}
