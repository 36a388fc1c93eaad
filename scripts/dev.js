/**
 * `npm run dev`: runs the service and starts it again when a file changes. `npm run dev -- simulators` does so with the
 * simulated upstreams alone. With other arguments it does what `npm start` does.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onEndOfParent } from '../src/startup/process/end-with-parent.js';
import { watchFolders } from './dev-watch.js';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** The folders in which a change starts the service again. */
const WATCHED = ['src', 'adapters', 'simulator', 'fixtures', 'client'];
/** Milliseconds in which a service that is replaced can finish its requests. After that it is killed. */
const DRAIN_TIMEOUT = 1_000;

await import('../src/startup/process/node-version.js');
if (!existsSync(`${ROOT}node_modules`)) {
  process.stderr.write('No package is installed: run "npm ci" first, in the folder of this package.json.\n');
  process.exit(1);
}

const [command] = process.argv.slice(2);
if (command === undefined) runWithRestarts();
else if (command === 'simulators') {
  const included = WATCHED.flatMap((path) => ['--include', path]);
  process.argv.splice(2, 0, 'watch', '--clear-screen=false', ...included, 'start.js');
  onEndOfParent(() => process.kill(process.pid, 'SIGTERM'));
  await import('tsx/cli');
} else await import('../start.js');

function runWithRestarts() {
  let service = start();
  let isEnding = false;
  let isQueued = false;
  const restart = async () => {
    service.child.kill('SIGINT');
    const timer = setTimeout(() => service.child.kill('SIGKILL'), DRAIN_TIMEOUT);
    await service.exited;
    clearTimeout(timer);
    isQueued = false;
    if (!isEnding) service = start();
  };
  const end = () => {
    isEnding = true;
    service.child.kill('SIGINT');
    service.exited.then((code) => process.exit(code));
  };

  watchFolders(
    WATCHED.map((folder) => ROOT + folder),
    (path) => {
      if (isQueued || isEnding) return;
      isQueued = true;
      process.stdout.write(`\n${relative(ROOT, path)} has changed.\n`);
      void restart();
    },
  );
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, end);
  onEndOfParent(end);

  function start() {
    // In a group of its own, because Ctrl-C in a terminal goes to the whole group, and a second signal ends it at once.
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', `${ROOT}scripts/dev-service.js`], {
      cwd: ROOT,
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      detached: true,
    });
    const exited = new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
    exited.then((code) => {
      if (!isQueued && !isEnding)
        process.stderr.write(`The service ended with code ${code}. It starts again when a file changes.\n`);
    });
    return { child, exited };
  }
}
