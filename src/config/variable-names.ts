import { closestMatch } from 'leven';
import { CONFIGURED_UPSTREAMS, VARIABLE_PREFIX } from './upstreams.ts';
import { variables } from './variables.ts';
import { contentOf, NO_FILE } from './variables-kinds.ts';

// Azure sets these in each container with a managed identity, and a user cannot remove them.
const SET_BY_PLATFORM = ['IDENTITY_ENDPOINT', 'IDENTITY_HEADER'];

/** An unknown variable is a fault when it is similar to a known one or has a known prefix. */
export function findUnknownVariables(names: readonly string[]): string[] {
  const known = [...Object.keys(variables.shape), ...SECRET_FILES];
  const prefixes = [
    ...CONFIGURED_UPSTREAMS.map((name) => `${VARIABLE_PREFIX[name]}_`),
    ...['OIDC_', 'IDENTITY', 'SCANNER', 'UPLOAD', 'RATE_', 'MANAGEMENT_', 'READY_', 'CONCEPT_', 'SIMULATOR'],
    ...['PROCESSING_', 'ALLOW_STAND', 'CORS_', 'DATABASE_', 'DATA_', 'PERSONAS_', 'ALLOWED_', 'CONNECTIONS_'],
    ...['REQUESTS_AT', 'SUBJECT_'],
  ];
  return names
    .filter((name) => !known.includes(name) && !SET_BY_PLATFORM.includes(name))
    .map((name) => ({ name, closest: typingErrorOf(name, known) }))
    .filter(({ name, closest }) => closest !== undefined || prefixes.some((prefix) => name.startsWith(prefix)))
    .map(({ name, closest }) => `${name}: no such variable; did you mean ${closest ?? closestVariable(name, known)}?`);
}

// The names differ in at most two characters. Short names are not compared.
const typingErrorOf = (name: string, known: readonly string[]): string | undefined => {
  const near = name.length < 8 ? [] : known.filter(({ length }) => Math.abs(length - name.length) <= 2);
  return closestMatch(name, near, { maxDistance: 2 });
};

// Returns the variable with the most similar name, if possible with the same first word.
const closestVariable = (name: string, known: readonly string[]): string | undefined => {
  const sameFirstWord = known.filter((one) => one.startsWith(`${name.split('_')[0]}_`));
  return closestMatch(name, sameFirstWord.length > 0 ? sameFirstWord : known);
};

const PREFIXES = Object.values(VARIABLE_PREFIX);

// Each can also be read from a file, whose path is in `<name>_FILE`.
const SECRETS = [
  'DATABASE_URL',
  'DOCUMENTS_SECRET',
  'PROCESSING_LOG_KEY',
  'SUBJECT_KEYS',
  'OIDC_INTROSPECTION_CLIENT_SECRET',
  'OIDC_STAFF_INTROSPECTION_CLIENT_SECRET',
  'OTEL_EXPORTER_OTLP_HEADERS',
  ...PREFIXES.flatMap((name) => [`${name}_API_KEY`, `${name}_HEADERS`]),
  ...PREFIXES.filter((name) => name !== 'DOCUMENTS').map((name) => `${name}_OAUTH_CLIENT_SECRET`),
];

export const SECRET_FILES: readonly string[] = SECRETS.map((name) => `${name}_FILE`);

/**
 * Reads the files that `<name>_FILE` variables name. `values` is a copy of the environment in which each `<name>` has
 * the content of its file, without one newline at the end; `faults` has one line for each file that cannot be used.
 */
export function withSecretFiles(env: Readonly<Record<string, string | undefined>>) {
  const values: Record<string, string | undefined> = { ...env };
  const faults: string[] = [];
  for (const name of SECRETS) {
    const path = env[`${name}_FILE`];
    if (path === undefined) continue;
    delete values[`${name}_FILE`];
    const content = contentOf(path)?.replace(/\r?\n$/, '');
    if (env[name] !== undefined) faults.push(`${name}_FILE: ${name} is set as well; keep one of the two`);
    else if (content === undefined) faults.push(`${name}_FILE: ${NO_FILE}`);
    else if (content.trim() === '') faults.push(`${name}_FILE: ${path} is empty`);
    else values[name] = content;
  }
  return { values, faults };
}
