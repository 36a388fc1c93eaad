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

/** `anyone` includes callers who are not identified. */
export type CallerGroup = 'anyone' | keyof typeof CALLER_GROUPS;

const ruleOf = (group: CallerGroup): CallerGroupRule | undefined =>
  group !== 'anyone' && Object.hasOwn(CALLER_GROUPS, group) ? CALLER_GROUPS[group] : undefined;

/** False for `anyone`, and for a group that does not exist. */
export const isAdmitted = (group: CallerGroup, caller: Caller): boolean => ruleOf(group)?.admits(caller) === true;

/** Throws 403 `rol-ontbreekt` when the caller is not in the group. */
export function admit(group: CallerGroup, caller: Caller): void {
  if (!isAdmitted(group, caller)) throw notAdmitted(group, caller.roles);
}

/** For the log. */
export function refusedCheck(group: CallerGroup, { roles }: Caller): string {
  if (group === 'professional') return 'kind of caller';
  return roles.length === 0 ? 'no role' : `role: only ${roles.join(', ')}`;
}

/**
 * The detail says which group may use the operation, and which roles the caller has: with the stand-in a caller without
 * `X-Role` is a drafter, whatever the persona.
 */
export function notAdmitted(group: CallerGroup, roles: Caller['roles']): Problem {
  if (group === 'anyone') return new Problem('rol-ontbreekt', 'Deze aanroep is openbaar en heeft geen rol.');
  const refusal = ruleOf(group)?.refusal ?? 'Niemand mag deze aanroep doen.';
  if (group === 'professional') return new Problem('rol-ontbreekt', refusal);
  const held = roles.length === 0 ? 'U hebt geen rol.' : `U bent ingelogd als ${roles.join(' en ')}.`;
  return new Problem('rol-ontbreekt', `${refusal} ${held}`);
}
