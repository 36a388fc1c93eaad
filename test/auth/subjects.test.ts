import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { openStore, type StoreLocation } from '../../adapters/store/index.ts';
import { pdf } from '../support/files.ts';
import { fillablePlaceholderOf } from '../support/letter.ts';
import { BOUNDARY, multipart, partsOf } from '../support/multipart.ts';
import { startPostgres } from '../support/postgres.ts';
import { temporaryFolder } from '../support/run-folder.ts';
import { keep, refusalOf, startService, type TestService, use, whenReady } from '../support/service.ts';
import { textOf } from '../support/snippets.ts';
import { stopClocks } from '../support/time.ts';
import { issuerVariables, signingKey, startIssuer } from '../support/upstreams/issuer.ts';

const folder = temporaryFolder('subjects');
const postgres = await use(startPostgres());
const issuer = await use(startIssuer([await signingKey('professional')]));
const staff = await use(startIssuer([await signingKey('staff')]));

const ENGINES: readonly [string, () => Promise<{ env: Record<string, string>; location: StoreLocation }>][] = [
  ['SQLite', async () => ({ env: { DATA_DIR: folder }, location: { kind: 'sqlite', folder } })],
  [
    'PostgreSQL',
    async () => {
      const url = await postgres.database();
      return { env: { DATABASE_URL: url }, location: { kind: 'postgres', url } };
    },
  ],
];

const [OLD, NEW] = ['a'.repeat(32), 'b'.repeat(32)];

/** Returns the owner name of a professional, as an operator finds it with the command in the guide. */
async function ownerName(sub: string, SUBJECT_KEYS: string): Promise<string> {
  const [, command = ''] = /```sh\n(SUB=their-sub [\s\S]*?)```/.exec(textOf('docs/guides/backup.md')) ?? [];
  const env = { PATH: process.env.PATH ?? '', SUBJECT_KEYS };
  const { stdout } = await promisify(execFile)('sh', ['-c', command.replace('their-sub', sub)], { env });
  return stdout.trim();
}
const PATH = '/api/v1/applications';

describe.each(ENGINES)('a service with SUBJECT_KEYS on a %s with older data', (_, place) => {
  it('renames the owner of data that a caller stored without a key or with an older key, at the next call of that caller', async () => {
    const { env, location } = await place();
    const bearer = { authorization: `Bearer ${await issuer.token({ sub: 'sanne', bsn: '999990007' })}` };
    /** The headers of the author of the letters in two workspaces. */
    const drafters = await Promise.all(
      [null, 'second'].map(async (workspace) => ({
        authorization: `Bearer ${await staff.token({ sub: 'bas', roles: ['behandelaar', 'teamlead'], workspace })}`,
      })),
    );
    const subjectKeys = new Set<unknown>();
    /** Starts the service with these keys, uses it, and returns all owner names that are stored afterwards. */
    async function withKeys(keys: string, use: (service: TestService) => Promise<void>): Promise<string[]> {
      const issuers = issuerVariables(issuer, staff);
      const given = { ...env, ...issuers, OIDC_STAFF_WORKSPACE_CLAIM: 'workspace' };
      const service = await startService({ ...given, ...(keys && { SUBJECT_KEYS: keys }) });
      await whenReady(service);
      await use(service);
      await service.close();
      for (const { log, resource } of service.processingLog)
        if (log === 'audit')
          subjectKeys.add((resource as { attributes: { subject_key?: string } }).attributes.subject_key);
      const store = await openStore(location);
      const rows = await Promise.all([
        store.db.selectFrom('applications').select(['owner', 'slot']).execute(),
        store.db.selectFrom('keys').select('owner').execute(),
        store.db.selectFrom('uploads').select('owner').execute(),
        store.db.selectFrom('brieven').select('content').execute(),
      ]);
      await store.close();
      expect(rows.every((table) => table.length > 0)).toBe(true);
      return [...new Set(JSON.stringify(rows).match(/(professional|staff):[\w-]{43}/g))].sort();
    }

    let drafted: unknown;
    const retry = (service: TestService) =>
      service.call('POST', '/api/v1/intakes', {
        headers: { ...bearer, 'idempotency-key': 'k1' },
        json: { uren: 2_600 },
      });
    const before = await withKeys('', async (service) => {
      await service.call('POST', PATH, { headers: bearer, json: { type: 'herregistratie' } });
      const body = multipart(partsOf({ file: pdf() }));
      const type = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
      expect((await service.call('POST', '/api/v1/uploads', { headers: { ...bearer, ...type }, body })).status).toBe(
        201,
      );
      drafted = (await retry(service)).body;
      expect(drafted).toHaveProperty('referentie');
      for (const headers of drafters) {
        const { sections } = (await service.get('/api/v1/brief', { headers })).body.brief;
        fillablePlaceholderOf(sections).text = '1 juni 2022 tot 1 mei 2026';
        expect((await service.call('PUT', '/api/v1/brief', { headers, json: { sections } })).status).toBe(200);
        expect((await service.call('POST', '/api/v1/brief/submit', { headers })).status).toBe(200);
      }
    });
    expect(before).toHaveLength(2);

    const look = async (service: TestService) => {
      for (const headers of drafters) {
        expect(await refusalOf(service.call('POST', '/api/v1/brief/approve', { headers }))).toEqual([403, 'vier-ogen']);
      }
      const listed = await service.get(PATH, { headers: bearer });
      expect(listed.body.map(({ type }: { type: string }) => type).sort()).toEqual(['herregistratie', 'intake']);
      expect((await retry(service)).body).toEqual(drafted);
      const intake = await service.call('POST', '/api/v1/intakes', { headers: bearer, json: { uren: 2_600 } });
      expect(intake.body.code).toBe('lopende-aanvraag');
      const uploads = await service.get('/api/v1/uploads/status?localIds=l1', { headers: bearer });
      expect(JSON.stringify(uploads.body)).toContain('uploaded');
    };
    const keyed = await withKeys(OLD, look);
    expect([keyed.length, keyed.filter((name) => before.includes(name))]).toEqual([2, []]);
    const rotated = await withKeys(`${NEW},${OLD}`, look);
    expect([rotated.length, rotated.filter((name) => [...before, ...keyed].includes(name))]).toEqual([2, []]);
    // The old key is no longer needed.
    expect(await withKeys(NEW, look)).toEqual(rotated);
    expect(rotated).toContain(await ownerName('sanne', `${NEW},${OLD}`));
    expect([...subjectKeys]).toEqual([undefined, expect.stringMatching(/^[0-9a-f]{8}$/), expect.any(String)]);
  });
});

/** Starts two instances on one new database while the key changes: one with the old key first, one with the new one. */
async function startWhileKeyChanges(): Promise<[before: TestService, after: TestService]> {
  const issuers = issuerVariables(issuer, staff);
  const env = { ...issuers, DATABASE_URL: await postgres.database() };
  return Promise.all([
    startService({ ...env, SUBJECT_KEYS: `${OLD},${NEW}` }),
    startService({ ...env, SUBJECT_KEYS: `${NEW},${OLD}` }),
  ]);
}

it('a draft whose owner gets another name while it is being made or submitted is answered with 201 or 200', async () => {
  const issuers = issuerVariables(issuer, staff);
  const service = keep(await startService({ ...issuers, DATA_DIR: join(folder, 'renamed') }));
  const db = new DatabaseSync(join(folder, 'renamed', 'zorgregister.sqlite'));
  /** Renames the owner after a change, as another instance with the keys in another order can do at any moment. */
  const renameAfter = (change: string) =>
    db.exec(`create trigger renamed after ${change}
      begin update applications set owner = 'other' where id = new.id; end`);
  const headers = { authorization: `Bearer ${await issuer.token({ sub: 'noor', bsn: '999990007' })}` };
  const send = (path: string, json: object) => service.call('POST', PATH + path, { headers, json });

  renameAfter('insert on applications');
  const made = await send('', { type: 'herregistratie' });
  expect([made.status, made.body.status.tag]).toEqual([201, 'Concept']);
  db.exec('drop trigger renamed');

  const { id } = (await send('', { type: 'herregistratie' })).body;
  renameAfter("update on applications when new.tag = 'InBehandeling' and old.tag = 'Concept'");
  const submitted = await send(`/${id}/submit`, { uren: 2_600 });
  expect(submitted).toMatchObject({ status: 200, body: { status: { tag: 'InBehandeling', manual: false } } });
  expect(submitted.body.referentie).toBe(submitted.body.status.referentie);
  db.close();
});

it('two documents that a person uploaded with one localId while the key changed are both kept', async () => {
  const bearer = { authorization: `Bearer ${await issuer.token({ sub: 'noor', bsn: '999990068' })}` };
  const [before, after] = await startWhileKeyChanges();
  stopClocks();
  // After this call, `after` looks for older names of this person again only after ten seconds.
  expect((await after.get(PATH, { headers: bearer })).status).toBe(200);
  const documentIds: string[] = [];
  for (const service of [before, after]) {
    const body = multipart(partsOf({ file: pdf({ pad: documentIds.length }) }));
    const headers = { ...bearer, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
    const uploaded = await service.call('POST', '/api/v1/uploads', { headers, body });
    expect(uploaded.status).toBe(201);
    documentIds.push(uploaded.body.documentId);
  }

  vi.advanceTimersByTime(10_000);
  const { results } = (await after.get('/api/v1/uploads/status', { headers: bearer })).body;
  expect(results.map(({ documentId }: { documentId: string }) => documentId).sort()).toEqual(documentIds.sort());
  await Promise.all([before.close(), after.close()]);
});

it('the author of a letter on another instance cannot approve it while the key changes, and is renamed after ten seconds, also when the clock was set back', async () => {
  const headers = { authorization: `Bearer ${await staff.token({ sub: 'tess', roles: ['behandelaar', 'teamlead'] })}` };
  const [before, after] = await startWhileKeyChanges();
  stopClocks();
  // After this call, `after` looks for older names of this person again only after ten seconds.
  const { sections } = (await after.get('/api/v1/brief', { headers })).body.brief;
  fillablePlaceholderOf(sections).text = '1 juni 2022 tot 1 mei 2026';
  expect((await before.call('PUT', '/api/v1/brief', { headers, json: { sections } })).status).toBe(200);
  const submitted = await before.call('POST', '/api/v1/brief/submit', { headers });
  expect(submitted.status).toBe(200);
  expect(await refusalOf(after.call('POST', '/api/v1/brief/approve', { headers }))).toEqual([403, 'vier-ogen']);

  vi.advanceTimersByTime(10_000);
  vi.setSystemTime(Date.now() - 3_600_000);
  const { brief } = (await after.get('/api/v1/brief', { headers })).body;
  expect(brief.status.submittedBy).toMatch(/^staff:/);
  expect(brief.status.submittedBy).not.toBe(submitted.body.status.submittedBy);
  await Promise.all([before.close(), after.close()]);
});
