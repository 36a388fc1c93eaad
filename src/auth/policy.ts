import { Problem, type Sentence } from '../problem.ts';
import { DUTCH_ROLES, type ProfessionalRole, type StaffRole } from '../wire/values.ts';
import type { Caller } from './identity.ts';

type Role = ProfessionalRole | StaffRole;

interface CallerGroupRule {
  /** Null for every professional. */
  readonly roles: readonly Role[] | null;
  readonly refusal: Sentence;
}

const inRole = (roles: readonly Role[], act: string, english: string): CallerGroupRule => ({
  roles,
  refusal: {
    detail: `${act} is voor een ${listOf([...new Set(roles.map(dutchRole))], 'of')}.`,
    english: `${english} is for a caller in the role ${listOf(roles, 'or')}.`,
  },
});

const dutchRole = (role: Role): string => DUTCH_ROLES[role] ?? role;

/** Returns the words with `last` before the last one and commas between the others. */
export const listOf = (words: readonly string[], last: string): string =>
  words.join(', ').replace(/, ([^,]*)$/, ` ${last} $1`);

const CALLER_GROUPS = {
  professional: {
    roles: null,
    refusal: {
      detail: 'Dit is voor zorgprofessionals. U bent ingelogd als medewerker; log in als zorgprofessional.',
      english: 'This is for professionals. You are logged in as staff; log in as a professional.',
    },
  },
  uploadAdmin: inRole(['admin', 'beheerder'], 'Dit', 'This'),
  letter: inRole(['drafter', 'approver', 'admin', 'behandelaar', 'teamlead'], 'Werk aan een brief', 'Work on a letter'),
  letterDrafter: inRole(['drafter', 'admin', 'behandelaar'], 'Een brief schrijven', 'To write a letter'),
  letterApprover: inRole(['approver', 'admin', 'teamlead'], 'Een brief beoordelen', 'To judge a letter'),
} as const satisfies Record<string, CallerGroupRule>;

/** `anyone` includes callers who are not identified. */
export type CallerGroup = 'anyone' | keyof typeof CALLER_GROUPS;

const ruleOf = (group: CallerGroup): CallerGroupRule | undefined =>
  group !== 'anyone' && Object.hasOwn(CALLER_GROUPS, group) ? CALLER_GROUPS[group] : undefined;

/** Returns the roles of a group of which a caller needs one; empty when it has no roles. */
export const rolesOf = (group: CallerGroup): readonly Role[] => ruleOf(group)?.roles ?? [];

/** False for `anyone`, and for a group that does not exist. */
export function isAdmitted(group: CallerGroup, { kind, roles }: Caller): boolean {
  const admitted = ruleOf(group)?.roles;
  return admitted === null ? kind === 'professional' : roles.some((role) => admitted?.includes(role));
}

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
    return new Problem('rol-ontbreekt', {
      detail: 'Deze aanroep is openbaar en heeft geen rol.',
      english: 'This call is public and has no role.',
    });
  const refusal = ruleOf(group)?.refusal ?? {
    detail: 'Niemand mag deze aanroep doen.',
    english: 'No caller may make this call.',
  };
  if (group === 'professional') return new Problem('rol-ontbreekt', refusal);
  const [held, inEnglish] =
    roles.length === 0
      ? ['U hebt geen rol.', 'You have no role.']
      : [`U bent ingelogd als ${roles.map(dutchRole).join(' en ')}.`, `You are logged in as ${roles.join(' and ')}.`];
  return new Problem('rol-ontbreekt', {
    detail: `${refusal.detail} ${held}`,
    english: `${refusal.english} ${inEnglish}`,
  });
}
