import { maskRegisterNummer } from '../domain/identifiers.ts';
import { checkHerregistratie, currentRegistration } from '../domain/registraties.ts';
import { decide } from '../domain/rule.ts';
import { ok } from '../http/exchange.ts';
import { forProfessionals } from '../http/operation/operation.ts';
import type { Brp } from '../ports/brp.ts';
import { UpstreamError } from '../ports/call.ts';
import { type Register, registerKey } from '../ports/register.ts';
import { toPerson, toRegistration } from './rules.ts';
import { DashboardViewDto } from './schema.ts';

export const dashboard = ({ register, brp }: { register: Register; brp: Brp }) => [
  forProfessionals({
    id: 'dashboardView',
    method: 'GET',
    path: '/dashboard-view',
    activity: 'register-raadplegen',
    tag: 'Dashboard',
    english:
      'Returns the registration and the personal data of the caller, and whether the registration can be renewed.',
    summary: 'Registratie, persoonsgegevens en herregistratie',
    description:
      'Zonder X-Step-Up is het registernummer op de laatste twee cijfers na verborgen. ' +
      'Antwoordt de BRP niet, dan komt de naam uit het register en is het adres leeg.',
    answers: { 200: DashboardViewDto },
    answerExample: {
      registration: {
        registerNummer: '*********01',
        naam: 'A. Voorbeeld',
        beroep: 'verpleegkundige',
        registratiedatum: '2021-03-29',
        geboortedatum: '1988-03-14',
        status: {
          tag: 'Geregistreerd',
          herregistratieDatum: '2026-03-29',
          geschorstTot: null,
          reden: null,
          doorgehaaldOp: null,
        },
      },
      person: {
        naam: 'A. Voorbeeld',
        geboortedatum: '1988-03-14',
        adres: { straat: 'Kerkstraat 1 A', postcode: '1012 GG', woonplaats: 'Amsterdam' },
      },
      decisions: { eligibleForHerregistratie: true, herregistratieReason: null },
    },
    upstreams: ['register', 'brp'],
    stepUp: true,
    async handle({ caller, today, steppedUp, call, onDecision }) {
      const [registraties, persoon] = await Promise.all([
        register.registraties(registerKey(caller), call),
        caller.bsn === null ? null : brp.persoon(caller.bsn, call).catch(withoutBrp),
      ]);
      const registratie = decide(onDecision, currentRegistration, { registraties, today });
      const { registerNummer } = decide(onDecision, maskRegisterNummer, {
        registerNummer: registratie?.registerNummer ?? null,
        steppedUp,
      });
      const registration = registratie && toRegistration(registratie, registerNummer);
      const person = decide(onDecision, toPerson, { registratie, persoon });
      const decisions = decide(onDecision, checkHerregistratie, { registratie, today });
      return ok({ registration, person, decisions } satisfies DashboardViewDto);
    },
  }),
];

// Returns undefined for an `UpstreamError`, and throws any other error.
function withoutBrp(error: unknown): undefined {
  if (error instanceof UpstreamError) return undefined;
  throw error;
}
