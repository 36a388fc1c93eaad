import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, the longest first. They go first, so that nothing long is left when all else is done. */
const LONG = [
  ...['faults', 'console-live', 'package', 'faults-simulated', 'console', 'handlers', 'production', 'conformance'],
  ...['first-hour', 'instances', 'outage', 'leaving', 'uploads-instances', 'brief', 'access', 'submission'],
  ...['snapshots', 'documents', 'brief-races', 'limits', 'worlds'],
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = LONG.indexOf(basename(moduleId, '.test.ts'));
      return place === -1 ? LONG.length : place;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

// Look-ups of host names and work on files wait for these threads. With four, those of many services at once are late.
process.env.UV_THREADPOOL_SIZE = '32';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/run-folder.ts',
    sequence: { shuffle: { files: true, tests: true }, sequencer: LongestFirst },
    // One set of modules for all files of a worker: nothing is mocked, and to load and compile them for each file takes a tenth of
    // the time.
    isolate: false,
    // One for each core of the machine of the CI. With more, answers come late and deadlines of the service pass.
    maxWorkers: 2,
    // What a test waits for comes later on a machine that does other work; a second is then too short.
    expect: { poll: { timeout: 10_000 } },
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
