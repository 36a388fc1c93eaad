import { DEVELOPMENT_HEADERS, EXPOSED_IN_DEVELOPMENT, problemPageAt } from '../simulator/service/help.ts';
import { matcher } from '../simulator/transport/paths.ts';
import { type Answer, traceparentOf } from '../src/http/exchange.ts';
import { ALLOWED_HEADERS, EXPOSED_HEADERS, headersOf } from '../src/http/middleware/headers.ts';
import type { Operation } from '../src/http/operation/operation.ts';
import { operationRunner, type RunDeps } from '../src/http/operation/run.ts';
import { fullPath, unmatched } from '../src/http/operation/unmatched.ts';
import { noteProblem, problemAnswer } from '../src/http/problems.ts';
import { ClientDisconnected } from '../src/ports/call.ts';
import { exchangeOf, PAGE, type PageExchange, pathOf, responseOf } from './exchange.ts';

/**
 * The service as a function from a request to its response. `headers` are the headers of the request and, in addition,
 * headers that identify the caller.
 */
export type PageService = (request: Request, headers: Headers) => Promise<Response>;

/** The status of a request whose client left before the answer, as in the request log. */
const CLIENT_LEFT = 499;

/**
 * Returns the service for a page, without a socket. It calls `note` with each request and its status, except for CORS
 * preflights. The status is 499 when the answer did not reach the page.
 */
export function createService(
  operations: readonly Operation[],
  deps: RunDeps,
  note: (http: PageExchange, status: number) => void,
): PageService {
  const routes = operations.map((operation) => ({
    match: matcher(fullPath(operation)),
    methods: operation.method === 'GET' ? ['GET', 'HEAD'] : [operation.method],
    run: operationRunner(deps, operation, PAGE),
  }));
  const answerUnmatched = unmatched(operations);

  /** Returns the response that `answer` gives, unless it has begun with `http.begin`, and calls `note` at the end. */
  async function respond(http: PageExchange, answer: () => Answer | Promise<Answer>) {
    let result: Answer;
    try {
      result = await answer();
    } catch (error) {
      if (error instanceof ClientDisconnected) {
        // The request can have changed data.
        note(http, CLIENT_LEFT);
        return Response.error();
      }
      result = problemAnswer(http, noteProblem(http.state, error), problemPageAt);
    }
    Object.assign(http.state.headers, originHeaders(http.request));
    note(http, result.status);
    return responseOf(http, result);
  }

  return async (request, sent) => {
    const preflightResponse = preflight(request);
    if (preflightResponse !== null) return preflightResponse;
    const path = pathOf(request);
    const matched = routes.flatMap((route) => {
      const params = route.match(path);
      return params === null ? [] : [{ ...route, params }];
    });
    const route = matched.find(({ methods }) => methods.includes(request.method));
    const http = exchangeOf(request, sent, route?.params ?? {});
    http.state.headers = {
      ...headersOf({ productionLike: false }),
      traceparent: traceparentOf(http.state.trace),
      Date: deps.clock.now('default').toUTCString(),
    };
    const begun = new Promise<Response>((resolve) => {
      http.begin = (result, body) => {
        Object.assign(http.state.headers, originHeaders(request));
        resolve(responseOf(http, result, body));
      };
    });
    const answer = () => route?.run(http) ?? answerUnmatched(http, new Set(matched.flatMap(({ methods }) => methods)));
    return Promise.race([begun, respond(http, answer)]);
  };
}

/** Simulated browsers, such as happy-dom, check CORS too. */
export function originHeaders(request: Request): Record<string, string> {
  const origin = request.headers.get('Origin');
  return {
    'Access-Control-Allow-Origin': origin ?? '*',
    ...(origin !== null && { 'Access-Control-Allow-Credentials': 'true' }),
    'Access-Control-Expose-Headers': [...EXPOSED_HEADERS, ...EXPOSED_IN_DEVELOPMENT].join(', '),
  };
}

function preflight(request: Request): Response | null {
  if (request.method !== 'OPTIONS' || !request.headers.has('Access-Control-Request-Method')) return null;
  const headers = {
    ...originHeaders(request),
    'Access-Control-Allow-Methods': 'GET,HEAD,POST,PUT,DELETE',
    'Access-Control-Allow-Headers': [...ALLOWED_HEADERS, ...DEVELOPMENT_HEADERS, 'Prefer'].join(),
  };
  return new Response(null, { status: 204, headers });
}
