import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { Agent, type Dispatcher, request } from 'undici';
import { afterAll, expect, onTestFinished, vi } from 'vitest';
import type { Sink } from '../../adapters/processing-log/index.ts';
import { developmentWith } from '../../simulator/host/index.ts';
import { type Simulators, startSimulators } from '../../simulator/index.ts';
import { createDirectory } from '../../simulator/people/directory.ts';
import { DOCUMENTS_ACCESS } from '../../simulator/upstreams/documenten/access.ts';
import { readConfig } from '../../src/config/index.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { TIMING, type Timing } from '../../src/ports/timing.ts';
import { freshBundle } from '../../src/startup/process/start-bundle.js';
import { type StartOptions, start } from '../../src/startup/service.ts';
import { fetchDocument, openApiFaults, operationIdAt } from './openapi.ts';
import { typeFaults } from './operations.ts';
import { spawnStart } from './process.ts';
import { WAIT_MS } from './time.ts';
import { takeContractFaults } from './upstreams/contract-checks.ts';

/**
 * Sends each request on a new connection. On a connection that is used again, a request could arrive at the moment that
 * the service closes it, and fail.
 */
const dispatcher = new Agent({ pipelining: 0 });

/** Ten times the time limits of the product, because a busy machine must not decide a test. */
export const PATIENT = Object.fromEntries(
  Object.entries(TIMING).map(([name, ms]) => [name, 10 * ms]),
) as unknown as Timing;

/** Looks for changed persona files often, so that tests need not wait for it. */
const development = developmentWith([], 20);

/** The date of the frozen clock in tests, unless a test sets another clock (domain.md 5). */
export const TODAY = '2026-06-01';

export interface Reply {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire has no type until a test looks at it
  readonly body: any;
}

export interface TestService {
  readonly url: string;
  readonly managementUrl: string | null;
  /** The notes in the start banner. */
  readonly notes: readonly string[];
  /** The text in the start banner about the identification of callers. */
  readonly identity: string;
  /** The log lines that the service has written so far, parsed from JSON. */
  readonly log: Record<string, unknown>[];
  /** The lines of the processing log and the audit trail so far, parsed from JSON. */
  readonly processingLog: Record<string, unknown>[];
  /**
   * The time limits. A test of a limit shortens it while a server does not answer; connections keep theirs from the
   * start.
   */
  readonly timing: { -readonly [Limit in keyof Timing]: Timing[Limit] };
  /**
   * Sends one request over a socket. Fails the test when the answer does not match the OpenAPI document or the types of
   * the client, or when a call to a simulated upstream does not match its contract.
   */
  call(method: Dispatcher.HttpMethod, path: string, options?: CallOptions): Promise<Reply>;
  get(path: string, options?: CallOptions): Promise<Reply>;
  post(path: string, as: string, json: unknown, headers?: CallOptions['headers']): Promise<Reply>;
  /** Sends bytes on a new socket, and resolves with all that the service sends until the socket closes. */
  raw(bytes: string | Buffer): Promise<string>;
  close(): Promise<void>;
}

export interface CallOptions {
  /** Person who makes the request: the value of `X-Subject`. The request has no identity when absent. */
  readonly as?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Buffer;
  /** Value that is sent as a JSON body. */
  readonly json?: unknown;
}

/** A service that was started, in this process or in another one. */
type Started = Pick<
  TestService,
  'url' | 'managementUrl' | 'notes' | 'identity' | 'log' | 'processingLog' | 'timing' | 'close'
>;

/**
 * Sends a request, and resolves with its answer and its log line, which is written when the answer has ended: the client can have
 * the answer before.
 */
export async function callAndLog(
  service: TestService,
  method: Dispatcher.HttpMethod,
  path: string,
  options: CallOptions = {},
): Promise<{ readonly reply: Reply; readonly line: Record<string, unknown> }> {
  const traceId = randomBytes(16).toString('hex');
  const headers = { ...options.headers, traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
  const reply = await service.call(method, path, { ...options, headers });
  const line = await vi.waitFor(
    () => {
      const found = service.log.find((one) => one.traceId === traceId);
      if (found === undefined) throw new Error(`no log line of ${method} ${path}, answered ${reply.status}`);
      return found;
    },
    { timeout: WAIT_MS },
  );
  return { reply, line };
}

/**
 * Starts the real service on a free port, with these environment variables. Its clock is frozen at `TODAY` by default.
 * `processing`, `limits` and `changes` replace settings of the processing log, of connections and of the time limits. With the variable `FROM_BUNDLE` it
 * is the bundle of `npm start`, if there are no such replacements.
 */
export async function startService(
  env: Record<string, string> = {},
  clock: Clock | 'as-configured' = frozenClock(TODAY),
  processing: StartOptions['processing'] = {},
  limits: StartOptions['limits'] = {},
  changes: Partial<Timing> = {},
): Promise<TestService> {
  if (process.env.FROM_BUNDLE) return startBundle(env);
  const processingLog: Record<string, unknown>[] = [];
  const keep: Sink = async (lines) => {
    for (const line of lines.split('\n').filter(Boolean)) processingLog.push(JSON.parse(line));
  };
  const timing = { ...PATIENT, ...changes };
  const log: Record<string, unknown>[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      log.push(JSON.parse(String(chunk)));
      done();
    },
  });
  const { url, managementUrl, hints, close } = await start(
    { ...readConfig({ PORT: '0', DATA_DIR: ':memory:', ...env }), timing },
    {
      logger: pino({ base: null }, sink),
      development,
      processing: { sink: keep, ...processing },
      // Else a busy machine closes an idle connection at the moment at which a test uses it again.
      limits: { keepAliveTimeout: WAIT_MS, ...limits },
      ...(clock !== 'as-configured' && { clock }),
    },
  );
  const { notes = [], identity = '' } = hints ?? {};
  return callable({ url, managementUrl, notes, identity, log, processingLog, timing, close });
}

/**
 * Starts the bundle of `npm start` in its own process, with these environment variables, the time limits of `startService`
 * and a clock that is frozen at `TODAY`. `close` rejects when the process has ended before, or does not exit with code 0.
 */
export async function startBundle(env: Record<string, string> = {}): Promise<TestService & { readonly pid: number }> {
  if (freshBundle(new URL('../../', import.meta.url).href) === null)
    throw new Error('a source has changed since the bundle was made: run the tests again');
  const settings = {
    PORT: '0',
    DATA_DIR: ':memory:',
    PROCESSING_LOG: 'nowhere',
    LOG_FORMAT: 'json',
    SIMULATOR_TODAY: TODAY,
  };
  const { child, exit, output } = spawnStart(
    { ...settings, ...env },
    [],
    [],
    undefined,
    'test/support/bundle-with-limits.js',
  );
  const timing = { ...PATIENT };
  child.send(timing);
  const ended = exit.then((code) => {
    if (code !== 0) throw new Error(`the bundle ended with code ${code}:\n${output()}`);
  });
  ended.catch(() => undefined);
  const log: Record<string, unknown>[] = [];
  const listening = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout ?? expect.unreachable() }).on('line', (line) => {
      if (line.startsWith('{')) log.push(JSON.parse(line));
      const [, url] = /^ {2}listening +(http:\S+)/.exec(line) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
  const url = await Promise.race([listening, ended.then(() => expect.unreachable())]);
  const close = () => {
    child.kill('SIGINT');
    return ended;
  };
  let applied = { ...timing };
  let applying: Promise<unknown> = Promise.resolve();
  async function applyLimits(): Promise<void> {
    if (JSON.stringify(timing) !== JSON.stringify(applied)) {
      applied = { ...timing };
      child.send(applied);
      applying = once(child, 'message');
    }
    await applying;
  }
  const started = { url, managementUrl: null, notes: [], identity: '', log, processingLog: [], timing, close };
  const service = callable(started, applyLimits);
  return { ...service, pid: child.pid ?? expect.unreachable() };
}

/** Returns a service with functions that send requests to it, each after `before`. */
function callable(started: Started, before = async () => {}): TestService {
  async function call(
    method: Dispatcher.HttpMethod,
    path: string,
    { as, headers = {}, json, body = json === undefined ? undefined : JSON.stringify(json) }: CallOptions = {},
  ): Promise<Reply> {
    const identity = as === undefined ? {} : { authorization: 'Bearer test', 'x-subject': as };
    await before();
    const answer = await request(started.url + path, {
      method,
      dispatcher,
      headers: { ...identity, ...(json !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body }),
    });
    const text = await answer.body.text();
    const type = String(answer.headers['content-type'] ?? '');
    const reply: Reply = {
      status: answer.statusCode,
      headers: answer.headers,
      body: type.includes('json') && text ? JSON.parse(text) : text,
    };
    await expectDocumented(method, path, reply, json);
    return reply;
  }

  async function expectDocumented(method: string, path: string, reply: Reply, sent: unknown): Promise<void> {
    const document = await fetchDocument(started.url, '/api/v1/openapi.json');
    expect(openApiFaults(document, method, path, reply)).toEqual([]);
    const operation = operationIdAt(document, method, path);
    if (operation !== undefined) expect(typeFaults({ operation, sent, ...reply })).toEqual([]);
    const where = 'calls to simulated upstreams that differ from the contract, also for other requests of this file';
    expect(takeContractFaults(), where).toEqual([]);
  }

  return {
    ...started,
    call,
    get: (path, options) => call('GET', path, options),
    post: (path, as, json, headers = {}) => call('POST', path, { as, json, headers }),
    raw: (bytes) => sendRaw(started.url, bytes),
  };
}

/** Returns what is started, and closes it after all tests of the file or the describe that calls this function. */
export function use<Started extends { close(): unknown }>(starting: Promise<Started>): Promise<Started> {
  afterAll(async () => void (await (await starting).close()));
  return starting;
}

/** Starts a service as `startService` does, and closes it after all tests of the file or the describe. */
export const useService = (...options: Parameters<typeof startService>): Promise<TestService> =>
  use(startService(...options));

/** Starts simulators of upstreams with the clock of `startService` and data in memory. */
export const startTestSimulators = (
  upstreams: Parameters<typeof startSimulators>[0],
  over: Partial<Parameters<typeof startSimulators>[1]> = {},
): Promise<Simulators> => {
  const usual = { directory: createDirectory(), clock: frozenClock(TODAY), port: 0, dataDir: ':memory:' };
  return startSimulators(upstreams, { ...usual, ...over });
};

/** Starts simulators as `startTestSimulators` does, and closes them after all tests of the file or the describe. */
export const useSimulators = (...options: Parameters<typeof startTestSimulators>): Promise<Simulators> =>
  use(startTestSimulators(...options));

/** The variables with which a service has access to a simulated document store. */
export const DOCUMENTS_VARIABLES = {
  DOCUMENTS_CLIENT_ID: DOCUMENTS_ACCESS.clientId,
  DOCUMENTS_SECRET: DOCUMENTS_ACCESS.secret,
  DOCUMENTS_RSIN: DOCUMENTS_ACCESS.rsin,
  DOCUMENTS_INFORMATIEOBJECTTYPE: DOCUMENTS_ACCESS.informatieobjecttype,
};

/** Returns what a test has started, and closes it when the test ends. */
export function keep<Started extends { close(): unknown }>(started: Started): Started {
  onTestFinished(async () => void (await started.close()));
  return started;
}

let worlds = 0;
/** Returns the name of a world of the simulator that no other test uses. */
export const newWorld = (): string => {
  worlds += 1;
  return `w${worlds}`;
};

/** Begins `make` this number of times at once, with 0, 1 and so on, and returns the results in that order. */
export const together = <Result>(count: number, make: (n: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)));

/** Returns the JSON Pointers of the errors in a problem. */
export const pointersOf = ({ errors }: Reply['body']): string[] => errors.map(({ pointer }: Reply['body']) => pointer);

/** Returns the status and the problem code of an answer. */
export async function refusalOf(answer: Promise<Reply>): Promise<[status: number, code: string]> {
  const { status, body } = await answer;
  return [status, body.code];
}

/** Returns documents of these categories that come by post. */
export const byPost = (...categories: string[]) =>
  categories.map((categoryId) => ({ categoryId, channel: 'post' as const }));

/** Returns an answer. Throws an error with the whole answer when it is a refusal. */
export async function accepted(answer: Promise<Reply>): Promise<Reply> {
  const reply = await answer;
  if (reply.status >= 300) throw new Error(`a step was answered ${reply.status}: ${JSON.stringify(reply.body)}`);
  return reply;
}

/** Waits until the service says that it is ready, which it is when it has the keys of its issuers. */
export const whenReady = (service: Pick<TestService, 'get'>): Promise<void> =>
  vi.waitFor(async () => expect(await service.get('/health/ready')).toMatchObject({ status: 200 }), {
    timeout: WAIT_MS,
  });

/** Returns a clock that always gives 12:00 UTC on this day, such as `2026-06-01`. */
export const frozenClock = (day: string): Clock => ({ now: () => new Date(`${day}T12:00:00Z`) });

/** Sends bytes to a server, and resolves with its answer when it has closed the connection. */
export function sendRaw(url: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
    socket.write(bytes);
  });
}
