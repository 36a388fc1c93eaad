import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    sequence: { shuffle: true },
    // Much of it waits: for what is late, for what is slow, for processes that start.
    maxWorkers: 3,
    testTimeout: 15_000,
    hookTimeout: 30_000,
  },
});
