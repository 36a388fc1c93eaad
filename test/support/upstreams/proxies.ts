import type { ServerResponse } from 'node:http';
import { request } from 'undici';
import type { Clock } from '../../../src/ports/clock.ts';
import { frozenClock, startTestSimulators, TODAY } from '../service.ts';
import { type ReceivedRequest, type ScriptedServer, startScriptedServer } from './scripted-server.ts';

/** A proxy between the service and a simulated upstream. A test can use it to change answers. */
export interface UpstreamProxy extends ScriptedServer {
  /**
   * Answers a request in place of the upstream and returns true, or returns false to forward the request. Null forwards
   * all requests.
   */
  intercept: ((request: ReceivedRequest, response: ServerResponse) => boolean | Promise<boolean>) | null;
  /** Returns the body to send in place of `body`, the parsed body of a successful answer. Null changes no bodies. */
  // biome-ignore lint/suspicious/noExplicitAny: JSON of whatever shape the source has
  changeBody: ((path: string, body: any) => unknown) | null;
  /** Sends a request to the simulated upstream and returns its answer. */
  forward(request: ReceivedRequest): Promise<{ status: number; text: string }>;
}

async function startProxy(url: string): Promise<UpstreamProxy> {
  const { origin } = new URL(url);
  const forward: UpstreamProxy['forward'] = async ({ method, url: path, headers, body }) => {
    const answer = await request(origin + path, {
      method: method as 'GET',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': String(headers['idempotency-key'] ?? ''),
        'x-doelbinding': String(headers['x-doelbinding'] ?? ''),
      },
      ...(body !== '' && { body }),
    });
    return { status: answer.statusCode, text: await answer.body.text() };
  };
  const scripted = await startScriptedServer(async (request, response) => {
    if (await proxy.intercept?.(request, response)) return;
    const { status, text } = await forward(request);
    const body =
      proxy.changeBody && status < 300 ? JSON.stringify(proxy.changeBody(request.url, JSON.parse(text))) : text;
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  const proxy: UpstreamProxy = Object.assign(scripted, { intercept: null, changeBody: null, forward });
  return proxy;
}

/**
 * Starts a simulated register, BRP and DUO with the same people, each behind a proxy. `env` of the result has the
 * environment variables with which a service calls the proxies.
 */
export async function startUpstreamProxies(clock: Clock = frozenClock(TODAY)) {
  const simulators = await startTestSimulators(['register', 'brp', 'duo'], { clock });
  const [register, brp, duo] = await Promise.all([
    startProxy(simulators.urls.register ?? ''),
    startProxy(simulators.urls.brp ?? ''),
    startProxy(simulators.urls.duo ?? ''),
  ]);
  const pathOf = (url = '') => new URL(url).pathname;
  return {
    register,
    brp,
    duo,
    env: {
      REGISTER_UPSTREAM: register.url,
      BRP_UPSTREAM: brp.url + pathOf(simulators.urls.brp),
      DUO_UPSTREAM: duo.url + pathOf(simulators.urls.duo),
    },
    close: () => Promise.all([register.close(), brp.close(), duo.close(), simulators.close()]),
  };
}
