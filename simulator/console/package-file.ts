import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Returns the path of a file of an npm package that a page needs, such as `swagger-ui-dist/swagger-ui.css`. When the
 * folder `packages/` beside this module contains a copy of the file, returns the path of that copy. Otherwise returns
 * the path in the installed package, and throws when the file is not found there.
 */
export function packageFile(file: string): string {
  const copy = fileURLToPath(new URL(`packages/${file}`, import.meta.url));
  return existsSync(copy) ? copy : createRequire(import.meta.url).resolve(file);
}
