/** The part of XMLHttpRequest, which Node does not have, that the client uses. */
interface Xhr {
  responseType: string;
  readonly status: number;
  readonly response: ArrayBuffer;
  readonly upload: { addEventListener(type: 'progress', listener: (event: Progress) => void): void };
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  addEventListener(type: 'load' | 'error' | 'abort' | 'loadend', listener: () => void): void;
  send(body: unknown): void;
  abort(): void;
}
interface Progress {
  readonly loaded: number;
  readonly total: number;
}
declare const XMLHttpRequest: new () => Xhr;

/**
 * Returns a `fetch` that calls `onProgress` with the sent fraction of the body, from 0 to 1. The last call has 1, also
 * where the browser reports no progress, as for a request that a service worker answers. Without XMLHttpRequest, such
 * as in Node, it sends the request with `otherwise`, and calls `onProgress` with 1 after the response.
 */
export function fetchWithProgress(onProgress: (part: number) => void, otherwise: typeof fetch): typeof fetch {
  if (typeof XMLHttpRequest === 'undefined')
    return async (url, init) => {
      const response = await otherwise(url, init);
      onProgress(1);
      return response;
    };
  return (url, { method = 'GET', headers, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const request = new XMLHttpRequest();
      request.open(method, String(url));
      new Headers(headers).forEach((value, name) => {
        request.setRequestHeader(name, value);
      });
      request.responseType = 'arraybuffer';
      let sent = 0;
      const report = (part: number): void => {
        sent = part;
        onProgress(part);
      };
      request.upload.addEventListener('progress', ({ loaded, total }) => report(total > 0 ? loaded / total : 0));
      request.addEventListener('load', () => {
        resolve(answerOf(request));
        // After the answer is read: `onProgress` may abort the request, which empties its answer.
        if (sent < 1) report(1);
      });
      request.addEventListener('error', () => reject(new TypeError('the connection was lost')));
      request.addEventListener('abort', () => reject(signal?.reason));
      const stop = (): void => request.abort();
      signal?.addEventListener('abort', stop, { once: true });
      request.addEventListener('loadend', () => signal?.removeEventListener('abort', stop));
      request.send(body);
    });
}

function answerOf(request: Xhr): Response {
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().trim().split('\r\n')) {
    const [name = '', value = ''] = line.split(/: (.*)/s, 2);
    if (name !== '') headers.append(name, value);
  }
  return new Response(request.status === 204 ? null : request.response, { status: request.status, headers });
}
