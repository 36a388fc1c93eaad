import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Path of a file that a page shows and that another package brings, such as `swagger-ui-dist/swagger-ui.css`. The published
 * package carries copies in `packages/` (`scripts/lib.ts`); a clone of the repository has the packages themselves.
 */
export function packageFile(file: string): string {
  const copy = fileURLToPath(new URL(`packages/${file}`, import.meta.url));
  return existsSync(copy) ? copy : createRequire(import.meta.url).resolve(file);
}
