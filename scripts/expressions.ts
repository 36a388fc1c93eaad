/**
 * `npm run expressions`: exits 1 when a regular expression in the sources can take more than linear time, on whatever text.
 * A request must not be able to stop the event loop, and no list says which expressions meet a request: so all are judged,
 * and there are no exceptions.
 */
import { availableParallelism } from 'node:os';
import { type Expression, inSources } from './expressions/find.ts';
import { slowness } from './expressions/judge.ts';

const { expressions, computed } = inSources();
const once = new Map(expressions.map((expression) => [`/${expression.pattern}/${expression.flags}`, expression]));
const judged: { text: string; expression: Expression; slow: string | null }[] = [];
const waiting = once.entries();
/** Judges what is left, one after another: more at once than there are cores would only be late because of each other. */
async function judge(): Promise<void> {
  for (const [text, expression] of waiting) judged.push({ text, expression, slow: await slowness(expression) });
}
await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, judge));
const faults = [
  ...computed.map(
    ({ file, line }) => `${file}:${line}: put together at run time, so it cannot be judged: write it out`,
  ),
  ...judged.flatMap(({ text, expression: { file, line }, slow }) =>
    slow === null ? [] : [`${file}:${line}: ${text} is ${slow}`],
  ),
];
process.stdout.write(
  [...faults, `${once.size} regular expressions, ${faults.length} that may take more than linear time`, ''].join('\n'),
);
// The checker's own process would keep this one alive.
process.exit(faults.length === 0 ? 0 : 1);
