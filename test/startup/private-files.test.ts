import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../adapters/store/index.ts';
import { spawnStartForTest, until } from '../support/process.ts';
import { temporaryFolder } from '../support/run-folder.ts';
import { keep, startService } from '../support/service.ts';

const folder = temporaryFolder('private');

/** Returns the paths in a folder, and the folder itself, to which other users have any permission. */
const sharedIn = (place: string): string[] =>
  [place, ...readdirSync(place, { recursive: true }).map((name) => join(place, String(name)))].filter(
    (path) => (statSync(path).mode & 0o077) !== 0,
  );

// Windows has no such permissions.
describe.skipIf(process.platform === 'win32')('files in the data folder', () => {
  it('have permissions for their owner only: store, simulators, documents, snapshots and logs', async () => {
    const DATA_DIR = join(folder, 'all', 'data');
    const started = spawnStartForTest({ PORT: '0', DATA_DIR });
    await until(started, /Try:/);
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(started.output())?.[0] ?? '';
    const headers = { authorization: 'Bearer x', 'x-subject': 'ruben-smit', 'content-type': 'application/json' };
    const uploads = await fetch(`${url}/api/v1/uploads/status`, { headers });
    const place = `${url}/_simulator/worlds/default/snapshots/proef`;
    const snapshot = await fetch(place, { method: 'PUT', headers, body: '{}' });
    expect([uploads.status, snapshot.status]).toEqual([200, 200]);

    const names = readdirSync(DATA_DIR, { recursive: true }).map(String);
    for (const name of ['zorgregister.sqlite-wal', 'simulator.sqlite-shm', 'documenten', 'snapshots', 'processing.log'])
      expect(names).toContain(name);
    expect(sharedIn(join(folder, 'all'))).toEqual([]);
  });

  it('have permissions for their owner only in another program, without a change of its umask', async () => {
    const before = process.umask();
    const place = join(folder, 'imported');
    keep(await startService({ DATA_DIR: place }));
    expect(sharedIn(place).filter((path) => !/running/.test(path))).toEqual([]);
    expect(process.umask()).toBe(before);
  });

  it('keep the permissions of a folder that others can read, and the log has a warning', async () => {
    const place = join(folder, 'shared');
    mkdirSync(place);
    chmodSync(place, 0o755);
    await (await openStore({ kind: 'sqlite', folder: place })).close();
    const file = join(place, 'zorgregister.sqlite');
    expect(sharedIn(place)).toEqual([place]);
    chmodSync(file, 0o644);
    const service = await startService({ DATA_DIR: place });
    await service.close();
    expect(service.log).toContainEqual(
      expect.objectContaining({
        level: 40,
        dataDir: { readableByOthers: expect.arrayContaining([place, file]), advice: 'chmod -R go-rwx' },
      }),
    );
    expect(statSync(file).mode & 0o777).toBe(0o644);
  });
});
