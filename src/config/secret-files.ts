import { contentOf } from './variables-kinds.ts';

const UPSTREAMS = ['REGISTER', 'BRP', 'DUO', 'DOCUMENTS'];

/** Variables that hold a secret. Each may come from a file, whose name is in the same variable with `_FILE` after it. */
const SECRETS = [
  'DATABASE_URL',
  'DOCUMENTS_SECRET',
  'PROCESSING_LOG_KEY',
  ...UPSTREAMS.flatMap((name) => [`${name}_API_KEY`, `${name}_HEADERS`]),
  ...UPSTREAMS.filter((name) => name !== 'DOCUMENTS').map((name) => `${name}_OAUTH_CLIENT_SECRET`),
];

export const SECRET_FILES: readonly string[] = SECRETS.map((name) => `${name}_FILE`);

/**
 * The environment with the content of those files in place of their names, as container platforms hand out secrets. One newline
 * at the end belongs to the file and not to the secret.
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
    else if (content === undefined) faults.push(`${name}_FILE: ${path} cannot be read`);
    else if (content.trim() === '') faults.push(`${name}_FILE: ${path} is empty`);
    else values[name] = content;
  }
  return { values, faults };
}
