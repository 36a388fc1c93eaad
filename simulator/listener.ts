import { createReadStream } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { getResponse, type RequestHandler } from 'msw';
import { carried, parse, type ReceivedFile, type SimulatedAnswer } from './answer.ts';

export interface Listener {
  readonly url: string;
  close(): Promise<void>;
}

/** What a body turns out to hold. */
export interface ReceivedBody {
  readonly body: unknown;
  readonly file?: ReceivedFile;
}

export type Receive = (incoming: IncomingMessage) => Promise<ReceivedBody>;

/**
 * MSW handlers behind a real socket on loopback. MSW's own interception does not see the undici package; over a socket
 * time-outs, resets and half answers are real, and the adapter under test is the one that ships.
 */
export async function listen(
  handlers: RequestHandler[],
  port: number,
  receive: Receive = receiveJson,
): Promise<Listener> {
  const server = createServer((incoming, outgoing) => {
    answer(handlers, receive, incoming, outgoing).catch(() => outgoing.destroy());
  });
  // The adapter's pool keeps connections for four seconds; the listener must not be the first to let go.
  server.keepAliveTimeout = 30_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A body as one text, which is what every source but the store of documents is sent. */
export async function receiveJson(incoming: IncomingMessage): Promise<ReceivedBody> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return { body: parse(Buffer.concat(chunks).toString()) };
}

async function answer(
  handlers: RequestHandler[],
  receive: Receive,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const request = new Request(`http://127.0.0.1${incoming.url}`, {
    method: incoming.method ?? 'GET',
    headers: Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as [string, string]),
  });
  const beside: ReceivedBody & { answer?: SimulatedAnswer } = await receive(incoming);
  const response =
    (await carried.run(beside, () => getResponse(handlers, request))) ?? new Response(null, { status: 404 });
  await send(outgoing, response, beside.answer);
}

async function send(outgoing: ServerResponse, response: Response, answer: SimulatedAnswer | undefined): Promise<void> {
  const { quirk, content } = answer ?? {};
  if (quirk === 'reset') {
    outgoing.destroy();
    return;
  }
  if (typeof quirk === 'number') await setTimeout(quirk);
  const headers = Object.fromEntries(response.headers);
  if (content === undefined) {
    const body = Buffer.from(await response.arrayBuffer());
    outgoing
      .writeHead(response.status, { ...headers, ...(response.status !== 204 && { 'content-length': body.length }) })
      .end(body);
    return;
  }
  outgoing.writeHead(response.status, { ...headers, 'content-length': content.size });
  if (outgoing.req.method === 'HEAD') {
    outgoing.end();
    return;
  }
  const end = quirk === 'half' ? Math.floor(content.size / 2) - 1 : content.size - 1;
  await pipeline(createReadStream(content.path, { end }), outgoing, { end: quirk !== 'half' });
  if (quirk === 'half') outgoing.destroy();
}
