import { check } from 'recheck';
import type { Expression } from './find.ts';

const TIMEOUT = 60_000;

/**
 * Options that limit a check by a number of steps instead of time, so that the load of the machine does not change its
 * result.
 */
const BY_STEPS = { attackTimeout: null, incubationTimeout: null, attackLimit: 100_000_000 };

/**
 * Returns why a regular expression can take more than linear time on some text, or why that could not be decided; null
 * when it takes linear time.
 */
export async function findSlowness({ pattern, flags }: Pick<Expression, 'pattern' | 'flags'>): Promise<string | null> {
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
