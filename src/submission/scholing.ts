import { scholingThreshold } from '../lookups/rules.ts';
import type { Registratie } from '../ports/register.ts';
import { Problem } from '../problem.ts';
import { checkScholing, type ScholingAnswer } from '../requests/rules.ts';

/** 400 `scholing-regel` for an intake that breaks the scholing rule, with the first broken part as `regel` (specification). */
export function demandScholing(answer: ScholingAnswer, registraties: readonly Registratie[]): void {
  const broken = checkScholing(answer, scholingThreshold(registraties));
  const [first] = broken;
  if (first === undefined) return;
  throw new Problem('scholing-regel', first.fault.detail, {
    errors: broken.map(({ fault }) => fault),
    members: { regel: first.regel },
  });
}
