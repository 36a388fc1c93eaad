import { describe, expect, it } from 'vitest';
import { controlOf } from '../support/control.ts';
import { useEngines } from '../support/engines.ts';
import { pdf } from '../support/files.ts';
import { BOUNDARY, multipart, partsOf } from '../support/multipart.ts';
import { accepted, startService, type TestService, useService } from '../support/service.ts';

/** Makes the same series of requests in a world, and returns the bytes of each answer. */
async function told(service: TestService, world: string): Promise<string[]> {
  const answers: string[] = [];
  const say = async (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    headers: Record<string, string>,
    sent: unknown = undefined,
  ) => {
    const form = Buffer.isBuffer(sent);
    const answer = await fetch(`${service.url}/api/v1${path}`, {
      method,
      headers: {
        authorization: 'Bearer x',
        traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
        ...headers,
        ...(sent !== undefined && {
          'content-type': form ? `multipart/form-data; boundary=${BOUNDARY}` : 'application/json',
        }),
      },
      ...(sent !== undefined && { body: form ? new Uint8Array(sent) : JSON.stringify(sent) }),
    });
    const text = await answer.text();
    // Names this one request and no other.
    answers.push(
      `${method} ${path} ${answer.status} ${answer.headers.get('date')} ${text.replace(/"urn:uuid:[^"]*"/, '')}`,
    );
    return text.startsWith('{') ? JSON.parse(text) : {};
  };
  const as = (slug: string, more = {}) => ({ 'x-subject': `${slug}@${world}`, ...more });
  const paths = ['/dashboard-view', '/notes', '/brp/address', '/duo/diplomas', '/applications', '/uploads/status'];
  for (const slug of ['sanne-de-wit', 'ruben-smit', 'elena-marin', 'burger-7', 'burger-4242'])
    for (const path of paths) await say('GET', path, as(slug));
  await say('POST', '/herregistraties', as('sanne-de-wit'), { uren: 2_600 });
  await say('POST', '/herregistraties', as('sanne-de-wit'), { uren: 2_600 });
  const { id } = await say('POST', '/applications', as('noor-bakker'), { type: 'registratie' });
  await say('PUT', `/applications/${id}`, as('noor-bakker'), { draft: { a: 1.0 }, stepIndex: 1, stepCount: 3 });
  await say('POST', `/applications/${id}/submit`, as('noor-bakker'), { diplomaHerkomst: 'duo' });
  await say('POST', '/uploads', as('joost-van-buren'), multipart(partsOf({ file: pdf() })));
  const dana = as('drafter-dana', { 'x-role': 'drafter' });
  const { brief } = await say('GET', '/brief', dana);
  await say('PUT', '/brief', dana, { sections: brief.sections });
  await say('POST', '/brief/reset', dana);
  await controlOf(service).in(world).post('/clock', { move: '+2days' });
  await say('GET', '/applications', as('sanne-de-wit'));
  return answers;
}

const engines = useEngines();

it('a PostgreSQL store used with a new data folder of the simulators never gets the same id twice, also with a frozen clock', async () => {
  const DATABASE_URL = await engines.newDatabase();
  const made: string[] = [];
  for (const person of ['noor-bakker', 'gerda-postma']) {
    const service = await startService({ DATABASE_URL, SIMULATOR_TODAY: '2026-06-01' }, 'as-configured');
    const { status, body } = await service.post('/api/v1/applications', person, { type: 'intake' });
    expect(status).toBe(201);
    made.push(body.id);
    await service.close();
  }
  expect(new Set(made).size).toBe(2);
});

describe('the same requests on the same day', async () => {
  const [one, other] = [await useService({}, 'as-configured'), await useService({}, 'as-configured')];

  it('get the same bytes in every run and from every process', async () => {
    const runs: string[][] = [];
    for (const service of [one, other, one]) {
      await controlOf(service).in('zelfde').post('/reset', { begin: '2026-06-01' });
      runs.push(await told(service, 'zelfde'));
    }
    expect(runs[0]?.length).toBeGreaterThan(38);
    expect(runs[1]).toEqual(runs[0]);
    expect(runs[2]).toEqual(runs[0]);
    const files: string[] = [];
    for (const service of [one, other]) {
      await controlOf(service).in('zelfde').put('/snapshots/verteld');
      files.push(JSON.stringify((await controlOf(service).call('GET', '/snapshots/verteld')).body));
    }
    expect(files[1]).toBe(files[0]);
  });

  it('make applications that are listed newest first, although all are of one moment', async () => {
    await controlOf(one).in('stil').post('/reset', { begin: '2026-06-01' });
    const made: string[] = [];
    for (let n = 0; n < 20; n += 1)
      made.unshift((await accepted(one.post('/api/v1/applications', 'noor-bakker@stil', { type: 'intake' }))).body.id);
    const { body } = await one.get('/api/v1/applications', { as: 'noor-bakker@stil' });
    expect(body.map(({ id }: { id: string }) => id)).toEqual(made);
  });

  it('get different ids when the clock runs', async () => {
    const service = one;
    const make = async () =>
      (await accepted(service.post('/api/v1/applications', 'noor-bakker@loopt', { type: 'intake' }))).body.id;
    const first = await make();
    await controlOf(service).in('loopt').post('/reset');
    expect(await make()).not.toBe(first);
  });
});
