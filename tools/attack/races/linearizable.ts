/**
 * One call in a history: the operation, its answer, and the moments at which it was sent and answered, in milliseconds
 * of one clock.
 */
export interface Step<Op, Answer> {
  readonly op: Op;
  readonly answer: Answer;
  readonly from: number;
  readonly to: number;
}

/**
 * A state table, as a function. It returns the state after an operation with this answer, or null when the operation
 * cannot have that answer in this state. `contended` is true when another call ran at the same time.
 */
export type Table<State, Op, Answer> = (state: State, op: Op, answer: Answer, contended: boolean) => State | null;

/**
 * Returns the states in which a history can end, as JSON texts. Each state belongs to an order of the calls that the
 * state table allows, and in which a call that ended before another began comes first (Herlihy and Wing, 1990). An empty
 * list means that no such order exists: something was lost, was done twice, or was seen half-way.
 */
export function endStates<State, Op, Answer>(
  table: Table<State, Op, Answer>,
  initial: State,
  history: readonly Step<Op, Answer>[],
): string[] {
  const seen = new Set<string>();
  const ends = new Set<string>();
  const overlaps = (one: Step<Op, Answer>): boolean =>
    history.some((other) => other !== one && other.from <= one.to && one.from <= other.to);
  const contended = history.map(overlaps);
  const search = (left: readonly number[], state: State): void => {
    const key = `${left}|${JSON.stringify(state)}`;
    if (seen.has(key)) return;
    seen.add(key);
    if (left.length === 0) ends.add(JSON.stringify(state));
    const firstEnd = Math.min(...left.map((index) => history[index]?.to ?? 0));
    for (const index of left) {
      const step = history[index];
      if (step === undefined || step.from > firstEnd) continue;
      const after = table(state, step.op, step.answer, contended[index] === true);
      if (after !== null)
        search(
          left.filter((other) => other !== index),
          after,
        );
    }
  };
  search(
    history.map((_, index) => index),
    initial,
  );
  return [...ends];
}
