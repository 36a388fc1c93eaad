import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Call } from '../../src/ports/call.ts';
import type { Timing } from '../../src/ports/timing.ts';
import type { NotUnderstood } from '../../src/wire/not-understood.ts';
import type { UpstreamRequest } from './request.ts';

/** What an upstream call and its retry have in common. */
export interface CallContext {
  readonly call: Call;
  readonly spanId: string;
  /** The status to which `UpstreamRequest.otherwise` gave a meaning, for the record of the call. */
  expectedStatus: number | undefined;
  notUnderstood: readonly NotUnderstood[] | undefined;
}

/**
 * Headers of the request replace those in `defaultHeaders`, and these replace what the function makes itself, such as
 * `authorization`.
 */
export function requestOptions(url: URL, defaultHeaders: Readonly<Record<string, string>>, timing: Timing) {
  const { origin } = url;
  const base = url.pathname.replace(/\/$/, '');

  return function optionsOf(
    { method, path = '', content, body, headers, headersTimeout = 'headers' }: UpstreamRequest<unknown>,
    { call, spanId }: CallContext,
    bodyTimeout: number,
    authorization: string | undefined,
  ): Dispatcher.RequestOptions {
    const sent: Record<string, string> = {
      accept: 'application/json',
      traceparent: `00-${call.traceId}-${spanId}-${call.traceFlags}`,
    };
    if (call.tracestate !== undefined) sent.tracestate = call.tracestate;
    if (body !== undefined) sent['content-type'] = 'application/json';
    if (content !== undefined) {
      sent['content-type'] = content.type;
      sent['content-length'] = String(content.length);
    }
    if (authorization !== undefined) sent.authorization = authorization;
    return {
      origin,
      method,
      path: path === '' ? url.pathname : base + path,
      headers: Object.assign(sent, defaultHeaders, headers),
      // undici takes any iterable, though its types do not say so.
      body: content === undefined ? toJson(body) : (content.bytes() as AsyncIterable<Uint8Array> & Readable),
      headersTimeout: timing[headersTimeout],
      bodyTimeout,
    };
  };
}

const toJson = (body: unknown): string | null => (body === undefined ? null : JSON.stringify(body));
