import type { RecordedRequest } from '../worlds/journal.ts';

/** Members that HAR requires, with the values for "not known". A journal entry has no data for them. */
const REQUIRED_MEMBERS = { cookies: [], headersSize: -1 };

/** HTTP Archive 1.2, which browsers import. Members that are not in it begin with `_`, as it asks. */
export const toHar = (entries: readonly RecordedRequest[]) => ({
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
          headers: toPairs(request.headers),
          queryString: [...url.searchParams].map(([name, value]) => ({ name, value })),
          bodySize: sizeOf(request.headers),
          ...REQUIRED_MEMBERS,
          ...(request.body !== null && { postData: postDataOf(request, request.body) }),
        },
        response: {
          // HAR has no status for a connection that the client closed (499): it uses 0.
          status: response.status === 499 ? 0 : response.status,
          statusText: '',
          httpVersion: 'HTTP/1.1',
          headers: toPairs(response.headers),
          redirectURL: '',
          bodySize: sizeOf(response.headers),
          ...REQUIRED_MEMBERS,
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

function urlOf({ headers, path }: RecordedRequest['request']): URL {
  const base = `http://${headers.host ?? 'localhost'}`;
  // Browsers send some characters that RFC 3986 does not allow: these are percent-encoded.
  const strict = path.replace(/[|^`{}"<>\\…]/g, encodeURIComponent);
  return URL.canParse(strict, base) ? new URL(strict, base) : new URL('http://localhost');
}

const toPairs = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

/** Returns the `content-length` in bytes; -1 (unknown, in HAR) when the header is absent. */
const sizeOf = (headers: Readonly<Record<string, string>>): number => Number(headers['content-length'] ?? -1);

function postDataOf({ headers, truncated }: RecordedRequest['request'], body: string) {
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
