import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { SimulatedFault } from '../../simulator/worlds/faults.ts';
import { PROBLEMS } from '../../src/problem-codes.ts';
import { controlOf } from '../support/control.ts';
import { pdf } from '../support/files.ts';
import { journalOf } from '../support/journal.ts';
import { upload } from '../support/multipart.ts';
import { type Reply, useService } from '../support/service.ts';

const service = await useService();
const control = controlOf(service);

let made = 0;
const fresh = (): string => {
  made += 1;
  return `eigen-${made}`;
};
type ServiceFault = Omit<SimulatedFault, 'upstream'>;
const inWorld = async (...faults: ServiceFault[]): Promise<string> => {
  const world = fresh();
  for (const fault of faults) {
    const { status, body } = await control.in(world).post('/faults', { upstream: 'dienst', ...fault });
    expect([status, body.detail]).toEqual([201, undefined]);
  }
  return world;
};
const ask = (world: string, path: string, headers = {}, slug = 'sanne-de-wit'): Promise<Reply> =>
  service.get(`/api/v1${path}`, { as: `${slug}@${world}`, headers });
const register = (world: string, headers = {}): Promise<Reply> =>
  service.post('/api/v1/herregistraties', `sanne-de-wit@${world}`, { uren: 2_600 }, headers);
const drafts = async (world: string): Promise<number> => (await ask(world, '/applications')).body.length;
const lastOf = async (world: string) => (await journalOf(service, world)).at(-1);
/** Resolves to what ended a call whose connection was closed. */
const brokenOff = (call: Promise<Reply>): Promise<unknown> =>
  call.then(
    ({ status }) => status,
    () => 'closed',
  );

describe('a fault of the service', () => {
  it.each([
    [{ kind: 'problem', code: 'niet-ingelogd' }, 401, { 'www-authenticate': 'Bearer error="invalid_token"' }],
    [{ kind: 'status', status: 403 }, 403, {}],
    [{ kind: 'problem', code: 'te-veel-verzoeken', retryAfter: 7 }, 429, { 'retry-after': '7' }],
    [{ kind: 'problem', code: 'overbelast' }, 503, { 'retry-after': '1' }],
    [{ kind: 'status', status: 500 }, 500, {}],
    [{ kind: 'status', status: 504 }, 504, {}],
  ] as const)('such as %j gives the documented problem with its status and headers', async (fault, status, headers) => {
    const world = await inWorld(fault);
    const reply = await ask(world, '/dashboard-view');
    expect([reply.status, reply.body.status]).toEqual([status, status]);
    expect(reply.headers).toMatchObject(headers);
    expect(reply.body).toMatchObject({
      title: PROBLEMS[reply.body.code as keyof typeof PROBLEMS].title,
      detail: expect.stringMatching(/\S/),
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(await lastOf(world)).toMatchObject({
      problem: reply.body.code,
      upstream: [],
      why: [{ rule: 'simulatedFault', source: expect.stringContaining('reference/scenarios.md'), facts: fault }],
    });
  });

  it('affects only the operations that document its code, and changes no data', async () => {
    const world = await inWorld({ kind: 'problem', code: 'lopende-aanvraag' });
    expect(await register(world)).toMatchObject({ status: 422, body: { code: 'lopende-aanvraag' } });
    expect((await ask(world, '/dashboard-view')).status).toBe(200);
    expect(await drafts(world)).toBe(0);
  });

  it('affects only the operation or the person that it names', async () => {
    const one = await inWorld({ kind: 'status', status: 401, operation: 'notes' });
    expect([(await ask(one, '/notes')).status, (await ask(one, '/dashboard-view')).status]).toEqual([401, 200]);
    const person = await inWorld({ kind: 'status', status: 401, persona: 'sanne-de-wit' });
    const others = (await ask(person, '/notes', {}, 'noor-bakker')).status;
    expect([(await ask(person, '/notes')).status, others]).toEqual([401, 200]);
    expect((await ask(fresh(), '/notes')).status).toBe(200);
  });

  it('affects the person whom it names by a login', async () => {
    const world = fresh();
    const fault = { upstream: 'dienst', kind: 'status', status: 401, persona: `sanne-de-wit@${world}` };
    expect((await control.in(world).post('/faults', fault)).body.persona).toBe('sanne-de-wit');
    expect((await ask(world, '/notes')).status).toBe(401);
  });

  it('with "after" begins after that many calls, and with "times" ends after that many more, also when another fault is added meanwhile', async () => {
    const world = await inWorld({ kind: 'problem', code: 'niet-ingelogd', after: 2, times: 2 });
    const statuses = [(await ask(world, '/notes')).status];
    await control.in(world).put('/scenarios/brp-down');
    for (let n = 0; n < 4; n += 1) statuses.push((await ask(world, '/notes')).status);
    expect(statuses).toEqual([200, 200, 401, 401, 200]);
    // What cannot occur any more is not on; what still can is.
    expect((await control.in(world).get()).body.faults).toMatchObject([{ scenario: 'brp-down' }]);
  });

  it('with a 404 of the specification has no body', async () => {
    const world = await inWorld({ kind: 'status', status: 404 });
    expect(await ask(world, '/applications/x')).toMatchObject({ status: 404, body: '' });
  });

  it('with the code step-up-nodig affects only a call with X-Step-Up', async () => {
    const world = fresh();
    await control.in(world).put('/scenarios/step-up-refused');
    expect((await ask(world, '/dashboard-view')).status).toBe(200);
    const { status, headers } = await ask(world, '/dashboard-view', { 'x-step-up': '1' });
    expect([status, headers['www-authenticate']]).toEqual([
      401,
      'Bearer error="insufficient_user_authentication", acr_values="http://eidas.europa.eu/LoA/substantial", max_age=900',
    ]);
  });

  it('does not affect health probes and the OpenAPI document', async () => {
    await control.in('default').post('/faults', { upstream: 'dienst', kind: 'status', status: 500 });
    for (const path of ['/health', '/health/ready', '/api/v1/openapi.json'])
      expect([path, (await service.get(path)).status]).toEqual([path, 200]);
    await control.in('default').delete('/faults');
  });

  it('of kind reset closes the connection without performing the request; of kind lost performs it and loses the answer', async () => {
    const [reset, lost] = [await inWorld({ kind: 'reset' }), await inWorld({ kind: 'lost' })];
    expect([await brokenOff(register(reset)), await brokenOff(register(lost))]).toEqual(['closed', 'closed']);
    expect((await lastOf(lost))?.response.status).toBe(499);
    for (const world of [reset, lost]) await control.in(world).delete('/faults');
    expect([await drafts(reset), await drafts(lost)]).toEqual([0, 1]);
  });

  it('of kind lost loses a download, too', async () => {
    const world = fresh();
    const { results } = (await ask(world, '/uploads/status', {}, 'joost-van-buren')).body;
    await control.in(world).post('/faults', { upstream: 'dienst', kind: 'lost' });
    const download = ask(world, `/uploads/${results[0].documentId}/content`, {}, 'joost-van-buren');
    expect(await brokenOff(download)).toBe('closed');
  });

  it('of kind cut closes the connection halfway through an upload, and stores nothing', async () => {
    const world = await inWorld({ kind: 'cut', operation: 'createUpload' });
    const length = 200_000;
    const { port } = new URL(service.url);
    const socket = connect(Number(port), '127.0.0.1');
    const closed = new Promise<string>((resolve) => {
      socket.on('error', () => undefined).once('close', () => resolve('closed'));
    });
    socket.write(
      `POST /api/v1/uploads HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x\r\nX-Subject: sanne-de-wit@${world}\r\n` +
        `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n\r\n`,
    );
    // More than half, and not all: a service that waits for the whole body does not answer.
    socket.write(Buffer.alloc(length * 0.6, 0x20));
    expect(await closed).toBe('closed');
    const sent = await brokenOff(upload(service, `sanne-de-wit@${world}`, { file: pdf() }));
    expect(sent).toBe('closed');
    await control.in(world).delete('/faults');
    expect((await ask(world, '/uploads/status?wizardId=herregistratie&localIds=l1')).status).toBe(200);
  });

  it('of kind latency delays the answer of the service, and does not change it', async () => {
    const world = await inWorld({ kind: 'latency', ms: 150 });
    const start = performance.now();
    expect((await ask(world, '/notes')).status).toBe(200);
    expect(performance.now() - start).toBeGreaterThan(145);
    expect((await lastOf(world))?.why[0]).toMatchObject({ rule: 'simulatedFault', outcome: '150 ms later' });
  });
});

describe('the header Prefer', () => {
  it.each([
    ['code=401', 'niet-ingelogd', 'code=401'],
    ['code="429"; x=1', 'te-veel-verzoeken', 'code=429'],
    ['respond-async, code=overbelast, code=500', 'overbelast', 'code=overbelast'],
    ['wait=0, code=bron-te-laat', 'bron-te-laat', 'wait=0, code=bron-te-laat'],
  ])('with %s gives %s, and says so in Preference-Applied', async (prefer, code, applied) => {
    const { body, headers } = await ask(fresh(), '/dashboard-view', { prefer });
    expect([body.code, headers['preference-applied']]).toEqual([code, applied]);
  });

  it.each(['code=418', 'code=upload-bezig', 'code=step-up-nodig', 'wait=61', 'wait=soon', 'return=minimal'])(
    'with %s is ignored, without Preference-Applied; Preference-Ignored and the journal say so, with what is possible',
    async (prefer) => {
      const world = fresh();
      const { status, headers } = await ask(world, '/dashboard-view', { prefer });
      expect([status, headers['preference-applied']]).toEqual([200, undefined]);
      const [ignored = '', possible = ''] = String(headers['preference-ignored']).split('; possible=');
      expect(ignored).toBe(prefer);
      expect(possible).toMatch(/^"wait=0 to 60, code=.*\bniet-ingelogd\b.*"$/);
      expect(possible).not.toMatch(/upload-bezig|step-up-nodig|418/);
      expect((await lastOf(world))?.why[0]).toMatchObject({ rule: 'prefer', outcome: { genegeerd: [prefer] } });
    },
  );

  it('that can be applied has no Preference-Ignored; step-up-nodig is possible for a request with X-Step-Up', async () => {
    const [applied, ignored] = ['preference-applied', 'preference-ignored'];
    const step = await ask(fresh(), '/dashboard-view', { prefer: 'code=step-up-nodig', 'x-step-up': '1' });
    expect([step.status, step.headers[applied], step.headers[ignored]]).toEqual([401, 'code=step-up-nodig', undefined]);
    const both = await ask(fresh(), '/dashboard-view', { prefer: 'wait=0, code=429, respond-async' });
    expect([both.headers[applied], both.headers[ignored]]).toEqual([
      'wait=0, code=429',
      expect.stringMatching(/^respond-async; possible=/),
    ]);
    expect((await ask(fresh(), '/dashboard-view')).headers[ignored]).toBeUndefined();
  });

  it('is ignored by an operation that anyone may call, which says so', async () => {
    const { status, headers } = await service.get('/health', { headers: { prefer: 'code=503, wait=9' } });
    expect([status, headers['preference-applied']]).toEqual([200, undefined]);
    expect(headers['preference-ignored']).toBe('wait=9, code=503; possible="nothing"');
  });

  it('has what was preferred, applied and possible in the journal', async () => {
    const world = fresh();
    await ask(world, '/notes', { prefer: 'wait=0, code=418, dynamic=true' });
    expect((await lastOf(world))?.why[0]).toMatchObject({
      rule: 'prefer',
      facts: { code: '418', wait: 0 },
      outcome: {
        toegepast: ['wait=0'],
        genegeerd: ['dynamic=true', 'code=418'],
        mogelijk: { wait: '0 tot en met 60', code: expect.arrayContaining(['niet-ingelogd']) },
      },
      sentence: 'dynamic=true, code=418 in Prefer is genegeerd, omdat dat bij deze aanroep niet kan.',
    });
  });

  it('may be sent by a page on localhost, which may read Preference-Applied', async () => {
    const origin = 'http://localhost:5173';
    const preflight = await service.call('OPTIONS', '/api/v1/notes', {
      headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'prefer' },
    });
    expect(preflight.headers['access-control-allow-headers']).toContain('Prefer');
    const { headers } = await ask(fresh(), '/notes', { origin, prefer: 'code=401' });
    expect(headers['access-control-expose-headers']).toContain('Preference-Applied,Preference-Ignored');
  });
});
