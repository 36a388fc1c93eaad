import { type FieldFault, Problem } from '../problem.ts';

/** One decision about a request, for the simulator's journal: the rule, its facts and its outcome. */
export interface DecisionReason {
  /** Name of the rule, for example `checkHerregistratie`. */
  readonly rule: string;
  /** Where the rule is written, for example `domain 4.2`. */
  readonly source: string;
  readonly facts: unknown;
  readonly outcome: unknown;
}

/**
 * Receives the decisions made during one request. Not given in production: a `Reason` contains personal data and is
 * meant for the simulator's journal only. It is never part of an answer or a log line.
 */
export type Because = (reason: DecisionReason) => void;

/** The name of a rule, and its source: a section of `docs/`, a part of the specification, a law or an RFC. */
interface RuleName {
  readonly rule: string;
  readonly source: string;
}

/** A decision of the domain: a pure function of its facts, which also carries its name and its source. */
export interface Rule<Facts, Outcome> extends RuleName {
  (facts: Facts): Outcome;
  /** Replaces the facts or the outcome in the journal. Empty when the journal shows both as they are. */
  readonly shown: JournalView<Facts, Outcome>;
}

/**
 * How the journal shows a decision: each function replaces the facts or the outcome, for example to leave texts out.
 */
interface JournalView<Facts, Outcome> {
  readonly facts?: (facts: Facts) => unknown;
  readonly outcome?: (outcome: Outcome, facts: Facts) => unknown;
}

/**
 * Returns the function `check` as a rule with a source. The journal uses the function's own name, so it may not be
 * anonymous.
 *
 * @param source - where the rule is written: `domain 4.2`, `RFC 9110, 13.1.1`
 */
export const rule = <Facts, Outcome>(
  source: string,
  check: (facts: Facts) => Outcome,
  shown: JournalView<Facts, Outcome> = {},
): Rule<Facts, Outcome> => Object.assign(check, { rule: check.name, source, shown });

/**
 * Returns the outcome of a rule, and reports it to `because` when that is given. A problem that the rule throws is
 * reported as a refusal.
 */
export function decide<Facts, Outcome>(
  because: Because | undefined,
  check: Rule<Facts, Outcome>,
  facts: Facts,
): Outcome {
  if (because === undefined) return check(facts);
  try {
    const outcome = check(facts);
    const { shown } = check;
    report(because, check, facts, (shown.outcome === undefined ? outcome : shown.outcome(outcome, facts)) ?? ALLOWED);
    return outcome;
  } catch (error) {
    if (error instanceof Problem) report(because, check, facts, refusalOf(error));
    throw error;
  }
}

/**
 * Throws one problem, made by `toProblem`, for all faults that a rule returns. Returns when the rule finds no fault.
 */
export function demand<Facts, Found extends FieldFault>(
  because: Because | undefined,
  check: Rule<Facts, Found[]>,
  facts: Facts,
  toProblem: (faults: readonly [Found, ...Found[]]) => Problem,
): void {
  const [first, ...others] = check(facts);
  const problem = first === undefined ? null : toProblem([first, ...others]);
  if (because !== undefined) report(because, check, facts, problem === null ? ALLOWED : refusalOf(problem));
  if (problem !== null) throw problem;
}

/**
 * Throws a problem, and reports it to `because` with a rule name and facts. For a decision that a store or an upstream
 * made.
 */
export function refuse(because: Because | undefined, origin: RuleName, facts: unknown, problem: Problem): never {
  because?.({ rule: origin.rule, source: origin.source, facts, outcome: refusalOf(problem) });
  throw problem;
}

/** Outcome in the journal of a rule that returns nothing and did not throw. */
const ALLOWED = 'toegestaan';

function report<Facts, Outcome>(because: Because, check: Rule<Facts, Outcome>, facts: Facts, outcome: unknown): void {
  const { rule: name, source, shown } = check;
  because({ rule: name, source, facts: shown.facts === undefined ? facts : shown.facts(facts), outcome });
}

const refusalOf = ({ code, status, detail, extras: { errors } }: Problem) => ({
  geweigerd: code,
  status,
  detail,
  ...(errors && { errors }),
});
