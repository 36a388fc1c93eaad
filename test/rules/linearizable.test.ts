import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endStates, type Step, type Table } from '../../tools/attack/races/linearizable.ts';

/** A counter: an addition answers the new value. */
const counter: Table<number, number, number> = (state, add, answer) => (state + add === answer ? answer : null);

/** Additions in the order in which they had their effect; each call may begin earlier and end later than its effect. */
const history = fc
  .array(fc.record({ add: fc.integer({ min: 1, max: 9 }), early: fc.nat(30), late: fc.nat(30) }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((calls) => {
    let value = 0;
    return calls.map(({ add, early, late }, index): Step<number, number> => {
      value += add;
      return { op: add, answer: value, from: index * 10 - early, to: index * 10 + late };
    });
  });

describe('the check of a history', () => {
  it('accepts a history in which each call has its effect once between its start and its end', () => {
    fc.assert(
      fc.property(history, (steps) => {
        expect(endStates(counter, 0, steps)).toEqual([`${steps.at(-1)?.answer}`]);
      }),
    );
  });

  it.each([
    ['two calls that both saw the same value', [1, 1], [0, 0]],
    ['a call that answers an older value than a call that ended before it began', [2, 1], [0, 20]],
    ['a call whose effect was lost', [1, 1], [0, 20]],
  ])('refuses %s', (_, answers, starts) => {
    const steps = answers.map((answer, index) => {
      const from = starts[index] ?? 0;
      return { op: 1, answer, from, to: from + 10 };
    });
    expect(endStates(counter, 0, steps)).toEqual([]);
  });
});
