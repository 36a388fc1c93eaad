import { type Because, demand, rule } from '../domain/rule.ts';
import { scholingThreshold } from '../domain/urennorm.ts';
import type { Registratie } from '../ports/register.ts';
import { type FieldFault, Problem } from '../problem.ts';
import { checkHours } from './rules.ts';

/** Maximum number of points: the largest 32-bit integer. */
const MAX_POINTS = 2_147_483_647;

/** The answer to the scholing (training) question as the client sent it, not yet validated. */
interface ScholingAnswer {
  readonly uren: number | null | undefined;
  readonly scholing: unknown;
  readonly punten: unknown;
}

/**
 * The parts of the scholing (training) rule that a request can break. The member `regel` of the problem has one of
 * these values.
 */
type ScholingRegel = 'antwoord-vereist' | 'antwoord-ongeldig' | 'punten-zonder-scholing' | 'punten-ongeldig';

type ScholingFault = FieldFault & { readonly code: ScholingRegel };

/** Input of the scholing rule: the answer, the threshold in hours, and the registrations of the caller. */
interface ScholingFacts {
  readonly answer: ScholingAnswer;
  /** Number of hours below which an answer is required. */
  readonly threshold: number;
  readonly registraties: readonly Registratie[];
}

/**
 * Returns the faults in the scholing answer of an intake (specification.md, "Scholing rule"; domain 4.7). Below the
 * threshold an answer is required. An answer must be `ja` or `nee`, and points are allowed only with `ja`.
 */
const checkScholing = rule(
  'specification.md, "Scholing rule"; domain 4.7',
  function checkScholing({ answer: { uren, scholing, punten }, threshold }: ScholingFacts): ScholingFault[] {
    const answered = scholing !== null && scholing !== undefined;
    const pointed = punten !== null && punten !== undefined;
    const broken = (code: ScholingRegel, pointer: string, detail: string): ScholingFault => ({ code, pointer, detail });
    return [
      ...(!answered && typeof uren === 'number' && uren < threshold
        ? [
            broken(
              'antwoord-vereist',
              '/scholing',
              `Onder de ${threshold} uur moet u antwoorden of u scholing hebt gevolgd: ja of nee.`,
            ),
          ]
        : []),
      ...(answered && scholing !== 'ja' && scholing !== 'nee'
        ? [broken('antwoord-ongeldig', '/scholing', 'Antwoord met ja of nee.')]
        : []),
      ...(pointed && scholing !== 'ja'
        ? [broken('punten-zonder-scholing', '/punten', 'Punten horen alleen bij scholing die u hebt gevolgd.')]
        : []),
      ...(pointed &&
      !(Number.isSafeInteger(punten) && Number(punten) >= 1 && typeof punten === 'number' && punten <= MAX_POINTS)
        ? [broken('punten-ongeldig', '/punten', 'Punten zijn een geheel getal, 1 of meer.')]
        : []),
    ];
  },
);

/**
 * Throws 400 `scholing-regel` when an intake breaks the scholing (training) rule. The member `regel` of the problem
 * names the first part that is broken. Does not throw for an impossible number of hours, because `checkIntake` refuses
 * such a number.
 */
export function demandScholing(
  answer: ScholingAnswer,
  registraties: readonly Registratie[],
  because: Because | undefined,
): void {
  if (typeof answer.uren === 'number' && checkHours(answer.uren).length > 0) return;
  const threshold = scholingThreshold({ registraties });
  demand(because, checkScholing, { answer, threshold, registraties }, (errors) => {
    const [{ code: regel, detail }] = errors;
    return new Problem('scholing-regel', detail, { errors, members: { regel } });
  });
}
