import { type FieldFault, Problem } from '../problem.ts';

/** One decision about a request: the rule, its input (facts) and its outcome. The simulator's journal shows it. */
export interface DecisionReason {
  /** Name of the rule, for example `checkHerregistratie`. */
  readonly rule: string;
  /** Where the rule is written, for example `domain 4.2`. */
  readonly source: string;
  readonly facts: unknown;
  readonly outcome: unknown;
}

/**
 * A function that receives the decisions of one request, for the simulator's journal and for the trace. The facts and
 * the outcome of a decision are computed when they are read, so that a trace does not pay for them: a function that
 * keeps a decision must copy it (`{ ...reason }`). A decision contains personal data. So the trace gets only the name and source of the rule, production has no journal, and
 * decisions are never part of an answer or a log line.
 */
export type Because = (reason: DecisionReason) => void;

/** The name of a rule, and its source: a section of `docs/`, a part of the specification, a law or an RFC. */
interface RuleName {
  readonly rule: string;
  readonly source: string;
}

/** A decision of the domain: a pure function from its input (facts) to an outcome, with its name and its source. */
export interface Rule<Facts, Outcome> extends RuleName {
  (facts: Facts): Outcome;
  /**
   * Functions that replace the facts or the outcome in the simulator's journal. Without them the journal shows both
   * unchanged.
   */
  readonly shown: JournalView<Facts, Outcome>;
}

/**
 * Functions that return what the simulator's journal shows in place of the input (facts) or the outcome of a decision,
 * for example without long texts.
 */
interface JournalView<Facts, Outcome> {
  readonly facts?: (facts: Facts) => unknown;
  readonly outcome?: (outcome: Outcome, facts: Facts) => unknown;
}

/**
 * Returns `check` as a rule with a name and a source. The name of the rule is the name of the function, so the function
 * may not be anonymous.
 *
 * @param source - where the rule is written: `domain 4.2`, `RFC 9110, 13.1.1`
 * @param shown - what the simulator's journal shows in place of the facts or the outcome
 */
export const rule = <Facts, Outcome>(
  source: string,
  check: (facts: Facts) => Outcome,
  shown: JournalView<Facts, Outcome> = {},
): Rule<Facts, Outcome> => Object.assign(check, { rule: check.name, source, shown });

/**
 * Calls a rule and returns its outcome. Reports the decision to `because`, unless that is undefined. When the rule
 * throws a problem, the decision is reported as a refusal, and the problem is thrown on.
 */
export function decide<Facts, Outcome>(
  because: Because | undefined,
  check: Rule<Facts, Outcome>,
  facts: Facts,
): Outcome {
  if (because === undefined) return check(facts);
  try {
    const outcome = check(facts);
    report(
      because,
      check,
      facts,
      ({ outcome: view }) => (view === undefined ? outcome : view(outcome, facts)) ?? ALLOWED,
    );
    return outcome;
  } catch (error) {
    if (error instanceof Problem) report(because, check, facts, () => refusalOf(error));
    throw error;
  }
}

/**
 * Calls a rule that returns faults. When it finds faults, throws the problem that `toProblem` makes from all of them.
 * Reports the decision to `because`, unless that is undefined.
 */
export function demand<Facts, Found extends FieldFault>(
  because: Because | undefined,
  check: Rule<Facts, Found[]>,
  facts: Facts,
  toProblem: (faults: readonly [Found, ...Found[]]) => Problem,
): void {
  const [first, ...others] = check(facts);
  const problem = first === undefined ? null : toProblem([first, ...others]);
  if (because !== undefined) report(because, check, facts, () => (problem === null ? ALLOWED : refusalOf(problem)));
  if (problem !== null) throw problem;
}

/**
 * Throws `problem`, and reports the refusal to `because` (unless that is undefined) with the name and source of a rule,
 * and with `facts` as its input. Use it when not a rule but a store or an upstream made the decision.
 */
export function refuse(because: Because | undefined, origin: RuleName, facts: unknown, problem: Problem): never {
  because?.({ rule: origin.rule, source: origin.source, facts, outcome: refusalOf(problem) });
  throw problem;
}

/** The outcome that the journal shows for a rule that returns nothing and does not throw. */
const ALLOWED = 'toegestaan';

function report<Facts, Outcome>(
  because: Because,
  { rule: name, source, shown }: Rule<Facts, Outcome>,
  facts: Facts,
  outcomeOf: (shown: JournalView<Facts, Outcome>) => unknown,
): void {
  because({
    rule: name,
    source,
    get facts() {
      return shown.facts === undefined ? facts : shown.facts(facts);
    },
    get outcome() {
      return outcomeOf(shown);
    },
  });
}

const refusalOf = ({ code, status, detail, extras: { errors } }: Problem) => ({
  geweigerd: code,
  status,
  detail,
  ...(errors && { errors }),
});
