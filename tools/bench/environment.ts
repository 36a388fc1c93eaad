/**
 * The processes that the measurements share: upstreams, the bare server, and the built service; and the requests that
 * prepare a measurement.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NODE_OPTIONS } from '../../scripts/node-options.ts';
import { AUDIENCE, startIssuer } from './issuer.ts';
import { type BenchProcess, startProcess } from './process.ts';

/** The arguments of Node to start the built service (`npm run build`), from the folder of the project. */
export const ARTEFACT_ARGS = [...NODE_OPTIONS, 'dist/start.js'];
const PEOPLE = 128;

export const DASHBOARD = '/api/v1/dashboard-view';
export const APPLICATIONS = '/api/v1/applications';
export const UPLOADS = '/api/v1/uploads';

/** The processes that the measurements share, with the data for their requests. */
export interface BenchEnvironment {
  readonly bare: BenchProcess;
  readonly service: BenchProcess;
  /** Request headers of professionals, one item for each. */
  readonly callers: readonly Record<string, string>[];
  /** BenchEnvironment variables to start another instance of the service. */
  readonly env: Readonly<Record<string, string>>;
  /** A folder for files, which is removed at the end. */
  readonly folder: string;
  stop(): Promise<void>;
}

/** Starts the upstreams, the bare server and the built service. */
export async function startEnvironment(): Promise<BenchEnvironment> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const [register, brp, documents] = await Promise.all(
    ['register', 'brp', 'documents'].map((name) => startProcess(['tools/bench/upstreams.ts', name])),
  );
  const issuer = await startIssuer();
  const urls = [register?.url ?? '', brp?.url ?? '', documents?.url ?? ''];
  const env = {
    DEPLOYMENT: 'integration',
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
    IDENTITY: 'oidc',
    OIDC_ISSUER: issuer.url,
    OIDC_AUDIENCE: AUDIENCE,
    REGISTER_UPSTREAM: urls[0] ?? '',
    BRP_UPSTREAM: `${urls[1]}/personen`,
    DUO_UPSTREAM: 'http://127.0.0.1:1',
    DOCUMENTS_UPSTREAM: urls[2] ?? '',
    DOCUMENTS_CLIENT_ID: 'bench',
    DOCUMENTS_SECRET: 'x'.repeat(32),
    DOCUMENTS_RSIN: '159351741',
    DOCUMENTS_INFORMATIEOBJECTTYPE: 'https://catalogi.example/informatieobjecttypen/1',
    // All uploads of the row `uploads` are accepted.
    UPLOADS_RECEIVING: '256',
    UPLOADS_SPOOL_MB: '2400',
    UPLOADS_PER_HOUR: '1000000',
  };
  const [bare, service] = await Promise.all([
    startProcess(['tools/bench/bare.ts', ...urls, folder], { on: 'measured' }),
    startProcess(ARTEFACT_ARGS, { on: 'measured', env }),
  ]);
  const tokens = await Promise.all(Array.from({ length: PEOPLE }, (_, index) => issuer.token(`bench-${index}`)));
  return {
    bare,
    service,
    env,
    folder,
    callers: tokens.map((token) => ({ Authorization: `Bearer ${token}` })),
    async stop() {
      await Promise.all([bare, service, register, brp, documents].map((program) => program?.stop()));
      issuer.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Sends a POST and returns the JSON of the answer. Throws when the service refuses it. */
export async function post<Json>(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string | Buffer,
): Promise<Json> {
  const answer = await fetch(url, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Json;
}

/** Creates a draft at the service at `url`, with the headers of its owner. Returns the path of the draft. */
export async function createDraft(url: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const all = { 'Content-Type': 'application/json', ...headers };
  const { id } = await post<{ id: string }>(url + APPLICATIONS, all, '{"type":"herregistratie"}');
  return `${APPLICATIONS}/${id}`;
}
