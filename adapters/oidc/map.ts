import { createHash } from 'node:crypto';
import type { Caller } from '../../src/auth/identity.ts';
import type { ClaimPaths, TrustedIssuer } from '../../src/auth/trusted-issuer.ts';
import { passesElfproef } from '../../src/domain/identifiers.ts';
import { PROFESSIONAL_ROLES, STAFF_ROLES } from '../../src/wire/values.ts';
import { type ClaimSet, claimAt, namesIn, TokenRefused } from './claims.ts';
import { subjectsOf } from './subjects.ts';

const DEFAULT_WORKSPACE = 'default';

/**
 * Converts the claims of a verified token to a caller, and the owner names of the caller. Throws `TokenRefused` when
 * the subject claim is missing, or a claim is invalid.
 */
export function toCaller(kind: Caller['kind'], claims: ClaimSet, rules: ClaimRules, keys: readonly Buffer[]) {
  const sub = subjectOf(claims, rules.claims);
  const subjects = subjectsOf(kind, sub, keys);
  const names = { subject: subjects.current, otherSubjects: [...subjects.former, sub] };
  const bsn = bsnOf(claims, rules.claims);
  const workspace = workspaceOf(claims, rules.claims);
  const caller: Caller =
    kind === 'professional'
      ? { kind, ...names, bsn, loginId: loginIdOf(sub), roles: rolesOf(claims, rules, PROFESSIONAL_ROLES), workspace }
      : { kind, ...names, roles: rolesOf(claims, rules, STAFF_ROLES), workspace };
  return { caller, subjects };
}

type ClaimRules = Pick<TrustedIssuer, 'claims' | 'roleNames'>;

function subjectOf(claims: ClaimSet, { subject }: ClaimPaths): string {
  const sub = claimAt(claims, subject);
  // In a hash, all texts with a lone surrogate at one place are the same.
  if (typeof sub === 'string' && sub.trim() !== '' && sub.length <= 255 && sub.isWellFormed()) return sub;
  throw new TokenRefused('subject claim');
}

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url');

// The register identifies a person without BSN by it. A long or unusual `sub` is hashed, and one with nine digits in a
// row, which could be a BSN, or in the form of such a hash, which could be that of another person.
const loginIdOf = (sub: string): string =>
  /^(?!sha256\.)[\w.:@|-]{1,64}$/.test(sub) && !/\d{9}/.test(sub) ? sub : `sha256.${hash(sub)}`;

// Null when the claim is absent or null. Throws for a value that fails the 11-test: such a caller must not count as a
// person without a number.
function bsnOf(claims: ClaimSet, { bsn: path }: ClaimPaths): string | null {
  const bsn = path === undefined ? null : (claimAt(claims, path) ?? null);
  if (bsn === null || (typeof bsn === 'string' && passesElfproef(bsn))) return bsn;
  throw new TokenRefused('bsn claim');
}

// Claims in which one text is a list (RFC 8693, section 4.2).
const SPACE_SEPARATED = ['scope', 'scp'];

// Other roles can be for other services. With `roleNames` only the names in it count, so that a group of the issuer
// that happens to be called `admin` gives nothing.
function rolesOf<Role extends string>(
  claims: ClaimSet,
  { claims: { roles: path }, roleNames }: ClaimRules,
  known: readonly Role[],
): Role[] {
  const claim = claimAt(claims, path);
  const isScope = typeof claim === 'string' && SPACE_SEPARATED.includes(namesIn(path).at(-1) ?? '');
  const given: readonly unknown[] = isScope ? claim.split(' ') : Array.isArray(claim) ? claim : [claim];
  const held =
    roleNames === null
      ? given
      : given.flatMap((name) => (typeof name === 'string' && Object.hasOwn(roleNames, name) ? roleNames[name] : []));
  return known.filter((role) => held.includes(role));
}

function workspaceOf(claims: ClaimSet, { workspace: path }: ClaimPaths): string {
  const workspace = path === undefined ? undefined : claimAt(claims, path);
  if (workspace === undefined || workspace === null) return DEFAULT_WORKSPACE;
  if (typeof workspace === 'string' && /^[\w.-]{1,64}$/.test(workspace)) return workspace;
  throw new TokenRefused('workspace claim');
}
