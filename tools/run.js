/**
 * `node tools/run.js <command> [arguments]`: runs a command of the tools, such as `biome check .`, in the folder of the
 * project. The tools have a lockfile of their own, so that `npm ci` of the project does not bring them; they are
 * installed first when they are missing or not those of the lockfile.
 */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';

const tools = fileURLToPath(new URL('.', import.meta.url));

/** Milliseconds at which a file was changed; 0 when it does not exist. */
const changed = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const run = (command, options) => {
  const { status, error } = spawnSync(command[0], command.slice(1), { stdio: 'inherit', ...options });
  if (error !== undefined) process.stderr.write(`${command[0]}: ${error.message}\n`);
  if (status !== 0) process.exit(status ?? 1);
};

if (changed(`${tools}node_modules/.package-lock.json`) < changed(`${tools}package-lock.json`)) {
  process.stderr.write('Installing the tools in tools/ first, about 480 MB. This is done once.\n');
  run(['npm', 'ci'], { cwd: tools });
}
const root = fileURLToPath(new URL('..', import.meta.url));
const path = [`${tools}node_modules/.bin`, `${root}node_modules/.bin`, process.env.PATH].join(delimiter);
run(process.argv.slice(2), { cwd: root, env: { ...process.env, PATH: path } });
