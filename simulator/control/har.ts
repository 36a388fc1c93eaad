import type { Entry } from '../worlds/journal.ts';

/** What is not there is empty in HAR: nothing in it is optional that a reader may expect. */
const NOTHING_MORE = { cookies: [], headersSize: -1 };

/** HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/): what browsers and proxies read. What is ours begins with `_`. */
export const toHar = (entries: readonly Entry[]) => ({
  log: {
    version: '1.2',
    creator: { name: 'zorgregister-bff', version: '1.0.0' },
    entries: entries.map((entry) => {
      const { request, response, ms } = entry;
      const url = urlOf(request);
      return {
        startedDateTime: entry.at,
        time: ms,
        request: {
          method: request.method,
          url: url.href,
          httpVersion: 'HTTP/1.1',
          headers: pairs(request.headers),
          queryString: [...url.searchParams].map(([name, value]) => ({ name, value })),
          bodySize: sizeOf(request.headers),
          ...NOTHING_MORE,
          ...(request.body !== null && { postData: postDataOf(request, request.body) }),
        },
        response: {
          // Of a call that was broken off HAR knows no status.
          status: response.status === 499 ? 0 : response.status,
          statusText: '',
          httpVersion: 'HTTP/1.1',
          headers: pairs(response.headers),
          redirectURL: '',
          bodySize: sizeOf(response.headers),
          ...NOTHING_MORE,
          content: {
            size: Math.max(0, sizeOf(response.headers)),
            mimeType: response.headers['content-type'] ?? '',
            ...(response.body !== null && { text: response.body }),
            ...(response.truncated && { comment: 'ingekort' }),
          },
        },
        cache: {},
        timings: { send: 0, wait: ms, receive: 0 },
        _world: entry.world,
        _caller: entry.caller,
        _operation: entry.operation,
        _problem: entry.problem,
        _upstream: entry.upstream,
        _why: entry.why,
        _traceId: entry.traceId,
      };
    }),
  },
});

function urlOf({ headers, path }: Entry['request']): URL {
  const base = `http://${headers.host ?? 'localhost'}`;
  // A URL as RFC 3986 has it, which is stricter than what browsers send.
  const strict = path.replace(/[|^`{}"<>\\…]/g, encodeURIComponent);
  return URL.canParse(strict, base) ? new URL(strict, base) : new URL('http://localhost');
}

const pairs = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

const sizeOf = (headers: Readonly<Record<string, string>>): number => Number(headers['content-length'] ?? -1);

function postDataOf({ headers, truncated }: Entry['request'], body: string) {
  const mimeType = headers['content-type'] ?? '';
  const comment = truncated ? { comment: 'ingekort' } : {};
  if (!mimeType.startsWith('multipart/')) return { mimeType, text: body, ...comment };
  const { fields, file } = JSON.parse(body) as {
    fields: Record<string, string | null>;
    file: { name: string } | null;
  };
  const params = Object.entries(fields).map(([name, value]) => ({ name, value: value ?? '' }));
  return { mimeType, params: [...params, ...(file === null ? [] : [{ name: 'file', fileName: file.name }])] };
}
