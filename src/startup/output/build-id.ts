import { readFileSync } from 'node:fs';

/**
 * Returns the id of the artefact that runs, which `npm run build` wrote in its package.json: the beginning of a hash of its
 * code. Returns null when the service runs from this repository.
 */
export function readBuildId(): string | null {
  try {
    return JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')).build ?? null;
  } catch {
    return null;
  }
}
