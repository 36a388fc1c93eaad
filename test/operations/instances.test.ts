import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../adapters/store/index.ts';
import { startPostgres } from '../support/postgres.ts';
import { temporaryFolder } from '../support/run-folder.ts';
import { use } from '../support/service.ts';
import { type Register, startRegister } from '../support/upstreams/register.ts';
import { sendJson } from '../support/upstreams/scripted-server.ts';

const folder = temporaryFolder('instances');
const postgres = await use(startPostgres());
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

const children = new Set<ChildProcess>();

interface Instance {
  readonly url: string;
  kill(): Promise<void>;
}

/** Starts the service in a new process, as `npm start` does. */
async function instance(env: Record<string, string>, nodeArgs: readonly string[] = []): Promise<Instance> {
  const child = spawn(process.execPath, [...nodeArgs, 'start.js'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: {
      PATH: process.env.PATH ?? '',
      TMPDIR: tmpdir(),
      PORT: '0',
      LOG_LEVEL: 'silent',
      SIMULATOR_TODAY: '2026-06-01',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve) => {
    let text = '';
    child.stdout?.on('data', (chunk) => {
      text += chunk;
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? [];
      if (found && text.includes('Try:')) resolve(found);
    });
  });
  return {
    url,
    kill() {
      child.kill('SIGKILL');
      children.delete(child);
      return gone;
    },
  };
}

interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire has no type until a test looks at it
  readonly body: any;
}

async function call(method: string, url: string, as: string, json?: unknown, key?: string): Promise<Reply> {
  const answer = await fetch(url, {
    method,
    headers: {
      authorization: 'Bearer x',
      'x-subject': as,
      'content-type': 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text ? JSON.parse(text) : null };
}

const PATH = '/api/v1/applications';

describe('two processes on one PostgreSQL', () => {
  let upstream: Register;
  let instances: Instance[];
  beforeAll(async () => {
    upstream = await startRegister();
    const env = { REGISTER_UPSTREAM: upstream.url, DATABASE_URL: await postgres.database(), DATA_DIR: ':memory:' };
    instances = await Promise.all([instance(env), instance(env)]);
  });
  afterAll(async () => {
    await Promise.all([...instances.map((one) => one.kill()), upstream.close()]);
  });
  const at = (n: number): string => `${instances[n % 2]?.url}${PATH}`;

  it('submit a draft once when both get a submit of it: one answers 200, the other 409 with the same referentie', async () => {
    const people = Array.from({ length: 12 }, (_, n) => `sanne-de-wit@pair-${n}`);
    const drafts = await Promise.all(
      people.map(async (as, n) => (await call('POST', at(n), as, { type: 'herregistratie' })).body.id as string),
    );
    const replies = await Promise.all(
      people.flatMap((as, n) =>
        [0, 1].map((which) => call('POST', `${at(which)}/${drafts[n]}/submit`, as, { uren: 2_600 })),
      ),
    );
    for (let n = 0; n < people.length; n += 1) {
      const [one, other] = [replies[2 * n], replies[2 * n + 1]];
      expect([one?.status, other?.status].sort()).toEqual([200, 409]);
      expect(one?.body.referentie).toBe(other?.body.referentie);
    }
    const kenmerken = [...upstream.stored.values()].map(({ body }) => body.kenmerk);
    expect(kenmerken.filter((kenmerk) => drafts.includes(String(kenmerk))).sort()).toEqual([...drafts].sort());
  });

  it('accept one of ten simultaneous requests of one type; the others are refused with 422', async () => {
    const as = 'sanne-de-wit@kind';
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        call('POST', `${instances[n % 2]?.url}/api/v1/herregistraties`, as, { uren: 2_600 }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(422)]);
  });

  it('store the drafts that both write, also with NUL characters', async () => {
    const as = 'sanne-de-wit@writes';
    const { body } = await call('POST', at(0), as, { type: 'intake' });
    const saves = await Promise.all(
      Array.from({ length: 40 }, (_, n) => call('PUT', `${at(n)}/${body.id}`, as, { draft: `\u0000 ${n}` })),
    );
    expect(saves.every(({ status }) => status === 204)).toBe(true);
    expect((await call('GET', `${at(1)}/${body.id}`, as)).body.draft).toContain('\u0000');
    expect((await call('PUT', `${at(0)}/${body.id}`, as, { documentIds: ['\u0000'] })).status).toBe(400);
    expect((await call('GET', `${at(0)}/%00`, as)).status).toBe(404);
  });
});

/** Options of Node that set the clock of the process ten minutes ahead. */
const AHEAD = [
  '--import',
  `data:text/javascript,const Real=Date;globalThis.Date=class extends Real{constructor(...given){given.length?super(...given):super(Real.now()+6e5)}static now(){return Real.now()+6e5}}`,
];

describe('two processes on one PostgreSQL whose clocks are ten minutes apart', () => {
  let upstream: Register;
  let [present, ahead, url]: [Instance, Instance, string] | [] = [];
  const at = (which: Instance | undefined): string => `${which?.url}/api/v1/herregistraties`;
  const list = async (which: Instance | undefined, as: string) => (await call('GET', `${which?.url}${PATH}`, as)).body;
  beforeAll(async () => {
    upstream = await startRegister();
    url = await postgres.database();
    const env = { REGISTER_UPSTREAM: upstream.url, DATABASE_URL: url, DATA_DIR: ':memory:' };
    [present, ahead] = await Promise.all([instance(env), instance(env, AHEAD)]);
  });
  afterAll(() => Promise.all([present?.kill(), ahead?.kill(), upstream.close()]));

  /** Submits a request to one process. `answer` makes the register answer; until then the request is in progress. */
  async function sending(which: Instance | undefined, as: string, key: string) {
    const sent = new Promise<() => void>((resolve) => {
      upstream.next = (keep, response) =>
        resolve(() => {
          keep();
          const referentie = upstream.stored.get(key)?.referentie;
          sendJson(response, { zaakId: 'z', referentie, status: 'ontvangen', handmatig: false, nieuw: true }, 201);
        });
    });
    const reply = call('POST', at(which), as, { uren: 2_600 }, key);
    return { answer: await sent, reply };
  }

  it.each([
    { by: 'slow', which: () => [present, ahead] as const },
    { by: 'fast', which: () => [ahead, present] as const },
  ])('do not take over a submission that the process with the $by clock is sending', async ({ by, which }) => {
    const [one, other] = which();
    const as = `sanne-de-wit@clock-${by}`;
    const { answer, reply } = await sending(one, as, `key-${by}`);
    expect(await list(other, as)).toEqual([]);
    expect((await call('POST', at(other), as, { uren: 2_600 })).body.code).toBe('lopende-aanvraag');
    expect((await call('POST', at(other), as, { uren: 2_600 }, `key-${by}`)).body.code).toBe('sleutel-in-gebruik');
    answer();
    const { status, body } = await reply;
    expect(status).toBe(200);
    expect(await list(other, as)).toMatchObject([{ status: { tag: 'InBehandeling', referentie: body.referentie } }]);
  });

  it('store an acknowledged request again when its row was deleted meanwhile', async () => {
    const as = 'sanne-de-wit@gone';
    const { answer, reply } = await sending(present, as, 'key-gone');
    const store = await openStore({ kind: 'postgres', url: url ?? '' });
    const { numDeletedRows } = await store.db.deleteFrom('applications').where('owner', '=', as).executeTakeFirst();
    await store.close();
    expect(numDeletedRows).toBe(1n);
    answer();
    const { status, body } = await reply;
    expect(status).toBe(200);
    expect(await list(ahead, as)).toMatchObject([{ status: { tag: 'InBehandeling', referentie: body.referentie } }]);
    // The same request again is the same request.
    expect((await call('POST', at(ahead), as, { uren: 2_600 }, 'key-gone')).body.referentie).toBe(body.referentie);
  });
});

/** Number of times that the process is killed, and number of acknowledged submissions before each. */
const ROUNDS = 3;
const IN_A_ROUND = 4;

describe('a process that is killed while it writes', () => {
  // The test waits for a number of submissions, not for a time: a busy machine only takes longer.
  it('has lost no acknowledged draft or submission, and has submitted none twice', async () => {
    const upstream = await startRegister();
    const env = { REGISTER_UPSTREAM: upstream.url, DATA_DIR: join(folder, 'killed') };
    const saved = new Map<string, { as: string; n: number }>();
    const submitted = new Map<string, { as: string; referentie: string }>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const running = await instance(env);
      let stop = false;
      const writer = async (w: number): Promise<void> => {
        for (let n = 1; !stop; n += 1) {
          const as = `sanne-de-wit@kill-${round}-${w}-${n}`;
          const { body } = await call('POST', running.url + PATH, as, { type: 'herregistratie' });
          const { status } = await call('PUT', `${running.url}${PATH}/${body.id}`, as, { draft: { n } });
          if (status === 204) saved.set(body.id, { as, n });
          const sent = await call('POST', `${running.url}${PATH}/${body.id}/submit`, as, { uren: 2_600 });
          if (sent.status === 200) submitted.set(body.id, { as, referentie: sent.body.referentie });
        }
      };
      const writers = Array.from({ length: 6 }, (_, w) => writer(w).catch(() => undefined));
      const enough = submitted.size + IN_A_ROUND;
      await expect.poll(() => submitted.size, { interval: 5 }).toBeGreaterThanOrEqual(enough);
      await running.kill();
      stop = true;
      await Promise.all(writers);
    }
    expect(submitted.size).toBeGreaterThanOrEqual(ROUNDS * IN_A_ROUND);

    const survivor = await instance(env);
    for (const [id, { as, n }] of saved) {
      const { status, body } = await call('GET', `${survivor.url}${PATH}/${id}`, as);
      expect([status, body.draft]).toEqual([200, { n }]);
      const expected = submitted.get(id);
      if (expected) expect(body.status).toMatchObject({ tag: 'InBehandeling', referentie: expected.referentie });
    }
    const kenmerken = [...upstream.stored.values()].map(({ body }) => body.kenmerk);
    expect(new Set(kenmerken).size).toBe(kenmerken.length);
    await Promise.all([survivor.kill(), upstream.close()]);
  });
});
