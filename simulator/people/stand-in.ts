import {
  bearerToken,
  type Caller,
  CHALLENGE,
  type Identity,
  type IncomingRequest,
  type Professional,
  type Staff,
} from '../../src/auth/identity.ts';
import { Problem, type Sentence } from '../../src/problem.ts';
import { isOneOf, PROFESSIONAL_ROLES, STAFF_ROLES } from '../../src/wire/values.ts';

/** A directory in which the simulated persons are found by the name with which they log in. */
export interface PersonDirectory {
  /**
   * Returns the person for a slug (`sanne-de-wit`, `burger-<n>`), a slug with a world (`<slug>@<world>`) or a
   * burgerservicenummer; null when there is none. Any number that passes the 11-test gives a person, so that test
   * persons of a real upstream can log in.
   */
  professional(subject: string): Pick<Professional, 'subject' | 'bsn' | 'loginId' | 'workspace'> | null;
  /** Returns the member of staff for `<slug>` or `<slug>@<world>`; null when there is none. */
  staff(subject: string): Pick<Staff, 'subject' | 'workspace'> | null;
  /** Tells the caller which name to send instead of this unknown name. */
  suggest(subject: string, kind: Caller['kind']): Sentence;
}

/** A name or a number, optionally with `@` and the name of a world. */
const SUBJECT = /^[A-Za-z0-9-]{1,64}(@[a-z0-9-]{1,32})?$/;

/**
 * Returns the stand-in login: an `Identity` that trusts the headers X-Subject, X-Role, X-Medewerker and X-Rollen
 * (domain.md 4.1, "Stand-in"). It requires a bearer token, but does not check its content. `identify` throws 401
 * `identiteit-onbekend` when the headers do not name one known person.
 */
export const standInIdentity = (directory: PersonDirectory): Identity => ({
  identify(request) {
    bearerToken(request);
    // The stand-in grants every step-up.
    return { caller: callerOf(directory, request), demandStepUp: () => undefined };
  },
});

/**
 * Returns a question, with a space at its end, when a text is what a program writes for a value that it does not have:
 * `undefined`, `null`, `[object Object]`, or the name of a variable between braces. Otherwise empty texts.
 */
export function askIfUnset(text: string): Sentence {
  const [name] = text.split('@');
  if (/^(?:undefined|null|nan|none|nil)(?:@|$)/i.test(text))
    return {
      detail: `Kreeg de variabele een waarde, voordat zij als ${name} werd verzonden? `,
      english: `Was the variable set before it was sent as ${name}? `,
    };
  if (/^\[object \w+\]/.test(text))
    return {
      detail: 'Dit is een object als tekst. Stuur een naam daaruit, zoals de slug. ',
      english: 'This is an object as a text. Send a name in it, such as the slug. ',
    };
  return /[{}<>]|%7B|^[$:]/i.test(text)
    ? {
        detail: 'Is de naam van een variabele verzonden in plaats van haar waarde? ',
        english: 'Was the name of a variable sent in place of its value? ',
      }
    : { detail: '', english: '' };
}

/** Joins two sentences in each of the languages. */
export const joinSentences = (first: Sentence, second: Sentence): Sentence => ({
  detail: first.detail + second.detail,
  english: first.english + second.english,
});

// Headers that look like `X-Role`. They are refused: otherwise the call would be made with another role.
const WRONG_ROLE_HEADERS = ['X-Roles', 'X-Rol'];

function callerOf(directory: PersonDirectory, request: IncomingRequest): Caller {
  const wrong = WRONG_ROLE_HEADERS.find((name) => request.headersDistinct[name.toLowerCase()] !== undefined);
  if (wrong !== undefined)
    throw identityUnknown({
      detail: `${wrong} bestaat niet. Stuur X-Role bij X-Subject, of X-Rollen bij X-Medewerker.`,
      english: `There is no ${wrong}. Send X-Role with X-Subject, or X-Rollen with X-Medewerker.`,
    });
  const subject = singleHeader(request, 'X-Subject');
  const medewerker = singleHeader(request, 'X-Medewerker');
  const role = singleHeader(request, 'X-Role');
  const rollen = singleHeader(request, 'X-Rollen');

  if (subject !== undefined && medewerker !== undefined) {
    throw identityUnknown({
      detail: 'Stuur of X-Subject (professional) of X-Medewerker (medewerker), niet allebei.',
      english: 'Send X-Subject (professional) or X-Medewerker (staff), not both.',
    });
  }
  if (subject !== undefined) {
    if (rollen !== undefined)
      throw identityUnknown({
        detail: 'X-Rollen hoort bij X-Medewerker. Stuur bij X-Subject alleen X-Role.',
        english: 'X-Rollen is for X-Medewerker. With X-Subject, send only X-Role.',
      });
    return asProfessional(directory, subject, role);
  }
  if (medewerker !== undefined) {
    if (role !== undefined)
      throw identityUnknown({
        detail: 'X-Role hoort bij X-Subject. Stuur bij X-Medewerker alleen X-Rollen.',
        english: 'X-Role is for X-Subject. With X-Medewerker, send only X-Rollen.',
      });
    return asStaff(directory, medewerker, rollen);
  }
  throw identityUnknown({
    detail: 'Stuur X-Subject met een persona, bijvoorbeeld `X-Subject: sanne-de-wit`, of X-Medewerker met X-Rollen.',
    english: 'Send X-Subject with a persona, such as `X-Subject: sanne-de-wit`, or X-Medewerker with X-Rollen.',
  });
}

function asProfessional(directory: PersonDirectory, subject: string, role: string | undefined): Professional {
  const person = SUBJECT.test(subject) ? directory.professional(subject) : null;
  if (person === null)
    throw identityUnknown(joinSentences(unknownName('X-Subject'), directory.suggest(subject, 'professional')));
  if (role !== undefined && !isOneOf(PROFESSIONAL_ROLES, role)) {
    throw identityUnknown(wrongRole(role));
  }
  return { kind: 'professional', ...person, roles: [role ?? 'drafter'] };
}

const unknownName = (header: string): Sentence => ({
  detail: `${header} is geen bekende naam. `,
  english: `${header} is no known name. `,
});

function wrongRole(role: string): Sentence {
  if (isOneOf(STAFF_ROLES, role))
    return {
      detail: `${role} is een rol van een medewerker. Stuur X-Medewerker met X-Rollen: ${role}.`,
      english: `${role} is a role of staff. Send X-Medewerker with X-Rollen: ${role}.`,
    };
  const lowerCase = role.toLowerCase();
  if (isOneOf(PROFESSIONAL_ROLES, lowerCase))
    return { detail: `Met kleine letters: X-Role: ${lowerCase}.`, english: `In lower case: X-Role: ${lowerCase}.` };
  const roles = PROFESSIONAL_ROLES.join(', ');
  return joinSentences(askIfUnset(role), {
    detail: `X-Role is geen bekende rol. Kies één van ${roles}, of laat hem weg (drafter).`,
    english: `X-Role is no known role. Choose one of ${roles}, or leave it out (drafter).`,
  });
}

function asStaff(directory: PersonDirectory, medewerker: string, rollen: string | undefined): Staff {
  const person = SUBJECT.test(medewerker) ? directory.staff(medewerker) : null;
  if (person === null)
    throw identityUnknown(joinSentences(unknownName('X-Medewerker'), directory.suggest(medewerker, 'staff')));
  const roles = rollen?.split(',').map((rol) => rol.trim()) ?? [];
  if (roles.length === 0 || !roles.every((role) => isOneOf(STAFF_ROLES, role))) {
    const known = STAFF_ROLES.join(', ');
    throw identityUnknown(
      joinSentences(askIfUnset(rollen ?? ''), {
        detail: `X-Rollen moet één of meer van ${known} noemen, met kleine letters en met komma's ertussen.`,
        english: `X-Rollen has one or more of ${known}, in lower case and separated by commas.`,
      }),
    );
  }
  return { kind: 'staff', ...person, roles: [...new Set(roles)] };
}

/** Undefined when it is absent. Throws 401 `identiteit-onbekend` when it is repeated or empty. */
function singleHeader(request: IncomingRequest, name: string): string | undefined {
  const values = request.headersDistinct[name.toLowerCase()];
  if (values === undefined) return undefined;
  const [value = ''] = values;
  if (values.length === 1 && value.trim() !== '') return value.trim();
  throw identityUnknown({
    detail: `Stuur ${name} één keer, met een waarde.`,
    english: `Send ${name} once, with a value.`,
  });
}

const identityUnknown = (said: Sentence): Problem => new Problem('identiteit-onbekend', said, { headers: CHALLENGE });
