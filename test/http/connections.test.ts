import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { createServer, spreadOverTurns } from '../../src/http/server/server.ts';
import { keep, startService, useService, useSimulators } from '../support/service.ts';
import { fakeTimers } from '../support/time.ts';
import { listen } from '../support/upstreams/scripted-server.ts';

/** Opens a connection that stays half open when the server ends it, until the test closes it. */
function dial(url: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }).on('error', () => undefined);
  keep({ close: () => socket.destroy() });
  return socket;
}
const closed = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('end', () => socket.end());
    socket.once('close', () => resolve(text));
  });
const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;

async function serve(app: Parameters<typeof createServer>[0], limits: Parameters<typeof createServer>[3] = {}) {
  const { server, drain, connections: stats } = createServer(app, {}, pino({ level: 'silent' }), limits);
  const url = await listen(server);
  keep({ close: () => drain(0, 0) });
  return {
    url,
    drain,
    stats,
    connections: () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count))),
  };
}

describe('a connection that is reset', async () => {
  const service = await useService({ MANAGEMENT_PORT: '0' });
  const simulators = await useSimulators(['register', 'brp', 'duo', 'documenten', 'scanner']);

  const LISTENERS = ['the service', 'management', 'register', 'brp', 'duo', 'documenten', 'scanner'] as const;
  const urlOf = (name: (typeof LISTENERS)[number]): string => {
    if (name === 'the service') return service.url;
    if (name === 'management') return service.managementUrl ?? '';
    return (simulators.urls[name] ?? '').replace('clamd:', 'http:');
  };
  const SENT = [
    'CONNECT a:1 HTTP/1.1\r\n\r\n',
    get('/', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'),
    get('/', 'Expect: 100-continue\r\nContent-Length: 5\r\n'),
    'NONSENSE\r\n\r\n',
    'GET / HT',
    get('/api/v1/openapi.json').repeat(5),
    'zINSTREAM\0',
  ];

  it.each(LISTENERS)('causes no uncaught exception, and the listener accepts the next one: %s', async (name) => {
    const failed: unknown[] = [];
    const note = (error: unknown) => failed.push(error);
    process.on('uncaughtException', note);
    const ended = SENT.flatMap((text) =>
      [0, 5, 30].map(async (wait) => {
        const socket = dial(urlOf(name));
        await new Promise((resolve) => socket.write(text, resolve));
        await setTimeout(wait);
        socket.resetAndDestroy();
      }),
    );
    await Promise.all(ended);
    await setTimeout(50);
    process.off('uncaughtException', note);
    expect(failed).toEqual([]);
    await new Promise((resolve) => dial(urlOf(name)).once('connect', resolve));
    expect((await service.get('/health')).status).toBe(200);
  });
});

describe('a client that sends an invalid request and does not close its connection', () => {
  it.each(['NONSENSE\r\n\r\n', 'CONNECT a:1 HTTP/1.1\r\n\r\n'])('gets a problem and is closed: %j', async (text) => {
    const { url, connections } = await serve(() => undefined);
    const socket = dial(url);
    socket.write(text);
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    await new Promise((resolve) => socket.once('end', resolve));
    expect(answer).toContain('application/problem+json');
    await expect.poll(connections).toBe(0);
  });

  it('gets a problem also when it sends 80 kB of invalid lines', async () => {
    const service = keep(await startService());
    const socket = dial(service.url);
    const answer = closed(socket);
    for (let n = 0; n < 20; n += 1) {
      socket.write(`NONSENSE ${'x'.repeat(4_096)}\r\n`);
      await setTimeout(5);
    }
    expect(await answer).toContain('application/problem+json');
  });
});

describe('connections above the limit', () => {
  it('are accepted in place of the connection that has been idle longest, so that /health still answers 200', async () => {
    const service = keep(await startService({}, undefined, undefined, { max: 10 }));
    const sockets = Array.from({ length: 10 }, () => dial(service.url));
    const gone = sockets.map(() => false);
    sockets.forEach((socket, index) => {
      closed(socket).then(() => {
        gone[index] = true;
      });
    });
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    const eleventh = dial(service.url);
    eleventh.write(get('/health', 'Connection: close\r\n'));
    expect(await closed(eleventh)).toMatch(/^HTTP\/1.1 200 /);
    await expect.poll(() => gone.filter(Boolean).length).toBe(1);
    expect(gone[0]).toBe(true);
  });

  it('are closed when none is idle, and 5 s later accepted in place of the oldest connection whose answer is still unread', async () => {
    fakeTimers({ toFake: ['performance'] });
    const big = Buffer.alloc(32 * 1024 * 1024);
    const bothAnswered = Promise.withResolvers<void>();
    let answered = 0;
    const { url, connections } = await serve(
      ({ url: path }, response) => {
        response.end(path === '/big' ? big : 'well');
        answered += 1;
        if (answered === 2) bothAnswered.resolve();
      },
      { max: 2 },
    );
    for (const socket of [dial(url), dial(url)]) socket.pause().write(get('/big'));
    await bothAnswered.promise;
    expect(await closed(dial(url))).toBe('');
    vi.advanceTimersByTime(4_999);
    expect(await closed(dial(url))).toBe('');
    vi.advanceTimersByTime(1);
    const third = dial(url);
    third.write(get('/', 'Connection: close\r\n'));
    expect(await closed(third)).toContain('well');
    await expect.poll(connections).toBe(1);
  });

  it('are closed without an answer, and counted, when all others have a request in progress', async () => {
    let inProgress = 0;
    const { url, stats } = await serve(
      () => {
        inProgress += 1;
      },
      { max: 2 },
    );
    const busy = [1, 2].map(() => {
      const socket = dial(url);
      socket.write(get('/'));
      return socket;
    });
    await expect.poll(() => inProgress).toBe(2);
    expect(await closed(dial(url))).toBe('');
    expect(stats()).toEqual({ idle: 0, busy: 2, max: 2, refused: 1 });
    for (const socket of busy) expect(socket.closed).toBe(false);
  });
});

describe('a client that sends nothing', () => {
  it('is disconnected after the idle timeout', async () => {
    const service = keep(await startService({}, undefined, undefined, { idleTimeout: 100 }));
    expect(await closed(dial(service.url))).toBe('');
  });

  it('is disconnected at once by a service that stops, long before any timeout', async () => {
    const { url, connections, drain } = await serve(() => undefined, { idleTimeout: 600_000 });
    const ended = closed(dial(url));
    await expect.poll(connections).toBe(1);
    await drain(600_000, 0);
    expect(await ended).toBe('');
  });
});

it.each<[string, number, (socket: Socket) => void]>([
  ['whose client has left', 10_000, (socket) => socket.destroy()],
  ['whose connection it cuts', 0, () => undefined],
])('a server that is stopped waits until the work for a request %s has ended', async (_, timeout, leave) => {
  const begun = Promise.withResolvers<void>();
  let ended = false;
  const { url, drain } = await serve(async (__, response) => {
    begun.resolve();
    await once(response, 'close');
    await setImmediate();
    ended = true;
  });
  const socket = dial(url);
  socket.write(get('/'));
  await begun.promise;
  leave(socket);
  await drain(timeout, 0);
  expect(ended).toBe(true);
});

it.each([
  ['a request', 1],
  ['two requests that are pipelined', 2],
])('a server that is stopped during %s answers with Connection: close at the end', async (_, count) => {
  const [begun, stopping] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { url, drain } = await serve(async (__, response) => {
    begun.resolve();
    await stopping.promise;
    response.end('well');
  });
  const socket = dial(url);
  const answer = closed(socket);
  socket.write(get('/').repeat(count));
  await begun.promise;
  const drained = drain(10_000, 0);
  stopping.resolve();
  await drained;
  expect((await answer).match(/^Connection: .*(?=\r)/gm)).toEqual(
    ['Connection: keep-alive', 'Connection: close'].slice(-count),
  );
});

describe('requests on one connection', () => {
  const count = (text: string) => text.split('HTTP/1.1 200 ').length - 1;

  it('that are pipelined are all answered with 200', async () => {
    const service = keep(await startService());
    const socket = dial(service.url);
    const answer = closed(socket);
    const health = get('/health');
    socket.write(health.repeat(9) + get('/health', 'Connection: close\r\n'));
    expect(count(await answer)).toBe(10);
  });

  it.each([
    ['NONSENSE\r\n\r\n', 400],
    ['POST /c HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 400],
    ['CONNECT a:1 HTTP/1.1\r\n\r\n', 405],
  ])('are answered before %j behind them is refused with %i', async (behind, status) => {
    const { url } = await serve(async (_, response) => {
      await setImmediate();
      response.end('well');
    });
    const socket = dial(url);
    const answer = closed(socket);
    socket.write(get('/a') + get('/b') + behind);
    expect((await answer).match(/HTTP\/1\.1 \d{3}/g)).toEqual([200, 200, status].map((one) => `HTTP/1.1 ${one}`));
  });

  it('that are pipelined after the last permitted request are not started', async () => {
    const asked: (string | undefined)[] = [];
    const { url } = await serve(
      (request, response) => {
        asked.push(request.url);
        response.end('well');
      },
      { requests: 2 },
    );
    const socket = dial(url);
    const answer = closed(socket);
    socket.write(get('/a') + get('/b') + get('/c'));
    expect(count(await answer)).toBe(2);
    expect(asked).toEqual(['/a', '/b']);
  });

  it('are limited in number: after 60 pipelined requests the connection is closed before the second answer', async () => {
    const service = keep(await startService());
    const socket = dial(service.url);
    const answer = closed(socket);
    socket.write(get('/api/v1/openapi.json').repeat(60));
    expect(count(await answer)).toBeLessThan(2);
  });

  it('end at the limit: the last permitted answer has Connection: close', async () => {
    const service = keep(await startService({}, undefined, undefined, { requests: 20 }));
    const socket = dial(service.url);
    let answers = 0;
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
      if (!text.endsWith('\r\n\r\n')) return;
      answers += 1;
      if (text.includes('Connection: close')) return;
      text = '';
      socket.write(get('/health'));
    });
    socket.write(get('/health'));
    await new Promise((resolve) => socket.once('end', resolve));
    expect(answers).toBe(20);
    expect(text).toContain('Connection: close');
  });
});

it('a client that does not read its answer is disconnected after the idle timeout; a client that waits for a slow answer is not', async () => {
  const big = Buffer.alloc(32 * 1024 * 1024);
  const [isAsked, isDisconnected] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { url, connections } = await serve(
    async (request, response) => {
      if (request.url === '/slow') await isDisconnected.promise;
      else isAsked.resolve();
      response.end(request.url === '/slow' ? 'at last' : big);
    },
    { idleTimeout: 100 },
  );
  const slow = dial(url);
  const answer = closed(slow);
  slow.write(get('/slow', 'Connection: close\r\n'));
  const stalled = dial(url).pause();
  stalled.write(get('/big'));
  await isAsked.promise;
  await expect.poll(connections).toBe(1);
  expect(slow.closed).toBe(false);
  isDisconnected.resolve();
  expect(await answer).toContain('at last');
});

describe('a JSON body in chunks of one byte', () => {
  const head = (more: string) =>
    `POST /api/v1/intakes HTTP/1.1\r\nHost: localhost\r\n${more}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;

  it.each([
    ['with a token', 'Authorization: Bearer x\r\nX-Subject: sanne-de-wit\r\n'],
    ['without a token', ''],
  ])('%s is disconnected before 600 kB is sent', async (_, headers) => {
    const service = keep(await startService());
    const socket = dial(service.url);
    const answer = closed(socket);
    socket.write(head(headers));
    for (let sent = 0; sent < 200_000 && !socket.destroyed; sent += 1_000) {
      socket.write('1\r\n \r\n'.repeat(1_000));
      await setTimeout(1);
    }
    await answer;
    // Without a limit all of it would have been read: the body is allowed to be larger.
    expect(socket.bytesWritten).toBeLessThan(600_000);
    expect((await service.get('/health')).status).toBe(200);
  });
});

it('work that spreadOverTurns divides over turns of the event loop is done in order, with at most the given number of items in one turn', async () => {
  const done: number[] = [];
  const add = spreadOverTurns(16, (item: number) => done.push(item));
  const items = Array.from({ length: 40 }, (_, n) => n);
  items.forEach(add);
  const counts: number[] = [done.length];
  for (let turn = 0; turn < 3; turn += 1) {
    await setImmediate();
    counts.push(done.length);
  }
  expect(counts).toEqual([0, 16, 32, 40]);
  add(40);
  await setImmediate();
  expect(done).toEqual([...items, 40]);
});
