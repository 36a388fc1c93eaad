import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponsesObject } from 'zod-openapi';
import { isPublic } from '../auth/policy.ts';
import type { Operation } from '../http/operation.ts';
import { PROBLEMS, type ProblemCode } from '../problem.ts';
import { ProblemDetails } from '../wire/problem-details.ts';

const TAGS: Record<string, string> = {
  Dashboard: 'Het overzicht van een zorgprofessional',
  Raadplegen: 'Wat het register, de BRP en DUO weten',
  Gezondheid: 'Of de dienst leeft en gereed is',
  Beschrijving: 'Dit document',
};

/**
 * The OpenAPI 3.1 document of the operations that are mounted, from the schemas that check them: one source, so that the
 * two cannot drift. Component schemas are the specification's: no `required`, nullable unless it says otherwise, closed.
 */
export function openapiDocument(operations: readonly Operation[]) {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: describe(operation) };
  }
  return createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Zorgregister BFF',
        version: 'v1',
        description: 'Backend-for-frontend van een register van zorgprofessionals.',
        contact: { name: 'Zorgregister', email: 'api@zorgregister.example', url: 'https://zorgregister.example/api' },
      },
      servers: [{ url: '/api/v1' }],
      tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name, description: TAGS[name] ?? name })),
      security: [{ bearer: [] }],
      paths,
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'Het token van de ingelogde gebruiker.' },
          stepUp: {
            type: 'apiKey',
            in: 'header',
            name: 'X-Step-Up',
            description: 'Vraagt om het registernummer onverkort te tonen, alleen voor deze aanroep.',
          },
        },
      },
    },
    { override: ({ jsonSchema }) => asSpecified(jsonSchema) },
  );
}

/** zod writes down what it enforces; the specification says it in fewer words. */
function asSpecified(schema: Record<string, unknown>): void {
  delete schema.required;
  delete schema.default;
  if (schema.type === 'integer') {
    delete schema.minimum;
    delete schema.maximum;
    schema.format = 'int32';
  }
  const [only, none] = Array.isArray(schema.anyOf) ? schema.anyOf : [];
  if (none?.type === 'null' && typeof only.type === 'string') {
    delete schema.anyOf;
    Object.assign(schema, only, { type: [only.type, 'null'] });
  }
}

/** What any operation may answer beside its own (domain.md, "Rules used throughout"). */
function commonProblems(operation: Operation): ProblemCode[] {
  const codes: ProblemCode[] = [...(operation.problems ?? []), 'onverwacht'];
  if (Object.values(operation.answers).some((schema) => schema !== null)) codes.push('niet-aanvaardbaar');
  if (!isPublic(operation.id)) {
    codes.push('niet-ingelogd', 'identiteit-onbekend', 'rol-ontbreekt', 'te-veel-verzoeken', 'bron-niet-beschikbaar');
  }
  if (operation.sources) codes.push('bron-antwoord-ongeldig', 'bron-te-laat');
  return codes;
}

function describe(operation: Operation): ZodOpenApiOperationObject {
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description && { description: operation.description }),
    ...(operation.atRoot && { servers: [{ url: '/', description: 'Buiten het voorvoegsel' }] }),
    ...(isPublic(operation.id) && { security: [] }),
    ...(operation.stepUp && { security: [{ bearer: [] }, { bearer: [], stepUp: [] }] }),
    responses: { ...successes(operation), ...failures(operation) },
  };
}

const versionHeader = {
  'API-Version': { description: 'De volledige versie van de API.', schema: { type: 'string' as const } },
};

const header = (description: string) => ({ description, schema: { type: 'string' as const } });
const RETRY_AFTER = { 'Retry-After': header('Na hoeveel seconden een nieuwe poging zin heeft.') };

/** What some refusals carry beside their body. */
const EXTRA_HEADERS: Record<number, Record<string, ReturnType<typeof header>>> = {
  401: { 'WWW-Authenticate': header('Hoe in te loggen (RFC 6750).') },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
};

function successes(operation: Operation): ZodOpenApiResponsesObject {
  return Object.fromEntries(
    Object.entries(operation.answers).map(([status, schema]) => [
      status,
      {
        description: schema === null ? 'Geen inhoud.' : 'Gelukt.',
        headers: versionHeader,
        ...(schema !== null && { content: { 'application/json': { schema } } }),
      },
    ]),
  );
}

function failures(operation: Operation): ZodOpenApiResponsesObject {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of new Set(commonProblems(operation))) {
    const { status } = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, codes]) => [
        status,
        {
          description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' '),
          headers: { ...versionHeader, ...EXTRA_HEADERS[status] },
          content: { 'application/problem+json': { schema: ProblemDetails } },
        },
      ]),
  );
}
