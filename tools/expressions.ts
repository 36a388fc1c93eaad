/**
 * `npm run expressions`: exits with code 1 when a regular expression in the sources can take more than linear time,
 * because a request could then block the event loop.
 */
import { availableParallelism } from 'node:os';
import { findSlowness } from './expressions/check.ts';
import { type Expression, expressionsInSources } from './expressions/find.ts';

const { expressions, computed } = expressionsInSources();
const once = new Map(expressions.map((expression) => [`/${expression.pattern}/${expression.flags}`, expression]));
const judged: { text: string; expression: Expression; slow: string | null }[] = [];
const waiting = once.entries();
/** Checks regular expressions one after another until none is left. Several calls run at the same time. */
async function checkRemaining(): Promise<void> {
  for (const [text, expression] of waiting) judged.push({ text, expression, slow: await findSlowness(expression) });
}
await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, checkRemaining));
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
// The checker starts a child process, which would keep this process running.
process.exit(faults.length === 0 ? 0 : 1);
