import { Problem } from '../problem.ts';
import type { ProfessionalRole, StaffRole } from '../wire/values.ts';
import type { Caller } from './identity.ts';

interface CallerGroupRule {
  readonly admits: (caller: Caller) => boolean;
  readonly refusal: string;
}

const inRole =
  (professionalRoles: readonly ProfessionalRole[], staffRoles: readonly StaffRole[]) =>
  (caller: Caller): boolean =>
    caller.kind === 'professional'
      ? caller.roles.some((role) => professionalRoles.includes(role))
      : caller.roles.some((role) => staffRoles.includes(role));

const CALLER_GROUPS = {
  professional: {
    admits: ({ kind }) => kind === 'professional',
    refusal: 'Dit is voor zorgprofessionals. U bent ingelogd als medewerker; log in als zorgprofessional.',
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
} as const satisfies Record<string, CallerGroupRule>;

/** The name of a group of callers; `anyone` includes callers who are not identified. */
type CallerGroup = 'anyone' | keyof typeof CALLER_GROUPS;

/** The group of callers that may use each operation (domain.md 4.1, "Kind of caller"). */
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

/** Id of an operation, as in the OpenAPI document. */
export type OperationId = keyof typeof POLICY;

export const OPERATION_IDS = Object.keys(POLICY) as OperationId[];

/** The group of callers that may use the operation `Id`, as a literal type, so that the compiler can compare it. */
export type CallerGroupOf<Id extends OperationId> = (typeof POLICY)[Id];

const groupOf = (id: OperationId): CallerGroup | undefined => (Object.hasOwn(POLICY, id) ? POLICY[id] : undefined);

/** Returns true when the operation can be used without identification. */
export const isPublic = (id: OperationId): boolean => groupOf(id) === 'anyone';

/**
 * Returns true when the policy admits the caller's kind and role to the operation. Returns false for a public
 * operation, and for an id that is not in the policy.
 */
export function isAdmitted(id: OperationId, caller: Caller): boolean {
  const group = groupOf(id);
  return group !== undefined && group !== 'anyone' && CALLER_GROUPS[group].admits(caller);
}

/** Throws 403 `rol-ontbreekt` when the policy does not admit the caller's kind or role to the operation. */
export function admit(id: OperationId, caller: Caller): void {
  if (!isAdmitted(id, caller)) throw notAdmitted(id, caller.roles);
}

/** Returns which check of the policy refuses a caller for an operation, for the log. */
export function refusedCheck(id: OperationId, { roles }: Caller): string {
  if (groupOf(id) === 'professional') return 'kind of caller';
  return roles.length === 0 ? 'no role' : `role: only ${roles.join(', ')}`;
}

/**
 * Returns the problem 403 `rol-ontbreekt` for an operation. Its detail says who may use the operation, and which roles
 * the caller has: with the stand-in a caller without `X-Role` is a drafter, whatever the persona.
 */
export function notAdmitted(id: OperationId, roles: Caller['roles']): Problem {
  const group = groupOf(id);
  if (group === undefined) return new Problem('rol-ontbreekt', 'Niemand mag deze aanroep doen.');
  if (group === 'anyone') return new Problem('rol-ontbreekt', 'Deze aanroep is openbaar en heeft geen rol.');
  const { refusal } = CALLER_GROUPS[group];
  if (group === 'professional') return new Problem('rol-ontbreekt', refusal);
  const held = roles.length === 0 ? 'U hebt geen rol.' : `U bent ingelogd als ${roles.join(' en ')}.`;
  return new Problem('rol-ontbreekt', `${refusal} ${held}`);
}
