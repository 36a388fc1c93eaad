import { createHash } from 'node:crypto';
import type { Caller, Professional, Staff } from '../../src/auth/identity.ts';
import type { ClaimPaths } from '../../src/auth/trusted-issuer.ts';
import { passesElfproef } from '../../src/domain/elfproef.ts';
import { PROFESSIONAL_ROLES, STAFF_ROLES } from '../../src/wire/values.ts';
import { type Subjects, subjectsOf } from './subjects.ts';
import { TokenRefused } from './token-refused.ts';
import type { Claims } from './verify.ts';

const DEFAULT_WORKSPACE = 'default';

/**
 * Converts the claims of a verified token to a caller of this `kind` (`caller`). Also returns the owner names under which
 * the store keeps the caller's data (`subjects`): the current one and former ones, which are computed from the subject
 * claim with `keys`. Throws `TokenRefused` when the subject claim is missing, or a claim is invalid.
 */
export function toCaller(kind: Caller['kind'], claims: Claims, paths: ClaimPaths, keys: readonly Buffer[]) {
  const sub = subjectOf(claims, paths);
  const subjects = subjectsOf(kind, sub, keys);
  const caller: Caller =
    kind === 'professional' ? toProfessional(claims, paths, sub, subjects) : toStaff(claims, paths, sub, subjects);
  return { caller, subjects };
}

function toProfessional(claims: Claims, paths: ClaimPaths, sub: string, subjects: Subjects): Professional {
  return {
    kind: 'professional',
    subject: subjects.current,
    otherSubjects: [...subjects.former, sub],
    bsn: bsnOf(claims, paths),
    loginId: loginIdOf(sub),
    roles: rolesOf(claims, paths, PROFESSIONAL_ROLES),
    workspace: workspaceOf(claims, paths),
  };
}

function toStaff(claims: Claims, paths: ClaimPaths, sub: string, subjects: Subjects): Staff {
  return {
    kind: 'staff',
    subject: subjects.current,
    otherSubjects: [...subjects.former, sub],
    roles: rolesOf(claims, paths, STAFF_ROLES),
    workspace: workspaceOf(claims, paths),
  };
}

/**
 * Returns the value of a claim, or undefined. First looks for a claim whose name is the whole `path`, because a name
 * such as `https://example.nl/roles` has dots; then reads `path` as nested names separated by dots.
 */
function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  return path.split('.').reduce<unknown>((value, name) => {
    return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }, claims);
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function subjectOf(claims: Claims, { subject }: ClaimPaths): string {
  const sub = claimAt(claims, subject);
  if (typeof sub === 'string' && sub.trim() !== '' && sub.length <= 255) return sub;
  throw new TokenRefused('subject claim');
}

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url');

/**
 * Returns the login id by which the register identifies a person without burgerservicenummer: `sub`, or a hash of it
 * when it is long, has unusual characters, contains nine digits in a row (which could be a burgerservicenummer), or has
 * the form of such a hash (which could be that of another person).
 */
const loginIdOf = (sub: string): string =>
  /^(?!sha256\.)[\w.:@|-]{1,64}$/.test(sub) && !/\d{9}/.test(sub) ? sub : `sha256.${hash(sub)}`;

/**
 * Returns the burgerservicenummer, or null when the claim is absent or null. Throws `TokenRefused` for any other value
 * than a string that passes the 11-test (domain/elfproef.ts): such a caller must not count as a person without a
 * number.
 */
function bsnOf(claims: Claims, { bsn: path }: ClaimPaths): string | null {
  const bsn = path === undefined ? null : (claimAt(claims, path) ?? null);
  if (bsn === null || (typeof bsn === 'string' && passesElfproef(bsn))) return bsn;
  throw new TokenRefused('bsn claim');
}

/**
 * Returns the caller's roles that are in `known`; an empty list when there are none. Ignores other roles, which can be
 * for other services.
 */
function rolesOf<Role extends string>(claims: Claims, { roles: path }: ClaimPaths, known: readonly Role[]): Role[] {
  const claim = claimAt(claims, path);
  const given: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return known.filter((role) => given.includes(role));
}

function workspaceOf(claims: Claims, { workspace: path }: ClaimPaths): string {
  const workspace = path === undefined ? undefined : claimAt(claims, path);
  if (workspace === undefined || workspace === null) return DEFAULT_WORKSPACE;
  if (typeof workspace === 'string' && /^[\w.-]{1,64}$/.test(workspace)) return workspace;
  throw new TokenRefused('workspace claim');
}
