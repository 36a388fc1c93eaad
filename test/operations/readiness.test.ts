import { copyFileSync, renameSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { request } from 'undici';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TIMING } from '../../src/ports/timing.ts';
import { startPostgres } from '../support/postgres.ts';
import { temporaryFolder } from '../support/run-folder.ts';
import { keep, startService, type TestService, use, useService } from '../support/service.ts';
import { startTcpProxy } from '../support/upstreams/tcp-proxy.ts';

const SANNE = { as: 'sanne-de-wit' };
/** An operation that reads the store, and one that needs only an upstream. */
const [LIST, ADDRESS] = ['/api/v1/applications', '/api/v1/brp/address'];

const STRICT = { MANAGEMENT_HOST: '0.0.0.0', READY_WITHOUT_STORE_SECONDS: '0.3', LOG_LEVEL: 'debug' };
/** The time limits on a PostgreSQL that does not answer, as the product has them. */
const { ping, storeConnect, storeRestart, statement, statementAnswer } = TIMING;
const OF_STORE = { ping, storeConnect, storeRestart, statement, statementAnswer };
const postgres = await use(startPostgres());
const url = await postgres.database();
const line = await use(startTcpProxy(url));
const env = { DATABASE_URL: line.url, MANAGEMENT_PORT: '0' };
/**
 * Two instances on one database. `patient` has the default value of READY_WITHOUT_STORE_SECONDS; that of `strict` is so
 * small that it passes during the test.
 */
const patient = await useService(env, undefined, {}, {}, OF_STORE);
const strict = await useService({ ...env, ...STRICT }, undefined, {}, {}, OF_STORE);

async function managed(service: TestService | undefined) {
  const { statusCode, headers, body } = await request(`${service?.managementUrl}/health/ready`);
  return { code: statusCode, header: headers['x-degraded'], ...((await body.json()) as Record<string, unknown>) };
}
const metrics = async (service: TestService | undefined): Promise<string> =>
  (await request(`${service?.managementUrl}/metrics`)).body.text();
const readyOf = async (service: TestService | undefined) => (await service?.get('/health/ready'))?.status;
const changedPath = (from: string, path: string): string => Object.assign(new URL(from), { pathname: path }).href;
const WELL = { code: 200, header: '', status: 'ready', degraded: [], storeAwaySeconds: 0 };

it('a management port on all addresses is announced as localhost, which every browser can open', async () => {
  expect(strict?.managementUrl).toMatch(/^http:\/\/localhost:\d+$/);
  expect(await managed(strict)).toEqual(WELL);
});

describe('a service whose PostgreSQL is not reachable', () => {
  it.each([
    { how: 'refuses connections', lose: () => line.cut() },
    { how: 'does not answer', lose: () => line.silence() },
  ])(
    'stays ready, answers 503 with Retry-After only to operations that need the store, and recovers: PostgreSQL $how',
    async ({ lose }) => {
      expect(await managed(patient)).toEqual(WELL);
      expect(await metrics(patient)).toMatch(/^store_up 1$/m);
      lose();
      expect(await managed(patient)).toMatchObject({
        code: 200,
        header: 'store',
        status: 'degraded',
        degraded: ['store'],
        storeAwaySeconds: expect.any(Number),
      });
      expect(await readyOf(patient)).toBe(200);
      const text = await metrics(patient);
      for (const one of [/^store_up 0$/m, /^store_ping_seconds \+?Inf/m, /^service_ready 1$/m])
        expect(text).toMatch(one);

      const [list, address] = await Promise.all([patient?.get(LIST, SANNE), patient?.get(ADDRESS, SANNE)]);
      expect([list?.status, list?.headers['retry-after'], list?.body.code]).toEqual([503, '2', 'overbelast']);
      expect(address?.status).toBe(200);

      line.restore();
      await expect.poll(async () => (await patient?.get(LIST, SANNE))?.status).toBe(200);
      await expect.poll(() => managed(patient)).toEqual(WELL);
      const why = expect.stringMatching(/^(no answer|no connection to the database \(.+\))$/);
      expect(patient?.log).toContainEqual(expect.objectContaining({ store: 'away', why }));
      expect(patient?.log).toContainEqual(expect.objectContaining({ store: 'back', seconds: expect.any(Number) }));
    },
  );

  it('is not ready after READY_WITHOUT_STORE_SECONDS, and is ready again without a restart', async () => {
    expect(await readyOf(strict)).toBe(200);
    line.cut();
    // Until then it is ready, as `patient` is above.
    await expect.poll(() => readyOf(strict), { interval: 100 }).toBe(503);
    const refused = await strict?.get('/health/ready');
    expect([refused?.headers['retry-after'], refused?.body.code]).toEqual(['1', 'niet-gereed']);
    expect(await managed(strict)).toMatchObject({ code: 503, header: 'store', status: 'unready' });
    expect(await metrics(strict)).toMatch(/^service_ready 0$/m);
    expect((await strict?.get('/health'))?.status).toBe(200);
    line.restore();
    await expect.poll(() => readyOf(strict)).toBe(200);
  });

  it('answers a read with 200 and a write with 204 when they arrive during a restart of PostgreSQL', async () => {
    const { timing } = patient as TestService;
    timing.storeRestart = 10 * storeRestart;
    keep({ close: async () => Object.assign(timing, OF_STORE) });
    const { id } = (await patient?.post(LIST, SANNE.as, { type: 'intake' }))?.body ?? {};
    line.cut();
    const before = line.connectionCount();
    const replies = Promise.all([
      patient?.get(LIST, SANNE),
      patient?.call('PUT', `${LIST}/${id}`, { ...SANNE, json: { draft: { stap: 1 } } }),
    ]);
    // Both were refused at least once.
    await expect.poll(() => line.connectionCount() - before, { interval: 5 }).toBeGreaterThan(1);
    line.restore();
    expect((await replies).map((one) => one?.status)).toEqual([200, 204]);
    expect((await patient?.get(`${LIST}/${id}`, SANNE))?.body.draft).toEqual({ stap: 1 });
  });

  it('gets at most one attempt to connect in 0.2 seconds, however many requests there are, and recovers', async () => {
    line.cut();
    expect((await patient?.get(LIST, SANNE))?.status).toBe(503);
    const [start, before] = [performance.now(), line.connectionCount()];
    const replies = await Promise.all(Array.from({ length: 60 }, () => patient?.get(LIST, SANNE)));
    expect(new Set(replies.map((one) => one?.status))).toEqual(new Set([503]));
    expect(line.connectionCount() - before).toBeLessThanOrEqual(1 + (performance.now() - start) / 200);
    line.restore();
    await expect.poll(async () => (await patient?.get(LIST, SANNE))?.status).toBe(200);
  });
});

describe('an SQLite file that is moved, removed or replaced while the service runs', () => {
  const moved = (path: string) => renameSync(path, `${path}.old`);
  it.each<[string, string, (path: string) => void]>([
    ['the file is moved', '', moved],
    [
      'a copy takes its place',
      '',
      (path) => {
        moved(path);
        copyFileSync(`${path}.old`, path);
      },
    ],
    ['its -wal is moved', '-wal', moved],
  ])('is not written any more, and makes the service unready until it is back: %s', async (_, suffix, lose) => {
    const folder = temporaryFolder('moved');
    const service = keep(await startService({ DATA_DIR: folder }));
    const { id } = (await service.post(LIST, SANNE.as, { type: 'intake' })).body;
    const save = async (stap: number) =>
      (await service.call('PUT', `${LIST}/${id}`, { ...SANNE, json: { draft: { stap } } })).status;
    const saveTwo = () => Promise.all([save(1), save(2)]);
    expect([await saveTwo(), await readyOf(service)]).toEqual([[204, 204], 200]);
    const file = join(folder, `zorgregister.sqlite${suffix}`);
    lose(file);
    expect([
      await save(3),
      await saveTwo(),
      (await service.post(LIST, SANNE.as, { type: 'herregistratie' })).status,
    ]).toEqual([503, [503, 503], 503]);
    await expect.poll(() => readyOf(service)).toBe(503);
    expect(service.log).toContainEqual(
      expect.objectContaining({ store: 'away', why: expect.stringContaining('SQLITE_READONLY_DBMOVED') }),
    );
    renameSync(`${file}.old`, file);
    await expect.poll(() => readyOf(service)).toBe(200);
    expect(await saveTwo()).toEqual([204, 204]);
  });
});

it.each(['', '-wal'])(
  'an SQLite file of which zorgregister.sqlite%s is cut off is not written any more, and makes the service unready',
  async (suffix) => {
    const folder = temporaryFolder('cut-off');
    const service = keep(await startService({ DATA_DIR: folder }));
    const make = async () => (await service.post(LIST, SANNE.as, { type: 'intake' })).status;
    expect([await make(), await readyOf(service)]).toEqual([201, 200]);
    const file = join(folder, `zorgregister.sqlite${suffix}`);
    truncateSync(file, 0);
    expect([await make(), await make(), (await service.get(LIST, SANNE)).status]).toEqual([503, 503, 503]);
    await expect.poll(() => readyOf(service)).toBe(503);
    expect(service.log).toContainEqual(
      expect.objectContaining({ store: 'away', why: expect.stringContaining('SQLITE_CORRUPT') }),
    );
  },
);

describe('a PostgreSQL that refuses what an instance asks', () => {
  const database = new URL(url).pathname.slice(1);
  const DAMAGED = "raise exception 'invalid page in block 3' using errcode = 'XX001'";

  it.each([
    {
      code: '55000',
      why: 'no connections are allowed',
      at: '/postgres',
      begin: `alter database ${database} allow_connections false`,
      end: `alter database ${database} allow_connections true`,
    },
    {
      code: 'XX001',
      why: 'a table is damaged',
      at: `/${database}`,
      begin: `create function damaged() returns trigger language plpgsql as $$ begin ${DAMAGED}; end $$;
        create trigger damaged before insert on applications execute function damaged()`,
      end: 'drop function damaged cascade',
    },
  ])('makes a write 503 while it answers $code ($why), and 201 afterwards', async ({ code, at, begin, end }) => {
    const client = new pg.Client({ connectionString: changedPath(url, at) });
    await client.connect();
    await client.query(begin);
    await postgres.terminate(changedPath(url, at === '/postgres' ? `/${database}` : '/none'));
    const create = async () => (await patient?.post(LIST, SANNE.as, { type: 'intake' }))?.status;
    const statuses = new Set<number | undefined>();
    // The first can get a connection that was closed just now.
    const isLogged = async () => {
      statuses.add(await create());
      return patient?.log.some(({ reason }) => String(reason).includes(code));
    };
    await expect.poll(isLogged).toBe(true);
    await client.query(end);
    await client.end();
    expect([...statuses]).toEqual([503]);
    await expect.poll(create).toBe(201);
  });
});

describe('a PostgreSQL that is read-only, such as a standby', () => {
  let admin: pg.Client;
  /** Changes what new connections may do, and ends the connections that there are. */
  const setReadOnly = async (value: 'on' | 'off'): Promise<void> => {
    await admin.query(`alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = ${value}`);
    await postgres.terminate(url);
  };
  beforeAll(async () => {
    admin = new pg.Client({ connectionString: changedPath(url, '/postgres') });
    await admin.connect();
  });
  beforeEach(() => setReadOnly('on'));
  afterEach(async () => {
    await setReadOnly('off');
    await expect.poll(() => managed(patient)).toEqual(WELL);
  });
  afterAll(() => admin.end());

  it('ends the start of an instance', async () => {
    await expect(startService({ DATABASE_URL: url })).rejects.toThrow(
      / is read-only\. Name the primary, .+ \(25006\)\.$/,
    );
  });

  it('is reported by an instance that runs, which still answers reads with 200', async () => {
    const replies = [await patient?.get(LIST, SANNE), await patient?.post(LIST, SANNE.as, { type: 'intake' })];
    expect(replies.map((one) => one?.status)).toEqual([200, 503]);
    expect(patient?.log).toContainEqual(expect.objectContaining({ reason: 'PostgreSQL is read-only (25006)' }));
    expect(await managed(patient)).toMatchObject({ code: 200, degraded: ['store'] });
  });
});
