import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Returns the path of a file of an npm package that a page needs, such as `swagger-ui-dist/swagger-ui.css`: its copy in
 * `packages/` if there is one, or else the file of the installed package. Throws when the package is not installed
 * either.
 */
export function packageFile(file: string): string {
  const copy = fileURLToPath(new URL(`packages/${file}`, import.meta.url));
  return existsSync(copy) ? copy : createRequire(import.meta.url).resolve(file);
}
