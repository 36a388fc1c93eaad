import { execFileSync } from 'node:child_process';
import { createSecretKey } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProcessingLog, fileSink } from '../../adapters/processing-log/index.ts';
import { PERSONAS } from '../../fixtures/personas/index.ts';
import { ACTIVITIES, type AuditEntry, type Processing } from '../../src/ports/processing.ts';
import { controlOf } from '../support/control.ts';
import { pdf } from '../support/files.ts';
import { createLetterClient, type LetterClient } from '../support/letter.ts';
import { BOUNDARY, multipart, partsOf, upload } from '../support/multipart.ts';
import { OPERATIONS } from '../support/operations.ts';
import { findPersonalData, PERSONAL_DATA, searchable } from '../support/people.ts';
import { temporaryFolder } from '../support/run-folder.ts';
import { keep, startService, type TestService, useService } from '../support/service.ts';

const KEY = 'the key of these tests, and of nothing else';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const TOKEN = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiI5OTk5OTAwMDcifQ.c2VjcmV0';

const service = await useService({ PROCESSING_LOG_KEY: KEY, SCANNER: 'simulator' });

interface Line {
  readonly log: 'processing' | 'audit';
  readonly name?: string;
  readonly act?: string;
  readonly trace_id: string;
  readonly operation_id: string;
  readonly [member: string]: unknown;
}

/** Returns the log lines of the calls that `calls` makes; they are selected by their trace id. */
async function linesOf(
  calls: (traced: Record<string, string>) => Promise<unknown>,
  trace = newTrace(),
): Promise<Line[]> {
  await calls({ traceparent: `00-${trace}-00f067aa0ba902b7-01` });
  const lines = () => (service.processingLog as unknown as Line[]).filter(({ trace_id }) => trace_id === trace);
  // Lines are written a few milliseconds after the answer, in their order: with the line of one more call, all are there.
  const last = newTrace();
  await service.get('/api/v1/notes', { as: 'burger-1', headers: { traceparent: `00-${last}-00f067aa0ba902b7-01` } });
  await expect
    .poll(() => (service.processingLog as unknown as Line[]).some(({ trace_id }) => trace_id === last))
    .toBe(true);
  return lines();
}

const subjectsOf = (lines: readonly Line[]) =>
  lines.map(({ attributes }) => (attributes as Record<string, string>)['dpl.core.data_subject_id']);

let traces = 0;
const newTrace = (): string => {
  traces += 1;
  return TRACE.slice(8) + String(traces).padStart(8, '0');
};

const linesIn = (text: string): Line[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const get = (path: string, as: string) => (headers: Record<string, string>) => service.get(path, { as, headers });

describe('the processing log', () => {
  it('has one line per operation: trace, activity, pseudonym of the person, and result', async () => {
    const trace = newTrace();
    const lines = await linesOf(get('/api/v1/brp/address', 'sanne-de-wit'), trace);
    expect(lines).toEqual([
      {
        log: 'processing',
        trace_id: trace,
        operation_id: expect.stringMatching(/^[0-9a-f]{16}$/),
        foreign_operation: { trace_id: trace, operation_id: '00f067aa0ba902b7' },
        name: 'brpAddress',
        status: 'Ok',
        start_time: expect.stringMatching(/^\d{4}-.+Z$/),
        end_time: expect.stringMatching(/^\d{4}-.+Z$/),
        resource: {
          attributes: { name: 'zorgregister-bff', version: '1.0.0', key: expect.stringMatching(/^[0-9a-f]{8}$/) },
        },
        attributes: {
          'dpl.core.processing_activity_id': 'urn:verwerkingsactiviteit:zorgregister:adres-raadplegen',
          'dpl.core.data_subject_id': expect.stringMatching(/^[0-9a-f]{64}$/),
          'dpl.core.data_subject_id_type': 'BSN',
        },
      },
    ]);
  });

  it('has the trace id and operation id of the traceparent in the answer, as the request log has', async () => {
    const { headers } = await service.get('/api/v1/notes', { as: 'sanne-de-wit' });
    const [, traceId, operationId] = String(headers.traceparent).split('-');
    await expect
      .poll(() => service.processingLog)
      .toContainEqual(expect.objectContaining({ trace_id: traceId, operation_id: operationId }));
    expect(service.log).toContainEqual(expect.objectContaining({ traceId }));
  });

  it('has one pseudonym per person, and another one with another key', async () => {
    const idOf = async (as: string) => subjectsOf(await linesOf(get('/api/v1/notes', as)))[0];
    const sanne = await idOf('sanne-de-wit');
    expect(await idOf('sanne-de-wit')).toBe(sanne);
    expect(await idOf('joost-van-buren')).not.toBe(sanne);

    const lines: string[] = [];
    const other = createProcessingLog({ ...options, sink: async (text) => void lines.push(text) });
    other.processing({ ...entry, subject: { type: 'BSN', value: '999990007' } });
    await other.close();
    expect(lines.join('')).not.toContain(sanne);
  });

  it('names the key of owner names where it made the name: for an actor, and not for the owner of what is deleted', async () => {
    const lines: Line[] = [];
    const log = createProcessingLog({
      ...options,
      subjectKey: Buffer.from(KEY),
      sink: async (text) => void lines.push(...linesIn(text)),
    });
    // The owner was named when the Concept was made, maybe with an earlier key.
    log.processing({ ...entry, subject: { type: 'eigenaar', value: 'professional:x' } });
    log.audit({ ...audited, actor: { kind: 'professional', subject: 'professional:x' } });
    await log.close();
    const hasKey = ({ resource }: Line) => 'subject_key' in (resource as { attributes: object }).attributes;
    expect(lines.map((line) => [line.log, hasKey(line)])).toEqual([
      ['processing', false],
      ['audit', true],
    ]);
  });

  it.each<[string, string, string, string | null]>([
    ['sanne-de-wit', '/api/v1/applications/nope', 'Unset', 'BSN'],
    ['tomasz-wolski', '/api/v1/notes', 'Ok', 'login'],
  ])('has for %s at %s the status %s and the subject type %s', async (as, path, status, type) => {
    const [line] = await linesOf(get(path, as));
    expect(line).toMatchObject({ status, attributes: { 'dpl.core.data_subject_id_type': type } });
  });

  it('has no line for an operation without personal data or without a caller', async () => {
    expect(
      await linesOf(async (headers) => {
        await service.get('/api/v1/uploads/categories?wizardId=intake', { as: 'sanne-de-wit', headers });
        await service.get('/health', { headers });
        await service.get('/api/v1/notes', { headers });
      }),
    ).toEqual([]);
  });
});

it('the table of activities contains only activities that an operation or the sweeper uses', () => {
  const used = new Set(OPERATIONS.flatMap(({ activity }) => activity ?? []));
  // The sweeper has no operation.
  expect([...used, 'document-opruimen', 'concept-opruimen'].sort()).toEqual(Object.keys(ACTIVITIES).sort());
});

describe('a decision about a letter', () => {
  it('is logged in an audit line with actor, letter and result, also when it is refused or fails', async () => {
    const letter: LetterClient = createLetterClient(service, 'audited');
    await letter.bringTo('submitted');
    const lines = await linesOf(async (headers) => {
      await letter.post('dana', 'approve', undefined, headers);
      await letter.post('tess', 'approve', undefined, headers);
      await letter.post('bas', 'send', undefined, headers);
      await letter.post('ali', 'reset', undefined, headers);
      await controlOf(service).in(letter.world).put('/scenarios/register-down');
      await letter.post('dana', 'submit', undefined, headers);
    });
    const audit = lines.filter(({ log }) => log === 'audit');
    expect(audit.map(({ act, outcome, problem }) => [act, outcome, problem])).toEqual([
      ['brief-goedkeuren', 'refused', 'rol-ontbreekt'],
      ['brief-goedkeuren', 'done', null],
      ['brief-verzenden', 'done', null],
      ['brief-opnieuw-beginnen', 'done', null],
      ['brief-voorleggen', 'failed', 'bron-niet-beschikbaar'],
    ]);
    expect(audit[1]).toMatchObject({
      actor: expect.stringMatching(/^[0-9a-f]{64}$/),
      actor_kind: 'staff',
      object: { briefId: expect.stringMatching(/^[\w-]{36}$/), version: expect.any(Number) },
    });
    const about = lines.filter(({ log }) => log === 'processing').slice(1);
    expect(new Set(subjectsOf(about)).size).toBe(1);
    expect(about[0]).toMatchObject({ attributes: { 'dpl.core.data_subject_id_type': 'opdracht' } });
  });

  it('to begin again names the case of the letter that is replaced and that of the new one, also when it is refused', async () => {
    const letter = createLetterClient(service, 'replaced');
    const [read] = await linesOf((headers) => letter.get('dana', headers));
    await controlOf(service).in(letter.world).put('/zaken/HER-2026-000118/besluit', { uitkomst: 'goedgekeurd' });
    // The case of somebody else who uses this world is the next one.
    await service.get('/api/v1/applications', { as: `ingrid-visser@${letter.world}` });
    const refused = await linesOf((headers) =>
      letter.post('bas', 'reset', undefined, { ...headers, 'if-match': '"old"' }),
    );
    const [replaced, begun, audit] = await linesOf((headers) => letter.post('bas', 'reset', undefined, headers));
    expect(subjectsOf([refused[0] as Line, replaced as Line])).toEqual([
      subjectsOf([read as Line])[0],
      subjectsOf([read as Line])[0],
    ]);
    expect(begun).toMatchObject({ log: 'processing', parent_operation_id: replaced?.operation_id });
    expect(subjectsOf([begun as Line])).not.toEqual(subjectsOf([read as Line]));
    for (const line of [refused[1], audit])
      expect(line).toMatchObject({ act: 'brief-opnieuw-beginnen', object: { briefId: expect.any(String) } });
  });
});

it('a request whose first answer is given again is logged in the audit trail as repeated', async () => {
  const lines = await linesOf(async (traced) => {
    const headers = { ...traced, 'idempotency-key': 'again' };
    for (let n = 0; n < 2; n += 1)
      await service.call('POST', '/api/v1/intakes', { as: 'burger-2', headers, json: { uren: 2_600 } });
  });
  expect(lines.map(({ log, status, outcome }) => [log, status ?? outcome])).toEqual([
    ['processing', 'Ok'],
    ['audit', 'done'],
    ['processing', 'Ok'],
    ['audit', 'repeated'],
  ]);
});

it('every operation of every persona has one processing log line, and no personal data in that log or the request log', async () => {
  // The lines of the tests before it are then written.
  await linesOf(async () => undefined);
  const before = service.processingLog.length;
  const answers = (await traffic(service)).filter(({ status }) => status !== 401);
  await service.get('/api/v1/notes', { as: 'burger-1' });
  const linesSince = () =>
    (service.processingLog as unknown as Line[]).slice(before).filter(({ log }) => log === 'processing');
  // Written a few milliseconds after the last answer.
  await expect.poll(() => linesSince().length - 1).toBe(answers.length);
  const lines = linesSince();
  expect(new Set(lines.map(({ operation_id }) => operation_id)).size).toBe(lines.length);
  expect(PERSONAL_DATA.length).toBeGreaterThan(80);
  expect(findPersonalData(searchable([service.log, service.processingLog]), [TOKEN, 'diploma van'])).toEqual([]);
});

describe('a burgerservicenummer that a client puts in everything that it chooses', () => {
  const BSN = '999990007';
  const [TRACE_ID, PARENT_ID] = [BSN.padStart(32, 'a'), BSN.padStart(16, 'b')];
  const as = 'burger-3';

  it('is in the logs only in the ids of its traceparent, as it was sent and in the marked fields', async () => {
    const own = await startService({ PROCESSING_LOG_KEY: KEY, CORS_ORIGINS: 'https://portal.example' });
    const traceparent = `00-${TRACE_ID}-${PARENT_ID}-01`;
    const headers = {
      traceparent,
      tracestate: `a=${BSN}`,
      origin: `http://${BSN}.example`,
      referer: `http://portal.example/${BSN}`,
      'x-request-id': BSN,
      'x-correlation-id': BSN,
      'user-agent': BSN,
      'idempotency-key': BSN,
      'x-forwarded-for': BSN,
      'if-match': `"${BSN}"`,
      accept: `application/json, text/x-${BSN}`,
      [`x-${BSN}`]: BSN,
    };
    const file = { file: pdf(), localId: BSN, wizardId: 'herregistratie', filename: `${BSN}.${BSN}` };
    const form = multipart(partsOf(file));
    for (const [method, path, more] of [
      ['GET', '/api/v1/notes', {}],
      ['GET', `/api/v1/${BSN}?${BSN}=${BSN}`, {}],
      ['GET', `/${BSN}`, {}],
      ['DELETE', `/api/v1/applications/${BSN}`, {}],
      ['GET', `/api/v1/uploads/status?localIds=${BSN}`, {}],
      ['GET', `/api/v1/uploads/categories?wizardId=${BSN}`, {}],
      ['POST', '/api/v1/intakes', { json: { uren: 2_600, [BSN]: BSN } }],
      ['POST', '/api/v1/intakes', { json: { uren: 2_600 } }],
      [
        'POST',
        '/api/v1/uploads',
        { body: form, headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` } },
      ],
      ['POST', '/api/v1/uploads', { body: '', headers: { 'content-type': `text/x-${BSN}` } }],
      ['DELETE', `/api/v1/admin/uploads/${BSN}`, { headers: { 'x-role': 'admin' } }],
      [
        'OPTIONS',
        '/api/v1/notes',
        { headers: { 'access-control-request-headers': `x-${BSN}`, 'access-control-request-method': 'GET' } },
      ],
      ['GET', '/index.html', { headers: { host: `${BSN}.example` } }],
    ] as const)
      await own.call(method, path, { as, ...more, headers: { ...headers, ...('headers' in more && more.headers) } });
    await own.raw(`GET /${BSN} HTTP/1.1\r\nHost: ${BSN}:${BSN}\r\ntraceparent: ${BSN}\r\nConnection: close\r\n\r\n`);
    await own.raw(`${BSN} /${BSN}\r\n\r\n`);
    const [requests, processing] = [own.log, own.processingLog] as const;
    await expect.poll(() => requests.filter(({ traceId }) => traceId === TRACE_ID).length).toBe(13);
    await expect.poll(() => processing.filter(({ log }) => log === 'audit')).not.toEqual([]);
    await own.close();
    expect(searchable([requests, processing])).not.toContain(BSN);
    // Kept as they are, so that the lines can be found by the ids of the caller; and marked.
    for (const line of requests.filter((one) => JSON.stringify(one).includes(BSN)))
      expect(line).toMatchObject({ traceId: TRACE_ID, traceFrom: 'client' });
    for (const line of processing.filter((one) => JSON.stringify(one).includes(BSN)))
      expect(line).toMatchObject({
        trace_id: TRACE_ID,
        foreign_operation: { trace_id: TRACE_ID, operation_id: PARENT_ID },
      });
    expect(new Set(processing.map(({ log }) => log))).toEqual(new Set(['processing', 'audit']));
  });

  it('is no mark of a request without a traceparent', async () => {
    await service.get('/api/v1/notes', { as });
    await expect.poll(() => service.log.at(-1)).toMatchObject({ operation: 'notes' });
    expect(service.log.at(-1)).not.toHaveProperty('traceFrom');
  });
});

/** Calls operations as every persona, valid and invalid, with personal data in as many members as possible. */
async function traffic({ call, get, post }: TestService) {
  const answers: { status: number }[] = [];
  for (const persona of PERSONAS) {
    const person = persona.kind === 'professional' ? persona.person : null;
    const mine = person?.bsn ?? persona.slug;
    const naam = person?.naam.geslachtsnaam ?? persona.slug;
    const identity: Record<string, string> =
      persona.kind === 'staff'
        ? { 'x-medewerker': persona.slug, 'x-rollen': persona.rollen.join(',') }
        : { 'x-subject': persona.slug, ...(persona.kind === 'letter' && { 'x-role': persona.role }) };
    const headers = { ...identity, authorization: `Bearer ${TOKEN}` };
    const ask = async (method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, json?: unknown, more = {}) =>
      answers.push(
        await call(method, `/api/v1${path}`, { headers: { ...headers, ...more }, ...(json !== undefined && { json }) }),
      );

    for (const path of [
      '/dashboard-view',
      '/notes',
      '/brp/address',
      '/duo/diplomas',
      '/intake/policy',
      '/applications',
      '/uploads/status',
      '/brief',
    ])
      await ask('GET', `${path}?bsn=${mine}&naam=${encodeURIComponent(naam)}`);
    for (const path of [`/applications/${mine}`, `/uploads/${mine}/content`]) await ask('GET', path);
    for (const path of [`/admin/uploads/${mine}`, `/uploads/${mine}`, `/applications/${mine}`])
      await ask('DELETE', path);
    const wrong = { [mine]: naam, uren: naam, straat: naam };
    for (const path of [
      '/registrations',
      '/herregistraties',
      '/intakes',
      '/change-requests',
      '/applications',
      '/brief/reject',
    ])
      await ask('POST', path, wrong, { 'idempotency-key': mine });
    await ask('PUT', '/brief', { sections: [{ sectionKey: naam }] });
    await ask('POST', '/herregistraties', { uren: 2600 });
    await ask('POST', '/change-requests', {
      straat: `${naam}straat`,
      huisnummer: '3',
      postcode: '1234AB',
      woonplaats: naam,
    });
    for (const action of ['submit', 'approve', 'send', 'reset']) await ask('POST', `/brief/${action}`);
    if (persona.kind !== 'professional') continue;
    answers.push(
      await upload(service, persona.slug, { localId: mine, filename: `diploma van ${naam}.pdf`, file: pdf() }),
    );
    const made = await post('/api/v1/applications', persona.slug, { type: 'intake', draft: { naam, bsn: mine } });
    answers.push(made, await get(`/api/v1/applications/${made.body.id}`, { as: persona.slug }));
    answers.push(await post(`/api/v1/applications/${made.body.id}/submit`, persona.slug, { uren: 2600 }));
  }
  return answers;
}

const entry: Processing = {
  traceId: TRACE,
  operationId: '00f067aa0ba902b7',
  parentOperationId: null,
  foreignOperationId: null,
  name: 'notes',
  activity: 'register-raadplegen',
  subject: null,
  status: 'Ok',
  start: new Date(0),
  end: new Date(1),
};
const audited: Omit<AuditEntry, 'actor'> = {
  traceId: TRACE,
  operationId: entry.operationId,
  foreignOperationId: null,
  requestId: 'r',
  act: 'upload-verwijderen',
  outcome: 'done',
  problem: null,
  at: new Date(0),
  object: {},
};
const options = {
  key: createSecretKey(Buffer.alloc(32, 7)),
  activities: 'urn:x:',
  version: '1',
  onStateChange: () => undefined,
};

describe('a processing log that cannot be written', () => {
  it('keeps 1,200 lines, writes them in order when it recovers, and reports failing and recovered once', async () => {
    const taken: string[] = [];
    const troubles: string[] = [];
    let isBroken = true;
    const log = createProcessingLog({
      ...options,
      sink: async (text) => {
        if (isBroken) throw new Error('full');
        taken.push(...text.split('\n').filter(Boolean));
      },
      onStateChange: ({ state }) => void troubles.push(state),
    });
    for (let n = 0; n < 1_200; n += 1) log.processing({ ...entry, name: String(n) });
    await expect.poll(() => troubles).toEqual(['failing']);
    expect(taken).toEqual([]);
    isBroken = false;
    await expect.poll(() => taken.length).toBe(1_200);
    expect(taken.map((line) => JSON.parse(line).name)).toEqual(Array.from({ length: 1_200 }, (_, n) => String(n)));
    expect(troubles).toEqual(['failing', 'recovered']);
  });

  it('writes the lines for which there is room, when that is less than all that wait', async () => {
    const taken: string[] = [];
    const log = createProcessingLog({
      ...options,
      sink: async (text) => {
        const lines = text.split('\n').filter(Boolean);
        if (lines.length > 100) throw new Error('full');
        taken.push(...lines);
      },
    });
    for (let n = 0; n < 150; n += 1) log.processing({ ...entry, name: String(n) });
    await log.close();
    expect(taken.map((line) => JSON.parse(line).name)).toEqual(Array.from({ length: 150 }, (_, n) => String(n)));
  });

  it('makes operations on personal data fail with 503 when too many lines wait, until it recovers', async () => {
    let isBroken = true;
    const sink = async () => {
      if (isBroken) throw new Error('full');
    };
    const broken = keep(await startService({}, undefined, { sink, maxWaiting: 3 }));
    const statuses: number[] = [];
    for (let n = 0; n < 5; n += 1) statuses.push((await broken.get('/api/v1/applications', { as: 'burger-3' })).status);
    expect(statuses).toEqual([200, 200, 200, 503, 503]);
    const refused = await broken.get('/api/v1/dashboard-view', { as: 'sanne-de-wit' });
    expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([503, 'overbelast', '5']);
    expect((await broken.get('/health')).status).toBe(200);
    expect((await broken.get('/api/v1/uploads/categories?wizardId=intake', { as: 'sanne-de-wit' })).status).toBe(200);
    expect(broken.log).toContainEqual(
      expect.objectContaining({ processingLog: expect.objectContaining({ state: 'failing' }) }),
    );
    isBroken = false;
    await expect
      .poll(async () => (await broken.get('/api/v1/dashboard-view', { as: 'sanne-de-wit' })).status)
      .toBe(200);
  });
});

it('a line of the processing log is written also when it comes just as the write before it ends', async () => {
  const lost: number[] = [];
  for (let turns = 0; turns < 10; turns += 1) {
    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const log = createProcessingLog({
      ...options,
      sink: () => {
        begun.resolve();
        return ended.promise;
      },
      onStateChange: () => void lost.push(turns),
    });
    log.processing(entry);
    await begun.promise;
    ended.resolve();
    for (let turn = 0; turn < turns; turn += 1) await null;
    log.processing(entry);
    await log.close();
  }
  expect(lost).toEqual([]);
});

describe('the file of the processing log', () => {
  it('is created again after another process moved it, and contains every later line', async () => {
    const folder = temporaryFolder('processing');
    const [path, moved] = [join(folder, 'log'), join(folder, 'log.1')];
    const write = await fileSink(path);
    await write('first\n');
    await rename(path, moved);
    await write('second\n');
    await rm(path);
    await write('third\n');
    expect([await readFile(moved, 'utf8'), await readFile(path, 'utf8')]).toEqual(['first\n', 'third\n']);
  });

  it('is not written while a pipe is in its place, and gets the lines when it is a file again', async () => {
    const folder = temporaryFolder('processing');
    const path = join(folder, 'log');
    const write = await fileSink(path);
    await rm(path);
    execFileSync('mkfifo', [path]);
    await expect(write('first\n')).rejects.toThrow();
    await rm(path);
    await write('first\n');
    expect(await readFile(path, 'utf8')).toBe('first\n');
  });

  it('that ends with an incomplete line gets every next entry on a new line', async () => {
    const folder = temporaryFolder('processing');
    const path = join(folder, 'log');
    await writeFile(path, '{"log":"processing"}\n{"log":"pro');
    const write = await fileSink(path);
    await write('first\n');
    await write('second\n');
    expect((await readFile(path, 'utf8')).split('\n').slice(1)).toEqual(['{"log":"pro', 'first', 'second', '']);
  });
});
