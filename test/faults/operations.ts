/** The requests of each operation in the table: how to prepare, send and check them. */
import { request } from 'undici';
import { expect } from 'vitest';
import { pdf } from '../support/files.ts';
import { createLetterClient, type LetterClient } from '../support/letter.ts';
import { BOUNDARY, multipart, partsOf } from '../support/multipart.ts';
import { OPERATIONS } from '../support/operations.ts';
import { accepted, type Reply, type TestService } from '../support/service.ts';

/**
 * The environment of one operation: its world, and a service without faults that uses the same store as the service
 * under test.
 */
export interface TestEnvironment {
  readonly world: string;
  readonly healthy: TestService;
}

type Preparation = (environment: TestEnvironment) => Promise<OperationTest>;

type Act = (service: TestService) => Promise<Reply>;

export interface OperationTest {
  readonly act: Act;
  /** Checks the body of an answer with status 200. */
  readonly expectBody?: (body: Reply['body']) => void;
  /** Checks with a healthy service that nothing was lost or stored twice, by a repeat of the request. */
  readonly after?: (well: TestService, status: number) => Promise<void>;
}

const API = '/api/v1';
const HEADERS = { authorization: 'Bearer test' };

const sanne = ({ world }: TestEnvironment): string => `sanne-de-wit@${world}`;

const read =
  (path: string, holds?: OperationTest['expectBody']) =>
  async (environment: TestEnvironment): Promise<OperationTest> => {
    const act: Act = (service) => service.get(API + path, { as: sanne(environment) });
    return {
      act,
      ...(holds && { expectBody: holds }),
      after: async (well) => expect((await act(well)).status).toBe(200),
    };
  };

/**
 * Returns the preparation of a submission without a draft. A repeat with its Idempotency-Key must lead to one
 * application, whatever the first answer was.
 */
const submission =
  (path: string, who: string, json: unknown) =>
  async ({ world, healthy }: TestEnvironment): Promise<OperationTest> => {
    const as = `${who}@${world}`;
    const act: Act = (service) => service.post(API + path, as, json, { 'idempotency-key': 'een' });
    return {
      act,
      async after(well) {
        const again = await act(well);
        expect([again.status, again.body.code]).toEqual([200, undefined]);
        const { body } = await healthy.get(`${API}/applications`, { as });
        expect(body.map(({ status }: Reply['body']) => status)).toMatchObject([
          { tag: 'InBehandeling', referentie: again.body.referentie },
        ]);
      },
    };
  };

async function draftOf(
  { world, healthy }: TestEnvironment,
  who = 'sanne-de-wit',
  type = 'herregistratie',
): Promise<string> {
  return (await accepted(healthy.post(`${API}/applications`, `${who}@${world}`, { type }))).body.id;
}

/** Returns the preparation of the submission of a draft, of which a repeat must leave one application. */
const submissionOfDraft =
  (who: string, type: string, json: unknown) =>
  async (environment: TestEnvironment): Promise<OperationTest> => {
    const id = await draftOf(environment, who, type);
    const as = `${who}@${environment.world}`;
    const act: Act = (service) => service.post(`${API}/applications/${id}/submit`, as, json);
    return {
      act,
      async after(well) {
        // Whoever looked meanwhile may have found that it had arrived.
        expect([200, 409]).toContain((await act(well)).status);
        const { body } = await environment.healthy.get(`${API}/applications`, { as });
        expect(body).toMatchObject([{ id, status: { tag: 'InBehandeling' } }]);
        expect(body).toHaveLength(1);
      },
    };
  };

async function underTreatment(environment: TestEnvironment): Promise<string> {
  const id = await draftOf(environment);
  const { status } = await environment.healthy.post(`${API}/applications/${id}/submit`, sanne(environment), {
    uren: 2_600,
  });
  expect(status).toBe(200);
  return id;
}

const isRunning = ({ status }: Reply['body']) => expect(status.tag).toBe('InBehandeling');

const upload = (as: string) => (service: TestService) =>
  service.call('POST', `${API}/uploads`, {
    as,
    body: multipart(partsOf({ file: pdf() })),
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  });

async function uploaded(environment: TestEnvironment): Promise<string> {
  const { status, body } = await upload(sanne(environment))(environment.healthy);
  expect(status).toBe(201);
  return body.documentId;
}

const removal =
  (path: string, headers: Record<string, string> = {}) =>
  async (environment: TestEnvironment): Promise<OperationTest> => {
    const id = await uploaded(environment);
    const act: Act = (service) => service.call('DELETE', `${API}${path}/${id}`, { as: sanne(environment), headers });
    return { act, after: async (well) => expect([204, 404]).toContain((await act(well)).status) };
  };

/**
 * Returns the preparation of one action on a letter in this status. After a failed action the letter must have the same
 * status, and a repeat must succeed.
 */
const letter =
  (to: Parameters<LetterClient['bringTo']>[0], step: (client: LetterClient) => Promise<Reply>) =>
  async ({ world, healthy }: TestEnvironment): Promise<OperationTest> => {
    const client = createLetterClient(healthy, world);
    await client.get('dana');
    await client.bringTo(to);
    const act: Act = (service) => step(createLetterClient(service, world));
    return {
      act,
      async after(well, status) {
        if (status === 200) return;
        const { brief } = (await client.get('dana')).body;
        expect(brief.status.tag).toBe(to);
        expect((await act(well)).status).toBe(200);
      },
    };
  };

/** Downloads a document. The body is `cut` when the connection ends before the last byte. */
async function download(service: TestService, as: string, id: string): Promise<Reply> {
  const answer = await request(`${service.url}${API}/uploads/${id}/content`, {
    headers: { ...HEADERS, 'x-subject': as },
  });
  const text = await answer.body.text().catch(() => 'cut');
  const isJson = String(answer.headers['content-type']).includes('json');
  return { status: answer.statusCode, headers: answer.headers, body: isJson ? JSON.parse(text) : text };
}

/** The preparations of operations that are no plain read, keyed by operation, or by operation and upstream when that upstream needs another request. */
const PREPARATIONS: Readonly<Record<string, Preparation>> = {
  dashboardView: read('/dashboard-view', () => undefined),
  notes: read('/notes', (body) => expect(body).toEqual([])),
  intakePolicy: read('/intake/policy', (body) => expect(body).toEqual({ scholingThreshold: 2080 })),
  createRegistration: submission('/registrations', 'noor-bakker', { diplomaHerkomst: 'duo' }),
  createHerregistratie: submission('/herregistraties', 'sanne-de-wit', { uren: 2_600 }),
  createIntake: submission('/intakes', 'sanne-de-wit', { uren: 2_600 }),
  createChangeRequest: submission('/change-requests', 'sanne-de-wit', {
    straat: 'Lindelaan 4',
    postcode: '3512 AB',
    woonplaats: 'Utrecht',
  }),
  submitApplication: submissionOfDraft('sanne-de-wit', 'herregistratie', { uren: 2_600 }),
  'submitApplication duo': submissionOfDraft('noor-bakker', 'registratie', { diplomaHerkomst: 'duo' }),
  async createApplication(environment) {
    return { act: (service) => service.post(`${API}/applications`, sanne(environment), { type: 'herregistratie' }) };
  },
  async syncApplication(environment) {
    const path = `${API}/applications/${await draftOf(environment)}`;
    const json = { draft: { uren: 2_600 }, stepIndex: 1, stepCount: 3, documentIds: [] };
    return { act: (service) => service.call('PUT', path, { as: sanne(environment), json }) };
  },
  async deleteApplication(environment) {
    const path = `${API}/applications/${await draftOf(environment)}`;
    return { act: (service) => service.call('DELETE', path, { as: sanne(environment) }) };
  },
  async listApplications(environment) {
    await underTreatment(environment);
    return read('/applications', (body) => isRunning(body[0]))(environment);
  },
  async readApplication(environment) {
    return read(`/applications/${await underTreatment(environment)}`, isRunning)(environment);
  },
  async createUpload(environment) {
    const act = upload(sanne(environment));
    return {
      act,
      async after(well) {
        const { body } = await environment.healthy.get(`${API}/uploads/status?wizardId=herregistratie`, {
          as: sanne(environment),
        });
        expect(body.results.map(({ status }: Reply['body']) => status)).not.toContain('uploaded');
        const again = await act(well);
        expect(again.status).toBe(201);
        expect((await download(well, sanne(environment), again.body.documentId)).status).toBe(200);
      },
    };
  },
  async uploadContent(environment) {
    const id = await uploaded(environment);
    const act: Act = (service) => download(service, sanne(environment), id);
    return {
      act,
      expectBody: (body) => expect(body).toBe('cut'),
      after: async (well) => expect((await act(well)).body).toContain('%%EOF'),
    };
  },
  uploadCategories: read('/uploads/categories?wizardId=herregistratie'),
  uploadStatus: read('/uploads/status?wizardId=herregistratie'),
  deleteUpload: removal('/uploads'),
  adminDeleteUpload: removal('/admin/uploads', { 'x-role': 'admin' }),
  brief: letter('draft', (client) => client.get('dana')),
  saveBrief: async (environment) => {
    const sections = await createLetterClient(environment.healthy, environment.world).filledSections();
    return letter('draft', (client) => client.put('dana', sections))(environment);
  },
  briefSubmit: async (environment) => {
    const client = createLetterClient(environment.healthy, environment.world);
    await client.put('dana', await client.filledSections());
    return letter('draft', (one) => one.post('dana', 'submit'))(environment);
  },
  briefApprove: letter('submitted', (client) => client.post('anna', 'approve')),
  briefReject: letter('submitted', (client) => client.post('anna', 'reject', { comments: 'De periode klopt niet.' })),
  briefReset: letter('draft', (client) => client.post('dana', 'reset')),
  briefSend: letter('approved', (client) => client.post('bas', 'send')),
};

/** Returns the preparation of an operation. One that is a GET without parameters needs none of its own. */
export function preparationOf(operation: string, upstream = ''): Preparation {
  const own = PREPARATIONS[`${operation} ${upstream}`] ?? PREPARATIONS[operation];
  if (own !== undefined) return own;
  const { method, path = '', query } = OPERATIONS.find(({ id }) => id === operation) ?? {};
  if (method === 'GET' && !path.includes('{') && query === undefined) return read(path);
  throw new Error(`test/faults/operations.ts does not say how to call ${operation}`);
}
