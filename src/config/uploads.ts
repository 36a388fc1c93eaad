import { HARD_CAP, MIB } from '../domain/upload-limits.ts';
import type { Values } from './variables.ts';

/** One client address may use half of this, and one upload can be as large as `HARD_CAP`. */
const MIN_SPOOL_MB = (2 * HARD_CAP) / MIB;

/** Returns a text for each limit with which uploads cannot work in a production-like deployment. */
export function findUploadFaults(deployment: string, values: Values): string[] {
  const faults: string[] = [];
  if (values.UPLOADS_ORPHAN_HOURS < 1)
    faults.push(
      `UPLOADS_ORPHAN_HOURS: must be 1 or more in ${deployment}, or a document is removed before its request is sent`,
    );
  if (values.UPLOADS_SPOOL_MB < MIN_SPOOL_MB)
    faults.push(`UPLOADS_SPOOL_MB: must be ${MIN_SPOOL_MB} or more in ${deployment}, or a large upload never fits`);
  return faults;
}
