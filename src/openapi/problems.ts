import { isPublic } from '../auth/policy.ts';
import type { Operation } from '../http/operation/operation.ts';
import { PROBLEMS, type ProblemCode } from '../problem-codes.ts';

/**
 * Returns the problem codes with which an operation can answer, keyed by HTTP status: the codes in its `problems`, and
 * the codes that follow from other members, such as `body`.
 */
export function problemsOf(operation: Operation): Map<number, Set<ProblemCode>> {
  const found = new Map<number, Set<ProblemCode>>();
  const add = (code: ProblemCode, status: number = PROBLEMS[code].status) =>
    found.set(status, (found.get(status) ?? new Set()).add(code));
  for (const [status, codes] of Object.entries(operation.problems ?? {}))
    for (const code of codes) add(code, Number(status));
  const common: ProblemCode[] = ['onverwacht'];
  if (operation.media || Object.values(operation.answers).some((schema) => schema !== null))
    common.push('niet-aanvaardbaar');
  if (!isPublic(operation.id)) {
    common.push(
      'niet-ingelogd',
      'identiteit-onbekend',
      'rol-ontbreekt',
      'te-veel-verzoeken',
      'bron-niet-beschikbaar',
      'overbelast',
    );
  }
  if (operation.stepUp) common.push('step-up-nodig');
  if (operation.upstreams) common.push('bron-antwoord-ongeldig', 'bron-te-laat');
  if (operation.method === 'POST' || operation.method === 'PUT' || operation.query || operation.path.includes('{'))
    common.push('ongeldig-verzoek');
  if (operation.body) common.push('verzoek-te-groot', 'mediatype-niet-ondersteund', 'verzoek-te-traag');
  if (operation.creates) common.push('sleutel-in-gebruik', 'sleutel-hergebruikt');
  for (const code of common) add(code);
  return found;
}
