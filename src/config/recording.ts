import type { Config } from './config.ts';
import { VARIABLE_PREFIX } from './upstreams.ts';
import type { Values } from './variables.ts';

const RECORDED = ['register', 'brp', 'duo'] as const;

/** Returns one line for each fault in the variables for recording the answers of real upstreams. */
export function findRecordingFaults({ deployment, upstreams, recordTo }: Config, values: Values): string[] {
  const isConfirmed = values.RECORD_TEST_PERSONS === 'yes';
  if (recordTo === null) return isConfirmed ? ['RECORD_TEST_PERSONS: has no effect without RECORD'] : [];
  if (deployment !== 'development')
    return [`RECORD: not allowed in ${deployment}; answers are recorded with DEPLOYMENT=development only`];
  const faults: string[] = [];
  if (!isConfirmed)
    faults.push(
      'RECORD: writes answers of real upstreams to files, which is for test persons only; set RECORD_TEST_PERSONS=yes to say that these upstreams have no other persons',
    );
  if (!RECORDED.some((name) => upstreams[name].kind === 'url'))
    faults.push(
      `RECORD: there is no real upstream to record; set ${RECORDED.map((name) => `${VARIABLE_PREFIX[name]}_UPSTREAM`).join(' or ')} to a URL`,
    );
  return faults;
}
