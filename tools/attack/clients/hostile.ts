/**
 * Invalid or hostile requests, and the statuses with which the service may answer. A request that must be refused is wrong
 * in one thing only, and stands beside the same request without that: the service would accept both without its check.
 */
import { randomUUID } from 'node:crypto';
import { pdf } from '../../../test/support/files.ts';

const PATH = '/api/v1/applications';
const UPLOADS = '/api/v1/uploads';
const DRAFT = '{"type":"herregistratie"}';
const CHUNKS = `${DRAFT.length.toString(16)}\r\n${DRAFT}\r\n0\r\n\r\n`;
const PDF = pdf().toString('latin1');

/** Bytes to send, and the statuses that are allowed. The service answers once and closes the connection. */
export interface SentBytes {
  readonly bytes: string;
  readonly statuses: readonly number[];
}

/** A hostile request. `right` is the same request without what is wrong with it; absent when nothing is. */
export interface HostileRequest extends SentBytes {
  readonly right?: SentBytes;
}

/** Access tokens and data of those who send the requests. */
export interface Senders {
  /** Token of a professional, and the same token signed with a key that is in its own header. */
  readonly token: string;
  readonly forged: string;
  /** Tokens of a drafter and an administrator, both members of staff. */
  readonly drafter: string;
  readonly admin: string;
  /** Id of a draft of the professional. */
  readonly draft: string;
  /** Ids of two documents of the professional. The second one is deleted. */
  readonly documents: readonly [string, string];
}

/** The bytes of a request; or those of a wrong request, and of the right one beside it. */
type Bytes = string | readonly [wrong: string, right: string];

/** Returns the requests, keyed by name. */
export function hostileRequests({
  token,
  forged,
  drafter,
  admin,
  draft,
  documents,
}: Senders): Readonly<Record<string, HostileRequest>> {
  const bearer = (value: string) => `Host: localhost\r\nAuthorization: Bearer ${value}\r\n`;
  const HEAD = bearer(token);
  const CLOSE = 'Connection: close\r\n';
  const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\n${HEAD}${CLOSE}${more}\r\n`;
  const sized = (length: string, body = DRAFT, to = `POST ${PATH}`) =>
    `${to} HTTP/1.1\r\n${HEAD}${CLOSE}Content-Type: application/json\r\n${length}\r\n\r\n${body}`;
  const send = (to: string, body: string, type: string, more = '') =>
    `${to} HTTP/1.1\r\n${HEAD}${CLOSE}Content-Type: ${type}\r\n${more}Content-Length: ${Buffer.byteLength(body, 'latin1')}\r\n\r\n${body}`;
  const post = (body: string, type = 'application/json', more = '') => send(`POST ${PATH}`, body, type, more);
  /** Saves the draft, whose content may be anything. */
  const put = (content: string, more = '') =>
    send(`PUT ${PATH}/${draft}`, `{"draft":${content},"stepIndex":0,"stepCount":3}`, 'application/json', more);
  const chunked = (body = CHUNKS, coding = 'chunked', version = '1.1', more = '') =>
    `POST ${PATH} HTTP/${version}\r\n${HEAD}${CLOSE}Content-Type: application/json\r\nTransfer-Encoding: ${coding}\r\n${more}\r\n${body}`;
  const plain = (method: string, path = PATH) => `${method} ${path} HTTP/1.1\r\n${HEAD}${CLOSE}\r\n`;
  const form = (body: string, boundary = 'b') =>
    send(`POST ${UPLOADS}`, body.replaceAll('--b', `--${boundary}`), `multipart/form-data; boundary=${boundary}`);
  const field = (name: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  /** The fields of a form, by default with an id of its own: two forms with one id would wait for each other. */
  const fields = (localId: string = randomUUID()) =>
    field('wizardId', 'herregistratie') + field('categoryId', 'werkervaring') + field('localId', localId);
  const file = (name = 'verklaring.pdf', more = '') =>
    `--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n${more}\r\n${PDF}\r\n`;
  const FORM = `${fields()}${file()}--b--\r\n`;
  const unsigned = (header: object, payload: string) =>
    [JSON.stringify(header), payload]
      .map((part) => Buffer.from(part).toString('base64url'))
      .join('.')
      .concat('.c2ln');
  const answered = (statuses: readonly number[], requests: Record<string, string>): [string, HostileRequest][] =>
    Object.entries(requests).map(([name, bytes]) => [name, { bytes, statuses }]);
  /** Requests that must be refused. `right` is the request beside those that have none of their own. */
  const refused = (
    statuses: readonly number[],
    right: string,
    accepted: readonly number[],
    requests: Record<string, Bytes>,
  ): [string, HostileRequest][] =>
    Object.entries(requests).map(([name, bytes]) => {
      const [wrong, own] = typeof bytes === 'string' ? [bytes, right] : bytes;
      return [name, { bytes: wrong, statuses, right: { bytes: own, statuses: accepted } }];
    });
  return Object.fromEntries([
    // Framing (RFC 9112, 6): what a gateway before this service could read in another way.
    ...refused([400], post(DRAFT), [201], {
      'two lengths': sized(`Content-Length: ${DRAFT.length}\r\nContent-Length: ${DRAFT.length + 1}`, `${DRAFT} `),
      'a list of lengths': sized(`Content-Length: ${DRAFT.length}, ${DRAFT.length}`),
      'a length with a sign': sized(`Content-Length: +${DRAFT.length}`),
      'a length of twenty digits': sized('Content-Length: 99999999999999999999'),
    }),
    ...refused([400], get(PATH, 'Content-Length: 0\r\n'), [200], {
      'a negative length': get(PATH, 'Content-Length: -0\r\n'),
      'a length with an exponent': get(PATH, 'Content-Length: 0e1\r\n'),
      'a hexadecimal length': get(PATH, 'Content-Length: 0x0\r\n'),
    }),
    ...refused([400], chunked(), [201], {
      'Content-Length and Transfer-Encoding': `${chunked(CHUNKS, 'chunked', '1.1', `Content-Length: ${CHUNKS.length}\r\n`)}GET /x HTTP/1.1\r\n\r\n`,
      'HTTP/1.0 with a transfer coding': chunked(CHUNKS, 'chunked', '1.0'),
      'a chunk size that ends with a bare line feed': chunked(CHUNKS.replace('\r\n', ';\n')),
      'a chunk size with a prefix': chunked(`0x${CHUNKS}`),
      'a chunk size of seventeen digits': chunked(CHUNKS.replace('\r\n', 'FFFFFFFFFFFFFFF\r\n')),
    }),
    ...refused([501], chunked(), [201], {
      'an obscured transfer coding': chunked(CHUNKS, 'xchunked'),
      'a packed transfer coding': chunked(CHUNKS, 'gzip, chunked'),
      'the transfer coding identity': chunked(CHUNKS, 'identity'),
      'chunked twice': chunked(CHUNKS, 'chunked, chunked'),
      'a second transfer coding header': chunked(CHUNKS, 'chunked\r\nTransfer-Encoding: identity'),
      'a packed transfer coding in a header of its own': chunked(CHUNKS, 'gzip\r\nTransfer-Encoding: chunked'),
    }),
    ...refused([400], get(PATH, 'X: ab\r\n'), [200], {
      'bare line feeds': get(PATH).replaceAll('\r\n', '\n'),
      'a bare carriage return in a header': get(PATH, 'X: a\rb\r\n'),
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
    ...answered([201], {
      'a trailer': chunked(CHUNKS.replace(/\r\n$/, 'X: a\r\n\r\n')),
      'chunks of one byte with extensions': chunked(`${'1;a="b;c"\r\n \r\n'.repeat(1_500)}${CHUNKS}`),
      'an unknown expectation': post(DRAFT, 'application/json', 'Expect: 200-ok\r\n'),
    }),
    ...refused([400, 431], '', [201], {
      'a chunk extension of 20,000 characters': [
        chunked(CHUNKS.replace('\r\n', `;a=${'b'.repeat(20_000)}\r\n`)),
        chunked(CHUNKS.replace('\r\n', `;a=${'b'.repeat(2_000)}\r\n`)),
      ],
      'a trailer of 100,000 characters': [
        chunked(CHUNKS.replace(/\r\n$/, `X: ${'a'.repeat(100_000)}\r\n\r\n`)),
        chunked(CHUNKS.replace(/\r\n$/, `X: ${'a'.repeat(1_000)}\r\n\r\n`)),
      ],
      '20,000 trailers': [
        chunked(CHUNKS.replace(/\r\n$/, `${'X: a\r\n'.repeat(20_000)}\r\n`)),
        chunked(CHUNKS.replace(/\r\n$/, `${'X: a\r\n'.repeat(20)}\r\n`)),
      ],
    }),
    ...answered([200], {
      'an upgrade to a web socket': get(PATH, 'Upgrade: websocket\r\nSec-WebSocket-Key: x\r\n'),
      'an upgrade to HTTP/2': get(PATH, 'Upgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'),
      '3,000 entity tags': get(PATH, `If-None-Match: ${'"a",'.repeat(3_000)}"b"\r\n`),
      '12,000 quotation marks as entity tags': get(PATH, `If-None-Match: ${'"'.repeat(12_000)}\r\n`),
      'ranges of a list': get(PATH, `Range: bytes=${'0-0,'.repeat(3_000)}0-0\r\n`),
      '1,000 ranges of a document': get(
        `${UPLOADS}/${documents[0]}/content`,
        `Range: bytes=${'0-1,'.repeat(1_000)}0-0\r\n`,
      ),
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
      '2,500 media types': get(PATH, `Accept: ${'a/b;q=0.1,'.repeat(1_200)}*/*\r\n`),
      'an Accept of parameters': get(PATH, `Accept: application/json${';a="\\"'.repeat(1_500)}\r\n`),
      'one parameter 6,000 times': get(`/api/v1/uploads/status?${'a&'.repeat(6_000)}`),
    }),
    ...refused([431], '', [200], {
      'headers of 1 MiB': [get(PATH, `X: ${'a'.repeat(1 << 20)}\r\n`), get(PATH, `X: ${'a'.repeat(12_000)}\r\n`)],
      'ten thousand headers': [get(PATH, 'X: a\r\n'.repeat(10_000)), get(PATH, 'X: a\r\n'.repeat(100))],
      'a URL of 17,000 characters': [get(`${PATH}?${'a'.repeat(17_000)}`), get(`${PATH}?${'a'.repeat(12_000)}`)],
    }),
    // Each is nearly as long as a URL may be. A router that is not linear would keep the others waiting.
    ...refused([404], get(PATH), [200], { 'a path of 12,000 slashes': get(`${'/'.repeat(12_000)}${PATH}`) }),
    // No host has a user name (RFC 9112, 3.2).
    ...refused([400], get(PATH), [200], {
      'a host with a user name': get(PATH).replace('Host: localhost', 'Host: localhost@evil.example'),
    }),
    ...refused([421], get(`http://localhost${PATH}`), [200], {
      'another host in the request target': get(`http://evil.example${PATH}`),
      'an empty host': get(PATH).replace('Host: localhost', 'Host:'),
    }),
    ...refused([405], plain('GET'), [200], {
      TRACE: plain('TRACE'),
      PROPFIND: plain('PROPFIND'),
      PATCH: plain('PATCH'),
      'HEAD of what only takes POST': [plain('HEAD', '/api/v1/intakes'), plain('HEAD')],
      'a tunnel': 'CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\n\r\n',
    }),
    ...answered([204], {
      'a preflight of another origin': `OPTIONS ${PATH} HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\nAccess-Control-Request-Method: PUT\r\n${CLOSE}\r\n`,
    }),
    // Callers.
    ...refused([401], get(PATH), [200], {
      'two tokens': get(PATH, `Authorization: Bearer ${token}\r\n`),
      'two tokens in one header': get(PATH).replace(token, `${token}, Bearer ${token}`),
      'a token in the query': `GET ${PATH}?access_token=${token} HTTP/1.1\r\nHost: localhost\r\n${CLOSE}\r\n`,
      'a token in a cookie': `GET ${PATH} HTTP/1.1\r\nHost: localhost\r\nCookie: token=${token}\r\n${CLOSE}\r\n`,
      'a token without its signature': get(PATH).replace(token, `${token.split('.').slice(0, 2).join('.')}.`),
      'a token with a key of its own': get(PATH).replace(token, forged),
      'a token in a trailer': [
        chunked(CHUNKS.replace(/\r\n$/, `Authorization: Bearer ${token}\r\n\r\n`)).replace(/Authorization.*?\r\n/, ''),
        get(PATH),
      ],
      'the stand-in': `GET ${PATH} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer dev\r\nX-Subject: sanne-de-wit\r\n${CLOSE}\r\n`,
      // Tokens that are wrong in more than one way, and must not cost much.
      'a token of 12,000 dots': get(PATH).replace(token, '.'.repeat(12_000)),
      'a token with claims of 4,000 levels': get(PATH).replace(
        token,
        unsigned({ alg: 'PS256', kid: 'one' }, '['.repeat(4_000)),
      ),
      'a token with a kid of 6,000 characters': get(PATH).replace(
        token,
        unsigned({ alg: 'PS256', kid: '../'.repeat(2_000) }, '{}'),
      ),
    }),
    ...refused([403], '', [200, 204], {
      'a token of staff for a citizen': [get(PATH).replace(token, drafter), get(PATH)],
      'a token of a citizen for a letter': [get('/api/v1/brief'), get('/api/v1/brief').replace(token, drafter)],
      'a token of a citizen for an administrator': [
        plain('DELETE', `/api/v1/admin/uploads/${documents[1]}`),
        plain('DELETE', `/api/v1/admin/uploads/${documents[1]}`).replace(token, admin),
      ],
    }),
    // Ids and paths.
    ...refused([404], get(`${PATH}/${draft}`), [200], {
      'a NUL after an id': get(`${PATH}/${draft}%00`),
      'a path out of the folder': get(`${PATH}/..%2f..%2f..%2fetc%2fpasswd`),
      'a path with an encoded slash': get(`${PATH}%2f${draft}`),
      'encoded dots in a path': get(`${PATH}/%2e%2e/applications/${draft}`),
      'a wrong escape after an id': get(`${PATH}/${draft}%zz`),
      'overlong UTF-8 sequences as dots': get(`${PATH}/%c0%ae%c0%ae/applications/${draft}`),
      'a full-width slash': get(`${PATH}%EF%BC%8F${draft}`),
      'a line break after an id': get(`${PATH}/${draft}%0d%0aX:y`),
      'an id of 8,000 characters': get(`${PATH}/${draft}${'a'.repeat(8_000)}`),
      'a combining accent after an id': get(`${PATH}/${draft}%CC%81`),
      'a path with double slashes': get(`//api//v1//applications/${draft}`),
      'a path in capitals': get(`/API/V1/applications/${draft}`),
      'an encoded path': get(`/api/v1/%61pplications/${draft}`),
      'the control API of the simulator': get('/_simulator/worlds'),
      'the metrics on the public port': get('/metrics'),
    }),
    // Bodies.
    ...refused([400], put('{"a":1}'), [204], {
      'nesting of 100,000 levels': [
        put('['.repeat(100_000) + ']'.repeat(100_000)),
        put(`${'['.repeat(30)}${']'.repeat(30)}`),
      ],
      'nesting of 5,000 objects': [
        put(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`),
        put(`${'{"a":'.repeat(30)}1${'}'.repeat(30)}`),
      ],
      '20,000 members': [put(`{${members(20_000)}}`), put(`{${members(19_000)}}`)],
      'bytes that are not UTF-8': [put('"\xff\xfe"'), put('"\xc3\xa9"')],
    }),
    ...refused([413], put(`"${'a'.repeat(9_000)}"`), [204], {
      'a string of 263,000 characters': put(`"${'a'.repeat(263_000)}"`),
    }),
    ...refused([412], '', [204], {
      'a change with 1,000 entity tags': [
        put('1', `If-Match: ${'"9999",'.repeat(1_000)}"9999"\r\n`),
        put('1', `If-Match: ${Array.from({ length: 1_000 }, (_, n) => `"${n + 1}"`).join(',')}\r\n`),
      ],
    }),
    ...answered([204], {
      'a lone surrogate': put('"\\ud800"'),
      'a NUL': put('"\\u0000"'),
      'a right-to-left override': put('"\\u202e"'),
      'an infinite number': put('1e999'),
    }),
    ...refused([400], post(DRAFT), [201], {
      'an unknown member __proto__': post('{"type":"herregistratie","__proto__":{"x":1}}'),
      'an escaped member __proto__': post('{"type":"herregistratie","\\u005f_proto__":{"x":1}}'),
      'a type that every object has': post('{"type":"toString"}'),
      'UTF-16': post(Buffer.from(DRAFT, 'utf16le').toString('latin1')),
      'text after the JSON': post(`${DRAFT}x`),
      'no body': post(''),
      'two idempotency keys': [
        post(DRAFT, 'application/json', 'Idempotency-Key: a\r\nIdempotency-Key: b\r\n'),
        post(DRAFT, 'application/json', 'Idempotency-Key: a\r\n'),
      ],
      'an idempotency key of 256 characters': [
        post(DRAFT, 'application/json', `Idempotency-Key: ${'a'.repeat(256)}\r\n`),
        post(DRAFT, 'application/json', `Idempotency-Key: ${'a'.repeat(255)}\r\n`),
      ],
    }),
    ...refused([415], post(DRAFT), [201], {
      'two content types': post(DRAFT, 'application/json', 'Content-Type: text/plain\r\n'),
      'two content types in one header': post(DRAFT, 'application/json, text/plain'),
      'two charsets': post(DRAFT, 'application/json; charset=utf-8; charset=utf-16'),
      'another charset': post(DRAFT, 'application/json; charset=utf-16'),
      'a packed body': post(DRAFT, 'application/json', 'Content-Encoding: gzip\r\n'),
    }),
    // Forms.
    ...refused([415], form(FORM, 'b'.repeat(70)), [200, 201], {
      'a boundary of 10,000 characters': form(FORM, 'b'.repeat(10_000)),
    }),
    ...refused([400, 413], form(FORM), [200, 201], {
      'a field of 1 MiB before a file': form(`${fields('a'.repeat(1 << 20))}${file()}--b--\r\n`),
      'a field in 2,000 parts': form(`${fields().repeat(667)}${file()}--b--\r\n`),
      'a part with headers of 200,000 characters': [
        form(`${fields()}${file('verklaring.pdf', `X: ${'a'.repeat(200_000)}\r\n`)}--b--\r\n`),
        form(`${fields()}${file('verklaring.pdf', `X: ${'a'.repeat(2_000)}\r\n`)}--b--\r\n`),
      ],
      'a field named __proto__': form(`${fields()}${field('__proto__', 'x')}${file()}--b--\r\n`),
      'a form without an end': form(FORM.replace('--b--\r\n', '')),
    }),
    ...answered([200, 201], {
      'a file before its fields': form(`${file()}${fields()}--b--\r\n`),
      'a file name of a decomposed accent and a path': form(`${fields()}${file('../e\xcc\x81.pdf')}--b--\r\n`),
    }),
  ]);
}

/** Returns this number of members of a JSON object. */
const members = (count: number): string => Array.from({ length: count }, (_, n) => `"k${n}":1`).join(',');
