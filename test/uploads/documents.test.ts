import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { controlOf } from '../support/control.ts';
import { pdf } from '../support/files.ts';
import { type Upload, upload } from '../support/multipart.ts';
import { temporaryFolder } from '../support/run-folder.ts';
import { accepted, keep, newWorld, pointersOf, startService, useService } from '../support/service.ts';

const service = await useService();

/** Returns the name of this persona in a new world, so that no other test has changed its data. */
const someone = (slug: string): string => `${slug}@${newWorld()}`;

const send = async (as: string, one: Upload = {}, at = service): Promise<string> =>
  (await accepted(upload(at, as, { file: pdf(), ...one }))).body.documentId;
const remove = (as: string, documentId: string) => service.call('DELETE', `/api/v1/uploads/${documentId}`, { as });
const statuses = async (as: string, at = service): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await at.get('/api/v1/uploads/status', { as })).body.results.map(
      ({ localId, status }: { localId: string; status: string }) => [localId, status],
    ),
  );
const documentOf = async (as: string, localId: string): Promise<string> =>
  (await service.get(`/api/v1/uploads/status?localIds=${localId}`, { as })).body.results[0].documentId;
const herregistratie = (as: string, documents: readonly object[], uren = 2_600) =>
  service.post('/api/v1/herregistraties', as, { uren, documents });
const digital = (categoryId: string, documentId: string) => ({ categoryId, channel: 'digital', documentId });
/** The upload of a proof of training for an intake. */
const PROOF = { wizardId: 'intake', categoryId: 'scholingsbewijs' };
const concept = async (as: string, type: string, documentIds: readonly string[]): Promise<string> => {
  const { body } = await service.post('/api/v1/applications', as, { type });
  const json = { draft: {}, stepIndex: 0, stepCount: 1, documentIds };
  await service.call('PUT', `/api/v1/applications/${body.id}`, { as, json });
  return body.id;
};

const submit = (as: string, id: string, uren: number, documents: object[]) =>
  service.post(`/api/v1/applications/${id}/submit`, as, { uren, documents });

describe('a request that refers to documents', () => {
  it('is accepted with 200 and lists them, and they can then not be deleted (409 document-in-gebruik)', async () => {
    const as = someone('joost-van-buren');
    const documentId = await documentOf(as, 'certificaat');
    const { status, body } = await herregistratie(as, [digital('scholingsbewijs', documentId)], 1_400);
    expect([status, body.referentie]).toEqual([200, expect.stringMatching(/^HER-/)]);
    const [application] = (await service.get('/api/v1/applications', { as })).body;
    expect(application.documentIds).toEqual([documentId]);
    expect(await remove(as, documentId)).toMatchObject({ status: 409, body: { code: 'document-in-gebruik' } });
    expect((await service.get(`/api/v1/uploads/${documentId}/content`, { as })).status).toBe(200);
  });

  it('is refused with 422 documenten-ongeldig for a document of another person', async () => {
    const theirs = await send(someone('joost-van-buren'));
    const { status, body } = await herregistratie(someone('sanne-de-wit'), [digital('werkervaring', theirs)]);
    expect([status, body.code, pointersOf(body)]).toEqual([422, 'documenten-ongeldig', ['/documents/0/documentId']]);
  });

  it('is refused for a deleted document and for a document that is listed twice', async () => {
    const as = someone('sanne-de-wit');
    const [gone, kept] = [await send(as, { localId: 'a' }), await send(as, { localId: 'b' })];
    await remove(as, gone);
    const { body } = await herregistratie(
      as,
      [gone, kept, kept].map((id) => digital('werkervaring', id)),
    );
    expect(pointersOf(body)).toEqual(['/documents/0/documentId', '/documents/2/documentId']);
  });

  it('leaves them deletable (204) when it is refused with 422', async () => {
    const as = someone('wilma-dekker');
    const documentId = await send(as, { categoryId: 'scholingsbewijs' });
    expect((await herregistratie(as, [digital('scholingsbewijs', documentId)])).status).toBe(422);
    expect((await remove(as, documentId)).status).toBe(204);
  });

  it('excludes a deletion of its document at the same moment: one of the two succeeds, the other is refused', async () => {
    for (let round = 0; round < 10; round += 1) {
      const as = someone('sanne-de-wit');
      const documentId = await send(as);
      const documents = [digital('werkervaring', documentId)];
      const [sent, gone] = await Promise.all([herregistratie(as, documents), remove(as, documentId)]);
      const left = await service.get(`/api/v1/uploads/${documentId}/content`, { as });
      expect([
        [200, 409, 200],
        [422, 204, 404],
      ]).toContainEqual([sent.status, gone.status, left.status]);
    }
  });
});

describe('a draft that refers to documents', () => {
  it('lists only the sent ones after it is submitted, which cannot be deleted; the others can', async () => {
    const as = someone('sanne-de-wit');
    const [mentioned, added] = [await send(as, { localId: 'a' }), await send(as, { localId: 'b' })];
    const id = await concept(as, 'herregistratie', [mentioned, mentioned]);
    expect((await submit(as, id, 2_600, [digital('werkervaring', added)])).status).toBe(200);
    expect((await service.get(`/api/v1/applications/${id}`, { as })).body.documentIds).toEqual([added]);
    expect((await remove(as, added)).status).toBe(409);
    expect((await remove(as, mentioned)).status).toBe(204);
  });

  it('of an intake is refused with 409 aanvraag-onvolledig for a document by post, and for one of another person', async () => {
    const as = someone('sanne-de-wit');
    const id = await concept(as, 'intake', []);
    const theirs = digital('scholingsbewijs', await send(someone('sanne-de-wit'), PROOF));
    for (const [document, member] of [
      [{ categoryId: 'scholingsbewijs', channel: 'post' }, 'channel'],
      [theirs, 'documentId'],
    ] as const) {
      const { status, body } = await submit(as, id, 3_120, [document]);
      expect([status, body.code]).toEqual([409, 'aanvraag-onvolledig']);
      expect(body.errors).toMatchObject([{ code: 'documenten-ongeldig', pointer: `/documents/0/${member}` }]);
    }
  });

  it('of an intake is submitted with 200 and an uploaded proof of training', async () => {
    const as = someone('sanne-de-wit');
    const proof = await send(as, PROOF);
    const id = await concept(as, 'intake', [proof]);
    expect((await submit(as, id, 3_120, [digital('scholingsbewijs', proof)])).status).toBe(200);
    expect((await remove(as, proof)).status).toBe(409);
  });

  it('is deleted with the documents to which no other draft or request refers', async () => {
    const as = someone('sanne-de-wit');
    const sent: string[] = [];
    for (const localId of ['mine', 'shared', 'used']) sent.push(await send(as, { localId }));
    const [mine = '', shared = '', used = ''] = sent;
    await herregistratie(as, [digital('werkervaring', used)]);
    const id = await concept(as, 'intake', [mine, shared, used]);
    await concept(as, 'intake', [shared]);
    expect((await service.call('DELETE', `/api/v1/applications/${id}`, { as })).status).toBe(204);
    expect(await statuses(as)).toEqual({ shared: 'uploaded', used: 'uploaded' });
    expect((await service.get(`/api/v1/uploads/${mine}/content`, { as })).status).toBe(404);
  });
});

describe('the documents that personas have from the start', () => {
  it('of Ruben are in every state: uploaded, pending, rejected, and in use (409 on deletion)', async () => {
    const as = someone('ruben-smit');
    expect(await statuses(as)).toEqual({
      werkgeversverklaring: 'uploaded',
      jaaropgave: 'pending',
      'certificaat-met-wachtwoord': 'rejected',
      'oud-certificaat': 'uploaded',
    });
    expect((await remove(as, await documentOf(as, 'oud-certificaat'))).status).toBe(409);
    expect((await remove(as, await documentOf(as, 'werkgeversverklaring'))).status).toBe(204);
  });

  it.each([
    ['elena-marin', 'identiteitskaart', 'image/jpeg', 'Identiteitskaart.jpg'],
    ['elena-marin', 'cv', 'application/pdf', 'CV Elena Marin.pdf'],
    ['gerda-postma', 'diploma', 'image/png', 'Diploma.png'],
    ['joost-van-buren', 'certificaat', 'application/pdf', 'Periodiek Registratie Certificaat.pdf'],
  ])('can be downloaded: %s, %s', async (slug, localId, type, name) => {
    const as = someone(slug);
    const { headers, status } = await service.get(`/api/v1/uploads/${await documentOf(as, localId)}/content`, { as });
    expect([status, headers['content-type']]).toEqual([200, type]);
    expect(headers['content-disposition']).toContain(name);
  });

  it('pass the checks: they are accepted with 201 when uploaded again', async () => {
    for (const [slug, localId] of [
      ['elena-marin', 'identiteitskaart'],
      ['gerda-postma', 'diploma'],
      ['joost-van-buren', 'certificaat'],
    ] as const) {
      const as = someone(slug);
      const path = `/api/v1/uploads/${await documentOf(as, localId)}/content`;
      const answer = await fetch(service.url + path, { headers: { authorization: 'Bearer x', 'x-subject': as } });
      const filename = /filename="?([^";]+)/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? '';
      const again = { file: Buffer.from(await answer.arrayBuffer()), filename };
      expect((await upload(service, someone('sanne-de-wit'), again)).status).toBe(201);
    }
  });
});

describe('a document of which the deletion fails', () => {
  const world = 'half-deleted';
  const as = `sanne-de-wit@${world}`;

  it.each([
    ['the document store never received', 'refused', 'uploaded', 204],
    ['the document store may have done', 'lost', 'unknown', 404],
  ])('when $0 is $2, and a second DELETE answers $3', async (_, kind, status, again) => {
    const documentId = await send(as, { localId: kind });
    const control = controlOf(service).in(world);
    await control.post('/faults', { upstream: 'documenten', kind });
    expect((await remove(as, documentId)).status).toBe(503);
    await control.delete('/faults');
    expect((await statuses(as))[kind]).toBe(status);
    expect((await remove(as, documentId)).status).toBe(again);
  });

  it('cannot be submitted any more, and no draft lists it, when the document store may have deleted it', async () => {
    const documentId = await send(as, { localId: 'listed' });
    const id = await concept(as, 'herregistratie', [documentId]);
    const control = controlOf(service).in(world);
    await control.post('/faults', { upstream: 'documenten', kind: 'lost' });
    expect((await remove(as, documentId)).status).toBe(503);
    await control.delete('/faults');
    expect((await service.get(`/api/v1/applications/${id}`, { as })).body.documentIds).toEqual([]);
    const refused = await herregistratie(as, [digital('werkervaring', documentId)]);
    expect([refused.status, refused.body.code]).toEqual([422, 'documenten-ongeldig']);
  });

  it('stays unavailable when the document store has deleted it and the database of the service fails', async () => {
    const folder = temporaryFolder('half');
    const own = keep(await startService({ DATA_DIR: folder }));
    const documentId = await send(as, {}, own);
    const db = new DatabaseSync(join(folder, 'zorgregister.sqlite'));
    db.exec("create trigger fails before delete on uploads begin select raise(abort, 'a test'); end");
    expect((await own.call('DELETE', `/api/v1/uploads/${documentId}`, { as })).status).toBe(500);
    db.exec('drop trigger fails');
    db.close();
    expect(await statuses(as, own)).toEqual({ l1: 'unknown' });
    const json = { uren: 2_600, documents: [digital('werkervaring', documentId)] };
    expect((await own.post('/api/v1/herregistraties', as, json)).body.code).toBe('documenten-ongeldig');
  });
});

describe('a document to which no draft or request refers', () => {
  const folder = temporaryFolder('orphans');
  const kept = (): number => readdirSync(join(folder, 'documenten')).filter((name) => name.endsWith('.bin')).length;

  it('is deleted after UPLOADS_ORPHAN_HOURS; a document to which a draft or request refers is kept', async () => {
    const as = 'sanne-de-wit';
    const first = await startService({ DATA_DIR: folder });
    const [orphan, mentioned, used] = [
      await send(as, { localId: 'orphan' }, first),
      await send(as, { localId: 'mentioned' }, first),
      await send(as, { localId: 'used' }, first),
    ];
    await upload(first, as, { localId: 'refused', file: 'nonsense' });
    const { body } = await first.post('/api/v1/applications', as, { type: 'intake' });
    const json = { draft: {}, stepIndex: 0, stepCount: 1, documentIds: [mentioned] };
    await first.call('PUT', `/api/v1/applications/${body.id}`, { as, json });
    await first.post('/api/v1/herregistraties', as, { uren: 2_600, documents: [digital('werkervaring', used)] });
    await first.close();
    expect(kept()).toBe(3);

    const second = keep(await startService({ DATA_DIR: folder, UPLOADS_ORPHAN_HOURS: '0' }));
    for (let waited = 0; kept() > 2 && waited < 5_000; waited += 25) await setTimeout(25);
    expect(await statuses(as, second)).toEqual({ mentioned: 'uploaded', used: 'uploaded' });
    expect((await second.get(`/api/v1/uploads/${orphan}/content`, { as })).status).toBe(404);
    expect(kept()).toBe(2);
  });
});

it('uploads above UPLOADS_PER_HOUR are refused with 429 te-veel-uploads and Retry-After', async () => {
  const busy = keep(await startService({ UPLOADS_PER_HOUR: '2' }));
  await send('sanne-de-wit', { localId: 'a' }, busy);
  await send('sanne-de-wit', { localId: 'b' }, busy);
  const third = await upload(busy, 'sanne-de-wit', { localId: 'c', file: pdf() });
  expect([third.status, third.body.code]).toEqual([429, 'te-veel-uploads']);
  expect(Number(third.headers['retry-after'])).toBeGreaterThan(3_500);
});
