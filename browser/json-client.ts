import {
  BODY_TIMEOUT,
  HEADERS_TIMEOUT,
  isAnswer,
  type JsonClient,
  parseAnswer,
  unexpectedStatus,
} from '../adapters/http/request.ts';
import { UpstreamFailure } from '../adapters/http/upstream-failure.ts';
import type { Delivery } from '../simulator/transport/delivery.ts';
import { createDispatch } from '../simulator/transport/dispatch.ts';
import { parseSimulatedJson, type SimulatedOperation } from '../simulator/transport/operation.ts';
import type { World } from '../simulator/worlds/index.ts';
import { answerCut, connectionReset, never, type SimulatedConnection, traceparentOf } from './simulated-connection.ts';

/**
 * The upstreams that a page simulates as HTTP operations. The document store of a page is not simulated in this way.
 */
type JsonUpstream = 'register' | 'brp' | 'duo';

/**
 * Returns a client with which the adapters call a simulated upstream in the same page, without a socket. An answer is
 * converted to text and parsed like an answer over HTTP, and a call fails with the same errors as a call over HTTP.
 * `worldAt` returns the world (the simulator's tenant) with a name.
 */
export function jsonClientOf(
  upstream: JsonUpstream,
  connection: SimulatedConnection,
  operations: readonly SimulatedOperation<World>[],
  worldAt: (name: string) => World,
): JsonClient {
  const dispatch = createDispatch({ upstream, operations, worldAt, targetOf: (world) => world });

  return {
    ask(request, call) {
      const { method, path = BRP_PATH, body, retry = false, headersTimeout = HEADERS_TIMEOUT } = request;
      const headers = new Headers({
        accept: 'application/json',
        traceparent: traceparentOf(call),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...request.headers,
      });
      return connection.run({ headersTimeout, retry }, call, async (world, onHeaders) => {
        // Converted to JSON text and back, as the upstream would have received it.
        const received = body === undefined ? undefined : parseSimulatedJson(JSON.stringify(body));
        const delivery = await dispatch(world, { method, url: path, headers, body: received });
        const answer = await receive(upstream, delivery, onHeaders);
        if (isAnswer(answer.status)) return parseAnswer(upstream, answer.text, request);
        const meaning = request.otherwise?.(answer.status, parseSimulatedJson(answer.text), answer.headers);
        if (meaning !== undefined) return meaning;
        throw unexpectedStatus(upstream, answer.status, answer.headers);
      });
    },
  };
}

/**
 * Returns the complete response of a simulated upstream, and calls `onHeaders` when it begins. Throws the failure of a
 * real connection when the upstream resets the connection or sends only a part. When the upstream sends nothing, the
 * promise is never settled: the timeout of the call ends the call.
 */
async function receive(upstream: JsonUpstream, delivery: Delivery, onHeaders: () => void) {
  if (delivery.kind === 'reset') throw connectionReset(upstream);
  if (delivery.kind === 'silence') return never<never>();
  const { status, headers, body, cut, dripInterval } = delivery;
  onHeaders();
  if (cut) throw answerCut(upstream);
  const text = typeof body === 'string' ? body : '';
  if (dripInterval !== undefined) await drip(upstream, text, dripInterval);
  return { status, headers, text };
}

/** Path of the operation of the BRP. It is added here because the adapter of the BRP sends requests without a path. */
const BRP_PATH = '/haalcentraal/api/brp/personen';

/**
 * Waits as long as it takes to receive this text one character at a time, every `every` milliseconds. Throws an
 * `UpstreamFailure` at once when `every` is longer than the body timeout.
 */
async function drip(upstream: JsonUpstream, { length }: string, every: number): Promise<void> {
  if (every > BODY_TIMEOUT.json)
    throw new UpstreamFailure(upstream, 'unreadable', 'body: UND_ERR_BODY_TIMEOUT', { lost: true });
  await new Promise((resolve) => setTimeout(resolve, every * Math.max(1, length)));
}
