/**
 * Runs the built service as in production: with tokens of two issuers, and with upstreams over TLS that are simulated
 * in this process.
 */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createServer } from 'node:tls';
import { type Dispatcher, request } from 'undici';
import { NODE_OPTIONS } from '../../scripts/node-options.ts';
import { type Simulators, startSimulators } from '../../simulator/index.ts';
import { createDirectory, type PeopleDirectory } from '../../simulator/people/directory.ts';
import { DOCUMENTS_ACCESS } from '../../simulator/upstreams/documenten/access.ts';
import { UPSTREAMS } from '../../simulator/worlds/faults.ts';
import { certificatePath, tlsOptionsOf } from '../../test/support/upstreams/certificates.ts';
import {
  AUDIENCE,
  epochSeconds,
  signingKey,
  startIssuer,
  type TestIssuer,
} from '../../test/support/upstreams/issuer.ts';

const TLS = tlsOptionsOf('server');
/** Timeout of a start, in milliseconds. */
const START = 60_000;

/** The issuers and the simulated upstreams that the built service uses, in this process. */
export interface Dependencies {
  readonly directory: PeopleDirectory;
  readonly professionals: TestIssuer;
  readonly staff: TestIssuer;
  readonly simulators: Simulators;
  /** The environment variables with which the built service uses these issuers and upstreams. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** A running process of the built service. */
export interface Artefact {
  readonly url: string;
  readonly management: string;
  readonly pid: number;
  /** Paths of the files to which the service writes: its log, its processing log and its standard error. */
  readonly written: { readonly log: string; readonly processing: string; readonly errors: string };
  /** Folders that only this process uses: its store and its temporary files. */
  readonly folders: readonly string[];
  /** Path of the SQLite file. */
  readonly store: string;
  /** Ends the process with SIGKILL, and resolves when it has ended. */
  kill(): Promise<void>;
}

/** Starts the issuers and the upstreams. `folder` must be empty. */
export async function startDependencies(folder: string): Promise<Dependencies> {
  const secret = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const key = await signingKey('one', 'PS256');
  const [professionals, staff] = await Promise.all([startIssuer([key], TLS), startIssuer([key], TLS)]);
  const directory = createDirectory();
  const simulators = await startSimulators(UPSTREAMS, {
    directory,
    clock: { now: () => new Date() },
    port: 0,
    dataDir: join(folder, 'simulators'),
  });
  const { register = '', brp = '', duo = '', documenten = '', scanner = '' } = simulators.urls;
  const fronts = await Promise.all([register, brp, duo, documenten].map(behindTls));
  const upstreams = ['REGISTER', 'BRP', 'DUO', 'DOCUMENTS'];
  return {
    directory,
    professionals,
    staff,
    simulators,
    env: {
      DEPLOYMENT: 'production',
      PORT: '0',
      MANAGEMENT_PORT: '0',
      IDENTITY: 'oidc',
      OIDC_ISSUER: professionals.url,
      OIDC_AUDIENCE: AUDIENCE,
      OIDC_STEP_UP_ACR: 'hoog',
      OIDC_TLS_CA: certificatePath('ca'),
      OIDC_WORKSPACE_CLAIM: 'workspace',
      OIDC_STAFF_ISSUER: staff.url,
      OIDC_STAFF_AUDIENCE: AUDIENCE,
      OIDC_STAFF_TLS_CA: certificatePath('ca'),
      OIDC_STAFF_WORKSPACE_CLAIM: 'workspace',
      ...Object.fromEntries(upstreams.map((name, index) => [`${name}_UPSTREAM`, fronts[index]?.url ?? ''])),
      ...Object.fromEntries(upstreams.map((name) => [`${name}_TLS_CA`, certificatePath('ca')])),
      DOCUMENTS_CLIENT_ID: DOCUMENTS_ACCESS.clientId,
      DOCUMENTS_SECRET_FILE: secret('documents', DOCUMENTS_ACCESS.secret),
      DOCUMENTS_RSIN: DOCUMENTS_ACCESS.rsin,
      DOCUMENTS_INFORMATIEOBJECTTYPE: DOCUMENTS_ACCESS.informatieobjecttype,
      SCANNER: scanner,
      PROCESSING_LOG_KEY_FILE: secret('key', 'k'.repeat(40)),
      SUBJECT_KEYS: 's'.repeat(40),
    },
    async close() {
      await Promise.all([...fronts, professionals, staff, simulators].map((one) => one.close()));
    },
  };
}

/** Starts the artefact in `dist`, and resolves when it listens. It keeps its files in `folder`. */
export async function startArtefact(
  dist: string,
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<Artefact> {
  const at = (name: string) => join(folder, name);
  mkdirSync(at('tmp'), { recursive: true });
  const written = { log: at('service.log'), processing: at('processing.log'), errors: at('errors.log') };
  const outputs = [written.log, written.errors].map((path) => openSync(path, 'w'));
  const child = spawn(process.execPath, [...NODE_OPTIONS, 'start.js'], {
    cwd: dist,
    env: {
      PATH: process.env.PATH ?? '',
      TMPDIR: at('tmp'),
      DATA_DIR: at('data'),
      PROCESSING_LOG: written.processing,
      ...env,
    },
    stdio: ['ignore', ...outputs] as ['ignore', number, number],
  });
  for (const output of outputs) closeSync(output);
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = () => child.kill('SIGKILL');
  process.once('exit', stop);
  const found = (pattern: RegExp) => pattern.exec(readFileSync(written.log, 'utf8').slice(0, 20_000))?.[1];
  let [url, management]: (string | undefined)[] = [];
  for (const until = Date.now() + START; url === undefined || management === undefined; await setTimeout(20)) {
    url = found(/"listening":"(http\S+?)"/);
    management = found(/"metrics":"(http\S+?)\/metrics"/);
    if (child.exitCode !== null || Date.now() > until)
      throw new Error(`the artefact did not start:\n${readFileSync(written.errors, 'utf8')}`);
  }
  return {
    url,
    management,
    pid: child.pid ?? 0,
    written,
    folders: [at('data'), at('tmp')],
    store: join(at('data'), 'zorgregister.sqlite'),
    kill() {
      process.off('exit', stop);
      stop();
      return gone;
    },
  };
}

/** Seconds for which a token is valid. */
const VALID = 900;

/** Returns the access token of a person of the simulator. `login` is `<slug>` or `<slug>@<world>`. */
export const citizenToken = ({ directory, professionals }: Dependencies, login: string): Promise<string> =>
  professionals.token({ sub: login, bsn: directory.professional(login)?.bsn ?? null, exp: epochSeconds(VALID) });

/** Returns the access tokens of the persons who write, approve and send the letter of a workspace. */
export async function letterTokens({ professionals, staff }: Dependencies, workspace: string) {
  const exp = epochSeconds(VALID);
  const writer = (role: string) => professionals.token({ sub: `${role}@${workspace}`, roles: [role], workspace, exp });
  return {
    drafter: await writer('drafter'),
    approver: await writer('approver'),
    handler: await staff.token({ sub: `handler@${workspace}`, roles: ['behandelaar'], workspace, exp }),
  };
}

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: JSON as it came
  readonly body: any;
}

/** Sends one request with a token to an instance. Rejects when the connection breaks. */
export type Send = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  token: string,
  content?: { json?: unknown; body?: Buffer | string; headers?: Record<string, string> },
) => Promise<Answer>;

/** Returns a function that sends requests to the artefact that `url` returns. */
export const sender =
  (url: () => string, dispatcher: Dispatcher): Send =>
  async (method, path, token, { json, body, headers } = {}) => {
    const answer = await request(`${url()}/api/v1${path}`, {
      method,
      dispatcher,
      headers: {
        authorization: `Bearer ${token}`,
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: json === undefined ? (body ?? null) : JSON.stringify(json),
    });
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    const isJson = String(answer.headers['content-type']).includes('json') && bytes.length > 0;
    return { status: answer.statusCode, body: isJson ? JSON.parse(bytes.toString()) : bytes.toString('latin1') };
  };

/** Starts a TLS server in front of an http URL on loopback, which forwards all bytes unchanged. */
async function behindTls(url: string): Promise<{ url: string; close(): Promise<void> }> {
  const { port, pathname } = new URL(url);
  const open = new Set<Socket>();
  const server = createServer(TLS, (client) => {
    const upstream = connect(Number(port), '127.0.0.1');
    open.add(client);
    client.once('close', () => open.delete(client));
    client.on('error', () => upstream.destroy()).on('close', () => upstream.destroy());
    upstream.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}${pathname === '/' ? '' : pathname}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
