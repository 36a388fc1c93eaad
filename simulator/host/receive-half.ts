import { IncomingMessage } from 'node:http';
import type { Exchange } from '../../src/http/exchange.ts';

/**
 * Waits until half of the request body has arrived, as counted by its `Content-Length`; without that header, until its
 * first bytes have. Also returns when the body or the connection ends earlier. What was read is lost.
 */
export async function receiveHalf({ req }: Pick<Exchange, 'req'>): Promise<void> {
  if (!(req instanceof IncomingMessage)) return;
  const half = Number(req.headers['content-length'] ?? 0) / 2;
  let received = 0;
  try {
    // `destroyOnReturn` would take the socket away from the request (`req.socket` is then null).
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      received += (chunk as Buffer).length;
      if (received >= half) return;
    }
  } catch {
    // The client has closed the connection before the fault did.
  }
}
