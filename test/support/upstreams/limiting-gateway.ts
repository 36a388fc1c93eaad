import { createServer } from 'node:http';
import { request } from 'undici';
import { closeServer, listen } from '../upstreams/scripted-server.ts';

/** How a gateway refuses a request that is too large: 413 before or after it was read, or only a closed connection. */
export type TooLargeKind = '413 at once' | '413 and a reset' | 'a closed connection';

export interface LimitingGateway {
  readonly url: string;
  /** Number of requests that were too large. */
  refused: number;
  /** Number of requests that are still refused; afterwards they are forwarded, whatever their size. */
  left: number;
  close(): Promise<void>;
}

/** Starts a gateway before the document store at `store` that takes requests of at most `max` bytes. */
export async function startLimitingGateway(
  store: string,
  kind: TooLargeKind,
  max = 1024 * 1024,
): Promise<LimitingGateway> {
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const length = Number(incoming.headers['content-length'] ?? 0);
    if (length > max && gateway.left > 0) {
      gateway.left -= 1;
      gateway.refused += 1;
      if (kind !== 'a closed connection')
        response.writeHead(413, { 'content-type': 'text/html', connection: 'close' }).end('<h1>Te groot</h1>');
      if (kind === '413 at once') {
        incoming.resume();
        return;
      }
      const { socket } = incoming;
      incoming.on('data', (chunk) => {
        size += chunk.length;
        if (size > max) socket.resetAndDestroy();
      });
      return;
    }
    try {
      for await (const chunk of incoming) chunks.push(chunk);
    } catch {
      return;
    }
    const { host: _, connection: __, 'content-length': ___, ...headers } = incoming.headers;
    const answer = await request(new URL(store).origin + incoming.url, {
      method: incoming.method as 'GET',
      headers,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    response.writeHead(answer.statusCode, answer.headers).end(Buffer.from(await answer.body.arrayBuffer()));
  });
  const url = await listen(server);
  const gateway: LimitingGateway = {
    url: `${url}${new URL(store).pathname}`,
    refused: 0,
    left: Number.POSITIVE_INFINITY,
    close: () => closeServer(server),
  };
  return gateway;
}
