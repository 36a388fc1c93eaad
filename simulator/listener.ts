import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getResponse, type RequestHandler } from 'msw';

export interface Listener {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * MSW handlers behind a real socket on loopback. MSW's own interception does not see the undici package; over a socket
 * time-outs, resets and half answers are real, and the adapter under test is the one that ships.
 */
export async function listen(handlers: RequestHandler[], port: number): Promise<Listener> {
  const server = createServer((incoming, outgoing) => {
    answer(handlers, incoming, outgoing).catch(() => outgoing.destroy());
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

async function answer(handlers: RequestHandler[], incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const request = new Request(`http://127.0.0.1${incoming.url}`, {
    method: incoming.method ?? 'GET',
    headers: Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as [string, string]),
    ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
  });
  const response = (await getResponse(handlers, request)) ?? new Response(null, { status: 404 });
  const body = Buffer.from(await response.arrayBuffer());
  outgoing
    .writeHead(response.status, { ...Object.fromEntries(response.headers), 'content-length': body.length })
    .end(body);
}
