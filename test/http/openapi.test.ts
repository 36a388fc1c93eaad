import { describe, expect, it } from 'vitest';
import { PERSONAS } from '../../fixtures/personas/index.ts';
import { escapeHtml } from '../../simulator/text.ts';
import { controlOf } from '../support/control.ts';
import { createValidator } from '../support/openapi.ts';
import { typeFaults } from '../support/operations.ts';
import { keep, startService, useService } from '../support/service.ts';
import { BODIES, ENDPOINTS, RECORDS, REFUSALS } from '../support/specification.ts';

const service = await useService();
const document = (await service.get('/api/v1/openapi.json')).body;

/** URLs of upstreams that no test in this file calls. */
const ELSEWHERE = Object.fromEntries(
  ['REGISTER', 'BRP', 'DUO'].map((name) => [`${name}_UPSTREAM`, 'http://localhost:1']),
);

// biome-ignore lint/suspicious/noExplicitAny: a JSON Schema, looked at piece by piece
type Schema = any;

/** Returns a JSON Schema in the notation of the specification: `s`, `b!`, `[AdresDto]`. */
function notation(schema: Schema): string {
  if (schema.$ref) return `${schema.$ref.split('/').at(-1)}!`;
  if (schema.anyOf) {
    expect(schema.anyOf[1]).toEqual({ type: 'null' });
    return notation(schema.anyOf[0]).replace(/!$/, '');
  }
  if (schema.type === undefined) return 'any';
  const [type, ...rest] = [schema.type].flat();
  const bang = rest.includes('null') ? '' : '!';
  if (type === 'array') return `[${notation(schema.items).replace(/!$/, '')}]${bang}`;
  if (type === 'integer') return `${schema.format === 'int32' ? 'i32' : 'integer'}${bang}`;
  return `${{ string: 's', boolean: 'b' }[type as string] ?? type}${bang}`;
}

describe('the OpenAPI document', () => {
  it.each(Object.entries(RECORDS))('describes %s exactly as the specification does', (name, members) => {
    const schema = document.components.schemas[name];
    const found = Object.entries(schema.properties).map(([member, value]) => `${member} ${notation(value)}`);
    expect(found.join(', ')).toBe(members);
    for (const [member, { description }] of Object.entries<Schema>(schema.properties))
      expect(description, `the text of ${member} in src/openapi/member-texts.ts`).toMatch(/^[`A-Z].*\.$/);
    expect(schema.required).toBeUndefined();
    if (name === 'ProblemDetails') expect(schema.additionalProperties).not.toBe(false);
    else expect(schema.additionalProperties).toBe(false);
  });

  it('has no record that is absent from the specification', () => {
    const records = Object.keys(RECORDS).sort();
    expect(Object.keys(document.components.schemas).sort(), 'the records in test/support/specification.ts').toEqual(
      records,
    );
  });

  it.each(ENDPOINTS)('describes %s %s, which answers %i with %s', (method, path, status, answer) => {
    const response = document.paths[path][method].responses[status];
    if (answer === null) expect(response.content).toBeUndefined();
    else expect(notation(response.content['application/json'].schema).replace(/!$/, '')).toBe(answer);
  });

  it.each(REFUSALS)('describes that %s %s refuses with %i and a body of: %s', (method, path, status, body) => {
    const response = document.paths[path][method].responses[status];
    if (body === null) expect(response.content).toBeUndefined();
    else expect(notation(response.content['application/problem+json'].schema)).toBe('ProblemDetails!');
  });

  it.each(BODIES)('describes that %s %s takes a %s', (method, path, record) => {
    const { required, content } = document.paths[path][method].requestBody;
    expect([required, notation(content['application/json'].schema)]).toEqual([true, `${record}!`]);
  });

  it('has no other operations than those of the specification, the download of an upload, and the document itself', () => {
    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item as object).map((method) => `${method} ${path}`),
    );
    expect(operations.sort(), 'the operations in test/support/specification.ts').toEqual(
      [
        ...ENDPOINTS.map(([method, path]) => `${method} ${path}`),
        'get /uploads/{documentId}/content',
        'get /openapi.json',
      ].sort(),
    );
  });

  it('has version v1 and server /api/v1, with the health probes outside it', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.info.version).toBe('v1');
    expect(document.servers).toEqual([{ url: '/api/v1' }]);
    expect(document.paths['/health'].get.servers[0].url).toBe('/');
  });

  it('declares the common problems of all secured operations', () => {
    for (const item of Object.values<Schema>(document.paths)) {
      for (const operation of Object.values<Schema>(item)) {
        if (operation.security?.length === 0) continue;
        expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['401', '403', '503']));
      }
    }
  });

  it.each(['/applications', '/applications/{id}'])(
    'promises no failure of the register for GET %s, which then answers with what is stored',
    (path) => {
      const statuses = Object.keys(document.paths[path].get.responses);
      expect(statuses).not.toContain('502');
      expect(statuses).not.toContain('504');
    },
  );

  it.each([
    ['limits', { UPLOADS_RECEIVING: '1', RATE_LIMIT_PER_MINUTE: '900', DEPLOYMENT: 'demo' }],
    ['upstreams and scanner', { ...ELSEWHERE, SCANNER: 'none' }],
    ['an issuer', { ...ELSEWHERE, IDENTITY: 'oidc', OIDC_ISSUER: 'http://127.0.0.1:1', OIDC_AUDIENCE: 'bff' }],
  ])('is the same with another configuration of %s', async (_, env) => {
    const other = keep(await startService(env));
    const answer = await fetch(`${other.url}/api/v1/openapi.json`);
    expect(await answer.json()).toEqual(document);
  });

  it('does not mention the stand-in or the simulators', () => {
    expect(JSON.stringify(document)).not.toMatch(/X-Subject|X-Role|X-Medewerker|X-Rollen|X-Simulated|simul|persona/i);
  });
});

/** Who sends the example of a body, keyed by operation id. Sanne sends the others. */
const CALLERS: Readonly<Record<string, string>> = {
  createRegistration: 'noor-bakker',
  createIntake: 'ruben-smit',
  syncApplication: 'mila-jansen',
  submitApplication: 'mila-jansen',
  briefReject: 'approver-anna',
};

describe('the examples in the OpenAPI document', () => {
  it('are bodies that the service accepts, one for each operation with a JSON body', async () => {
    const bodies = Object.entries<Schema>(document.paths).flatMap(([path, item]) =>
      Object.entries<Schema>(item).flatMap(([method, { operationId, requestBody }]) => {
        const { example } = requestBody?.content['application/json'] ?? {};
        return example === undefined ? [] : [{ path, method, operationId, example }];
      }),
    );
    const described = BODIES.map(([method, path]) => document.paths[path][method].operationId);
    expect(bodies.map(({ operationId }) => operationId).sort()).toEqual(described.sort());

    const herregistratie = { as: 'mila-jansen', json: { type: 'herregistratie' } };
    const { id } = (await service.call('POST', '/api/v1/applications', herregistratie)).body;
    await controlOf(service).in('default').put('/brief', { tag: 'submitted' });
    for (const { path, method, operationId, example } of bodies) {
      // A letter is saved whole, with the sections that the register chose for it: the example shows the form of one.
      if (operationId === 'saveBrief') continue;
      // The role is for the letter alone.
      const request = { as: CALLERS[operationId] ?? 'sanne-de-wit', headers: { 'x-role': 'approver' }, json: example };
      const answer = await service.call(method.toUpperCase(), `/api/v1${path.replace('{id}', id)}`, request);
      expect([answer.status, answer.body.detail], operationId).toEqual([expect.toBeOneOf([200, 201, 204]), undefined]);
      expect(typeFaults({ operation: operationId, sent: example, ...answer })).toEqual([]);
    }
  });

  it('have an answer of the declared type for each success with JSON', () => {
    const faultsOf = createValidator(document);
    for (const [path, item] of Object.entries<Schema>(document.paths))
      for (const [method, { operationId, responses, requestBody }] of Object.entries<Schema>(item))
        for (const [status, { content }] of Object.entries<Schema>(responses)) {
          const json = content?.['application/json'];
          if (json === undefined || path === '/openapi.json') continue;
          const pointer = `/paths/${path.replaceAll('/', '~1')}/${method}/responses/${status}/content/application~1json/schema`;
          expect(json, `the answerExample of ${operationId}`).toHaveProperty('example');
          expect([operationId, faultsOf(pointer, json.example)]).toEqual([operationId, []]);
          const sent = requestBody?.content['application/json']?.example;
          expect(
            typeFaults({ operation: operationId, sent, status: Number(status), body: json.example }),
            operationId,
          ).toEqual([]);
        }
  });

  it('have a problem for each code of each answer, with the members that the code has', () => {
    const faultsOf = createValidator(document);
    for (const item of Object.values<Schema>(document.paths))
      for (const { operationId, responses } of Object.values<Schema>(item))
        for (const [status, { description, content }] of Object.entries<Schema>(responses)) {
          const { examples } = content?.['application/problem+json'] ?? {};
          if (examples === undefined) continue;
          expect(Object.keys(examples).map((code) => `\`${code}\``)).toEqual(description.match(/`[^`]+`(?=: )/g));
          for (const [code, { $ref }] of Object.entries<Schema>(examples)) {
            const { value } = document.components.examples[$ref.split('/').at(-1)];
            expect(value).toMatchObject({ code, status: Number(status) });
            expect(faultsOf('/components/schemas/ProblemDetails', value)).toEqual([]);
            expect(
              typeFaults({ operation: operationId, sent: undefined, status: Number(status), body: value }),
            ).toEqual([]);
          }
        }
  });
});

describe('the page at /docs', () => {
  it('shows the document, with assets and links of the service itself', async () => {
    const { status, body, headers } = await service.get('/docs');
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toMatch(/script-src 'self'/);
    const assets = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, asset]) => asset);
    expect(assets).toHaveLength(10);
    for (const asset of assets)
      expect((await service.get(asset, { headers: { accept: 'text/html, */*' } })).status).toBe(200);
  });

  it('offers every persona below its kind, with a description in the language of the page', async () => {
    const { body } = await service.get('/docs');
    expect(body).toContain('<html lang="nl">');
    // Swagger UI makes a main part of its own.
    expect(body).not.toContain('<main');
    for (const { slug, toont } of PERSONAS) expect(body).toContain(`data-shows="${escapeHtml(toont)}">${slug} · `);
    const groups = [...body.matchAll(/<optgroup label="([^"]+)">\s*<option value="([^"]+)"/g)];
    expect(groups.map(([, label, first]) => [label, first])).toEqual([
      ['Zorgverlener', 'sanne-de-wit'],
      ['Werkt aan brieven', 'drafter-dana'],
      ['Medewerker', 'behandelaar-bas'],
    ]);
  });
});
