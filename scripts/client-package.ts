/**
 * Packs the client as the separate package `zorgregister-bff-client` without dependencies, for a frontend that only
 * calls the service. Part of `npm pack`.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const folder = mkdtempSync(join(tmpdir(), 'zorgregister-client-'));
cpSync(join(root, 'lib/client'), folder, { recursive: true });
writeFileSync(
  join(folder, 'package.json'),
  JSON.stringify({
    name: 'zorgregister-bff-client',
    version,
    description: 'Typed client of the zorgregister-bff, without dependencies',
    license,
    type: 'module',
    sideEffects: false,
    exports: { '.': { types: './index.d.ts', default: './index.js' }, './package.json': './package.json' },
    engines: { node: '>=20' },
  }),
);
writeFileSync(
  join(folder, 'README.md'),
  `# zorgregister-bff-client

The client of the zorgregister-bff by itself: the same as \`zorgregister-bff/client\`, without the service and its simulator.

\`\`\`ts
import { createClient } from 'zorgregister-bff-client';

const client = createClient({ baseUrl: 'http://127.0.0.1:3000', persona: 'sanne-de-wit' });
const { data, problem, operation } = await client.GET('/dashboard-view');
if (problem) console.error(operation, problem.code, problem.detail);
else console.log(data.person.naam);
\`\`\`

- \`problem\` is a union by \`code\`; \`detail\` is Dutch text for the user. \`unwrap(client.GET('/notes'))\` returns the data, and throws a \`ProblemError\`.
- A call without an answer of the service rejects with a \`NetworkError\`, which says what to do.
- \`persona\` is for development. Elsewhere, pass \`token\`: a text, or a function that returns one.
- \`queryOptions(client, '/notes')\` and \`mutationOptions\` are for TanStack Query.

A running service (\`npx --no-install zorgregister-bff\`, or \`npm start\` in its repository) has the guide for frontend developers at
http://127.0.0.1:3000/docs/guides/frontend.md, all problem codes at http://127.0.0.1:3000/docs/reference/problems.md, and each operation at http://127.0.0.1:3000/docs.
`,
);
// A relative folder is one of this repository, not of the temporary folder.
const destination = resolve(root, process.env.npm_config_pack_destination ?? '');
execFileSync('npm', ['pack', '--pack-destination', destination], {
  cwd: folder,
  // The output of `npm pack` is about the package itself, also with `--json`.
  stdio: ['ignore', process.stderr, 'inherit'],
});
rmSync(folder, { recursive: true, force: true });
