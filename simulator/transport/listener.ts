import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { getResponse, type RequestHandler } from 'msw';
import { DEFAULT_WORLD } from '../people/directory.ts';
import type { SimulatedUpstream } from '../worlds/faults.ts';
import type { World, Worlds } from '../worlds/index.ts';
import { fail } from './failing.ts';
import { carried } from './handlers.ts';
import { parse, type ReceivedFile, type SimulatedAnswer } from './operation.ts';

export interface Listener {
  readonly url: string;
  close(): Promise<void>;
}

/** What a body turns out to hold. */
export interface ReceivedBody {
  readonly body: unknown;
  readonly file?: ReceivedFile;
}

/** One simulated upstream, as it is to be served. */
export interface Serving {
  readonly upstream: SimulatedUpstream;
  readonly worlds: Worlds;
  handlers(world: World): RequestHandler[];
  receive(incoming: IncomingMessage): Promise<ReceivedBody>;
}

/** Under which path a world has an upstream of its own; the default one has it under none. */
export const pathOf = (world: string): string => (world === DEFAULT_WORLD ? '' : `/@${world}`);
const WORLD = /^\/@([a-z0-9-]{1,32})(?=\/)/;

/** Worlds whose handlers are kept; for the others they are made when they are asked for. */
const KEPT = 64;

/**
 * MSW handlers behind a real socket on loopback. MSW's own interception does not see the undici package; over a socket
 * time-outs, resets and half answers are real, and the adapter under test is the one that ships.
 */
export async function listen(serving: Serving, port: number): Promise<Listener> {
  /** The world that asked longest ago first. */
  const handlers = new Map<World, RequestHandler[]>();
  const handlersIn = (world: World): RequestHandler[] => {
    const known = handlers.get(world) ?? serving.handlers(world);
    handlers.delete(world);
    handlers.set(world, known);
    const [oldest] = handlers.keys();
    if (handlers.size > KEPT && oldest !== undefined) handlers.delete(oldest);
    return known;
  };
  const server = createServer((incoming, outgoing) => {
    answer(serving, handlersIn, incoming, outgoing).catch(() => outgoing.destroy());
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

/** A body as one text, which is what every source but the store of documents is sent. */
export async function receiveJson(incoming: IncomingMessage): Promise<ReceivedBody> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return { body: parse(Buffer.concat(chunks).toString()) };
}

/** For who took one of the ports of the simulators for that of the service. */
const STRAY =
  'Dit is een nagemaakte bron en dit pad heeft zij niet. De dienst zelf luistert op een andere poort: PORT, meestal 3000.\n';

async function answer(
  { upstream, worlds, receive }: Serving,
  handlersIn: (world: World) => RequestHandler[],
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const url = incoming.url ?? '/';
  const [prefix = '', name = DEFAULT_WORLD] = WORLD.exec(url) ?? [];
  const world = worlds.at(name);
  const request = new Request(`http://127.0.0.1${url.slice(prefix.length)}`, {
    method: incoming.method ?? 'GET',
    headers: Object.entries(incoming.headers).map(([key, value]) => [key, String(value)] as [string, string]),
  });
  const received = await receive(incoming);
  const beside = {
    ...received,
    draw: (operation: string) => world.draw(upstream, operation, incoming.headers.traceparent),
    isOver: () => worlds.at(name) !== world,
  };
  const store: NonNullable<ReturnType<typeof carried.getStore>> = beside;
  const response = await carried
    .run(store, async () => (await getResponse(handlersIn(world), request)) ?? new Response(STRAY, { status: 404 }))
    // A file that no operation has taken by now is nobody's: it was refused, or made to go wrong.
    .finally(() => received.file && rm(received.file.path, { force: true }));
  outgoing.setHeader('Date', world.now().toUTCString());
  const fault = store.drawn?.fault;
  if (fault != null && fail(outgoing, fault, await bodyOf(response))) return;
  await send(outgoing, response, store.answer);
}

const bodyOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.clone().arrayBuffer());

async function send(outgoing: ServerResponse, response: Response, answer: SimulatedAnswer | undefined): Promise<void> {
  const { quirk, content } = answer ?? {};
  if (quirk === 'reset') {
    outgoing.destroy();
    return;
  }
  if (typeof quirk === 'number') await setTimeout(quirk);
  const headers = Object.fromEntries(response.headers);
  if (content === undefined) {
    const body = Buffer.from(await response.arrayBuffer());
    outgoing
      .writeHead(response.status, { ...headers, ...(response.status !== 204 && { 'content-length': body.length }) })
      .end(body);
    return;
  }
  outgoing.writeHead(response.status, { ...headers, 'content-length': content.size });
  if (outgoing.req.method === 'HEAD') {
    outgoing.end();
    return;
  }
  const end = quirk === 'half' ? Math.floor(content.size / 2) - 1 : content.size - 1;
  await pipeline(createReadStream(content.path, { end }), outgoing, { end: quirk !== 'half' });
  if (quirk === 'half') outgoing.destroy();
}
