import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from './support/process.ts';
import { register } from './support/register.ts';
import { startService } from './support/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'zorgregister-backup-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const AS = 'sanne-de-wit';
const PATH = '/api/v1/applications';

/** Runs the command `backup` in a process of its own. */
async function backUp(env: Record<string, string>, ...words: string[]) {
  const { exit, output } = run(env, ['backup', ...words]);
  return { code: await exit, said: output() };
}

describe('the command backup', () => {
  it('copies a store that is in use, and a restore of the copy loses what came later and submits nothing twice', async () => {
    const upstream = await register();
    const data = join(folder, 'data');
    const copy = join(folder, 'monday.sqlite');
    const env = { DATA_DIR: data, REGISTER_UPSTREAM: upstream.url };
    const first = await startService(env);
    const { id } = (await first.post(PATH, AS, { type: 'herregistratie' })).body;
    await first.call('PUT', `${PATH}/${id}`, { as: AS, json: { draft: { stap: 1 } } });

    expect(await backUp({ DATA_DIR: data }, copy)).toEqual({ code: 0, said: `${copy} is a complete copy.\n` });
    expect(statSync(copy).mode & 0o077).toBe(0);

    // After the backup she goes on: a later draft, and the request is sent.
    const later = (await first.post(PATH, AS, { type: 'intake' })).body.id;
    const sent = await first.post(`${PATH}/${id}/submit`, AS, { uren: 2_600 });
    expect(sent.status).toBe(200);
    await first.close();

    for (const tail of ['', '-wal', '-shm']) await rm(join(data, `zorgregister.sqlite${tail}`), { force: true });
    await copyFile(copy, join(data, 'zorgregister.sqlite'));

    const restored = await startService(env);
    expect((await restored.get(`${PATH}/${later}`, { as: AS })).status).toBe(404);
    expect((await restored.get(`${PATH}/${id}`, { as: AS })).body).toMatchObject({
      status: { tag: 'Concept' },
      draft: { stap: 1 },
    });
    const again = await restored.post(`${PATH}/${id}/submit`, AS, { uren: 2_600 });
    expect([again.status, again.body.code]).toEqual([409, 'lopende-aanvraag']);
    expect(again.body.detail).toContain(sent.body.referentie);
    expect([...upstream.held.values()].filter(({ body }) => body.kenmerk === id)).toHaveLength(1);
    await Promise.all([restored.close(), upstream.close()]);
  });

  it.each([
    ['without a file name', { DATA_DIR: folder }, [], /^backup: name the file to make/],
    [
      'for PostgreSQL',
      { DATABASE_URL: 'postgres://localhost/x' },
      ['x'],
      /^backup: .+ For PostgreSQL use its own tools/,
    ],
    ['to a file that exists', { DATA_DIR: folder }, [process.execPath], /was not made \(the file exists\)/],
    [
      'of a folder without a store',
      { DATA_DIR: folder },
      [join(folder, 'new.sqlite')],
      /was not made \(unable to open/,
    ],
  ])('ends with code 1 and one line %s', async (_, env, words, says) => {
    const { code, said } = await backUp(env as unknown as Record<string, string>, ...words);
    expect([code, said.trim().split('\n').length]).toEqual([1, 1]);
    expect(said).toMatch(says);
  });
});
