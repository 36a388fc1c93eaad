import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PERSONAS } from '../../fixtures/personas/index.ts';
import { pdf, pdfOf } from '../support/files.ts';
import { upload } from '../support/multipart.ts';
import { accepted, use, useService } from '../support/service.ts';
import { fakeTimers } from '../support/time.ts';
import { startScriptedServer } from '../support/upstreams/scripted-server.ts';

const as = 'sanne-de-wit';
const MIB = 1024 * 1024;

/** An S3 store that keeps one document; a test sets `give` to decide how it sends the document. */
let give: (response: ServerResponse) => void;
/** The size in bytes that the store reports for its document. */
let size = 0;
const sockets: Socket[] = [];

let sha256 = '';
const store = await use(
  startScriptedServer(({ method, headers, bytes }, response) => {
    if (method === 'PUT') {
      size = bytes.length;
      sha256 = String(headers['x-amz-meta-sha256']);
      response.writeHead(200).end();
    } else if (method === 'HEAD')
      response.writeHead(200, { 'content-length': size, 'x-amz-meta-sha256': sha256 }).end();
    else give(response);
  }),
);
/** The lines of the processing log. */
const processed: string[] = [];
const service = await useService(
  {
    DOCUMENTS_UPSTREAM: `s3:${store.url}/bucket`,
    DOCUMENTS_CLIENT_ID: 'id',
    DOCUMENTS_SECRET: 'secret',
    UPLOADS_PER_HOUR: '100',
  },
  undefined,
  { sink: async (text) => void processed.push(...text.split('\n').filter(Boolean)) },
  { keepAliveTimeout: 300 },
);
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** Returns the status of the last download in the processing log; undefined when it has none. */
const statusOfDownload = (): string | undefined =>
  processed.map((line) => JSON.parse(line)).findLast(({ name }) => name === 'uploadContent')?.status;

/** Requests a document on a new socket, which is paused: it reads nothing until the test resumes it. */
function request(documentId: string, slug: string, method = 'GET'): Socket {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  sockets.push(socket);
  socket.pause();
  socket.write(
    `${method} /api/v1/uploads/${documentId}/content HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x\r\nX-Subject: ${slug}\r\n\r\n`,
  );
  return socket;
}

let counter = 0;
/** Uploads a document, and requests it as `request` does. */
async function download(file: Buffer, asSent: (response: ServerResponse) => void): Promise<Socket> {
  counter += 1;
  const { status, body } = await upload(service, as, { file, localId: `stream-${counter}` });
  expect(status).toBe(201);
  give = asSent;
  service.log.splice(0);
  processed.splice(0);
  return request(body.documentId, as);
}

/** Returns all bytes that arrive until the connection is closed. */
function readAll(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk)).resume();
  return new Promise((resolve) => socket.once('close', () => resolve(Buffer.concat(chunks))));
}
const bodyOf = (answer: Buffer): Buffer => answer.subarray(answer.indexOf('\r\n\r\n') + 4);

const inPieces = (response: ServerResponse, pieces: readonly Buffer[]): void => {
  const [first, ...rest] = pieces;
  if (first === undefined) return void response.end();
  response.write(first, () => setTimeout(() => inPieces(response, rest), 10));
};

describe('a download for which the store sends', () => {
  const file = pdf();
  it.each<[string, readonly Buffer[]]>([
    ['too many bytes, in the last piece,', [Buffer.concat([file, Buffer.from('more')])]],
    ['too many bytes, in an extra piece,', [file, Buffer.from('more')]],
    ['one byte too many, in a piece of one byte,', [file.subarray(0, -1), file.subarray(-1), Buffer.from('!')]],
    ['only the first 100 bytes', [file.subarray(0, 100)]],
    ['all but the last byte', [file.subarray(0, -1)]],
  ])('%s ends incomplete: the client gets fewer bytes than the file has, and no others', async (_, pieces) => {
    const answer = await readAll(await download(file, (response) => inPieces(response, pieces)));
    expect(answer.toString('latin1')).toMatch(/^HTTP\/1.1 200 |^$/);
    expect(bodyOf(answer).length).toBeLessThan(file.length);
    expect(file.indexOf(bodyOf(answer))).toBe(0);
    await expect
      .poll(() => service.log.find(({ operation }) => operation === 'uploadContent'))
      .toMatchObject({ level: 50, status: 500 });
  });

  it('exactly the right bytes, in three pieces, is complete', async () => {
    const pieces = [file.subarray(0, 1), file.subarray(1, -1), file.subarray(-1)];
    const answer = await readAll(await download(file, (response) => inPieces(response, pieces)));
    expect(bodyOf(answer)).toEqual(file);
  });
});

it('a document of which the store has another size than was stored is refused with 502, to GET and to HEAD', async () => {
  const file = pdf();
  const { body } = await upload(service, as, { file, localId: 'resized' });
  const path = `/api/v1/uploads/${body.documentId}/content`;
  size -= 1;
  give = (response) => void response.writeHead(200, { 'content-length': size }).end(file.subarray(1));
  expect((await service.get(path, { as })).body).toMatchObject({ code: 'bron-antwoord-ongeldig' });
  expect((await service.call('HEAD', path, { as })).status).toBe(502);
});

describe('the processing log has a download', () => {
  const file = pdfOf(3 * MIB);
  it.each<[title: string, status: string, asSent: (response: ServerResponse) => void, read: number]>([
    [
      'that was sent as a whole as Ok',
      'Ok',
      (response) => void response.writeHead(200, { 'content-length': file.length }).end(file),
      1,
    ],
    [
      'that the document store cut half-way as Error',
      'Error',
      (response) => {
        response.writeHead(200, { 'content-length': file.length });
        response.write(file.subarray(0, MIB), () => response.destroy());
      },
      1,
    ],
    [
      'that the client left half-way as Unset',
      'Unset',
      // The rest is never sent: the buffers of the machine could hold the whole file before the client leaves.
      (response) => void response.writeHead(200, { 'content-length': file.length }).write(file.subarray(0, MIB)),
      0,
    ],
  ])('%s', async (_, status, asSent, read) => {
    const socket = await download(file, asSent);
    if (read === 1) socket.resume();
    else socket.once('readable', () => socket.destroy());
    await expect.poll(statusOfDownload).toBe(status);
  });
});

describe('a download by a client', () => {
  const file = pdfOf(10 * MIB);
  /** Number of bytes that the store has begun to send. */
  let begun = 0;
  const whole = (response: ServerResponse) => {
    begun = 0;
    const pieces = function* () {
      for (; begun < file.length; begun += 65_536) yield file.subarray(begun, begun + 65_536);
    };
    response.writeHead(200, { 'content-length': file.length });
    Readable.from(pieces()).pipe(response);
  };

  /** Advances the clock by `count` seconds; the client reads `bytes` bytes in each. Returns the number of bytes read. */
  async function seconds(socket: Socket, count: number, bytes: number): Promise<number> {
    let read = 0;
    for (let n = 0; n < count && !socket.closed; n += 1) {
      const until = read + bytes;
      while (read < until && !socket.closed) {
        const chunk: Buffer | null = socket.read(Math.min(bytes, socket.readableLength || 1));
        if (chunk === null) await new Promise((resolve) => setTimeout(resolve, 1));
        else read += chunk.length;
      }
      vi.advanceTimersByTime(1_000);
    }
    return read;
  }
  /**
   * Waits until all buffers are full, so that the service waits for the client: the store can send no more. Store, service and client
   * are in this process: when nothing moves in twenty turns of its event loop, however late, nothing can.
   */
  async function settled(): Promise<void> {
    for (let [turns, sent] = [0, 0]; turns < 20; turns = sent > 0 && sent === begun ? turns + 1 : 0) {
      sent = begun;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  it.each([
    ['that reads nothing', 0],
    ['that reads 100 bytes a second', 100],
  ])('%s is disconnected after half a minute and logged as 499', async (_, bytes) => {
    fakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const socket = await download(file, whole);
    await settled();
    await seconds(socket, 29, bytes);
    const told = () => service.log.find((line) => line.operation === 'uploadContent');
    expect(told()).toBeUndefined();
    // Another three, and more where the machine was late to fill what lies between.
    await expect
      .poll(async () => {
        await seconds(socket, 3, bytes);
        return told();
      })
      .toMatchObject({ status: 499 });
  });

  it('that reads 128 KiB a second is completed', async () => {
    fakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const socket = await download(file, whole);
    await settled();
    const read = await seconds(socket, 60, 128 * 1024);
    const rest = await readAll(socket);
    expect(read + rest.length).toBeGreaterThan(file.length);
  });
});

describe('a download for which the store sends 100 bytes a second', () => {
  const file = pdfOf(MIB);

  it('is cut off after half a minute, logged as an error, and counted as a failure of the store', async () => {
    fakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    let more: (bytes: Buffer) => void = () => undefined;
    const socket = await download(file, (response) => {
      response.writeHead(200, { 'content-length': file.length }).flushHeaders();
      more = (bytes) => void response.write(bytes);
      more(file.subarray(0, 100));
    });
    const answer = readAll(socket);
    const told = () => service.log.find((line) => line.operation === 'uploadContent');
    for (let second = 1; second <= 30; second += 1) {
      more(file.subarray(second * 100, second * 100 + 100));
      await new Promise((resolve) => setTimeout(resolve, 5));
      vi.advanceTimersByTime(1_000);
    }
    expect(told()).toBeUndefined();
    await expect
      .poll(() => {
        vi.advanceTimersByTime(1_000);
        return told();
      })
      .toMatchObject({
        level: 50,
        status: 500,
        upstream: [
          { bron: 'documenten', outcome: 200 },
          { bron: 'documenten', outcome: 'unreadable' },
        ],
      });
    expect(bodyOf(await answer).length).toBeLessThan(4_000);
    await expect.poll(statusOfDownload).toBe('Error');
  });
});

describe('the buffers of sockets are freed after 16 MB', () => {
  const file = pdfOf(9 * MIB);
  const send = (localId: string) => upload(service, as, { file, localId });

  /** Runs `work`, and expects that it asks V8 to collect garbage. */
  async function expectCollection(work: () => Promise<void>): Promise<void> {
    const collections: unknown[] = [];
    const observer = new PerformanceObserver((list) =>
      collections.push(...list.getEntries().map((entry) => entry.toJSON().detail)),
    );
    observer.observe({ entryTypes: ['gc'] });
    await work();
    // V8 may do more than what is asked for: it completes a collection of the whole heap that is already in progress.
    const forced = { flags: constants.NODE_PERFORMANCE_GC_FLAGS_FORCED };
    await expect.poll(() => collections).toContainEqual(expect.objectContaining(forced));
    observer.disconnect();
  }

  it('of uploads', () =>
    expectCollection(async () => {
      for (const localId of ['buffers-1', 'buffers-2']) await send(localId);
    }));

  it('of downloads', async () => {
    const { documentId } = (await send('buffers-3')).body;
    give = (response) => void response.writeHead(200, { 'content-length': file.length }).end(file);
    const content = `${service.url}/api/v1/uploads/${documentId}/content`;
    const headers = { Authorization: 'Bearer x', 'X-Subject': as };
    await expectCollection(async () => {
      for (const time of [1, 2]) {
        const bytes = await (await fetch(content, { headers })).arrayBuffer();
        expect(bytes.byteLength, `${time}`).toBe(file.length);
      }
    });
  });
});

describe('one person', () => {
  const file = pdf();
  const [fifth = '', ...four] = PERSONAS.filter(({ kind }) => kind === 'professional')
    .map(({ slug }) => slug)
    .slice(0, 5);
  /** The requests that the store received for documents, in order. */
  const asked = (): string[] =>
    store.received
      .filter(({ method }) => method !== 'PUT')
      .map(({ method, url }) => `${method} ${url.slice(url.lastIndexOf('/') + 1)}`);
  /** The answers of the store that have begun and have not ended. */
  const held: ServerResponse[] = [];
  /** Sends the head of the document and its first bytes. */
  const holdOn = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-length': file.length }).write(file.subarray(0, 100));
    held.push(response);
  };
  const uploaded = async (slug: string, localId: string): Promise<string> =>
    (await accepted(upload(service, slug, { file, localId }))).body.documentId;
  /** Returns the first line of the answer when it arrives. */
  const answerOf = (socket: Socket): Promise<string> =>
    new Promise((resolve) => socket.once('data', (data) => resolve(String(data).slice(0, 12))).resume());
  const pathOf = (documentId: string): string => `/api/v1/uploads/${documentId}/content`;

  beforeEach(() => {
    held.splice(0);
    store.received.splice(0);
    give = holdOn;
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    // Not before the service has released their places.
    await expect
      .poll(async () => {
        give = (response) => void response.writeHead(200, { 'content-length': file.length }).end(file);
        const id = await uploaded(as, 'released');
        return (await service.get(pathOf(id), { as })).status;
      })
      .toBe(200);
  });

  it('who downloads 96 documents at the same time has 6, and 30 wait; while four do so, a fifth gets a document and its headers', async () => {
    const answers: Promise<string>[] = [];
    for (const slug of four) {
      const id = await uploaded(slug, 'many');
      answers.push(...Array.from({ length: 96 }, () => answerOf(request(id, slug))));
    }
    const told: string[] = [];
    for (const answer of answers) void answer.then((line) => told.push(line));
    await expect.poll(() => told.filter((line) => line.endsWith('429')).length).toBe(4 * 60);
    await expect.poll(() => held.length).toBe(4 * 6);
    give = (response) => void response.writeHead(200, { 'content-length': file.length }).end(file);
    const id = await uploaded(fifth, 'one');
    expect(await service.get(pathOf(id), { as: fifth })).toMatchObject({ status: 200 });
    expect((await service.call('HEAD', pathOf(id), { as: fifth })).status).toBe(200);
    expect(held).toHaveLength(4 * 6);
  });

  it('gets the documents that wait in order, without those of clients that have left; a HEAD waits as well', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 9; n += 1) ids.push(await uploaded(fifth, `order-${n}`));
    const requests: Socket[] = [];
    const ask = (id: string, method?: string): void => void requests.push(request(id, fifth, method));
    for (const id of ids.slice(0, 6)) ask(id);
    await expect.poll(() => held.length).toBe(6);
    store.received.splice(0);
    // One after another, so that they wait in this order.
    for (const id of ids.slice(6)) {
      ask(id);
      await service.get('/health');
    }
    ask(ids[6] ?? '', 'HEAD');
    await service.get('/health');
    expect(asked()).toEqual([]);
    service.log.splice(0);
    requests[6]?.destroy();
    await expect.poll(() => service.log).toContainEqual(expect.objectContaining({ status: 499 }));
    const keys = ids.map((id) => `ZR-${id.replaceAll('-', '')}`);
    const expected = [`GET ${keys[7]}`, `GET ${keys[8]}`, `HEAD ${keys[6]}`];
    for (const [n, next] of expected.entries()) {
      held[n]?.end(file.subarray(100));
      await expect.poll(() => asked().length).toBe(n + 1);
      expect(asked().at(-1)).toBe(next);
    }
  });
});
