import { IncomingMessage } from 'node:http';
import type { Exchange } from '../../src/http/exchange.ts';

/**
 * Waits until half of the body of a request has arrived, by its `Content-Length`; without one, until a first part has.
 * Ends at once when there is no body. After it the body is of no use: its rest is not read.
 */
export async function receiveHalf({ req }: Pick<Exchange, 'req'>): Promise<void> {
  if (!(req instanceof IncomingMessage)) return;
  const half = Number(req.headers['content-length'] ?? 0) / 2;
  let received = 0;
  try {
    for await (const chunk of req) {
      received += (chunk as Buffer).length;
      if (received >= half) return;
    }
  } catch {
    // The client has closed the connection before the fault did.
  }
}
