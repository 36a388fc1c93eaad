import { createHash } from 'node:crypto';
import type { Caller, Professional, Staff } from '../../src/auth/identity.ts';
import { passesElfproef } from '../../src/domain/elfproef.ts';
import { PROFESSIONAL_ROLES, STAFF_ROLES } from '../../src/wire/values.ts';
import { TokenRefused } from './token-refused.ts';
import type { Claims } from './verify.ts';

/** Names of the claims to read. A name may be a path with dots, such as `realm_access.roles`. */
export interface ClaimPaths {
  readonly subject: string;
  readonly bsn: string;
  readonly roles: string;
  /** Undefined: all callers share one workspace. */
  readonly workspace: string | undefined;
}

const DEFAULT_WORKSPACE = 'default';

/**
 * Returns the caller of a verified token, of the kind of its issuer. Throws `TokenRefused` when a claim is missing or
 * ambiguous.
 */
export const toCaller = (kind: Caller['kind'], claims: Claims, paths: ClaimPaths): Caller =>
  kind === 'professional' ? toProfessional(claims, paths) : toStaff(claims, paths);

function toProfessional(claims: Claims, paths: ClaimPaths): Professional {
  const sub = subjectOf(claims, paths);
  return {
    kind: 'professional',
    subject: pseudonym('professional', sub),
    bsn: bsnOf(claims, paths),
    loginId: loginIdOf(sub),
    roles: rolesOf(claims, paths, PROFESSIONAL_ROLES),
    workspace: workspaceOf(claims, paths),
  };
}

function toStaff(claims: Claims, paths: ClaimPaths): Staff {
  return {
    kind: 'staff',
    subject: pseudonym('staff', subjectOf(claims, paths)),
    roles: rolesOf(claims, paths, STAFF_ROLES),
    workspace: workspaceOf(claims, paths),
  };
}

/**
 * Returns a claim, or undefined. Tries `path` as a whole name first (`https://example.nl/roles` has dots too), then
 * step by step.
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

/**
 * Returns the key under which the service stores a caller's data. It is a hash, because some brokers put the
 * burgerservicenummer in `sub`. It includes the kind: a professional and a member of staff with the same `sub` never
 * share data.
 */
const pseudonym = (kind: Caller['kind'], sub: string): string => `${kind}:${hash(`${kind}\n${sub}`)}`;
const hash = (text: string): string => createHash('sha256').update(text).digest('base64url');

/**
 * Returns the login id by which the register identifies a person without burgerservicenummer: `sub`, or a hash of it
 * when it is long, has unusual characters, or contains nine digits in a row (which could be a burgerservicenummer).
 */
const loginIdOf = (sub: string): string =>
  /^[\w.:@|-]{1,64}$/.test(sub) && !/\d{9}/.test(sub) ? sub : `sha256.${hash(sub)}`;

/**
 * Returns a valid burgerservicenummer, or null without one. Throws for an invalid one: it could be the number of
 * another person.
 */
function bsnOf(claims: Claims, { bsn: path }: ClaimPaths): string | null {
  const bsn = claimAt(claims, path) ?? null;
  if (bsn === null || (typeof bsn === 'string' && passesElfproef(bsn))) return bsn;
  throw new TokenRefused('bsn claim');
}

/**
 * Returns the roles that the service has. Ignores other roles, which may be for other services. Empty without a role:
 * no default.
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
