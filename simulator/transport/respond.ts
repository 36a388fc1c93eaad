import { rm } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { World } from '../worlds/index.ts';
import type { Delivery } from './delivery.ts';
import type { Dispatch } from './dispatch.ts';
import { parseSimulatedJson, type ReceivedBody, type RequestHeaders } from './operation.ts';

/** `body` is a text, a stream (which may not have arrived completely), or null. */
export interface UnreadRequest {
  readonly method: string;
  /** Path and query of the request. */
  readonly url: string;
  readonly headers: RequestHeaders;
  readonly body: string | AsyncIterable<Uint8Array> | null;
}

export type StreamedRequest = UnreadRequest & { readonly body: AsyncIterable<Uint8Array> };

/** A function that reads the body of a request to its end and returns its parsed content. */
export type Receive = (request: StreamedRequest) => Promise<ReceivedBody>;

/** Returns a promise only when there is something to wait for. */
export type Respond = (world: World, request: UnreadRequest) => Delivery | Promise<Delivery>;

/**
 * Returns a function that parses the body of a request and passes the request to `dispatch`. A body that is a stream is
 * read by `receive`. A file that came with the request is deleted afterwards, unless the operation has moved it.
 */
export function responder(dispatch: Dispatch, receive: Receive = receiveJson): Respond {
  async function receiveAndRespond(world: World, request: StreamedRequest): Promise<Delivery> {
    const received = await receive(request);
    try {
      return await dispatch(world, { ...request, ...received });
    } finally {
      // An operation moves the file when it accepts it. A file that is still here was refused, or the call failed.
      if (received.file !== undefined) await rm(received.file.path, { force: true });
    }
  }

  return (world, request) => {
    const { method, url, headers, body } = request;
    if (body !== null && typeof body !== 'string') return receiveAndRespond(world, { ...request, body });
    return dispatch(world, { method, url, headers, body: body === null ? undefined : parseSimulatedJson(body) });
  };
}

/** Reads a request body into memory and parses it as JSON. `body` of the result is undefined when it is not JSON. */
const receiveJson: Receive = async ({ body }) => ({ body: parseSimulatedJson(await text(body)) });
