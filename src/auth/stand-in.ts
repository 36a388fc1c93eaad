import { Problem } from '../problem.ts';
import { PROFESSIONAL_ROLES, type ProfessionalRole, STAFF_ROLES, type StaffRole } from '../wire/values.ts';
import { bearerToken, CHALLENGE } from './bearer.ts';
import type { Caller, Identity, Professional, Sent, Staff } from './identity.ts';

/** The people whom a stand-in may speak for. Given from outside: the service itself knows nobody. */
export interface Directory {
  /** The person behind `<slug>`, `burger-<n>`, `<slug>@<world>` or nine digits; null when there is no such person. */
  professional(subject: string): Pick<Professional, 'subject' | 'bsn' | 'loginId' | 'workspace'> | null;
  /** The member of staff behind `<slug>` or `<slug>@<world>`. */
  staff(subject: string): Pick<Staff, 'subject' | 'workspace'> | null;
  /** What to try instead: the known names nearest to one that is not known. Never the name itself. */
  suggest(subject: string, kind: Caller['kind']): string;
}

const SUBJECT = /^[A-Za-z0-9-]{1,64}(@[a-z0-9-]{1,32})?$/;

/**
 * The identity of every deployment that is not production-like: whoever the headers say (specification.md, "Authentication 3";
 * domain.md 4.1, "Stand-in"). Every combination that could be read in two ways is a 401 that says what to send.
 */
export const standIn = (directory: Directory): Identity => ({
  identify(request) {
    bearerToken(request);
    // Whoever asks for a step-up has it.
    return { caller: callerOf(directory, request), demandStepUp: () => undefined };
  },
});

function callerOf(directory: Directory, request: Sent): Caller {
  const subject = single(request, 'X-Subject');
  const medewerker = single(request, 'X-Medewerker');
  const role = single(request, 'X-Role');
  const rollen = single(request, 'X-Rollen');

  if (subject !== undefined && medewerker !== undefined) {
    throw unknown('Stuur of X-Subject (professional) of X-Medewerker (medewerker), niet allebei.');
  }
  if (subject !== undefined) {
    if (rollen !== undefined) throw unknown('X-Rollen hoort bij X-Medewerker. Stuur bij X-Subject alleen X-Role.');
    return asProfessional(directory, subject, role);
  }
  if (medewerker !== undefined) {
    if (role !== undefined) throw unknown('X-Role hoort bij X-Subject. Stuur bij X-Medewerker alleen X-Rollen.');
    return asStaff(directory, medewerker, rollen);
  }
  throw unknown(
    'Stuur X-Subject met een persona, bijvoorbeeld `X-Subject: sanne-de-wit`, of X-Medewerker met X-Rollen.',
  );
}

function asProfessional(directory: Directory, subject: string, role: string | undefined): Professional {
  const person = SUBJECT.test(subject) ? directory.professional(subject) : null;
  if (person === null)
    throw unknown(`X-Subject noemt niemand die wij kennen. ${directory.suggest(subject, 'professional')}`);
  if (role !== undefined && !isProfessionalRole(role)) {
    throw unknown(wrongRole(role));
  }
  return { kind: 'professional', ...person, roles: [role ?? 'drafter'] };
}

function wrongRole(role: string): string {
  if (isStaffRole(role)) return `${role} is een rol van een medewerker. Stuur X-Medewerker met X-Rollen: ${role}.`;
  const small = role.toLowerCase();
  if (isProfessionalRole(small)) return `Met kleine letters: X-Role: ${small}.`;
  return `X-Role is geen bekende rol. Kies één van ${PROFESSIONAL_ROLES.join(', ')}, of laat hem weg (drafter).`;
}

function asStaff(directory: Directory, medewerker: string, rollen: string | undefined): Staff {
  const person = SUBJECT.test(medewerker) ? directory.staff(medewerker) : null;
  if (person === null)
    throw unknown(`X-Medewerker noemt niemand die wij kennen. ${directory.suggest(medewerker, 'staff')}`);
  const roles = rollen?.split(',').map((rol) => rol.trim()) ?? [];
  if (roles.length === 0 || !roles.every(isStaffRole)) {
    throw unknown(
      `X-Rollen moet één of meer van ${STAFF_ROLES.join(', ')} noemen, met kleine letters en met komma's ertussen.`,
    );
  }
  return { kind: 'staff', ...person, roles: [...new Set(roles as StaffRole[])] };
}

/** A header that may be there once or not at all; twice or empty is ambiguous. */
function single(request: Sent, name: string): string | undefined {
  const values = request.headersDistinct[name.toLowerCase()];
  if (values === undefined) return undefined;
  const [value = ''] = values;
  if (values.length === 1 && value.trim() !== '') return value.trim();
  throw unknown(`Stuur ${name} één keer, met een waarde.`);
}

const unknown = (detail: string): Problem => new Problem('identiteit-onbekend', detail, { headers: CHALLENGE });
const isProfessionalRole = (role: string): role is ProfessionalRole =>
  (PROFESSIONAL_ROLES as readonly string[]).includes(role);
const isStaffRole = (role: string): role is StaffRole => (STAFF_ROLES as readonly string[]).includes(role);
