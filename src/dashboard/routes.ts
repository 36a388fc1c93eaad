import { forProfessionals, ok } from '../http/operation.ts';
import { judged } from '../http/why.ts';
import type { Brp } from '../ports/brp.ts';
import { UpstreamError } from '../ports/call.ts';
import { type Register, registerKey } from '../ports/register.ts';
import { checkHerregistratie, currentRegistration, obstacleTo, toPerson, toRegistration } from './rules.ts';
import { DashboardViewDto } from './schema.ts';

export const dashboard = ({ register, brp }: { register: Register; brp: Brp }) => [
  forProfessionals({
    id: 'dashboardView',
    method: 'GET',
    path: '/dashboard-view',
    tag: 'Dashboard',
    summary: 'Registratie, persoonsgegevens en herregistratie',
    description:
      'Zonder X-Step-Up is het registernummer op de laatste twee cijfers na verborgen. ' +
      'Antwoordt de BRP niet, dan komt de naam uit het register en is het adres leeg.',
    answers: { 200: DashboardViewDto },
    sources: ['register', 'brp'],
    stepUp: true,
    async handle({ caller, today, steppedUp, call, because }) {
      const [registraties, persoon] = await Promise.all([
        register.registraties(registerKey(caller), call),
        caller.bsn === null ? null : brp.persoon(caller.bsn, call).catch(withoutBrp),
      ]);
      const registratie = judged(
        because,
        {
          rule: 'currentRegistration',
          source: 'domain.md 4.2',
          facts: () => ({ registraties }),
          outcome: (current) => current?.id ?? null,
        },
        () => currentRegistration(registraties),
      );
      const registration = judged(
        because,
        {
          rule: 'maskRegisterNummer',
          source: 'specification.md, "Authentication 4"; domain.md 4.2',
          facts: () => ({ steppedUp, registerNummer: registratie?.registerNummer ?? null }),
          outcome: (shown) => ({ registerNummer: shown?.registerNummer ?? null }),
        },
        () => registratie && toRegistration(registratie, steppedUp),
      );
      const person = judged(
        because,
        {
          rule: 'toPerson',
          source: 'domain.md 4.1, "Dashboard without the BRP"; domain.md 4.3',
          facts: () => ({
            brp: persoon === undefined ? 'geen antwoord' : persoon,
            register: registratie?.naam ?? null,
          }),
        },
        () => toPerson(registratie, persoon),
      );
      const decisions = judged(
        because,
        {
          rule: 'checkHerregistratie',
          source: 'domain.md 4.2',
          facts: () => ({ registratie, today }),
          outcome: (decided) => ({ ...decided, obstacle: obstacleTo(registratie, today)?.name ?? null }),
        },
        () => checkHerregistratie(registratie, today),
      );
      return ok({ registration, person, decisions } satisfies DashboardViewDto);
    },
  }),
];

/** The dashboard alone degrades: it can be read without an address (reliability.md, "Honest failure"). The log still tells. */
function withoutBrp(error: unknown): undefined {
  if (error instanceof UpstreamError) return undefined;
  throw error;
}
