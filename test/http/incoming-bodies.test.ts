import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { useService } from '../support/service.ts';

const service = await useService();
const ONE = 'sanne-de-wit';
/** The largest body that may be announced. */
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

describe('a JSON body that is refused with 413', () => {
  it('is no longer read by its parser or its checks while the rest of it arrives', async () => {
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
    // Only the reader that throws the rest away (server/linger.ts).
    expect(request?.listenerCount('data')).toBe(1);
  });
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
