import { createHash } from 'node:crypto';
import type { Caller, Professional, Staff } from '../../src/auth/identity.ts';
import { passesElfproef } from '../../src/domain/elfproef.ts';
import { PROFESSIONAL_ROLES, STAFF_ROLES } from '../../src/wire/values.ts';
import { TokenRefused } from './token-refused.ts';
import type { Claims } from './verify.ts';

/** Where in the claims is what: the name of one, or a path with dots. */
export interface ClaimPaths {
  readonly subject: string;
  readonly bsn: string;
  readonly roles: string;
  /** Undefined: everybody is in the same one. */
  readonly workspace: string | undefined;
}

const DEFAULT_WORKSPACE = 'default';

/** A caller of the kind whose issuer it is. Throws `TokenRefused` for claims that could be read in two ways. */
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

/** A claim by its whole name first, as `https://example.nl/roles` has dots of its own; else step by step. */
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
 * Under what name someone's things are kept: the same at every call, and telling nothing, as some brokers put the
 * burgerservicenummer itself in `sub`. The kind is part of it: a professional and a member of staff are never the same.
 */
const pseudonym = (kind: Caller['kind'], sub: string): string => `${kind}:${hash(`${kind}\n${sub}`)}`;
const hash = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** How the register knows someone without a number: as the issuer does, unless that would be long, odd or a number of nine digits. */
const loginIdOf = (sub: string): string =>
  /^[\w.:@|-]{1,64}$/.test(sub) && !/\d{9}/.test(sub) ? sub : `sha256.${hash(sub)}`;

/** Nine digits that pass the 11-test, or none at all; a wrong number would ask the sources about someone else. */
function bsnOf(claims: Claims, { bsn: path }: ClaimPaths): string | null {
  const bsn = claimAt(claims, path) ?? null;
  if (bsn === null || (typeof bsn === 'string' && passesElfproef(bsn))) return bsn;
  throw new TokenRefused('bsn claim');
}

/** Those that we know; what others mean to others is not ours to judge. None is none: there is no role to fall back on. */
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
