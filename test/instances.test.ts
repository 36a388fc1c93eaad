import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Postgres, startPostgres } from './support/postgres.ts';
import { type Register, register } from './support/register.ts';

let postgres: Postgres;
const folder = mkdtempSync(join(tmpdir(), 'zorgregister-instances-'));
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

const children = new Set<ChildProcess>();

interface Instance {
  readonly url: string;
  kill(): Promise<void>;
}

/** A process of its own, as `npm start` makes it. */
async function instance(env: Record<string, string>): Promise<Instance> {
  const child = spawn(process.execPath, ['start.js'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { PATH: process.env.PATH ?? '', PORT: '0', LOG_LEVEL: 'silent', SIMULATOR_TODAY: '2026-06-01', ...env },
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

async function call(method: string, url: string, as: string, json?: unknown): Promise<Reply> {
  const answer = await fetch(url, {
    method,
    headers: { authorization: 'Bearer x', 'x-subject': as, 'content-type': 'application/json' },
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
    upstream = await register();
    const env = { REGISTER_UPSTREAM: upstream.url, DATABASE_URL: await postgres.database(), DATA_DIR: ':memory:' };
    instances = await Promise.all([instance(env), instance(env)]);
  });
  afterAll(async () => {
    await Promise.all([...instances.map((one) => one.kill()), upstream.close()]);
  });
  const at = (n: number): string => `${instances[n % 2]?.url}${PATH}`;

  it('submit what both were asked to submit once', async () => {
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
    const kenmerken = [...upstream.held.values()].map(({ body }) => body.kenmerk);
    expect(kenmerken.filter((kenmerk) => drafts.includes(String(kenmerk))).sort()).toEqual([...drafts].sort());
  });

  it('take one of two requests of a kind', async () => {
    const as = 'sanne-de-wit@kind';
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        call('POST', `${instances[n % 2]?.url}/api/v1/herregistraties`, as, { uren: 2_600 }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(422)]);
  });

  it('keep every write of both, an odd id notwithstanding', async () => {
    const as = 'sanne-de-wit@writes';
    const { body } = await call('POST', at(0), as, { type: 'intake' });
    const saves = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        call('PUT', `${at(n)}/${body.id}`, as, { draft: `\u0000 ${n}`, documentIds: ['\u0000'] }),
      ),
    );
    expect(saves.every(({ status }) => status === 204)).toBe(true);
    expect((await call('GET', `${at(1)}/${body.id}`, as)).body.draft).toContain('\u0000');
    expect((await call('GET', `${at(0)}/%00`, as)).status).toBe(404);
  });
});

describe('a process that is killed while it writes', () => {
  it('has lost nothing that it acknowledged, and nothing is there twice', async () => {
    const upstream = await register();
    const env = { REGISTER_UPSTREAM: upstream.url, DATA_DIR: join(folder, 'killed') };
    const saved = new Map<string, { as: string; n: number }>();
    const submitted = new Map<string, { as: string; referentie: string }>();
    for (let round = 0; round < 4; round += 1) {
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
      // In the midst of it, however fast this machine is.
      await expect.poll(() => submitted.size, { timeout: 10_000, interval: 5 }).toBeGreaterThan(4 * (round + 1));
      await running.kill();
      stop = true;
      await Promise.all(writers);
    }
    expect(submitted.size).toBeGreaterThan(10);

    const survivor = await instance(env);
    for (const [id, { as, n }] of saved) {
      const { status, body } = await call('GET', `${survivor.url}${PATH}/${id}`, as);
      expect([status, body.draft]).toEqual([200, { n }]);
      const expected = submitted.get(id);
      if (expected) expect(body.status).toMatchObject({ tag: 'InBehandeling', referentie: expected.referentie });
    }
    const kenmerken = [...upstream.held.values()].map(({ body }) => body.kenmerk);
    expect(new Set(kenmerken).size).toBe(kenmerken.length);
    await Promise.all([survivor.kill(), upstream.close()]);
  });
});
