import { VARIABLE_PREFIX } from './upstreams.ts';
import { contentOf, NO_FILE } from './variables-kinds.ts';

const PREFIXES = Object.values(VARIABLE_PREFIX);

/** The variables with a secret. Each can also be read from a file, whose path is in the variable `<name>_FILE`. */
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

/** The names of the variables with the path of a secret file. */
export const SECRET_FILES: readonly string[] = SECRETS.map((name) => `${name}_FILE`);

/**
 * Reads the secret files that `<name>_FILE` variables name. Returns `values`, a copy of the environment in which each
 * variable `<name>` has the content of its file, without one newline at the end; and `faults`, one line for each file
 * that cannot be used.
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
