import { type Because, judged } from '../http/why.ts';
import { scholingThreshold } from '../lookups/rules.ts';
import type { Registratie } from '../ports/register.ts';
import { type Fault, Problem } from '../problem.ts';

/** The largest 32-bit integer. */
const MOST_POINTS = 2_147_483_647;

/** The answer to the scholing question, as it came: anything may stand there. */
interface ScholingAnswer {
  readonly uren: number | null | undefined;
  readonly scholing: unknown;
  readonly punten: unknown;
}

type ScholingRegel = 'antwoord-vereist' | 'antwoord-ongeldig' | 'punten-zonder-scholing' | 'punten-ongeldig';

/**
 * The scholing rule of an intake (specification.md, "Scholing rule"; domain.md 4.7): below the threshold an answer is needed,
 * `nee` is legal, and points belong only to a scholing that was followed. Above it the rest holds for who answers anyway.
 */
function checkScholing(
  { uren, scholing, punten }: ScholingAnswer,
  threshold: number,
): { regel: ScholingRegel; fault: Fault }[] {
  const answered = scholing !== null && scholing !== undefined;
  const pointed = punten !== null && punten !== undefined;
  const broken = (regel: ScholingRegel, pointer: string, detail: string) => ({
    regel,
    fault: { code: regel, pointer, detail },
  });
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
    !(Number.isSafeInteger(punten) && Number(punten) >= 1 && typeof punten === 'number' && punten <= MOST_POINTS)
      ? [broken('punten-ongeldig', '/punten', 'Punten zijn een geheel getal, 1 of meer.')]
      : []),
  ];
}

/** 400 `scholing-regel` for an intake that breaks the scholing rule, with the first broken part as `regel` (specification). */
export function demandScholing(
  answer: ScholingAnswer,
  registraties: readonly Registratie[],
  because: Because | undefined,
): void {
  const threshold = scholingThreshold(registraties);
  const ground = {
    rule: 'checkScholing',
    source: 'specification.md, "Scholing rule"; domain.md 4.7',
    facts: () => ({ answer, threshold, registraties }),
  };
  judged(because, ground, () => {
    const broken = checkScholing(answer, threshold);
    const [first] = broken;
    if (first === undefined) return;
    throw new Problem('scholing-regel', first.fault.detail, {
      errors: broken.map(({ fault }) => fault),
      members: { regel: first.regel },
    });
  });
}
