import { randomUUID } from 'node:crypto';
import type { Professional } from '../auth/identity.ts';
import { type Answer, forProfessionals, ok, type Request } from '../http/operation.ts';
import { type Because, judged } from '../http/why.ts';
import { type Fault, Problem, type ProblemCode } from '../problem.ts';
import { lookAtRegister, runningOf } from '../submission/current.ts';
import type { SubmissionDeps } from '../submission/deps.ts';
import { gatherFacts, weighed } from '../submission/facts.ts';
import { demandScholing } from '../submission/scholing.ts';
import { fingerprint, holdDocuments, LEASE, sendNoted, toZaak } from '../submission/sending.ts';
import { digitalOf } from '../uploads/rules.ts';
import type { ApplicationType } from '../wire/values.ts';
import {
  type Asked,
  checkChange,
  checkHerregistratieRequest,
  checkIntake,
  checkRegistratie,
  type Facts,
  type Rule,
} from './rules.ts';
import {
  ChangeRequestRequest,
  HerregistratieRequest,
  IntakeRequest,
  ReferentieResponse,
  RegistratieRequest,
} from './schema.ts';

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
        'lopende-aanvraag',
        'documenten-ongeldig',
      ],
    },
    sources: ['register', 'duo'],
    handle: (request) => submit(deps, request, { type: 'registratie', rule: checkRegistratie }, request.body),
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
    sources: ['register'],
    handle: (request) =>
      submit(deps, request, { type: 'herregistratie', rule: checkHerregistratieRequest }, request.body),
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
    sources: ['register'],
    handle: (request) =>
      submit(
        deps,
        request,
        {
          type: 'intake',
          rule: checkIntake,
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
    description: 'Het adres waar het register naartoe schrijft. Een verhuizing meldt u bij uw gemeente.',
    makes: true,
    body: ChangeRequestRequest,
    answers: { 200: ReferentieResponse },
    problems: { 422: ['adres-ongeldig', 'adres-ongewijzigd', 'lopende-aanvraag'] },
    sources: ['brp', 'register'],
    handle: (request) => submit(deps, request, { type: 'adreswijziging', rule: checkChange }, request.body),
  }),
];

interface Kind {
  readonly type: ApplicationType;
  readonly rule: Rule;
  /** A check that comes before the rules, with a problem of its own. */
  readonly first?: (facts: Facts) => void;
}

/**
 * A request without a draft: judged, noted as being sent, sent, settled. One of the same kind that is in doubt is sent again
 * under its own key instead of beside it: whichever of the two arrives, there is one.
 */
async function submit(
  deps: SubmissionDeps,
  request: Request<Professional>,
  { type, rule, first }: Kind,
  asked: Asked,
): Promise<Answer> {
  const { caller, making, now, call, because } = request;
  const { applications } = deps;
  const owner = caller.subject;
  const documentIds = digitalOf(asked.documents ?? []);
  const at = now.toISOString();

  const open = await lookAtRegister(deps, request);
  const earlier = making.retry ? await applications.find(caller.subject, making.id) : null;

  const doubtful = open.find((one) => one.type === type && one.tag === 'Pending' && !one.claimed);
  const facts = await gatherFacts(deps, request, type, asked, runningOf(open, type, doubtful?.id));
  if (earlier?.referentie) {
    // The same request again. What the register has may be the content of another try that was sent under this one's key.
    if (fingerprint(toZaak(caller, earlier.id, type, asked, facts)) === earlier.sentHash)
      return answer(earlier.referentie);
    refuseOnce(
      because,
      () => ({ earlier }),
      lopend(`Uw aanvraag ${earlier.referentie} was al aangekomen, met een andere inhoud.`),
    );
  }
  first?.(facts);
  const ground = {
    rule: rule.name,
    source: 'domain.md 4.7',
    facts: () => weighed(asked, facts),
  };
  judged(because, ground, () => refuse(rule(asked, facts)));

  const id = doubtful?.id ?? making.id;
  request.account.about({ applicationId: id });
  const zaak = toZaak(caller, id, type, asked, facts);
  const noted = {
    token: randomUUID(),
    sentKey: doubtful?.sentKey ?? making.key,
    sentHash: fingerprint(zaak),
    before: doubtful?.sentHash ?? null,
  };
  const claim = { token: noted.token, until: Date.now() + LEASE };
  const isOurs = doubtful
    ? await applications.adopt(id, doubtful.sentAt, noted, claim)
    : await applications.addPending({ id, owner, type, createdAt: at, documentIds }, noted, claim);
  if (!isOurs)
    refuseOnce(because, () => ({ type, doubtful }), lopend('Een andere aanvraag van deze soort is al onderweg.'));
  if (!(await holdDocuments(deps, zaak, noted, owner))) refuseOnce(because, () => ({ documentIds }), GONE);

  const ontvangst = await sendNoted(deps, zaak, noted, { owner, at, call, because });
  if (ontvangst !== null) return answer(ontvangst.referentie);
  const running = await applications.find(caller.subject, id);
  refuseOnce(
    because,
    () => ({ running }),
    lopend(`Uw vorige aanvraag${running?.referentie ? `, ${running.referentie},` : ''} was toch aangekomen.`),
  );
  throw new Error('a refusal that did not refuse');
}

const GONE: Fault = {
  code: 'documenten-ongeldig',
  pointer: '/documents',
  detail: 'Een van de documenten is intussen weggegooid.',
};

const lopend = (detail: string): Fault => ({ code: 'lopende-aanvraag', pointer: '', detail });

const answer = (referentie: string): Answer => ok({ referentie } satisfies ReferentieResponse);

/** 422 for what the store or the register turned out to have meanwhile: of one kind there is one, and nothing goes twice. */
const refuseOnce = (because: Because | undefined, facts: () => unknown, fault: Fault): void =>
  judged(because, { rule: 'one of a kind', source: 'reliability.md, "Nothing lost, nothing twice"', facts }, () =>
    refuse([fault]),
  );

/** 422 with all that is wrong at once; its code is that of the first. */
function refuse(faults: readonly Fault[]): void {
  const [first] = faults;
  if (first === undefined) return;
  const detail = faults.length === 1 ? first.detail : `${first.detail} En ${faults.length - 1} meer; zie \`errors\`.`;
  throw new Problem(first.code as ProblemCode, detail, { errors: faults, status: 422 });
}
