import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createWorldConnections, type WorldConnection } from '../../simulator/host/world-upstreams.ts';
import { EVERY_CASE } from '../support/cases.ts';
import { controlOf } from '../support/control.ts';
import { createLetterClient, sectionTextOf } from '../support/letter.ts';
import { temporaryFolder } from '../support/run-folder.ts';
import { keep, startService, type TestService, together, useService } from '../support/service.ts';
import { advanceDate, fakeTimers } from '../support/time.ts';

const service = await useService();
const control = controlOf(service);

const dashboard = async (as: string) => (await service.get('/api/v1/dashboard-view', { as })).body;
const uhd = async (as: string) => (await dashboard(as)).registration.status.herregistratieDatum;

describe('the clock of a world', () => {
  it('sets the date of rules, upstreams and the Date header in that world only', async () => {
    const world = control.in('klok');
    const expected = { mode: 'running', today: '2026-11-01', firstDay: '2026-06-01' };
    expect((await world.post('/clock', { move: '+5months' })).body.clock).toMatchObject(expected);
    const there = await service.get('/api/v1/dashboard-view', { as: 'sanne-de-wit@klok' });
    expect(there.headers.date).toMatch(/Sun, 01 Nov 2026/);
    expect(there.body.registration.status).toMatchObject({ tag: 'Doorgehaald', doorgehaaldOp: '2026-10-02' });
    const here = await service.get('/api/v1/dashboard-view', { as: 'sanne-de-wit@elders' });
    expect(here.headers.date).toMatch(/Mon, 01 Jun 2026/);
    expect(here.body.registration.status.tag).toBe('Geregistreerd');
    for (const path of ['/api/v1/dashboard-view', '/api/v1/nergens']) {
      const { status, headers } = await service.call('GET', path);
      expect([path, status < 500, headers.date]).toEqual([path, true, expect.stringMatching(/Mon, 01 Jun 2026/)]);
    }
  });

  it.each([
    [-1, 'Geregistreerd', true, null],
    [0, 'Geregistreerd', true, null],
    [1, 'Doorgehaald', false, /doorgehaald op 2 oktober 2026/],
  ])(
    'set with { deadline, days: %i } is on that day relative to the deadline, when the registration is %s',
    async (days, tag, eligible, reason) => {
      await control.in('deadline').post('/clock', { deadline: 'sanne-de-wit', days });
      const { registration, decisions } = await dashboard('sanne-de-wit@deadline');
      expect([registration.status.tag, decisions.eligibleForHerregistratie]).toEqual([tag, eligible]);
      if (reason === null) expect(decisions.herregistratieReason).toBeNull();
      else expect(decisions.herregistratieReason).toMatch(reason);
    },
  );

  it.each([
    ['+1day 2days', '2026-06-04'],
    ['-1 week 1day', '2026-05-24'],
    ['+1month 1day', '2026-07-02'],
  ])('moved by "%s" is at %s', async (move, today) => {
    const world = control.in(`klok-${today}`);
    expect((await world.post('/clock', { move })).body.clock).toMatchObject({ today });
  });

  it('moved forward or back keeps the deadline of a persona, also when a request is submitted in between', async () => {
    const world = control.in('verhaal');
    await world.post('/clock', { move: '+3months' });
    await service.post('/api/v1/herregistraties', 'sanne-de-wit@verhaal', { uren: 2_600 });
    expect(await uhd('sanne-de-wit@verhaal')).toBe('2026-10-01');
    await world.post('/clock', { move: '-2months' });
    expect(await uhd('sanne-de-wit@verhaal')).toBe('2026-10-01');
  });

  it('set back to a day before a decision undoes it for the register and the service, until that day comes again', async () => {
    const world = control.in('terug');
    const as = 'sanne-de-wit@terug';
    const application = async () => (await service.get('/api/v1/applications', { as })).body[0];
    await world.post('/reset', { begin: '2026-06-01' });
    const { referentie } = (await service.post('/api/v1/herregistraties', as, { uren: 2_600 })).body;
    await world.post('/clock', { move: '+1year' });
    expect((await application()).status.tag).toBe('Goedgekeurd');
    await world.post('/clock', { set: '2026-06-01' });
    expect(await application()).toMatchObject({
      updatedAt: '2026-06-01T12:00:00Z',
      status: { tag: 'InBehandeling', referentie },
    });
    expect((await dashboard(as)).decisions.herregistratieReason).toMatch(/loopt/);
    expect((await service.post('/api/v1/herregistraties', as, { uren: 2_600 })).body.code).toBe('lopende-aanvraag');
    await world.post('/clock', { move: '+2days' });
    expect((await application()).status.tag).toBe('Goedgekeurd');
    expect(await uhd(as)).toBe('2031-06-03');
    // Also before the day of the request: a list is sorted by this time.
    await world.post('/clock', { set: '2026-05-01' });
    expect(await application()).toMatchObject({ createdAt: '2026-06-01T12:00:00Z', updatedAt: '2026-06-01T12:00:00Z' });
  });

  it('set back, and further back, undoes the decisions on two requests of one kind, each until its day comes again', async () => {
    const world = control.in('twee-terug');
    const as = 'sanne-de-wit@twee-terug';
    const tags = async () =>
      (await service.get('/api/v1/applications', { as })).body.map(
        ({ status }: { status: { referentie: string; tag: string } }) => `${status.referentie.slice(-1)} ${status.tag}`,
      );
    const on = async (day: string) => {
      await world.post('/clock', { set: day });
      return (await tags()).sort();
    };
    await world.post('/reset', { begin: '2026-06-01' });
    for (const move of ['+1week', '+1week']) {
      expect((await service.post('/api/v1/intakes', as, { uren: 2_600 })).status).toBe(200);
      await world.post('/clock', { move });
    }
    expect(await on('2026-06-15')).toEqual(['1 Goedgekeurd', '2 Goedgekeurd']);
    expect(await on('2026-06-08')).toEqual(['1 Goedgekeurd', '2 InBehandeling']);
    expect(await on('2026-06-01')).toEqual(['1 InBehandeling', '2 InBehandeling']);
    expect((await service.post('/api/v1/intakes', as, { uren: 2_600 })).body.code).toBe('lopende-aanvraag');
    expect(await on('2026-06-08')).toEqual(['1 Goedgekeurd', '2 InBehandeling']);
    expect(await on('2026-06-15')).toEqual(['1 Goedgekeurd', '2 Goedgekeurd']);
  });

  it('set back to a day before the registration of the person in its letter still has that letter', async () => {
    const as = 'drafter-dana@jaren-terug';
    await service.get('/api/v1/brief', { as });
    await control.in('jaren-terug').post('/clock', { set: '2001-01-01' });
    const { status, body } = await service.get('/api/v1/brief', { as });
    expect([status, body.brief?.beroep]).toEqual([200, 'verpleegkundige']);
  });

  it('set back undoes a refusal of the control API that was taken on a later day', async () => {
    const world = control.in('besluit-terug');
    const as = 'lotte-van-dijk@besluit-terug';
    const tag = async () => (await service.get('/api/v1/applications', { as })).body[0].status.tag;
    await world.post('/clock', { move: '+2days' });
    await world.put('/zaken/HER-2026-000118/besluit', { uitkomst: 'afgewezen' });
    expect(await tag()).toBe('Afgewezen');
    await world.post('/clock', { move: '-1day' });
    expect(await tag()).toBe('InBehandeling');
    await world.post('/clock', { move: '+1day' });
    expect(await tag()).toBe('Afgewezen');
  });

  it('can be frozen, moved while it is frozen, started again, and reset to the real time', async () => {
    const world = control.in('stil');
    expect((await world.post('/clock', { set: '2027-03-28', frozen: true })).body.clock).toMatchObject({
      mode: 'frozen',
      now: '2027-03-28T12:00:00.000Z',
    });
    expect((await world.post('/clock', { move: '+1day' })).body.clock.now).toBe('2027-03-29T12:00:00.000Z');
    expect((await world.post('/clock', { frozen: false })).body.clock.mode).toBe('running');
    const expected = { mode: 'real', today: '2026-06-01', firstDay: null };
    expect((await world.post('/clock', { real: true })).body.clock).toMatchObject(expected);
  });

  it.each([
    [{}, 'klok-onduidelijk'],
    [{ set: '2027-01-01', move: '+1day' }, 'klok-onduidelijk'],
    [{ real: true, frozen: true }, 'klok-onduidelijk'],
    [{ move: 'tomorrow' }, 'klok-onduidelijk'],
    [{ move: '+4 moons' }, 'klok-onduidelijk'],
    [{ move: '+1day and a bit' }, 'klok-onduidelijk'],
    [{ move: '+99999years' }, 'klok-te-ver'],
    [{ move: '+99999years 99999years 99999years' }, 'klok-te-ver'],
    [{ days: 3 }, 'klok-onduidelijk'],
    [{ deadline: 'noor-bakker' }, 'geen-deadline'],
    [{ deadline: 'sane-de-wit' }, 'persona-onbekend'],
  ])('refuses the change %j with the code %s and an explanation', async (change, code) => {
    const { status, body } = await control.in('fout').post('/clock', change);
    expect([status < 500, body.code]).toEqual([true, code]);
    expect(body.detail.length).toBeGreaterThan(20);
  });

  it.each(['+1month', '-1week', '+1year 2days', '+ 3 hours', '+90minutes'])('accepts the move "%s"', async (move) => {
    expect((await control.in('woorden').post('/clock', { move })).status).toBe(200);
  });
});

describe('a world', () => {
  it('can have a running clock although SIMULATOR_TODAY freezes the common clock', async () => {
    const stopped = keep(await startService({ SIMULATOR_TODAY: '2030-01-15' }, 'as-configured'));
    const world = controlOf(stopped).in('loopt');
    const clock = async () => (await world.get()).body.clock;
    const changed = async (change: object) => (await world.post('/clock', change)).body.clock;
    expect(await changed({ move: '+1day' })).toMatchObject({ mode: 'frozen', today: '2030-01-16' });
    const { now } = await clock();
    expect((await clock()).now).toBe(now);
    expect(await changed({ frozen: false })).toMatchObject({ mode: 'running', today: '2030-01-16' });
    await expect.poll(async () => Date.parse((await clock()).now)).toBeGreaterThan(Date.parse(now));
    expect(await changed({ real: true })).toMatchObject({ mode: 'frozen', today: '2030-01-15' });
  });

  it('reset with { begin: "2024-02-29" } has the same dashboard after each reset, and so has another world', async () => {
    const told: string[] = [];
    for (const world of ['toen', 'toen', 'ook-toen']) {
      await control.in(world).post('/reset', { begin: '2024-02-29' });
      const { body } = await service.get('/api/v1/dashboard-view', { as: `sanne-de-wit@${world}` });
      expect(body.registration.status.herregistratieDatum).toBe('2024-06-29');
      told.push(JSON.stringify(body));
    }
    expect(new Set(told).size).toBe(1);
  });

  it('is made once when several ask for it at the same time, also while it is being reset, and again after it was deleted', async () => {
    const world = control.in('een-van-vieren');
    const make = async () => (await world.put('')).status;
    const all = await Promise.all([1, 2, 3, 4].map(make));
    expect(all.toSorted()).toEqual([201, 409, 409, 409]);
    const [{ status }, ...meanwhile] = await Promise.all([world.post('/reset'), ...[1, 2, 3, 4].map(make)]);
    expect([status, ...meanwhile]).toEqual([200, 409, 409, 409, 409]);
    await world.delete('');
    expect([await make(), (await world.put('')).body.code]).toEqual([201, 'wereld-bestaat']);
  });

  it('that was deleted has the name and address of the addressee in its next letter', async () => {
    const letter = createLetterClient(service, 'weg');
    for (const time of ['first', 'after the deletion']) {
      const { sections } = await letter.brief();
      const text = sectionTextOf(sections, 'briefhoofd');
      expect([time, text]).toEqual([time, expect.stringContaining('L. van Dijk\nKleine Houtweg 27 RD')]);
      expect((await control.in('weg').delete('')).status).toBe(204);
    }
  });

  it('that is reset or deleted refuses the requests in progress, and has nothing of them afterwards', async () => {
    // Longer than the reset or deletion takes on a busy machine.
    const slow = { kind: 'latency', ms: 8_000, times: 1 };
    const rows = [
      [{ upstream: 'dienst' }, '/applications', { type: 'intake' }],
      [{ upstream: 'register', operation: 'registraties' }, '/herregistraties', { uren: 2_600 }],
      [{ upstream: 'register', operation: 'zaken-indienen' }, '/herregistraties', { uren: 2_600 }],
    ] as const;
    const ends = [
      ['reset', (world: string) => control.in(world).post('/reset')],
      ['delete', (world: string) => control.in(world).delete('')],
    ] as const;
    const tried = rows.flatMap(([fault, path, json], row) =>
      ends.map(async ([how, end]) => {
        const world = `onderweg-${row}-${how}`;
        await control.in(world).post('/faults', { ...fault, ...slow });
        const callers = ['sanne-de-wit', 'henk-de-boer'].map((slug) => `${slug}@${world}`);
        const answers = callers.map((as) => service.post(`/api/v1${path}`, as, json));
        // The fault hits one of the two: when the other has its answer, that one waits.
        await Promise.race(answers);
        await end(world);
        const detail = expect.stringMatching(/^Deze wereld is opnieuw begonnen of verwijderd/);
        const refused = expect.objectContaining({ status: 503, body: expect.objectContaining({ detail }) });
        expect(await Promise.all(answers)).toContainEqual(refused);
        const worlds = (await control.call('GET', '/worlds')).body.map((one: { world: string }) => one.world);
        expect([world, worlds.includes(world)]).toEqual([world, how === 'reset']);
        const zaken = (await control.in(world).get('/zaken')).body.map(
          ({ slug }: { slug: string }) => `${slug}@${world}`,
        );
        expect(zaken.filter((login: string) => callers.includes(login))).toEqual([]);
        for (const as of callers) expect((await service.get('/api/v1/applications', { as })).body).toEqual([]);
      }),
    );
    await Promise.all(tried);
  });

  it('answers 200 after its faults are deleted, also when they are deleted during its first call', async () => {
    for (const name of ['eerst-1', 'eerst-2', 'eerst-3']) {
      const world = control.in(name);
      await world.put('/scenarios/register-down');
      const first = service.get('/api/v1/dashboard-view', { as: `sanne-de-wit@${name}` });
      await world.delete('/faults');
      await first;
      expect((await service.get('/api/v1/dashboard-view', { as: `sanne-de-wit@${name}` })).status).toBe(200);
    }
  });

  it('has its first requests, drafts, uploads, letter, clock and faults again after a reset', async () => {
    const world = control.in('opnieuw');
    const as = 'ruben-smit@opnieuw';
    const seen = async () => ({
      applications: (await service.get('/api/v1/applications', { as })).body,
      uploads: (await service.get('/api/v1/uploads/status', { as })).body,
      dashboard: await dashboard(as),
      world: { ...(await world.get()).body, entries: 0 },
    });
    const before = await seen();
    const [concept] = before.applications.filter(({ status }: { status: { tag: string } }) => status.tag === 'Concept');
    await service.call('PUT', `/api/v1/applications/${concept.id}`, {
      as,
      json: { draft: { x: 1 }, stepIndex: 3, stepCount: 4 },
    });
    await service.post('/api/v1/herregistraties', 'sanne-de-wit@opnieuw', { uren: 2_600 });
    await world.put('/brief', { tag: 'sent' });
    await world.put('/scenarios/brp-down');
    await world.post('/clock', { move: '+2years' });
    expect(await seen()).not.toEqual(before);
    await world.post('/reset');
    expect(await seen()).toEqual(before);
    expect((await world.get('/brief')).body).toBeNull();
    const again = await service.post('/api/v1/herregistraties', 'sanne-de-wit@opnieuw', { uren: 2_600 });
    expect(again.body.referentie).toBe('HER-2026-010001');
  });

  it('answers 200 while the register of another world is down and answers 503 thirty times', async () => {
    await control.in('stuk').put('/scenarios/register-down');
    for (let n = 0; n < 30; n += 1) {
      expect(await service.get('/api/v1/dashboard-view', { as: 'sanne-de-wit@stuk' })).toMatchObject({ status: 503 });
    }
    expect((await service.get('/api/v1/dashboard-view', { as: 'sanne-de-wit@heel' })).status).toBe(200);
    expect((await service.get('/api/v1/dashboard-view', { as: 'sanne-de-wit' })).status).toBe(200);
    await control.in('stuk').delete('/scenarios/register-down');
    expect((await service.get('/api/v1/dashboard-view', { as: 'sanne-de-wit@stuk' })).status).toBe(200);
  });

  it('is disconnected when more than 64 worlds are connected, and has the same applications when it is used again', async () => {
    const own = keep(await startService({ SCANNER: 'simulator' }));
    // Each world that is connected has a scanner that listens.
    const listening = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length;
    const first = { as: 'sanne-de-wit@rij-0' };
    await own.post('/api/v1/herregistraties', 'sanne-de-wit@rij-0', { uren: 2_600 });
    const { body } = await own.get('/api/v1/applications', first);
    const before = listening();
    for (let at = 0; at < 96; at += 8)
      await together(8, (n) => own.get('/api/v1/notes', { as: `sanne-de-wit@rij-${at + n}` }));
    await expect.poll(listening).toBeLessThanOrEqual(before + 64);
    expect((await own.get('/api/v1/applications', first)).body).toEqual(body);
  });

  it('answers 200 when the maximum of 64 other worlds is connected and all have calls in progress', async () => {
    const own = keep(await startService());
    const busy = Array.from({ length: 64 }, (_, n) => `druk-${n}`);
    const late = { upstream: 'register', kind: 'latency', ms: 700 };
    await Promise.all(busy.map((world) => controlOf(own).in(world).post('/faults', late)));
    const underWay = busy.map((world) => own.get('/api/v1/notes', { as: `sanne-de-wit@${world}` }));
    await setTimeout(200);
    expect((await own.get('/api/v1/notes', { as: 'sanne-de-wit@erbij' })).status).toBe(200);
    await Promise.all(underWay);
  });

  it('has its own clock, requests and drafts while other worlds are used at the same time', async () => {
    const worlds = await inTurn(
      Array.from({ length: WORLDS }, (_, n) => n),
      begun,
    );
    for (let round = 0; round < 2; round += 1) await inTurn(worlds, asItWasMarked);
  });

  const WORLDS = EVERY_CASE ? 50 : 8;

  interface Marked {
    readonly n: number;
    readonly world: string;
    readonly as: string;
    readonly id: string;
    readonly referentie: string;
  }

  /** Creates a world with a clock, a request and a draft that no other world has. */
  async function begun(n: number): Promise<Marked> {
    const world = `veel-${n}`;
    const as = `sanne-de-wit@${world}`;
    await control.in(world).post('/clock', { move: `+${n}days` });
    const adres = { straat: `Teststraat ${n + 1}`, postcode: '1234AB', woonplaats: 'Utrecht' };
    const { referentie } = (await service.post('/api/v1/change-requests', as, adres)).body;
    const { id } = (await service.post('/api/v1/applications', as, { type: 'intake' })).body;
    const json = { draft: { mark: world }, stepIndex: 0, stepCount: 2 };
    await service.call('PUT', `/api/v1/applications/${id}`, { as, json });
    return { n, world, as, id, referentie };
  }

  async function asItWasMarked({ n, world, as, id, referentie }: Marked): Promise<void> {
    const list = (await service.get('/api/v1/applications', { as })).body;
    expect(list.map((one: { status: { referentie: string | null } }) => one.status.referentie)).toEqual(
      expect.arrayContaining([referentie, null]),
    );
    expect(list).toHaveLength(2);
    expect((await service.get(`/api/v1/applications/${id}`, { as })).body.draft).toEqual({ mark: world });
    const { headers } = await service.get('/api/v1/dashboard-view', { as });
    expect(headers.date).toContain(new Date(Date.UTC(2026, 5, 1 + n, 12)).toUTCString().slice(0, 16));
    const elsewhere = { as: `sanne-de-wit@veel-${(n + 1) % WORLDS}` };
    expect((await service.get(`/api/v1/applications/${id}`, elsewhere)).status).toBe(404);
    const zaken = (await control.in(world).get('/zaken')).body;
    expect(zaken.filter(({ slug }: { slug: string }) => slug === 'sanne-de-wit')).toHaveLength(1);
  }

  /** Runs `work` for each item, six at the same time. More calls could be refused (503) on a busy machine. */
  async function inTurn<Item, Result>(
    items: readonly Item[],
    work: (item: Item) => Promise<Result>,
  ): Promise<Result[]> {
    const results: Result[] = [];
    const waiting = items.map((item, index) => ({ item, index }));
    const lane = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        results[next.index] = await work(next.item);
    };
    await Promise.all(Array.from({ length: 6 }, lane));
    return results;
  }
});

it('the upstream connections of a world stay open after a change of its faults until the last answer was read, such as a slow download', async () => {
  fakeTimers();
  const close = vi.fn();
  let running = 1;
  const http = { stats: () => [{ underway: 0, running }], close } as unknown as WorldConnection['http'];
  const connections = createWorldConnections(
    () => ({ http, connecting: null, scanner: null, calls: 0, isCurrent: () => true }),
    () => undefined,
  );
  await connections.callInWorld('demo', async () => 'the headers of the answer');
  connections.disconnect('demo');
  vi.advanceTimersByTime(60_000);
  expect(close).not.toHaveBeenCalled();
  running = 0;
  vi.advanceTimersByTime(60_000);
  expect(close).toHaveBeenCalledOnce();
});

describe('an unused world', () => {
  let folder = '';
  beforeEach(() => {
    folder = temporaryFolder('worlds');
  });
  const once = async (look: (running: TestService) => Promise<void>) => {
    const running = await startService({ DATA_DIR: folder });
    await look(running);
    await running.close();
  };
  const names = async (running: TestService) =>
    (await controlOf(running).call('GET', '/worlds')).body.map(({ world }: { world: string }) => world);

  it('is kept through a restart, which says so of faults and clock of the default world, and deleted after a day; the default world is kept', async () => {
    await once(async (running) => {
      await running.post('/api/v1/herregistraties', 'sanne-de-wit@kort', { uren: 2_600 });
      await running.post('/api/v1/herregistraties', 'sanne-de-wit', { uren: 2_600 });
      expect(running.notes).toEqual([]);
      await controlOf(running).in('default').post('/faults', { upstream: 'dienst', kind: 'status', status: 401 });
      await controlOf(running).in('default').post('/clock', { set: '2026-09-01', frozen: true });
    });
    advanceDate(20 * 60 * 60);
    await once(async (running) => {
      expect(running.notes).toEqual([
        'faults that are still on: dienst: status 401. To turn them off: npm run sim -- fault off',
        'the clock is still at 2026-09-01. To go back: npm run sim -- clock real',
      ]);
      await controlOf(running).in('default').delete('/faults');
      expect(await names(running)).toEqual(['default', 'kort']);
    });
    advanceDate(26 * 60 * 60);
    await once(async (running) => {
      await expect.poll(() => names(running)).toEqual(['default']);
      expect((await running.get('/api/v1/applications', { as: 'sanne-de-wit' })).body).toHaveLength(1);
      expect((await running.get('/api/v1/applications', { as: 'sanne-de-wit@kort' })).body).toHaveLength(0);
    });
  });

  it('is kept when it is used again while others are deleted, for which the service does not wait to start', async () => {
    const as = 'noor-bakker@zomer';
    await once(async (running) => {
      await running.post('/api/v1/applications', as, { type: 'registratie' });
    });
    const db = new DatabaseSync(join(folder, 'simulator.sqlite'));
    const insert = db.prepare('insert into worlds values (?, ?)');
    for (let n = 0; n < 60; n += 1) insert.run(`test-${n}`, Date.now());
    db.close();
    advanceDate(26 * 60 * 60);
    await once(async (running) => {
      expect((await running.get('/api/v1/applications', { as })).body).toHaveLength(1);
      const others = async () => (await names(running)).filter((name: string) => name.startsWith('test-'));
      await expect.poll(async () => await others()).toEqual([]);
      expect((await running.get('/api/v1/applications', { as })).body).toHaveLength(1);
    });
  });
});

describe('an administrator', () => {
  const uploadedIn = async (world: string): Promise<string> =>
    (await control.in(world).get('/uploads')).body.find(({ state }: { state: string }) => state === 'uploaded')
      .documentId;
  const remove = async (documentId: string, world: string): Promise<number> => {
    const options = { as: `admin-ali@${world}`, headers: { 'x-role': 'admin' } };
    return (await service.call('DELETE', `/api/v1/admin/uploads/${documentId}`, options)).status;
  };

  it('gets 404 for deleting a document of another world, and 204 for one of their own world', async () => {
    const paper = await uploadedIn('admin-a');
    expect([await remove(paper, 'admin-b'), await remove(paper, 'admin-a')]).toEqual([404, 204]);
  });

  it('gets 204 for deleting a document of their own world that a snapshot of another world brought', async () => {
    await control.in('admin-c').get('/uploads');
    await control.in('admin-c').put('/snapshots/admin-c');
    const snapshot = (await control.call('GET', '/snapshots/admin-c')).body;
    expect(snapshot.store.uploads[0]).not.toHaveProperty('workspace');
    expect((await control.in('admin-d').post('/snapshots/admin-c/restore')).status).toBe(200);
    const paper = await uploadedIn('admin-d');
    expect([await remove(paper, 'admin-c'), await remove(paper, 'admin-d')]).toEqual([404, 204]);
  });
});
