import Router from '@koa/router';
import Koa, { type Middleware } from 'koa';
import type { Logger } from 'pino';
import type { BriefDeps } from './brief/deps.ts';
import { crossOrigin } from './http/cors.ts';
import { problems } from './http/errors.ts';
import { headersOf, securityHeaders } from './http/headers.ts';
import { knownHost } from './http/host.ts';
import { served, unserved } from './http/koa.ts';
import { type Load, shedding } from './http/load.ts';
import { requestLog } from './http/log.ts';
import type { Operation } from './http/operation.ts';
import type { RunDeps } from './http/run.ts';
import type { State } from './http/state.ts';
import { fullPath } from './http/unmatched.ts';
import type { Clock } from './ports/clock.ts';
import type { Meters } from './ports/meters.ts';
import { type RoomDeps, rooms } from './rooms.ts';
import { readUpload } from './uploads/multipart.ts';

/** All that the service needs from outside; `main.ts` makes it, and tests make their own. */
export interface Deps extends RunDeps, Omit<RoomDeps, 'readUpload'> {
  readonly logger: Logger;
  readonly load: Load;
  /** Without it nobody counts. */
  readonly meters?: Meters;
  readonly productionLike: boolean;
  readonly corsOrigins: readonly string[];
  /** Names under which the service may be called, or null for any. */
  readonly allowedHosts: readonly string[] | null;
  /** Absent where citizens are. */
  readonly development?: DevelopmentParts;
}

/** What is there for people who build on the service. */
export interface DevelopmentParts {
  /** Sees every request and answer, whole; absent where nothing is made up. */
  readonly watch?: Middleware<State>;
  readonly pages: Middleware;
  /** In no document. */
  readonly operations: (deps: BriefDeps) => Operation[];
  /** Request headers that a page of another origin may send as well. */
  readonly headers: readonly string[];
}

export function createApp(deps: Deps): Koa<State> {
  const { development } = deps;
  const operations = [...rooms({ ...deps, readUpload }), ...(development?.operations(deps) ?? [])];

  const app = new Koa<State>();
  // What goes wrong while an answer is on its way belongs in the one log line of that request, not on standard error.
  app.on('error', (error: unknown, ctx?: { state: State }) => {
    if (ctx) ctx.state.error ??= error;
  });
  app.use(requestLog(deps.logger, deps.meters));
  if (development?.watch) app.use(development.watch);
  app.use(securityHeaders(headersOf(deps.productionLike)));
  if (deps.tellsTime) app.use(tellTime(deps.clock));
  app.use(crossOrigin(deps.corsOrigins, !deps.productionLike, deps.logger, development?.headers));
  app.use(problems);
  app.use(shedding(deps.load));
  app.use(knownHost(deps.allowedHosts));
  if (development) app.use(development.pages);
  app.use(routes(operations, deps));
  app.use(unserved(operations));
  return app;
}

/** The time of the default world, until it is known who calls (`http/run.ts`). */
const tellTime =
  (clock: Clock): Middleware<State> =>
  (ctx, next) => {
    ctx.set('Date', clock.now('default').toUTCString());
    return next();
  };

function routes(operations: readonly Operation[], deps: RunDeps): Middleware<State> {
  const router = new Router<State>({ sensitive: true, strict: true });
  for (const operation of operations) {
    const path = fullPath(operation).replaceAll(/\{(\w+)\}/g, ':$1');
    router.register(path, [operation.method], served(deps, operation));
  }
  return router.routes() as Middleware<State>;
}
