import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { pdf, pdfOf } from '../support/files.ts';
import { BOUNDARY, multipart, partsOf, upload, uploadHead } from '../support/multipart.ts';
import { keep, refusalOf, startService, type TestService, together } from '../support/service.ts';
import { fakeTimers } from '../support/time.ts';

/** Timeouts that also suffice on a machine that is busy with other tests. */

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

const started = async (env: Record<string, string> = {}): Promise<TestService> => keep(await startService(env));

interface Slow {
  send(bytes: Buffer | string): void;
  readonly answer: () => string;
}

/**
 * Starts an upload: sends the headers, the form fields and the first bytes of the file. In the result, `send` sends
 * more bytes, and `answer` is the answer of the service.
 */
function begun(service: TestService, as: string, localId: string, file = pdfOf(5_000_000)): Slow {
  const body = multipart(partsOf({ file, localId }));
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  let answer = '';
  socket
    .on('error', () => undefined)
    .on('data', (chunk) => {
      answer += chunk;
    });
  socket.write(uploadHead(as, `Content-Length: ${body.length}`));
  socket.write(body.subarray(0, 600));
  return { send: (bytes) => socket.write(bytes), answer: () => answer };
}

const pending = async (service: TestService, as: string): Promise<number> =>
  (await service.get('/api/v1/uploads/status', { as })).body.results.length;

describe('slow uploads', () => {
  it('of one byte a second are refused with 408 verzoek-te-traag within seven seconds, and do not block uploads of others', async () => {
    const service = await started();
    fakeTimers({ toFake: ['Date', 'performance', 'setInterval', 'clearInterval'] });
    const six = Array.from({ length: 6 }, (_, n) => `burger-${n + 1}`);
    const slow = six.flatMap((as) => ['a', 'b', 'c'].map((localId) => begun(service, as, localId)));
    await expect
      .poll(async () => (await Promise.all(six.map((as) => pending(service, as)))).join())
      .toBe('3,3,3,3,3,3');
    expect((await upload(service, 'burger-20', { file: pdf() })).status).toBe(201);
    expect((await upload(service, 'burger-1', { localId: 'd', file: pdf() })).body.code).toBe('te-veel-uploads');
    for (let second = 0; second < 7; second += 1) {
      for (const one of slow) one.send('x');
      await vi.advanceTimersByTimeAsync(1_000);
    }
    for (const one of slow) await expect.poll(one.answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"verzoek-te-traag"/);
    expect((await upload(service, 'burger-1', { localId: 'd', file: pdf() })).status).toBe(201);
  });

  it('of 4,200 bytes a second are accepted with 201', async () => {
    const service = await started();
    fakeTimers({ toFake: ['Date', 'performance', 'setInterval', 'clearInterval'] });
    const file = pdfOf(4_200 * 30);
    const body = multipart(partsOf({ file, localId: 'l1' }));
    const slow = begun(service, 'burger-1', 'l1', file);
    await expect.poll(() => pending(service, 'burger-1')).toBe(1);
    for (let at = 600; at < body.length; at += 4_200) {
      await vi.advanceTimersByTimeAsync(1_000);
      slow.send(body.subarray(at, at + 4_200));
      // What was sent has come in before the next second begins.
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await expect.poll(slow.answer).toMatch(/^HTTP\/1\.1 201 /);
  });
});

describe('an upload with chunked transfer encoding', () => {
  it('in chunks of one byte is disconnected, and no pending upload remains', async () => {
    const service = await started();
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()).on('error', () => undefined));
    const fields = multipart(partsOf({ file: pdf() })).subarray(0, 600);
    socket.write(uploadHead('burger-1', 'Transfer-Encoding: chunked'));
    socket.write(`${fields.length.toString(16)}\r\n${fields.toString('latin1')}\r\n`);
    for (let sent = 0; sent < 100_000 && !socket.destroyed; sent += 1_000) {
      socket.write('1\r\nx\r\n'.repeat(1_000));
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await closed;
    expect(service.log.at(-1)).toMatchObject({ operation: 'createUpload', status: 499 });
    expect(await pending(service, 'burger-1')).toBe(0);
  });

  it('in chunks of 536 bytes is accepted with 201', async () => {
    const service = await started();
    const body = multipart(partsOf({ file: pdfOf(2_500_000) }));
    async function* pieces(): AsyncGenerator<Buffer> {
      for (let at = 0; at < body.length; at += 536) yield body.subarray(at, at + 536);
    }
    const answer = await fetch(`${service.url}/api/v1/uploads`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer x',
        'x-subject': 'burger-1',
        'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      },
      body: ReadableStream.from(pieces()),
      duplex: 'half',
    });
    expect(answer.status).toBe(201);
  });
});

describe('many uploads at the same time', () => {
  it('are all accepted with 201 when only one at a time may be checked and stored', async () => {
    const service = await started({ UPLOADS_AT_ONCE: '1' });
    const all = await together(12, (n) => upload(service, `burger-${n + 1}`, { file: pdfOf(100_000) }));
    expect(all.map(({ status }) => status)).toEqual(Array(12).fill(201));
  });

  it('are refused with 503 above the limit of unfinished uploads and above that of spooled bytes, and accepted when there is room again', async () => {
    const service = await started({ UPLOADS_RECEIVING: '2', UPLOADS_SPOOL_MB: '1' });
    const slow = ['burger-1', 'burger-2'].map((as) => begun(service, as, 'l1'));
    await expect.poll(() => pending(service, 'burger-2')).toBe(1);
    expect(await refusalOf(upload(service, 'burger-3', { file: pdf() }))).toEqual([503, 'overbelast']);
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => pending(service, 'burger-2')).toBe(0);
    expect(slow).toHaveLength(2);
    expect((await upload(service, 'burger-3', { file: pdf() })).status).toBe(201);
    const large = await upload(service, 'burger-3', { localId: 'l2', file: pdfOf(1_500_000) });
    expect([large.status, large.body.code, large.headers['retry-after']]).toEqual([503, 'overbelast', '2']);
    expect((await upload(service, 'burger-3', { localId: 'l2', file: pdfOf(900_000) })).status).toBe(201);
  });
});
