import { open } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { request } from 'undici';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Exchange } from '../../src/http/exchange.ts';
import { ClientDisconnected } from '../../src/ports/call.ts';
import type { ReceivedUpload } from '../../src/uploads/form.ts';
import { readUpload } from '../../src/uploads/multipart.ts';
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
 * @param whenArrived - called when the last byte has arrived, with a function that closes the connection of the client
 */
async function arrived(
  body: Buffer | Readable,
  begin: () => Promise<number>,
  whenRead = () => {},
  whenArrived: (leave: () => void, incoming: IncomingMessage) => unknown = () => {},
) {
  const started = Promise.withResolvers<{ upload: Promise<ReceivedUpload>; incoming: IncomingMessage }>();
  server = createServer((incoming) => {
    incoming.once('end', whenRead);
    const upload = readUpload({ req: incoming } as unknown as Exchange, {
      boundary: BOUNDARY,
      begin,
      reserve: () => undefined,
    });
    upload.catch(() => undefined);
    started.resolve({ upload, incoming });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new AbortController();
  request(url, { method: 'POST', headers, body, signal: client.signal }).catch(() => undefined);
  const { upload, incoming } = await started.promise;
  await expect.poll(() => incoming.complete).toBe(true);
  await whenArrived(() => client.abort(), incoming);
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

  it('has failed when its client leaves before the service has read all of it', async () => {
    const { promise: claim, resolve: end } = Promise.withResolvers<number>();
    // More than fits in the buffers of the parser and of the file, so that the rest waits in the request.
    const body = multipart(partsOf({ file: pdfOf(160_000) }));
    const chunks = Array.from({ length: Math.ceil(body.length / 10_000) }, (_, n) =>
      body.subarray(n * 10_000, (n + 1) * 10_000),
    );
    const outcome = await arrived(
      Readable.from(chunks),
      () => claim,
      () => {},
      async (leave, incoming) => {
        leave();
        await expect.poll(() => incoming.destroyed).toBe(true);
        end(TEN_MB);
      },
    );
    expect(outcome).toBeInstanceOf(ClientDisconnected);
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
