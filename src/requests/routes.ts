import { forProfessionals } from '../http/operation/operation.ts';
import type { SubmissionDeps } from './deps.ts';
import { checkChange, checkHerregistratieRequest, checkIntake, checkRegistratie } from './rules.ts';
import {
  ChangeRequestRequest,
  HerregistratieRequest,
  IntakeRequest,
  ReferentieResponse,
  RegistratieRequest,
} from './schema.ts';
import { demandScholing } from './scholing.ts';
import { submit } from './submit.ts';

/** Returns the operations that submit a request without a draft. */
export const requests = (deps: SubmissionDeps) => [
  forProfessionals({
    id: 'createRegistration',
    method: 'POST',
    path: '/registrations',
    tag: 'Aanvragen',
    summary: 'Registratie aanvragen',
    creates: true,
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
    creates: true,
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
    creates: true,
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
    tag: 'Aanvragen',
    summary: 'Correspondentieadres wijzigen',
    description:
      'Het adres waar het register naartoe schrijft. Een verhuizing meldt u bij uw gemeente. ' +
      'Wie niet in Nederland woont, mag elke postcode van 2 tot 10 tekens geven.',
    creates: true,
    body: ChangeRequestRequest,
    answers: { 200: ReferentieResponse },
    problems: { 422: ['adres-ongeldig', 'adres-ongewijzigd', 'lopende-aanvraag'] },
    upstreams: ['brp', 'register'],
    handle: (request) => submit(deps, request, { type: 'adreswijziging', check: checkChange }, request.body),
  }),
];
