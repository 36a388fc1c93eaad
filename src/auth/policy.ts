import { Problem, type Sentence, sentence } from '../problem.ts';
import { DUTCH_ROLES, type ProfessionalRole, type StaffRole } from '../wire/values.ts';
import type { Caller } from './identity.ts';

interface CallerGroupRule {
  readonly admits: (caller: Caller) => boolean;
  readonly refusal: Sentence;
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
    refusal: sentence(
      'Dit is voor zorgprofessionals. U bent ingelogd als medewerker; log in als zorgprofessional.',
      'This is for professionals. You are logged in as staff; log in as a professional.',
    ),
  },
  uploadAdmin: {
    admits: inRole(['admin'], ['beheerder']),
    refusal: sentence('Dit is voor een beheerder.', 'This is for an admin, or for staff in the role beheerder.'),
  },
  letter: {
    admits: inRole(['drafter', 'approver', 'admin'], ['behandelaar', 'teamlead']),
    refusal: sentence(
      'Dit is voor wie aan brieven werkt: een opsteller, beoordelaar, beheerder, behandelaar of teamlead.',
      'This is for work on letters: a drafter, approver or admin, or staff in the role behandelaar or teamlead.',
    ),
  },
  letterDrafter: {
    admits: inRole(['drafter', 'admin'], ['behandelaar']),
    refusal: sentence(
      'Een brief schrijven is voor een opsteller, beheerder of behandelaar.',
      'To write a letter is for a drafter or admin, or for staff in the role behandelaar.',
    ),
  },
  letterApprover: {
    admits: inRole(['approver', 'admin'], ['teamlead']),
    refusal: sentence(
      'Een brief beoordelen is voor een beoordelaar, beheerder of teamlead.',
      'To judge a letter is for an approver or admin, or for staff in the role teamlead.',
    ),
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

/** Returns the name of the check that refused the caller, for the log. */
export function refusedCheck(group: CallerGroup, { roles }: Caller): string {
  if (group === 'professional') return 'kind of caller';
  return roles.length === 0 ? 'no role' : `role: only ${roles.join(', ')}`;
}

/**
 * The detail says which group may use the operation, and which roles the caller has: with the stand-in a caller without
 * `X-Role` is a drafter, whatever the persona.
 */
export function notAdmitted(group: CallerGroup, roles: Caller['roles']): Problem {
  if (group === 'anyone')
    return new Problem(
      'rol-ontbreekt',
      sentence('Deze aanroep is openbaar en heeft geen rol.', 'This call is public and has no role.'),
    );
  const refusal = ruleOf(group)?.refusal ?? sentence('Niemand mag deze aanroep doen.', 'No caller may make this call.');
  if (group === 'professional') return new Problem('rol-ontbreekt', refusal);
  const [held, inEnglish] =
    roles.length === 0
      ? ['U hebt geen rol.', 'You have no role.']
      : [
          `U bent ingelogd als ${roles.map((role) => DUTCH_ROLES[role] ?? role).join(' en ')}.`,
          `You are logged in as ${roles.join(' and ')}.`,
        ];
  return new Problem('rol-ontbreekt', sentence(`${refusal.detail} ${held}`, `${refusal.english} ${inEnglish}`));
}
