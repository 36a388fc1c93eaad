import { HttpResponse, http, type RequestHandler } from 'msw';
import { announcedLength, chunksOf } from './chunks.ts';
import type { Delivery } from './delivery.ts';

/** Returns one MSW handler that answers every request with what `respond` returns for it. */
export const handlerOf = (respond: (request: Request) => Promise<Delivery>): RequestHandler =>
  http.all('*', async ({ request }) => responseOf(await respond(request), request.method));

/**
 * Converts what a simulated upstream sends to a `Response`. A reset connection becomes `HttpResponse.error()`; when the
 * upstream sends nothing, the promise never settles.
 */
export async function responseOf(delivery: Delivery, method: string): Promise<Response> {
  if (delivery.kind === 'reset') return HttpResponse.error();
  if (delivery.kind === 'silence') return new Promise(() => undefined);
  const { status, body } = delivery;
  if (status === 204) return new Response(null, { status, headers: delivery.headers });
  const headers = { ...delivery.headers, 'content-length': String(announcedLength(delivery)) };
  if (method === 'HEAD') return new Response(null, { status, headers });
  const isWhole = delivery.cut === undefined && delivery.dripInterval === undefined;
  return isWhole && (body === null || typeof body === 'string')
    ? new Response(body, { status, headers })
    : new Response(ReadableStream.from(chunksOf(delivery)), { status, headers });
}
