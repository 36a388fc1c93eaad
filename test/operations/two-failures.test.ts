import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { controlOf } from '../support/control.ts';
import { pdf } from '../support/files.ts';
import { upload } from '../support/multipart.ts';
import { temporaryFolder } from '../support/run-folder.ts';
import { startService } from '../support/service.ts';

const folder = temporaryFolder('two');
const service = await startService({ DATA_DIR: folder });
const database = new DatabaseSync(join(folder, 'zorgregister.sqlite'));
// From the moment that a claim on a request or an idempotency key is released, the store refuses it.
for (const [index, statement] of [
  `update of claim on applications when old.claim is not null and new.claim is null and new.tag <> 'InBehandeling'`,
  'update of "busyUntil" on keys',
  'delete on keys',
  'update of claim on uploads when old.claim is not null and new.claim is null',
].entries())
  database.exec(
    `create trigger t${index} before ${statement} begin select raise(abort, 'the store fails as well'); end`,
  );
afterAll(async () => {
  await service.close();
  database.close();
});

const ADDRESS = { straat: 'Dam 1', postcode: '1012 JS', woonplaats: 'Amsterdam' };

describe('when the store fails after another failure', () => {
  it('a request whose answer of the register is lost is 504, as without the second failure', async () => {
    const world = controlOf(service).in('lost');
    await world.post('/faults', { upstream: 'register', kind: 'lost', operation: 'zaken-indienen' });
    const { status, body } = await service.post('/api/v1/change-requests', 'sanne-de-wit@lost', ADDRESS, {
      'idempotency-key': 'k1',
    });
    expect([status, body.code]).toEqual([504, 'bron-te-laat']);
  });

  it('a draft that a rule refuses is still refused with the reason of that rule', async () => {
    const as = 'wilma-dekker';
    const { body } = await service.post('/api/v1/applications', as, { type: 'herregistratie' });
    const refused = await service.post(`/api/v1/applications/${body.id}/submit`, as, { uren: 4_000 });
    expect([refused.status, refused.body.code]).toEqual([409, 'niet-herregistreerbaar']);
  });

  it('an upload is 503 bron-niet-beschikbaar when the document store refused it', async () => {
    await controlOf(service).in('refused').post('/faults', { upstream: 'documenten', kind: 'refused' });
    const { status, body } = await upload(service, 'sanne-de-wit@refused', { file: pdf() });
    expect([status, body.code]).toEqual([503, 'bron-niet-beschikbaar']);
  });
});
