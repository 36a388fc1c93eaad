/**
 * `npm run expressions`: exits 1 when a regular expression in the sources can take more than linear time, on whatever text.
 * A request must not be able to stop the event loop, and no list says which expressions meet a request: so all are judged,
 * and there are no exceptions.
 */
import { inSources } from './expressions/find.ts';
import { slowness } from './expressions/judge.ts';

const { expressions, computed } = inSources();
const once = new Map(expressions.map((expression) => [`/${expression.pattern}/${expression.flags}`, expression]));
const judged = await Promise.all(
  [...once].map(async ([text, expression]) => ({ text, expression, slow: await slowness(expression) })),
);
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
