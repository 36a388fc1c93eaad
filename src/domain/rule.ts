import { type Fault, Problem } from '../problem.ts';

/** Why a request was decided as it was: the rule, where the rule is written, the facts it was given, and the outcome. */
export interface Reason {
  readonly rule: string;
  readonly source: string;
  readonly facts: unknown;
  readonly outcome: unknown;
}

/**
 * Receives the reasons of one request. Undefined in production: reasons hold personal data, and are kept by the simulator's
 * journal only. They are never part of an answer or a log line.
 */
export type Because = (reason: Reason) => void;

/** The name of a rule, and where it is written: a section of `docs/`, a part of the specification, a law or an RFC. */
interface RuleName {
  readonly rule: string;
  readonly source: string;
}

/** A decision of the domain: a pure function of its facts, with its name and its source. */
export interface Rule<Facts, Outcome> extends RuleName {
  (facts: Facts): Outcome;
  /** What the journal shows, where that is not simply the facts and the outcome. */
  readonly shown: Shown<Facts, Outcome>;
}

/** What the journal shows of a decision instead of the facts or the outcome themselves. */
interface Shown<Facts, Outcome> {
  readonly facts?: (facts: Facts) => unknown;
  readonly outcome?: (outcome: Outcome, facts: Facts) => unknown;
}

/** Makes a rule of a named function and the place where it is written. The function's own name is the name in the journal. */
export const rule = <Facts, Outcome>(
  source: string,
  decides: (facts: Facts) => Outcome,
  shown: Shown<Facts, Outcome> = {},
): Rule<Facts, Outcome> => Object.assign(decides, { rule: decides.name, source, shown });

/** What the rule decides on these facts. Passes the reason on when `because` is given; a thrown problem counts as a refusal. */
export function decide<Facts, Outcome>(because: Because | undefined, by: Rule<Facts, Outcome>, facts: Facts): Outcome {
  if (because === undefined) return by(facts);
  try {
    const outcome = by(facts);
    const { shown } = by;
    tell(because, by, facts, (shown.outcome === undefined ? outcome : shown.outcome(outcome, facts)) ?? ALLOWED);
    return outcome;
  } catch (error) {
    if (error instanceof Problem) tell(because, by, facts, refusalOf(error));
    throw error;
  }
}

/** Throws the problem that `toProblem` makes of the faults that a rule finds. Returns when the rule finds none. */
export function demand<Facts, Found extends Fault>(
  because: Because | undefined,
  by: Rule<Facts, Found[]>,
  facts: Facts,
  toProblem: (faults: readonly [Found, ...Found[]]) => Problem,
): void {
  const [first, ...others] = by(facts);
  const problem = first === undefined ? null : toProblem([first, ...others]);
  if (because !== undefined) tell(because, by, facts, problem === null ? ALLOWED : refusalOf(problem));
  if (problem !== null) throw problem;
}

/** Throws a problem, and passes on which rule it is by and on which facts. For what a store or an upstream has decided. */
export function refuse(because: Because | undefined, by: RuleName, facts: unknown, problem: Problem): never {
  because?.({ rule: by.rule, source: by.source, facts, outcome: refusalOf(problem) });
  throw problem;
}

const ALLOWED = 'toegestaan';

function tell<Facts, Outcome>(because: Because, by: Rule<Facts, Outcome>, facts: Facts, outcome: unknown): void {
  const { rule: name, source, shown } = by;
  because({ rule: name, source, facts: shown.facts === undefined ? facts : shown.facts(facts), outcome });
}

const refusalOf = ({ code, status, detail, extras: { errors } }: Problem) => ({
  geweigerd: code,
  status,
  detail,
  ...(errors && { errors }),
});
