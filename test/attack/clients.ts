/**
 * Slow and hostile clients: holds connections with unfinished headers and bodies, sends what no client should send, and
 * measures what other clients get meanwhile.
 */
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Figures } from './figures.ts';
import { startVictim } from './process.ts';

const PATH = '/api/v1/applications';
const HEAD = 'Host: localhost\r\nAuthorization: Bearer x\r\nX-Subject: sanne-de-wit@hostile\r\n';
const post = (body: string, more = '') =>
  `POST ${PATH} HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\n${more}Content-Length: ${Buffer.byteLength(body, 'latin1')}\r\nConnection: close\r\n\r\n${body}`;

/**
 * Requests that the service must refuse, keyed by what is wrong with them: the bytes, and the statuses with which it
 * may refuse them. It may also close the connection without an answer.
 */
const REFUSED: Readonly<Record<string, { readonly bytes: string; readonly statuses: readonly number[] }>> = {
  'Content-Length and Transfer-Encoding': {
    bytes: `POST ${PATH} HTTP/1.1\r\n${HEAD}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\n\r\n`,
    statuses: [400],
  },
  'two lengths': {
    bytes: `POST ${PATH} HTTP/1.1\r\n${HEAD}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x`,
    statuses: [400],
  },
  'an obscured transfer coding': {
    bytes: `POST ${PATH} HTTP/1.1\r\n${HEAD}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
    statuses: [400],
  },
  'a bare line feed in a header': { bytes: `GET ${PATH} HTTP/1.1\nHost: localhost\nX: a\rb\n\n`, statuses: [400] },
  'headers of 1 MiB': { bytes: `GET ${PATH} HTTP/1.1\r\n${HEAD}X: ${'a'.repeat(1 << 20)}\r\n\r\n`, statuses: [431] },
  'ten thousand headers': { bytes: `GET ${PATH} HTTP/1.1\r\n${HEAD}${'X: a\r\n'.repeat(10_000)}\r\n`, statuses: [431] },
  'nesting of 100,000 levels': { bytes: post('['.repeat(100_000) + ']'.repeat(100_000)), statuses: [400, 413] },
  'an unknown member __proto__': { bytes: post('{"type":"intake","__proto__":{"x":1}}'), statuses: [400] },
  'a lone surrogate': { bytes: post('{"type":"\\ud800"}'), statuses: [400] },
  'a NUL in a member': { bytes: post('{"type":"intake\\u0000"}'), statuses: [400] },
  'bytes that are not UTF-8': { bytes: post('{"type":"\xff\xfe"}'), statuses: [400] },
  'a NUL in an id': { bytes: `GET ${PATH}/%00 HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`, statuses: [404] },
  'a path out of the folder': {
    bytes: `GET ${PATH}/..%2f..%2f..%2fetc%2fpasswd HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`,
    statuses: [404],
  },
};

/** Milliseconds within which the service must close the connection of a refused request. */
const CLOSED_WITHIN = 10_000;

/**
 * Sends bytes, and returns all bytes that came back until the service closed the connection; null when it did not close
 * the connection in time.
 */
const exchange = (port: number, bytes: string): Promise<string | null> =>
  new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    const timer = globalThis.setTimeout(() => {
      socket.destroy();
      resolve(null);
    }, CLOSED_WITHIN);
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => undefined);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve(text);
    });
  });

/**
 * Opens `count` connections that never finish a request: a third sends nothing, a third stops in the headers, and a
 * third in a body.
 */
function holdOpen(port: number, count: number): Socket[] {
  const starts = ['', `GET ${PATH} HTTP/1.1\r\n${HEAD}X: a`, post('{"type":"intake"}').slice(0, -5)];
  return Array.from({ length: count }, (_, n) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(starts[n % starts.length] ?? ''));
    socket.on('error', () => undefined);
    return socket;
  });
}

/** Number of calls of a well-behaved client during the attack. */
const CALLS = 100;

/**
 * Holds `count` slow connections open, sends every hostile request, and meanwhile calls the service as a well-behaved
 * client. A fault is a hostile request that is not refused, or a call of that client that does not get 200.
 */
export async function clients(count: number): Promise<Figures> {
  const victim = await startVictim({ DATA_DIR: ':memory:', CONNECTIONS_AT_ONCE: String(2 * count + 200) });
  const port = Number(new URL(victim.url).port);
  const faults: string[] = [];
  const slow = holdOpen(port, count);
  await setTimeout(100);
  const hostile = Object.entries(REFUSED).map(async ([name, { bytes, statuses }]) => {
    const answer = await exchange(port, bytes);
    if (answer === null) faults.push(`${name}: the connection stays open`);
    const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(answer ?? '') ?? [];
    if (status !== undefined && !statuses.includes(Number(status))) faults.push(`${name}: ${status}`);
    if ((answer?.match(/HTTP\/1\.1 \d{3} /g) ?? []).length > 1) faults.push(`${name}: more than one answer`);
  });
  const times: number[] = [];
  for (let n = 0; n < CALLS; n += 1) {
    const start = performance.now();
    const { status } = await victim.call('GET', PATH, { as: 'sanne-de-wit@others' });
    times.push(performance.now() - start);
    if (status !== 200) faults.push(`another client got ${status}`);
  }
  await Promise.all(hostile);
  const left = await victim.call('GET', PATH, { as: 'sanne-de-wit@hostile' });
  if (left.body.length > 0) faults.push(`${left.body.length} refused requests made something`);
  const held = slow.filter((socket) => !socket.destroyed).length;
  for (const socket of slow) socket.destroy();
  await victim.kill();
  const p99 = times.sort((a, b) => a - b)[Math.floor(CALLS * 0.99) - 1] ?? 0;
  return { figures: { slow: count, held, hostile: hostile.length, calls: CALLS, 'p99 ms': p99.toFixed(0) }, faults };
}
