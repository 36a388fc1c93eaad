import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createClamd } from '../../adapters/scanner/index.ts';
import { listenAsClamd } from '../../simulator/upstreams/scanner/index.ts';
import { ClientDisconnected, DeadlinePassed, UpstreamError, withinTimeout } from '../../src/ports/call.ts';
import type { Scanner } from '../../src/ports/scanner.ts';
import { together } from '../support/service.ts';
import { testCall } from '../support/upstreams/call.ts';
import { CLAMD, EICAR, startClamd } from '../support/upstreams/clamd.ts';

const MIB = 1024 * 1024;

async function* pieces(...all: (Buffer | string)[]): AsyncIterable<Buffer> {
  for (const one of all) yield Buffer.from(one);
}

async function* cut(content: Buffer, piece: number): AsyncIterable<Buffer> {
  for (let at = 0; at < content.length; at += piece) yield content.subarray(at, at + piece);
}

interface Daemon {
  readonly port: number;
  stop(): Promise<void>;
}

const simulated = async (): Promise<Daemon> => {
  const { url, close } = await listenAsClamd(0);
  return { port: Number(new URL(url).port), stop: close };
};

const DAEMONS: readonly [string, () => Promise<Daemon>][] = [
  ['the simulated clamd', simulated],
  ...(CLAMD === undefined ? [] : [['a real clamd', startClamd] as [string, () => Promise<Daemon>]]),
];

/** The contract of the port, run against the simulated clamd and, where it is installed, a real one. */
describe.each(DAEMONS)('a file that %s scans', (_, start) => {
  let daemon: Daemon;
  let scanner: Scanner;
  beforeAll(async () => {
    daemon = await start();
    scanner = createClamd({ host: '127.0.0.1', port: daemon.port });
  });
  afterAll(() => daemon.stop());

  it.each([
    ['one byte', Buffer.from('x'), 1],
    ['zeros, which end the INSTREAM protocol', Buffer.alloc(1_000), 4],
    ['64 KiB in one piece', randomBytes(65_536), 65_536],
    ['9 MiB in pieces of 64 KiB', randomBytes(9 * MIB), 65_536],
    ['9 MiB in one piece', randomBytes(9 * MIB), 9 * MIB],
    ['the EICAR test virus without its last byte', EICAR.subarray(0, -1), 65_536],
  ])('is clean when it is %s', async (__, content, piece) => {
    expect(await scanner.scan(cut(content, piece), testCall())).toBe('clean');
  });

  const inside = Buffer.concat([randomBytes(100_000), EICAR, randomBytes(100_000)]);
  it.each([
    ['the EICAR test virus in one piece', EICAR, 65_536],
    ['the EICAR test virus in pieces of one byte', EICAR, 1],
    ['the EICAR test virus in two pieces', EICAR, 40],
    ['a file with the EICAR test virus in the middle', inside, 65_536],
    ['a file with the EICAR test virus in the middle, in two pieces', inside, 100_030],
    ['the EICAR test virus after a piece of zeros', Buffer.concat([Buffer.alloc(10), EICAR]), 10],
  ])('is infected when it is %s', async (__, content, piece) => {
    expect(await scanner.scan(cut(content, piece), testCall())).toBe('infected');
  });

  it('is scanned to its end when some pieces are empty', async () => {
    expect(await scanner.scan(pieces('x', '', EICAR), testCall())).toBe('infected');
    expect(await scanner.scan(pieces('', 'x', ''), testCall())).toBe('clean');
  });

  it('gets its own verdict when twenty files are scanned at the same time', async () => {
    const verdicts = await together(20, (n) =>
      scanner.scan(cut(n % 3 === 0 ? inside : randomBytes(200_000), 10_000), testCall()),
    );
    expect(verdicts).toEqual(verdicts.map((__, n) => (n % 3 === 0 ? 'infected' : 'clean')));
  });

  it('is recorded once, as a call of the upstream scanner', async () => {
    const call = testCall();
    await scanner.scan(pieces('x'), call);
    expect(call.records).toMatchObject([{ upstream: 'scanner', outcome: 200, attempts: 1 }]);
  });
});

const real = CLAMD === undefined ? 'a real clamd (skipped: it is not installed here)' : 'a real clamd';
describe.skipIf(CLAMD === undefined)(real, () => {
  it('throws UpstreamError unavailable for a file above its size limit', async () => {
    const { port, stop } = await startClamd();
    const scanner = createClamd({ host: '127.0.0.1', port });
    await expect(scanner.scan(cut(Buffer.alloc(30 * MIB), 65_536), testCall())).rejects.toMatchObject({
      name: 'UpstreamError',
      fault: 'unavailable',
    });
    await stop();
  });
});

describe('the clamd adapter', () => {
  const sockets = new Set<Socket>();
  let script: (socket: Socket) => void;
  let received: Buffer[];
  let last: string;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket)).on('error', () => undefined);
    received = [];
    last = '';
    script(socket);
  });
  let scanner: Scanner;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    // A new adapter for each scan: after this many bad replies its circuit breaker would open.
    scanner = { scan: (bytes, call) => createClamd({ host: '127.0.0.1', port }).scan(bytes, call) };
  });
  afterAll(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        for (const socket of sockets) socket.destroy();
      }),
  );
  beforeEach(() => {
    script = (socket) => socket.destroy();
  });
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
  });

  const collect = (socket: Socket): Socket =>
    socket.on('data', (chunk) => {
      received.push(chunk);
      last = (last + chunk.toString('latin1', Math.max(0, chunk.length - 4))).slice(-4);
    });
  /** Returns a script that reads until the final length of zero and then calls `then`. It expects files without zeros. */
  const afterAllOf = (then: (socket: Socket) => void) => (socket: Socket) => {
    let isDone = false;
    collect(socket).on('data', () => {
      if (isDone || last !== '\0\0\0\0') return;
      isDone = true;
      then(socket);
    });
  };
  const replying = (reply: string) => afterAllOf((socket) => socket.end(reply, 'latin1'));
  const failure = (work: Promise<unknown>): Promise<UpstreamError> =>
    work.then(
      (verdict) => expect.fail(`it said ${verdict}`),
      (error) => error,
    );
  const scan = (call = testCall()) => scanner.scan(pieces('abc'), call);

  const lengthOf = (length: number): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(length);
    return bytes;
  };
  it.each([
    ['no pieces', [], []],
    ['one piece', ['abc'], ['abc']],
    ['a file without its empty piece, because a length of zero is the end', ['abc', '', 'd'], ['abc', 'd']],
    ['pieces of all sizes', ['a', 'b'.repeat(70_000), 'c'.repeat(256)], ['a', 'b'.repeat(70_000), 'c'.repeat(256)]],
  ])('sends INSTREAM, each piece with its length, and a length of zero for %s', async (_, all, sent) => {
    script = replying('stream: OK\0');
    // Without pieces the end is the last of the command too.
    expect(await scanner.scan(pieces(...all), testCall())).toBe('clean');
    const expected = [Buffer.from('zINSTREAM\0'), ...sent.flatMap((one) => [lengthOf(one.length), Buffer.from(one)])];
    expect(Buffer.concat(received).equals(Buffer.concat([...expected, Buffer.alloc(4)]))).toBe(true);
  });

  it.each([
    ['stream: OK\0', 'clean'],
    ['stream: OK\0stream: Eicar FOUND\0', 'clean'],
    ['stream: Eicar-Test-Signature FOUND\0', 'infected'],
    ['stream: Win.Test.EICAR_HDB-1(44d88612:68) FOUND\0', 'infected'],
  ])('reads %j as the verdict %s', async (reply, verdict) => {
    script = replying(reply);
    expect(await scan()).toBe(verdict);
  });

  it('reads a verdict that comes in pieces of one byte', async () => {
    script = afterAllOf((socket) => {
      socket.setNoDelay(true);
      [...'stream: OK\0'].forEach((char, n) => {
        setTimeout(() => socket.write(char), n * 5);
      });
    });
    expect(await scan()).toBe('clean');
  });

  it.each([
    'stream: OK',
    'stream: O',
    'stream: OK garbage\0',
    'stream: OK\n\0',
    'stream: OKstream: OK\0',
    ' stream: OK\0',
    'stream: ok\0',
    'OK\0',
    'stream:  FOUND\0',
    'Eicar FOUND\0',
    'stream: x FOUND\nstream: OK\0',
    'stream: Can’t open file or directory ERROR\0',
    'INSTREAM size limit exceeded. ERROR\0',
    'UNKNOWN COMMAND\0',
    'COMMAND READ TIMED OUT\0',
    '\0',
    '\0stream: OK\0',
    '',
    `stream: OK${' '.repeat(10_000)}`,
    'HTTP/1.1 400 Bad Request\r\n\r\n',
  ])('throws UpstreamError unavailable for the reply %j', async (reply) => {
    script = replying(reply);
    const call = testCall();
    const error = await failure(scan(call));
    expect(error).toBeInstanceOf(UpstreamError);
    expect(error).toMatchObject({ upstream: 'scanner', fault: 'unavailable' });
    expect(call.records).toMatchObject([{ upstream: 'scanner', outcome: 'unavailable' }]);
    // The reply is not in the message: it may contain a file name or a path.
    expect(error.message).toMatch(/^scanner unavailable: no (verdict|reply)$/);
  });

  it('throws UpstreamError unavailable when clamd replies OK before the whole file was sent', async () => {
    script = (socket) => {
      collect(socket).write('stream: OK\0');
    };
    const endless = async function* () {
      for (let n = 0; n < 20; n += 1) {
        yield Buffer.alloc(1_000);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    };
    expect(await failure(scanner.scan(endless(), testCall()))).toMatchObject({ fault: 'unavailable' });
  });

  it('throws UpstreamError unavailable when clamd replies or closes while the file is being sent', async () => {
    for (const leave of [
      (socket: Socket) => socket.end('INSTREAM size limit exceeded. ERROR\0'),
      (socket: Socket) => {
        socket.write('INSTREAM size limit exceeded. ERROR\0');
        setTimeout(() => socket.destroy(), 20);
      },
      (socket: Socket) => socket.resetAndDestroy(),
      (socket: Socket) => socket.end(),
    ]) {
      let isClosed = false;
      const large = async function* () {
        try {
          for (let n = 0; n < 400; n += 1) yield Buffer.alloc(65_536, 'x');
        } finally {
          isClosed = true;
        }
      };
      script = (socket) => {
        socket.once('data', () => {
          socket.pause();
          leave(socket);
        });
      };
      const call = testCall();
      const error = await failure(withinTimeout(call, 2_000, 'scanner', (one) => scanner.scan(large(), one)));
      expect(error).toMatchObject({ name: 'UpstreamError', fault: 'unavailable' });
      await expect.poll(() => isClosed).toBe(true);
    }
  });

  it.each<[string, (socket: Socket) => void]>([
    ['does not reply', (socket) => collect(socket)],
    ['replies half a verdict', afterAllOf((socket) => socket.write('stream: OK'))],
    ['does not read', (socket) => socket.pause()],
    [
      'sends bytes without end',
      (socket) => {
        collect(socket);
        const more = setInterval(() => socket.write('x'), 10);
        socket.once('close', () => clearInterval(more));
      },
    ],
  ])('throws UpstreamError unavailable after its timeout and disconnects when clamd %s', async (_, behave) => {
    script = behave;
    const call = testCall();
    const large = cut(Buffer.alloc(16 * MIB, 'x'), 65_536);
    const error = await failure(withinTimeout(call, 150, 'scanner', (one) => scanner.scan(large, one)));
    expect(error).toMatchObject({ name: 'UpstreamError', upstream: 'scanner', fault: 'unavailable' });
    expect(call.records).toMatchObject([{ outcome: 'unavailable' }]);
    for (const socket of sockets) socket.resume();
    await expect.poll(() => sockets.size).toBe(0);
  });

  it('stops reading the file while clamd does not read, and continues afterwards', async () => {
    let given = 0;
    const large = async function* () {
      for (; given < 32 * 16; given += 1) yield Buffer.alloc(65_536, 'x');
    };
    let open = (_: Socket): void => undefined;
    const paused = new Promise<Socket>((resolve) => {
      open = resolve;
    });
    script = (socket) => {
      socket.pause();
      open(socket);
    };
    const verdict = scanner.scan(large(), testCall());
    const socket = await paused;
    await new Promise((resolve) => setTimeout(resolve, 150));
    const before = given;
    expect(before).toBeLessThan(32 * 16);
    afterAllOf((one) => one.end('stream: OK\0'))(socket);
    socket.resume();
    expect(await verdict).toBe('clean');
    expect(given).toBe(32 * 16);
  });

  it('opens no connection when the client has disconnected already', async () => {
    let connections = 0;
    const abort = new AbortController();
    script = () => {
      connections += 1;
      abort.abort(new ClientDisconnected('weg'));
    };
    const left = scan(testCall(AbortSignal.abort(new ClientDisconnected('weg'))));
    await expect(left).rejects.toBeInstanceOf(ClientDisconnected);
    // The server has accepted every earlier connection when it accepts this one.
    await failure(scan(testCall(abort.signal)));
    expect(connections).toBe(1);
  });

  it('does not open the circuit breaker by scans whose deadline passed before they began', async () => {
    const late = AbortSignal.abort(new DeadlinePassed('no answer within 30000 ms'));
    const clamd = createClamd({ host: '127.0.0.1', port: 1 });
    for (let n = 0; n < 20; n += 1)
      expect(await failure(clamd.scan(pieces('abc'), testCall(late)))).toMatchObject({ fault: 'unavailable' });
    expect(clamd.stats().breaker).toBe('closed');
  });

  it('throws ClientDisconnected and closes the connection when the client disconnects', async () => {
    script = (socket) => collect(socket);
    const abort = new AbortController();
    const call = testCall(abort.signal);
    const verdict = scan(call);
    setTimeout(() => abort.abort(new ClientDisconnected('weg')), 50);
    await expect(verdict).rejects.toBeInstanceOf(ClientDisconnected);
    expect(call.records).toMatchObject([{ outcome: 'aborted' }]);
    await expect.poll(() => sockets.size).toBe(0);
  });

  it('throws UpstreamError unavailable when the file cannot be read to its end', async () => {
    script = replying('stream: OK\0');
    const broken = async function* () {
      yield Buffer.from('abc');
      throw Object.assign(new Error('read'), { code: 'EIO' });
    };
    expect(await failure(scanner.scan(broken(), testCall()))).toMatchObject({ fault: 'unavailable' });
  });

  it('throws UpstreamError unavailable when clamd refuses connections', async () => {
    const nobody = createClamd({ host: '127.0.0.1', port: 1 });
    expect(await failure(nobody.scan(pieces('abc'), testCall()))).toMatchObject({
      fault: 'unavailable',
      message: 'scanner unavailable: ECONNREFUSED',
    });
  });

  // On other systems a full accept queue refuses connections.
  it.skipIf(process.platform !== 'linux')(
    'throws UpstreamError unavailable before the deadline of the scan when clamd does not accept the connection',
    async () => {
      // The process sleeps with a full accept queue, so that the next connection is not answered.
      const program = `require('net').createServer().listen(0, '127.0.0.1', 1, function () {
      require('fs').writeSync(1, String(this.address().port));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    })`;
      const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
      const port = await new Promise<number>((resolve) => child.stdout.once('data', (text) => resolve(Number(text))));
      const queue = Array.from({ length: 6 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
      await new Promise((resolve) => setTimeout(resolve, 100));
      const error = await failure(createClamd({ host: '127.0.0.1', port }).scan(pieces('abc'), testCall()));
      expect(error).toMatchObject({ fault: 'unavailable', message: 'scanner unavailable: no connection' });
      for (const socket of queue) socket.destroy();
      child.kill('SIGKILL');
    },
  );
});
