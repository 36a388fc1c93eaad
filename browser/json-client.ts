import { isAnswer, type JsonClient, parseAnswer, unexpectedStatus } from '../adapters/http/request.ts';
import { UpstreamFailure } from '../adapters/http/upstream-failure.ts';
import type { Delivery } from '../simulator/transport/delivery.ts';
import { createDispatch } from '../simulator/transport/dispatch.ts';
import { parseSimulatedJson, type SimulatedOperation } from '../simulator/transport/operation.ts';
import type { World } from '../simulator/worlds/index.ts';
import { TIMING } from '../src/ports/timing.ts';
import type { UpstreamName } from '../src/wire/values.ts';
import { answerCut, connectionReset, never, type SimulatedConnection, traceparentOf } from './simulated-connection.ts';

type JsonUpstream = 'register' | 'brp' | 'duo';

/**
 * Returns a client with which the service calls a simulated upstream in the same page, without a socket. A call has the
 * same results and errors as a call over HTTP.
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
      const { method, path = BRP_PATH, body, retry = false, headersTimeout = 'headers' } = request;
      const headers = new Headers({
        accept: 'application/json',
        traceparent: traceparentOf(call),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...request.headers,
      });
      return connection.run(
        { headersTimeout: TIMING[headersTimeout], retry },
        call,
        async (world, onHeaders, context) => {
          // The body is converted to JSON text and back, as the upstream would have received it.
          const received = body === undefined ? undefined : parseSimulatedJson(JSON.stringify(body));
          const delivery = await dispatch(world, { method, url: path, headers, body: received });
          const answer = await receive(upstream, delivery, onHeaders);
          if (isAnswer(answer.status)) return parseAnswer(upstream, answer.text, request, context);
          const meaning = request.otherwise?.(answer.status, parseSimulatedJson(answer.text), answer.headers);
          if (meaning !== undefined) return meaning;
          throw unexpectedStatus(upstream, answer.status, answer.headers);
        },
      );
    },
  };
}

/** Throws when the connection is reset or cut; never settles when the upstream sends nothing. */
async function receive(upstream: JsonUpstream, delivery: Delivery, onHeaders: () => void) {
  if (delivery.kind === 'reset') throw connectionReset(upstream);
  if (delivery.kind === 'silence') return never<never>();
  const { status, headers, body, cut, dripInterval } = delivery;
  onHeaders();
  if (cut) throw answerCut(upstream);
  const text = typeof body === 'string' ? body : '';
  if (dripInterval !== undefined) await drip(upstream, text.length, dripInterval);
  return { status, headers, text };
}

/** The path for a request without a path. Only requests to the BRP have none, because it has one operation. */
const BRP_PATH = '/haalcentraal/api/brp/personen';

/**
 * Waits as long as it takes to receive a JSON answer of `length` characters, one per `every` milliseconds. Throws when
 * `every` is longer than the timeout of a body.
 */
export async function drip(upstream: UpstreamName, length: number, every: number): Promise<void> {
  if (every > TIMING.body)
    throw new UpstreamFailure(upstream, 'unreadable', 'body: UND_ERR_BODY_TIMEOUT', { lost: true });
  await new Promise((resolve) => setTimeout(resolve, every * Math.max(1, length)));
}
