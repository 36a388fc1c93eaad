import { closeSync, openSync, writeSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { startPostgres } from '../support/postgres.ts';
import { type StartProcess, spawnStartForTest, until } from '../support/process.ts';
import { temporaryFolder } from '../support/run-folder.ts';
import { keep, startService, use, useService } from '../support/service.ts';
import { startRegister } from '../support/upstreams/register.ts';
import { listen, sendJson } from '../support/upstreams/scripted-server.ts';

const postgres = await use(startPostgres());

interface Reply {
  readonly status: number;
  readonly retryAfter: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire has no type until a test looks at it
  readonly body: any;
}

const PATH = '/api/v1/applications';

async function call(method: string, url: string, as: string, json?: unknown): Promise<Reply> {
  const answer = await fetch(url, {
    method,
    headers: { authorization: 'Bearer x', 'x-subject': as, 'content-type': 'application/json' },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  const text = await answer.text();
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: text ? JSON.parse(text) : null };
}

/** Starts the service in a new process, so that a crash of the process can be observed. */
async function serviceOn(url: string): Promise<StartProcess & { readonly url: string }> {
  const started = spawnStartForTest({ PORT: '0', DATA_DIR: ':memory:', LOG_LEVEL: 'silent', DATABASE_URL: url });
  await until(started, /Try:/);
  return { ...started, url: /http:\/\/127\.0\.0\.1:\d+/.exec(started.output())?.[0] ?? '' };
}

/** Starts twelve loops that create and save drafts until `stop`, and keeps their replies. */
function writersOf(url: string) {
  const replies: Reply[] = [];
  const saved = new Map<string, { as: string; n: number }>();
  let stopped = false;
  const write = async (w: number): Promise<void> => {
    for (let n = 1; !stopped; n += 1) {
      const as = `sanne-de-wit@outage-${w}-${n}`;
      const made = await call('POST', url + PATH, as, { type: 'intake' });
      replies.push(made);
      if (made.status !== 201) continue;
      const put = await call('PUT', `${url}${PATH}/${made.body.id}`, as, { draft: { n } });
      replies.push(put);
      if (put.status === 204) saved.set(made.body.id, { as, n });
    }
  };
  const all = Promise.all(Array.from({ length: 12 }, (_, w) => write(w)));
  all.catch(() => undefined);
  return {
    replies,
    saved,
    /** Waits until `more` more drafts have been saved. */
    async save(more: number) {
      const enough = saved.size + more;
      await Promise.race([all, expect.poll(() => saved.size, { interval: 5 }).toBeGreaterThan(enough)]);
    },
    async stop() {
      stopped = true;
      await all;
    },
  };
}

describe('a PostgreSQL that loses its connections while it is written to', () => {
  const terminate = async (url: string): Promise<void> => {
    expect(await postgres.terminate(url)).toBeGreaterThan(0);
  };

  it.each([
    { because: 'an administrator ends them', lose: terminate, times: 3 },
    { because: 'it fails and starts again', lose: () => postgres.crash(), times: 1 },
  ])(
    'makes requests in progress fail with 503 overbelast, without a loss of saved drafts or a stop of the process: $because',
    async ({ lose, times }) => {
      const url = await postgres.database();
      const service = await serviceOn(url);
      const writers = writersOf(service.url);
      // A busy machine makes the service refuse requests by itself, with Retry-After: 1.
      const refused = () => writers.replies.filter(({ status, retryAfter }) => status >= 400 && retryAfter !== '1');
      // On a busy machine no statement may be in progress when the connections are lost: then they are lost again.
      for (let time = 0; time < times || (refused().length === 0 && time < 20); time += 1) {
        await writers.save(20);
        await lose(url);
      }
      await writers.save(20);
      await writers.stop();

      expect(service.child.exitCode).toBeNull();
      expect(refused().length).toBeGreaterThan(0);
      for (const { status, retryAfter, body } of refused())
        expect([status, retryAfter, body.code]).toEqual([503, '2', 'overbelast']);
      // Every draft that was confirmed with 204 is stored.
      for (const [id, { as, n }] of writers.saved)
        expect((await call('GET', `${service.url}${PATH}/${id}`, as)).body.draft).toEqual({ n });
    },
  );
});

describe('a PostgreSQL that closes the connection of a statement in progress', () => {
  it('gets a read again on a new connection, so that it answers 200, and no change again: 503', async () => {
    const url = await postgres.database();
    const service = keep(await startService({ DATABASE_URL: url }));
    const as = 'sanne-de-wit';
    const { id } = (await service.post(PATH, as, { type: 'intake' })).body;
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const waiting = "from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    /**
     * Sends a request a number of times, closes all connections on which their first statements wait for a lock, and
     * returns the statuses.
     */
    async function interrupted(send: (n: number) => Promise<{ status: number }>, times: number): Promise<number[]> {
      await client.query('begin');
      await client.query('lock table applications in access exclusive mode');
      const replies = Promise.all(Array.from({ length: times }, (_, n) => send(n)));
      const connections = Math.min(times, 10);
      while (Number((await client.query(`select pid ${waiting}`)).rowCount) < connections)
        await client.query('select pg_stat_clear_snapshot()');
      await client.query(`select pg_terminate_backend(pid) ${waiting}`);
      await client.query('rollback');
      return (await replies).map(({ status }) => status);
    }
    expect(await interrupted(() => service.get(PATH, { as }), 1)).toEqual([200]);
    // More reads than the pool has connections, of as many people: some of them wait for one.
    expect(await interrupted((n) => service.get(PATH, { as: `burger-${n + 1}` }), 12)).toEqual(Array(12).fill(200));
    const save = () => service.call('PUT', `${PATH}/${id}`, { as, json: { draft: { n: 1 } } });
    expect(await interrupted(save, 1)).toEqual([503]);
    await client.end();
  });
});

describe('a PostgreSQL that has stopped answering', () => {
  it('does not prevent the service from stopping', async () => {
    const target = new URL(await postgres.database());
    const behind = Number(target.port);
    let silent = false;
    const sockets: Socket[] = [];
    // A half-open connection stays open: it neither answers nor closes its side.
    const line = createServer({ allowHalfOpen: true }, (socket) => {
      const far = connect(behind, '127.0.0.1');
      for (const one of [socket, far]) sockets.push(one.on('error', () => undefined));
      socket.on('data', (chunk) => silent || far.write(chunk));
      far.on('data', (chunk) => socket.write(chunk));
    });
    target.port = new URL(await listen(line)).port;
    const service = await startService({ DATABASE_URL: target.href }, undefined, {}, {}, { statementAnswer: 2_500 });
    // Several connections, all of them idle by then.
    const replies = await Promise.all(Array.from({ length: 5 }, () => service.get(PATH, { as: 'sanne-de-wit' })));
    expect(replies.map(({ status }) => status)).toEqual(Array(5).fill(200));
    silent = true;
    // It would wait for ever: what is tested is that it returns.
    await service.close();
    for (const socket of sockets) socket.destroy();
    line.close();
  });
});

describe('a PostgreSQL that fails while the receipt of the register is stored', async () => {
  const as = 'sanne-de-wit';
  const headers = { 'idempotency-key': 'k' };
  const upstream = await use(startRegister());
  const url = await postgres.database();
  const service = await useService({ DATABASE_URL: url, REGISTER_UPSTREAM: upstream.url });

  /** Makes the register answer the next submit when PostgreSQL holds its table, and PostgreSQL end the statement then. */
  function failWhileStoring(): void {
    upstream.next = async (keep, response) => {
      keep();
      const { referentie } = [...upstream.stored.values()].at(-1) ?? {};
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query('begin');
      // This lock stops changes only: a read is repeated when its connection ends.
      await client.query('lock table applications in share mode');
      sendJson(response, { zaakId: 'z', referentie, status: 'ontvangen', handmatig: false, nieuw: true }, 201);
      const ended = () =>
        client.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
      while ((await ended()).rowCount === 0);
      await client.end();
    };
  }

  it.each([
    { kind: 'a request', world: 'request', isListed: true },
    { kind: 'a request that the register does not list yet', world: 'unlisted', isListed: false },
  ])('answers a repeat of $kind with the same Idempotency-Key with its reference', async ({ world, isListed }) => {
    const person = `${as}@${world}`;
    upstream.listedFrom = isListed ? 0 : Number.POSITIVE_INFINITY;
    upstream.stored.clear();
    failWhileStoring();
    expect((await service.post('/api/v1/herregistraties', person, { uren: 2_600 }, headers)).status).toBe(503);
    const repeat = await service.post('/api/v1/herregistraties', person, { uren: 2_600 }, headers);
    const [made] = upstream.stored.values();
    expect([repeat.status, repeat.body]).toEqual([200, { referentie: made?.referentie }]);
    expect(upstream.stored.size).toBe(1);
  });

  it('answers a repeat with 409 sleutel-in-gebruik while the register does not have its key', async () => {
    const person = `${as}@unknown`;
    failWhileStoring();
    expect((await service.post('/api/v1/herregistraties', person, { uren: 2_600 }, headers)).status).toBe(503);
    upstream.stored.clear();
    const { status, body } = await service.post('/api/v1/herregistraties', person, { uren: 2_600 }, headers);
    expect([status, body.code]).toEqual([409, 'sleutel-in-gebruik']);
  });

  it('answers a repeat of a submit with the same Idempotency-Key with its reference, before the register lists it', async () => {
    const person = `${as}@draft`;
    upstream.listedFrom = Number.POSITIVE_INFINITY;
    upstream.stored.clear();
    const { id } = (await service.post(PATH, person, { type: 'herregistratie' })).body;
    failWhileStoring();
    const path = `${PATH}/${id}/submit`;
    expect((await service.post(path, person, { uren: 2_600 }, headers)).status).toBe(503);
    const sent = () => upstream.received.filter((request) => request.url === '/zaken').length;
    const before = sent();
    const repeat = await service.post(path, person, { uren: 2_600 }, headers);
    const [made] = upstream.stored.values();
    expect([repeat.status, repeat.body.referentie, sent()]).toEqual([200, made?.referentie, before]);
  });
});

describe('a PostgreSQL that cannot carry out a write', () => {
  it.each([
    { because: 'its disk is full', code: '53100', reason: 'the disk of PostgreSQL is full (53100)' },
    {
      because: 'a right of its user was taken away',
      code: '42501',
      reason: 'PostgreSQL does not give this user the right to do this (42501)',
    },
    { because: 'a table was removed', code: '42P01', reason: 'PostgreSQL has lost a table (42P01)' },
    {
      because: 'the instance was silent in a transaction',
      code: '25P03',
      reason: 'PostgreSQL ended a transaction whose instance was silent (25P03)',
    },
    {
      because: 'its transaction took longer than the server allows',
      code: '25P04',
      reason: 'PostgreSQL ended a transaction that took too long (25P04)',
    },
    {
      because: 'the write waited too long for a lock, or was cancelled',
      code: '57014',
      reason: 'PostgreSQL ended a statement that took too long, or that somebody cancelled (57014)',
    },
  ])(
    'makes it fail with 503 and Retry-After, while a read and /health/ready get 200: $because',
    async ({ code, reason }) => {
      const url = await postgres.database();
      const service = keep(await startService({ DATABASE_URL: url }));
      const client = new pg.Client(url);
      await client.connect();
      // The code that PostgreSQL itself raises.
      await client.query(`create function fail() returns trigger language plpgsql as
      $$ begin raise exception 'no' using errcode = '${code}'; end $$`);
      await client.query('create trigger fail before insert on applications execute function fail()');
      const make = () => service.post(PATH, 'sanne-de-wit', { type: 'intake' });
      const { status, headers, body } = await make();
      expect([status, headers['retry-after'], body.code]).toEqual([503, '2', 'overbelast']);
      expect(service.log.map(({ reason }) => reason)).toContain(reason);
      expect((await service.get(PATH, { as: 'sanne-de-wit' })).status).toBe(200);
      expect((await service.get('/health/ready')).status).toBe(200);
      await client.query('drop trigger fail on applications');
      expect((await make()).status).toBe(201);
      await client.end();
    },
  );
});

describe('a partly damaged SQLite file', () => {
  const folder = temporaryFolder('damaged');

  it('makes reads of the damaged table and /health/ready answer 503, and is logged; other operations answer 200', async () => {
    const first = await startService({ DATA_DIR: folder });
    await first.post(PATH, 'sanne-de-wit', { type: 'intake' });
    await first.close();
    overwrite('applications');

    const service = keep(await startService({ DATA_DIR: folder }));
    const { status, headers, body } = await service.get(PATH, { as: 'sanne-de-wit' });
    expect([status, headers['retry-after'], body.code]).toEqual([503, '2', 'overbelast']);
    expect(JSON.stringify(body)).not.toMatch(/sqlite|malformed|damaged/i);
    const reason = expect.stringContaining('the database file is damaged');
    expect(service.log).toContainEqual(expect.objectContaining({ status: 503, reason }));
    expect((await service.get('/health/ready')).status).toBe(503);
    expect(service.log).toContainEqual(expect.objectContaining({ store: 'away', why: reason }));
    expect((await service.get('/api/v1/brp/address', { as: 'sanne-de-wit' })).status).toBe(200);
  });

  function overwrite(table: string): void {
    const path = join(folder, 'zorgregister.sqlite');
    const db = new DatabaseSync(path);
    const pages = db.prepare('select rootpage from sqlite_master where tbl_name = ? and rootpage > 0').all(table);
    const size = Number(db.prepare('pragma page_size').get()?.page_size);
    db.close();
    const file = openSync(path, 'r+');
    for (const { rootpage } of pages) writeSync(file, Buffer.alloc(size, 0xff), 0, size, (Number(rootpage) - 1) * size);
    closeSync(file);
  }
});
