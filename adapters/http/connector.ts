import dns, { type LookupAddress, type LookupOptions } from 'node:dns';
import type { LookupFunction, Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { buildConnector } from 'undici';
import type { TlsOptions } from '../../src/ports/connection.ts';

/**
 * Returns undici's function that makes connections, always with a verified certificate and TLS 1.2 or later. A
 * connection fails with the first error of its socket, such as the refusal of our client certificate: undici would go
 * on until the server closes it, and report only that.
 *
 * @param timeout - maximum number of milliseconds to connect
 */
export function createConnector(timeout: number, tls: TlsOptions = {}): buildConnector.connector {
  const connect = buildConnector({ timeout, minVersion: 'TLSv1.2', rejectUnauthorized: true, lookup, ...tls });
  return (options, callback) =>
    connect(options, (...made) => {
      const [, socket] = made;
      if (socket) {
        socket.on('error', (error) => socket.destroy(error));
        if (socket instanceof TLSSocket && socket.alpnProtocol === 'h2') keepLastAnswer(socket);
        else skipInterim(socket);
      }
      callback(...made);
    });
}

// At the end of a connection undici destroys it, with an answer that arrived together with that end, as the last one of
// a connection to nginx does. Node closes the connection by itself, after what it has received.
function keepLastAnswer(socket: Socket): void {
  const { on } = socket;
  socket.on = (...args: unknown[]) => (args[0] === 'end' ? socket : on.apply(socket, args as Parameters<typeof on>));
}

// 101 is not interim: it is the last answer of its connection.
const INTERIM = /^HTTP\/1\.[01] 1(?!01)\d\d/;
const SHORTEST_INTERIM = 'HTTP/1.1 100';
const END_OF_HEAD = '\r\n\r\n';
const MAX_INTERIM = 16 * 1024;

// Some gateways send a `100 Continue` that was not asked for, also after another interim answer (1xx). A client must be
// able to read these (RFC 9110, 15.2), and undici ends the connection at a 100. An answer starts with the first bytes
// after a write, because a connection has one request at a time.
function skipInterim(socket: Socket): void {
  const { read, write } = socket;
  let isStart = false;
  let held: Buffer = Buffer.alloc(0);
  socket.write = (...args: unknown[]) => {
    isStart = true;
    return write.apply(socket, args as Parameters<typeof write>);
  };
  socket.read = (size) => {
    for (;;) {
      const chunk: Buffer | null = read.call(socket, size);
      if (chunk === null || !isStart) return chunk;
      held = withoutInterim(Buffer.concat([held, chunk]));
      if (held.length < MAX_INTERIM && mayBeInterim(held)) continue;
      isStart = false;
      const bytes = held;
      held = Buffer.alloc(0);
      return bytes;
    }
  };
}

// Also true for the first bytes of one.
function mayBeInterim(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, SHORTEST_INTERIM.length);
  return INTERIM.test(start + SHORTEST_INTERIM.slice(start.length));
}

function withoutInterim(bytes: Buffer): Buffer {
  const end = bytes.indexOf(END_OF_HEAD);
  if (end === -1 || !mayBeInterim(bytes)) return bytes;
  return withoutInterim(bytes.subarray(end + END_OF_HEAD.length));
}

const underway = new Map<string, Promise<LookupAddress[]>>();

/**
 * Replaces `dns.lookup`. Connections to one name share one lookup: Node has only two threads for all lookups of a
 * process, and a name for which DNS does not answer would keep both
 * (decisions/0130-a-name-is-looked-up-once-at-a-time.md).
 */
export const lookup: LookupFunction = (hostname, { all, family = 0, hints = 0 }, callback) => {
  addressesOf(hostname, { family, hints }).then(
    (addresses) => {
      const [first] = addresses;
      if (all || first === undefined) callback(null, addresses);
      else callback(null, first.address, first.family);
    },
    (error) => callback(error, ''),
  );
};

function addressesOf(hostname: string, options: LookupOptions): Promise<LookupAddress[]> {
  const key = `${hostname} ${options.family} ${options.hints}`;
  let asked = underway.get(key);
  if (asked === undefined) {
    asked = ask(hostname, options).finally(() => underway.delete(key));
    underway.set(key, asked);
  }
  return asked;
}

const ask = (hostname: string, options: LookupOptions) =>
  new Promise<LookupAddress[]>((resolve, reject) => {
    dns.lookup(hostname, { ...options, all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });
