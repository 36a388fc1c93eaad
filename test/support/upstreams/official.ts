import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Returns the URL of a file with a contract that another organisation publishes; null when it is not in the folder
 * `OFFICIAL_CONTRACTS` (contributing.md).
 */
export function officialFile(name: string): URL | null {
  const folder = process.env.OFFICIAL_CONTRACTS;
  const path = folder === undefined ? undefined : resolve(folder, name);
  return path !== undefined && existsSync(path) ? pathToFileURL(path) : null;
}
