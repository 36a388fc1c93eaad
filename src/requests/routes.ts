import { forProfessionals } from '../http/operation/operation.ts';
import type { SubmissionDeps } from './current.ts';
import { checkChange, checkHerregistratieRequest, checkIntake, checkRegistratie, demandScholing } from './rules.ts';
import {
  ChangeRequestRequest,
  HerregistratieRequest,
  IntakeRequest,
  ReferentieResponse,
  RegistratieRequest,
} from './schema.ts';
import { submit } from './submit.ts';

/** They submit a request without a draft. */
export const requests = (deps: SubmissionDeps) => [
  forProfessionals({
    id: 'createRegistration',
    method: 'POST',
    path: '/registrations',
    activity: 'aanvraag-indienen',
    act: 'aanvraag-indienen',
    tag: 'Aanvragen',
    english: 'Requests a registration.',
    summary: 'Registratie aanvragen',
    creates: true,
    body: RegistratieRequest,
    example: { diplomaHerkomst: 'duo', documents: [] },
    answers: { 200: ReferentieResponse },
    answerExample: { referentie: 'REG-2026-123456' },
    problems: {
      422: [
        'aanvrager-overleden',
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
    activity: 'aanvraag-indienen',
    act: 'aanvraag-indienen',
    tag: 'Aanvragen',
    english: 'Requests the renewal of a registration.',
    summary: 'Herregistratie aanvragen',
    creates: true,
    body: HerregistratieRequest,
    example: { uren: 2600, documents: [] },
    answers: { 200: ReferentieResponse },
    answerExample: { referentie: 'HER-2026-123456' },
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
    activity: 'aanvraag-indienen',
    act: 'aanvraag-indienen',
    tag: 'Aanvragen',
    english: 'Submits an intake: the hours that the caller worked in the profession, and whether there was training.',
    summary: 'Intake indienen',
    description:
      'Onder de drempel van GET /intake/policy moet `scholing` met ja of nee zijn beantwoord; `punten` alleen bij ja.',
    creates: true,
    body: IntakeRequest,
    example: { uren: 1200, scholing: 'ja', punten: 200 },
    answers: { 200: ReferentieResponse },
    answerExample: { referentie: 'INT-2026-123456' },
    problems: { 400: ['scholing-regel'], 422: ['aanvrager-overleden', 'uren-ongeldig', 'lopende-aanvraag'] },
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
            demandScholing({ uren, scholing, punten }, registraties, request.onDecision);
          },
        },
        request.body,
      ),
  }),

  forProfessionals({
    id: 'createChangeRequest',
    method: 'POST',
    path: '/change-requests',
    activity: 'aanvraag-indienen',
    act: 'aanvraag-indienen',
    tag: 'Aanvragen',
    english: 'Changes the correspondence address.',
    summary: 'Correspondentieadres wijzigen',
    description:
      'Het adres waar het register naartoe schrijft. Een verhuizing meldt u bij uw gemeente. ' +
      'Wie niet in Nederland woont, mag elke postcode van 2 tot 10 tekens geven.',
    creates: true,
    body: ChangeRequestRequest,
    example: { straat: 'Kerkstraat 1 A', postcode: '1012 GG', woonplaats: 'Amsterdam' },
    answers: { 200: ReferentieResponse },
    answerExample: { referentie: 'ADR-2026-123456' },
    problems: { 422: ['aanvrager-overleden', 'adres-ongeldig', 'adres-ongewijzigd', 'lopende-aanvraag'] },
    upstreams: ['brp', 'register'],
    handle: (request) =>
      submit(deps, request, { type: 'adreswijziging', check: checkChange, keepsContent: true }, request.body),
  }),
];
