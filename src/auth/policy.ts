import { Problem } from '../problem.ts';
import type { ProfessionalRole, StaffRole } from '../wire/values.ts';
import type { Caller } from './identity.ts';

/** CallerGroup an operation is for, and what anyone else is told. */
interface Admission {
  readonly admits: (caller: Caller) => boolean;
  readonly refusal: string;
}

/** A professional in one of these roles, or a member of staff with one of those. */
const inRole =
  (roles: readonly ProfessionalRole[], rollen: readonly StaffRole[]) =>
  (caller: Caller): boolean =>
    caller.kind === 'professional'
      ? caller.roles.some((role) => roles.includes(role))
      : caller.roles.some((rol) => rollen.includes(rol));

const ADMISSIONS = {
  professional: {
    admits: ({ kind }) => kind === 'professional',
    refusal: 'Dit is voor zorgprofessionals. U bent aangemeld als medewerker; meld u aan als professional.',
  },
  uploadAdmin: {
    admits: inRole(['admin'], ['beheerder']),
    refusal: 'Dit is voor een admin, of voor een medewerker met de rol beheerder.',
  },
  letter: {
    admits: inRole(['drafter', 'approver', 'admin'], ['behandelaar', 'teamlead']),
    refusal: 'Dit is voor wie aan brieven werkt: een drafter, approver of admin, of een behandelaar of teamlead.',
  },
  letterDrafter: {
    admits: inRole(['drafter', 'admin'], ['behandelaar']),
    refusal: 'Een brief schrijven is voor een drafter of admin, of voor een behandelaar.',
  },
  letterApprover: {
    admits: inRole(['approver', 'admin'], ['teamlead']),
    refusal: 'Een brief beoordelen is voor een approver of admin, of voor een teamlead.',
  },
} as const satisfies Record<string, Admission>;

type CallerGroup = 'anyone' | keyof typeof ADMISSIONS;

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
  uploadCategories: 'professional',
  createUpload: 'professional',
  uploadStatus: 'professional',
  uploadContent: 'professional',
  deleteUpload: 'professional',
  adminDeleteUpload: 'uploadAdmin',
  brief: 'letter',
  saveBrief: 'letterDrafter',
  briefSubmit: 'letterDrafter',
  briefApprove: 'letterApprover',
  briefReject: 'letterApprover',
  briefSend: 'letter',
  briefReset: 'letter',
  briefPreview: 'letter',
} as const satisfies Record<string, CallerGroup>;

export type OperationId = keyof typeof POLICY;

/** CallerGroup the policy admits to an operation; for whoever writes the same down elsewhere and must not differ. */
export type CallerGroupOf<Id extends OperationId> = (typeof POLICY)[Id];

/** Whether the operation needs no identity at all. */
export const isPublic = (id: OperationId): boolean => POLICY[id] === 'anyone';

/** Whether this caller may do this. */
export function isAdmitted(id: OperationId, caller: Caller): boolean {
  const whom = POLICY[id];
  return whom !== 'anyone' && ADMISSIONS[whom].admits(caller);
}

/** Throws 403 `rol-ontbreekt` when this caller, or this kind of caller, may not do this. */
export function admit(id: OperationId, caller: Caller): void {
  if (isAdmitted(id, caller)) return;
  const whom = POLICY[id];
  throw new Problem(
    'rol-ontbreekt',
    whom === 'anyone' ? 'Dit is voor niemand in het bijzonder.' : ADMISSIONS[whom].refusal,
  );
}
