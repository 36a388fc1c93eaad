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

const submission = {
  method: 'POST',
  activity: 'aanvraag-indienen',
  act: 'aanvraag-indienen',
  tag: 'Aanvragen',
  creates: true,
  answers: { 200: ReferentieResponse },
} as const;

/** The operations that submit a request without a draft. */
export const requests = (deps: SubmissionDeps) => [
  forProfessionals({
    ...submission,
    id: 'createRegistration',
    path: '/registrations',
    english: 'Requests a registration.',
    summary: 'Registratie aanvragen',
    description: 'Dient de aanvraag direct in, zonder concept. Zolang er een loopt, is een tweede niet mogelijk.',
    body: RegistratieRequest,
    example: { diplomaHerkomst: 'duo', documents: [] },
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
    ...submission,
    id: 'createHerregistratie',
    path: '/herregistraties',
    english: 'Requests the renewal of a registration.',
    summary: 'Herregistratie aanvragen',
    description:
      'Dient de aanvraag direct in, zonder concept. Kan vanaf zes maanden voor de uiterste datum; GET /dashboard-view zegt of het nu kan.',
    body: HerregistratieRequest,
    example: { uren: 2600, documents: [] },
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
    ...submission,
    id: 'createIntake',
    path: '/intakes',
    english: 'Submits an intake: the hours that the caller worked in the profession, and whether there was training.',
    summary: 'Intake indienen',
    description:
      'Onder de drempel van GET /intake/policy moet `scholing` met ja of nee zijn beantwoord; `punten` alleen bij ja.',
    body: IntakeRequest,
    example: { uren: 1200, scholing: 'ja', punten: 200 },
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
    ...submission,
    id: 'createChangeRequest',
    path: '/change-requests',
    english: 'Changes the correspondence address.',
    summary: 'Correspondentieadres wijzigen',
    description:
      'Het adres waar het register naartoe schrijft. Een verhuizing meldt u bij uw gemeente. ' +
      'Wie niet in Nederland woont, mag elke postcode van 2 tot 10 tekens geven.',
    body: ChangeRequestRequest,
    example: { straat: 'Kerkstraat 1 A', postcode: '1012 GG', woonplaats: 'Amsterdam' },
    answerExample: { referentie: 'ADR-2026-123456' },
    problems: { 422: ['aanvrager-overleden', 'adres-ongeldig', 'adres-ongewijzigd', 'lopende-aanvraag'] },
    upstreams: ['brp', 'register'],
    handle: (request) =>
      submit(deps, request, { type: 'adreswijziging', check: checkChange, keepsContent: true }, request.body),
  }),
];
