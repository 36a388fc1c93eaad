import { spawn } from 'node:child_process';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { INSTALLED, stampOf } from '../src/startup/process/start-bundle.js';
import { watchFolders } from './dev-watch.js';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const SCRIPT = fileURLToPath(new URL('dev-service.js', import.meta.url));
/** Milliseconds in which a service that is replaced can finish its requests. After that it is killed. */
const DRAIN_TIMEOUT = 1_000;

/**
 * A process of `dev-service.js`. `installed` identifies the installed packages at its start.
 * @typedef {{ child: import('node:child_process').ChildProcess, exited: Promise<number>, installed: string | null }}
 * Prepared
 */

/**
 * Runs the service, and starts it again after each change in the folders, in a process that has already loaded the
 * packages (decisions/0113-restarts-use-a-prepared-process.md). Returns the function that ends the service and this
 * process.
 * @param {readonly string[]} folders - relative to the folder of the project
 * @returns {() => void}
 */
export function runWithRestarts(folders) {
  /** URLs of the packages that the service imports. Empty until it has started once. @type {readonly string[]} */
  let packages = [];
  /** The process that serves after the next change. @type {Prepared | null} */
  let spare = null;
  let service = prepare(packages);
  let isEnding = false;
  let isQueued = false;

  /**
   * Loads the sources in the process `service` while `previous` stops, and then starts the service in it.
   * @param {Prepared} [previous]
   */
  const start = async (previous) => {
    const { child, exited } = service;
    send(child, { step: 'load' });
    if (previous !== undefined) await stop(previous);
    send(child, { step: 'start' });
    child.once('message', (/** @type {{ packages: readonly string[] }} */ started) => {
      packages = started.packages;
      if (!isEnding) spare ??= prepare(packages);
    });
    exited.then((code) => {
      if (child !== service.child || isQueued || isEnding) return;
      process.stderr.write(`The service ended with code ${code}. It starts again when a file changes.\n`);
      spare ??= prepare(packages);
    });
  };
  const restart = async () => {
    isQueued = false;
    if (isEnding) return;
    const previous = service;
    const isUsable = spare?.child.connected && spare.installed === stampOf(ROOT + INSTALLED);
    if (!isUsable) spare?.child.kill('SIGKILL');
    service = isUsable && spare !== null ? spare : prepare(packages);
    spare = null;
    await start(previous);
  };

  let last = start();
  watchFolders(
    folders.map((folder) => ROOT + folder),
    (path) => {
      if (isQueued || isEnding) return;
      isQueued = true;
      process.stdout.write(`\n${relative(ROOT, path)} has changed.\n`);
      last = last.then(restart);
    },
  );
  return () => {
    isEnding = true;
    spare?.child.kill('SIGKILL');
    service.child.kill('SIGINT');
    service.exited.then((code) => process.exit(code));
  };
}

/** Starts a process that loads the packages and waits. @param {readonly string[]} packages @returns {Prepared} */
function prepare(packages) {
  // In a group of its own, because Ctrl-C in a terminal goes to the whole group, and a second signal ends it at once.
  const child = spawn(process.execPath, [SCRIPT], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], detached: true });
  const exited = new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
  send(child, { step: 'prepare', packages });
  return { child, exited, installed: stampOf(ROOT + INSTALLED) };
}

/**
 * Stops a process as Ctrl-C does, or kills it after `DRAIN_TIMEOUT`.
 * @param {Prepared} service
 */
async function stop({ child, exited }) {
  child.kill('SIGINT');
  const timer = setTimeout(() => child.kill('SIGKILL'), DRAIN_TIMEOUT);
  await exited;
  clearTimeout(timer);
}

/**
 * Sends a message to a process, if it has not ended.
 * @param {import('node:child_process').ChildProcess} child
 * @param {object} message
 */
function send(child, message) {
  if (child.connected) child.send(message, () => undefined);
}
