import type { Dispatcher } from 'undici';
import { Pool } from 'undici';
import type { CreatePool } from '../../adapters/http/client.ts';
import { parseSimulatedJson } from '../transport/operation.ts';
import type { AnsweredCall } from './recorder.ts';

/**
 * Returns a function that creates a connection pool to a real upstream. The pool calls `report` with each call that was
 * answered completely. The service gets each answer unchanged.
 */
export const createRecordingPool =
  (bron: AnsweredCall['bron'], report: (call: AnsweredCall) => void): CreatePool =>
  (origin, options) => {
    const recording: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (request, handler) =>
      dispatch(
        request,
        watchAnswer(handler, (status, text) => report(callOf(bron, request, status, text))),
      );
    // Apart from `dispatch`, a composed dispatcher is the pool itself; the types of undici do not say so.
    return new Pool(origin, options).compose(recording) as Pool;
  };

function callOf(
  bron: AnsweredCall['bron'],
  { method, path, body }: Dispatcher.DispatchOptions,
  status: number,
  text: string,
): AnsweredCall {
  return {
    bron,
    method,
    path: path.replace(/\?.*/, ''),
    request: typeof body === 'string' ? parseSimulatedJson(body) : undefined,
    status,
    answer: parseSimulatedJson(text),
  };
}

/**
 * Returns an undici handler that passes all events of a call on to `handler`. When the answer is complete, it first
 * calls `done` with the status and the body.
 */
function watchAnswer(
  handler: Dispatcher.DispatchHandler,
  done: (status: number, text: string) => void,
): Dispatcher.DispatchHandler {
  let status = 0;
  const chunks: Buffer[] = [];
  return {
    onRequestStart: (...event) => handler.onRequestStart?.(...event),
    onRequestUpgrade: (...event) => handler.onRequestUpgrade?.(...event),
    onResponseStart(controller, code, ...event) {
      status = code;
      handler.onResponseStart?.(controller, code, ...event);
    },
    onResponseData(controller, chunk) {
      chunks.push(Buffer.from(chunk));
      handler.onResponseData?.(controller, chunk);
    },
    onResponseEnd(...event) {
      done(status, Buffer.concat(chunks).toString());
      handler.onResponseEnd?.(...event);
    },
    onResponseError: (...event) => handler.onResponseError?.(...event),
  };
}
