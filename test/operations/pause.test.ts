import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { request } from 'undici';
import { afterAll, describe, expect, it } from 'vitest';
import { DOCUMENTS_ACCESS } from '../../simulator/upstreams/documenten/access.ts';
import { TIMING } from '../../src/ports/timing.ts';
import { buildArtefact } from '../support/artefact.ts';
import { pdfOf } from '../support/files.ts';
import { BOUNDARY, multipart, partsOf } from '../support/multipart.ts';
import { startPostgres } from '../support/postgres.ts';
import { type StartProcess, spawnStart } from '../support/process.ts';
import { temporaryFolder } from '../support/run-folder.ts';
import { use, useSimulators } from '../support/service.ts';
import { certificatePath, tlsOptionsOf } from '../support/upstreams/certificates.ts';
import { epochSeconds, issuerVariables, signingKey, startIssuer } from '../support/upstreams/issuer.ts';
import { REGISTRATIE } from '../support/upstreams/register.ts';
import { type ScriptedServer, sendJson, startScriptedServer } from '../support/upstreams/scripted-server.ts';

/**
 * Milliseconds of a pause that is longer than every timeout for a client or an upstream that sends or reads nothing. The
 * longest is that for a client that does not read its answer (20 s).
 */
const LONG_PAUSE = 21_000;
/** Milliseconds of a pause that is longer than the timeout of a statement to PostgreSQL (2.5 s). */
const SHORT_PAUSE = 4_000;
/** Number of requests that wait for the register: more than the calls after which its circuit breaker opens. */
const MANY = 24;
/** A file that does not fit in the buffers of a connection whose client does not read. */
const LARGE_FILE = pdfOf(9_500_000);
const FILE = pdfOf(1_500_000);

const folder = temporaryFolder('pause');
const services: StartProcess[] = [];
const key = await signingKey('one');
const issuer = await use(startIssuer([key]));
const staff = await use(startIssuer([key]));
const realDay = { clock: { now: () => new Date() }, dataDir: join(folder, 'simulators') };
const simulators = await useSimulators(['documenten', 'scanner'], realDay);
const postgres = await use(startPostgres());
const dist = await buildArtefact();
afterAll(() => {
  for (const { child } of services) child.kill('SIGKILL');
});

/** A register and a BRP in one server. A test chooses how the register answers. */
interface Upstreams extends ScriptedServer {
  /** `held` begins each answer, and ends it when the mode changes. `never` does not answer. */
  mode: 'at once' | 'held' | 'never';
  held: number;
}

async function startUpstreams(speaksHttp2: boolean): Promise<Upstreams> {
  const answer = async ({ url }: { url: string }, response: ServerResponse): Promise<void> => {
    if (url.startsWith('/brp')) sendJson(response, { type: 'RaadpleegMetBurgerservicenummer', personen: [] });
    else if (upstreams.mode === 'at once') sendJson(response, [REGISTRATIE]);
    else if (upstreams.mode === 'held') {
      response.writeHead(200, { 'content-type': 'application/json' });
      upstreams.held += 1;
      // Something must arrive every 1.5 seconds.
      for (; upstreams.mode === 'held'; await setTimeout(100)) response.write(' ');
      upstreams.held -= 1;
      response.end(JSON.stringify([REGISTRATIE]));
    }
  };
  const tls = speaksHttp2 ? tlsOptionsOf('server') : undefined;
  const server = await startScriptedServer(answer, tls, { speaksHttp2 });
  const upstreams: Upstreams = Object.assign(server, { mode: 'at once' as const, held: 0 });
  return upstreams;
}

interface Service extends StartProcess {
  readonly url: string;
  /** Returns the parts that do not work, such as an upstream whose circuit breaker is open. */
  degraded(): Promise<string[]>;
}

const LISTENING = /listening\W+(http:\/\/[\d.:]+)/;
const METRICS = /metrics\W+(http:\/\/[\d.:]+)/;

/** Starts the service in a new process, from the artefact or, with null, as `npm start` does. */
async function startService(env: Record<string, string>, artefact: string | null): Promise<Service> {
  const common = { PORT: '0', MANAGEMENT_PORT: '0', LOG_FORMAT: 'json', PROCESSING_LOG: 'nowhere' };
  // One person has a sixteenth of the requests in progress.
  const started = spawnStart({ ...common, REQUESTS_AT_ONCE: '512', ...env }, [], [], artefact ?? undefined);
  services.push(started);
  const found = (pattern: RegExp) => pattern.exec(started.output())?.[1] ?? '';
  while (found(METRICS) === '') await setTimeout(20);
  const readiness = async () => {
    const { statusCode, body } = await request(`${found(METRICS)}/health/ready`);
    return { statusCode, ...((await body.json()) as { degraded: string[] }) };
  };
  // Before it has the keys of the issuers, it refuses every token.
  while ((await readiness()).statusCode !== 200) await setTimeout(20);
  return { ...started, url: found(LISTENING), degraded: async () => (await readiness()).degraded };
}

interface Message {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: Buffer | string;
}

/** The status and problem code of an answer, and its body; or what happened to the connection instead. */
interface Answer {
  readonly outcome: string;
  readonly body: Buffer;
}

interface Client {
  readonly socket: Socket;
  /** Sends a request, or only its bytes from `from` to `to`. */
  send(message: Message, from?: number, to?: number): void;
  answer(): Promise<Answer>;
}

async function openClient({ url }: Service): Promise<Client> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const answers: Answer[] = [];
  const waiting: ((answer: Answer) => void)[] = [];
  const give = (answer: Answer): void => {
    const next = waiting.shift();
    if (next === undefined) answers.push(answer);
    else next(answer);
  };
  let chunks: Buffer[] = [];
  let missing = 0;
  socket.on('data', (chunk) => {
    chunks.push(chunk);
    missing -= chunk.length;
    if (missing > 0) return;
    const received = Buffer.concat(chunks);
    chunks = [received];
    const start = received.indexOf('\r\n\r\n') + 4;
    if (start < 4) return;
    const head = received.toString('latin1', 0, start);
    missing = start + Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0) - received.length;
    if (missing > 0) return;
    const code = /"code":"([\w-]+)"/.exec(received.toString('latin1', start, start + 1_000))?.[1];
    chunks = [];
    missing = 0;
    give({ outcome: [head.slice(9, 12), code].join(' ').trim(), body: received.subarray(start) });
  });
  let end = 'closed';
  socket.on('error', ({ message }) => {
    end = message;
  });
  socket.on('close', () => give({ outcome: end, body: Buffer.alloc(0) }));
  await once(socket, 'connect');
  return {
    socket,
    send({ method = 'GET', path, headers, body = '' }, from = 0, to = Number.POSITIVE_INFINITY) {
      const all = Object.entries({ host: 'localhost', ...headers, 'content-length': Buffer.byteLength(body) });
      const head = `${method} ${path} HTTP/1.1\r\n${all.map((header) => `${header.join(': ')}\r\n`).join('')}\r\n`;
      socket.write(Buffer.concat([Buffer.from(head), Buffer.from(body)]).subarray(from, to));
    },
    answer: () =>
      new Promise((resolve) => {
        const first = answers.shift();
        if (first === undefined) waiting.push(resolve);
        else resolve(first);
      }),
  };
}

const many = <Result>(count: number, one: (n: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => one(n)));
const outcomesOf = async (clients: readonly Client[]): Promise<string[]> =>
  (await Promise.all(clients.map((client) => client.answer()))).map(({ outcome }) => outcome);
/**
 * Returns the outcomes that are no success. A process that is starved may refuse a request with 503 `overbelast` before
 * any work: it then says that it is busy itself.
 */
const failuresIn = (outcomes: readonly string[]): string[] =>
  outcomes.filter((outcome) => !/^20[014]$/.test(outcome) && outcome !== '503 overbelast');

/** Sends one request on a new connection and returns its answer; sends it again while the service is busy. */
async function ask(service: Service, message: Message) {
  for (;;) {
    const client = await openClient(service);
    client.send(message);
    const answer = await client.answer();
    client.socket.destroy();
    if (answer.outcome !== '503 overbelast') return answer;
  }
}

/** Returns the body of the answer to a request that makes something. Throws the outcome when it is another than 201. */
async function make(service: Service, message: Message) {
  const { outcome, body } = await ask(service, message);
  if (outcome !== '201') throw new Error(`${message.path}: ${outcome}`);
  return JSON.parse(`${body}`);
}

const asJson = (headers: Record<string, string>) => ({ ...headers, 'content-type': 'application/json' });

/** Makes a draft, and returns the request that saves it with 180 KB of text. */
async function newDraft(service: Service, headers: Record<string, string>): Promise<Message> {
  const path = '/api/v1/applications';
  const { id } = await make(service, { method: 'POST', path, headers: asJson(headers), body: '{"type":"intake"}' });
  const draft = JSON.stringify({ draft: { text: Array(20).fill('x'.repeat(9_000)) } });
  return { method: 'PUT', path: `${path}/${id}`, headers: asJson(headers), body: draft };
}

const uploadOf = (file: Buffer, headers: Record<string, string>): Message => ({
  method: 'POST',
  path: '/api/v1/uploads',
  headers: { ...headers, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  body: multipart(partsOf({ file })),
});

/** Stops the process for `ms` milliseconds. Calls `meanwhile` when it has stopped. */
async function pause({ child }: Service, ms: number, meanwhile: () => Promise<void> | void): Promise<void> {
  child.kill('SIGSTOP');
  await meanwhile();
  await setTimeout(ms);
  child.kill('SIGCONT');
}

describe.concurrent('a pause of the process', () => {
  it.each([
    { from: 'npm start', speaksHttp2: false },
    { from: 'the artefact', speaksHttp2: true },
  ])(
    'of $from blames no client and no upstream that was in time; one that is late after it is refused, or opens the circuit breaker',
    async ({ from, speaksHttp2 }) => {
      const upstreams = await startUpstreams(speaksHttp2);
      const real = { REGISTER: upstreams.url, BRP: `${upstreams.url}/brp`, DUO: upstreams.url };
      const service = await startService(
        {
          ...issuerVariables(issuer, staff),
          ...Object.fromEntries(
            Object.entries(real).flatMap(([name, url]) => [
              [`${name}_UPSTREAM`, url],
              ...(speaksHttp2 ? [[`${name}_TLS_CA`, certificatePath('ca')]] : []),
            ]),
          ),
          DEPLOYMENT: 'integration',
          DATA_DIR: join(folder, from),
          DOCUMENTS_UPSTREAM: simulators.urls.documenten ?? '',
          DOCUMENTS_CLIENT_ID: DOCUMENTS_ACCESS.clientId,
          DOCUMENTS_SECRET: DOCUMENTS_ACCESS.secret,
          DOCUMENTS_RSIN: DOCUMENTS_ACCESS.rsin,
          DOCUMENTS_INFORMATIEOBJECTTYPE: DOCUMENTS_ACCESS.informatieobjecttype,
          SCANNER: simulators.urls.scanner ?? '',
        },
        from === 'npm start' ? null : dist,
      );
      const people = await many(10, async () => {
        const claims = { sub: crypto.randomUUID(), bsn: '999990007', exp: epochSeconds(900) };
        return { authorization: `Bearer ${await issuer.token(claims)}` };
      });
      const [owner, ...others] = people as [(typeof people)[0], ...typeof people];
      const dashboard: Message = { path: '/api/v1/dashboard-view', headers: owner };
      const sendDashboards = async (count: number) => {
        const clients = await many(count, () => openClient(service));
        for (const client of clients) client.send(dashboard);
        return clients;
      };
      /** Sends dashboards until all of them wait for the register, and have most of their time left. */
      const sendWaiting = async (): Promise<Client[]> => {
        for (;;) {
          upstreams.mode = 'held';
          const begin = performance.now();
          const clients = await sendDashboards(MANY);
          while (upstreams.held < MANY && performance.now() - begin < 1_000) await setTimeout(10);
          if (upstreams.held === MANY) return clients;
          upstreams.mode = 'at once';
          await outcomesOf(clients);
        }
      };

      const { documentId } = await make(service, uploadOf(LARGE_FILE, owner));
      const content: Message = { path: `/api/v1/uploads/${documentId}/content`, headers: owner };
      const drafts = await Promise.all(others.slice(0, 4).map((headers) => newDraft(service, headers)));
      const uploads = others.slice(0, 4).map((headers) => uploadOf(FILE, headers));
      const reader = await openClient(service);
      reader.send(content);
      await once(reader.socket, 'readable');
      reader.socket.pause();
      const partly: readonly [Message, number][] = [
        [dashboard, 60],
        [drafts[2] as Message, 50_000],
        [uploads[2] as Message, 500_000],
        [drafts[3] as Message, 50_000],
        [uploads[3] as Message, 500_000],
      ];
      /** Opens all clients until it was done in less than half of the time that a client has to send its headers. */
      const openAll = async () => {
        for (;;) {
          const begin = performance.now();
          const silent = await many(4, () => openClient(service));
          const idle = await many(4, async () => {
            const client = await openClient(service);
            client.send({ path: '/health', headers: {} });
            await client.answer();
            return client;
          });
          const [parts, late] = [await many(5, () => openClient(service)), await many(2, () => openClient(service))];
          const waiting = await sendWaiting();
          if (performance.now() - begin < TIMING.requestHeaders / 2) return { silent, idle, parts, late, waiting };
          upstreams.mode = 'at once';
          await outcomesOf(waiting);
          for (const { socket } of [...silent, ...idle, ...parts, ...late]) socket.destroy();
        }
      };
      const { silent, idle, parts, late, waiting } = await openAll();
      for (const [n, [message, sent]] of partly.entries()) parts[n]?.send(message, 0, sent);
      late[0]?.send(dashboard, 0, 60);
      late[1]?.send(uploads[0] as Message, 0, 600);

      await pause(service, LONG_PAUSE, () => {
        upstreams.mode = 'at once';
        reader.socket.resume();
        for (const client of silent) client.send(dashboard);
        for (const [n, client] of idle.entries())
          client.send([dashboard, ...drafts.slice(0, 2), uploads[1]][n] as Message);
        for (const [n, [message, sent]] of partly.slice(0, 3).entries()) parts[n]?.send(message, sent);
      });
      for (const [n, [message, sent]] of partly.entries()) if (n >= 3) parts[n]?.send(message, sent);
      const after = sendDashboards(4);
      expect(failuresIn(await outcomesOf(waiting))).toEqual([]);
      expect(failuresIn(await outcomesOf([...silent, ...idle, ...parts]))).toEqual([]);
      expect(failuresIn(await outcomesOf(await after))).toEqual([]);
      const document = await reader.answer();
      expect([document.outcome, document.body.length]).toEqual(['200', LARGE_FILE.length]);
      expect(await service.degraded()).not.toContain('register');

      expect(await outcomesOf(late)).toEqual(['408 verzoek-te-traag', '408 verzoek-te-traag']);
      upstreams.mode = 'never';
      do await outcomesOf(await sendDashboards(MANY));
      while (!(await service.degraded()).includes('register'));
      expect((await ask(service, dashboard)).outcome).toBe('503 bron-niet-beschikbaar');
      service.child.kill('SIGKILL');
      await upstreams.close();
    },
  );

  it('makes no statement late that PostgreSQL has carried out', async () => {
    const url = await postgres.database();
    const service = await startService({ DATA_DIR: ':memory:', DATABASE_URL: url }, null);
    const message = await newDraft(service, { authorization: 'Bearer x', 'x-subject': 'sanne-de-wit' });
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('begin');
    await client.query('lock table applications in access exclusive mode');
    const waits = "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    const saveBehindLock = async () => {
      // On a slow machine the statements can end before they are seen.
      for (;;) {
        const saves = await many(4, () => openClient(service));
        let areAnswered = false;
        const outcomes = outcomesOf(saves).finally(() => {
          areAnswered = true;
        });
        for (const save of saves) save.send(message);
        while (!areAnswered) {
          if ((await client.query(waits)).rowCount !== 0) return { outcomes };
          await client.query('select pg_stat_clear_snapshot()');
        }
      }
    };
    const { outcomes } = await saveBehindLock();
    await pause(service, SHORT_PAUSE, () => client.query('commit').then(() => client.end()));
    // So few requests at the same time are never refused because the process is busy.
    expect(await outcomes).toEqual(Array(4).fill('204'));
  });

  it('again and again makes no limit last for ever', async () => {
    const upstreams = await startUpstreams(false);
    upstreams.mode = 'never';
    const service = await startService({ DATA_DIR: ':memory:', REGISTER_UPSTREAM: upstreams.url }, null);
    const headers = { authorization: 'Bearer x', 'x-subject': 'sanne-de-wit' };
    const slow = await openClient(service);
    slow.send({ path: '/api/v1/dashboard-view', headers }, 0, 60);
    const calls = await many(4, () => openClient(service));
    for (const call of calls) call.send({ path: '/api/v1/dashboard-view', headers });
    let isStarved = true;
    const starving = (async () => {
      for (; isStarved; await setTimeout(300)) await pause(service, 600, () => undefined);
    })();
    expect(await outcomesOf([slow, ...calls])).toEqual(['408 verzoek-te-traag', ...Array(4).fill('504 bron-te-laat')]);
    isStarved = false;
    await starving;
    service.child.kill('SIGKILL');
    await upstreams.close();
  });
});
