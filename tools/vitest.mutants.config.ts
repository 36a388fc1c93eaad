import { defineConfig } from 'vitest/config';

/** The tests of the rules, for `npm run mutants`. Tests of what receives files are not among them: they take seconds. */
const SLOW = ['admission', 'files', 'linearizable', 'shims', 'spooling'];

export default defineConfig({
  test: { include: ['test/rules/*.test.ts'], exclude: SLOW.map((name) => `test/rules/${name}.test.ts`) },
});
