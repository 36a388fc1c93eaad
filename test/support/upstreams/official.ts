import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Returns the URL of a file in the folder of official contracts, `OFFICIAL_CONTRACTS`; null when it is not on this
 * machine. Other organisations publish these files: contributing.md says where.
 */
export function officialFile(name: string): URL | null {
  const folder = process.env.OFFICIAL_CONTRACTS;
  const path = folder === undefined ? undefined : resolve(folder, name);
  return path !== undefined && existsSync(path) ? pathToFileURL(path) : null;
}
