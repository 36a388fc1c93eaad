/**
 * A night on call: two instances of the artefact, as in production, behind a balancer. One thing after the other fails
 * while citizens go on. Counts the errors that they see, and says which of them nobody may see.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { passesElfproef } from '../../src/domain/elfproef.ts';
import { buildArtefact } from '../support/artefact.ts';
import { pathOf, serving } from '../support/certificates.ts';
import { AUDIENCE, signingKey, startIssuer, type TestIssuer } from '../support/issuer.ts';
import { lineTo } from '../support/line.ts';
import { startPostgres } from '../support/postgres.ts';
import { register } from '../support/register.ts';
import { listenWith, type ScriptedServer, sendJson } from '../support/upstream.ts';
import type { Figures } from './figures.ts';

const TLS = serving('server');
const CITIZENS = 50;
/** Milliseconds between two looks of the balancer at an instance. */
const PROBE_INTERVAL = 500;
/**
 * Milliseconds after the end of a failure in which errors may still come: a circuit breaker stays open for 5 s
 * (reliability.md, "Timeouts and limits").
 */
const RECOVERY = 6_000;
/** Milliseconds after that in which none may come. */
const QUIET = 2_000;

/** What a citizen can be without. */
type Need = 'store' | 'brp' | 'register';

/** What a citizen does, and what it cannot do without. */
interface Action {
  readonly name: string;
  readonly needs: readonly Need[];
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly json?: object;
}

const ACTIONS: readonly Action[] = [
  // The BRP is not needed: without it the dashboard shows no address.
  { name: 'dashboard', needs: ['register'], method: 'GET', path: '/dashboard-view' },
  { name: 'address', needs: ['brp'], method: 'GET', path: '/brp/address' },
  { name: 'list', needs: ['store'], method: 'GET', path: '/applications' },
  { name: 'draft', needs: ['store'], method: 'PUT', path: '/applications/{id}', json: { draft: { uren: 1 } } },
];

interface Instance {
  readonly url: string;
  readonly management: string;
  readonly child: ChildProcess;
  ready: boolean;
}

/** One request of a citizen, and what came of it. */
interface Seen {
  readonly action: Action;
  readonly status: number;
  readonly ms: number;
  readonly at: number;
}

/** Something that fails for some seconds, and what no citizen may notice. */
interface Phase {
  readonly name: string;
  readonly seconds: number;
  /** What the failure takes away: only requests that need it may fail. Null: nobody may notice. */
  readonly takes: Need | null;
  begin(): unknown;
  end(): unknown;
}

/** Runs the night with `rate` requests a second. */
export async function night(rate: number): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'night-'));
  const [dist, postgres, upstream, key] = await Promise.all([
    buildArtefact(),
    startPostgres('server'),
    register(),
    signingKey('one', 'PS256'),
  ]);
  const [issuer, staff] = await Promise.all([startIssuer([key], TLS), startIssuer([key], TLS)]);
  const database = await lineTo((await postgres.database()).replace('127.0.0.1', 'localhost'));
  const registerLine = await listenWith((seen, response) => upstream.answer(seen, response), TLS);
  const brp = await startBrp();
  const secret = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const env = {
    DEPLOYMENT: 'production',
    PORT: '0',
    MANAGEMENT_PORT: '0',
    IDENTITY: 'oidc',
    OIDC_ISSUER: issuer.url,
    OIDC_AUDIENCE: AUDIENCE,
    OIDC_STEP_UP_ACR: 'hoog',
    OIDC_TLS_CA: pathOf('ca'),
    OIDC_STAFF_ISSUER: staff.url,
    OIDC_STAFF_AUDIENCE: AUDIENCE,
    OIDC_STAFF_TLS_CA: pathOf('ca'),
    DATABASE_URL: `${database.url}?sslmode=verify-full`,
    DATABASE_TLS_CA: pathOf('ca'),
    REGISTER_UPSTREAM: registerLine.url,
    BRP_UPSTREAM: `${brp.url}/personen`,
    DUO_UPSTREAM: registerLine.url,
    DOCUMENTS_UPSTREAM: registerLine.url,
    DOCUMENTS_CLIENT_ID: 'bff',
    DOCUMENTS_SECRET_FILE: secret('documents', 'x'.repeat(32)),
    DOCUMENTS_RSIN: '159351741',
    DOCUMENTS_INFORMATIEOBJECTTYPE: 'https://catalogi.example/informatieobjecttypen/1',
    SCANNER: 'none',
    PROCESSING_LOG_KEY_FILE: secret('key', 'k'.repeat(40)),
    ...Object.fromEntries(['REGISTER', 'BRP', 'DUO', 'DOCUMENTS'].map((name) => [`${name}_TLS_CA`, pathOf('ca')])),
  };
  const instances: Instance[] = [];
  const startOne = async () => void instances.push(await startInstance(dist, env));
  await startOne();
  await startOne();
  const balancer = balance(instances);
  await balancer.look();
  const seen: Seen[] = [];
  const citizens = await prepare(issuer, balancer.send);
  const load = startLoad(citizens, balancer.send, rate, seen);

  const [registerAnswer, issuerAnswer] = [registerLine.answer, issuer.answer];
  const phases: Phase[] = [
    { name: 'nothing', seconds: 5, takes: null, begin: () => undefined, end: () => undefined },
    ...[1, 10, 60].map((seconds) => ({
      name: `database refuses for ${seconds} s`,
      seconds,
      takes: 'store' as const,
      begin: () => database.cut(),
      end: () => database.restore(),
    })),
    {
      name: 'database silent for 10 s',
      seconds: 10,
      takes: 'store',
      begin: () => database.silence(),
      // What was silent stays so; a network that is back resets it.
      end: () => {
        database.cut();
        database.restore();
      },
    },
    { name: 'BRP takes 2 s', seconds: 10, takes: 'brp', begin: () => brp.slow(2_000), end: () => brp.slow(0) },
    {
      name: 'certificate of the BRP expired',
      seconds: 10,
      takes: 'brp',
      begin: () => brp.certificate('expired'),
      end: () => brp.certificate('server'),
    },
    {
      name: 'register never answers',
      seconds: 10,
      takes: 'register',
      begin: () => answersBy(registerLine, () => undefined),
      end: () => answersBy(registerLine, registerAnswer),
    },
    {
      name: 'issuer answers 503',
      seconds: 10,
      takes: null,
      begin: () => answersBy(issuer, (_, response) => sendJson(response, {}, 503)),
      end: () => answersBy(issuer, issuerAnswer),
    },
    {
      name: 'instance replaced (SIGTERM)',
      seconds: 10,
      takes: null,
      begin: async () => {
        await startOne();
        await balancer.look();
        instances[0]?.child.kill('SIGTERM');
      },
      end: () => undefined,
    },
    {
      name: 'instance killed (SIGKILL)',
      seconds: 10,
      takes: null,
      begin: async () => {
        await startOne();
        await balancer.look();
        instances[1]?.child.kill('SIGKILL');
      },
      end: () => undefined,
    },
  ];

  const figures: Record<string, string> = {};
  const faults: string[] = [];
  for (const phase of phases) {
    const from = performance.now();
    await phase.begin();
    await setTimeout(phase.seconds * 1_000);
    await phase.end();
    const ended = performance.now();
    await setTimeout(RECOVERY + QUIET);
    const its = seen.filter(({ at }) => at >= from);
    figures[phase.name] = summary(its, ended);
    faults.push(...faultsOf(phase, its, ended));
  }
  await load.stop();
  figures['memory of an instance, at most'] = `${Math.max(...instances.map(({ child }) => mostMemory(child.pid)))} MiB`;
  for (const { child } of instances) child.kill('SIGKILL');
  balancer.stop();
  database.restore();
  await Promise.all([database.close(), brp.close(), registerLine.close(), issuer.close(), staff.close()]);
  await Promise.all([upstream.close(), postgres.stop()]);
  rmSync(folder, { recursive: true, force: true });
  return { figures, faults };
}

/** Returns the most memory that a process has had, in MiB; 0 when it has ended, and on systems without /proc. */
function mostMemory(pid: number | undefined): number {
  try {
    const [, kib = 0] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Math.round(Number(kib) / 1_024);
  } catch {
    return 0;
  }
}

const isError = ({ status }: Seen): boolean => status === 0 || status >= 500;

/** Errors that a citizen may not see: of what needs nothing that failed, and after the recovery. */
function faultsOf({ name, takes }: Phase, its: readonly Seen[], ended: number): string[] {
  const wrong = its.filter((one) => isError(one) && (takes === null || !one.action.needs.includes(takes)));
  const late = its.filter((one) => isError(one) && one.at > ended + RECOVERY);
  return [
    ...(wrong.length > 0 ? [`${name}: ${wrong.length} errors where nothing was needed: ${kindsOf(wrong)}`] : []),
    ...(late.length > 0 ? [`${name}: ${late.length} errors after the recovery: ${kindsOf(late)}`] : []),
  ];
}

const kindsOf = (its: readonly Seen[]): string =>
  [...Map.groupBy(its, ({ action, status }) => `${action.name} ${status || 'no answer'}`)]
    .map(([kind, all]) => `${kind} × ${all.length}`)
    .join(', ');

function summary(its: readonly Seen[], ended: number): string {
  const errors = its.filter(isError);
  const times = its.map(({ ms }) => ms).sort((a, b) => a - b);
  const last = errors.filter(({ at }) => at > ended).at(-1);
  const after = last === undefined ? '' : `; last error ${((last.at - ended) / 1_000).toFixed(1)} s after its end`;
  const p99 = Math.round(times[Math.floor(times.length * 0.99)] ?? 0);
  return `${its.length} requests, ${errors.length} errors${errors.length > 0 ? ` (${kindsOf(errors)})` : ''}, p99 ${p99} ms, slowest ${Math.round(times.at(-1) ?? 0)} ms${after}`;
}

const answersBy = (server: ScriptedServer, answer: ScriptedServer['answer']): void => {
  server.answer = answer;
};

/** Starts an instance and resolves when it listens. */
async function startInstance(dist: string, env: Record<string, string>): Promise<Instance> {
  const child = spawn(process.execPath, ['start.js'], {
    cwd: dist,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  let text = '';
  const found = (pattern: RegExp) => pattern.exec(text)?.[1];
  child.stderr.on('data', () => undefined);
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`the instance did not start:\n${text.slice(0, 2_000)}`)));
    child.stdout.on('data', (chunk) => {
      if (text.length < 100_000) text += chunk;
      const url = found(/"listening":"(http\S+?)"/);
      const management = found(/"metrics":"(http\S+?)\/metrics"/);
      if (url && management) resolve({ url, management, child, ready: true });
    });
  });
}

type Send = (
  action: Pick<Action, 'method' | 'path' | 'json'>,
  token: string,
) => Promise<{ status: number; text: string }>;

/** A balancer that sends each request to an instance that is ready, and tries another when it cannot connect. */
function balance(instances: readonly Instance[]) {
  const agent = new Agent({ connections: 64, headersTimeout: 30_000 });
  let turn = 0;
  const look = () =>
    Promise.all(
      instances.map(async (one) => {
        one.ready = await request(`${one.management}/health/ready`, { dispatcher: agent, headersTimeout: 1_000 }).then(
          async ({ statusCode, body }) => {
            await body.dump();
            return statusCode === 200;
          },
          () => false,
        );
      }),
    );
  const timer = setInterval(look, PROBE_INTERVAL);
  const send: Send = async ({ method, path, json }, token) => {
    for (let attempt = 1; ; attempt += 1) {
      const ready = instances.filter((one) => one.ready);
      turn += 1;
      const one = ready[turn % Math.max(1, ready.length)];
      if (one === undefined) return { status: 503, text: '' };
      try {
        const answer = await request(`${one.url}/api/v1${path}`, {
          method,
          dispatcher: agent,
          headers: { authorization: `Bearer ${token}`, ...(json && { 'content-type': 'application/json' }) },
          ...(json && { body: JSON.stringify(json) }),
        });
        return { status: answer.statusCode, text: await answer.body.text() };
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException;
        // As balancers do: again when nothing was sent, or when a connection that had been idle was closed.
        const mayRepeat = code === 'ECONNREFUSED' || (method !== 'POST' && /^(UND_ERR_SOCKET|ECONNRESET)$/.test(code));
        if (code === 'ECONNREFUSED') one.ready = false;
        if (!mayRepeat || attempt === 3) return { status: 0, text: code };
      }
    }
  };
  return { send, look, stop: () => clearInterval(timer) };
}

interface Citizen {
  readonly token: string;
  readonly draft: string;
}

/** Burgerservicenummers that pass the 11-test. */
const NUMBERS = Array.from({ length: CITIZENS * 20 }, (_, n) => String(999_990_000 + n)).filter(passesElfproef);

/** Gives each citizen a token and a draft. */
async function prepare(issuer: TestIssuer, send: Send): Promise<Citizen[]> {
  const citizens: Citizen[] = [];
  for (let n = 0; n < CITIZENS; n += 1) {
    const bsn = NUMBERS[n];
    const token = await issuer.token({ sub: `citizen-${n}`, bsn, exp: Math.floor(Date.now() / 1_000) + 3_600 });
    const made = await send({ method: 'POST', path: '/applications', json: { type: 'intake' } }, token);
    if (made.status !== 201) throw new Error(`no draft: ${made.status} ${made.text.slice(0, 300)}`);
    citizens.push({ token, draft: JSON.parse(made.text).id });
  }
  return citizens;
}

/** Sends requests at a steady rate, whether or not earlier ones have been answered. */
function startLoad(citizens: readonly Citizen[], send: Send, rate: number, seen: Seen[]) {
  let count = 0;
  const underway = new Set<Promise<void>>();
  const timer = setInterval(() => {
    const action = ACTIONS[count % ACTIONS.length];
    const citizen = citizens[Math.floor(count / ACTIONS.length) % citizens.length];
    count += 1;
    if (action === undefined || citizen === undefined) return;
    const at = performance.now();
    const one: Promise<void> = send(
      { ...action, path: action.path.replace('{id}', citizen.draft) },
      citizen.token,
    ).then(({ status }) => {
      seen.push({ action, status, ms: performance.now() - at, at });
      underway.delete(one);
    });
    underway.add(one);
  }, 1_000 / rate);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(underway);
    },
  };
}

/** A BRP over TLS that can be slow, and whose certificate can expire. */
async function startBrp() {
  let delay = 0;
  const server: Server = createServer(TLS, async (incoming, response) => {
    let body = '';
    for await (const chunk of incoming) body += chunk;
    await setTimeout(delay);
    const [bsn] = JSON.parse(body).burgerservicenummer;
    const verblijfplaats = { type: 'Adres', verblijfadres: { korteStraatnaam: 'Lindelaan', huisnummer: 3 } };
    const gemeenteVanInschrijving = { code: '0344', omschrijving: 'Utrecht' };
    const persoon = { burgerservicenummer: bsn, verblijfplaats, gemeenteVanInschrijving };
    sendJson(response, { type: 'RaadpleegMetBurgerservicenummer', personen: [persoon] });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    slow(ms: number) {
      delay = ms;
    },
    certificate(name: 'server' | 'expired') {
      server.setSecureContext(serving(name));
      server.closeAllConnections();
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
