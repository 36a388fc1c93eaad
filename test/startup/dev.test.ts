import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { olderNode } from '../support/process.ts';
import { temporaryFolder } from '../support/run-folder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
let project = '';
let child: ChildProcess;
/** What the child printed. A new object for each child, because one that ends may print later. */
let printed = { text: '' };

/** Writes a file of the project. With `byRename` as many editors do: it renames another file to its name. */
function save(path: string, text: string, byRename = false): void {
  const file = join(project, path);
  writeFileSync(byRename ? `${file}~` : file, text);
  if (byRename) renameSync(`${file}~`, file);
}

/** Returns the source of a small service that prints a word, and again when it ends. */
const mainThatPrints = (word: string): string => `
  export async function main(): Promise<void> {
    const timer = setInterval(() => undefined, 1_000);
    process.on('SIGINT', () => { console.log('end of ${word}'); clearInterval(timer); process.exit(0); });
    console.log('start of ${word}');
  }`;

const until = (text: string | RegExp) => expect.poll(() => printed.text).toMatch(text);
const processes = () => spawnSync('pgrep', ['-f', project], { encoding: 'utf8' }).stdout.split('\n').length - 1;

beforeAll(() => {
  project = realpathSync(temporaryFolder('dev'));
  for (const folder of ['adapters', 'src/startup/process', 'simulator/host', 'fixtures', 'client', 'node_modules/one'])
    mkdirSync(join(project, folder), { recursive: true });
  for (const file of ['dev.js', 'dev-service.js', 'dev-watch.js'])
    cpSync(join(root, 'scripts', file), join(project, 'scripts', file));
  for (const file of ['end-with-parent.js', 'node-version.js', 'start-bundle.js', 'supported-node.js'])
    cpSync(join(root, 'src/startup/process', file), join(project, 'src/startup/process', file));
  save('package.json', '{ "type": "module" }');
  save('simulator/host/index.ts', 'export const development = null;');
});
/** Runs `dev.js` of a copy of the project in which `npm ci` was never run. Returns what it prints. */
function devWithoutPackages(options: readonly string[]): string {
  const copy = realpathSync(temporaryFolder('dev-bare'));
  for (const part of ['scripts', 'src', 'package.json'])
    cpSync(join(project, part), join(copy, part), { recursive: true });
  const env = { ...process.env, npm_lifecycle_event: 'dev' };
  const { stderr } = spawnSync(process.execPath, [...options, join(copy, 'scripts/dev.js')], { env, encoding: 'utf8' });
  return stderr;
}

beforeEach(async () => {
  const own = { text: '' };
  printed = own;
  save('src/main.ts', mainThatPrints('one'));
  child = spawn(process.execPath, [join(project, 'scripts/dev.js')], { cwd: project });
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      own.text += chunk;
    });
  await until('start of one');
});
afterEach(async () => {
  child.kill('SIGKILL');
  await expect.poll(processes).toBe(0);
});

describe('npm run dev', () => {
  it('starts the service again after each save, also by an editor that renames another file to the saved one', async () => {
    for (const [number, byRename] of [true, true, false].entries()) {
      save('src/main.ts', mainThatPrints(`save ${number}`), byRename);
      await until(`start of save ${number}`);
    }
    // Each one ended before the next one started.
    expect(printed.text.match(/^(?:start|end) of .+/gm)).toEqual([
      ...['start of one', 'end of one', 'start of save 0', 'end of save 0', 'start of save 1', 'end of save 1'],
      'start of save 2',
    ]);
  });

  it('starts the service again after a save in a folder that was made meanwhile', async () => {
    mkdirSync(join(project, 'src/made'));
    save('src/made/word.ts', "export const word = 'first';");
    await until(/start of one[\s\S]+start of one/);
    save(
      'src/main.ts',
      `import { word } from './made/word.ts';${mainThatPrints('$').replaceAll("'start of $'", 'word')}`,
    );
    await until('first');
    save('src/made/word.ts', "export const word = 'second';", true);
    await until('second');
  });

  it('prints the syntax error in a source file, and starts the service again when it is corrected', async () => {
    save('src/main.ts', 'export const main: = 1;');
    await until(
      /main\.ts:1\n[\s\S]+SyntaxError[\s\S]+The service ended with code 1\. It starts again when a file changes\./,
    );
    save('src/main.ts', mainThatPrints('two'));
    await until('start of two');
  });

  it('does not start the service again for the files that an editor writes beside the saved one', async () => {
    for (const name of ['.main.ts.swp', 'main.ts~', '4913', 'main.ts.tmp.12']) save(`src/${name}`, 'x');
    save('src/other.ts', '');
    await until(/changed[\s\S]+start of one/);
    expect(printed.text.match(/.+ has changed/g)).toEqual(['src/other.ts has changed']);
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)('leaves no process when it gets %s', async (signal) => {
    child.kill(signal);
    await expect.poll(processes).toBe(0);
    if (signal !== 'SIGKILL') await until('end of one');
  });
});

describe('npm run dev without npm ci', () => {
  it('says to run npm ci, and starts nothing', () => {
    expect(devWithoutPackages([])).toBe(
      'No package is installed: run "npm ci" first, in the folder of this package.json.\n',
    );
  });

  it('says the same on a Node that is too old', () => {
    expect(devWithoutPackages(olderNode('20.20.2'))).toMatch(/needs Node [^\n]+\. Run "npm ci" first: [^\n]*\n$/);
  });
});
