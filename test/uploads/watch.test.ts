import { open } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Exchange } from '../../src/http/exchange.ts';
import { readUpload } from '../../src/uploads/transport/multipart.ts';
import type { ReceivedUpload } from '../../src/uploads/transport/parts.ts';
import { pdfOf } from '../support/files.ts';
import { BOUNDARY, multipart, partsOf } from '../support/multipart.ts';

const TEN_MB = 10_000_000;
let server: Server | undefined;
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  server?.closeAllConnections();
  server?.close();
});

/**
 * Sends an upload to a server that only reads it, and returns the result of `readUpload` and its request. Resolves when
 * the whole body has arrived.
 *
 * @param whenRead - called when the last byte has been read
 */
async function arrived(body: Buffer, begin: () => Promise<number>, whenRead = () => {}) {
  const started = Promise.withResolvers<{ upload: Promise<ReceivedUpload>; incoming: IncomingMessage }>();
  server = createServer((incoming) => {
    incoming.once('end', whenRead);
    const upload = readUpload({ req: incoming } as unknown as Exchange, BOUNDARY, begin, () => undefined);
    upload.catch(() => undefined);
    started.resolve({ upload, incoming });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  request(url, { method: 'POST', headers, body }).catch(() => undefined);
  const { upload, incoming } = await started.promise;
  await expect.poll(() => incoming.complete).toBe(true);
  return upload.then(
    (received) => received,
    (error: unknown) => error,
  );
}

describe('an upload that has arrived as a whole', () => {
  it('is not too slow while the store of the service is', async () => {
    const { promise: claim, resolve: end } = Promise.withResolvers<number>();
    const asked = vi.fn(() => claim);
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
    const reading = arrived(multipart(partsOf({ file: pdfOf(1_000) })), asked);
    await expect.poll(() => asked.mock.calls.length).toBe(1);
    await vi.advanceTimersByTimeAsync(30_000);
    end(TEN_MB);
    expect(await reading).toMatchObject({ name: 'verklaring.pdf' });
  });

  it('is not begun any more when the file is on disk after the time of the request has passed', async () => {
    const begin = vi.fn(async () => TEN_MB);
    const { promise: written, resolve: endWrite } = Promise.withResolvers<void>();
    const anyFile = await open(import.meta.filename);
    const writev = vi.spyOn(Object.getPrototypeOf(anyFile), 'writev').mockImplementation(async (chunks) => {
      await written;
      return { bytesWritten: (chunks as Buffer[]).reduce((sum, { length }) => sum + length, 0) };
    });
    await anyFile.close();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    // The file comes first, so that it is begun only when it has been read.
    const body = multipart(partsOf({ file: pdfOf(100_000) }).reverse());
    const timeOut = () => void setImmediate(() => vi.advanceTimersByTime(120_000));
    expect(await arrived(body, begin, timeOut)).toMatchObject({ code: 'overbelast' });
    await expect.poll(() => writev.mock.calls.length).toBe(1);
    endWrite();
    await new Promise((resolve) => setImmediate(resolve));
    expect(begin).not.toHaveBeenCalled();
  });
});
