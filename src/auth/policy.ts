import { Problem } from '../problem.ts';
import type { Caller } from './identity.ts';

/**
 * Who may do what, on one page (domain.md 4.1, "Kind of caller"). An operation that is not in this table does not compile,
 * and one that got past the compiler would be refused: the default is no.
 */
const POLICY = {
  health: 'anyone',
  healthReady: 'anyone',
  openapi: 'anyone',
  dashboardView: 'professional',
  notes: 'professional',
  brpAddress: 'professional',
  duoDiplomas: 'professional',
  intakePolicy: 'professional',
  createRegistration: 'professional',
  createHerregistratie: 'professional',
  createIntake: 'professional',
  createChangeRequest: 'professional',
  listApplications: 'professional',
  createApplication: 'professional',
  readApplication: 'professional',
  syncApplication: 'professional',
  deleteApplication: 'professional',
  submitApplication: 'professional',
} as const satisfies Record<string, Admission>;

type Admission = 'anyone' | 'professional';

export type OperationId = keyof typeof POLICY;

/** Whether the operation needs no identity at all. */
export const isPublic = (id: OperationId): boolean => POLICY[id] === 'anyone';

/** Throws 403 `rol-ontbreekt` when this kind of caller may not do this. */
export function admit(id: OperationId, caller: Caller): void {
  if (POLICY[id] === 'professional' && caller.kind === 'professional') return;
  throw new Problem(
    'rol-ontbreekt',
    'Dit is voor zorgprofessionals. U bent aangemeld als medewerker; meld u aan als professional.',
  );
}
