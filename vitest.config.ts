import { existsSync, statfsSync, statSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files only of the project `long`: processes that start, are killed and paused, outages, and documents that take long. */
const ONLY_LONG = [
  ...['auth/issuer', 'auth/subjects', 'brief/races', 'brief/restart', 'faults/clients', 'faults/faults'],
  ...['operations/accounts', 'operations/first-start', 'operations/full-disk', 'operations/instances'],
  ...['operations/outage', 'operations/pause', 'operations/readiness', 'ports/bulkhead', 'ports/documents'],
  ...['simulator/people/generated', 'startup/artefact', 'startup/bundle', 'startup/conformance', 'startup/crash'],
  ...['startup/dev', 'startup/failures', 'startup/leaving', 'startup/production', 'uploads/gateway-limit'],
  ...['uploads/instances', 'uploads/slow', 'uploads/streams'],
].map((name) => `test/${name}.test.ts`);

/** Files that are tried in part by `npm test`, and in full in the project `long` (test/support/cases.ts). */
const ALSO_LONG = [
  ...['brief/brief', 'faults/service', 'faults/simulated', 'handlers/handlers', 'http/limits', 'ports/statuses'],
  ...['simulator/adressering', 'simulator/control', 'simulator/life', 'simulator/mailbox', 'simulator/snapshots'],
  'simulator/worlds',
].map((name) => `test/${name}.test.ts`);

/**
 * Large files go first: they take longest, so nothing long is left when all else is done. Files of about the same size are
 * in random order.
 */
class LargestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => Math.floor(Math.log2(statSync(moduleId).size));
    return (await super.sort(files)).sort((one, other) => rank(other) - rank(one));
  }
}

// Look-ups of host names and work on files wait for these threads. With four, those of many services at once are late.
process.env.UV_THREADPOOL_SIZE = '32';

// Hundreds of tests write a store, and a store waits for the disk. Only for these two projects, because programs such as a browser
// may not be allowed to run from there; and a container may have a small /dev/shm.
const MEMORY = '/dev/shm';
const hasRoom = (path: string): boolean =>
  existsSync(path) && statfsSync(path).bavail * statfsSync(path).bsize > 4 * 1024 ** 3;
if (process.argv.some((word) => word === 'service' || word === 'long') && hasRoom(MEMORY))
  process.env.TMPDIR ??= MEMORY;

export default defineConfig({
  test: {
    globalSetup: ['test/support/run-folder.ts', 'test/support/start-bundle.ts'],
    sequence: { shuffle: { files: true, tests: true }, sequencer: LargestFirst },
    // One set of modules for all files of a worker: nothing is mocked, and to load and compile them for each file takes a tenth of
    // the time.
    isolate: false,
    // A tenth of the time of a worker was collecting garbage: requests and answers outlive a new space of the default size.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=32'],
    // Twice the cores of the machine of the CI, because many tests wait for a deadline or for a process.
    maxWorkers: 4,
    // Concurrent tests of a file mostly wait as well.
    maxConcurrency: 8,
    // These only end a test that hangs. On a machine that does other work everything takes several times as long.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    projects: [
      { extends: true, test: { name: 'service', include: ['test/**/*.test.ts'], exclude: ONLY_LONG } },
      {
        extends: true,
        test: {
          name: 'long',
          include: [...ONLY_LONG, ...ALSO_LONG],
          env: { EVERY_CASE: 'yes' },
          testTimeout: 300_000,
          hookTimeout: 900_000,
        },
      },
      // Those below need the packages in tools/. First the service with software of others, such as pdf.js and s3rver.
      { extends: true, test: { name: 'compat', include: ['tools/compat/*.test.ts'] } },
      // In a real browser, and of the package that is installed: they take the processor for minutes.
      {
        extends: true,
        test: { name: 'browser', include: ['tools/browser/*.test.ts'], testTimeout: 600_000, hookTimeout: 600_000 },
      },
      // They install packages from the registry.
      { extends: true, test: { name: 'guides', include: ['tools/guides/*.test.ts'], testTimeout: 300_000 } },
    ],
  },
});
