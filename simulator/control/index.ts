import * as z from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponsesObject } from 'zod-openapi';
import { audienceOperations } from './audience.ts';
import { briefOperations } from './brief.ts';
import { correspondenceOperations } from './correspondence.ts';
import { demoOperations } from './demos.ts';
import { faultOperations } from './faults.ts';
import { journalOperations } from './journal.ts';
import { type ControlOperation, operation, PATH_PARAMETERS, parametersIn } from './operation.ts';
import { peopleOperations } from './people.ts';
import { snapshotOperations } from './snapshots.ts';
import { uploadOperations } from './uploads.ts';
import { worldOperations } from './worlds.ts';
import { zaakOperations } from './zaken.ts';

let description: ReturnType<typeof controlDocument> | undefined;

export const CONTROL_OPERATIONS: readonly ControlOperation[] = [
  ...worldOperations,
  ...peopleOperations,
  ...faultOperations,
  ...zaakOperations,
  ...briefOperations,
  ...uploadOperations,
  ...correspondenceOperations,
  ...snapshotOperations,
  ...demoOperations,
  ...audienceOperations,
  ...journalOperations,
  operation('Description', 'GET /openapi.json', {
    id: 'document',
    description: 'Describe the control API as an OpenAPI document',
    guide: [['How the control API is described', 'Besturing als OpenAPI', 'help']],
    answers: { 200: z.unknown() },
    handle: () => (description ??= controlDocument(CONTROL_OPERATIONS)),
  }),
];

function controlDocument(operations: readonly ControlOperation[]): ReturnType<typeof createDocument> {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const operation of operations)
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: describe(operation) };
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Simulator of the register',
      version: 'v1',
      description:
        'What the simulator can do: worlds, clock, faults, snapshots, cases, letter, uploads and journal. Only from this machine.',
    },
    servers: [{ url: '/_simulator' }],
    // There is no login: only the host of the request is checked.
    security: [],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
  });
}

const PROBLEM = {
  description: 'Not possible, or does not exist; `code` says which, and `detail` says in Dutch what is possible.',
  content: {
    'application/problem+json': {
      schema: {
        type: 'object' as const,
        properties: {
          type: { type: 'string' as const },
          title: { type: 'string' as const },
          status: { type: 'integer' as const },
          detail: { type: 'string' as const },
          code: { type: 'string' as const },
        },
      },
    },
  },
};

function describe(operation: ControlOperation): ZodOpenApiOperationObject {
  const { id, tag, description, path, query, body, media, answers } = operation;
  const inPath = parametersIn(path).map((name) => ({
    name,
    in: 'path' as const,
    required: true,
    description: PATH_PARAMETERS[name] as string,
    schema: { type: 'string' as const },
  }));
  const responses: ZodOpenApiResponsesObject = { default: PROBLEM };
  for (const [status, schema] of Object.entries(answers)) {
    const content = {
      ...(schema !== null && { 'application/json': { schema } }),
      ...(media && { [media]: { schema: { type: 'string' as const } } }),
    };
    responses[status as '200'] = { description: 'Done.', ...(Object.keys(content).length > 0 && { content }) };
  }
  return {
    operationId: id,
    tags: [tag],
    summary: description,
    parameters: inPath,
    ...(query && { requestParams: { query } }),
    ...(body && { requestBody: { content: { 'application/json': { schema: body } } } }),
    responses,
  };
}
