import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Returns the URL of a file of an official contract; null when it is not there. `OFFICIAL_CONTRACTS` names the folder
 * with `brp/openapi.yaml` and `documenten/openapi.yaml`, which others publish: contributing.md says where.
 */
export function officialFile(name: string): URL | null {
  const folder = process.env.OFFICIAL_CONTRACTS;
  const path = folder === undefined ? undefined : resolve(folder, name);
  return path !== undefined && existsSync(path) ? pathToFileURL(path) : null;
}
