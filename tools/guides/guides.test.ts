/**
 * Runs the examples of the guides for tools that this repository does not use: Jest, React with TanStack Query,
 * Storybook, oidc-client-ts, SvelteKit, Parcel, component tests of Playwright, and Cypress. Installs these tools from the registry (docs/decisions/0042-documents-are-tested.md).
 */
import { execFile, spawn } from 'node:child_process';
import { createReadStream, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, expect as expectOfPlaywright } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../test/support/free-port.ts';
import { startService, type TestService } from '../../test/support/service.ts';
import { exampleWith, snippetsOf, textOf } from '../../test/support/snippets.ts';
import { browserOptions, openBrowser } from '../browser/support/browser.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const FRONTEND = 'docs/guides/frontend.md';

/** The npm packages with which the examples are tried, with exact versions. */
const TOOLS = [
  ...['jest@30.5.2', 'react@19.3.1', 'react-dom@19.3.1', '@types/react@19.3.0', '@types/react-dom@19.3.0'],
  ...['@tanstack/react-query@5.108.0', 'vite@8.3.8', '@vitejs/plugin-react@6.3.0', 'typescript@7.0.2', 'node@24.21.0'],
  ...['storybook@10.6.7', '@storybook/react-vite@10.6.7', 'msw-storybook-addon@3.0.3', 'msw@2.15.0'],
  ...[
    'oidc-client-ts@3.5.0',
    'parcel@2.16.4',
    '@playwright/experimental-ct-react@1.62.1',
    'cypress@15.3.0',
    '@types/node@24.19.2',
  ],
];

/** Those of SvelteKit, which are installed apart, because it refuses another TypeScript than its own. */
const SVELTE_TOOLS = [
  'svelte@5.57.3',
  '@sveltejs/kit@3.2.0',
  '@sveltejs/vite-plugin-svelte@7.3.1',
  'vite@8.3.8',
  'typescript@6.0.3',
];

/** Waits longer than usual, because the development server of Vite and Storybook are slow on a busy machine. */
const expectPage = expectOfPlaywright.configure({ timeout: 60_000 });

let folder: string;
let browser: Browser;
const write = (file: string, text: string): void => {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
};
const withTools = (cwd = folder) => ({
  ...process.env,
  // Vitest sets it to "test", and the tools build otherwise then.
  NODE_ENV: undefined,
  PATH: [join(cwd, 'node_modules/.bin'), join(folder, 'node_modules/.bin'), process.env.PATH].join(':'),
  CI: '1',
  NO_COLOR: '1',
  // The program of Cypress is not in the registry.
  CYPRESS_INSTALL_BINARY: '0',
});
/** Runs a command in the folder, or in one below it. Returns its output; throws with its output when it fails. */
async function run(command: string, args: readonly string[], env = {}, cwd = folder): Promise<string> {
  const options = { cwd, maxBuffer: 2 ** 26, env: { ...withTools(cwd), ...env } };
  const { stdout, stderr } = await promisify(execFile)(command, [...args], options).catch((error) => {
    throw new Error(`${command}: ${error.stdout}${error.stderr}`);
  });
  return stdout + stderr;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'guides-'));
  write('package.json', JSON.stringify({ name: 'my-page', private: true, type: 'module' }));
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  [browser] = await Promise.all([
    openBrowser(),
    promisify(execFile)('npm', ['run', 'pack', '--', folder], { cwd: root }),
  ]);
  await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', `./${name}-${version}.tgz`, ...TOOLS]);
}, 600_000);
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
}, 120_000);

describe('the example for Jest in the guide', () => {
  it('passes', async () => {
    write('heading.test.js', exampleWith('docs/guides/tests.md', '@jest/globals'));
    const options = { NODE_OPTIONS: '--experimental-vm-modules' };
    expect(await run('jest', ['heading.test.js'], options)).toMatch(/Tests: +1 passed/);
  });

  it('passes as CommonJS too, to which ts-jest and SWC transform it', async () => {
    const example = exampleWith('docs/guides/tests.md', '@jest/globals');
    const required = example.replace(/^import (\{.+\}) from ('.+');$/gm, 'const $1 = require($2);');
    expect(required).not.toContain('import ');
    write('heading.test.cjs', required);
    const options = { NODE_OPTIONS: '--experimental-vm-modules' };
    expect(await run('jest', ['heading.test.cjs'], options)).toMatch(/Tests: +1 passed/);
  });
});

describe('the example for React with TanStack Query', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());

  it('compiles, lists the applications, and shows a new one after the button was clicked', async () => {
    write('react/App.tsx', exampleWith(FRONTEND, '@tanstack/react-query'));
    write('react/main.tsx', MAIN);
    write('react/index.html', '<!doctype html><div id="root"></div><script type="module" src="/main.tsx"></script>');
    write('react/tsconfig.json', TSCONFIG);
    await run('tsc', ['-p', 'react']);
    const [, proxy = ''] = /In Vite: `(.+?)`/.exec(textOf(FRONTEND)) ?? [];
    expect(proxy).toContain('http://127.0.0.1:3000');
    const { page, close } = await developed('react', viteWith(proxy.replace('http://127.0.0.1:3000', service.url)));
    await page.getByRole('button', { name: 'Herregistratie aanvragen' }).click();
    await expectPage(page.getByRole('listitem').filter({ hasText: 'herregistratie: InBehandeling' })).toHaveCount(1);
    await page.getByRole('button').click();
    await expectPage(page.getByRole('alert')).toContainText('aanvraag');
    await close();
  });
});

describe('the issuer of the guide for logging in', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ IDENTITY: 'simulated-oidc', OIDC_SIMULATED_PORT: '0' });
  });
  afterAll(() => service.close());

  it('lets a page with oidc-client-ts log in, refresh, step up and log out', async () => {
    const [issuer = ''] = /http:\S+\/professionals/.exec(service.identity) ?? [];
    const [, manager = ''] = /With `oidc-client-ts`:\s`(.+?)`/.exec(textOf('docs/guides/login.md')) ?? [];
    expect(manager).toMatch(/^new UserManager\(/);
    write('login/main.ts', LOGIN.replace('MANAGER', manager).replace('ISSUER', issuer).replace('API', service.url));
    write('login/index.html', '<!doctype html><div id="root"></div><script type="module" src="/main.ts"></script>');
    const { page, close } = await developed('login');
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const says = (text: string | RegExp) => expectPage(page.getByRole('status')).toHaveText(text, { timeout: 20_000 });
    await says('Niet ingelogd');
    await press('Inloggen');
    await press('Sanne de Wit');
    await says(/^Sanne de Wit \*+30$/);
    await press('Vernieuwen');
    await says(/^Sanne de Wit \*+30, ander token$/);
    await press('Sterker inloggen');
    await press('Sanne de Wit');
    await says('Sanne de Wit 90000010130');
    await press('Uitloggen');
    await press('Ja, uitloggen');
    await says('Niet ingelogd');
    await close();
  });
});

describe('the example for Storybook', () => {
  /** The two formats of stories, with the configuration that the guide describes. */
  const FORMATS = [
    ['CSF 3', 'csf3', 'dashboard.stories.ts', () => snippetsOf(FRONTEND).get('dashboard.stories.ts') ?? '', PREVIEW],
    ['CSF Next', 'next', 'Next.stories.ts', () => exampleWith(FRONTEND, '../.storybook/preview'), PREVIEW_NEXT],
  ] as const;

  it.each(FORMATS)(
    'in %s shows the persona of each story, in a built Storybook',
    async (_, at, file, story, preview) => {
      write(`${at}/package.json`, JSON.stringify({ name: at, private: true, type: 'module' }));
      write(`${at}/src/${file}`, story());
      write(`${at}/src/Dashboard.tsx`, DASHBOARD);
      write(`${at}/.storybook/main.ts`, STORYBOOK);
      write(`${at}/.storybook/preview.tsx`, preview);
      await run('msw', ['init', `${at}/public`, '--save']);
      await run('storybook', ['build', '--quiet', '--disable-telemetry'], {}, join(folder, at));
      const { page, close } = await shown(`${at}/storybook-static`);
      const open = (id: string) => page.goto(`${new URL(page.url()).origin}/iframe.html?viewMode=story&id=${id}`);
      await open('dashboard--suspended');
      await expectPage(page.getByRole('main')).toHaveText('Pieter Hoekstra: Geschorst');
      if (at === 'csf3') {
        await open('dashboard--register-down');
        await expectPage(page.getByRole('main')).toHaveText('bron-niet-beschikbaar');
      }
      await close();
    },
  );
});

describe('the examples for SvelteKit', () => {
  beforeAll(async () => {
    write('svelte/package.json', JSON.stringify({ name: 'svelte', private: true, type: 'module' }));
    write('svelte/src/app.html', '<!doctype html><head>%sveltekit.head%</head><body>%sveltekit.body%</body>');
    write('svelte/src/routes/+page.svelte', SVELTE);
    await run('npm', ['install', '--no-audit', '--no-fund', ...SVELTE_TOOLS], {}, join(folder, 'svelte'));
  }, 600_000);
  /** Expects the heading in the page of the server, and again after the browser has called the service. */
  async function expectHeading({ page, close }: Awaited<ReturnType<typeof developed>>): Promise<void> {
    expect(await (await fetch(page.url())).text()).toContain('<h1>Sanne de Wit</h1>');
    const button = page.getByRole('button', { name: 'Opnieuw' });
    await expectPage(button).toBeEnabled();
    const answered = page.waitForResponse(/dashboard-view/);
    await button.click();
    expect((await answered).status()).toBe(200);
    await expectPage(page.getByRole('heading')).toHaveText('Sanne de Wit');
    await close();
  }

  it('render a page on the server and in the browser', async () => {
    const service = await startService();
    write('svelte/src/hooks.server.ts', exampleWith(FRONTEND, '@sveltejs/kit'));
    write(
      'svelte/src/routes/+page.ts',
      exampleWith(FRONTEND, './$types').replace('http://127.0.0.1:3000', service.url),
    );
    await expectHeading(await developed('svelte', VITE_SVELTE));
    await service.close();
  });

  it('render it without a server of the register, on both sides', async () => {
    write('svelte/src/routes/+page.ts', exampleWith(FRONTEND, './$types'));
    write('svelte/src/worker.ts', snippetsOf(FRONTEND).get('worker.ts') ?? '');
    write('svelte/src/hooks.client.ts', exampleWith(FRONTEND, "import('./worker')"));
    const both = [exampleWith(FRONTEND, '@sveltejs/kit'), exampleWith(FRONTEND, "import('msw/node')")];
    write('svelte/src/hooks.server.ts', both.join('\n'));
    await run('msw', ['init', 'svelte/static', '--save']);
    await expectHeading(await developed('svelte', VITE_SVELTE));
  });
});

describe('the example for Parcel', () => {
  it('builds a page with the client alone without settings', async () => {
    write('parcel-client/package.json', JSON.stringify({ name: 'parcel-client', private: true }));
    write('parcel-client/index.html', '<!doctype html><script type="module" src="heading.ts"></script>');
    write('parcel-client/heading.ts', snippetsOf(FRONTEND).get('heading.ts') ?? '');
    expect(await run('parcel', ['build', 'index.html'], {}, join(folder, 'parcel-client'))).toContain('Built in');
  });

  it('shows the page without a server in development, and has nothing of the simulator in production', async () => {
    const [, setting = ''] = /Switch that on .+?:\s`(.+?)`/s.exec(textOf(FRONTEND)) ?? [];
    expect(setting).toContain('packageExports');
    write('parcel/package.json', `{ "name": "parcel", "private": true, ${setting} }`);
    // Parcel reads the setting where the lockfile is.
    write('parcel/package-lock.json', '{}');
    write('parcel/index.html', '<!doctype html><body></body><script type="module" src="main.ts"></script>');
    write('parcel/main.ts', exampleWith(FRONTEND, "from './heading'"));
    const heading = snippetsOf(FRONTEND).get('heading.ts') ?? '';
    write('parcel/heading.ts', heading.replace(/createClient\(.+?\)/, "createClient({ baseUrl: '' })"));
    write('parcel/worker.ts', snippetsOf(FRONTEND).get('worker.ts') ?? '');
    const at = join(folder, 'parcel');
    await run('parcel', ['build', 'index.html', '--dist-dir', 'production'], {}, at);
    const [built = ''] = readdirSync(join(at, 'production')).filter((file) => file.endsWith('.js'));
    const text = readFileSync(join(at, 'production', built), 'utf8');
    expect(text).toContain('dashboard-view');
    expect(text).not.toContain('zorgregister-handlers');
    await run('msw', ['init', 'parcel/dist', '--no-save']);
    const { page, close } = await served('parcel', 'parcel', [
      'serve',
      'index.html',
      '--port',
      String(await freePort()),
    ]);
    await expectPage(page.locator('body')).toHaveText('Sanne de Wit');
    await close();
  });
});

describe('the example for component tests of Playwright', () => {
  it('passes', async () => {
    write('component/playwright/index.html', '<div id="root"></div><script type="module" src="./index.ts"></script>');
    write('component/playwright/index.ts', '');
    write('component/src/Dashboard.tsx', DASHBOARD);
    write('component/src/Dashboard.spec.tsx', exampleWith('docs/guides/tests.md', '@playwright/experimental-ct-react'));
    const use = { launchOptions: await browserOptions(), ctPort: await freePort() };
    const config = { testDir: 'src', timeout: 120_000, expect: { timeout: 60_000 }, use };
    write(
      'component/playwright-ct.config.ts',
      `import { defineConfig } from '@playwright/experimental-ct-react';\nexport default defineConfig(${JSON.stringify(config)});\n`,
    );
    write('component/src/tsconfig.json', TSCONFIG);
    await run('tsc', ['-p', 'component/src']);
    const command = ['test', '-c', 'playwright-ct.config.ts', '--reporter', 'list'];
    const playwright = join(folder, 'node_modules/@playwright/experimental-ct-react/cli.js');
    expect(await run('node', [playwright, ...command], {}, join(folder, 'component'))).toContain('2 passed');
  });
});

describe('the example for Cypress', () => {
  it('compiles, and its tasks give a page what the test expects', async () => {
    const port = await freePort();
    const config = exampleWith('docs/guides/tests.md', "from 'cypress'").replace('3000', String(port));
    write('cypress/cypress.config.ts', config);
    write('cypress/dashboard.cy.ts', exampleWith('docs/guides/tests.md', 'cy.task('));
    const options = JSON.parse(TSCONFIG).compilerOptions;
    const compilerOptions = { ...options, lib: ['es2024', 'dom'], types: ['cypress', 'node'] };
    write('cypress/tsconfig.json', JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    await run('tsc', ['-p', 'cypress']);

    const { default: made } = await import(
      /* @vite-ignore */ pathToFileURL(join(folder, 'cypress/cypress.config.ts')).href
    );
    const events: Record<string, unknown> = {};
    await made.e2e.setupNodeEvents((name: string, value: unknown) => Object.assign(events, { [name]: value }));
    const tasks = events.task as Record<string, (given?: string) => Promise<unknown>>;
    // Cypress refuses the result undefined.
    for (const [name, given] of [['reset'], ['scenario', 'register-down'], ['headers', 'sanne-de-wit']] as const)
      expect(await tasks[name]?.(given), name).toBeDefined();
    write('cypress-page/Dashboard.tsx', DASHBOARD);
    write('cypress-page/main.tsx', MAIN.replace("App from './App.tsx'", "{ Dashboard as App } from './Dashboard.tsx'"));
    write(
      'cypress-page/index.html',
      '<!doctype html><div id="root"></div><script type="module" src="/main.tsx"></script>',
    );
    const proxy = `server: { proxy: { '/api': 'http://127.0.0.1:${port}' } }`;
    const { page, close } = await developed('cypress-page', viteWith(proxy));
    const headers = (await tasks.headers?.('sanne-de-wit')) as Record<string, string>;
    await page.route('**/api/v1/**', (route) =>
      route.continue({ headers: { ...route.request().headers(), ...headers } }),
    );
    await page.reload();
    await expectPage(page.getByRole('main')).toHaveText('bron-niet-beschikbaar');
    await tasks.reset?.();
    await page.reload();
    await expectPage(page.getByRole('main')).toHaveText(/^Sanne de Wit: /);
    await close();
    await (events['after:run'] as () => Promise<void>)();
  });
});

/** Serves a folder with the development server of Vite, and opens it in a new window of the browser. */
async function developed(at: string, config = viteWith('')) {
  write(`${at}/vite.config.js`, config);
  return served(at, 'vite', ['--port', '0']);
}

/** Runs the development server of a tool in a folder, and opens its page in a new window of the browser. */
async function served(at: string, tool: string, options: readonly string[]) {
  const cwd = join(folder, at);
  const server = spawn(tool, [...options, '--host', '127.0.0.1'], { cwd, env: withTools(cwd) });
  let printed = '';
  server.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  const address = /http:\/\/127\.0\.0\.1:\d+/;
  await expect.poll(() => printed, { timeout: 60_000 }).toMatch(address);
  const page = await browser.newPage();
  await page.goto(address.exec(printed)?.[0] ?? '');
  return {
    page,
    async close() {
      await page.close();
      server.kill();
    },
  };
}

/** Serves a folder, and opens it in a new window of the browser. */
async function shown(at: string) {
  const server: Server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://page').pathname;
    const file = path === '/' ? 'index.html' : path.slice(1);
    const types: Record<string, string> = {
      html: 'text/html',
      js: 'text/javascript',
      css: 'text/css',
      json: 'application/json',
    };
    response.setHeader('Content-Type', types[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream');
    createReadStream(join(folder, at, file))
      .on('error', () => response.writeHead(404).end())
      .pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return {
    page,
    async close() {
      await page.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

const MAIN = `import { createRoot } from 'react-dom/client';
import App from './App.tsx';
createRoot(document.getElementById('root') as HTMLElement).render(<App />);
`;
const TSCONFIG = JSON.stringify({
  compilerOptions: {
    ...{ target: 'es2022', module: 'esnext', moduleResolution: 'bundler', jsx: 'react-jsx', lib: ['es2023', 'dom'] },
    ...{ strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true, types: [] },
  },
  include: ['*.tsx'],
});
const viteWith = (options: string): string => `import react from '@vitejs/plugin-react';
export default { plugins: [react()], ${options} };
`;
const VITE_SVELTE = `import { sveltekit } from '@sveltejs/kit/vite';
export default { plugins: [sveltekit()] };
`;
const LOGIN = `import { UserManager } from 'oidc-client-ts';
const authority = 'ISSUER';
const client_id = 'portal';
const redirect_uri = location.origin + '/';
const manager = MANAGER;
const root = document.getElementById('root')!;
const status = root.appendChild(document.createElement('p'));
status.role = 'status';
const button = (name: string, act: () => unknown) => {
  const made = root.appendChild(document.createElement('button'));
  made.textContent = name;
  made.onclick = act;
};
let before = '';
async function show(asked = {}) {
  const user = await manager.getUser();
  if (user === null) return void (status.textContent = 'Niet ingelogd');
  const headers = { Authorization: 'Bearer ' + user.access_token, ...asked };
  const answer = await fetch('API/api/v1/dashboard-view', { headers });
  const { registration, code } = await answer.json();
  const other = before !== '' && before !== user.access_token ? ', ander token' : '';
  before = user.access_token;
  status.textContent = answer.ok ? registration.naam + ' ' + registration.registerNummer + other : code;
}
button('Inloggen', () => manager.signinRedirect());
button('Vernieuwen', () => manager.signinSilent().then(() => show()));
button('Sterker inloggen', () =>
  manager.signinRedirect({ acr_values: 'http://eidas.europa.eu/LoA/substantial', max_age: 0, state: 'step-up' }));
button('Uitloggen', () => manager.signoutRedirect({ post_logout_redirect_uri: redirect_uri }));
if (location.search.includes('code=')) {
  const user = await manager.signinRedirectCallback();
  history.replaceState(null, '', '/');
  await show(user.state === 'step-up' ? { 'X-Step-Up': '1' } : {});
} else await show();
export {};
`;
const DASHBOARD = `import { useEffect, useState } from 'react';
import { createClient } from 'zorgregister-bff/client';
const client = createClient({ baseUrl: '' });
export function Dashboard() {
  const [text, setText] = useState('');
  useEffect(() => {
    client.GET('/dashboard-view').then(({ data, problem }) =>
      setText(problem ? String(problem.code) : data.registration?.naam + ': ' + data.registration?.status?.tag),
    );
  }, []);
  return <main>{text}</main>;
}
`;
const SVELTE = `<script lang="ts">
  import { invalidateAll } from '$app/navigation';
  import { onMount } from 'svelte';
  let { data } = $props();
  let isReady = $state(false);
  onMount(() => { isReady = true; });
</script>
<h1>{data.heading}</h1>
<button disabled={!isReady} onclick={() => invalidateAll()}>Opnieuw</button>
`;
const STORYBOOK = `export default {
  framework: '@storybook/react-vite',
  stories: ['../src/*.stories.ts'],
  addons: ['msw-storybook-addon'],
  staticDirs: ['../public'],
};
`;
/** The example has no component, because it is for every framework: this is the page of its stories. */
const PREVIEW = `import { mswLoader } from 'msw-storybook-addon/csf3';
import { Dashboard } from '../src/Dashboard';
export default { loaders: [mswLoader()], render: () => <Dashboard /> };
`;
const PREVIEW_NEXT = `import { definePreview } from '@storybook/react-vite';
import addonMsw from 'msw-storybook-addon';
export default definePreview({ addons: [addonMsw()] });
`;
