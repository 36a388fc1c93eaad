/** An HTTP client that makes load. It uses little CPU itself, so that it does not limit the measured server. */
import { connect, type Socket } from 'node:net';

/** The bytes of one request, in pieces that are sent one after another. */
export type RequestBytes = readonly Buffer[];

/** Returns the bytes of a request. `body` is its body in pieces; absent for none. */
export function request(
  url: string,
  path: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: readonly Buffer[] } = {},
): RequestBytes {
  const length = body?.reduce((sum, piece) => sum + piece.length, 0);
  const all = {
    Host: new URL(url).host,
    ...headers,
    ...(length !== undefined && { 'Content-Length': String(length) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  const [first, ...others] = body ?? [];
  return first === undefined ? [head] : [Buffer.concat([head, first]), ...others];
}

/** A connection for one request at a time: call `send` only after the previous `send` has settled. */
export interface Connection {
  /**
   * Sends a request, after connecting if needed. Resolves with the `Content-Length` of the response; 0 when it has
   * none. Rejects for a status other than 200, 201 and 204, or when the connection breaks.
   */
  send(bytes: RequestBytes): Promise<number>;
  close(): void;
}

/** The error of `send` for a response with another status than 200, 201 and 204. */
export class UnexpectedStatus extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/**
 * Returns a connection to `url`. `from` is the loopback address from which it connects: clients use different
 * addresses, because the service has limits per address.
 */
export function open(url: string, from?: string): Connection {
  const { hostname, port } = new URL(url);
  let socket: Socket | undefined;
  let take: (chunk: Buffer) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;

  function connected(): Socket {
    if (socket !== undefined && !socket.destroyed) return socket;
    const fresh = connect({ host: hostname, port: Number(port), noDelay: true, ...(from && { localAddress: from }) });
    fresh.on('data', (chunk) => take(chunk));
    fresh.on('error', (error) => fail(error));
    fresh.on('close', () => {
      // An earlier connection, which was closed after its last answer, may report that during the next request.
      if (socket === fresh) fail(new Error(`${url} closed the connection before its answer`));
    });
    socket = fresh;
    return fresh;
  }

  return {
    send: (bytes) =>
      new Promise((resolve, reject) => {
        const answer = createParser();
        fail = reject;
        take = (chunk) => {
          if (!answer.add(chunk)) return;
          fail = () => undefined;
          if (answer.closes) socket?.destroy();
          if (answer.status === 200 || answer.status === 201 || answer.status === 204) resolve(answer.length);
          else reject(new UnexpectedStatus(`${url} answered ${answer.status}: ${answer.text}`, answer.status));
        };
        const to = connected();
        for (const piece of bytes) to.write(piece);
      }),
    close() {
      fail = () => undefined;
      socket?.destroy();
    },
  };
}

/**
 * Returns a parser of one response. Call its function `add` with the next bytes; it returns true when the response is
 * complete.
 */
function createParser() {
  let head = '';
  let received = 0;
  let isChunked = false;
  const answer = { status: 0, length: 0, closes: false, text: '' };
  return Object.assign(answer, {
    add(chunk: Buffer): boolean {
      let body = chunk;
      if (answer.status === 0) {
        head += chunk.toString('latin1');
        const end = head.indexOf('\r\n\r\n');
        if (end === -1) return false;
        answer.status = Number(head.slice(9, 12));
        answer.length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
        answer.closes = /\r\nconnection: close/i.test(head);
        isChunked = /\r\ntransfer-encoding: chunked/i.test(head);
        body = Buffer.from(head.slice(end + 4), 'latin1');
      }
      received += body.length;
      if (answer.status >= 400) answer.text += body.toString();
      return isChunked ? body.toString('latin1').endsWith('0\r\n\r\n') : received >= answer.length;
    },
  });
}

/**
 * Sends `requests` in turn, again and again, over `connections` connections for `seconds` seconds. Each connection
 * waits for a response before its next request. Returns the number of responses.
 */
export async function closedLoop(
  url: string,
  requests: readonly RequestBytes[],
  { seconds, connections }: { seconds: number; connections: number },
): Promise<number> {
  let sent = 0;
  let answered = 0;
  const until = performance.now() + seconds * 1_000;
  const client = async (): Promise<void> => {
    const connection = open(url);
    while (performance.now() < until) {
      await connection.send(requests[sent++ % requests.length] ?? []);
      answered += 1;
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, client));
  return answered;
}
