/** Invalid or hostile requests, and the statuses with which the service may answer. */

const PATH = '/api/v1/applications';
const UPLOADS = '/api/v1/uploads';
const DRAFT = '{"type":"herregistratie"}';

/** Bytes to send, and the statuses that are allowed. The service answers once and closes the connection. */
export interface HostileRequest {
  readonly bytes: string;
  readonly statuses: readonly number[];
}

/**
 * Returns the requests, keyed by name. They use the access token of a professional (`token`) and that of a member of
 * staff (`staff`).
 */
export function hostileRequests(token: string, staff: string): Readonly<Record<string, HostileRequest>> {
  const bearer = (value: string) => `Host: localhost\r\nAuthorization: Bearer ${value}\r\n`;
  const HEAD = bearer(token);
  const CLOSE = 'Connection: close\r\n';
  const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\n${HEAD}${CLOSE}${more}\r\n`;
  const sized = (length: string, body = DRAFT) =>
    `POST ${PATH} HTTP/1.1\r\n${HEAD}${CLOSE}Content-Type: application/json\r\n${length}\r\n\r\n${body}`;
  const post = (body: string, type = 'application/json', more = '') =>
    `POST ${PATH} HTTP/1.1\r\n${HEAD}${CLOSE}Content-Type: ${type}\r\n${more}Content-Length: ${Buffer.byteLength(body, 'latin1')}\r\n\r\n${body}`;
  const chunked = (body: string, coding = 'chunked', version = '1.1') =>
    `POST ${PATH} HTTP/${version}\r\n${HEAD}${CLOSE}Content-Type: application/json\r\nTransfer-Encoding: ${coding}\r\n\r\n${body}`;
  const plain = (method: string, more = '') => `${method} ${PATH} HTTP/1.1\r\n${HEAD}${CLOSE}${more}\r\n`;
  const form = (body: string) => post(body, 'multipart/form-data; boundary=b').replace(PATH, UPLOADS);
  const field = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`;
  const unsigned = (header: object, payload: string) =>
    [JSON.stringify(header), payload]
      .map((part) => Buffer.from(part).toString('base64url'))
      .join('.')
      .concat('.c2ln');
  const all = (statuses: readonly number[], requests: Record<string, string>): [string, HostileRequest][] =>
    Object.entries(requests).map(([name, bytes]) => [name, { bytes, statuses }]);
  return Object.fromEntries([
    // Framing (RFC 9112, 6): what a gateway before this service could read in another way.
    ...all([400], {
      'Content-Length and Transfer-Encoding': `POST ${PATH} HTTP/1.1\r\n${HEAD}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\n\r\n`,
      'two lengths': sized('Content-Length: 2\r\nContent-Length: 3'),
      'a list of lengths': sized('Content-Length: 25, 25'),
      'a length with a sign': sized('Content-Length: +25'),
      'a negative length': sized('Content-Length: -1'),
      'a length with an exponent': sized('Content-Length: 2e1'),
      'a hexadecimal length': sized('Content-Length: 0x19'),
      'a length of twenty digits': sized('Content-Length: 99999999999999999999'),
      'an obscured transfer coding': chunked('0\r\n\r\n', 'xchunked'),
      'chunked twice': chunked('0\r\n\r\n', 'chunked, chunked'),
      'a second transfer coding header': chunked('0\r\n\r\n', 'chunked\r\nTransfer-Encoding: identity'),
      'HTTP/1.0 with a transfer coding': chunked('0\r\n\r\n', 'chunked', '1.0'),
      'a chunk extension of 20,000 characters': chunked(`2;a=${'b'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`),
      'a chunk size that ends with a bare line feed': chunked('2;\n{}\r\n0\r\n\r\n'),
      'a chunk size with a prefix': chunked('0x2\r\n{}\r\n0\r\n\r\n'),
      'a chunk size of seventeen digits': chunked('FFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n'),
      'a bare line feed in a header': `GET ${PATH} HTTP/1.1\nHost: localhost\nX: a\rb\n\n`,
      'a folded header': get(PATH, 'X: a\r\n b\r\n'),
      'a space before a colon': get(PATH, 'X : a\r\n'),
      'a NUL in a header': get(PATH, 'X: a\0b\r\n'),
      'an escape sequence in a header': get(PATH, 'User-Agent: \x1b[31mred\r\n'),
      'HTTP/9.9': get(PATH).replace('HTTP/1.1', 'HTTP/9.9'),
      'HTTP/2 without being asked': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      'a TLS handshake': '\x16\x03\x01\x00\x05hello',
      'two hosts': get(PATH, 'Host: localhost\r\n'),
      'a fragment in the request target': get(`${PATH}#x`),
      'a fragment after a path that looks like a host': get(`//user@localhost${PATH}#`),
      'a fragment after an invalid host': get('//user@[/#'),
    }),
    // What HTTP allows, and nobody needs here.
    ...all([400], {
      'a packed transfer coding': chunked('2\r\n{}\r\n0\r\n\r\n', 'gzip, chunked'),
      'a trailer': chunked('2\r\n{}\r\n0\r\nX: a\r\n\r\n'),
      'chunks of one byte with extensions': chunked(`${'1;a="b;c"\r\n \r\n'.repeat(1_500)}2\r\n{}\r\n0\r\n\r\n`),
    }),
    ...all([400, 431], {
      'a trailer of 100,000 characters': chunked(`2\r\n{}\r\n0\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`),
      '20,000 trailers': chunked(`2\r\n{}\r\n0\r\n${'X: a\r\n'.repeat(20_000)}\r\n`),
    }),
    ...all([415, 417], { 'an unknown expectation': plain('POST', 'Expect: 200-ok\r\n') }),
    ...all([200], {
      'an upgrade to a web socket': get(PATH, 'Upgrade: websocket\r\nSec-WebSocket-Key: x\r\n'),
      'an upgrade to HTTP/2': get(PATH, 'Upgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'),
      '3,000 entity tags': get(PATH, `If-None-Match: ${'"a",'.repeat(3_000)}"b"\r\n`),
      '12,000 quotation marks as entity tags': get(PATH, `If-None-Match: ${'"'.repeat(12_000)}\r\n`),
      'ranges of a list': get(PATH, `Range: bytes=${'0-0,'.repeat(3_000)}0-0\r\n`),
      'a trace state of 12,000 characters': get(
        PATH,
        `traceparent: 00-${'a'.repeat(32)}-${'b'.repeat(16)}-01\r\ntracestate: ${'a=b,'.repeat(3_000)}\r\n`,
      ),
      'another address in a forwarding header': get(
        PATH,
        'X-Forwarded-Host: evil.example\r\nForwarded: host=evil.example\r\n',
      ),
      'a query with __proto__': get('/api/v1/uploads/status?__proto__[x]=1&constructor=2&localIds=__proto__'),
      'a method in a header': get(PATH, 'X-HTTP-Method-Override: DELETE\r\n'),
    }),
    ...all([200, 406], {
      '2,500 media types': get(PATH, `Accept: ${'a/b;q=0.1,'.repeat(1_200)}*/*\r\n`),
      'an Accept of parameters': get(PATH, `Accept: application/json${';a="\\"'.repeat(1_500)}\r\n`),
    }),
    ...all([431], {
      'headers of 1 MiB': get(PATH, `X: ${'a'.repeat(1 << 20)}\r\n`),
      'ten thousand headers': get(PATH, 'X: a\r\n'.repeat(10_000)),
      'a URL of 17,000 characters': get(`${PATH}?${'a'.repeat(17_000)}`),
    }),
    // Each is nearly as long as a URL may be. A router or parser that is not linear would keep the others waiting.
    ...all([404], { 'a path of 12,000 slashes': get(`${'/'.repeat(12_000)}x`) }),
    ...all([200, 400], { 'one parameter 6,000 times': get(`/api/v1/uploads/status?${'a&'.repeat(6_000)}`) }),
    ...all([421], {
      'another host in the request target': get(`http://evil.example${PATH}`),
      'another host with a user name': get(PATH).replace('Host: localhost', 'Host: localhost@evil.example'),
      'an empty host': get(PATH).replace('Host: localhost', 'Host:'),
    }),
    ...all([405], {
      TRACE: plain('TRACE'),
      PROPFIND: plain('PROPFIND'),
      PATCH: plain('PATCH'),
      'HEAD of what only takes POST': `HEAD /api/v1/intakes HTTP/1.1\r\n${HEAD}${CLOSE}\r\n`,
      'a tunnel': 'CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\n\r\n',
    }),
    ...all([204], {
      'a preflight of another origin': `OPTIONS ${PATH} HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\nAccess-Control-Request-Method: PUT\r\n${CLOSE}\r\n`,
    }),
    // Callers.
    ...all([401], {
      'two tokens': get(PATH, `Authorization: Bearer ${token}\r\n`),
      'two tokens in one header': get(PATH).replace(token, `${token}, Bearer ${token}`),
      'a token in the query': `GET ${PATH}?access_token=${token} HTTP/1.1\r\nHost: localhost\r\n${CLOSE}\r\n`,
      'a token in a cookie': `GET ${PATH} HTTP/1.1\r\nHost: localhost\r\nCookie: token=${token}\r\n${CLOSE}\r\n`,
      'a token without its signature': get(PATH).replace(token, `${token.split('.').slice(0, 2).join('.')}.`),
      'a token of 12,000 dots': get(PATH).replace(token, '.'.repeat(12_000)),
      'a token with claims of 4,000 levels': get(PATH).replace(
        token,
        unsigned({ alg: 'PS256', kid: 'one' }, '['.repeat(4_000)),
      ),
      'a token with a key of its own': get(PATH).replace(
        token,
        unsigned({ alg: 'PS256', jku: 'http://127.0.0.1:1/', jwk: {} }, token.split('.')[1] ?? ''),
      ),
      'a token with a kid of 6,000 characters': get(PATH).replace(
        token,
        unsigned({ alg: 'PS256', kid: '../'.repeat(2_000) }, '{}'),
      ),
      'a token in a trailer': chunked(`2\r\n{}\r\n0\r\nAuthorization: Bearer ${token}\r\n\r\n`).replace(
        /Authorization.*?\r\n/,
        '',
      ),
      'the stand-in': `GET ${PATH} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer dev\r\nX-Subject: sanne-de-wit\r\n${CLOSE}\r\n`,
    }),
    ...all([403], {
      'a token of staff for a citizen': get(PATH).replace(token, staff),
      'a token of a citizen for a letter': get('/api/v1/brief'),
      'a token of a citizen for an administrator': `DELETE /api/v1/admin/uploads/x HTTP/1.1\r\n${HEAD}${CLOSE}\r\n`,
    }),
    // Ids and paths.
    ...all([404], {
      'a NUL in an id': get(`${PATH}/%00`),
      'a path out of the folder': get(`${PATH}/..%2f..%2f..%2fetc%2fpasswd`),
      'dots as id': get(`${PATH}/%2e%2e`),
      'a wrong escape in an id': get(`${PATH}/%zz`),
      'an overlong UTF-8 sequence in an id': get(`${PATH}/%c0%ae`),
      'a full-width slash in an id': get(`${PATH}/%EF%BC%8F`),
      'a line break in an id': get(`${PATH}/a%0d%0aX:y`),
      'an id of 8,000 characters': get(`${PATH}/${'a'.repeat(8_000)}`),
      'a path with double slashes': get('//api//v1//applications'),
      'a path in capitals': get('/API/V1/applications'),
      'an encoded path': get('/api/v1/%61pplications'),
      'the control API of the simulator': get('/_simulator/worlds'),
      'the metrics on the public port': get('/metrics'),
    }),
    // Bodies.
    ...all([400, 413], { 'nesting of 100,000 levels': post('['.repeat(100_000) + ']'.repeat(100_000)) }),
    ...all([400, 404], {
      '1,000 ranges of a document': get('/api/v1/uploads/x/content', `Range: bytes=${'0-1,'.repeat(1_000)}0-0\r\n`),
      'a change with 3,000 entity tags': sized(`Content-Length: 2\r\nIf-Match: ${'"a",'.repeat(3_000)}"b"`, '{}'),
      'an id that is decomposed Unicode': get(`${PATH}/e%CC%81`),
    }),
    ...all([400, 413], {
      'a field of 1 MiB before a file': form(`${field('localId')}${'a'.repeat(1 << 20)}\r\n--b--\r\n`),
      'a field in 2,000 parts': form(`${field('localId').repeat(2_000)}x\r\n--b--\r\n`),
      'a part with headers of 200,000 characters': form(`--b\r\nX: ${'a'.repeat(200_000)}\r\n\r\nx\r\n--b--\r\n`),
      'a field named __proto__': form(`${field('__proto__')}x\r\n--b--\r\n`),
      'a form without an end': form(`${field('wizardId')}intake`),
      'a file before its fields': form(
        '--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7\r\n--b--\r\n',
      ),
      'a file name of a decomposed accent and a path': form(
        '--b\r\nContent-Disposition: form-data; name="file"; filename="../e\xcc\x81.pdf"\r\n\r\nx\r\n--b--\r\n',
      ),
    }),
    ...all([413], { 'a string of 263,000 characters': post(`{"type":"${'a'.repeat(263_000)}"}`) }),
    ...all([400], {
      'nesting of 5,000 objects': post(`{"type":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`),
      '20,000 members': post(`{${Array.from({ length: 20_000 }, (_, n) => `"k${n}":1`).join(',')}}`),
      'an unknown member __proto__': post('{"type":"intake","__proto__":{"x":1}}'),
      'an escaped member __proto__': post('{"type":"intake","\\u005f_proto__":{"x":1}}'),
      'a type that every object has': post('{"type":"toString"}'),
      'a lone surrogate': post('{"type":"\\ud800"}'),
      'a NUL in a member': post('{"type":"intake\\u0000"}'),
      'a right-to-left override': post('{"type":"intake\\u202e"}'),
      'bytes that are not UTF-8': post('{"type":"\xff\xfe"}'),
      'UTF-16': post(Buffer.from(DRAFT, 'utf16le').toString('latin1')),
      'an infinite number': post('1e999'),
      'text after the JSON': post(`${DRAFT}x`),
      'no body': post(''),
      'two idempotency keys': post(DRAFT, 'application/json', 'Idempotency-Key: a\r\nIdempotency-Key: b\r\n'),
      'an idempotency key of 256 characters': post(
        DRAFT,
        'application/json',
        `Idempotency-Key: ${'a'.repeat(256)}\r\n`,
      ),
    }),
    ...all([415], {
      'a boundary of 10,000 characters': post('x', `multipart/form-data; boundary=${'b'.repeat(10_000)}`).replace(
        PATH,
        UPLOADS,
      ),
      'two content types': post(DRAFT, 'application/json', 'Content-Type: text/plain\r\n'),
      'two content types in one header': post(DRAFT, 'application/json, text/plain'),
      'two charsets': post(DRAFT, 'application/json; charset=utf-8; charset=utf-16'),
      'another charset': post(DRAFT, 'application/json; charset=utf-16'),
      'a packed body': post(DRAFT, 'application/json', 'Content-Encoding: gzip\r\n'),
    }),
  ]);
}
