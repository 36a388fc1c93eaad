import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponsesObject } from 'zod-openapi';
import { type CallerGroup, listOf, rolesOf } from '../auth/policy.ts';
import { type Operation, problemsOf } from '../http/operation/operation.ts';
import { PROBLEMS, type ProblemCode } from '../problem-codes.ts';
import { openOf } from '../wire/primitives.ts';
import { ProblemDetails } from '../wire/records.ts';
import { memberText } from './member-texts.ts';
import { refusalBody } from './problem-examples.ts';

const TAGS = {
  Dashboard: 'Het overzicht van een zorgprofessional',
  Raadplegen: 'Wat het register, de BRP en DUO weten',
  Aanvragen: 'Verzoeken die een referentie opleveren',
  Concepten: 'Aanvragen die iemand aan het invullen is of heeft ingediend',
  Documenten: 'Bewijsstukken bij een aanvraag',
  Brief: 'De brief van een werkruimte, van concept tot verzending',
  Gezondheid: 'Of de dienst leeft en gereed is',
  Beschrijving: 'Dit document',
};

/** Returns the OpenAPI document, made from the schemas with which the service validates requests. */
export function openapiDocument(operations: readonly Operation[]): ReturnType<typeof createDocument> {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  const examples: Examples = {};
  for (const operation of operations) {
    const described = operationObject(operation, examples);
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: described };
  }
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Zorgregister BFF',
        version: 'v1',
        description:
          'Backend-for-frontend van een register van zorgprofessionals. De JSON van een verzoek is ten hoogste 256 KiB, met ' +
          'teksten van ten hoogste 10.000 tekens.\n\n' +
          '- Stuur `Authorization: Bearer <token>`. Alleen `/health`, `/health/ready` en dit document vragen geen token.\n' +
          '- Een fout is een probleem (RFC 9457) met een vaste `code`, behalve een 403 of 404 zonder inhoud.\n' +
          '- Met een `Idempotency-Key` kunt u een aanvraag veilig opnieuw sturen.\n' +
          '- Met `If-Match` en de gelezen `ETag` overschrijft u geen nieuwere versie.',
        contact: { name: 'Zorgregister', email: 'api@zorgregister.example', url: 'https://zorgregister.example/api' },
      },
      servers: [{ url: '/api/v1' }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      security: [{ bearer: [] }],
      paths,
      components: {
        examples,
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
    { override: ({ jsonSchema }) => followSpecification(jsonSchema) },
  );
  const records = (document.components?.schemas ?? {}) as Record<string, { properties: Record<string, object> }>;
  for (const [record, { properties }] of Object.entries(records))
    for (const [member, property] of Object.entries(properties))
      Object.assign(property, { description: memberText(record, member) });
  return document;
}

// Changes the schema that zod made, in place, into the form that the specification uses.
function followSpecification(schema: Record<string, unknown>): void {
  delete schema.required;
  delete schema.default;
  delete schema.maxLength;
  delete schema.maxItems;
  if (schema.type === 'integer') {
    delete schema.minimum;
    delete schema.maximum;
    schema.format = 'int32';
  }
  const [type, none] = Array.isArray(schema.anyOf) ? schema.anyOf : [];
  if (none?.type === 'null' && typeof type.type === 'string') {
    delete schema.anyOf;
    Object.assign(schema, type, { type: [type.type, 'null'] });
  }
}

// Where a client gets an id of a path from.
const IDS: Readonly<Record<string, string>> = { id: 'Uit GET /applications.', documentId: 'Uit GET /uploads/status.' };

const parameter = (
  place: 'path' | 'query' | 'header',
  name: string,
  description: string | undefined,
  { isRequired = place === 'path', values }: { isRequired?: boolean; values?: readonly string[] } = {},
) => ({
  name,
  in: place,
  ...(description && { description }),
  ...(place !== 'header' && { required: isRequired }),
  schema: { type: 'string' as const, ...(values && { enum: [...values] }) },
});

function parametersOf({ path, creates, query = {}, requestHeaders }: Operation) {
  const key = { 'Idempotency-Key': 'Maakt herhalen veilig: dezelfde sleutel en inhoud, hetzelfde antwoord.' };
  return [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => parameter('path', name, IDS[name])),
    ...Object.entries(query).map(([name, { description, ...more }]) => parameter('query', name, description, more)),
    ...Object.entries({ ...(creates && key), ...requestHeaders }).map(([name, text]) =>
      parameter('header', name, text),
    ),
  ];
}

function admittedText(group: CallerGroup): string {
  if (group === 'anyone') return 'Zonder token.';
  return group === 'professional' ? 'Voor zorgprofessionals.' : `Voor de rol ${listOf(rolesOf(group), 'of')}.`;
}

function operationObject(operation: Operation, examples: Examples): ZodOpenApiOperationObject {
  const parameters = parametersOf(operation);
  const { body, example } = operation;
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: [operation.description, admittedText(operation.admits)].filter(Boolean).join('\n\n'),
    ...(operation.atRoot && { servers: [{ url: '/', description: 'Buiten het voorvoegsel' }] }),
    ...(operation.admits === 'anyone' && { security: [] }),
    ...(operation.stepUp && { security: [{ bearer: [] }, { bearer: [], stepUp: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: openOf(body), ...(example && { example }) } },
      },
    }),
    ...(operation.form && {
      requestBody: { required: true, content: { 'multipart/form-data': { schema: operation.form } } },
    }),
    responses: { ...answersOf(operation), ...problemAnswersOf(operation, examples) },
  };
}

const header = (description: string) => ({ description, schema: { type: 'string' as const } });
const VERSION_HEADER = { 'API-Version': header('De volledige versie van de API.') };
const RETRY_AFTER = { 'Retry-After': header('Na hoeveel seconden een nieuwe poging zin heeft.') };

// Every answer with this status says when to try again.
const ALWAYS_RETRY = [429, 503];
// Problems with another status that say it too.
const RETRY_CODES: readonly ProblemCode[] = ['sleutel-in-gebruik', 'upload-bezig'];

// Headers of a problem, beside those of every answer.
const problemHeaders = (status: number, codes: ReadonlySet<ProblemCode>) => ({
  ...(status === 401 && { 'WWW-Authenticate': header('Hoe in te loggen (RFC 6750).') }),
  ...((ALWAYS_RETRY.includes(status) || RETRY_CODES.some((code) => codes.has(code))) && RETRY_AFTER),
});

const answerHeaders = ({ responseHeaders = {} }: Operation) =>
  Object.fromEntries(Object.entries(responseHeaders).map(([name, description]) => [name, header(description)]));

// The successes, and a 403 or 404 without a body.
function answersOf(operation: Operation): ZodOpenApiResponsesObject {
  return Object.fromEntries(
    Object.entries(operation.answers).map(([status, schema]) => [
      status,
      {
        description: ANSWER_TEXTS[status] ?? (schema === null && !operation.media ? 'Geen inhoud.' : 'Gelukt.'),
        headers: { ...VERSION_HEADER, ...(Number(status) < 300 && answerHeaders(operation)) },
        ...(schema !== null && {
          content: { 'application/json': { schema: openOf(schema), example: operation.answerExample } },
        }),
        ...(status === '200' && operation.media && { content: mediaOf(operation.media) }),
      },
    ]),
  );
}

const ANSWER_TEXTS: Readonly<Record<string, string>> = {
  201: 'Gemaakt.',
  403: 'U mag dit niet doen.',
  404: 'Bestaat niet, of is niet van u.',
};

const mediaOf = (media: readonly string[]) =>
  Object.fromEntries(media.map((type) => [type, { schema: { type: 'string' as const, format: 'binary' } }]));

type Examples = Record<string, { readonly summary: string; readonly value: ReturnType<typeof refusalBody> }>;

// The name is the code, with a number when operations have different examples.
function exampleOf(operation: Operation, code: ProblemCode, status: number, examples: Examples) {
  const value = refusalBody(operation, code, status);
  const isOther = (name: string) =>
    examples[name] !== undefined && JSON.stringify(examples[name].value) !== JSON.stringify(value);
  let name: string = code;
  for (let number = 2; isOther(name); number += 1) name = `${code}-${number}`;
  examples[name] = { summary: PROBLEMS[code].title, value };
  return { $ref: `#/components/examples/${name}` };
}

function problemAnswersOf(operation: Operation, examples: Examples): ZodOpenApiResponsesObject {
  return Object.fromEntries(
    [...problemsOf(operation)]
      .filter(([status]) => operation.answers[status] === undefined)
      .sort(([a], [b]) => a - b)
      .map(([status, codes]) => [
        status,
        {
          description: [...codes].map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' '),
          headers: { ...VERSION_HEADER, ...problemHeaders(status, codes) },
          content: {
            'application/problem+json': {
              schema: ProblemDetails,
              examples: Object.fromEntries(
                [...codes].map((code) => [code, exampleOf(operation, code, status, examples)]),
              ),
            },
          },
        },
      ]),
  );
}
