import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { openStore } from '../../adapters/store/index.ts';
import { insertRows } from '../../adapters/store/schema.ts';
import { openSqlite } from '../../adapters/store/sqlite.ts';
import { readConfig } from '../../src/config/index.ts';
import { COMMANDS } from '../../src/startup/commands.ts';
import { pdf, pdfOf } from '../support/files.ts';
import { upload } from '../support/multipart.ts';
import { startPostgres } from '../support/postgres.ts';
import { temporaryFolder } from '../support/run-folder.ts';
import { accepted, keep, startService, use } from '../support/service.ts';
import { startRegister } from '../support/upstreams/register.ts';
import { type S3Server, startS3 } from '../support/upstreams/s3.ts';

const folder = temporaryFolder('backup');
const postgres = await use(startPostgres());

const AS = 'sanne-de-wit';
const PATH = '/api/v1/applications';
const ACCESS = { region: 'eu-west-1', accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'geheim' };

const variablesOf = ({ url }: S3Server) => ({
  DOCUMENTS_UPSTREAM: `s3:${url}`,
  DOCUMENTS_CLIENT_ID: ACCESS.accessKeyId,
  DOCUMENTS_SECRET: ACCESS.secretAccessKey,
  DOCUMENTS_REGION: ACCESS.region,
  ALLOW_STAND_IN: 'yes',
});

/** Runs a command of the service and returns what it prints; test/startup/artefact.test.ts runs them in a process. */
async function command(name: 'backup' | 'restore', env: Record<string, string>, ...words: string[]): Promise<string> {
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    await COMMANDS[name]?.run(readConfig(env), words);
    return printed.mock.calls.map(([text]) => String(text)).join('');
  } finally {
    printed.mockRestore();
  }
}

const newFolder = () => mkdtempSync(join(folder, 'data-'));
/**
 * Returns the environment variables of a new, empty store of each kind, and how the code of the service opens that
 * store.
 */
const STORES = {
  SQLite: async () => {
    const data = newFolder();
    return { env: { DATA_DIR: data }, location: { kind: 'sqlite', folder: data } as const };
  },
  PostgreSQL: async () => {
    const url = await postgres.database();
    return { env: { DATABASE_URL: url, DATA_DIR: newFolder() }, location: { kind: 'postgres', url } as const };
  },
};

describe.each([
  ['SQLite', 'SQLite'],
  ['PostgreSQL', 'PostgreSQL'],
  ['SQLite', 'PostgreSQL'],
] as const)('a backup of %s that is restored into %s', (from, to) => {
  it('has the data of one moment; changes after it are lost, no request is submitted twice, and documents that are newer than the backup are kept', async () => {
    const [upstream, s3] = await Promise.all([startRegister(), startS3(ACCESS)]);
    const upstreams = { REGISTER_UPSTREAM: upstream.url, ...variablesOf(s3) };
    const source = await STORES[from]();
    const first = await startService({ ...upstreams, ...source.env });
    const send = (localId: string, file = pdf()) => upload(first, AS, { localId, file });
    const content = (service: typeof first, id: string) => service.get(`/api/v1/uploads/${id}/content`, { as: AS });

    const { id } = (await first.post(PATH, AS, { type: 'herregistratie' })).body;
    const [kept, deleted] = [(await send('kept')).body.documentId, (await send('deleted')).body.documentId];
    const draft = { draft: { stap: 1 }, documentIds: [kept, deleted] };
    await first.call('PUT', `${PATH}/${id}`, { as: AS, json: draft });
    // An upload that the document store has, and has not confirmed.
    const { promise, resolve } = Promise.withResolvers<void>();
    s3.answersAfter = promise;
    const pending = send('pending', pdfOf(20_000));
    await expect.poll(() => s3.keys()).toHaveLength(3);

    const copy = join(newFolder(), 'monday.sqlite');
    expect(await command('backup', source.env, copy)).toBe(`${copy} is a complete copy.\n`);
    expect([statSync(copy).mode & 0o077, readdirSync(join(copy, '..'))]).toEqual([0, ['monday.sqlite']]);

    // After the backup she goes on: everything below is unknown to the copy.
    resolve();
    const confirmed = (await pending).body.documentId;
    const later = (await accepted(first.post(PATH, AS, { type: 'intake' }))).body.id;
    const orphan = (await send('orphan')).body.documentId;
    await first.call('DELETE', `/api/v1/uploads/${deleted}`, { as: AS });
    const sent = await first.post(`${PATH}/${id}/submit`, AS, { uren: 2_600 });
    expect(sent.status).toBe(200);
    await first.close();

    const target = await STORES[to]();
    const counts = '1 applications, 0 keys, 3 uploads, 0 leftovers, 0 brieven';
    expect(await command('restore', target.env, copy)).toBe(`${copy} is restored: ${counts}.\n`);
    // The claim of the upload ends by itself, after some minutes.
    const store = await openStore(target.location);
    await store.db.updateTable('uploads').set({ claimedUntil: 1 }).execute();
    await store.close();

    const restored = await startService({ ...upstreams, ...target.env });
    expect((await restored.get(`${PATH}/${later}`, { as: AS })).status).toBe(404);
    expect((await restored.get(`${PATH}/${id}`, { as: AS })).body).toMatchObject({
      status: { tag: 'Concept' },
      ...draft,
    });
    const again = await restored.post(`${PATH}/${id}/submit`, AS, { uren: 2_600 });
    expect([again.status, again.body.code]).toEqual([409, 'lopende-aanvraag']);
    expect(again.body.detail).toContain(sent.body.referentie);
    expect([...upstream.stored.values()].filter(({ body }) => body.kenmerk === id)).toHaveLength(1);

    const statuses = [kept, deleted, orphan].map((document) => content(restored, document));
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([200, 404, 404]);
    const objects = s3.keys();
    const adopted = await upload(restored, AS, { localId: 'pending', file: pdfOf(20_000) });
    expect([adopted.status, adopted.body.documentId]).toEqual([201, confirmed]);
    expect(s3.keys()).toEqual(objects);
    expect((await content(restored, confirmed)).status).toBe(200);
    await restored.close();

    // As the guide says: the sweeper then deletes a document that only the document store has.
    const after = await openStore(target.location);
    await after.db.insertInto('leftovers').values({ documentId: orphan, key: null, since: 0 }).execute();
    await after.close();
    const sweeping = await startService({ ...upstreams, ...target.env });
    const left = objects.filter((key) => key !== `ZR-${orphan.replaceAll('-', '')}`);
    await expect.poll(() => s3.keys()).toEqual(left);
    await sweeping.close();
    await Promise.all([upstream.close(), s3.close()]);
  });
});

it.each([
  ['without a file name', { DATA_DIR: folder }, [], /^backup: name the file to make/],
  ['to a path whose space is not quoted', { DATA_DIR: folder }, [join(folder, 'my'), 'copy'], /^backup: name the file/],
  ['of a store that keeps nothing', { DATA_DIR: ':memory:' }, ['x'], /^backup: .+ keeps nothing/],
  [
    'of a PostgreSQL that does not answer',
    { DATABASE_URL: 'postgres://127.0.0.1:1/x' },
    [join(folder, 'new.sqlite')],
    /was not made \(.*ECONNREFUSED/,
  ],
  ['to a file that exists', { DATA_DIR: folder }, [process.execPath], /was not made \(the file exists\)/],
  [
    'of a folder without a store',
    { DATA_DIR: newFolder() },
    [join(folder, 'new.sqlite')],
    /was not made \(there is no store at .+zorgregister\.sqlite\)\.$/,
  ],
])('the command backup is refused %s', async (_, env, words, says) => {
  await expect(command('backup', env as unknown as Record<string, string>, ...words)).rejects.toThrow(says);
});

it('a backup that fails in the middle leaves no file, and succeeds when it is repeated', async () => {
  const [data, place] = [newFolder(), newFolder()];
  const store = await openStore({ kind: 'sqlite', folder: data });
  const draft = JSON.stringify('x'.repeat(20_000));
  for (const id of ['a1', 'a2'])
    await store.applications.add({ id, owner: 'x', type: 'intake', createdAt: '2026-06-01T12:00:00.000Z', draft });
  await store.close();
  const [file, copy] = [join(data, 'zorgregister.sqlite'), join(place, 'monday.sqlite')];
  const whole = readFileSync(file);
  // Pages in the middle, which SQLite reads after it has begun to write the copy.
  writeFileSync(file, Buffer.from(whole).fill(255, whole.length - 40_000));
  await expect(command('backup', { DATA_DIR: data }, copy)).rejects.toThrow(/was not made \(database disk image/);
  expect(readdirSync(place)).toEqual([]);
  writeFileSync(file, whole);
  expect(await command('backup', { DATA_DIR: data }, copy)).toBe(`${copy} is a complete copy.\n`);
  expect(readdirSync(place)).toEqual(['monday.sqlite']);
});

describe('the command restore', () => {
  it('inserts few rows with a long text in one statement, because a statement has a time limit', async () => {
    const inserts: number[] = [];
    const { relaxed, close } = await openSqlite(':memory:', ({ query: { sql, parameters } }) => {
      if (sql.startsWith('insert into "applications"')) inserts.push(parameters.filter(isLong).length);
    });
    const isLong = (one: unknown) => String(one).length > 1_000;
    const rows = Array.from({ length: 10 }, (_, at) => ({
      id: `${at}`,
      owner: 'professional:a',
      type: 'intake',
      tag: 'Concept',
      version: 1,
      draft: 'a'.repeat(300_000),
      stepIndex: 0,
      stepCount: 1,
      documentIds: '[]',
      createdAt: '2026-06-01T12:00:00Z',
      updatedAt: '2026-06-01T12:00:00Z',
    }));
    await insertRows(relaxed, 'applications', rows);
    expect(await relaxed.selectFrom('applications').select('id').execute()).toHaveLength(10);
    await close();
    expect(inserts).toEqual([3, 3, 3, 1]);
  });

  const used = join(folder, 'used');
  const newer = join(folder, 'newer.sqlite');
  const broken = join(folder, 'broken.sqlite');
  const other = join(folder, 'other.sqlite');
  beforeAll(async () => {
    const store = await openStore({ kind: 'sqlite', folder: used });
    await store.applications.add({ id: 'a1', owner: 'x', type: 'intake', createdAt: '2026-06-01T12:00:00.000Z' });
    await store.close();
    await command('backup', { DATA_DIR: used }, newer);
    const file = new DatabaseSync(newer);
    file.exec("insert into kysely_migration values ('999-later', '2099-01-01')");
    file.close();
    const another = new DatabaseSync(other);
    another.exec('create table recipes (name text)');
    another.close();
    writeFileSync(broken, 'not a database at all, and long enough to look like one'.repeat(100));
  });

  it.each([
    ['without a file name', [], /^restore: name the file/],
    ['from a path whose space is not quoted', [newer, 'copy'], /^restore: name the file/],
    ['from a file that does not exist', [join(folder, 'absent')], /there is no such file/],
    ['from a damaged file', [broken], /was not restored \(file is not a database\)/],
    ['from an SQLite file of another program', [other], /it is an SQLite file, but not a backup of this service/],
    ['from a backup of a newer version', [newer], /a newer version of the service made it/],
    ['into a store that has data', [join(used, 'zorgregister.sqlite')], /the store is not empty: applications/],
  ])('is refused %s, and changes nothing', async (_, words, says) => {
    await expect(command('restore', { DATA_DIR: used }, ...words)).rejects.toThrow(says);
    const store = keep(await openStore({ kind: 'sqlite', folder: used }));
    expect(await store.applications.list('x')).toHaveLength(1);
  });
});
