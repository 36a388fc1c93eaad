import { forProfessionals, ok } from '../http/operation.ts';
import type { Brp } from '../ports/brp.ts';
import { UpstreamError } from '../ports/call.ts';
import { type Register, registerKey } from '../ports/register.ts';
import { checkHerregistratie, currentRegistration, toPerson, toRegistration } from './rules.ts';
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
    async handle({ caller, today, steppedUp, call }) {
      const [registraties, persoon] = await Promise.all([
        register.registraties(registerKey(caller), call),
        caller.bsn === null ? null : brp.persoon(caller.bsn, call).catch(withoutBrp),
      ]);
      const registratie = currentRegistration(registraties);
      return ok({
        registration: registratie && toRegistration(registratie, steppedUp),
        person: toPerson(registratie, persoon),
        decisions: checkHerregistratie(registratie, today),
      } satisfies DashboardViewDto);
    },
  }),
];

/** The dashboard alone degrades: it can be read without an address (design.md, "Honest failure"). The log still tells. */
function withoutBrp(error: unknown): undefined {
  if (error instanceof UpstreamError) return undefined;
  throw error;
}
