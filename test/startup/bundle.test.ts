import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../support/run-folder.ts';
import { keep, startBundle, startService } from '../support/service.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
let project = '';

function node(...words: string[]): string {
  const { stdout, stderr } = spawnSync(process.execPath, words, { cwd: project, encoding: 'utf8' });
  return stdout + stderr;
}

/** Writes the source of a service that prints a word and where it runs from, or fails in line 3. */
function writeMain(word: string): void {
  const lines = [
    'export async function main([command]: readonly string[]): Promise<void> {',
    `  const from = import.meta.dirname.includes('.cache') ? 'bundle' : 'sources';`,
    `  if (command === 'fail') console.log(new Error('failed').stack);`,
    `  console.log('${word} from the', from);`,
    '}',
  ];
  writeFileSync(join(project, 'src/main.ts'), lines.join('\n'));
}

beforeAll(() => {
  // With `$&`, which `String.replace` would replace.
  project = realpathSync(temporaryFolder('start-bundle-$&'));
  for (const folder of ['src', 'simulator/host', 'node_modules']) mkdirSync(join(project, folder), { recursive: true });
  for (const file of ['start.js', 'package.json', 'scripts/start-bundle.ts', 'scripts/bundle.ts'])
    cpSync(join(root, file), join(project, file));
  cpSync(join(root, 'src/startup'), join(project, 'src/startup'), {
    recursive: true,
    filter: (file) => !file.endsWith('.ts'),
  });
  symlinkSync(join(root, 'node_modules/rolldown'), join(project, 'node_modules/rolldown'));
  writeFileSync(join(project, 'node_modules/.package-lock.json'), '{}');
  writeFileSync(join(project, 'simulator/host/index.ts'), 'export const development = null;\n');
});

it('the bundle of npm start runs when it is up to date, with stack traces that name the sources, and not after a source has changed', () => {
  writeMain('one');
  expect(node('start.js', 'command')).toBe('one from the sources\n');
  expect(node('scripts/start-bundle.ts')).toBe('');
  expect(node('start.js', 'command')).toBe('one from the bundle\n');
  expect(node('start.js', 'fail')).toContain(`${project}/src/main.ts:3:`);
  writeMain('another');
  expect(node('start.js', 'command')).toBe('another from the sources\n');
});

/** The pages of the simulator, with all that they load. */
const PAGES = ['/', '/docs', '/_simulator/', '/_simulator/mijn/', '/_simulator/openapi.json', '/api/v1/openapi.json'];

/** Returns type and text of the pages of a service and of what these load, keyed by path. */
async function pagesOf(url: string): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  const paths = [...PAGES];
  for (let path = paths.shift(); path !== undefined; path = paths.shift()) {
    const { statusCode, headers, body } = await request(url + path, { headers: { accept: 'text/html, */*' } });
    const text = await body.text();
    expect(statusCode, path).toBe(200);
    found[path] = { type: headers['content-type'], text: text.replaceAll(url, '') };
    // A document shows code that is not served.
    if (/^text\/(markdown|plain)/.test(String(headers['content-type']))) continue;
    for (const [, name = ''] of text.matchAll(/(?:src|href|from|import)\s*[=(]?\s*["'](\.{0,2}\/[^"'#?]+)["']/g)) {
      // Comments name sources, which are not served.
      const { pathname } = new URL(name, url + path);
      if (!(pathname in found) && !paths.includes(pathname) && !pathname.endsWith('.ts')) paths.push(pathname);
    }
  }
  return found;
}

it('the bundle of the service sends the same pages as its sources, with the same types', async () => {
  const [sources, bundle] = [keep(await startService()), keep(await startBundle())];
  const expected = await pagesOf(sources.url);
  expect(Object.keys(expected).length).toBeGreaterThan(15);
  expect(await pagesOf(bundle.url)).toEqual(expected);
});

it('npm run pack with a file instead of a folder names it, without a stack trace', () => {
  expect(node(join(root, 'scripts/pack.ts'), 'package.json')).toMatch(
    /^.+package\.json: no folder can be made here .+\n$/,
  );
});

it('npm start with an import that cannot be found advises npm ci for a package, and names a file of the project without that advice', () => {
  writeFileSync(join(project, 'src/main.ts'), "import 'koa';\n");
  expect(node('start.js')).toMatch(
    /^Cannot find package 'koa' imported from .+\/src\/main\.ts\nRun "npm ci" first.+\n$/,
  );
  writeFileSync(join(project, 'src/main.ts'), "import './moved.ts';\n");
  const output = node('start.js');
  expect(output).toContain(`Cannot find module '${project}/src/moved.ts' imported from ${project}/src/main.ts`);
  expect(output).not.toContain('npm ci');
});
