import {
  BODY_TIMEOUT,
  HEADERS_TIMEOUT,
  isAnswer,
  type JsonClient,
  type JsonRequest,
  parseAnswer,
  unexpectedStatus,
} from '../adapters/http/request.ts';
import { UpstreamFailure } from '../adapters/http/upstream-failure.ts';
import {
  dripIntervalOf,
  HTML_AS_JSON,
  statusFaultAnswer,
  withWrongShape,
} from '../simulator/transport/fault-answers.ts';
import { parseSimulatedJson, type SimulatedAnswer, type SimulatedOperation } from '../simulator/transport/operation.ts';
import type { ActiveFault } from '../simulator/worlds/faults.ts';
import type { World } from '../simulator/worlds/index.ts';
import type { UpstreamName } from '../src/wire/values.ts';
import { matcher } from './paths.ts';
import type { SimulatedConnection } from './simulated-connection.ts';

/** An answer before it is parsed; header names in lower case. */
interface RawAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Creates a client with which the real adapters call a simulated upstream in the same page, without a socket. Answers
 * are passed as text and parsed like answers over HTTP. `worldAt` returns the world (the simulator's tenant) by name.
 */
export function jsonClientOf(
  upstream: UpstreamName,
  connection: SimulatedConnection,
  operations: readonly SimulatedOperation<World>[],
  worldAt: (name: string) => World,
): JsonClient {
  const table = operations.map((operation) => ({ operation, match: matcher(operation.path) }));

  /**
   * Returns the operation of a method and path, with its path parameters. Throws `UpstreamFailure` (404) without one.
   */
  function find(method: string, path: string) {
    for (const { operation, match } of table) {
      const params = operation.method === method || operation.method === 'any' ? match(path) : null;
      if (params !== null) return { operation, params };
    }
    throw new UpstreamFailure(upstream, 'unavailable', 'status 404', { status: 404, undone: true });
  }

  /** Runs an operation in a world and returns its answer, changed by a fault where there is one. */
  async function answer(
    request: JsonRequest<unknown, unknown>,
    { operation, params }: ReturnType<typeof find>,
    { pathname, searchParams }: URL,
    world: World,
    fault: ActiveFault | null,
  ): Promise<RawAnswer> {
    switch (fault?.kind) {
      case 'status':
        return rawOf(statusFaultAnswer(fault));
      case 'garbage':
        return { status: 200, text: HTML_AS_JSON, headers: {} };
      case 'empty':
        if (operation.emptyBody !== undefined) return rawOf({ status: 200, body: operation.emptyBody });
    }
    const body = request.body === undefined ? undefined : parseSimulatedJson(JSON.stringify(request.body));
    const headers = new Headers({
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...request.headers,
    });
    const raw = rawOf(await operation.run(world, { path: pathname, query: searchParams, headers, body }, params));
    if (fault?.kind !== 'wrong-schema') return raw;
    return rawOf({ status: 200, body: withWrongShape(parseSimulatedJson(raw.text)) });
  }

  return {
    ask(request, call) {
      const url = new URL(`http://simulator${request.path ?? BRP_PATH}`);
      const found = find(request.method, url.pathname);
      const { retry = false, headersTimeout = HEADERS_TIMEOUT } = request;
      return connection.run(
        { operation: found.operation.name, headersTimeout, retry },
        call,
        async (fault, onHeaders) => {
          const asked = request as JsonRequest<unknown, unknown>;
          const { status, text, headers } = await answer(asked, found, url, worldAt(call.workspace), fault);
          if (fault?.kind === 'drip') {
            onHeaders();
            await drip(upstream, text, fault);
          }
          if (isAnswer(status)) return parseAnswer(upstream, text, request);
          const meaning = request.otherwise?.(status, parseSimulatedJson(text), headers);
          if (meaning !== undefined) return meaning;
          throw unexpectedStatus(upstream, status, headers);
        },
      );
    },
  };
}

/** Path of the BRP operation: the BRP adapter sends requests without a path (adapters/brp). */
const BRP_PATH = '/haalcentraal/api/brp/personen';

const rawOf = ({ status, body, headers = {} }: SimulatedAnswer): RawAnswer => ({
  status,
  text: body === undefined ? '' : JSON.stringify(body),
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
});

/**
 * Waits as long as a body takes that arrives one character at a time. Throws when the pause is longer than the body
 * timeout.
 */
async function drip(upstream: UpstreamName, { length }: string, fault: ActiveFault): Promise<void> {
  const every = dripIntervalOf(fault);
  if (every > BODY_TIMEOUT.json)
    throw new UpstreamFailure(upstream, 'unreadable', 'body: UND_ERR_BODY_TIMEOUT', { lost: true });
  await new Promise((resolve) => setTimeout(resolve, every * Math.max(1, length)));
}
