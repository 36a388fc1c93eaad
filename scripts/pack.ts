/**
 * `npm run pack`: packs the published package, and the client as the separate package `zorgregister-bff-client` without
 * dependencies, for a frontend that only calls the service. An argument is the folder for the tarballs, made when absent.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildLib } from './lib.ts';
import { ASSETS } from './licences.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const lib = join(root, 'lib');
const [folder = ''] = parseArgs({ allowPositionals: true }).positionals;
const destination = resolve(root, folder);
try {
  mkdirSync(destination, { recursive: true });
} catch (error) {
  process.stderr.write(`${destination}: no folder can be made here (${(error as NodeJS.ErrnoException).code})\n`);
  process.exit(1);
}

/** Packs these files, keyed by their path in the package, with this package.json. */
function pack(manifest: object, files: Readonly<Record<string, string>>, readme: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'zorgregister-pack-'));
  for (const [path, source] of Object.entries(files)) cpSync(source, join(folder, path), { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  writeFileSync(join(folder, 'README.md'), readme);
  execFileSync('npm', ['pack', '--pack-destination', destination], { cwd: folder, stdio: 'inherit' });
  rmSync(folder, { recursive: true, force: true });
}

const SWAGGER = 'swagger-ui-dist';

/**
 * Returns a folder with the files of Swagger UI that /docs has, and its licence. Its package brings a script that reports
 * each installation to its maker.
 */
function swaggerUi(): string {
  const folder = mkdtempSync(join(tmpdir(), 'zorgregister-swagger-'));
  const from = join(root, 'node_modules', SWAGGER);
  for (const file of [
    'swagger-ui.css',
    'swagger-ui-bundle.js',
    'swagger-ui-bundle.js.LICENSE.txt',
    'LICENSE',
    'NOTICE',
  ])
    cpSync(join(from, file), join(folder, file));
  const { dependencies: _scarf, ...manifest } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  return folder;
}

const README_OF_CLIENT = `# zorgregister-bff-client

The client of the zorgregister-bff by itself: the same as \`zorgregister-bff/client\`, without the service and its simulator.

\`\`\`ts
import { createClient } from 'zorgregister-bff-client';

const client = createClient({ baseUrl: 'http://127.0.0.1:3000', persona: 'sanne-de-wit' });
const { data, problem, operation } = await client.GET('/dashboard-view');
if (problem) console.error(operation, problem.code, problem.detail);
else console.log(data.person?.naam);
\`\`\`

- \`problem\` is a union by \`code\`; \`detail\` is Dutch text for the user. \`unwrap(client.GET('/notes'))\` returns the data, and throws a \`ProblemError\`.
- A call without an answer of the service rejects with a \`NetworkError\`, which says what to do.
- \`persona\` is for development. Elsewhere, pass \`token\`: a text, or a function that returns one.
- \`queryOptions(client, '/notes')\` and \`mutationOptions\` are for TanStack Query.

A running service (\`npx --no-install zorgregister-bff\`, or \`npm start\` in its repository) has the guide for frontend developers at
http://127.0.0.1:3000/docs/guides/frontend.md, all problem codes at http://127.0.0.1:3000/docs/reference/problems.md, and each operation at http://127.0.0.1:3000/docs.
`;

const imported = [...(await buildLib())];
const {
  devDependencies: _tools,
  scripts: _scripts,
  allowScripts: _allowed,
  dependencies,
  ...own
} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
// Returns whether the package needs a dependency: not when lib/ has its code. The types import zod; rolldown makes the
// pages, which lib/ has.
const isNeeded = (name: string) =>
  ASSETS.test(name) ||
  [SWAGGER, 'zod'].includes(name) ||
  (name !== 'rolldown' && imported.some((one) => one === name || one.startsWith(`${name}/`)));
const needed = Object.entries(dependencies).filter(([name]) => isNeeded(name));
const swagger = swaggerUi();
pack(
  { ...own, dependencies: Object.fromEntries(needed), bundleDependencies: [SWAGGER] },
  {
    lib,
    docs: join(root, 'docs'),
    'llms.txt': join(root, 'llms.txt'),
    LICENSE: join(root, 'LICENSE'),
    [`node_modules/${SWAGGER}`]: swagger,
  },
  readFileSync(join(root, 'README.md'), 'utf8'),
);
rmSync(swagger, { recursive: true, force: true });

const { version, license } = own;
pack(
  {
    name: 'zorgregister-bff-client',
    version,
    description: 'Typed client of the zorgregister-bff, without dependencies',
    license,
    type: 'module',
    sideEffects: false,
    exports: { '.': { types: './index.d.ts', default: './index.js' }, './package.json': './package.json' },
    engines: { node: '>=20' },
  },
  { '': join(lib, 'client') },
  README_OF_CLIENT,
);
