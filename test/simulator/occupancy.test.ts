import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pdf } from '../support/files.ts';
import { upload } from '../support/multipart.ts';
import { type StartProcess, spawnStartForTest, until } from '../support/process.ts';
import { temporaryFolder } from '../support/run-folder.ts';
import { keep, startService } from '../support/service.ts';

const folder = temporaryFolder('occupied');

const ready = async (started: StartProcess) => {
  await until(started, /Try:/);
  return started;
};

describe('a data folder that a running service uses', () => {
  it('is not emptied by reset (exit code 1), is named in the message to a second service, and can be reset after the first one was killed, except what its user made', async () => {
    const first = await ready(spawnStartForTest({ PORT: '0', DATA_DIR: folder }));
    expect(first.output()).not.toMatch(/note/);
    const reset = spawnStartForTest({ DATA_DIR: folder }, ['reset']);
    expect(await reset.exit).toBe(1);
    expect(reset.output()).toContain(`process ${first.child.pid} works in ${folder}`);
    expect(reset.output()).toContain('npm run sim -- reset --all');
    const second = await ready(spawnStartForTest({ PORT: '0', DATA_DIR: folder }));
    expect(second.output()).toContain(`process ${first.child.pid} works in ${folder} too`);
    first.child.kill('SIGKILL');
    second.child.kill('SIGINT');
    await Promise.all([first.exit, second.exit]);
    const made = ['snapshots', 'personas', 'demos'].map((name) => join(folder, name, 'own.json'));
    for (const file of made) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, '{}');
    }
    const again = spawnStartForTest({ DATA_DIR: folder }, ['reset']);
    expect(await again.exit).toBe(0);
    expect(readdirSync(join(folder, 'running'))).toEqual([]);
    expect(made.filter((file) => !existsSync(file))).toEqual([]);
  });

  it('may lose its documents folder: the service creates it again', async () => {
    const own = join(folder, 'own');
    const service = keep(await startService({ DATA_DIR: own }));
    rmSync(join(own, 'documenten'), { recursive: true });
    expect((await service.get('/api/v1/uploads/status', { as: 'ruben-smit' })).status).toBe(200);
    expect(existsSync(join(own, 'documenten'))).toBe(true);
    rmSync(join(own, 'documenten'), { recursive: true });
    expect((await upload(service, 'sanne-de-wit', { file: pdf() })).status).toBe(201);
  });
});
