/**
 * Attacks the built service with slow and hostile clients: holds connections with unfinished headers and bodies, sends
 * invalid requests, measures the answers to other clients meanwhile, and checks the log.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Agent } from 'undici';
import { buildArtefact } from '../../../test/support/artefact.ts';
import { pdf } from '../../../test/support/files.ts';
import { BOUNDARY, multipart, partsOf } from '../../../test/support/multipart.ts';
import { epochSeconds, signingKey } from '../../../test/support/upstreams/issuer.ts';
import type { Figures } from '../figures.ts';
import {
  citizenToken,
  type Dependencies,
  letterTokens,
  type Send,
  sender,
  startArtefact,
  startDependencies,
} from '../outside.ts';
import { hostileRequests, type Senders } from './hostile.ts';

/** Milliseconds within which the service must close the connection of a refused request. */
const CLOSED_WITHIN = 10_000;
/** Number of hostile requests at the same time. */
const AT_ONCE = 4;
/**
 * Milliseconds for which the answers to other clients are measured during the attack. The service ends unfinished
 * headers after 5 s, and unfinished bodies after 15 s.
 */
const MEASURED = 17_000;
/** Milliseconds for which the answers to other clients are measured without an attack. */
const BEFORE = 3_000;
/** Maximum number of time series in the metrics: each operation that answered has about sixteen for each status. */
const MOST_SERIES = 2_000;
/** Milliseconds between an answer and the next call of another client. */
const PAUSE = 20;

/**
 * Sends bytes, and returns all bytes that came back until the service closed the connection; null when it did not close
 * the connection in time.
 */
const exchange = (port: number, bytes: string): Promise<string | null> =>
  new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    const timer = globalThis.setTimeout(() => {
      socket.destroy();
      resolve(null);
    }, CLOSED_WITHIN);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve(text);
    });
  });

/**
 * Times of answers in milliseconds, shortest first: as measured, and without the time in which the service waited for a
 * processor.
 */
interface Times {
  readonly times: readonly number[];
  readonly own: readonly number[];
}

/** Returns the milliseconds that a process has waited for a processor while it had work; 0 on systems without /proc. */
function queuedFor(pid: number): number {
  try {
    const [, nanoseconds] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    return 0;
  }
}

/** Matches text that no answer may contain: a place in the code, or the address of an upstream. */
const INSIDE = /node_modules|\bat \S+ \(|\.[jt]s:\d+|https?:\/\/localhost:\d+/;
/** Headers that each answer must have. */
const SECURE = ['no-store\r\n', 'x-content-type-options: nosniff', 'strict-transport-security: '];

/** Returns the faults in the answer to a hostile request, as sentences. */
function faultsOf(answer: string | null, statuses: readonly number[], bsn: string): string[] {
  if (answer === null) return ['the connection stays open'];
  // A reset: the bytes were not even answered.
  if (answer === '') return [];
  const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(answer) ?? [];
  const [head = ''] = answer.toLowerCase().split('\r\n\r\n');
  const missing = SECURE.filter((header) => !head.includes(header));
  return [
    ...(statuses.includes(Number(status)) ? [] : [`${status} instead of ${statuses}`]),
    ...((answer.match(/^HTTP\/1\.1 \d{3} /gm) ?? []).length > 1 ? ['more than one answer'] : []),
    ...(INSIDE.test(answer) || answer.includes(bsn) ? ['something from inside is in the answer'] : []),
    ...missing.map((header) => `no ${header}`),
    ...(head.includes('access-control-allow-origin') ? ['another origin may read it'] : []),
  ];
}

/** Seconds for which a token is valid. */
const VALID = 900;

/** Makes the data of a person in this world that the hostile requests use, and returns them with tokens. */
async function sendersIn(world: string, dependencies: Dependencies, send: Send): Promise<Senders> {
  const { professionals, staff, directory } = dependencies;
  const login = `sanne-de-wit@${world}`;
  const token = await citizenToken(dependencies, login);
  const own = await signingKey('own', 'PS256');
  const claims = { sub: login, bsn: directory.professional(login)?.bsn ?? null, exp: epochSeconds(VALID) };
  const forged = await professionals.token(claims, { jwk: own.jwk }, own);
  const { handler } = await letterTokens(dependencies, world);
  const admin = await staff.token({ sub: `admin@${world}`, roles: ['beheerder'], exp: epochSeconds(VALID) });
  const draft = (await send('POST', '/applications', token, { json: { type: 'herregistratie' } })).body.id;
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  const documentOf = async (localId: string): Promise<string> => {
    const body = multipart(partsOf({ file: pdf(), localId }));
    return (await send('POST', '/uploads', token, { headers, body })).body.documentId;
  };
  return { token, forged, drafter: handler, admin, draft, documents: [await documentOf('a'), await documentOf('b')] };
}

/**
 * Holds `count` slow connections and sends every hostile request. Meanwhile it calls the service as other clients do,
 * and measures their answers.
 */
export async function clients(count: number): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'zorgregister-clients-'));
  const dependencies = await startDependencies(folder);
  const artefact = await startArtefact(await buildArtefact(), folder, {
    ...dependencies.env,
    ALLOWED_HOSTS: 'localhost,127.0.0.1',
    RATE_LIMIT_PER_MINUTE: '0',
    RATE_LIMIT_SUBMITS_PER_MINUTE: '0',
    CONNECTIONS_AT_ONCE: String(2 * count + 200),
  });
  const port = Number(new URL(artefact.url).port);
  const agent = new Agent();
  const send = sender(() => artefact.url, agent);
  const senders = await sendersIn('hostile', dependencies, send);
  const { token: hostile } = senders;
  const others = await sendersIn('others', dependencies, send);
  const { token: other } = others;
  const bsn = dependencies.directory.professional('sanne-de-wit@hostile')?.bsn ?? '';
  const faults: string[] = [];

  /**
   * Calls the service for some time as an ordinary client does. Returns the times of the answers in milliseconds, the
   * longest last.
   */
  async function measure(milliseconds: number): Promise<Times> {
    const [times, own]: number[][] = [[], []];
    for (const until = performance.now() + milliseconds; performance.now() < until; await setTimeout(PAUSE)) {
      const [start, queued] = [performance.now(), queuedFor(artefact.pid)];
      const { status } = await send('GET', '/applications', other);
      const took = performance.now() - start;
      times?.push(took);
      own?.push(Math.max(0, took - (queuedFor(artefact.pid) - queued)));
      if (status !== 200) faults.push(`another client got ${status}`);
    }
    const sorted = (all: number[] = []) => all.sort((one, next) => one - next);
    return { times: sorted(times), own: sorted(own) };
  }
  const p99 = (times: readonly number[]) => (times[Math.ceil(times.length * 0.99) - 1] ?? 0).toFixed(0);

  await measure(BEFORE);
  const before = await measure(BEFORE);
  const starts = [
    '',
    `GET /api/v1/applications HTTP/1.1\r\nHost: localhost\r\nX: a`,
    `POST /api/v1/applications HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${hostile}\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{"type":`,
  ];
  const hold = fileURLToPath(new URL('./hold.ts', import.meta.url));
  const holder = spawn(process.execPath, [hold, String(port), String(count), ...starts], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  process.once('exit', () => holder.kill('SIGKILL'));
  const opening = once(holder.stdout, 'data').then(() => performance.now());
  const begin = performance.now();
  const requests = Object.entries(hostileRequests(senders));
  const queue = [...requests];
  const attacker = async (): Promise<void> => {
    await opening;
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [name, { bytes, statuses }] = next;
      const found = faultsOf(await exchange(port, bytes), statuses, bsn);
      faults.push(...found.map((fault) => `${name}: ${fault}`));
    }
  };
  const [meanwhile] = await Promise.all([measure(MEASURED), ...Array.from({ length: AT_ONCE }, attacker)]);
  const opened = await opening;
  await setTimeout(opened + MEASURED - performance.now());
  holder.stdin.write('\n');
  const held = Number(String((await once(holder.stdout, 'data'))[0]));
  if (held > Math.ceil(count / starts.length)) faults.push(`${held} connections are open, also some that are too late`);
  holder.kill('SIGKILL');
  const { body: made } = await send('GET', '/applications', hostile);
  const accepted = requests.filter(
    ([, { right, statuses }]) => right === undefined && statuses.join() === '201',
  ).length;
  if (made.length > 1 + accepted) faults.push(`${made.length - 1 - accepted} refused requests made something`);
  for (const [name, { right }] of Object.entries(hostileRequests(others))) {
    const answer = right && (await exchange(port, right.bytes));
    const found = answer === '' ? ['no answer'] : right && faultsOf(answer ?? null, right.statuses, bsn);
    faults.push(...(found ?? []).map((fault) => `${name}, when it is right: ${fault}`));
  }
  const metrics = await (await fetch(`${artefact.management}/metrics`)).text();
  const series = metrics.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length;
  if (series > MOST_SERIES) faults.push(`${series} time series: a client decides how many`);
  await artefact.kill();
  await agent.destroy();
  await dependencies.close();

  const log = readFileSync(artefact.written.log, 'utf8');
  const broken = log.split('\n').filter((line) => line !== '' && !isRecord(line));
  if (broken.length > 0) faults.push(`${broken.length} lines of the log are no JSON, such as ${broken[0]}`);
  for (const said of [hostile, bsn, 'evil.example', 'etc/passwd', '\x1b'])
    if (log.includes(said) || metrics.includes(said)) faults.push(`the log or a metric has ${said.slice(0, 40)}`);
  rmSync(folder, { recursive: true, force: true });
  return {
    figures: {
      slow: count,
      'opened in s': ((opened - begin) / 1_000).toFixed(1),
      'still held': held,
      hostile: requests.length,
      'time series': series,
      calls: meanwhile.times.length,
      'p99 ms before': p99(before.times),
      'p99 ms meanwhile': p99(meanwhile.times),
      'p99 ms meanwhile, without waiting for a processor': p99(meanwhile.own),
      'slowest ms meanwhile': (meanwhile.times.at(-1) ?? 0).toFixed(0),
    },
    faults,
  };
}

function isRecord(line: string): boolean {
  try {
    return typeof JSON.parse(line) === 'object';
  } catch {
    return false;
  }
}
