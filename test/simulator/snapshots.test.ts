import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { casesOf } from '../support/cases.ts';
import { controlOf } from '../support/control.ts';
import { useEngines } from '../support/engines.ts';
import { pdf } from '../support/files.ts';
import { createLetterClient } from '../support/letter.ts';
import { upload } from '../support/multipart.ts';
import { accepted, keep, refusalOf, startService, useService } from '../support/service.ts';

const engines = useEngines();

it('the list of snapshots reads only the first part of each file: a file of 3 GB is listed', async () => {
  const folder = engines.newFolder();
  const service = keep(await startService({ DATA_DIR: folder }));
  const control = controlOf(service);
  await control.in('lang').put('/snapshots/lang');
  // More than fits in one string.
  truncateSync(join(folder, 'snapshots/lang.json'), 3 * 1024 ** 3);
  expect((await control.call('GET', '/snapshots')).body).toMatchObject([{ name: 'lang', world: 'lang' }]);
});

it('a pipe (FIFO) in the folder of the snapshots or of the demonstrations is not opened, because nothing may ever write to it: other files there are listed, and a demonstration in YAML is refused', async () => {
  const folder = engines.newFolder();
  for (const name of ['snapshots', 'demos']) {
    mkdirSync(join(folder, name));
    execFileSync('mkfifo', [join(folder, name, 'pijp.json')]);
  }
  writeFileSync(join(folder, 'demos/stappen.yaml'), 'steps: []');
  const service = keep(await startService({ DATA_DIR: folder }));
  const control = controlOf(service);
  await control.in('lang').put('/snapshots/lang');
  expect((await control.call('GET', '/snapshots')).body).toMatchObject([{ name: 'lang' }]);
  expect((await control.in('lang').post('/snapshots/pijp/restore')).status).toBe(404);
  expect((await control.call('GET', '/demos/faults')).body).toMatchObject([
    { file: 'pijp.json', detail: 'This is not a file.' },
    { file: 'stappen.yaml', detail: 'Write the demonstration as JSON, in a file that ends in .json.' },
  ]);
});

it('the file of a snapshot is written in its folder also when links there have its name: what they point to is not changed', async () => {
  const folder = engines.newFolder();
  const elsewhere = join(folder, 'elsewhere');
  writeFileSync(elsewhere, 'unchanged');
  mkdirSync(join(folder, 'snapshots'));
  for (const name of ['lang.json', 'lang.json.part']) symlinkSync(elsewhere, join(folder, 'snapshots', name));
  const service = await startService({ DATA_DIR: folder });
  expect((await controlOf(service).in('lang').put('/snapshots/lang')).status).toBe(200);
  await service.close();
  expect(readFileSync(elsewhere, 'utf8')).toBe('unchanged');
  expect(JSON.parse(readFileSync(join(folder, 'snapshots/lang.json'), 'utf8'))).toMatchObject({ world: 'lang' });
});

it('a snapshot that cannot be written leaves no part of its file', async () => {
  const folder = engines.newFolder();
  // A folder with the name of the file makes the last step fail, as a full disk does.
  mkdirSync(join(folder, 'snapshots/lang.json'), { recursive: true });
  const service = await startService({ DATA_DIR: folder });
  expect((await controlOf(service).in('lang').put('/snapshots/lang')).status).toBe(500);
  await service.close();
  expect(readdirSync(join(folder, 'snapshots'))).toEqual(['lang.json']);
});

describe('the restore of a snapshot with documents', async () => {
  const folder = engines.newFolder();
  const service = await useService({ DATA_DIR: folder });
  const control = controlOf(service);

  const as = (world: string) => `sanne-de-wit@${world}`;
  const saved = async (world: string) => {
    const { documentId } = (await upload(service, as(world), { file: pdf() })).body;
    await control.in(world).put(`/snapshots/${world}`);
    const { documents } = (await control.call('GET', `/snapshots/${world}`)).body;
    const contentStatus = async () =>
      (await service.get(`/api/v1/uploads/${documentId}/content`, { as: as(world) })).status;
    return { uuid: documents[0].kept.uuid as string, contentStatus };
  };

  it('makes the folder of the documents again when it was deleted', async () => {
    const { contentStatus } = await saved('weg');
    rmSync(join(folder, 'documenten'), { recursive: true });
    expect((await control.in('weg').post('/snapshots/weg/restore')).status).toBe(200);
    expect(await contentStatus()).toBe(200);
  });

  it('brings back a document that came from another world and could not be deleted, because the document store was down', async () => {
    await saved('bron');
    await control.in('kopie').post('/snapshots/bron/restore');
    const [{ documentId }] = (await service.get('/api/v1/uploads/status', { as: as('kopie') })).body.results;
    const { id } = (await service.post('/api/v1/applications', as('kopie'), { type: 'herregistratie' })).body;
    const path = `/api/v1/applications/${id}`;
    const json = { draft: null, stepIndex: 0, stepCount: 1, documentIds: [documentId] };
    expect((await service.call('PUT', path, { as: as('kopie'), json })).status).toBe(204);
    await control.in('kopie').put('/snapshots/kopie');
    await control.in('kopie').post('/faults', { upstream: 'documenten', kind: 'refused' });
    expect((await service.call('DELETE', path, { as: as('kopie') })).status).toBe(204);
    expect((await control.in('kopie').post('/snapshots/kopie/restore')).status).toBe(200);
    const content = await service.get(`/api/v1/uploads/${documentId}/content`, { as: as('kopie') });
    expect(content.status).toBe(200);
  });

  it('answers 409 momentopname-onbruikbaar and leaves an empty world when a document cannot be written', async () => {
    const { uuid, contentStatus } = await saved('vol');
    const obstacle = join(folder, 'documenten', `${uuid}.json.part`);
    mkdirSync(obstacle);
    const { status, body } = await control.in('vol').post('/snapshots/vol/restore');
    expect([status, body.code]).toEqual([409, 'momentopname-onbruikbaar']);
    expect(await contentStatus()).toBe(404);
    expect(readdirSync(join(folder, 'documenten')).filter((name) => name.startsWith(uuid))).toEqual([
      `${uuid}.json.part`,
    ]);
    rmdirSync(obstacle);
    expect((await control.in('vol').post('/snapshots/vol/restore')).status).toBe(200);
    expect(await contentStatus()).toBe(200);
  });

  it.each([
    ['dienst', 'garbage'],
    ['brp', 'problem'],
  ])('refuses a snapshot with the fault %s %s, which does not exist', async (upstream, kind) => {
    await control.in('storing').put('/snapshots/storing');
    const { body } = await control.call('GET', '/snapshots/storing');
    const settings = { ...body.settings, faults: [{ upstream, kind, id: 'fault-1' }] };
    expect(await control.call('PUT', '/snapshots/storing', { ...body, settings })).toMatchObject({ status: 400 });
  });

  it('with two applications of one reference lets that case be decided and reopened', async () => {
    await control.in('twee').post('/reset', { begin: '2026-06-01' });
    await service.get('/api/v1/applications', { as: 'ruben-smit@twee' });
    await control.in('twee').put('/snapshots/twee');
    const { body } = await control.call('GET', '/snapshots/twee');
    await control.call('PUT', '/snapshots/twee', { ...body, sources: { ...body.sources, movedIn: [] } });
    await control.in('drie').post('/snapshots/twee/restore');
    await service.get('/api/v1/applications', { as: 'ruben-smit@drie' });
    const path = '/zaken/INT-2026-000064/besluit';
    const statuses = [
      (await control.in('drie').put(path, { uitkomst: 'goedgekeurd' })).status,
      (await control.in('drie').delete(path)).status,
    ];
    expect(statuses.filter((status) => status >= 300)).toEqual([]);
  });

  it('answers 409 momentopname-onbruikbaar with a pointer to the value in the file that was changed by hand', async () => {
    await control.in('hand').put('/snapshots/hand');
    const path = join(folder, 'snapshots/hand.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"next": 1', '"next": "een"'));
    const { status, body } = await control.in('hand').post('/snapshots/hand/restore');
    expect([status, body.code, body.errors[0].pointer]).toEqual([409, 'momentopname-onbruikbaar', '/settings/next']);
  });

  it('restores a file that was written again without white space, or with a byte order mark', async () => {
    await control.in('hand').put('/snapshots/opnieuw');
    const path = join(folder, 'snapshots/opnieuw.json');
    const content = JSON.stringify(JSON.parse(readFileSync(path, 'utf8')));
    for (const text of [content, `\ufeff${content}`]) {
      writeFileSync(path, text);
      expect((await control.in('hand').post('/snapshots/opnieuw/restore')).status).toBe(200);
      const { body } = await control.call('GET', '/snapshots');
      expect(body).toContainEqual(expect.objectContaining({ name: 'opnieuw', world: 'hand' }));
    }
  });

  it('answers 409 momentopname-onbruikbaar that names a newer version, or says that the file is no JSON', async () => {
    await control.in('hand').put('/snapshots/hand');
    const path = join(folder, 'snapshots/hand.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"next": 1', '"later": 1, "next": 1'));
    const newer = (await control.in('hand').post('/snapshots/hand/restore')).body;
    expect(newer.detail).toMatch(/hand\.json .+, of van een nieuwere versie\.$/);
    expect(newer.errors).toMatchObject([{ pointer: '/settings/later', detail: 'Dit veld bestaat niet.' }]);
    writeFileSync(path, '{');
    const { status, body } = await control.in('hand').post('/snapshots/hand/restore');
    expect([status, body.detail, body.errors]).toEqual([409, 'Het bestand hand.json is geen JSON.', undefined]);
  });

  it('accepts each draft that a page can save, also one that is not an object', async () => {
    const { body } = await service.post('/api/v1/applications', as('lijst'), { type: 'intake' });
    const headers = { 'content-type': 'application/json', authorization: 'Bearer x', 'x-subject': as('lijst') };
    const path = `/api/v1/applications/${body.id}`;
    const draft = { draft: ['een', 'twee'], stepIndex: 0, stepCount: 2 };
    const sync = await service.call('PUT', path, { headers, body: JSON.stringify(draft) });
    await control.in('lijst').put('/snapshots/lijst');
    expect([sync.status, (await control.in('lijst').post('/snapshots/lijst/restore')).status]).toEqual([204, 200]);
    expect((await service.get(path, { as: as('lijst') })).body.draft).toEqual(draft.draft);
  });
});

describe('the restore of a snapshot in another world', async () => {
  const service = await useService();
  const control = controlOf(service);

  const saved = async (world: string) => {
    await control.in(world).put(`/snapshots/${world}`);
    return (await control.call('GET', `/snapshots/${world}`)).body;
  };
  const restored = async (world: string, file: unknown) => {
    expect((await control.call('PUT', '/snapshots/elders', file)).status).toBe(204);
    return control.in(world).post('/snapshots/elders/restore');
  };

  it('moves the data of people whom the simulator does not know, and leaves their own world as it was', async () => {
    await service.post('/api/v1/herregistraties', 'sanne-de-wit', { uren: 2_600 });
    // A number that no simulated person has.
    await service.post('/api/v1/intakes', '999990019', { uren: 2_600 });
    const own = await saved('default');
    expect(own.store.applications).toHaveLength(2);
    const withOthers = JSON.parse(JSON.stringify(own).replaceAll('sanne-de-wit', 'persona-van-elders'));
    expect((await restored('een', withOthers)).status).toBe(200);
    const owners = (await saved('een')).store.applications.map(({ owner }: { owner: string }) => owner);
    expect(owners.sort()).toEqual([expect.stringMatching(/^bsn-\w{20}@een$/), 'persona-van-elders@een']);
    expect((await control.in('een').get('/zaken')).status).toBe(200);
    expect(await saved('default')).toEqual(own);
  });

  it('does not change what people typed, also when it is the name of a person', async () => {
    await upload(service, 'sanne-de-wit', { file: pdf(), filename: 'burger-12.pdf' });
    const briefOf = async (as: string) => (await service.get('/api/v1/brief', { as })).body.brief;
    const { sections } = await briefOf('drafter-dana');
    const json = { sections: JSON.parse(JSON.stringify(sections).replace('Wat betekent dit voor u?', 'burger-12')) };
    expect((await service.call('PUT', '/api/v1/brief', { as: 'drafter-dana', json })).status).toBe(200);
    const written = await briefOf('drafter-dana');
    expect((await restored('zes', await saved('default'))).status).toBe(200);
    expect(await briefOf('drafter-dana@zes')).toMatchObject({
      drafterId: 'drafter-dana@zes',
      sections: written.sections,
    });
    expect(JSON.stringify(written.sections)).toContain('"burger-12"');
    expect((await control.in('zes').get('/uploads')).body).toContainEqual(
      expect.objectContaining({ slug: 'sanne-de-wit', bestandsnaam: 'burger-12.pdf' }),
    );
  });

  it.each([
    ['amsterdam', 'utrecht'],
    ['amsterdam', 'default'],
  ])('of a world with everything (%s) in %s names the old world only in what people typed', async (from, to) => {
    /** What people type in every text that they can type: it looks like logins, and is none. */
    const said = `Zie burger-12@${from} en sanne-de-wit@${from} (${from})`;
    const place = `Dorp bij sanne-de-wit@${from}`;
    const as = (slug: string) => `${slug}@${from}`;
    const world = control.in(from);
    const okay = (replies: readonly { status: number; body: unknown }[]) => {
      for (const { status, body } of replies) expect(status, JSON.stringify(body)).toBeLessThan(300);
    };
    await world.post('/reset', { begin: '2026-06-01' });
    for (const slug of ['ruben-smit', 'lotte-van-dijk', 'joost-van-buren'])
      await service.get('/api/v1/applications', { as: as(slug) });
    // Requests with a draft, a key and an address that name the world.
    const { body: draft } = await service.post('/api/v1/applications', as('sanne-de-wit'), { type: 'herregistratie' });
    const path = `/api/v1/applications/${draft.id}`;
    const json = { draft: { uren: 2_600, toelichting: said, lijst: [{ naam: said }] }, stepIndex: 0, stepCount: 1 };
    const key = { 'idempotency-key': `sanne-de-wit@${from}` };
    const change = { straat: `${said} 1`, postcode: '3511 AB', woonplaats: place };
    okay([
      await service.call('PUT', path, { as: as('sanne-de-wit'), json }),
      await service.call('POST', `${path}/submit`, { as: as('sanne-de-wit'), headers: key, json: { uren: 2_600 } }),
      await upload(service, as('sanne-de-wit'), { file: pdf(), filename: `${said}.pdf`, localId: 'burger-12' }),
      await service.post('/api/v1/change-requests', as('noor-bakker'), change),
    ]);
    const { body: mine } = await service.get('/api/v1/applications', { as: as('sanne-de-wit') });
    okay([await world.put(`/zaken/${mine[0].status.referentie}/besluit`, { uitkomst: 'afgewezen', reden: said })]);
    // A letter that was sent, and one that was rejected.
    const letter = createLetterClient(service, from);
    const filled = async () => {
      const sections = await letter.filledSections();
      return JSON.parse(JSON.stringify(sections).replace('U haalt de norm.', said));
    };
    okay([
      await letter.put('dana', await filled()),
      await letter.post('dana', 'submit'),
      await letter.post('anna', 'reject', { comments: said }),
    ]);
    okay([
      await world.put('/brief', { tag: 'draft' }),
      await letter.put('dana', await filled()),
      await letter.post('dana', 'submit'),
      await letter.post('anna', 'approve'),
      await letter.post('bas', 'send'),
    ]);
    okay([
      await world.post('/faults', { upstream: 'dienst', kind: 'latency', ms: 1, persona: 'sanne-de-wit' }),
      await world.put('/scenarios/duo-slow'),
    ]);

    const own = await saved(from);
    // Every table has a row, so that no member is left out.
    for (const rows of [...Object.values(own.sources), ...Object.values(own.store), own.documents, own.settings.faults])
      expect(rows).not.toEqual([]);
    expect((await restored(to, own)).status).toBe(200);
    const [before, after] = [JSON.stringify(own), JSON.stringify(await saved(to))];
    const typed = [said, place, `"sleutel":"sanne-de-wit@${from}"`, `"sentKey":"sanne-de-wit@${from}"`];
    const counts = (text: string) => typed.map((one) => text.split(one).length - 1);
    expect(counts(after)).toEqual(counts(before));
    expect(Math.min(...counts(before))).toBeGreaterThan(0);
    expect(counts(before)[0]).toBeGreaterThan(8);
    const rest = typed.reduce((text, one) => text.replaceAll(one, ''), after);
    expect(rest).not.toContain(from);
    expect(rest).toContain(to === 'default' ? '"resident":"sanne-de-wit"' : `"resident":"sanne-de-wit@${to}"`);
    await control.in(to).post('/reset');
  });

  it('answers 409 momentopname-onbruikbaar and changes nothing when it would change a third world', async () => {
    await service.post('/api/v1/herregistraties', 'sanne-de-wit@twee', { uren: 2_600 });
    const before = await saved('twee');
    const reaching = JSON.parse(
      JSON.stringify(before).replaceAll('@twee', '@twee@drie').replaceAll('"twee"', '"drie"'),
    );
    const own = await saved('default');
    expect(await refusalOf(restored('default', reaching))).toEqual([409, 'momentopname-onbruikbaar']);
    expect([await saved('twee'), await saved('default')]).toEqual([before, own]);
  });
});

const STORES: [name: string, env: () => Promise<Record<string, string>>][] = [
  ['SQLite in a file', async () => ({ DATA_DIR: engines.newFolder() })],
  ['SQLite in memory', async () => ({ DATA_DIR: ':memory:' })],
  ['PostgreSQL', async () => ({ DATA_DIR: engines.newFolder(), DATABASE_URL: await engines.newDatabase() })],
];

describe.each(casesOf(STORES, 1))('a snapshot (%s)', async (_, env) => {
  const service = await useService(await env());
  const control = controlOf(service);

  const fileOf = async (world: string, name: string) => {
    await control.in(world).put(`/snapshots/${name}`);
    return (await control.call('GET', `/snapshots/${name}`)).body;
  };
  /** Makes a world with requests, a draft, documents, a letter, a moved clock and a scenario. */
  const lived = async (world: string): Promise<void> => {
    await control.in(world).post('/reset', { begin: '2026-06-01' });
    const ruben = `ruben-smit@${world}`;
    await service.get('/api/v1/applications', { as: ruben });
    await service.post('/api/v1/herregistraties', `sanne-de-wit@${world}`, { uren: 2_600 });
    await control.in(world).put('/brief', { tag: 'approved' });
    await control.in(world).put('/scenarios/duo-slow');
    await control.in(world).post('/clock', { move: '+1day' });
  };
  const seen = async (world: string): Promise<string> => {
    const paths = ['/dashboard-view', '/applications', '/uploads/status'];
    const people = ['sanne-de-wit', 'ruben-smit', 'lotte-van-dijk'];
    const answers = [];
    for (const slug of people)
      for (const path of paths) answers.push((await service.get(`/api/v1${path}`, { as: `${slug}@${world}` })).body);
    const headers = { authorization: 'Bearer x', 'x-subject': `approver-anna@${world}`, 'x-role': 'approver' };
    answers.push((await service.call('GET', '/api/v1/brief', { headers })).body);
    answers.push({ ...(await control.in(world).get()).body, entries: 0 });
    answers.push((await control.in(world).get('/zaken')).body);
    return JSON.stringify(answers);
  };

  it('restores everything that personas see, and saving it again makes an equal file', async () => {
    await lived('een');
    const before = await seen('een');
    const file = await fileOf('een', 'halverwege');
    await control.in('een').post('/clock', { move: '+2days' });
    await control.in('een').put('/brief', { tag: 'sent' });
    await service.get('/api/v1/applications', { as: 'sanne-de-wit@een' });
    expect(await seen('een')).not.toBe(before);
    await control.in('een').post('/snapshots/halverwege/restore');
    expect(await seen('een')).toBe(before);
    await control.in('een').put('/snapshots/nog-eens');
    expect((await control.call('GET', '/snapshots/nog-eens')).body).toEqual(file);
  });

  it('can be restored in another world with new ids, without a change in its own world', async () => {
    await lived('twee');
    const own = await seen('twee');
    await control.in('twee').put('/snapshots/begin');
    expect((await control.in('drie').post('/snapshots/begin/restore')).status).toBe(200);
    const other = await seen('drie');
    const ids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
    const plain = (text: string) => text.replace(ids, 'id').replaceAll('@twee', '@drie').replaceAll('"twee"', '"drie"');
    expect(plain(other)).toBe(plain(own));
    const shared = (own.match(ids) ?? []).filter((id) => other.includes(id));
    expect(shared).toEqual([]);
    await control.in('drie').post('/reset');
    expect(await seen('twee')).toBe(own);
    const papers = (await control.in('twee').get('/uploads')).body.filter(
      ({ state }: { state: string }) => state === 'uploaded',
    );
    expect(papers.length).toBeGreaterThan(0);
    for (const { documentId, slug } of papers) {
      const content = await service.get(`/api/v1/uploads/${documentId}/content`, { as: `${slug}@twee` });
      expect(content.status).toBe(200);
    }
  });

  it('can be downloaded, deleted and uploaded under another name', async () => {
    await lived('vijf');
    const file = await fileOf('vijf', 'los');
    await control.call('DELETE', '/snapshots/los');
    expect((await control.in('vijf').post('/snapshots/los/restore')).body.code).toBe('momentopname-onbekend');
    expect((await control.call('PUT', '/snapshots/terug', file)).status).toBe(204);
    const before = await seen('vijf');
    await control.in('vijf').post('/reset');
    await control.in('vijf').post('/snapshots/terug/restore');
    expect(await seen('vijf')).toBe(before);
    expect((await control.call('GET', '/snapshots')).body.map(({ name }: { name: string }) => name)).toContain('terug');
  });

  it('with references outside its world or folder is refused with 400, and changes nothing', async () => {
    await lived('zeven');
    const honest = await fileOf('zeven', 'eerlijk');
    const before = await seen('zeven');
    type File = typeof honest;
    const stray = '../../buiten-de-map-van-documenten-xxx';
    const reaching: Record<string, (file: File) => void> = {
      'a document outside its folder': ({ documents }) => Object.assign(documents[0].kept, { uuid: stray }),
      'a document of no upload': ({ store }) => store.uploads.splice(0),
      'a case of somebody elsewhere': ({ sources }) =>
        Object.assign(sources.zaken[0], { resident: 'sanne-de-wit@elders' }),
      'a case in another world': ({ sources }) => Object.assign(sources.zaken[0], { world: 'elders' }),
      'a request of somebody elsewhere': ({ store }) =>
        Object.assign(store.applications[0], { owner: 'ruben-smit@elders' }),
      'a place that somebody elsewhere needs': ({ store }) =>
        Object.assign(store.applications[0], { slot: 'ruben-smit@elders|intake' }),
      'a column that is none': ({ store }) => Object.assign(store.uploads[0], { 'x" from sqlite_master --': 1 }),
      'a draft that is no JSON': ({ store }) => Object.assign(store.applications[0], { draft: '{' }),
      'a case whose data are null': ({ sources }) => Object.assign(sources.zaken[0], { gegevens: 'null' }),
      'a letter that was sent at no moment': ({ store }) => Object.assign(store.brieven[0], { sentAt: 'gisteren' }),
      'a letter that is null': ({ store }) => Object.assign(store.brieven[0], { content: 'null' }),
      'an approved letter that has no text to send': ({ store: { brieven } }) =>
        Object.assign(brieven[0], { content: JSON.stringify({ ...JSON.parse(brieven[0].content), frozen: null }) }),
      'a moment that is none': ({ settings }) => Object.assign(settings.clock, { at: 1e300 }),
      'a scenario that is none': ({ settings }) => settings.scenarios.push('constructor'),
      'an id that is a pattern': ({ store }) => Object.assign(store.applications[0], { id: '(a+)+$' }),
      'a draft that is too deep to copy': ({ store }) =>
        Object.assign(store.applications[0], { draft: '['.repeat(1_000) + ']'.repeat(1_000) }),
      'metadata that are too deep to copy': ({ documents }) =>
        Object.assign(documents[0].kept.metadata, { titel: JSON.parse('['.repeat(100) + ']'.repeat(100)) }),
    };
    for (const [what, reach] of Object.entries(reaching)) {
      const file = structuredClone(honest);
      reach(file);
      expect([what, (await control.call('PUT', '/snapshots/kwaad', file)).status]).toEqual([what, 400]);
    }
    const name = { title: 'x', persona: 'sanne-de-wit', restore: '../snapshots/eerlijk' };
    expect((await control.in('zeven').post('/step', name)).body.code).toBe('naam-onjuist');
    expect(await seen('zeven')).toBe(before);
  });

  it('is refused with a pointer to a value that would stop a request in its world, or the world itself', async () => {
    await lived('twaalf');
    const good = await fileOf('twaalf', 'goed');
    const letter = { referentie: 'HER-2026-000118', templateId: 'onbekend' };
    const values: Record<string, unknown> = {
      '/settings/clock/at': Date.parse('9999-12-01'),
      '/settings/clock/firstDay': '0001-01-01',
      '/settings/letter': letter,
      '/settings/next': 2 ** 53 - 1,
      '/sources/ids/0/last': 2 ** 53 - 1,
      '/sources/residents/0/firstDay': '9999-12-31',
      '/sources/zaken/0/number': 1_000_000,
      '/sources/zaken/0/referentie': 'onbekend',
      '/sources/zaken/0/soort': 'onbekend',
      '/sources/zaken/0/gegevens': '{"diplomaDatum":"onbekend"}',
      '/sources/zaken/0/world': 'elders',
      '/store/applications/0/version': 2 ** 53 - 1,
      '/store/applications/1/id': good.store.applications[0].id,
      '/store/applications/0/documentIds': '[null]',
      '/store/uploads/1/documentId': good.store.uploads[0].documentId,
      '/store/uploads/0/owner': 'ruben-smit@elders',
      '/store/uploads/0/formaat': 'text/html',
      '/store/uploads/0/sha256': '\ud800',
      '/store/brieven/0/slot': 'elders',
      '/store/brieven/0/sentAt': 'onbekend',
    };
    for (const [pointer, value] of Object.entries(values)) {
      const file = structuredClone(good);
      const path = pointer.split('/').slice(1);
      const parent = path.slice(0, -1).reduce((found, name) => found[name], file);
      parent[path.at(-1) ?? ''] = value;
      const { status, body } = await control.call('PUT', '/snapshots/kwaad', file);
      expect([status, body.errors[0].pointer]).toEqual([400, value === letter ? `${pointer}/templateId` : pointer]);
    }
  });

  it('with a document of another world is refused with momentopname-onbruikbaar', async () => {
    await lived('acht');
    const file = await fileOf('acht', 'van-acht');
    await lived('negen');
    const other = await fileOf('negen', 'van-negen');
    const reading = structuredClone(other);
    const upload = reading.store.uploads.find(({ state }: { state: string }) => state === 'uploaded');
    reading.documents = other.documents.filter(({ kept }: { kept: { uuid: string } }) => kept.uuid !== upload.key);
    upload.key = file.documents[0].kept.uuid;
    const taking = { ...reading, documents: [...reading.documents, file.documents[0]] };
    const before = [await seen('acht'), await seen('negen')];
    for (const stolen of [taking, reading]) {
      expect((await control.call('PUT', '/snapshots/gestolen', stolen)).status).toBe(204);
      expect((await control.in('negen').post('/snapshots/gestolen/restore')).body.code).toBe(
        'momentopname-onbruikbaar',
      );
    }
    expect([await seen('acht'), await seen('negen')]).toEqual(before);
  });

  it('is restored completely, as is a reset, while personas make requests in that world', async () => {
    const world = control.in('elf');
    const begin = async () => expect((await world.post('/reset', { begin: '2026-06-01' })).status).toBe(200);
    await begin();
    const clean = await seen('elf');
    await world.put('/snapshots/druk');
    for (const change of [begin, async () => void (await world.post('/snapshots/druk/restore'))]) {
      let isDone = false;
      const visit = async (path: string, slug: string) => {
        while (!isDone) await service.get(path, { as: `${slug}@elf` });
      };
      const visits = ['ruben-smit', 'lotte-van-dijk', 'joost-van-buren'].flatMap((slug) =>
        ['/api/v1/applications', '/api/v1/uploads/status', '/_simulator/worlds/elf/uploads'].map((path) =>
          visit(path, slug),
        ),
      );
      for (let times = 0; times < 4; times += 1) await change();
      isDone = true;
      await Promise.all(visits);
      const { clock } = (await world.get()).body;
      expect(clock.firstDay).toBe('2026-06-01');
      await world.delete('/journal');
      expect(await seen('elf')).toBe(clean);
    }
  });

  it('is refused for its first wrong row only: to report each of a million would take minutes', async () => {
    const file = await fileOf('acht', 'leeg');
    file.store.brieven = [{}, {}];
    const { status, body } = await control.call('PUT', '/snapshots/fout', file);
    const rows = body.errors.map(({ pointer }: { pointer: string }) => pointer.split('/').slice(0, 4).join('/'));
    expect([status, ...new Set(rows)]).toEqual([400, '/store/brieven/0']);
  });

  it('is refused for the first row with a member that does not exist, as a newer version can have, once', async () => {
    await lived('acht');
    const file = await fileOf('acht', 'nieuwer');
    file.store.uploads = file.store.uploads.map((row: object) => ({ ...row, later: 1 }));
    expect(file.store.uploads.length).toBeGreaterThan(1);
    const { body } = await control.call('PUT', '/snapshots/fout', file);
    expect(body.detail).toBe('Er is één fout in de inhoud.');
    expect(body.errors).toMatchObject([{ pointer: '/store/uploads/0/later', code: 'onbekend-veld' }]);
  });

  it('is refused for a letter without content, which the service could not read after a restore', async () => {
    const file = await fileOf('acht', 'leeg');
    const where = { briefId: 'b', workspace: 'acht', slot: 'acht' };
    const row = { ...where, version: 1, tag: 'draft', sentAt: null, sending: null };
    file.store.brieven = [{ ...row, content: '{}' }];
    const { status, body } = await control.call('PUT', '/snapshots/fout', file);
    expect([status, body.errors]).toEqual([400, [expect.objectContaining({ pointer: '/store/brieven/0/content' })]]);
  });

  it('is refused with 400 for an invalid file or name, and with 404 when it does not exist', async () => {
    expect((await control.call('PUT', '/snapshots/fout', { format: 'iets anders' })).status).toBe(400);
    expect((await control.in('zes').put('/snapshots/..%2Fgeheim')).status).toBe(400);
    expect((await control.in('zes').post('/snapshots/nergens/restore')).status).toBe(404);
  });
});

it('a document that was restored from a snapshot is not deleted as an orphan, unlike an uploaded document to which nothing refers', async () => {
  const folder = engines.newFolder();
  const first = await startService({ DATA_DIR: folder });
  const as = 'sanne-de-wit@oud';
  const { documentId } = (await upload(first, as, { file: pdf() })).body;
  const sweepable = (await accepted(upload(first, 'sanne-de-wit@nu', { file: pdf() }))).body.documentId;
  const control = controlOf(first);
  await control.in('oud').put('/snapshots/oud');
  await control.in('oud').post('/snapshots/oud/restore');
  await first.close();
  const second = keep(await startService({ DATA_DIR: folder, UPLOADS_ORPHAN_HOURS: '0' }));
  const statusOf = async (id: string, who: string) =>
    (await second.get(`/api/v1/uploads/${id}/content`, { as: who })).status;
  await expect.poll(async () => await statusOf(sweepable, 'sanne-de-wit@nu')).toBe(404);
  expect(await statusOf(documentId, as)).toBe(200);
});
