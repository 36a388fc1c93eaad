/**
 * Runs the examples of the guides for tools that this repository does not use: Jest, React with TanStack Query,
 * Storybook, and oidc-client-ts. Installs these tools from the registry (docs/decisions/0042-documents-are-tested.md).
 */
import { execFile, spawn } from 'node:child_process';
import { createReadStream, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, expect as expectOfPlaywright } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestService } from '../../test/support/service.ts';
import { exampleWith, snippetsOf, textOf } from '../../test/support/snippets.ts';
import { openBrowser } from '../browser/support/browser.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const FRONTEND = 'docs/guides/frontend.md';

/** The npm packages with which the examples are tried, with exact versions. */
const TOOLS = [
  ...['jest@30.5.2', 'react@19.3.1', 'react-dom@19.3.1', '@types/react@19.3.0', '@types/react-dom@19.3.0'],
  ...['@tanstack/react-query@5.108.0', 'vite@8.3.8', '@vitejs/plugin-react@6.3.0', 'typescript@7.0.2', 'node@24.21.0'],
  ...['storybook@10.6.7', '@storybook/react-vite@10.6.7', 'msw-storybook-addon@3.0.3', 'msw@2.15.0'],
  'oidc-client-ts@3.5.0',
];

/** Waits longer than usual, because the development server of Vite and Storybook are slow on a busy machine. */
const expectPage = expectOfPlaywright.configure({ timeout: 60_000 });

let folder: string;
let browser: Browser;
const write = (file: string, text: string): void => {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
};
const withTools = () => ({
  ...process.env,
  // Vitest sets it to "test", and the tools build otherwise then.
  NODE_ENV: undefined,
  PATH: `${join(folder, 'node_modules/.bin')}:${process.env.PATH}`,
  CI: '1',
  NO_COLOR: '1',
});
/** Runs a command in the folder, or in one below it. Returns its output; throws with its output when it fails. */
async function run(command: string, args: readonly string[], env = {}, cwd = folder): Promise<string> {
  const options = { cwd, maxBuffer: 2 ** 26, env: { ...withTools(), ...env } };
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
    const { page, close } = await developed('react', proxy.replace('http://127.0.0.1:3000', service.url));
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

/** Serves a folder with the development server of Vite, and opens it in a new window of the browser. */
async function developed(at: string, options = '') {
  write(`${at}/vite.config.js`, VITE.replace('OPTIONS', options));
  const vite = spawn(join(folder, 'node_modules/.bin/vite'), ['--port', '0', '--host', '127.0.0.1'], {
    cwd: join(folder, at),
    env: withTools(),
  });
  let printed = '';
  vite.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  const address = /http:\/\/127\.0\.0\.1:\d+\//;
  await expect.poll(() => printed, { timeout: 60_000 }).toMatch(address);
  const page = await browser.newPage();
  await page.goto(address.exec(printed)?.[0] ?? '');
  return {
    page,
    async close() {
      await page.close();
      vite.kill();
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
const VITE = `import react from '@vitejs/plugin-react';
export default { plugins: [react()], OPTIONS };
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
      setText(problem ? problem.code : data.registration?.naam + ': ' + data.registration?.status.tag),
    );
  }, []);
  return <main>{text}</main>;
}
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
import { Dashboard } from '../../test/src/Dashboard';
export default { loaders: [mswLoader()], render: () => <Dashboard /> };
`;
const PREVIEW_NEXT = `import { definePreview } from '@storybook/react-vite';
import addonMsw from 'msw-storybook-addon';
export default definePreview({ addons: [addonMsw()] });
`;
