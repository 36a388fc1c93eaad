import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { development } from '../../simulator/host/index.ts';
import { startSimulators } from '../../simulator/index.ts';
import { createDirectory } from '../../simulator/people/directory.ts';
import { uuidOf } from '../../simulator/people/uuid.ts';
import { DOCUMENTS_ACCESS } from '../../simulator/upstreams/documenten/access.ts';
import { openDocumentFolder } from '../../simulator/upstreams/documenten/document-folder.ts';
import { DEFAULT_SETTINGS } from '../../simulator/worlds/settings.ts';
import { readConfig } from '../../src/config/index.ts';
import { banner } from '../../src/startup/banner.ts';
import { start } from '../../src/startup/service.ts';
import { controlOf } from '../support/control.ts';
import { useEngines } from '../support/engines.ts';
import { pdf } from '../support/files.ts';
import { upload } from '../support/multipart.ts';
import { keep, startService, useService } from '../support/service.ts';

const engines = useEngines();
const service = await useService();
const control = controlOf(service);

const DOCUMENT = {
  method: 'POST',
  body: JSON.stringify({ titel: 'x', inhoud: Buffer.alloc(100_000).toString('base64') }),
  headers: { 'content-type': 'application/json' },
};

const SECOND = Math.floor(Date.now() / 1_000);

/** Returns a token for the simulated document store that differs from a valid one in `claims`. */
const tokenWith = (claims: Record<string, unknown>): Promise<string> =>
  new SignJWT({ client_id: DOCUMENTS_ACCESS.clientId, iat: SECOND, ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(Buffer.from(DOCUMENTS_ACCESS.secret));

/** Starts the simulated document store alone. `files` returns the names of the files that it has stored. */
async function store() {
  const dataDir = engines.newFolder();
  const options = { directory: createDirectory(), clock: { now: () => new Date() }, port: 0, dataDir };
  const simulators = keep(await startSimulators(['documenten'], options));
  return { simulators, url: simulators.urls.documenten ?? '', files: () => readdirSync(join(dataDir, 'documenten')) };
}

describe('the simulated document store', () => {
  it.each(['reset', 'status', 'garbage', 'hang'] as const)('keeps no file during the fault %s', async (kind) => {
    const { url, files, simulators } = await store();
    const fault = { id: '1', upstream: 'documenten', kind } as const;
    simulators.worlds.changeSettings('default', { ...DEFAULT_SETTINGS, faults: [fault] });
    const sent = fetch(`${url}/enkelvoudiginformatieobjecten`, { ...DOCUMENT, signal: AbortSignal.timeout(500) });
    await sent.then((answer) => answer.text()).catch(() => undefined);
    await expect.poll(files).toEqual([]);
  });

  it('keeps no file of a request without a token (403), or to an unknown path (404)', async () => {
    const { url, files } = await store();
    const answers = await Promise.all([
      fetch(`${url}/enkelvoudiginformatieobjecten`, DOCUMENT),
      fetch(`${url}/nergens`, DOCUMENT),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([403, 404]);
    expect(files()).toEqual([]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['without client_id', { client_id: undefined }, 'missing-client-identifier'],
    ['with another client_id', { client_id: 'iemand' }, 'invalid-client-identifier'],
    ['without iat', { iat: undefined }, 'jwt-missing-iat-claim'],
    ['that is two hours old', { iat: SECOND - 7_200 }, 'jwt-expired'],
    ['that is valid from tomorrow', { nbf: SECOND + 86_400 }, 'jwt-immaturesignatureerror'],
    ['with an aud', { aud: 'documenten' }, 'jwt-decode-error'],
  ])('refuses a token %s with 403 and a code', async (_, claims, code) => {
    const { url } = await store();
    const headers = { authorization: `Bearer ${await tokenWith(claims)}` };
    const answer = await fetch(`${url}/enkelvoudiginformatieobjecten`, { headers });
    expect([answer.status, await answer.json()]).toMatchObject([403, { code }]);
  });

  it.each([
    ['', 200],
    ['&page=1', 200],
    ['&page=2', 404],
    ['&page=0', 404],
    ['&page=x', 404],
  ])('without documents answers the list with %j with %i', async (query, status) => {
    const { url } = await store();
    const headers = { authorization: `Bearer ${await tokenWith({})}` };
    const path = `/enkelvoudiginformatieobjecten?bronorganisatie=000000012${query}`;
    expect((await fetch(`${url}${path}`, { headers })).status).toBe(status);
  });

  it('wants all members of integriteit, and takes no document whose content is to come in parts (400)', async () => {
    const { url } = await store();
    const { rsin, informatieobjecttype } = DOCUMENTS_ACCESS;
    const document = { bronorganisatie: rsin, creatiedatum: '2026-06-01', titel: 'x', auteur: 'x', taal: 'dut' };
    const send = async (json: object) => {
      const headers = { authorization: `Bearer ${await tokenWith({})}`, 'content-type': 'application/json' };
      const options = { method: 'POST', headers, body: JSON.stringify(json) };
      const answer = await fetch(`${url}/enkelvoudiginformatieobjecten`, options);
      return { status: answer.status, body: await answer.json() };
    };
    const whole = { ...document, informatieobjecttype, inhoud: null, bestandsomvang: 5 };
    expect(await send({ ...whole, integriteit: { algoritme: 'sha_256', waarde: 'x' } })).toMatchObject({
      status: 400,
      body: { invalidParams: [{ name: 'integriteit.datum', code: 'required' }] },
    });
    expect(await send(whole)).toMatchObject({ status: 400, body: { invalidParams: [{ code: 'file-size' }] } });
  });

  it('starts with damaged files in its folder, serves the other documents, and names the ignored files in the start message', async () => {
    const folder = engines.newFolder();
    const first = await startService({ DATA_DIR: folder });
    const { body } = await upload(first, 'burger-1', { file: pdf() });
    await first.close();
    const files = join(folder, 'documenten');
    writeFileSync(join(files, 'half.json'), '{"uuid": "3fa85f64-5717-4562-b3fc-2c963f66afa6", "meta');
    writeFileSync(join(files, 'leeg.json'), '');
    writeFileSync(join(files, 'ander.json'), 'null');
    const config = readConfig({ PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'silent' });
    const again = keep(await start(config, { development, logger: pino({ level: 'silent' }) }));
    const headers = { authorization: 'Bearer x', 'x-subject': 'burger-1' };
    const content = await fetch(`${again.url}/api/v1/uploads/${body.documentId}/content`, { headers });
    expect(content.status).toBe(200);
    const told = banner(config, again).split('\n');
    for (const file of ['half.json', 'leeg.json', 'ander.json'])
      expect(told.filter((line) => line.includes(file) && line.includes('is ignored'))).toHaveLength(1);
  });

  it('does not have a document whose metadata it could not write', () => {
    const folder = openDocumentFolder(engines.newFolder());
    const uuid = randomUUID();
    // A file cannot replace a folder.
    mkdirSync(join(folder.folder, `${uuid}.json`));
    const document = { uuid, metadata: {}, omvang: 1, versie: 1, beginRegistratie: '' };
    expect(() => folder.put(document)).toThrow('EISDIR');
    expect([...folder.all()]).toEqual([]);
  });

  it('keeps no content of a document whose metadata it could not write', () => {
    const { folder, fill, put, all } = openDocumentFolder(engines.newFolder());
    const uuid = randomUUID();
    writeFileSync(join(folder, 'received'), 'x');
    // A folder with the name of the temporary file makes the write fail, as a full disk does.
    mkdirSync(join(folder, `${uuid}.json.part`));
    const document = { uuid, metadata: {}, omvang: 1, versie: 1, beginRegistratie: '' };
    fill(uuid, join(folder, 'received'));
    expect(() => put(document)).toThrow('EISDIR');
    expect([...all()]).toEqual([]);
    expect(readdirSync(folder)).toEqual([`${uuid}.json.part`]);
  });

  it('has the documents of a persona who has not called yet: an admin deletes one with 204, and a second time gets 404', async () => {
    const documentId = await documentOf('ruben-smit', 'oorspronkelijk');
    const headers = { authorization: 'Bearer x', 'x-subject': 'admin-ali@ongezien', 'x-role': 'admin' };
    const id = uuidOf(`ruben-smit@ongezien/upload/${documentId}`);
    expect((await service.call('DELETE', `/api/v1/admin/uploads/${id}`, { headers })).status).toBe(204);
    expect((await service.call('DELETE', `/api/v1/admin/uploads/${id}`, { headers })).status).toBe(404);
  });
});

it('the document of an upload that was not confirmed is deleted with its world, so that an upload after a reset is accepted', async () => {
  const folder = engines.newFolder();
  const own = keep(await startService({ DATA_DIR: folder }));
  const world = controlOf(own).in('kwijt');
  const files = () => readdirSync(join(folder, 'documenten')).length;
  const sendLost = async (pad: number) => {
    await world.post('/faults', { upstream: 'documenten', kind: 'lost' });
    expect((await upload(own, 'sanne-de-wit@kwijt', { file: pdf({ pad }) })).status).toBe(503);
  };
  const begin = () => world.post('/reset', { begin: '2026-06-01' });
  await begin();
  await sendLost(1);
  expect(files()).toBe(2);
  await begin();
  expect(files()).toBe(0);
  // Another file with the same `localId` makes the first document a leftover, which belongs to no upload.
  await sendLost(1);
  await sendLost(2);
  await begin();
  expect((await upload(own, 'sanne-de-wit@kwijt', { file: pdf({ pad: 3 }) })).status).toBe(201);
  await world.delete('');
  expect(files()).toBe(0);
});

/** Returns the localId of the first document with state `uploaded` that this persona has from the start. */
async function documentOf(slug: string, world: string): Promise<string> {
  await service.get('/api/v1/applications', { as: `${slug}@${world}` });
  const { body } = await control.in(world).get('/uploads');
  return body.find((one: { slug: string; state: string }) => one.slug === slug && one.state === 'uploaded').localId;
}
