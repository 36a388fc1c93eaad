import { type FieldFault, Problem } from '../problem.ts';

/** One decision of a rule about a request, for the simulator's journal. */
export interface Decision {
  /** Name of the rule, for example `checkHerregistratie`. */
  readonly rule: string;
  /** Where the rule is written, for example `domain.md 4.2`. */
  readonly source: string;
  readonly facts: unknown;
  readonly outcome: unknown;
}

/**
 * A function that receives the decisions about one request. The facts and the outcome of a decision are computed when
 * they are read, so a function that keeps a decision must copy it (`copyOf`). Decisions contain personal data, so
 * log lines and answers must not show them.
 */
export type OnDecision = (decision: Decision) => void;

/** Returns a copy of a decision, with its facts and outcome as they are now. */
export const copyOf = ({ rule, source, facts, outcome }: Decision): Decision => ({ rule, source, facts, outcome });

interface RuleName {
  readonly rule: string;
  readonly source: string;
}

/** A decision of the domain: a pure function from its input to an outcome, with its name and its source. */
export interface Rule<Facts, Outcome> extends RuleName {
  (facts: Facts): Outcome;
  /** What the simulator's journal shows in place of the facts or the outcome. */
  readonly shown: JournalView<Facts, Outcome>;
}

/**
 * Functions that change the facts or the outcome of a decision for the simulator's journal, for example to leave out
 * long texts.
 */
interface JournalView<Facts, Outcome> {
  readonly facts?: (facts: Facts) => unknown;
  readonly outcome?: (outcome: Outcome, facts: Facts) => unknown;
}

/**
 * Makes a rule of the function `check`: adds its name and its source to the function, and returns it. Give the function
 * the name of the constant, because the simulator's journal shows the name of the function.
 *
 * @param source - where the rule is written: `domain.md 4.2`, `RFC 9110, 13.1.1`
 * @param shown - changes of the facts or the outcome for the journal
 */
export const rule = <Facts, Outcome>(
  source: string,
  check: (facts: Facts) => Outcome,
  shown: JournalView<Facts, Outcome> = {},
): Rule<Facts, Outcome> => Object.assign(check, { rule: check.name, source, shown });

/** Calls a rule and returns its outcome. Reports the outcome, or the problem that the rule throws, to `onDecision`. */
export function decide<Facts, Outcome>(
  onDecision: OnDecision | undefined,
  check: Rule<Facts, Outcome>,
  facts: Facts,
): Outcome {
  if (onDecision === undefined) return check(facts);
  try {
    const outcome = check(facts);
    report(
      onDecision,
      check,
      facts,
      ({ outcome: view }) => (view === undefined ? outcome : view(outcome, facts)) ?? ALLOWED,
    );
    return outcome;
  } catch (error) {
    if (error instanceof Problem) report(onDecision, check, facts, () => refusalOf(error));
    throw error;
  }
}

/**
 * Calls a rule that returns a list of faults, and returns these. Reports the decision to `onDecision`: with faults as the
 * problem that `toProblem` makes of them.
 */
export function findFaults<Facts, Found extends FieldFault>(
  onDecision: OnDecision | undefined,
  check: Rule<Facts, Found[]>,
  facts: Facts,
  toProblem: ToProblem<Found>,
): Found[] {
  const found = check(facts);
  if (onDecision !== undefined)
    report(onDecision, check, facts, () => {
      const [first, ...others] = found;
      return first === undefined ? ALLOWED : refusalOf(toProblem([first, ...others]));
    });
  return found;
}

type ToProblem<Found> = (faults: readonly [Found, ...Found[]]) => Problem;

/** Calls `findFaults`, and throws the problem that `toProblem` makes of the faults when there are any. */
export function demand<Facts, Found extends FieldFault>(
  ...[onDecision, check, facts, toProblem]: Parameters<typeof findFaults<Facts, Found>>
): void {
  const [first, ...others] = findFaults(onDecision, check, facts, toProblem);
  if (first !== undefined) throw toProblem([first, ...others]);
}

/**
 * Throws `problem`, and first reports it to `onDecision` as a refusal with these facts. For a refusal that was not decided
 * by a rule but, for example, by the store.
 *
 * @param origin - its `rule` is the name of the exported function or constant that the refusal comes from
 */
export function refuse(onDecision: OnDecision | undefined, origin: RuleName, facts: unknown, problem: Problem): never {
  onDecision?.({ rule: origin.rule, source: origin.source, facts, outcome: refusalOf(problem) });
  throw problem;
}

/**
 * The outcome that the simulator's journal shows for a rule that allowed the request and returned nothing, or an empty
 * list of faults.
 */
const ALLOWED = 'toegestaan';

function report<Facts, Outcome>(
  onDecision: OnDecision,
  { rule: name, source, shown }: Rule<Facts, Outcome>,
  facts: Facts,
  outcomeOf: (shown: JournalView<Facts, Outcome>) => unknown,
): void {
  const factsOf = () => (shown.facts === undefined ? facts : shown.facts(facts));
  onDecision(new LazyDecision(name, source, factsOf, () => outcomeOf(shown)));
}

/**
 * A decision whose facts and outcome are computed when they are read. It is a class, because an object literal with
 * getters stays in memory with all that it refers to until the next full garbage collection.
 */
class LazyDecision implements Decision {
  readonly rule: string;
  readonly source: string;
  readonly #factsOf: () => unknown;
  readonly #outcomeOf: () => unknown;

  constructor(rule: string, source: string, factsOf: () => unknown, outcomeOf: () => unknown) {
    this.rule = rule;
    this.source = source;
    this.#factsOf = factsOf;
    this.#outcomeOf = outcomeOf;
  }

  get facts(): unknown {
    return this.#factsOf();
  }

  get outcome(): unknown {
    return this.#outcomeOf();
  }
}

const refusalOf = ({ code, status, detail, extras: { errors } }: Problem) => ({
  geweigerd: code,
  status,
  detail,
  ...(errors && { errors }),
});
