import { demand, type OnDecision, rule } from '../domain/rule.ts';
import { scholingThreshold } from '../domain/urennorm.ts';
import type { Registratie } from '../ports/register.ts';
import { type FieldFault, Problem } from '../problem.ts';
import { dutchNumber } from '../wire/numbers.ts';
import { checkHours } from './rules.ts';

const MAX_POINTS = 2_147_483_647;

/** The answer of an intake to the question about training (scholing), not yet validated. */
interface ScholingAnswer {
  readonly uren: number | null | undefined;
  readonly scholing: unknown;
  readonly punten: unknown;
}

/** The faults in an answer about training (scholing), as the member `regel` of the problem names them. */
type ScholingRegel = 'antwoord-vereist' | 'antwoord-ongeldig' | 'punten-zonder-scholing' | 'punten-ongeldig';

type ScholingFault = FieldFault & { readonly code: ScholingRegel };

interface ScholingFacts {
  readonly answer: ScholingAnswer;
  /** Number of worked hours below which an answer about training is required. */
  readonly threshold: number;
  readonly registraties: readonly Registratie[];
}

/** Returns the faults in the answer of an intake about training (specification.md, "Scholing rule"; domain 4.7). */
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
              `Onder de ${dutchNumber(threshold)} uur moet u antwoorden of u scholing hebt gevolgd: ja of nee.`,
            ),
          ]
        : []),
      ...(answered && scholing !== 'ja' && scholing !== 'nee'
        ? [broken('antwoord-ongeldig', '/scholing', 'Antwoord met ja of nee.')]
        : []),
      ...(pointed && scholing !== 'ja'
        ? [broken('punten-zonder-scholing', '/punten', 'Punten horen alleen bij scholing die u hebt gevolgd.')]
        : []),
      ...(pointed && !(typeof punten === 'number' && Number.isInteger(punten) && punten >= 1 && punten <= MAX_POINTS)
        ? [broken('punten-ongeldig', '/punten', 'Punten zijn een geheel getal, 1 of meer.')]
        : []),
    ];
  },
);

/**
 * Throws 400 `scholing-regel` when the answer of an intake about training is missing or wrong. Does nothing for an
 * invalid number of hours: `checkIntake` refuses that number.
 */
export function demandScholing(
  answer: ScholingAnswer,
  registraties: readonly Registratie[],
  onDecision: OnDecision | undefined,
): void {
  if (typeof answer.uren === 'number' && checkHours(answer.uren).length > 0) return;
  const threshold = scholingThreshold({ registraties });
  demand(onDecision, checkScholing, { answer, threshold, registraties }, (errors) => {
    const [{ code: regel, detail }] = errors;
    return new Problem('scholing-regel', detail, { errors, members: { regel } });
  });
}
