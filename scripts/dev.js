/**
 * `npm run dev`: runs the service and starts it again when a file changes. `npm run dev -- simulators` does so with the
 * simulated upstreams alone. With other arguments it does what `npm start` does.
 */
import { existsSync } from 'node:fs';
import { onEndOfParent } from '../src/startup/process/end-with-parent.js';

/** The folders in which a change starts the service again. */
const WATCHED = ['src', 'adapters', 'simulator', 'fixtures', 'client'];

await import('../src/startup/process/node-version.js');
if (!existsSync(new URL('../node_modules', import.meta.url))) {
  process.stderr.write('No package is installed: run "npm ci" first, in the folder of this package.json.\n');
  process.exit(1);
}

const [command] = process.argv.slice(2);
if (command === undefined) {
  const { runWithRestarts } = await import('./dev-restarts.js');
  const end = runWithRestarts(WATCHED);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, end);
  onEndOfParent(end);
} else if (command === 'simulators') {
  const included = WATCHED.flatMap((path) => ['--include', path]);
  process.argv.splice(2, 0, 'watch', '--clear-screen=false', ...included, 'start.js');
  onEndOfParent(() => process.kill(process.pid, 'SIGTERM'));
  await import('tsx/cli');
} else await import('../start.js');
