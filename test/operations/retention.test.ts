import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pdf } from '../support/files.ts';
import { upload } from '../support/multipart.ts';
import { temporaryFolder } from '../support/run-folder.ts';
import { accepted, frozenClock, keep, startService } from '../support/service.ts';

const folder = temporaryFolder('retention');

const AS = 'sanne-de-wit';
const PATH = '/api/v1/applications';

interface Line {
  readonly name?: string;
  readonly operation_id: string;
  readonly parent_operation_id?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

describe('a service with CONCEPT_RETENTION_DAYS', () => {
  it('deletes Concepts that were not changed for that time, with their documents, and only when the processing log can record it, with a line for each person', async () => {
    const env = { DATA_DIR: folder };
    const before = await startService(env, frozenClock('2020-01-01'));
    const old = (await accepted(before.post(PATH, AS, { type: 'herregistratie' }))).body.id;
    for (let n = 0; n < 2; n += 1) await before.post(PATH, 'burger-1', { type: 'intake' });
    const { documentId } = (await upload(before, AS, { file: pdf() })).body;
    await before.call('PUT', `${PATH}/${old}`, { as: AS, json: { draft: {}, documentIds: [documentId] } });
    await before.close();
    const stored = () => readdirSync(join(folder, 'documenten'), { recursive: true, withFileTypes: true });
    const files = stored().filter((entry) => entry.isFile()).length;

    const today = new Date().toISOString().slice(0, 10);
    const kept = await startService({ ...env, UPLOADS_ORPHAN_HOURS: '0' }, frozenClock(today));
    const young = (await accepted(kept.post(PATH, AS, { type: 'intake' }))).body.id;
    expect((await kept.get(`${PATH}/${old}`, { as: AS })).status).toBe(200);
    await kept.close();

    const retention = { ...env, UPLOADS_ORPHAN_HOURS: '0', CONCEPT_RETENTION_DAYS: '365' };
    // Its processing log is full: it must delete nothing, because it could not record that.
    await (await startService(retention, frozenClock(today), { maxWaiting: 0 })).close();
    const service = keep(await startService(retention, frozenClock(today)));
    await expect.poll(() => service.log).toContainEqual(expect.objectContaining({ orphans: 1 }));
    expect(service.log).toContainEqual(expect.objectContaining({ expired: { concepts: 3, keys: 0 } }));
    expect((await service.get(`${PATH}/${old}`, { as: AS })).status).toBe(404);
    expect((await service.get(`${PATH}/${young}`, { as: AS })).status).toBe(200);
    expect((await service.get(`/api/v1/uploads/${documentId}/content`, { as: AS })).status).toBe(404);
    expect(stored().filter((entry) => entry.isFile()).length).toBeLessThan(files);
    const lines = () => (service.processingLog as unknown as Line[]).filter(({ name }) => name === 'expireConcepts');
    await expect.poll(lines).toHaveLength(2);
    for (const { attributes } of lines())
      expect(attributes).toEqual({
        'dpl.core.processing_activity_id': expect.stringMatching(/concept-opruimen$/),
        'dpl.core.data_subject_id_type': 'eigenaar',
        'dpl.core.data_subject_id': expect.stringMatching(/^[0-9a-f]{64}$/),
      });
    expect(new Set(lines().map(({ attributes }) => attributes['dpl.core.data_subject_id'])).size).toBe(2);
    expect(lines()[1]?.parent_operation_id).toBe(lines()[0]?.operation_id);
  });
});
