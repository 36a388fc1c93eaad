import { EventEmitter, once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { readTrace } from '../../src/http/exchange.ts';
import { SECURITY_HEADERS } from '../../src/http/middleware/headers.ts';
import { createLogDestination, createLogger } from '../../src/startup/logger.ts';
import { pdf } from '../support/files.ts';
import { BOUNDARY, multipart, partsOf } from '../support/multipart.ts';
import { keep, pointersOf, startService, useService } from '../support/service.ts';
import { sendJson, startScriptedServer } from '../support/upstreams/scripted-server.ts';

const service = await useService();

const as = 'sanne-de-wit';

/** The text of a GET request, after which the connection is closed. */
const getText = (target: string, host = 'localhost', more = '') =>
  `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`;

describe('the response', () => {
  it.each([
    ['GET', '/api/v1/dashboard-view', 200],
    ['GET', '/health', 200],
    ['GET', '/api/v1/openapi.json', 200],
    ['HEAD', '/api/v1/dashboard-view', 200],
    ['OPTIONS', '/api/v1/dashboard-view', 204],
    ['POST', '/api/v1/dashboard-view', 405],
    ['GET', '/api/v1/nothing', 404],
    ['GET', '/', 404],
  ] as const)('to %s %s has status %i and the security headers', async (method, path, status) => {
    const reply = await service.call(method, path, { as });
    expect(reply.status).toBe(status);
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) expect(reply.headers[name.toLowerCase()]).toBe(value);
  });

  it.each([
    ['GET', '/api/v1/dashboard-view'],
    ['GET', '/api/v1/applications'],
    ['GET', '/api/v1/openapi.json'],
    ['POST', '/api/v1/dashboard-view'],
    ['OPTIONS', '/api/v1/dashboard-view'],
    ['GET', '/docs'],
  ])('to %s %s of a page has no header twice', async (method, path) => {
    const headers = { Authorization: 'Bearer dev', 'X-Subject': as, Origin: 'http://localhost:5173' };
    const sent = request(`${service.url}${path}`, { method, headers }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    const names = response.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
    expect(names).toEqual([...new Set(names)]);
    expect(names).toEqual(expect.arrayContaining(['date', 'vary', 'traceparent', 'content-security-policy']));
  });

  it.each([
    ['bytes that are not HTTP', 'NONSENSE\r\n\r\n', 400],
    ['a request without a host', 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['a request for two hosts', getText('/health', 'localhost', 'Host: localhost\r\n'), 400],
    ...[
      'localhost:99999999',
      'localhost:65536',
      'localhost:-1',
      'localhost:x',
      'localhost:1:2',
      'local host',
      '::1',
    ].map((host): [string, string, number] => [`a request for the host ${host}`, getText('/health', host), 400]),
    ['a request for another host', getText('/health', 'evil.example'), 421],
    ['a request target with another host than Host', getText('http://evil.example/health'), 421],
    ['a request target that is no URL', getText('http://[/health'), 400],
    ['a request target of another scheme without a path', getText('x://localhost'), 404],
    ['a request target with a fragment', getText('/health#x'), 400],
    ['a request target with a fragment, and a path that looks like a host', getText('//user@[/#'), 400],
    ['a request for a tunnel', 'CONNECT localhost:443 HTTP/1.1\r\nHost: localhost:443\r\n\r\n', 405],
    [
      'HTTP/1.0 with a transfer coding, and a second request after it',
      'GET /health HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      400,
    ],
    ['HTTP/2.0 in the form of HTTP/1.1', 'GET /health HTTP/2.0\r\nHost: localhost\r\nConnection: close\r\n\r\n', 400],
    ['HTTP/0.9 with headers', 'GET /health HTTP/0.9\r\nHost: localhost\r\nConnection: close\r\n\r\n', 400],
    ['headers of 20 KB', `GET /health HTTP/1.1\r\nHost: localhost\r\nX-Filler: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
  ])('to $0 is a problem with status $2 and the security headers, and is logged', async (_, text, status) => {
    const answer = await service.raw(text);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toContain('application/problem+json');
    expect(answer.match(/^HTTP\/1\.1 \d{3} /gm)).toHaveLength(1);
    const instance = /urn:uuid:([0-9a-f-]{36})/.exec(answer)?.[1];
    await expect.poll(() => service.log.find((line) => line.requestId === instance)).toMatchObject({ status });
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) expect(answer).toContain(`${name}: ${value}`);
    // RFC 9110, 6.6.1.
    expect(answer).toMatch(/^Date: .+ GMT\r$/m);
  });
});

it.each([
  ['version 1', 'PROXY TCP4 192.0.2.1 127.0.0.1 40000 3000\r\n', 1],
  ['version 2', '\r\n\r\n\0\r\nQUIT\n\x20\0\0\0', 1],
  ['a line that is no HTTP', 'PROXIED\r\n\r\n', 0],
])(
  'a connection that begins with the PROXY protocol, %s, has a warning for its balancer in the log',
  async (_, start, lines) => {
    const warnings = () => service.log.filter(({ msg }) => String(msg).includes('PROXY protocol')).length;
    const before = warnings();
    expect(await service.raw(start + getText('/health'))).toMatch(/^HTTP\/1\.1 400 /);
    expect(warnings() - before).toBe(lines);
  },
);

describe('a request with Transfer-Encoding', () => {
  const DRAFT = '{"type":"herregistratie"}';
  const form = multipart(partsOf({ file: pdf() })).toString('latin1');
  const chunked = (body: string) => `${body === '' ? '' : `${body.length.toString(16)}\r\n${body}\r\n`}0\r\n\r\n`;
  let people = 0;
  /** Routes with their content type, body and status. Some read no body, and some are no operation. */
  const ROUTES: readonly (readonly [target: string, type: string, body: string, status: number])[] = [
    ['POST /api/v1/applications', 'application/json', DRAFT, 201],
    ['POST /api/v1/uploads', `multipart/form-data; boundary=${BOUNDARY}`, form, 201],
    ['GET /api/v1/applications', 'text/plain', '', 200],
    ['OPTIONS /api/v1/applications', 'text/plain', '', 204],
    ['POST /_simulator/clock', 'application/json', '{}', 404],
    ['PUT /_simulator/worlds/demo/scenarios/brp-down', 'application/json', '{}', 200],
    ['GET /docs', 'text/plain', '', 200],
    ['GET /health', 'text/plain', '', 200],
    ['GET /api/v1/nothing', 'text/plain', '', 404],
  ];

  interface Sent {
    readonly line?: string;
    readonly version?: string;
    readonly target?: string;
    readonly type?: string;
    readonly body?: string;
  }
  const ask = async ({ line = '', version = '1.1', target, type = 'application/json', body = DRAFT }: Sent) => {
    people += 1;
    // A citizen of the simulator may be unable to apply, such as one who has died.
    const who = `sanne-de-wit@w${people}`;
    const text = `${target ?? 'POST /api/v1/applications'} HTTP/${version}\r\nHost: localhost\r\nAuthorization: Bearer x\r\nX-Subject: ${who}\r\nContent-Type: ${type}\r\nConnection: close\r\n${line}\r\n${chunked(body)}`;
    return { who, answer: await service.raw(Buffer.from(text, 'latin1')) };
  };
  const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);
  async function expectRefusal(sent: Sent, status: number, code: string): Promise<void> {
    const { who, answer } = await ask(sent);
    expect(statusOf(answer)).toBe(status);
    expect(answer.match(/^HTTP\/1\.1 /gm)).toHaveLength(1);
    expect(answer).toMatch(/\r\nContent-Type: application\/problem\+json/);
    expect(answer).toMatch(/\r\nConnection: close\r\n/);
    expect(answer).toContain(`"code":"${code}"`);
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) expect(answer).toContain(`${name}: ${value}`);
    const { body: applications } = await service.get('/api/v1/applications', { as: who });
    expect(applications.filter((one: { status: { tag: string } }) => one.status.tag === 'Concept')).toEqual([]);
    expect((await service.get('/api/v1/uploads/status', { as: who })).body.results).toEqual([]);
  }

  it.each(ROUTES)('chunked is answered as without it: %s', async (target, type, body, status) => {
    for (const coding of ['chunked', 'Chunked', 'CHUNKED', '  chunked', 'chunked  ']) {
      const { answer } = await ask({ line: `Transfer-Encoding: ${coding}\r\n`, target, type, body });
      expect([coding, statusOf(answer)]).toEqual([coding, status]);
    }
  });

  it.each(ROUTES)('gzip, chunked is refused with 501: %s', async (target, type, body) => {
    const line = 'Transfer-Encoding: gzip, chunked\r\n';
    await expectRefusal({ line, target, type, body }, 501, 'transfercodering-onbekend');
    const expecting = `${line}Expect: 100-continue\r\n`;
    await expectRefusal({ line: expecting, target, type, body }, 501, 'transfercodering-onbekend');
  });

  it.each([
    ...['br, chunked', 'foo,chunked', 'identity, chunked', 'chunked, chunked', 'gzip,\tchunked', ', chunked'],
    ...['identity', 'gzip', 'xchunked', 'chunked, identity', 'chunked,', 'chunked;q=1', '"chunked"', ''],
    ...['gzip\r\nTransfer-Encoding: chunked', 'chunked\r\nTransfer-Encoding: chunked'],
    ...['chunked\r\nTransfer-Encoding: gzip', 'identity\r\nTransfer-Encoding: chunked'],
  ])('%j is refused with 501', async (coding) => {
    await expectRefusal({ line: `Transfer-Encoding: ${coding}\r\n` }, 501, 'transfercodering-onbekend');
  });

  const LENGTH = `Content-Length: ${chunked(DRAFT).length}\r\n`;
  it.each([
    ['with Content-Length after it', { line: `Transfer-Encoding: chunked\r\n${LENGTH}` }],
    ['with Content-Length before it', { line: `${LENGTH}Transfer-Encoding: chunked\r\n` }],
    ['of two codings, with Content-Length', { line: `Transfer-Encoding: gzip, chunked\r\n${LENGTH}` }],
    ['that is not known, with Content-Length', { line: `Transfer-Encoding: gzip\r\n${LENGTH}` }],
    ['on a second line', { line: 'Transfer-Encoding:\r\n chunked\r\n' }],
    ['with a second line', { line: 'Transfer-Encoding: gzip,\r\n chunked\r\n' }],
    ['with a vertical tab', { line: 'Transfer-Encoding: \x0bchunked\r\n' }],
    ['with a space before the colon', { line: 'Transfer-Encoding : chunked\r\n' }],
    ['in HTTP/1.0', { line: 'Transfer-Encoding: chunked\r\n', version: '1.0' }],
    ['of two codings in HTTP/1.0', { line: 'Transfer-Encoding: gzip, chunked\r\n', version: '1.0' }],
  ])('%s is refused with 400', async (_, sent) => {
    await expectRefusal(sent, 400, 'ongeldig-verzoek');
  });

  it('that is refused leaves the answers to the requests before it, and is the last that is answered', async () => {
    const other = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const refused = 'GET /health HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n';
    const answer = await service.raw(other + refused + other);
    expect([...answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => status)).toEqual(['200', '501']);
  });
});

it.each([
  ['an unknown Expect header', 'GET /health HTTP/1.1\r\nExpect: magic'],
  ['headers of 15 KB', `GET /health HTTP/1.1\r\nX-Filler: ${'a'.repeat(15_000)}`],
  ['a URL as its target', 'GET http://localhost/health HTTP/1.1'],
  ['HTTP/1.0', 'GET /health HTTP/1.0'],
])('a request with %s is answered with 200', async (_, text) => {
  expect(await service.raw(`${text}\r\nHost: localhost\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1.1 200 /);
});

describe('a request with Expect: 100-continue', () => {
  const expecting = (authorization: string) =>
    `POST /api/v1/applications HTTP/1.1\r\nHost: localhost\r\n${authorization}Content-Type: application/json\r\nContent-Length: 100000\r\nExpect: 100-continue\r\n\r\n`;

  it('that is refused before its body is read gets no 100, and the connection is closed', async () => {
    const answer = await service.raw(expecting(''));
    expect(answer).toMatch(/^HTTP\/1\.1 401 [\s\S]+\r\nConnection: close\r\n/);
  });

  it('gets 100 before its body is read', async () => {
    const socket = connect(Number(new URL(service.url).port));
    socket.write(expecting('Authorization: Bearer x\r\nX-Subject: sanne-de-wit\r\n'));
    const [first] = await once(socket, 'data');
    expect(String(first)).toMatch(/^HTTP\/1\.1 100 /);
    socket.end('{"type":"intake"}'.padEnd(100_000));
    const [second] = await once(socket, 'data');
    expect(String(second)).toMatch(/^HTTP\/1\.1 201 /);
  });
});

describe('/health and /health/ready', () => {
  it('answer 200 without a body and without a token', async () => {
    for (const path of ['/health', '/health/ready']) {
      const reply = await service.get(path);
      expect(reply).toMatchObject({ status: 200, body: '' });
      expect(reply.headers['content-type']).toBeUndefined();
    }
  });

  it('answer 200 when an upstream is down, and list the simulated upstreams in X-Simulated', async () => {
    const alone = keep(await startService({ BRP_UPSTREAM: 'http://127.0.0.1:1/personen' }));
    const reply = await alone.get('/health/ready');
    expect(reply.status).toBe(200);
    expect(reply.headers['x-simulated']).toBe('register,duo,documenten');
  });
});

describe('a request', () => {
  it.each([
    ['/api/v1/dashboard-view/', 'schuine streep'],
    ['/api/v1/dashboard', 'Bedoelde u /api/v1/dashboard-view?'],
    ['/api/v1/Notes', 'Bedoelde u /api/v1/notes?'],
    ['/api/v1/api/v1/notes', 'Bedoelde u /api/v1/notes?'],
    ['/portal/api/v1/notes', 'Bedoelde u /api/v1/notes?'],
    ['/api/v1/re-registrations', 'Bedoelde u /api/v1/herregistraties?'],
    ['/api/v1/reregistration', 'Bedoelde u /api/v1/herregistraties?'],
    ['/api/v1/registration', 'Bedoelde u /api/v1/registrations?'],
    ['/api/v1/letters', 'Bedoelde u /api/v1/brief?'],
    ['/api/v1/diplomas', 'Bedoelde u /api/v1/duo/diplomas?'],
    ['/api/v1/application/4bc3/submit', 'Bedoelde u /api/v1/applications/{id}/submit?'],
    ['/api/v1/uploads/4bc3/contents', 'Bedoelde u /api/v1/uploads/{documentId}/content?'],
    ['/helth', 'Bedoelde u /health?'],
    ['/api/v1/%zz', '/api/v1/openapi.json'],
    ['/api/v1/notes%2f', '/api/v1'],
    ['//api/v1/notes', '/api/v1'],
  ])('GET %s is answered with 404 pad-onbekend and the hint "%s"', async (path, says) => {
    const { status, body } = await service.get(path, { as });
    expect(status).toBe(404);
    expect(body).toMatchObject({ code: 'pad-onbekend', detail: expect.stringContaining(says) });
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'TRACE'] as const)(
    '%s on a read-only path is refused with 405 and Allow',
    async (method) => {
      const { status, headers, body } = await service.call(method, '/api/v1/notes', { as });
      expect(status).toBe(405);
      expect(headers.allow).toBe('GET, HEAD, OPTIONS');
      expect(body.code).toBe('methode-niet-toegestaan');
    },
  );

  it.each([
    ['text/html', 406],
    ['application/xml;q=0.9, text/*', 406],
    ['application/json;q=0', 406],
    ['*/*, application/json;q=0', 406],
    ['application/json, application/json;q=0', 200],
    ['*/*', 200],
    ['application/*', 200],
    ['application/json; charset=utf-8', 200],
    ['application/json;version=1;q=0.5', 200],
    ['text/html, application/json;q=0.1', 200],
  ])('with Accept: %s is answered with %i', async (accept, status) => {
    expect((await service.get('/api/v1/notes', { as, headers: { accept } })).status).toBe(status);
  });

  it('without a token is refused with 401, also when Accept is not acceptable', async () => {
    expect((await service.get('/api/v1/notes', { headers: { accept: 'text/html' } })).status).toBe(401);
  });
});

it('a problem response has the members of RFC 9457, code and traceId, and its instance is in the log', async () => {
  const { headers, body } = await service.get('/api/v1/notes');
  expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect(body).toEqual({
    type: 'urn:problem-type:zorgregister:niet-ingelogd',
    title: 'U bent niet ingelogd',
    status: 401,
    detail: expect.any(String),
    instance: expect.stringMatching(/^urn:uuid:[0-9a-f-]{36}$/),
    code: 'niet-ingelogd',
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  await expect
    .poll(() => service.log.find((line) => body.instance.endsWith(line.requestId)))
    .toMatchObject({ status: 401, problem: 'niet-ingelogd' });
});

/** The end of the text about a member that does not exist. */
const MEMBERS = 'The members are: uren, documents.';

describe('a problem in development', () => {
  const ask = (headers: Record<string, string>, json: object = { Uren: 1, documents: 7, extra: 2 }) =>
    service.call('POST', '/api/v1/herregistraties', { as, headers, json });

  it('links to a page about its code, and a page of another origin may read that link', async () => {
    const { body, headers } = await ask({ origin: 'http://localhost:5173' });
    expect(body.type).toBe('urn:problem-type:zorgregister:ongeldig-verzoek');
    expect(headers.link).toBe('</docs/problems/ongeldig-verzoek>; rel="help"');
    expect(headers['access-control-expose-headers']).toContain('Link');
    const page = await service.get('/docs/problems/ongeldig-verzoek');
    expect(page.body).toMatch(/^ongeldig-verzoek: 400 .+What to do: Correct every member that `errors` points at\./s);
    // A code of an item of `errors`.
    expect((await service.get(`/docs/problems/${body.errors[0].code}`)).body).toBe(page.body);
    const inBrowser = await service.call('GET', '/docs/problems/onbekend-veld', { headers: { accept: 'text/html' } });
    expect(inBrowser.body).toContain('<li><code>onbekend-veld</code>: Dit veld of deze parameter bestaat niet.');
    const guide = await service.call('GET', '/docs/guides/frontend.md', { headers: { accept: 'text/html' } });
    expect(guide.body).toContain(`href="${service.url}/docs"`);
    expect((await service.get('/docs/problems/anders')).status).toBe(404);
    expect((await ask({}, { uren: 2600 })).headers.link).toBeUndefined();
  });

  it('is in English, with all faults at once, for `Accept-Language: en`', async () => {
    const { body, headers } = await ask({ 'accept-language': 'en' });
    expect(headers['content-language']).toBe('en');
    expect(headers.vary).toBe('Origin, Accept-Language');
    expect(body).toMatchObject({ title: 'The request is not valid', detail: 'The body has 3 faults.' });
    expect(body.errors).toEqual(
      expect.arrayContaining([
        { pointer: '/documents', code: 'verkeerd-type', detail: 'The type must be array.' },
        { pointer: '/Uren', code: 'onbekend-veld', detail: `There is no such member. Did you mean uren? ${MEMBERS}` },
        { pointer: '/extra', code: 'onbekend-veld', detail: `There is no such member. ${MEMBERS}` },
      ]),
    );
    const english = { as, headers: { 'accept-language': 'en' } };
    const query = await service.get('/api/v1/uploads/categories?wizardid=intake', english);
    expect(query.body.errors.map(({ detail }: { detail: string }) => detail)).toEqual([
      'Did you mean the parameter wizardId?',
      expect.stringMatching(/^Missing\. Choose from registratie, /),
    ]);
    const path = await service.get('/api/v1/dashboard', { headers: { 'accept-language': 'en' } });
    expect(path.body.detail).toBe('Did you mean /api/v1/dashboard-view? The paths are in /api/v1/openapi.json.');
  });

  const PAGE = { 'sec-fetch-site': 'same-site' };
  const DUTCH = ['Er zijn 3 fouten in de inhoud.', undefined, 'Origin, Accept-Language'];
  const ENGLISH = ['The body has 3 faults.', 'en', 'Origin, Accept-Language'];

  it.each([
    ['nl', {}, DUTCH],
    ['*', {}, DUTCH],
    ['de', {}, DUTCH],
    ['nl-NL,nl;q=0.9,en;q=0.8', {}, DUTCH],
    ['en;q=0.5, nl;q=0.8', {}, DUTCH],
    ['en;q=0', {}, DUTCH],
    ['en-US,en;q=0.9', {}, ENGLISH],
    ['de, EN-gb;q=0.7, nl;q=0.3', {}, ENGLISH],
    ['en-US,en;q=0.9', PAGE, DUTCH],
    ['en', PAGE, ENGLISH],
  ])('has the first language of `Accept-Language: %s` with %o', async (languages, others, answer) => {
    const { body, headers } = await ask({ 'accept-language': languages, ...others });
    expect([body.detail, headers['content-language'], headers.vary]).toEqual(answer);
    expect(Object.keys(body.errors[0])).toEqual(['pointer', 'code', 'detail']);
  });

  it('is in English for the refusal of a rule as well', async () => {
    const { body } = await ask({ 'accept-language': 'en' }, { uren: 50_000, documents: [{ categoryId: 'brief' }] });
    expect(body).toMatchObject({ title: 'The number of hours is wrong', code: 'uren-ongeldig' });
    expect(body.errors[0].detail).toBe('Send the hours of five years: a whole number from 0 to 43800.');
    expect(body.errors.at(-1).detail).toMatch(/^No document of this category is asked\. Choose from .*scholingsbewijs/);
    const { body: unknown } = await service.get('/api/v1/notes', {
      headers: { authorization: 'Bearer dev', 'x-subject': 'sanne-de-witt', 'accept-language': 'en' },
    });
    expect(unknown.detail).toMatch(/^X-Subject is no known name\. The nearest: sanne-de-wit, /);
  });
});

describe('the problem of a body that is no JSON', () => {
  it.each([
    ['{"uren": 1,}', 'De inhoud is geen geldige JSON (teken 12).'],
    ['position 999990007', 'De inhoud is geen geldige JSON (teken 1).'],
    ['{"uren": NaN}', 'De inhoud is geen geldige JSON (teken 10).'],
    ['{"uren": 1, "documents": [\n1,]}', 'De inhoud is geen geldige JSON (teken 30).'],
    ['{"uren": 1, "scholing": "a\\q"}', 'De inhoud is geen geldige JSON (teken 28).'],
    [`{"a": "${'a'.repeat(9_000)}", "punten": "${'a'.repeat(9_000)}", "uren": x}`, 'De inhoud is geen geldige JSON.'],
    [
      '"{\\"uren\\":999990007}"',
      'De inhoud is JSON in een tekst: stuur het object zelf, in JavaScript met één keer JSON.stringify.',
    ],
  ])('%s has the place of the fault, and no number of the body', async (body, detail) => {
    const headers = { 'content-type': 'application/json' };
    const reply = await service.call('POST', '/api/v1/intakes', { as, headers, body });
    expect(reply).toMatchObject({ status: 400, body: { code: 'ongeldig-verzoek', detail } });
  });

  it('or that has members more than once, has a pointer to each of them', async () => {
    const headers = { 'content-type': 'application/json' };
    const body =
      '{"uren": 1, "punten": 2, "ur\\u0065n": 1, "punten": 2, "punten": 2, "x": [{}, {"a": {}, "a": {"a": 1}}], "documents": {"a": 1}}';
    const reply = await service.call('POST', '/api/v1/intakes', { as, headers, body });
    expect([reply.status, reply.body.detail]).toEqual([400, 'Er zijn 3 fouten in de inhoud.']);
    expect(pointersOf(reply.body)).toEqual(['/uren', '/punten', '/x/1/a']);
  });

  it('or not when it is in a draft, which may be anything', async () => {
    const { body: made } = await service.post('/api/v1/applications', as, { type: 'herregistratie' });
    const headers = { 'content-type': 'application/json' };
    const body = '{"draft": {"a": {"b": 1, "b": 2}}, "stepIndex": 1, "stepCount": 2}';
    expect(await service.call('PUT', `/api/v1/applications/${made.id}`, { as, headers, body })).toMatchObject({
      status: 204,
    });
  });
});

describe('the trace of a request', () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

  it('is sent to the upstream, logged and returned', async () => {
    const none = { type: 'RaadpleegMetBurgerservicenummer', personen: [] };
    const brp = keep(await startScriptedServer((_, response) => sendJson(response, none)));
    const traced = keep(await startService({ BRP_UPSTREAM: `${brp.url}/personen` }));
    const { headers } = await traced.get('/api/v1/brp/address', { as, headers: { traceparent } });
    expect(brp.received[0]?.headers.traceparent).toMatch(
      /^00-0af7651916cd43dd8448eb211c80319c-(?!b7ad6b7169203331)[0-9a-f]{16}-01$/,
    );
    expect(headers.traceparent).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-/);
    await expect.poll(() => traced.log.some((line) => line.traceId === '0af7651916cd43dd8448eb211c80319c')).toBe(true);
  });

  it.each([
    '00-00000000000000000000000000000000-b7ad6b7169203331-01',
    'nonsense',
    'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more',
  ])('gets a new id when traceparent is %s', async (invalid) => {
    const { headers } = await service.get('/api/v1/notes', { as, headers: { traceparent: invalid } });
    expect(headers.traceparent).toMatch(/^00-(?!0af7)[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  });

  it('keeps its id when traceparent is of a later version, with something after the flags', async () => {
    const later = `${traceparent.replace('00-', '01-')}-more`;
    const { headers } = await service.get('/api/v1/notes', { as, headers: { traceparent: later } });
    expect(headers.traceparent).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-/);
  });

  it('has the tracestate of the caller for the upstream, unless it is invalid or too long', async () => {
    const membersOf = (count: number) => Array.from({ length: count }, (_, n) => `k${n}=v`).join(',');
    const valid = ['portal=abc', 'tenant@portal=a b', membersOf(32), `k=${'v'.repeat(256)}`];
    const long = [`a=${'v'.repeat(256)}`, `b=${'v'.repeat(251)}`].join();
    const invalid = ['Portal=abc', 'portal', 'portal=a=b', membersOf(33), `k=${'v'.repeat(257)}`, `${long}v`];
    const stateOf = (tracestate: string) => readTrace(traceparent, tracestate).tracestate;
    expect([...valid, long].map(stateOf)).toEqual([...valid, long]);
    expect(invalid.map(stateOf)).toEqual(invalid.map(() => null));
  });
});

it.each([
  'localhost:65535',
  'localhost:',
  'LOCALHOST',
  'app.localhost:80',
  '127.0.0.9:1',
  '[::1]',
  '[::ffff:127.0.0.1]:3',
])('a request for the host %s gets 200', async (host) =>
  expect((await service.get('/health', { headers: { host } })).status).toBe(200),
);

describe('a frontend on another origin', () => {
  const preflightOf = (names: string) => ({
    ...{ 'access-control-request-method': 'GET', 'access-control-request-headers': names },
  });
  const preflight = preflightOf('authorization,x-subject');

  it.each([
    'http://localhost:5173',
    'http://127.0.0.1:4200',
    'http://[::1]:8080',
    'http://localhost',
    'http://app.localhost:5173',
    'https://mijn.portal.localhost',
    'http://127.0.0.2:3000',
  ])('such as %s may call and read the exposed headers', async (origin) => {
    const asked = await service.call('OPTIONS', '/api/v1/notes', { headers: { origin, ...preflight } });
    expect(asked.status).toBe(204);
    expect(asked.headers['access-control-allow-origin']).toBe(origin);
    expect(asked.headers['access-control-allow-headers']).toMatch(/x-subject/i);
    const called = await service.get('/api/v1/notes', { as, headers: { origin } });
    expect(called.headers['access-control-allow-origin']).toBe(origin);
    expect(called.headers['access-control-expose-headers']).toMatch(/Content-Disposition.*X-Simulated/);
    expect(called.headers['access-control-allow-credentials']).toBe('true');
  });

  it('may send every request header and read every response header of the OpenAPI document', async () => {
    const origin = 'http://localhost:5173';
    const { headers, body } = await service.call('GET', '/api/v1/openapi.json', { headers: { origin } });
    const asked = await service.call('OPTIONS', '/api/v1/notes', { headers: { origin, ...preflight } });
    const operations = Object.values<object>(body.paths).flatMap((path) => Object.values(path));
    const answers = operations.flatMap(({ responses }) => Object.values<{ headers?: object }>(responses));
    const named = new Set(answers.flatMap((answer) => Object.keys(answer.headers ?? {})));
    expect(named.size).toBeGreaterThan(5);
    expect(String(headers['access-control-expose-headers']).split(',')).toEqual(expect.arrayContaining([...named]));
    const parameters = operations.flatMap((operation) => operation.parameters ?? []);
    const sent = new Set(parameters.filter((one) => one.in === 'header').map((one) => one.name));
    expect(sent.size).toBeGreaterThan(1);
    expect(String(asked.headers['access-control-allow-headers']).split(',')).toEqual(expect.arrayContaining([...sent]));
  });

  it('may use every method of the OpenAPI document, and needs no new preflight request for ten minutes', async () => {
    const headers = { origin: 'http://localhost:5173', ...preflight };
    const asked = await service.call('OPTIONS', '/api/v1/notes', { headers });
    const { paths } = (await service.get('/api/v1/openapi.json')).body;
    const methods = new Set(Object.values<object>(paths).flatMap((path) => Object.keys(path)));
    const allowed = String(asked.headers['access-control-allow-methods']).toLowerCase().split(',');
    expect(allowed.sort()).toEqual([...methods, 'head'].sort());
    expect(asked.headers['access-control-max-age']).toBe('600');
  });

  it('may send the headers of tracing libraries; another header is logged with its name', async () => {
    const own = keep(await startService());
    const names = 'baggage,sentry-trace,tracestate,x-requested-with,x-tenant';
    const headers = { origin: 'http://localhost:5173', ...preflightOf(names) };
    const asked = await own.call('OPTIONS', '/api/v1/notes', { headers });
    for (const name of ['baggage', 'sentry-trace', 'tracestate', 'X-Requested-With'])
      expect(asked.headers['access-control-allow-headers']).toContain(name);
    expect(own.log.filter(({ header }) => header !== undefined)).toEqual([
      expect.objectContaining({ level: 40, header: 'x-tenant' }),
    ]);
  });

  it('that asks for a header with a number or the name of a person is logged without that name', async () => {
    const own = keep(await startService());
    for (const names of ['999990007, sanne-de-wit', 'x-999990007, pragma']) {
      const headers = { origin: 'http://localhost:5173', ...preflightOf(names) };
      await own.call('OPTIONS', '/api/v1/notes', { headers });
    }
    expect(own.log.filter(({ header }) => header !== undefined).map(({ header }) => header)).toEqual([
      'other',
      'pragma',
    ]);
    expect(JSON.stringify(own.log)).not.toMatch(/999990007|sanne/);
  });

  it('may read problems', async () => {
    const { status, headers } = await service.get('/api/v1/notes', { headers: { origin: 'http://localhost:5173' } });
    expect(status).toBe(401);
    expect(headers['access-control-allow-origin']).toBe('http://localhost:5173');
  });

  it.each([
    'null',
    'http://localhost.evil.example',
    'http://evillocalhost',
    'http://app.localhost.evil.example',
    'https://evil.example',
    'http://evil.example:3000',
    'http://localhost:5173.evil.example',
    'http://localhost:65536',
  ])('such as %s may not call', async (origin) => {
    const { headers } = await service.get('/api/v1/notes', { as, headers: { origin } });
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers.vary).toMatch(/Origin/);
  });

  it('that is refused is logged once, and an origin with a number or with other text without its name', async () => {
    const own = keep(await startService());
    const origins = ['http://laptop.local:5173', 'http://laptop.local:5173', 'null', 'http://999990007.nl', 'Sanne'];
    for (const origin of origins) await own.get('/api/v1/notes', { as, headers: { origin } });
    const logged = own.log.filter(({ origin }) => origin !== undefined).map(({ origin }) => origin);
    expect(logged).toEqual(['http://laptop.local:5173', 'null', 'other']);
  });

  it('may call when its exact origin is in CORS_ORIGINS', async () => {
    const configured = keep(await startService({ CORS_ORIGINS: 'https://portaal.example, https://balie.example' }));
    const headersFor = async (origin: string) =>
      (await configured.get('/api/v1/notes', { as, headers: { origin } })).headers;
    for (const origin of ['https://portaal.example', 'https://balie.example'])
      expect(await headersFor(origin)).toMatchObject({ 'access-control-allow-origin': origin });
    for (const origin of ['https://portaal.example.evil', 'http://portaal.example'])
      expect(await headersFor(origin)).not.toHaveProperty('access-control-allow-origin');
    expect(await headersFor('https://portaal.example')).not.toHaveProperty('access-control-allow-credentials');
  });

  it('may always read the OpenAPI document', async () => {
    const { headers } = await service.get('/api/v1/openapi.json', { headers: { origin: 'https://anyone.example' } });
    expect(headers['access-control-allow-origin']).toBe('*');
  });
});

describe('the log', () => {
  it('has a line for a request with its operation and upstream calls, without personal data', async () => {
    const own = keep(await startService());
    await own.get('/api/v1/dashboard-view?bsn=999990007', {
      as: '999990007',
      headers: { 'x-step-up': 'secret-token' },
    });
    await expect
      .poll(() => own.log.find((line) => line.operation === 'dashboardView'))
      .toMatchObject({
        method: 'GET',
        status: 200,
        caller: 'professional',
        upstream: [{ outcome: 200 }, { outcome: 200 }],
      });
    const text = JSON.stringify(own.log);
    for (const secret of ['999990007', 'Sanne', 'Merelstraat', '90000010130', '3514', 'secret-token', 'Bearer'])
      expect(text).not.toContain(secret);
  });

  it('has a warning for a dashboard that was answered 200 while the BRP failed', async () => {
    const brp = keep(
      await startScriptedServer((_, response) =>
        sendJson(response, {
          type: 'RaadpleegMetBurgerservicenummer',
          personen: [{ burgerservicenummer: '123456782' }],
        }),
      ),
    );
    const degraded = keep(await startService({ BRP_UPSTREAM: `${brp.url}/personen` }));
    expect((await degraded.get('/api/v1/dashboard-view', { as })).status).toBe(200);
    await expect
      .poll(() => degraded.log.find((line) => line.operation === 'dashboardView'))
      .toMatchObject({
        level: 40,
        upstream: expect.arrayContaining([expect.objectContaining({ bron: 'brp', outcome: 'unreadable' })]),
      });
  });

  it('drops lines above 16 MiB while nothing reads it, and then logs how many', async () => {
    const taken: string[] = [];
    const accept: (() => void)[] = [];
    const stalled = new Writable({
      decodeStrings: false,
      write(chunk, _encoding, done) {
        taken.push(chunk);
        accept.push(done);
      },
    });
    const output = createLogDestination(stalled);
    for (let n = 0; n < 20; n += 1) output.write(`${'x'.repeat(1024 * 1024)}\n`);
    expect(stalled.writableLength).toBeLessThan(17 * 1024 * 1024);
    const reading = setInterval(() => accept.shift()?.(), 1);
    // Also when nothing is logged any more.
    await expect.poll(() => taken.length).toBe(16);
    clearInterval(reading);
    expect(taken.filter((line) => line.startsWith('x'))).toHaveLength(15);
    expect(taken[15]).toMatch(/^\{"level":50,.*"logLinesDropped":5\}\n$/);
  });

  it('drops one line above 16 MiB in bytes, also when it has fewer characters', async () => {
    const taken: string[] = [];
    const stream = new Writable({
      write(chunk, _encoding, done) {
        taken.push(String(chunk).slice(0, 100));
        done();
      },
    });
    const output = createLogDestination(stream);
    output.write(`${'é'.repeat(9 * 1024 * 1024)}\n`);
    await new Promise<void>((resolve) => output.flush(resolve));
    expect(taken).toEqual([expect.stringContaining('"logLinesDropped":1}')]);
  });

  it('logs how many lines a failed write dropped, and begins a new line after a part of one', async () => {
    let text = '';
    let isFull = false;
    // As standard output, which goes on after a failed write. A stream that is made here would not.
    const disk = Object.assign(new EventEmitter(), {
      writableLength: 0,
      write(chunk: string, done: (error?: Error) => void) {
        text += isFull ? chunk.slice(0, 5) : chunk;
        done(isFull ? new Error('ENOSPC') : undefined);
      },
    });
    const output = createLogDestination(disk as unknown as Writable);
    const write = (line: string) => {
      output.write(line);
      return new Promise<void>((resolve) => output.flush(resolve));
    };
    await write('{"n":1}\n');
    isFull = true;
    await write('{"n":2}\n');
    await write('{"n":3}\n');
    isFull = false;
    await write('{"n":4}\n');
    const lines = text.split('\n').filter((line) => line.endsWith('}'));
    expect(lines).toEqual(['{"n":1}', '{"n":4}', expect.stringContaining('"logLinesDropped":2}')]);
  });

  it('goes to standard output with the same listeners for all services of a process', async () => {
    const listeners = () => [process.listenerCount('exit'), process.stdout.listenerCount('error')];
    await createLogger(readConfig({ LOG_FORMAT: 'json' }));
    const first = listeners();
    await createLogger(readConfig({ LOG_FORMAT: 'json' }));
    expect(listeners()).toEqual(first);
  });

  it('has status 499 for a client that disconnected, and the upstream call is aborted', async () => {
    let aborted = false;
    const brp = keep(
      await startScriptedServer((_, response) =>
        response.on('close', () => {
          aborted = true;
        }),
      ),
    );
    const left = keep(await startService({ BRP_UPSTREAM: `${brp.url}/personen` }));
    const abort = new AbortController();
    const asking = fetch(`${left.url}/api/v1/brp/address`, {
      headers: { authorization: 'Bearer dev', 'x-subject': as },
      signal: abort.signal,
    }).catch(() => undefined);
    await expect.poll(() => brp.received.length).toBe(1);
    abort.abort();
    await asking;
    await expect.poll(() => aborted).toBe(true);
    await expect.poll(() => left.log.find((line) => line.operation === 'brpAddress')).toMatchObject({ status: 499 });
  });
});
