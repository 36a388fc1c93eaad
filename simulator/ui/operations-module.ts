import { isPublic, OPERATION_IDS } from '../../src/auth/policy.ts';
import { PROBLEMS } from '../../src/problem-codes.ts';
import { BEROEPEN } from '../../src/wire/values.ts';
import { FAULT_OPERATIONS } from '../upstreams/operations.ts';
import { DECIDED_AFTER_DAYS } from '../upstreams/register/besluiten.ts';
import { SERVICE } from '../worlds/faults.ts';

/**
 * Returns the source code of the module `operations.js` of the console, whose exports `console/operations.d.ts`
 * describes: a few lists of the service, without the modules that make them.
 */
export function operationsModule(): string {
  const ofUpstreams = Object.entries(FAULT_OPERATIONS).map(([upstream, operations]) => [
    upstream,
    [...new Set(operations.map(({ name }) => name))],
  ]);
  const exported = {
    OPERATIONS: { ...Object.fromEntries(ofUpstreams), [SERVICE]: OPERATION_IDS.filter((id) => !isPublic(id)) },
    PROBLEM_CODES: Object.keys(PROBLEMS).sort(),
    BEROEPEN,
    DECIDED_AFTER_DAYS,
  };
  return Object.entries(exported)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`)
    .join('');
}
