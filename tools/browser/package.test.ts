import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { isBuiltin } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { snippetsOf, textOf } from '../../test/support/snippets.ts';
import { browserOptions } from './support/browser.ts';
import { installPackage, type Project } from './support/package.ts';

const SNIPPETS = snippetsOf('docs/guides/frontend.md', 'docs/guides/tests.md', 'docs/guides/own-people.md');

let project: Project;
beforeAll(async () => {
  project = await installPackage([
    ...['vitest', '@playwright/test', 'typescript', '@types/node', '@tanstack/query-core', 'jsdom'],
  ]);
  for (const [file, code] of SNIPPETS) project.write(file, code);
  project.write('configuration.ts', configurationOfPlaywright());
});
afterAll(() => rmSync(project.folder, { recursive: true, force: true }));

/** The configuration of Playwright that the guide for tests describes, for a service that runs already. */
function configurationOfPlaywright(): string {
  const example = /In Playwright it is `(use: .+?)` .+?`(defineConfig.+?)`/s;
  const [, use = '', call = ''] = example.exec(textOf('docs/guides/tests.md')) ?? [];
  return `import { defineConfig } from '@playwright/test';\nexport default ${call.replace('…', use)};\n`;
}

/** An import of a package or of a module of Node, in JavaScript or in types. */
const IMPORT = /^(?:import|export) (?:[^'"]* from )?['"]([^.'"][^'"]*)['"];$|\bimport\("([^."][^"]*)"\)/gm;

const compilerOptions = (more: object) =>
  JSON.stringify({
    compilerOptions: { target: 'es2022', strict: true, exactOptionalPropertyTypes: true, noEmit: true, ...more },
    include: ['*.ts'],
  });

describe('the package, installed in another project,', () => {
  it('contains the library, the client and the guides, and no sources, scripts or tests', () => {
    const has = (file: string) => existsSync(join(project.folder, 'node_modules/zorgregister-bff', file));
    expect(['lib/index.js', 'lib/client/index.d.ts', 'README.md', 'docs/guides/frontend.md'].filter(has)).toHaveLength(
      4,
    );
    const unwanted = [
      'src',
      'test',
      'scripts',
      'lib/test',
      'lib/scripts',
      'lib/src/main.d.ts',
      'lib/browser/simulated-connection.js',
    ];
    expect(unwanted.filter(has)).toEqual([]);
  });

  it('depends on the packages that it imports, and not on those of which it contains the code', () => {
    const own = join(project.folder, 'node_modules/zorgregister-bff');
    const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'));
    const files = readdirSync(join(own, 'lib'), { recursive: true, encoding: 'utf8' }).filter((file) =>
      /^[^/]*\.js$|\.d\.ts$/.test(file),
    );
    const imported = files.flatMap((file) =>
      [...readFileSync(join(own, 'lib', file), 'utf8').matchAll(IMPORT)].map(
        ([, fixed, loaded]) => fixed ?? loaded ?? '',
      ),
    );
    const packages = imported.map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? '');
    const missing = new Set(
      packages.filter((name) => !isBuiltin(name) && !(name in dependencies) && !(name in peerDependencies)),
    );
    // Only the repository makes the pages.
    expect([...missing]).toEqual(['rolldown']);
    const contained = readFileSync(join(own, 'lib/LICENCES.txt'), 'utf8').split(/^-{80}$/m);
    const names = contained.map((notice) => notice.trim().split('\n', 1)[0] ?? '');
    expect(names).toEqual(expect.arrayContaining(['koa', 'preact', 'undici', 'zod']));
    // The types of the package import zod too.
    expect(names.filter((name) => name in dependencies)).toEqual(['zod']);
  });

  it('has no script that npm runs at its installation', () => {
    const { scripts = {} } = JSON.parse(
      readFileSync(join(project.folder, 'node_modules/zorgregister-bff/package.json'), 'utf8'),
    );
    const asked = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare'];
    expect(asked.filter((name) => name in scripts)).toEqual([]);
  });

  it('comes with a separate client package, which has the personas and nothing of the service', async () => {
    const light = join(project.folder, 'node_modules/zorgregister-bff-client');
    const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(light, 'package.json'), 'utf8'));
    expect([dependencies, peerDependencies]).toEqual([undefined, undefined]);
    const files = readdirSync(light).filter((file) => file.endsWith('.js'));
    const imports = files.flatMap((file) => [
      ...readFileSync(join(light, file), 'utf8').matchAll(/ from '([^.'][^']*)'/g),
    ]);
    expect(imports).toEqual([]);
    project.write('light.js', LIGHT);
    expect(await project.run('node', ['light.js'])).toEqual({ exitCode: 0, text: 'sanne-de-wit unreachable\n' });
  });

  it('contains every declaration file that its declaration files import', () => {
    const lib = join(project.folder, 'node_modules/zorgregister-bff/lib');
    const declarations = readdirSync(lib, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.d.ts'),
    );
    const mentioned = declarations.flatMap((file) =>
      [...readFileSync(join(lib, file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)\.[jt]s'/g)].map(
        ([, target]) => `${join(dirname(file), target ?? '')}.d.ts`,
      ),
    );
    expect(declarations.length).toBeGreaterThan(10);
    expect(mentioned.filter((file) => !declarations.includes(file))).toEqual([]);
  });

  it.each([
    { module: 'nodenext', types: ['node'], skipLibCheck: true },
    { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'], types: ['node'], skipLibCheck: true },
  ])('has types with which the examples in the guides compile with module $module', async (options) => {
    project.write('tsconfig.json', compilerOptions(options));
    expect(await project.run('tsc')).toEqual({ exitCode: 0, text: '' });
  });

  it('compiles in a page without the types of Node or other packages', async () => {
    project.write('page-index.ts', PAGE);
    project.write(
      'tsconfig.page.json',
      JSON.stringify({
        compilerOptions: {
          ...{ target: 'es2022', module: 'esnext', moduleResolution: 'bundler', strict: true, noEmit: true },
          ...{ lib: ['es2022', 'dom'], types: [], skipLibCheck: false },
        },
        include: ['page-index.ts'],
      }),
    );
    expect(await project.run('tsc', ['-p', 'tsconfig.page.json'])).toEqual({ exitCode: 0, text: '' });
  });

  it('has types that refuse unknown paths, members and options', async () => {
    project.write('wrong.ts', WRONG);
    project.write('tsconfig.json', compilerOptions({ module: 'nodenext', types: ['node'], skipLibCheck: true }));
    const { text } = await project.run('tsc');
    rmSync(join(project.folder, 'wrong.ts'));
    const lines = [...text.matchAll(/^wrong\.ts\((\d+),/gm)].map(([, line]) => Number(line));
    expect([...new Set(lines)]).toEqual([4, 5, 6, 7, 8]);
  });

  it('leaves nothing in a bundle that does not call it', async () => {
    project.write('unused.js', "import { handlers } from 'zorgregister-bff/handlers';\nexport const isOn = false;\n");
    const bundle = await rolldown({ input: join(project.folder, 'unused.js'), external: ['msw'] });
    const [{ code }] = (await bundle.generate()).output;
    expect(code).not.toContain('zorgregister');
  });

  it('starts the service, and its client gets an answer', async () => {
    project.write('use.js', USE);
    expect(await project.run('node', ['use.js'])).toEqual({
      exitCode: 0,
      text: 'demos\nSanne de Wit\nPort <taken> is in use. PORT=<other> npx --no-install zorgregister-bff\nDATABASE_URL // src/startup/service.ts\nended\n',
    });
  });

  it('uploads and downloads a document in a Vitest test with jsdom', async () => {
    project.write('jsdom.test.ts', JSDOM);
    // Vitest is a link here, and would look for jsdom beside its real folder.
    const hook = `import { registerHooks } from 'node:module';
      registerHooks({ resolve: (name, context, next) => next(name, name === 'jsdom' ? { ...context, parentURL: ${JSON.stringify(pathToFileURL(join(project.folder, 'package.json')))} } : context) });`;
    const options = `--import=data:text/javascript,${encodeURIComponent(hook)}`;
    const ran = await project.run('vitest', ['run', 'jsdom.test.ts', '--testTimeout=30000'], {
      NO_COLOR: '1',
      NODE_OPTIONS: options,
    });
    rmSync(join(project.folder, 'jsdom.test.ts'));
    expect(ran).toEqual({ exitCode: 0, text: expect.stringContaining('1 passed') });
  });

  it('runs the Vitest tests of the guide', async () => {
    const ran = await project.run('vitest', ['run', '--exclude', '*.spec.ts', '--testTimeout', '120000'], {
      NO_COLOR: '1',
    });
    expect(ran).toEqual({ exitCode: 0, text: expect.stringMatching(/Tests +\d+ passed \(\d+\)/) });
  });

  it('runs the Playwright test of the guide in a real browser, for a frontend that calls another origin', async () => {
    project.write('pages.spec.ts', PAGES);
    const frontend = createServer(({ headers }, response) => {
      response.setHeader('Content-Type', 'text/html').setHeader('X-Seen', String(headers['x-subject'])).end(FRONTEND);
    });
    await new Promise<void>((resolve) => frontend.listen(0, '127.0.0.1', resolve));
    const baseURL = `http://127.0.0.1:${(frontend.address() as AddressInfo).port}`;
    const launchOptions = await browserOptions();
    project.write(
      'playwright.config.js',
      `export default ${JSON.stringify({ use: { baseURL, launchOptions }, testMatch: '*.spec.ts', workers: 1 })}`,
    );
    const ran = await project.run('playwright', ['test']);
    frontend.close();
    expect(ran).toEqual({ exitCode: 0, text: expect.stringMatching(/\d+ passed/) });
  });

  it('has a command that names the required Node version under an older Node, and the commands for an unknown one', async () => {
    const older = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.20.2'})";
    const { exitCode, text } = await project.run('zorgregister-bff', [], { NODE_OPTIONS: `--import=${older}` });
    expect(text).toMatch(/^zorgregister-bff needs Node 22\.19 or newer.+"npm install --save-dev node@24".+\n$/);
    expect(exitCode).toBe(1);
    expect((await project.run('zorgregister-bff', ['no-such'])).text).toMatch(
      /no such command; there are migrate, backup, restore, simulators/,
    );
  });
});

const PAGE = `import { createClient, type DashboardViewDto, type ProblemCode } from 'zorgregister-bff/client';
const client = createClient({ baseUrl: '', token: async () => 'token' });
export async function load(): Promise<DashboardViewDto | ProblemCode | null> {
  const { data, problem } = await client.GET('/dashboard-view');
  return problem ? problem.code : data;
}
`;

const LIGHT = `import { createClient, PERSONAS } from 'zorgregister-bff-client';
const client = createClient({ baseUrl: 'http://127.0.0.1:1', persona: 'sanne-de-wit' });
await client.GET('/notes').catch(({ kind }) => console.log(PERSONAS['sanne-de-wit']['X-Subject'], kind));
`;

const WRONG = `import { createClient } from 'zorgregister-bff/client';
import { startBff } from 'zorgregister-bff/testing';
const client = createClient({ baseUrl: '' });
client.GET('/dashbord-view');
client.as('sanne-de-witt');
client.GET('/applications/{id}');
client.POST('/herregistraties', { body: { uur: 2600 } });
(await startBff()).scenario('duo-dwn');
`;

/** Not one word, because Vitest would apply the comment to this file. */
const JSDOM = `// @${'vitest'}-environment jsdom
import { expect } from 'vitest';
import { bffTest as test } from 'zorgregister-bff/vitest';
test('uploads and downloads', async ({ bff }) => {
  const file = new File([await bff.sample('cv.pdf')], 'cv.pdf');
  const client = bff.as('elena-marin');
  const { data } = await client.upload({ wizardId: 'registratie', categoryId: 'cv', file });
  const { response } = await client.GET('/uploads/{documentId}/content', { params: { documentId: data.documentId } });
  expect(response.status).toBe(200);
});
`;

const USE = `import { readFileSync } from 'node:fs';
import { startService } from 'zorgregister-bff';
import { createClient } from 'zorgregister-bff/client';
const service = await startService({ env: { PORT: '0', DATA_DIR: ':memory:' } });
for (const path of ['/docs', '/docs/swagger-ui-bundle.js', '/_simulator/', '/_simulator/assets/main.js', '/_simulator/assets/components.css', '/_simulator/assets/theme.css', '/_simulator/mijn/', '/_simulator/mijn/main.js', '/_simulator/mijn/main.js.map', '/_simulator/mijn/fonts/bold.ttf']) {
  const { status } = await fetch(service.url + path);
  if (status !== 200) console.log(path, status);
}
const demos = await fetch(service.url + '/_simulator/demos').then((answer) => answer.json());
console.log(demos.length > 1 ? 'demos' : demos);
const { data } = await createClient({ baseUrl: service.url, persona: 'sanne-de-wit' }).GET('/dashboard-view');
console.log(data.registration.naam);
await startService({ env: { PORT: new URL(service.url).port, DATA_DIR: ':memory:' } }).catch((error) => {
  console.log(error.message.replace(/Port \\d+/, 'Port <taken>').replace(/Stop.*PORT=\\d+/, 'PORT=<other>'));
});
await startService({ env: { PORT: '0', DATABASE_URL: 'postgres://127.0.0.1:1/none' } }).catch(({ message, cause }) => {
  const [, file, line] = /at async openData \\(file:\\/\\/(.+):(\\d+):/.exec(cause.stack);
  const above = readFileSync(file, 'utf8').split('\\n').slice(0, line);
  console.log(message.replace(/:.*/, ''), above.findLast((one) => /^\\/\\/ (src|adapters|simulator)\\//.test(one)));
});
await service.close();
process.once('exit', () => console.log('ended'));
`;

const PAGES = `import { expect } from '@playwright/test';
import { bffTest as test } from 'zorgregister-bff/playwright';
let polled = '';
test('a page that the signed-in page opens is signed in, also without an opener', async ({ page, bff, context }) => {
  polled = bff.name;
  await bff.signIn(page, 'noor-bakker');
  await bff.as('noor-bakker').POST('/applications', { body: { type: 'registratie' } });
  await page.goto('/');
  await page.evaluate(() => {
    document.body.innerHTML = '<a href="/" target="_blank">Open</a>';
    const poll = () => fetch('/api/v1/notes').finally(() => setTimeout(poll));
    poll();
  });
  for (const open of [() => page.getByText('Open').click(), () => page.evaluate(() => void window.open('/'))]) {
    const [opened] = await Promise.all([context.waitForEvent('page'), open()]);
    await opened.waitForURL('/');
    const drafts = () => fetch('/api/v1/applications').then((answer) => answer.json());
    expect(await opened.evaluate(drafts)).toMatchObject([{ type: 'registratie' }]);
  }
});
test('a call of an address with https goes to the service too', async ({ page, bff }) => {
  await bff.signIn(page, 'noor-bakker');
  await page.goto('/');
  const start = async () => {
    const call = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"type":"registratie"}' };
    return (await fetch('https://localhost:9/api/v1/applications', call)).status;
  };
  expect(await page.evaluate(start)).toBe(201);
});
test('a call behind the path of a proxy goes to the service too, and a module of the page does not', async ({ page, bff }) => {
  await page.route('**/src/api/v1/notes.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
  await bff.signIn(page, 'noor-bakker');
  await page.goto('/');
  await page.addScriptTag({ url: '/src/api/v1/notes.js' });
  expect(await page.evaluate(() => fetch('/portal/api/v1/notes?x=/api/v1/').then((answer) => answer.json()))).toEqual([]);
});
test('a server that renders is told who the test is, and the calls of its page go to the service', async ({ page, bff }) => {
  await bff.signIn(page, 'noor-bakker');
  await page.setExtraHTTPHeaders(bff.headers('noor-bakker'));
  const answer = await page.goto('/');
  expect(answer?.headers()['x-seen']).toBe(bff.headers('noor-bakker')['X-Subject']);
  await page.evaluate(() => fetch('/api/v1/notes'));
  expect(await bff.calls({ operation: 'notes', persona: 'noor-bakker', status: '2xx' })).toHaveLength(1);
});
test('a page that calls the service every moment does not make its world again after the test', async ({ bff }) => {
  const worlds = (await fetch(bff.url + '/_simulator/worlds').then((answer) => answer.json())) as { world: string }[];
  expect(worlds.map(({ world }) => world)).not.toContain(polled);
});
`;

/** A frontend that calls a port on which nothing listens, as a persona of its own. */
const FRONTEND = `<!doctype html><main>Laden…</main><script type="module">
  const answer = await fetch('http://localhost:9/api/v1/dashboard-view', {
    headers: { Authorization: 'Bearer its-own', 'X-Medewerker': 'teamlead-tess', 'X-Rollen': 'behandelaar,teamlead' },
  });
  const { registration, title } = await answer.json();
  document.querySelector('main').textContent = registration?.naam ?? title;
</script>`;
