import { type ChildProcess, spawn } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it, vi } from 'vitest';
import { openStore } from '../../adapters/store/index.ts';
import { pdf, pdfOf } from '../support/files.ts';
import { multipart, partsOf, upload, uploadHead } from '../support/multipart.ts';
import { startPostgres } from '../support/postgres.ts';
import { temporaryFolder } from '../support/run-folder.ts';
import { keep, refusalOf, startService, type TestService, together, use } from '../support/service.ts';
import { advanceDate, fakeTimers } from '../support/time.ts';

const folder = temporaryFolder('uploads');
const postgres = await use(startPostgres());
const children: ChildProcess[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

async function started(env: Record<string, string>): Promise<TestService> {
  return keep(await startService({ UPLOADS_PER_PERSON: '100', UPLOADS_AT_ONCE: '100', ...env }));
}

/** Sends the first part of an upload. Returns a function that sends the remainder and returns the answer. */
async function half(url: string, as: string, localId: string, file = pdfOf(300_000)): Promise<() => Promise<string>> {
  const body = multipart(partsOf({ file, localId }));
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()).on('error', () => resolve()));
  socket.write(uploadHead(as, `Content-Length: ${body.length}`, 'Connection: close'));
  socket.write(body.subarray(0, 200_000));
  return async () => {
    socket.write(body.subarray(200_000));
    await closed;
    return answer;
  };
}

const pending = async (service: TestService, as: string): Promise<string[]> =>
  (await service.get('/api/v1/uploads/status', { as })).body.results.map(({ status }: { status: string }) => status);

it('two instances on one PostgreSQL together accept 30 documents of one person, and refuse more with upload-quotum', async () => {
  const env = { DATABASE_URL: await postgres.database() };
  const pair = [await started(env), await started(env)] as const;
  const as = 'burger-1';
  const one = (n: number) => upload(pair[n % 2 ? 1 : 0], as, { localId: `l${n}`, file: pdf() });
  await together(26, (n) => one(n));
  const replies = await together(16, (n) => one(100 + n));
  const codes = replies.map(({ status, body }) => body.code ?? status);
  expect(codes.filter((code) => code === 201)).toHaveLength(4);
  expect(codes.filter((code) => code === 'upload-quotum')).toHaveLength(12);
  const uploads = await pending(pair[0], as);
  expect(uploads.filter((status) => status === 'uploaded')).toHaveLength(30);
});

/** Moves the end of all upload leases back by `seconds`: PostgreSQL compares leases with its own clock, which a test cannot move. */
async function ageClaims(url: string, seconds: number): Promise<void> {
  const store = await openStore({ kind: 'postgres', url });
  await store.db
    .updateTable('uploads')
    .set(({ eb }) => ({ claimedUntil: eb('claimedUntil', '-', seconds * 1_000) }))
    .execute();
  await store.close();
}

it.each(['SQLite', 'PostgreSQL'])(
  'an upload whose process is killed is refused with 409 upload-bezig when sent again, and accepted with 201 after its lease of 15 seconds (%s)',
  async (engine) => {
    const env: Record<string, string> =
      engine === 'SQLite' ? { DATA_DIR: join(folder, 'killed') } : { DATABASE_URL: await postgres.database() };
    const child = spawn(process.execPath, ['start.js'], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: {
        PATH: process.env.PATH ?? '',
        TMPDIR: tmpdir(),
        PORT: '0',
        LOG_LEVEL: 'silent',
        DATA_DIR: ':memory:',
        ...env,
      },
    });
    children.push(child);
    let output = '';
    child.stdout?.on('data', (chunk) => {
      output += chunk;
    });
    await expect.poll(() => output).toContain('Try:');
    const other = await started(env);
    await half(/http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0] ?? '', 'burger-2', 'l1');
    await expect.poll(() => pending(other, 'burger-2')).toEqual(['pending']);
    child.kill('SIGKILL');
    expect(await refusalOf(upload(other, 'burger-2', { file: pdf() }))).toEqual([409, 'upload-bezig']);
    if (engine === 'SQLite') advanceDate(16);
    else await ageClaims(env.DATABASE_URL ?? '', 16);
    expect((await upload(other, 'burger-2', { file: pdf() })).status).toBe(201);
  },
);

it('an upload that takes a minute keeps its lease: the same upload is refused with upload-bezig until the first has ended', async () => {
  const service = await started({});
  fakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  const finish = await half(service.url, 'burger-3', 'l1');
  await expect.poll(() => pending(service, 'burger-3')).toEqual(['pending']);
  for (let waited = 0; waited < 60_000; waited += 5_000) {
    await vi.advanceTimersByTimeAsync(5_000);
    expect((await upload(service, 'burger-3', { file: pdf() })).body.code).toBe('upload-bezig');
  }
  expect(await finish()).toMatch(/^HTTP\/1\.1 201 /);
});
