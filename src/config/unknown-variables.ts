import { closestMatch } from 'leven';
import { SECRET_FILES } from './secret-files.ts';
import { CONFIGURED_UPSTREAMS, VARIABLE_PREFIX } from './upstreams.ts';
import { variables } from './variables.ts';

/** Variables that Azure sets in each container with a managed identity, and that a user cannot remove. */
const SET_BY_PLATFORM = ['IDENTITY_ENDPOINT', 'IDENTITY_HEADER'];

/** Returns a fault for each unknown variable that is similar to a known one or has a known prefix. */
export function findUnknownVariables(names: readonly string[]): string[] {
  const known = [...Object.keys(variables.shape), ...SECRET_FILES];
  const prefixes = [
    ...CONFIGURED_UPSTREAMS.map((name) => `${VARIABLE_PREFIX[name]}_`),
    'OIDC_',
    'IDENTITY',
    'SCANNER',
    'UPLOAD',
    'RATE_',
    'MANAGEMENT_',
    'READY_',
    'CONCEPT_',
    'SIMULATOR',
    'PROCESSING_',
    'ALLOW_STAND',
    'CORS_',
    'DATABASE_',
    'DATA_',
    'PERSONAS_',
    'ALLOWED_',
    'CONNECTIONS_',
    'REQUESTS_AT',
    'SUBJECT_',
  ];
  return names
    .filter((name) => !known.includes(name) && !SET_BY_PLATFORM.includes(name))
    .map((name) => ({ name, closest: typingErrorOf(name, known) }))
    .filter(({ name, closest }) => closest !== undefined || prefixes.some((prefix) => name.startsWith(prefix)))
    .map(({ name, closest }) => `${name}: no such variable; did you mean ${closest ?? closestVariable(name, known)}?`);
}

/** Returns the known variable that differs from an unknown one in at most two characters; undefined for a short name. */
const typingErrorOf = (name: string, known: readonly string[]): string | undefined => {
  const near = name.length < 8 ? [] : known.filter(({ length }) => Math.abs(length - name.length) <= 2);
  return closestMatch(name, near, { maxDistance: 2 });
};

/** Returns the known variable that is most similar to an unknown one, if possible with the same first word. */
const closestVariable = (name: string, known: readonly string[]): string | undefined => {
  const sameFirstWord = known.filter((one) => one.startsWith(`${name.split('_')[0]}_`));
  return closestMatch(name, sameFirstWord.length > 0 ? sameFirstWord : known);
};
