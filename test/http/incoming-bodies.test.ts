import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { PERSONAS } from '../../fixtures/personas/index.ts';
import { useService } from '../support/service.ts';

const service = await useService();
const PROFESSIONALS = PERSONAS.filter(({ kind }) => kind === 'professional').map(({ slug }) => slug);
const [ONE = '', OTHER = ''] = PROFESSIONALS;
/** Size of a body that does not arrive together with its headers. */
const LARGE = 250_000;
const LARGEST = 256 * 1024;

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** Sends a text on a new socket, which stays open, and calls `answered` with the first part of the answer. */
function send(text: string, answered: (text: string) => void = () => undefined): Socket {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  socket.once('data', (data) => answered(String(data)));
  socket.write(text);
  sockets.push(socket);
  return socket;
}
const head = (as: string, framing: string): string =>
  `POST /api/v1/intakes HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x\r\nX-Subject: ${as}\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`;
const chunk = (data: string | Buffer): string =>
  `${data.length.toString(16)}\r\n${Buffer.from(data).toString('latin1')}\r\n`;

/** Announces a body and sends one byte of it, `times` times. Returns the answers, to which later answers are added. */
function sendSlowly(as: string, bytes: number, times: number): string[] {
  const answers: string[] = [];
  for (let n = 0; n < times; n += 1) send(`${head(as, `Content-Length: ${bytes}`)}{`, (text) => answers.push(text));
  return answers;
}
const post = (as: string, bytes = 12) => service.post('/api/v1/intakes', as, { uren: 'x'.repeat(bytes - 11) });

describe('a person who is sending 4 MiB of JSON bodies slowly', () => {
  it('gets 429 te-veel-verzoeken for the next, and may still send a body that arrives at once', async () => {
    const answers = sendSlowly(ONE, LARGEST, 17);
    await expect.poll(() => answers).toHaveLength(1);
    expect(answers[0]).toMatch(/^HTTP\/1\.1 429 .*\r\nRetry-After: 2\r\n.*"code":"te-veel-verzoeken"/s);
    expect((await post(ONE, LARGE)).status).toBe(429);
    expect((await post(ONE)).status).toBe(400);
    expect((await post(OTHER, LARGE)).status).toBe(400);
    expect(answers).toHaveLength(1);
  });

  it('may send again after these have been received or their connections were closed', async () => {
    const answers = sendSlowly(ONE, LARGEST, 17);
    await expect.poll(() => answers).toHaveLength(1);
    for (const socket of sockets.splice(0, 4)) socket.write(`"uren":1${' '.repeat(LARGEST - 9)}}`);
    await expect.poll(() => answers.length).toBeGreaterThanOrEqual(4);
    expect((await post(ONE, LARGE)).status).toBe(400);
    for (const socket of sockets.splice(0)) socket.destroy();
    const more = sendSlowly(OTHER, LARGEST, 16);
    expect((await post(ONE, LARGE)).status).toBe(400);
    expect(more).toEqual([]);
  });
});

it('a request that is refused before its body has arrived has its connection closed after its body, when the answer says that it closes', async () => {
  const answers: string[] = [];
  const framing = 'Connection: close\r\nContent-Length: 13';
  const socket = send(head('unknown', framing), (text) => answers.push(text));
  await expect.poll(() => answers).toHaveLength(1);
  expect(answers[0]).toMatch(/^HTTP\/1\.1 401 .*\r\nConnection: close\r\n/is);
  // By now a connection that closes at once has ended, and what a client still sends would reset it.
  await service.get('/health');
  expect(socket.readableEnded).toBe(false);
  socket.write('{"uren":2600}');
  await expect.poll(() => socket.readableEnded).toBe(true);
});

it('an upload of 10 MiB that is refused before its body is read can be sent whole before the answer is read, as nginx does', async () => {
  const framing = 'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 10485760\r\nConnection: close';
  const answers: string[] = [];
  const socket = send(`POST /api/v1/uploads HTTP/1.1\r\nHost: localhost\r\n${framing}\r\n\r\n`, (text) =>
    answers.push(text),
  );
  socket.pause();
  const failure = await new Promise((resolve) => socket.write(Buffer.alloc(10_485_760), resolve));
  socket.resume();
  await expect.poll(() => answers).toHaveLength(1);
  expect(failure ?? null).toBe(null);
  expect(answers[0]).toMatch(/^HTTP\/1\.1 401 .*"code":"niet-ingelogd"/s);
});

it('a person who is sending many small JSON bodies slowly gets no 429 for two hundred of 4 kB', async () => {
  const answers = sendSlowly(ONE, 4_096, 200);
  await expect.poll(async () => (await post(ONE, 5_000)).status).toBe(400);
  expect(answers).toEqual([]);
});

it('a service that is receiving 32 MiB of JSON bodies answers the next with 503 overbelast, and a body that arrives at once as usual', async () => {
  const answers = PROFESSIONALS.slice(0, 17).map((as) => sendSlowly(as, LARGEST, 8));
  await expect.poll(() => answers.flat().length).toBe(8);
  for (const answer of answers.flat())
    expect(answer).toMatch(/^HTTP\/1\.1 503 .*\r\nRetry-After: 2\r\n.*"code":"overbelast"/s);
  const last = PROFESSIONALS.at(-1) ?? '';
  expect((await post(last, LARGE)).status).toBe(503);
  expect((await post(last)).status).toBe(400);
  expect((await service.get('/health')).status).toBe(200);
  expect(answers.flat()).toHaveLength(8);
  for (const socket of sockets.splice(0)) socket.destroy();
  await expect.poll(async () => (await post(last, LARGE)).status).toBe(400);
});

it('a JSON body that is refused with 413 is no longer read by its parser or its checks while the rest of it arrives', async () => {
  let request: IncomingMessage | undefined;
  const seen = (message: unknown): void => {
    ({ request } = message as { request: IncomingMessage });
  };
  subscribe('http.server.request.start', seen);
  const answer = await new Promise<string>((resolve) => {
    send(`${head(ONE, 'Transfer-Encoding: chunked')}${chunk('a'.repeat(LARGEST + 1))}`, resolve);
  });
  unsubscribe('http.server.request.start', seen);
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  // Only the reader that throws the rest away (middleware/errors.ts).
  expect(request?.listenerCount('data')).toBe(1);
});

describe('a JSON body in chunks', () => {
  const answerTo = (...chunks: Buffer[]): Promise<string> =>
    new Promise((resolve) => {
      const socket = send(head(ONE, 'Transfer-Encoding: chunked'), resolve);
      for (const one of [...chunks, Buffer.alloc(0)]) socket.write(chunk(one), 'latin1');
    });
  const body = Buffer.from('{"uren":"é€🎈"}');

  it('is read when a character is divided over two chunks', async () => {
    for (let at = 1; at < body.length; at += 1)
      expect(await answerTo(body.subarray(0, at), body.subarray(at))).toContain('"code":"verkeerd-type"');
  });

  it('is read when each chunk has one byte', async () => {
    expect(await answerTo(...Array.from(body, (byte) => Buffer.from([byte])))).toContain('"code":"verkeerd-type"');
  });

  it.each([
    ['a character that has no last byte', [0xf0, 0x9f, 0x8e]],
    ['a byte that begins no character', [0xff, 0x80]],
    ['only the last bytes of a character', [0x9f, 0x8e, 0x88]],
    ['half of a surrogate pair', [0xed, 0xa0, 0x80]],
  ])('is refused with 400 for %s', async (_, bytes) => {
    const text = Buffer.concat([body.subarray(0, 10), Buffer.from(bytes), Buffer.from('"}')]);
    for (const at of [10, 11, 12, text.length - 1])
      expect(await answerTo(text.subarray(0, at), text.subarray(at))).toContain('geen geldige UTF-8');
  });
});
