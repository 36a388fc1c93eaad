import { describe, expect, it } from 'vitest';
import { type ActiveFault, createFaults, FAULT_KINDS, type SimulatedFault } from '../../simulator/worlds/faults.ts';
import { SCENARIO_NAMES, type ScenarioName } from '../../simulator/worlds/scenarios.ts';
import { controlOf } from '../support/control.ts';
import { pdf } from '../support/files.ts';
import { journalOf } from '../support/journal.ts';
import { upload } from '../support/multipart.ts';
import { keep, type Reply, startService, useService } from '../support/service.ts';

const service = await useService({ SCANNER: 'simulator' });
const control = controlOf(service);
/** A service with short time limits, for a register that does not answer. */
const hurried = await useService();
Object.assign(hurried.timing, { headers: 200, read: 1_000 });

let made = 0;
const fresh = (): string => {
  made += 1;
  return `storing-${made}`;
};
const inWorld = async (fault: SimulatedFault, at = service): Promise<string> => {
  const world = fresh();
  const { status, body } = await controlOf(at).in(world).post('/faults', fault);
  expect([status, body.detail]).toEqual([201, undefined]);
  return world;
};
const as = (world: string) => ({ as: `sanne-de-wit@${world}` });
const timed = async (call: Promise<Reply>): Promise<Reply & { ms: number }> => {
  const start = performance.now();
  const reply = await call;
  return { ...reply, ms: performance.now() - start };
};
describe.concurrent('a simulated register', () => {
  const MEANS: Readonly<Record<keyof typeof FAULT_KINDS, { fault?: Partial<SimulatedFault>; status: number }>> = {
    refused: { status: 503 },
    reset: { status: 503 },
    lost: { status: 503 },
    cut: { status: 502 },
    drip: { status: 504 },
    hang: { status: 504 },
    latency: { fault: { ms: 300 }, status: 200 },
    status: { fault: { status: 500 }, status: 503 },
    garbage: { status: 502 },
    'wrong-schema': { status: 502 },
    empty: { status: 200 },
  };

  it.each(Object.entries(FAULT_KINDS))('with the fault "%s" (it %s) gives the expected status', async (kind) => {
    const { fault, status } = MEANS[kind as keyof typeof FAULT_KINDS];
    const at = status === 504 ? hurried : service;
    const world = await inWorld({ upstream: 'register', kind: kind as SimulatedFault['kind'], ...fault }, at);
    const reply = await timed(at.get('/api/v1/dashboard-view', as(world)));
    expect([kind, reply.status]).toEqual([kind, status]);
    if (status >= 500) expect(reply.body.bron).toBe('register');
    if (kind === 'latency') expect(reply.ms).toBeGreaterThan(290);
    if (kind === 'empty') expect(reply.body.registration).toBeNull();
  });

  it('that fails in one operation works in the others', async () => {
    const world = await inWorld({ upstream: 'register', operation: 'aantekeningen', kind: 'reset' });
    expect((await service.get('/api/v1/dashboard-view', as(world))).status).toBe(200);
    expect((await service.get('/api/v1/notes', as(world))).status).toBe(503);
  });

  it('that has no data still accepts a request, and the journal has no fault at that call', async () => {
    const world = await inWorld({ upstream: 'register', kind: 'empty' });
    const path = '/api/v1/registrations';
    expect((await service.post(path, as(world).as, { diplomaHerkomst: 'duo' })).status).toBe(200);
    const entries = await journalOf(service, world);
    const calls = entries.find(({ request }) => request.path === path)?.upstream ?? [];
    expect(calls.map(({ operation, fault }) => [operation, fault])).toEqual(
      expect.arrayContaining([
        ['registraties', 'empty'],
        ['zaken-indienen', undefined],
      ]),
    );
  });

  it('that does not exist is refused, with a suggestion only when the name is similar to that of a scenario', async () => {
    const detail = async (name: string) => (await control.in(fresh()).put(`/scenarios/${name}`)).body.detail;
    expect(await detail('register-donw')).toMatch(/^Dat scenario is er niet\. Bedoelde u register-down\? Er zijn: /);
    expect(await detail('pinguin')).toMatch(/^Dat scenario is er niet\. Er zijn: /);
  });

  it('that loses its answer has stored the request once: the request gets 504, and its repeat after recovery 422', async () => {
    const world = fresh();
    await control.in(world).put('/scenarios/answers-lost');
    const post = () => service.post('/api/v1/herregistraties', `sanne-de-wit@${world}`, { uren: 2_600 });
    expect((await post()).status).toBe(504);
    await control.in(world).delete('/faults');
    expect((await post()).status).toBe(422);
    expect((await service.get('/api/v1/applications', as(world))).body).toHaveLength(1);
  });
});

describe('a latency fault', () => {
  it.each([
    ['fixed', 120, 115],
    ['within a range', { min: 100, max: 200 }, 95],
    ['lognormal about a median', { median: 150, sigma: 0.1 }, 80],
  ] as const)('that is %s delays the answer by at least its minimum', async (_, ms, least) => {
    const world = await inWorld({ upstream: 'duo', kind: 'latency', ms });
    const reply = await timed(service.get('/api/v1/duo/diplomas', as(world)));
    expect(reply.status).toBe(200);
    expect(reply.ms).toBeGreaterThan(least);
  });

  it('delays a call as long as all latency faults together, and for at most a minute when it is lognormal', () => {
    const delayOf = (...delays: ActiveFault['ms'][]): number => {
      const latency = { upstream: 'duo', kind: 'latency', scenario: null } as const;
      const faults = delays.map((ms = 0, index): ActiveFault => ({ ...latency, id: `fault-${index}`, ms }));
      return createFaults(faults, new Map()).draw('duo', 'diplomas').delay;
    };
    expect(delayOf(100, 20, { min: 3, max: 3 })).toBe(123);
    expect(delayOf({ median: 600_000, sigma: 0 })).toBe(60_000);
  });
});

it('a simulated virus scanner with the fault "drip" sends its verdict with the given time between two bytes', async () => {
  const world = await inWorld({ upstream: 'scanner', kind: 'drip', ms: 1 });
  expect((await upload(service, as(world).as, { file: pdf() })).status).toBe(201);
});

describe('a fault with a probability', () => {
  const pattern = async (world: string): Promise<string> => {
    const answers: number[] = [];
    for (let n = 0; n < 12; n += 1) answers.push((await service.get('/api/v1/duo/diplomas', as(world))).status);
    return answers.join(' ');
  };
  // Not one that is tried again, nor so often that the breaker opens.
  const fault = (seed: number): SimulatedFault => ({ upstream: 'duo', kind: 'garbage', probability: 0.4, seed });

  it('fails the same calls with the same seed: in another world, after a reset, and beside another fault', async () => {
    const [one, other] = [await inWorld(fault(5)), await inWorld(fault(5))];
    const first = await pattern(one);
    expect(first).toMatch(/200.*502|502.*200/);
    expect(await pattern(other)).toBe(first);
    await control.in(one).post('/reset');
    await control.in(one).put('/scenarios/brp-slow');
    await control.in(one).post('/faults', fault(5));
    expect(await pattern(one)).toBe(first);
  });

  it('fails the same calls when the clock is moved and another fault is set in the meantime', async () => {
    const [one, other] = [await inWorld(fault(5)), await inWorld(fault(5))];
    const answers: number[] = [];
    for (let n = 0; n < 12; n += 1) {
      answers.push((await service.get('/api/v1/duo/diplomas', as(other))).status);
      await control.in(other).post('/clock', { move: '+1minute' });
      if (n === 5) await control.in(other).put('/scenarios/brp-slow');
    }
    expect(answers.join(' ')).toBe(await pattern(one));
  });

  it('fails other calls with another seed', async () => {
    const patterns = new Set<string>();
    for (const seed of [5, 6, 7]) patterns.add(await pattern(await inWorld(fault(seed))));
    expect(patterns.size).toBeGreaterThan(1);
  });
});

describe.concurrent('the scenario', () => {
  /** Status that the service answers on each path, by scenario. */
  const SHOWS: Readonly<Record<ScenarioName, readonly (readonly [path: string, status: number])[]>> = {
    'register-down': [['/dashboard-view', 503]],
    'register-slow': [['/dashboard-view', 200]],
    'register-garbage': [['/dashboard-view', 502]],
    'register-changed': [['/dashboard-view', 502]],
    'brp-down': [
      ['/dashboard-view', 200],
      ['/brp/address', 503],
    ],
    'brp-slow': [['/brp/address', 200]],
    'flaky-brp': [['/dashboard-view', 200]],
    'duo-down': [['/duo/diplomas', 503]],
    'duo-slow': [['/duo/diplomas', 200]],
    'no-diplomas': [['/duo/diplomas', 200]],
    'documents-down': [['upload', 503]],
    'documents-slow': [['upload', 201]],
    'scanner-down': [['upload', 503]],
    'answers-lost': [['/dashboard-view', 200]],
    'rate-limited': [['/dashboard-view', 503]],
    'all-slow': [['/dashboard-view', 200]],
    'session-expired': [
      ['/dashboard-view', 401],
      ['upload', 401],
    ],
    'step-up-refused': [['/dashboard-view', 200]],
    'rate-limited-caller': [['/applications', 429]],
    'slow-service': [['/uploads/categories?wizardId=registratie', 200]],
  };

  it.each(SCENARIO_NAMES)('%s gives the documented statuses, and has no effect when it is off', async (name) => {
    const world = fresh();
    expect((await control.in(world).put(`/scenarios/${name}`)).body.scenarios).toEqual([name]);
    for (const [path, status] of SHOWS[name]) {
      const reply = await timed(
        path === 'upload' ? upload(service, as(world).as, { file: pdf() }) : service.get(`/api/v1${path}`, as(world)),
      );
      expect([name, path, reply.status]).toEqual([name, path, status]);
      if (/slow/.test(name) && path !== '/dashboard-view') expect(reply.ms).toBeGreaterThan(300);
    }
    expect(await control.in(world).delete(`/scenarios/${name}`)).toMatchObject({ body: { faults: [] } });
    expect((await service.get('/api/v1/brp/address', as(world))).status).toBe(200);
  });
});

it('a fault for an upstream that is not simulated is refused with 409 bron-niet-gesimuleerd and how to simulate it', async () => {
  const plain = keep(await startService());
  const world = controlOf(plain).in('echt');
  const refused = await world.put('/scenarios/scanner-down');
  expect([refused.status, refused.body.code]).toEqual([409, 'bron-niet-gesimuleerd']);
  expect(refused.body.detail).toMatch(/SCANNER=simulator/);
  expect((await world.post('/faults', { upstream: 'scanner', kind: 'hang' })).status).toBe(409);
  expect((await world.put('/scenarios/all-slow')).status).toBe(200);
});

it.each<[unknown, RegExp]>([
  [{ upstream: 'brp', kind: 'hang', operation: 'persoon' }, /personen/],
  [{ upstream: 'brp', kind: 'refused', probability: 0.5 }, /reset/],
  [{ upstream: 'brp', kind: 'hang', status: 500 }, /kind status/],
  [{ upstream: 'brp', kind: 'hang', ms: 5 }, /latency of drip/],
  [{ upstream: 'brp', kind: 'latency', ms: { min: 9, max: 1 } }, /min/],
  [{ upstream: 'scanner', kind: 'status' }, /HTTP/],
  [{ upstream: 'documenten', kind: 'empty' }, /leeg/],
  [{ upstream: 'brp', kind: 'problem', code: 'overbelast' }, /dienst/],
  [{ upstream: 'brp', kind: 'refused', after: 2 }, /after/],
  [{ upstream: 'brp', kind: 'refused', times: 2 }, /times/],
  [{ upstream: 'dienst', kind: 'garbage' }, /problem, status, latency, reset, cut, lost/],
  [{ upstream: 'dienst', kind: 'problem' }, /code/],
  [{ upstream: 'dienst', kind: 'problem', code: 'overbelst' }, /Bedoelde u overbelast/],
  [{ upstream: 'dienst', kind: 'problem', code: 'pinguin' }, /^De probleemcode pinguin is er niet\. Er zijn: /],
  [
    { upstream: 'dienst', kind: 'problem', code: 'upload-bezig', operation: 'notes' },
    /^notes antwoordt nooit met upload-bezig\. Wel met: .+niet-ingelogd/,
  ],
  [{ upstream: 'dienst', kind: 'status', status: 418 }, /^Geen bewerking antwoordt met 418\. .+401, 403, 404/],
  [{ upstream: 'dienst', kind: 'latency', operation: 'health' }, /dashboardView/],
  [{ upstream: 'dienst', kind: 'lost', persona: 'sanne-de-wt' }, /sanne-de-wit/],
  [{ upstream: 'dienst', kind: 'lost', retryAfter: 3 }, /retryAfter/],
])(
  'an impossible fault such as %j is refused with 400 storing-onmogelijk and what is possible',
  async (fault, says) => {
    const { status, body } = await control.in(fresh()).post('/faults', fault);
    expect([status, body.code]).toEqual([400, 'storing-onmogelijk']);
    expect(body.detail).toMatch(says);
  },
);
