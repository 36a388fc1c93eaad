import { describe, expect, expectTypeOf, it } from 'vitest';
import type * as z from 'zod';
import type { HandlersControl } from '../../browser/index.ts';
import type * as schema from '../../simulator/control/schema.ts';
import type { ActiveFault, SimulatedFault } from '../../simulator/worlds/faults.ts';
import type { RecordedRequest } from '../../simulator/worlds/journal.ts';
import type { SCENARIOS } from '../../simulator/worlds/scenarios.ts';
import {
  type Bff,
  type ClockChange,
  connectBff,
  type Entry,
  type Fault,
  type FaultOn,
  type Letter,
  type Scenario,
  type SentLetter,
  type SentLetterSummary,
  startBff,
  type Upload,
  type WorldState,
  type Zaak,
} from '../../testing/index.ts';
import { bffTest } from '../../testing/vitest.ts';
import { keep, use } from '../support/service.ts';

type Schemas = typeof schema;
type Sent<Name extends keyof Schemas> = Schemas[Name] extends z.ZodType<infer Value> ? Value : never;

const bff = await use(startBff({ today: '2026-06-01', env: { SIMULATOR_TODAY: undefined } }));

describe('importSnapshot', () => {
  it('replaces a world by the content of a snapshot file, and leaves no snapshot behind', async () => {
    const [from, to] = [bff.world('exported'), bff.world('imported')];
    const { data } = await from.as('sanne-de-wit').POST('/herregistraties', { body: { uren: 2_600 } });
    await from.snapshot('committed');
    const snapshots = `${bff.url}/_simulator/snapshots`;
    const file = (await fetch(`${snapshots}/committed`).then((answer) => answer.json())) as object;
    expect((await to.importSnapshot(file)).world).toBe('imported');
    const [first] = (await to.as('sanne-de-wit').GET('/applications')).data ?? [];
    expect(first?.status.referentie).toBe(data?.referentie);
    const kept = (await fetch(snapshots).then((answer) => answer.json())) as { name: string }[];
    expect(kept.filter(({ name }) => name.startsWith('imported'))).toEqual([]);
    await expect(to.importSnapshot({})).rejects.toThrow('400');
  });

  it('leaves no snapshot behind when the restore is refused', async () => {
    const [one, other] = [bff.world('import-een'), bff.world('import-twee')];
    await one.as('ruben-smit').GET('/applications');
    await one.snapshot('van-een');
    const snapshots = `${bff.url}/_simulator/snapshots`;
    const file = await fetch(`${snapshots}/van-een`).then((answer) => answer.text());
    // Renamed by hand, with the ids of the documents of the other world.
    await expect(other.importSnapshot(JSON.parse(file.replaceAll('import-een', 'import-twee')))).rejects.toThrow('409');
    const kept = (await fetch(snapshots).then((answer) => answer.json())) as { name: string }[];
    expect(kept.filter(({ name }) => name.startsWith('imported'))).toEqual([]);
  });
});

describe('startBff', () => {
  it('starts a service that is ready, also while another one runs', async () => {
    const other = keep(await startBff());
    expect(other.url).not.toBe(bff.url);
    expect((await fetch(`${other.url}/health/ready`)).status).toBe(200);
  });

  it('makes clients for each persona in separate worlds', async () => {
    const [one, other] = [bff.world('one'), bff.world('other')];
    const made = await one.as('noor-bakker').POST('/applications', { body: { type: 'registratie' } });
    expect(made.response.status).toBe(201);
    const drafts = async (client: typeof bff.client) => (await client.GET('/applications')).data?.length;
    expect(await drafts(one.as('noor-bakker'))).toBe(1);
    expect(await drafts(one.as('sanne-de-wit').as('noor-bakker'))).toBe(1);
    expect(await drafts(other.as('noor-bakker'))).toBe(0);
    expect(await drafts(bff.client.as('noor-bakker@one'))).toBe(1);
    expect(one.headers('teamlead-tess')).toEqual({
      Authorization: 'Bearer dev',
      'X-Medewerker': 'teamlead-tess@one',
      'X-Rollen': 'behandelaar,teamlead',
    });
    await one.reset();
    expect(await drafts(one.as('noor-bakker'))).toBe(0);
  });

  it.each([
    [-1, 'eligible'],
    [0, 'eligible'],
    [1, 'not eligible'],
  ])('sets the clock of one world to day %i from the deadline, on which the persona is %s', async (days, expected) => {
    const world = bff.world(`day-${days + 1}`);
    await world.clock({ deadline: 'sanne-de-wit', days });
    const { data } = await world.as('sanne-de-wit').GET('/dashboard-view');
    expect(data?.decisions?.eligibleForHerregistratie).toBe(expected === 'eligible');
    expect((await bff.state()).clock.today).toBe('2026-06-01');
  });

  it('is not needed for a service that runs already: connectBff controls it, and does not stop it', async () => {
    const other = await connectBff(`${bff.url}/`);
    await other.world('shared').clock('2026-07-01');
    await other.close();
    expect((await bff.world('shared').state()).clock.today).toBe('2026-07-01');
    expect((await connectBff(`${bff.url}/api/v1/`)).url).toBe(bff.url);
    const none: unknown = undefined;
    for (const url of [new URL(bff.url).host, none as string])
      await expect(connectBff(url)).rejects.toThrow(`such as http://127.0.0.1:3000; it is ${url}`);
    await expect(connectBff('http://127.0.0.1:1')).rejects.toThrow(
      /^No service .+ Start it with npx --no-install zorgregister-bff/,
    );
  });

  it('sets the clock with a date, a period or "real"', async () => {
    const world = bff.world('words');
    expect((await world.clock('2026-07-01')).clock.today).toBe('2026-07-01');
    expect((await world.clock('+4months')).clock.today).toBe('2026-11-01');
    expect((await world.clock('real')).clock.today).toBe('2026-06-01');
    expect((await world.reset('2027-01-31')).clock).toMatchObject({ mode: 'frozen', firstDay: '2027-01-31' });
  });

  it('has a simulated scanner: with scanner-down an upload is answered 503, afterwards 201', async () => {
    const world = bff.world('scanned');
    const upload = async () => {
      const body = new FormData();
      const fields = { wizardId: 'registratie', categoryId: 'cv', localId: 'mine' };
      for (const [name, value] of Object.entries(fields)) body.set(name, value);
      body.set('file', new File([await world.sample('cv.pdf')], 'cv.pdf'));
      return (await world.as('elena-marin').POST('/uploads', { body })).response.status;
    };
    await world.scenario('scanner-down');
    expect(await upload()).toBe(503);
    await world.calm();
    expect(await upload()).toBe(201);
  });

  it('switches scenarios and faults on and off', async () => {
    const world = bff.world('faults');
    const status = async () => (await world.as('sanne-de-wit').GET('/duo/diplomas')).response.status;
    await world.scenario('duo-down');
    expect(await status()).toBe(503);
    await world.scenario('duo-down', false);
    expect(await status()).toBe(200);
    expect(await world.fault({ upstream: 'duo', kind: 'garbage' })).toMatchObject({ scenario: null });
    expect(await status()).toBe(502);
    await world.calm();
    expect(await status()).toBe(200);
  });

  it('decides a case, sets the state of the letter and of an upload, and restores a snapshot', async () => {
    const world = bff.world('cases');
    const own = world.as('sanne-de-wit');
    const { data } = await own.POST('/herregistraties', { body: { uren: 2600 } });
    const tag = async () => (await own.GET('/applications')).data?.[0]?.status?.tag;
    expect(await tag()).toBe('InBehandeling');
    await world.snapshot('asked');
    await world.decide(data?.referentie ?? '', 'afgewezen', 'Te laat');
    expect(await tag()).toBe('Afgewezen');
    await world.restore('asked');
    expect(await tag()).toBe('InBehandeling');
    // By persona: the only case that is undecided.
    expect(await world.decide('sanne-de-wit', 'afgewezen')).toMatchObject({ referentie: data?.referentie });
    await expect(world.decide('sanne-de-wit', 'afgewezen')).rejects.toThrow('409 sanne-de-wit has no');
    await world.restore('asked');
    expect((await world.zaken()).map(({ slug }) => slug)).toContain('sanne-de-wit');

    await world.putBrief('approved');
    expect((await world.as('drafter-dana').GET('/brief')).data?.brief?.status?.tag).toBe('approved');
    const [upload] = await world.uploads();
    expect(await world.putUpload(upload?.documentId ?? '', 'rejected')).toMatchObject({ state: 'rejected' });
  });

  it('reads what the register sent to a persona, as a list, as text and as PDF', async () => {
    const world = bff.world('sent');
    await world.reset('2026-06-01');
    await world.clock('+4months');
    const letters = await world.post('sanne-de-wit');
    expect(letters.map(({ date, kind }) => `${date} ${kind}`)).toEqual([
      '2026-04-01 oproep',
      '2026-07-09 herinnering',
      '2026-08-20 voornemen-doorhaling',
    ]);
    const [{ id } = { id: '' }] = letters;
    expect((await world.postLetter('sanne-de-wit', id)).text).toContain('Geachte mevrouw De Wit,');
    expect(
      Buffer.from(await world.postPdf('sanne-de-wit', id))
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    await expect(world.postPdf('sanne-de-wit', 'oproep')).rejects.toThrow(/404 .+oproep-30-2026-04-01/);
  });

  it('returns the journal of a world with each operation, its upstream calls and the applied rules', async () => {
    const world = bff.world('told');
    await world.as('wilma-dekker').GET('/dashboard-view');
    const [entry] = await world.journal();
    expect(entry).toMatchObject({ operation: 'dashboardView', response: { status: 200 }, problem: null });
    expect(entry?.upstream.map(({ bron }) => bron)).toContain('register');
    expect(entry?.why.map(({ rule }) => rule)).toContain('checkHerregistratie');
    expect(await bff.world('not-told').journal()).toEqual([]);
  });

  it('returns the calls of a world that fit a filter, as what a test compares', async () => {
    const world = bff.world('made');
    await world.as('lotte-van-dijk').GET('/notes');
    const { problem } = await world.as('sanne-de-wit').POST('/herregistraties', { body: { uren: 26 } });
    await world.as('sanne-de-wit').POST('/herregistraties', { body: { uren: 2600 } });
    const made = { operation: 'createHerregistratie', persona: 'sanne-de-wit', body: { uren: 2600 }, status: 200 };
    const refused = { ...made, body: { uren: 26 }, status: 422, problem: 'urennorm-niet-gehaald' };
    const read = { operation: 'notes', persona: 'lotte-van-dijk', body: null, status: 200, problem: null };
    const sent = { ...made, problem: null };
    expect(await world.calls()).toEqual([read, refused, sent]);
    expect(await world.calls({ operation: 'createHerregistratie' })).toEqual([refused, sent]);
    expect(await world.calls({ persona: 'sanne-de-wit', status: '2xx' })).toEqual([sent]);
    expect(await world.calls({ status: 422 })).toEqual([refused]);
    expect(await world.calls({ trace: String(problem?.traceId) })).toEqual([refused]);
    // A typing error is no empty list.
    await expect(world.calls({ operation: 'createHerregistrati' })).rejects.toThrow(
      'Did you mean createHerregistratie?',
    );
    await expect(world.calls({ persona: 'sanne' as 'sanne-de-wit' })).rejects.toThrow('The nearest: sanne-de-wit');
  });

  it('throws an error with the member that is wrong, or the valid choices', async () => {
    await expect(bff.scenario('duo-dwn' as Scenario)).rejects.toThrow(/404 .+duo-down/);
    await expect(bff.clock('some day')).rejects.toThrow(/^'some day' is not a clock change\. Use '\+4months'/);
    await expect(bff.fault({ upstream: 'brp', kind: 'status', status: 302 })).rejects.toThrow(/400 .+ \/status: /);
    const none: unknown = undefined;
    await expect(bff.clock(none as string)).rejects.toThrow(/clock: 400 .+must be object/);
    await expect(bff.fault(none as Fault)).rejects.toThrow(/faults: 400 .+must be object/);
    await expect(bff.importSnapshot(none as object)).rejects.toThrow(/imported-default: 400 .+must be object/);
    const never = { upstream: 'brp', kind: 'reset', times: 0 } as const;
    await expect(bff.fault(never)).rejects.toThrow('/times: More than 0.');
    expect(await bff.fault({ ...never, times: 1 })).toMatchObject({ times: 1 });
    await bff.calm();
    const filter: object = { operatie: 'dashboardView' };
    const said = 'There is no filter "operatie". The filters are: persona, operation, status, trace.';
    for (const read of [bff.journal, bff.calls]) await expect(read(filter)).rejects.toThrow(said);
    await expect(bff.clock('+4 maanden')).rejects.toThrow(/_simulator\/worlds\/default\/clock: 400 .+\+4months/);
  });

  it('resets all worlds with resetAll', async () => {
    const world = bff.world('emptied');
    await world.as('noor-bakker').POST('/applications', { body: { type: 'registratie' } });
    await bff.resetAll();
    expect((await world.as('noor-bakker').GET('/applications')).data).toEqual([]);
  });

  it('uses its own value for a variable that is undefined in env', async () => {
    expect((await bff.world('untouched').state()).clock.today).toBe('2026-06-01');
  });

  it('says after the service is closed, once or twice, that none answers', async () => {
    const other = await startBff();
    await other.close();
    await other.close();
    await expect(other.clock('+1day')).rejects.toThrow(
      `POST /_simulator/worlds/default/clock: no service answers at ${other.url}`,
    );
  });

  it('throws the reason when the port is in use or a variable is unknown', async () => {
    const port = Number(new URL(bff.url).port);
    await expect(startBff({ port })).rejects.toThrow(
      `startBff: Port ${port} is in use. Leave port out for a free one.`,
    );
    await expect(startBff({ clock: '2026-06-01' } as object)).rejects.toThrow(
      'no option "clock"; the options are port',
    );
    await expect(startBff({ today: new Date() } as object)).rejects.toThrow('today must be a day as text');
    await expect(startBff({ env: { PORT: 0 } } as object)).rejects.toThrow('startBff: env.PORT must be a text');
    const address: unknown = bff.url;
    await expect(startBff(address as object)).rejects.toThrow('With an address, call connectBff');
    await expect(startBff({ env: { BRP_UPSTEAM: 'x' } })).rejects.toThrow(/did you mean BRP_UPSTREAM/);
  });

  it('exports types that match the control API', () => {
    expectTypeOf<Sent<'World'>>().toExtend<WorldState>();
    expectTypeOf<ActiveFault>().toExtend<FaultOn>();
    expectTypeOf<Sent<'Zaak'>>().toExtend<Zaak>();
    expectTypeOf<Sent<'Letter'>>().toExtend<Letter>();
    expectTypeOf<Sent<'SentLetterSummary'>>().toExtend<SentLetterSummary>();
    expectTypeOf<Sent<'SentLetter'>>().toExtend<SentLetter>();
    expectTypeOf<Sent<'Upload'>>().toExtend<Upload>();
    expectTypeOf<RecordedRequest>().toExtend<Entry>();
    expectTypeOf<ClockChange>().toExtend<Sent<'ClockChange'>>();
    expectTypeOf<Fault>().toExtend<SimulatedFault>();
    expectTypeOf<Fault>().toExtend<Parameters<Bff['fault']>[0]>();
    expectTypeOf<Fault>().toExtend<Parameters<HandlersControl['fault']>[0]>();
    expectTypeOf<Scenario>().toEqualTypeOf<keyof typeof SCENARIOS>();
  });
});

const onADay = bffTest.extend({ bffOptions: [{ today: '2026-06-01' }, { scope: 'worker' }] });

const onRunning = bffTest.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads here which fixtures this one uses
  bffOptions: [async ({}, use) => use({ url: bff.url }), { scope: 'worker' }],
});

describe('bffTest', () => {
  onRunning('uses a service that runs already, in a world that no other worker or run uses', async ({ bff: world }) => {
    expect(world.url).toBe(bff.url);
    expect(world.name).toMatch(/^test-[0-9a-f]{8}-\d+$/);
  });

  const worlds: string[] = [];
  for (const nth of ['one', 'another'])
    bffTest(`gives ${nth} test a new world without applications or snapshots`, async ({ bff }) => {
      await expect(bff.restore('before')).rejects.toThrow('404');
      await bff.snapshot('before');
      worlds.push(bff.name);
      const own = bff.as('noor-bakker');
      expect((await own.GET('/applications')).data).toEqual([]);
      await own.POST('/applications', { body: { type: 'registratie' } });
      expect(new Set(worlds).size).toBe(worlds.length);
      await bff.restore('before');
      expect((await own.GET('/applications')).data).toEqual([]);
    });

  onADay('starts the service with bffOptions', async ({ bff }) => {
    expect((await bff.state()).clock.today).toBe('2026-06-01');
  });
});
