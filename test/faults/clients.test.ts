/**
 * Clients that leave while they send a request or read its answer, on what is really run: the bundle of `npm start`, and
 * the artefact of `npm run build` with tokens and with upstreams over TLS. The process must go on.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { citizenToken, startArtefact, startDependencies } from '../../tools/attack/outside.ts';
import { buildArtefact } from '../support/artefact.ts';
import { pdfOf } from '../support/files.ts';
import { BOUNDARY, multipart, partsOf } from '../support/multipart.ts';
import { temporaryFolder } from '../support/run-folder.ts';
import { startBundle } from '../support/service.ts';

type Headers = Readonly<Record<string, string>>;

interface Program {
  readonly url: string;
  readonly pid: number;
  /** Returns the headers with which a person of the simulator identifies. */
  login(person: string): Promise<Headers>;
  close(): Promise<void>;
}

const folder = temporaryFolder('leaving-clients');
const agent = new Agent({ pipelining: 0 });
afterAll(async () => {
  await agent.close();
});

const PROGRAMS: Readonly<Record<string, () => Promise<Program>>> = {
  async 'bundle of npm start'() {
    const { url, pid, close } = await startBundle();
    return { url, pid, login: async (person) => ({ Authorization: 'Bearer x', 'X-Subject': person }), close };
  },
  async 'artefact of npm run build'() {
    const [dist, dependencies] = await Promise.all([buildArtefact(), startDependencies(folder)]);
    const { url, pid, kill } = await startArtefact(dist, folder, dependencies.env);
    return {
      url,
      pid,
      login: async (person) => ({ Authorization: `Bearer ${await citizenToken(dependencies, person)}` }),
      async close() {
        await kill();
        await dependencies.close();
      },
    };
  },
};

/** A request that has the same answer each time. */
interface Repeatable {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly headers?: Headers;
  readonly body?: Buffer;
  /** The status of the first answer, and that of later ones when it differs. */
  readonly statuses: readonly number[];
  readonly says?: string;
}

type Send = (sent: Repeatable) => Promise<{ status: number; text: string }>;

const JSON_TYPE = { 'Content-Type': 'application/json' };
const UPLOAD: Repeatable = {
  method: 'POST',
  path: '/uploads',
  headers: { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` },
  body: multipart(partsOf({ file: pdfOf(400_000) })),
  statuses: [201, 200],
  says: '"documentId"',
};
const DOCUMENT = multipart(partsOf({ file: pdfOf(4_000_000) }));
const DRAFT = { draft: Array(20).fill('a'.repeat(5_000)), stepIndex: 1, stepCount: 3, documentIds: [] };

const OPERATIONS: Readonly<Record<string, (send: Send) => Promise<Repeatable>>> = {
  dashboardView: async () => ({ method: 'GET', path: '/dashboard-view', statuses: [200], says: '"Sanne de Wit"' }),
  createUpload: async () => UPLOAD,
  createHerregistratie: async () => ({
    method: 'POST',
    path: '/herregistraties',
    headers: { ...JSON_TYPE, 'Idempotency-Key': 'one' },
    body: Buffer.from('{"uren":2600}'),
    statuses: [200],
    says: '"referentie":"HER-',
  }),
  async syncApplication(send) {
    const body = Buffer.from('{"type":"herregistratie"}');
    const { text } = await send({ method: 'POST', path: '/applications', headers: JSON_TYPE, body, statuses: [201] });
    const path = `/applications/${JSON.parse(text).id}`;
    return { method: 'PUT', path, headers: JSON_TYPE, body: Buffer.from(JSON.stringify(DRAFT)), statuses: [204] };
  },
  async uploadContent(send) {
    const { documentId } = JSON.parse((await send({ ...UPLOAD, body: DOCUMENT })).text);
    return { method: 'GET', path: `/uploads/${documentId}/content`, statuses: [200], says: '%%EOF' };
  },
};

/** How far the client gets before it leaves. */
const STAGES = [
  'in the middle of the headers',
  'before the body',
  'in the middle of the body',
  'when all is sent',
  'when all is sent to a stopped process',
  'at the first bytes of the answer',
] as const;
type Stage = (typeof STAGES)[number];

const WAYS: Readonly<Record<string, (socket: Socket) => unknown>> = {
  resets: (socket) => socket.resetAndDestroy(),
  'closes its connection': (socket) => socket.destroy(),
  'closes its half of the connection': (socket) => socket.end(),
};

const CASES = Object.keys(OPERATIONS).flatMap((operation) =>
  STAGES.filter((stage) => /createUpload|create|sync/.test(operation) || !/body/.test(stage)).flatMap((stage) =>
    Object.keys(WAYS).map((way) => ({ operation, stage, way })),
  ),
);

const isWhole = (stage: Stage) => /^when all is sent|^at the first/.test(stage);

/**
 * Sends the request as far as `stage`, leaves in this way, and resolves with the status that the service has sent; null
 * when it has sent none.
 */
async function leave({ url, pid }: Program, all: Headers, sent: Repeatable, stage: Stage, way: string) {
  const { method, path, headers, body } = sent;
  const lines = { Host: 'localhost', ...all, ...headers, Connection: 'close' };
  // The service asks for the body when it begins to read it: the client does not leave before that.
  const announced = body && { 'Content-Length': body.length, Expect: '100-continue' };
  const head = `${method} /api/v1${path} HTTP/1.1\r\n${Object.entries({ ...lines, ...announced })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  const closed = once(socket, 'close');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  const end = async () => {
    WAYS[way]?.(socket);
    await closed;
    const answer = Buffer.concat(chunks).toString('latin1').replace('HTTP/1.1 100 Continue\r\n\r\n', '');
    const [, status] = /^HTTP\/1\.1 (\d+) /.exec(answer) ?? [];
    return status === undefined ? null : Number(status);
  };
  if (stage === 'in the middle of the headers') {
    socket.write(head.slice(0, head.length / 2));
    await once(socket, 'ready');
    return end();
  }
  const isStopped = stage === 'when all is sent to a stopped process';
  if (isStopped && body === undefined) process.kill(pid, 'SIGSTOP');
  socket.write(head);
  if (body !== undefined) await once(socket, 'data');
  if (isStopped && body !== undefined) process.kill(pid, 'SIGSTOP');
  if (stage === 'before the body') return end();
  if (stage === 'in the middle of the body') {
    socket.write(body?.subarray(0, body.length / 2) ?? '');
    return end();
  }
  await new Promise((resolve) => socket.write(body ?? '', resolve));
  if (isStopped) setImmediate(() => process.kill(pid, 'SIGCONT'));
  if (stage === 'at the first bytes of the answer') await once(socket, 'data');
  return end();
}

describe.each(Object.keys(PROGRAMS))('the %s', (name) => {
  let program: Program;
  let worlds = 0;
  beforeAll(async () => {
    program = await (PROGRAMS[name] ?? expect.unreachable())();
  });
  // For the bundle this fails when the process has ended before.
  afterAll(() => program?.close());

  it.each(CASES)('goes on after a client that $way $stage of $operation', async ({ operation, stage, way }) => {
    worlds += 1;
    const login = await program.login(`sanne-de-wit@w${worlds}`);
    const send: Send = async ({ method, path, headers, body }) => {
      const answer = await request(`${program.url}/api/v1${path}`, {
        dispatcher: agent,
        method,
        headers: { ...login, ...headers },
        body: body ?? null,
      });
      return { status: answer.statusCode, text: Buffer.from(await answer.body.arrayBuffer()).toString('latin1') };
    };
    const sent = await (OPERATIONS[operation] ?? expect.unreachable())(send);
    const status = await leave(program, login, sent, stage, way);
    expect([...(isWhole(stage) ? sent.statuses : []), 400, null]).toContain(status);
    // The work of the request may still be going on.
    await expect.poll(async () => (await send(sent)).status, { interval: 100 }).toBeOneOf([...sent.statuses]);
    expect((await send(sent)).text.includes(sent.says ?? '')).toBe(true);
  });
});
