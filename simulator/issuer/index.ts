/**
 * The simulated token issuers for `IDENTITY=simulated-oidc`. Imported only for that setting, because oidc-provider
 * takes time to load.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type Provider from 'oidc-provider';
import { isLoopbackHost, isLoopbackOrigin } from '../../src/domain/host-name.ts';
import type { PeopleDirectory } from '../people/directory.ts';
import { login } from './login.ts';
import type { IssuerKind } from './page.ts';
import { AUDIENCE, createProvider, issueToken } from './provider.ts';

export { STEP_UP_LEVELS } from './page.ts';
export { AUDIENCE, CLIENT_ID } from './provider.ts';

/** The running token issuers for professionals and staff, on one port of 127.0.0.1. */
export interface SimulatedIssuers {
  /** URL of each issuer, which is also the claim `iss` of its tokens. */
  readonly urls: Readonly<Record<IssuerKind, string>>;
  /**
   * Returns an access token for the simulated person with this login, `<slug>` or `<slug>@<world>`, without a login
   * page.
   */
  issueToken(login: string): Promise<string>;
  close(): Promise<void>;
}

export interface IssuersOptions {
  /** TCP port; 0 for a free port. */
  readonly port: number;
  readonly directory: PeopleDirectory;
  /** Seconds until an access token expires. */
  readonly tokenSeconds: number;
  /** Origins of web pages that may log in. Pages on this machine may always log in. */
  readonly origins: readonly string[];
}

const PATHS: Readonly<Record<IssuerKind, string>> = { professional: '/professionals', staff: '/staff' };

/** Starts the token issuers for professionals and staff. Rejects with Node's error when the port cannot be used. */
export async function startIssuers({
  port,
  directory,
  tokenSeconds,
  origins,
}: IssuersOptions): Promise<SimulatedIssuers> {
  const server = createServer();
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const urls = { professional: base + PATHS.professional, staff: base + PATHS.staff };
  const isAllowedOrigin = (origin: string) => isLoopbackOrigin(origin) || origins.includes(origin);
  const open = (kind: IssuerKind) =>
    createProvider({ kind, issuer: urls[kind], directory, tokenSeconds, isAllowedOrigin });
  const providers = { professional: await open('professional'), staff: await open('staff') };
  const handlers = (['professional', 'staff'] as const).map((kind) => handlerOf(kind, providers[kind], directory));
  server.on('request', (request, response) => {
    if (!isLoopbackHost(request.headers.host ?? '')) refuseHost(response, base);
    else if (!handlers.some((handle) => handle(request, response))) sendNotFound(response, urls);
  });
  return {
    urls,
    issueToken: (login) =>
      issueToken(directory.staff(login) === null ? providers.professional : providers.staff, login, tokenSeconds),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * Returns a function that handles a request to one issuer and returns true. For a path outside this issuer, the
 * function does nothing and returns false.
 */
function handlerOf(kind: IssuerKind, provider: Provider, directory: PeopleDirectory) {
  const path = PATHS[kind];
  const callback = provider.callback();
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const { url = '/' } = request;
    if (!url.startsWith(`${path}/`)) return false;
    if (url.startsWith(`${path}/login/`)) {
      void login({ kind, provider, directory }, request, response);
      return true;
    }
    // oidc-provider finds the path at which it is mounted by comparing `originalUrl` with `url`.
    Object.assign(request, { originalUrl: url });
    request.url = url.slice(path.length);
    void callback(request, response);
    return true;
  };
}

/**
 * Answers 421 to a request for another host name. A web page whose name is made to point to 127.0.0.1 (DNS rebinding)
 * could log in as anybody.
 */
function refuseHost(response: ServerResponse, base: string): void {
  response.writeHead(421, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ error: 'misdirected_request', error_description: `Call this server as ${base}.` }));
}

/** Answers 404 with the URLs of the issuers, as help for a developer. */
function sendNotFound(response: ServerResponse, urls: SimulatedIssuers['urls']): void {
  response.writeHead(404, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ error: 'not_found', issuers: urls, audience: AUDIENCE }));
}
