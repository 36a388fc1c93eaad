/**
 * What a user would pick instead: a backend-for-frontend with popular parts, and mock servers of other projects with the
 * OpenAPI document of the service, which are only used with `--peers`.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Result } from './compare.ts';
import { downloads, uploads } from './documents.ts';
import { type BenchProcess, freePort, startProcess } from './process.ts';
import { dashboard, draft, type Row } from './rows.ts';

const FOLDER = 'tools/bench/.peers';
const PACKAGES = ['@stoplight/prism-cli@5.16.0', '@mockoon/cli@9.9.0'];

const PEERS = [
  {
    name: 'Prism',
    must: '≥ 1.5',
    script: '@stoplight/prism-cli/dist/index.js',
    argsFor: (document: string, port: string) => [
      'mock',
      document,
      '-p',
      port,
      '-h',
      '127.0.0.1',
      '--verboseLevel',
      'silent',
    ],
  },
  {
    name: 'Mockoon',
    must: '≥ 5',
    script: '@mockoon/cli/bin/run.js',
    argsFor: (document: string, port: string) => [
      'start',
      '--data',
      document,
      '-p',
      port,
      '--hostname',
      '127.0.0.1',
      '--disable-log-to-file',
    ],
  },
];
/** The backend-for-frontend with popular parts, as the baseline of the same rows; each with the required ratio. */
export const fastify: Row = async (environment, options) => {
  // Its packages are those of `tools/`.
  execFileSync(process.execPath, ['tools/run.js', 'true'], { stdio: 'inherit' });
  const { OIDC_ISSUER, OIDC_AUDIENCE, REGISTER_UPSTREAM, BRP_UPSTREAM, DOCUMENTS_UPSTREAM } = environment.env;
  const from = [OIDC_ISSUER, OIDC_AUDIENCE, REGISTER_UPSTREAM, BRP_UPSTREAM, DOCUMENTS_UPSTREAM, environment.folder];
  const program = await startProcess(['tools/bench/peers/fastify-bff.ts', ...from.map(String)], { on: 'measured' });
  const results: Result[] = [];
  try {
    for (const [row, must] of [
      [dashboard, '≥ 1.2'],
      [draft, '≥ 1.2'],
      [downloads, '–'],
      [uploads, '–'],
    ] as const) {
      const measured = await row({ ...environment, bare: program }, options);
      results.push(...measured.map((one) => ({ ...one, row: `${one.row} / Fastify`, must })));
    }
  } finally {
    await program.stop();
  }
  return results;
};

interface OpenApi {
  readonly servers: unknown;
  readonly paths: Readonly<Record<string, unknown>>;
}

/** A mock server of another project: its name, what is required, and a function that starts it. */
export interface Peer {
  readonly name: string;
  readonly must: string;
  start(): Promise<BenchProcess>;
}

/** Installs the mock servers if needed, and writes the OpenAPI document of `service` that they use. */
export async function installPeers(service: string): Promise<Peer[]> {
  mkdirSync(FOLDER, { recursive: true });
  if (!existsSync(join(FOLDER, 'node_modules')))
    execFileSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', FOLDER, ...PACKAGES], {
      stdio: 'inherit',
    });
  const document = join(FOLDER, 'openapi.json');
  const { servers: _, paths, ...api } = (await (await fetch(`${service}/api/v1/openapi.json`)).json()) as OpenApi;
  // Prism ignores a server without a host, and Mockoon makes it a prefix: the paths themselves mean the same to both.
  const whole = Object.entries(paths).map(([path, item]) => [`/api/v1${path}`, item]);
  writeFileSync(document, JSON.stringify({ ...api, paths: Object.fromEntries(whole) }));
  return PEERS.map(({ name, must, script, argsFor }) => ({
    name,
    must,
    async start() {
      const port = String(await freePort());
      const args = [join(FOLDER, 'node_modules', script), ...argsFor(document, port)];
      return startProcess(args, { on: 'measured', url: `http://127.0.0.1:${port}` });
    },
  }));
}
