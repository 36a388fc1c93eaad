import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface ScriptedServer {
  readonly url: string;
  /** Every request that arrived, in order. */
  readonly seen: Seen[];
  /** What it does with a request; may be replaced between calls. */
  answer: (seen: Seen, response: ServerResponse) => unknown;
  close(): Promise<void>;
}

/** An upstream that does as it is told, over a real socket; with TLS it is called by name. */
export async function listenWith(answer: ScriptedServer['answer'], tls?: ServerOptions): Promise<ScriptedServer> {
  const seen: Seen[] = [];
  const listener = async (incoming: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const one = {
      method: incoming.method ?? '',
      url: incoming.url ?? '',
      headers: incoming.headers,
      body: Buffer.concat(chunks).toString(),
    };
    seen.push(one);
    scripted.answer(one, response);
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const scripted: ScriptedServer = {
    url: `${tls === undefined ? 'http://127.0.0.1' : 'https://localhost'}:${(server.address() as AddressInfo).port}`,
    seen,
    answer,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return scripted;
}

export const sendJson = (response: ServerResponse, body: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};
