import Router from '@koa/router';
import Koa, { type Middleware } from 'koa';
import type { Logger } from 'pino';
import type { BriefDeps } from './brief/placeholders.ts';
import type { RequestState } from './http/exchange.ts';
import { sendProblems } from './http/middleware/errors.ts';
import { checkHost, crossOrigin, headersOf, securityHeaders } from './http/middleware/headers.ts';
import { type LoadMonitor, refuseWhenBusy } from './http/middleware/load.ts';
import { requestLog } from './http/middleware/log.ts';
import { createKoaTransport, operationMiddleware, unmatchedMiddleware } from './http/operation/koa.ts';
import type { Operation } from './http/operation/operation.ts';
import type { Intercept, RunDeps } from './http/operation/run.ts';
import { fullPath } from './http/operation/unmatched.ts';
import { allOperations, type OperationDeps } from './operations.ts';
import type { Clock } from './ports/clock.ts';
import type { AllowedHosts } from './ports/connection.ts';
import type { Meters } from './ports/meters.ts';
import type { Tracing } from './ports/tracing.ts';
import type { ProblemCode } from './problem-codes.ts';
import { readUpload } from './uploads/multipart.ts';

export interface AppDeps extends RunDeps, Omit<OperationDeps, 'readUpload'> {
  readonly logger: Logger;
  readonly load: LoadMonitor;
  readonly meters?: Meters;
  /** Absent when tracing is not configured. */
  readonly tracing?: Tracing;
  readonly productionLike: boolean;
  /** Pages of these origins may call the service (CORS). */
  readonly corsOrigins: readonly string[];
  readonly allowedHosts: AllowedHosts;
  /** Absent in a production-like deployment. */
  readonly development?: DevelopmentParts;
}

/** The journal, and pages and operations that are not in the specification. */
export interface DevelopmentParts {
  /** Records every request and answer in the journal; absent when no upstream is simulated. */
  readonly watch?: Middleware<RequestState>;
  /** Such as /docs. */
  readonly pages: Middleware;
  /** Not in the OpenAPI document, such as the preview of a letter. */
  readonly operations: (deps: BriefDeps) => Operation[];
  /** Path of the development page about a problem code. */
  readonly helpAt?: (code: ProblemCode) => string;
  /** More request headers that CORS allows. */
  readonly headers: readonly string[];
  /** More response headers that CORS lets a page read. */
  readonly exposedHeaders?: readonly string[];
  /** Simulated faults of the service; absent when these cannot be simulated. */
  readonly intercept?: Intercept;
}

/** Returns the application. It does not listen yet. */
export function createApp(deps: AppDeps): Koa<RequestState> {
  const { development } = deps;
  const operations = [...allOperations({ ...deps, readUpload }), ...(development?.operations(deps) ?? [])];

  const app = new Koa<RequestState>();
  // An error while an answer is being sent goes into the log line of that request, not to standard error.
  app.on('error', (error: unknown, ctx?: { state: RequestState }) => {
    if (ctx) ctx.state.error ??= error;
  });
  app.use(requestLog(deps.logger, deps.meters, deps.tracing));
  if (development?.watch) app.use(development.watch);
  app.use(securityHeaders(headersOf(deps)));
  if (deps.setsDateHeader) app.use(setDateHeader(deps.clock));
  app.use(
    crossOrigin(deps.corsOrigins, !deps.productionLike, deps.logger, development?.headers, development?.exposedHeaders),
  );
  app.use(sendProblems(development?.helpAt));
  app.use(refuseWhenBusy(deps.load));
  app.use(checkHost(deps.allowedHosts));
  if (development) app.use(development.pages);
  app.use(routes(operations, development?.intercept ? { ...deps, intercept: development.intercept } : deps));
  app.use(unmatchedMiddleware(operations));
  return app;
}

// To the time of the default world.
const setDateHeader =
  (clock: Clock): Middleware<RequestState> =>
  (ctx, next) => {
    ctx.state.headers.Date = clock.now('default').toUTCString();
    return next();
  };

function routes(operations: readonly Operation[], deps: RunDeps): Middleware<RequestState> {
  const router = new Router<RequestState>({ sensitive: true, strict: true });
  const transport = createKoaTransport(deps.timing);
  for (const operation of operations) {
    const path = fullPath(operation).replaceAll(/\{(\w+)\}/g, ':$1');
    router.register(path, [operation.method], operationMiddleware(deps, operation, transport));
  }
  return router.routes() as Middleware<RequestState>;
}
