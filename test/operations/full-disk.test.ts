import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { pdf, pdfOf } from '../support/files.ts';
import { BOUNDARY, multipart, partsOf } from '../support/multipart.ts';
import { temporaryFolder } from '../support/run-folder.ts';
import { WAIT_MS } from '../support/time.ts';

const MIB = 1024 * 1024;
const folder = temporaryFolder('full');
const spoolFolder = join(folder, 'tmp');
const leftBehind = join(spoolFolder, `zorgregister-upload-${randomUUID()}`);
let child: ChildProcess;
let output = '';
let url: string;

/**
 * Starts the service with a limit of three or six MiB per file (`ulimit -f` counts differently per shell), which acts as a
 * full disk.
 */
beforeAll(async () => {
  mkdirSync(spoolFolder);
  writeFileSync(leftBehind, '');
  child = spawn('sh', ['-c', `ulimit -f 6144; exec "${process.execPath}" start.js`], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: {
      PATH: process.env.PATH ?? '',
      PORT: '0',
      TMPDIR: spoolFolder,
      DATA_DIR: join(folder, 'data'),
      PROCESSING_LOG: 'nowhere',
      LOG_FORMAT: 'json',
      SIMULATOR_TODAY: '2026-06-01',
    },
  });
  child.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  await vi.waitFor(() => expect(output).toContain('Try:'), WAIT_MS);
  url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0] ?? '';
});
afterAll(() => {
  child.kill('SIGKILL');
});

// Each on a connection of its own: the service closes a connection on which it refused a body, while the next request may
// already be on its way.
const send = (method: string, path: string, as: string, body?: string | Buffer, type = 'application/json') =>
  fetch(url + path, {
    method,
    headers: { authorization: 'Bearer x', 'x-subject': as, 'content-type': type, connection: 'close' },
    ...(body !== undefined && { body }),
  });
// biome-ignore lint/suspicious/noExplicitAny: what came over the wire has no type until a test looks at it
const jsonOf = (answer: Response): Promise<any> => answer.json();
const upload = (as: string, file: Buffer) =>
  send('POST', '/api/v1/uploads', as, multipart(partsOf({ file })), `multipart/form-data; boundary=${BOUNDARY}`);

const isLinux = process.platform === 'linux';
/** The usual limit of a file: more than the database has when its own limit was reached in a test. */
const ROOM = 3 * MIB;
const limitFiles = (bytes: number) =>
  execFileSync('prlimit', ['--pid', `${child.pid}`, `--fsize=${bytes}:`], { stdio: 'ignore' });

describe('a service with a full disk', () => {
  it('removes the temporary file of a killed process when it starts', () => {
    expect(existsSync(leftBehind)).toBe(false);
  });

  it('answers an upload with 503 and Retry-After, stores nothing, and logs the reason', async () => {
    const answer = await upload('burger-1', pdfOf(8 * MIB));
    expect([answer.status, (await jsonOf(answer)).code]).toEqual([503, 'overbelast']);
    expect(answer.headers.get('retry-after')).toBe('30');
    expect(readdirSync(spoolFolder).filter((name) => name.startsWith('zorgregister'))).toEqual([]);
    const status = await send('GET', '/api/v1/uploads/status', 'burger-1');
    expect(await status.json()).toEqual({ results: [] });
    await expect.poll(() => output).toContain('"reason":"no room for a temporary file: EFBIG"');
    expect((await upload('burger-1', pdf())).status).toBe(201);
  });

  it.skipIf(!isLinux)('says that the world is empty after the restore of a snapshot that does not fit', async () => {
    const [world, size] = ['/_simulator/worlds/terug', 1.5 * MIB];
    expect((await upload('burger-1@terug', pdfOf(size))).status).toBe(201);
    expect((await send('PUT', `${world}/snapshots/groot`, 'burger-1')).status).toBe(200);
    limitFiles(size - 1);
    const answer = await send('POST', `${world}/snapshots/groot/restore`, 'burger-1');
    limitFiles(ROOM);
    const { code, detail } = await jsonOf(answer);
    expect([answer.status, code, detail]).toEqual([
      503,
      'schijf-vol',
      expect.stringMatching(/^De wereld is nu leeg\. /),
    ]);
  });

  it.skipIf(!isLinux)('does not take a part of a document for the whole document in the simulated store', () => {
    const script = `
      const { receiveInto } = await import('./simulator/upstreams/documenten/receive.ts');
      const body = [Buffer.from(JSON.stringify({ inhoud: Buffer.alloc(200_000).toString('base64') }))];
      const request = { method: 'POST', headers: new Headers(), body };
      const outcome = receiveInto(${JSON.stringify(folder)})(request);
      console.log(await outcome.then(() => 'received', ({ code }) => code));`;
    const limited = ['-c', 'ulimit -f 100; exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', script];
    const cwd = fileURLToPath(new URL('../..', import.meta.url));
    expect(execFileSync('sh', limited, { cwd, encoding: 'utf8' })).toBe('EFBIG\n');
  });

  it.skipIf(!isLinux)('answers a write that does not fit with 503, and reads with 200', async () => {
    limitFiles(MIB);
    onTestFinished(() => void limitFiles(ROOM));
    const draft = (n: number) =>
      JSON.stringify({ draft: Array(25).fill(`${n}`.repeat(4_000)), stepIndex: 0, stepCount: 1, documentIds: [] });
    const made = await send('POST', '/api/v1/applications', 'burger-2', JSON.stringify({ type: 'intake' }));
    const { id } = await jsonOf(made);
    const statuses: number[] = [];
    for (let n = 0; n < 60 && statuses.at(-1) !== 503; n += 1)
      statuses.push((await send('PUT', `/api/v1/applications/${id}`, 'burger-2', draft(n + 10))).status);
    expect(new Set(statuses)).toEqual(new Set([204, 503]));
    await expect.poll(() => output).toMatch(/"reason":"the disk of the database file [^"]*\(SQLITE_(FULL|IOERR)\)"/);
    expect((await send('GET', `/api/v1/applications/${id}`, 'burger-2')).status).toBe(200);
  });

  describe.skipIf(!isLinux)('on which nothing can be written any more', () => {
    const control = (method: string, path: string, body: unknown = {}) =>
      send(method, `/_simulator${path}`, 'burger-3', JSON.stringify(body));
    beforeEach(() => limitFiles(0));
    afterEach(() => limitFiles(ROOM));

    it.each([
      ['saves a snapshot', 'PUT', '/worlds/vol/snapshots/vol', {}],
      ['moves the clock', 'POST', '/worlds/vol/clock', { move: '+4months' }],
      ['turns a scenario on', 'PUT', '/worlds/vol/scenarios/brp-down', {}],
    ])('refuses a control operation that %s with 503 schijf-vol', async (_what, method, path, body) => {
      const answer = await control(method, path, body);
      const { code, detail } = await jsonOf(answer);
      expect([answer.status, code, detail]).toEqual([503, 'schijf-vol', expect.stringContaining('Maak ruimte')]);
    });

    it('answers a request that only reads with 200, also in a world that was not used before', async () => {
      expect((await send('GET', '/_simulator/worlds/leeg', 'burger-3')).status).toBe(200);
    });

    it('leaves no file of a persona that could not be saved, so that it can be saved later', async () => {
      const save = async () =>
        (await control('POST', '/personas', { slug: 'kim-van-dam', extends: 'sanne-de-wit' })).status;
      expect(await save()).toBe(503);
      expect(readdirSync(join(folder, 'data/personas'))).toEqual([]);
      limitFiles(MIB);
      expect(await save()).toBe(201);
    });
  });
});

describe.skipIf(!isLinux)('a processing log on standard error that goes to a file on a full disk', () => {
  it('contains every line, also those of which the disk took only a part', async () => {
    const path = join(folder, 'stderr.log');
    const script = `
      import { createSecretKey } from 'node:crypto';
      import { createProcessingLog, stderrSink } from '${new URL('../../adapters/processing-log/index.ts', import.meta.url)}';
      const log = createProcessingLog({
        sink: stderrSink(), key: createSecretKey(Buffer.alloc(32)), activities: '', version: '1',
        onStateChange: ({ state }) => process.stdout.write(state + '\\n'),
      });
      const entry = { at: new Date(), actor: { kind: 'staff', subject: 'dana' }, foreignOperationId: null };
      for (let n = 0; n < 20; n += 1) log.audit({ ...entry, object: { n } });
      await new Promise((resolve) => process.stdin.on('end', resolve).resume());
      await log.close();`;
    const file = openSync(path, 'a');
    const writes = spawn('prlimit', ['--fsize=1000:', process.execPath, '--input-type=module', '-e', script], {
      stdio: ['pipe', 'pipe', file],
    });
    onTestFinished(() => void writes.kill('SIGKILL'));
    closeSync(file);
    let states = '';
    writes.stdout?.on('data', (chunk) => {
      states += chunk;
    });
    await expect.poll(() => states).toContain('failing');
    execFileSync('prlimit', ['--pid', `${writes.pid}`, '--fsize=100000:'], { stdio: 'ignore' });
    await expect.poll(() => states).toContain('recovered');
    writes.stdin?.end();
    await expect.poll(() => writes.exitCode).toBe(0);
    const lines = readFileSync(path, 'utf8').split('\n');
    const complete = lines.filter((line) => line.endsWith('}')).map((line): number => JSON.parse(line).object.n);
    expect([...new Set(complete)]).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });
});
