import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Returns the path of a file of an npm package that a page needs, such as `swagger-ui-dist/swagger-ui.css`. The
 * published package has copies in `packages/` (made by `scripts/lib.ts`); in a clone of the repository the file is in
 * `node_modules`. Throws when the package is not installed.
 */
export function packageFile(file: string): string {
  const copy = fileURLToPath(new URL(`packages/${file}`, import.meta.url));
  return existsSync(copy) ? copy : createRequire(import.meta.url).resolve(file);
}
