import { check } from 'recheck';
import type { Expression } from './find.ts';

/**
 * The maximum number of milliseconds for the check of one expression. Most checks take 100 ms; one that takes longer
 * than the maximum is reported as a fault.
 */
const TIMEOUT = 60_000;

/**
 * Options that limit the search by a number of steps instead of time, so that the result does not depend on the load of
 * the machine.
 */
const BY_STEPS = { attackTimeout: null, incubationTimeout: null, attackLimit: 100_000_000 };

/**
 * Returns the reason why a regular expression can take more than linear time on some text, or why that could not be
 * decided; null when it cannot.
 */
export async function slowness({ pattern, flags }: Pick<Expression, 'pattern' | 'flags'>): Promise<string | null> {
  const verdict = await check(pattern, flags, { ...BY_STEPS, timeout: TIMEOUT });
  switch (verdict.status) {
    case 'safe':
      return null;
    case 'vulnerable':
      return `${verdict.complexity.summary}, for example on ${verdict.attack.pattern.slice(0, 80)}`;
    case 'unknown':
      return `not judged: ${verdict.error.kind}`;
  }
}
