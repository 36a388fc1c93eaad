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
import { applyFault } from './apply-fault.ts';
import { callContext } from './handlers.ts';
import { parseSimulatedJson, type SimulatedAnswer, type SimulatedFile } from './operation.ts';

/** A server that is listening. */
export interface Listener {
  readonly url: string;
  close(): Promise<void>;
}

/** A request body that has been read. */
export interface ReceivedBody {
  readonly body: unknown;
  readonly file?: SimulatedFile;
}

/** A simulated upstream, and how to serve it: its handlers in a world, and the reader of request bodies. */
export interface ServedUpstream {
  readonly upstream: SimulatedUpstream;
  readonly worlds: Worlds;
  handlers(world: World): RequestHandler[];
  receive(incoming: IncomingMessage): Promise<ReceivedBody>;
}

/** Returns the path prefix of a world, `/@<world>`; an empty string for the default world. */
export const pathOf = (world: string): string => (world === DEFAULT_WORLD ? '' : `/@${world}`);
const WORLD = /^\/@([a-z0-9-]{1,32})(?=\/)/;

/** Maximum number of worlds whose handlers are cached. */
const MAX_CACHED_WORLDS = 64;

/**
 * Serves MSW handlers on a loopback socket. The interception of MSW itself does not see calls through the package
 * undici. With a socket, timeouts, connection resets and partial responses are real, and a test uses the adapter of
 * production.
 */
export async function listen(served: ServedUpstream, port: number): Promise<Listener> {
  /** Handlers by world, the least recently used world first. */
  const handlers = new Map<World, RequestHandler[]>();
  const handlersIn = (world: World): RequestHandler[] => {
    const known = handlers.get(world) ?? served.handlers(world);
    handlers.delete(world);
    handlers.set(world, known);
    const [oldest] = handlers.keys();
    if (handlers.size > MAX_CACHED_WORLDS && oldest !== undefined) handlers.delete(oldest);
    return known;
  };
  const server = createServer((incoming, outgoing) => {
    answer(served, handlersIn, incoming, outgoing).catch(() => outgoing.destroy());
  });
  // The connection pool of the adapter keeps an idle connection for four seconds; the server must keep it longer.
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

/** Reads a JSON body into memory. Used by every upstream but the document store, whose bodies can be large. */
export async function receiveJson(incoming: IncomingMessage): Promise<ReceivedBody> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return { body: parseSimulatedJson(Buffer.concat(chunks).toString()) };
}

/** Body of a 404, for a developer who took the port of a simulator for the port of the service. */
const UNKNOWN_PATH =
  'Dit is een gesimuleerde bron. Dit pad bestaat hier niet. De dienst zelf luistert op een andere poort: PORT, meestal 3000.\n';

/** Handles one request: reads the body, runs the handlers of the world, and sends the response or applies the fault. */
async function answer(
  { upstream, worlds, receive }: ServedUpstream,
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
  const context: NonNullable<ReturnType<typeof callContext.getStore>> = {
    ...received,
    draw: (operation: string) => world.draw(upstream, operation, incoming.headers.traceparent),
    isWorldReset: () => worlds.at(name) !== world,
  };
  const response = await callContext
    .run(
      context,
      async () => (await getResponse(handlersIn(world), request)) ?? new Response(UNKNOWN_PATH, { status: 404 }),
    )
    // An operation moves the file when it accepts it. A file that is still here was refused, or the call failed.
    .finally(() => received.file && rm(received.file.path, { force: true }));
  outgoing.setHeader('Date', world.now().toUTCString());
  const fault = context.outcome?.fault;
  if (fault != null && applyFault(outgoing, fault, await bodyOf(response))) return;
  await send(outgoing, response, context.answer);
}

const bodyOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.clone().arrayBuffer());

/** Sends the response; a file is streamed. Applies the quirk of the answer. */
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
