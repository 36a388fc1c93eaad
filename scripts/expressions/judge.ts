import { check } from 'recheck';
import type { Expression } from './find.ts';

/** Milliseconds for one expression; most take 100. One that is not judged by then counts as a fault. */
const TIMEOUT = 60_000;

/** The search is bounded by steps and not by time, so that a busy machine comes to the same verdict as an idle one. */
const BY_STEPS = { attackTimeout: null, incubationTimeout: null, attackLimit: 100_000_000 };

/** Why an expression can take more than linear time on some text, or null: none makes it do so. */
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
