/** The tools that say what the service can do, and that call it as a person. */
import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { DEFAULT_UPLOAD_LIMITS } from '../../src/domain/upload-limits.ts';
import { type Operation, problemsOf } from '../../src/http/operation/operation.ts';
import { allOperations, type OperationDeps } from '../../src/operations.ts';
import { PROBLEMS, type ProblemCode } from '../../src/problem-codes.ts';
import { NAMED } from '../../src/wire/primitives.ts';
import { CliError } from '../cli/client.ts';
import type { StepDone } from '../control/demo-schema.ts';
import { fillPath, parametersIn, withQuery } from '../control/operation.ts';
import { documentPages, readDocument } from '../documents.ts';
import { SAMPLES } from '../samples/index.ts';
import { similarTo } from '../text.ts';
import type { RecordedRequest } from '../worlds/journal.ts';
import { argsOf, callsOf, type McpSession, pathOf, reasonsOf, type Tool, tool, WORLD } from './control-tools.ts';

/** What the operations of the service declare. They have no ports, so that no handler works. */
const OPERATIONS = allOperations({ uploadLimits: DEFAULT_UPLOAD_LIMITS } as OperationDeps);
const IDS = OPERATIONS.map(({ id }) => id);

function operationNamed(id: string): Operation {
  const found = OPERATIONS.find((one) => one.id === id);
  if (found !== undefined) return found;
  const near = similarTo(id, IDS);
  throw new CliError(
    `There is no operation ${id.slice(0, 40)}. ${near ? `Did you mean ${near}? ` : ''}There are: ${IDS.join(', ')}.`,
  );
}

const WHO: Readonly<Record<Operation['admits'], string>> = {
  anyone: 'anyone, also without `as`',
  professional: 'professionals, such as sanne-de-wit',
  uploadAdmin: 'admins, such as admin-ali',
  letter: 'who works on letters, such as drafter-dana or approver-anna',
  letterDrafter: 'drafters of letters, such as drafter-dana',
  letterApprover: 'approvers of letters, such as approver-anna',
};

const addressOf = ({ method, path, atRoot }: Operation): string => `${method} ${atRoot ? '' : '/api/v1'}${path}`;

const jsonSchemaOf = (schema: z.ZodType): unknown =>
  z.toJSONSchema(schema, {
    override({ zodSchema, jsonSchema }) {
      const texts = NAMED.get(zodSchema)?.texts ?? {};
      // The bounds of every integer, which say nothing.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      for (const [member, property] of Object.entries(jsonSchema.properties ?? {}))
        if (typeof property === 'object' && texts[member] !== undefined) property.description = texts[member];
    },
  });

function describe(operation: Operation) {
  const { id, english, admits, path, query = {}, body, example, form, creates, stepUp, requestHeaders } = operation;
  const parameters = {
    ...Object.fromEntries(parametersIn(path).map((name) => [name, 'in the path'])),
    ...Object.fromEntries(
      Object.entries(query).map(([name, { isRequired, values }]) => [
        name,
        ['in the query', ...(isRequired ? ['required'] : []), ...(values ? [values.join(' | ')] : [])].join(', '),
      ]),
    ),
  };
  const headers = [
    ...(stepUp ? ['X-Step-Up: 1 asks for the complete register number'] : []),
    ...(creates ? ['Idempotency-Key: makes a retry safe'] : []),
    ...Object.keys(requestHeaders ?? {}),
  ];
  return {
    operation: id,
    does: english,
    request: addressOf(operation),
    as: WHO[admits],
    ...(Object.keys(parameters).length > 0 && { params: parameters }),
    ...(headers.length > 0 && { headers }),
    ...(body && { body: jsonSchemaOf(body) }),
    ...(example && { example }),
    ...(form && { form: jsonSchemaOf(form), how: 'Give `file` to call_operation, and the other fields as `body`.' }),
    problems: Object.fromEntries(
      [...problemsOf(operation)].flatMap(([status, codes]) =>
        [...codes].map((code) => [code, `${status}. ${PROBLEMS[code].remedy}`]),
      ),
    ),
  };
}

const describeOperation = tool({
  name: 'describe_operation',
  description:
    'Show what the service can do: without arguments all operations, a line each; with `operation` one of them: its parameters, the JSON Schema and an example of its body, who may call it, and each problem code with its status and what to do about it. Use it before call_operation.',
  isRead: true,
  args: argsOf({ operation: z.string().optional().describe('Id of the operation, such as createHerregistratie.') }),
  async run({ operation }) {
    if (operation !== undefined) return describe(operationNamed(operation));
    return OPERATIONS.map((one) => `${one.id}: ${addressOf(one)}. ${one.english} As: ${WHO[one.admits]}.`).join('\n');
  },
});

const value = z.union([z.string(), z.number(), z.boolean()]);

const CALL = argsOf({
  operation: z.string().describe('Id of the operation; describe_operation lists them.'),
  as: z
    .string()
    .optional()
    .describe(
      'Slug of the person who calls, such as sanne-de-wit, burger-7 or drafter-dana. Without it, nobody is logged in.',
    ),
  params: z
    .record(z.string(), z.union([value, z.array(value)]))
    .optional()
    .describe('Parameters in the path and the query, by name.'),
  body: z.record(z.string(), z.unknown()).optional().describe('The JSON body; for an upload its fields.'),
  file: z
    .strictObject({
      sample: z
        .string()
        .describe(
          `A sample file. Accepted: ${namesOf(true)}. Refused, each with its own problem: ${namesOf(false)} (virus.pdf only with SCANNER=simulator).`,
        ),
      name: z.string().optional().describe('File name to send; that of the sample when absent.'),
    })
    .optional()
    .describe('The file of an upload (createUpload).'),
  headers: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      'More request headers, such as {"X-Step-Up": "1"}, If-Match or Idempotency-Key. {"Accept-Language": "en"} gives the texts of a problem in English, where production has Dutch.',
    ),
  world: WORLD,
});

type Call = z.output<typeof CALL>;

const callOperation = tool({
  name: 'call_operation',
  description: [
    'Call an operation of the service as a person, as a page would, and see the answer: status, headers, body, the calls of upstreams behind it, and in `why` the reasons.',
    'An answer of 400 or more is what the page of that person gets at that moment; `meaning` says in English what to do about it.',
    '`{"operation": "createHerregistratie", "as": "sanne-de-wit", "body": {"uren": 2600}}` submits a request; dashboardView shows the screen of a professional.',
  ].join(' '),
  args: CALL,
  run: call,
});

function namesOf(isAccepted: boolean): string {
  return SAMPLES.filter(({ name, gives }) => (gives === null) === isAccepted && !name.startsWith('sim-'))
    .map(({ name }) => name)
    .join(', ');
}

async function call(given: Call, session: McpSession): Promise<unknown> {
  const operation = operationNamed(given.operation);
  const world = pathOf(session, given.world);
  const identity = given.as === undefined ? {} : await headersOf(session, world, given.as);
  const traceId = randomBytes(16).toString('hex');
  const traceparent = `00-${traceId}-${randomBytes(8).toString('hex')}-01`;
  const { body, headers } = await contentOf(session, given);
  const answer = await fetch(session.url + targetOf(operation, given.params), {
    method: operation.method,
    headers: { traceparent, ...identity, ...headers, ...given.headers },
    ...(body !== undefined && { body }),
  });
  const { text, content } = await readAnswer(answer);
  const code = (content as { code?: string } | null)?.code as ProblemCode | undefined;
  return {
    status: answer.status,
    headers: Object.fromEntries(TOLD.flatMap((name) => headerOf(answer, name))),
    body: content ?? text,
    ...(answer.status >= 400 && code && Object.hasOwn(PROBLEMS, code) && { meaning: PROBLEMS[code].remedy }),
    // A call without a person is in the journal of no world of this client, and one that anyone may make is in none.
    ...(given.as !== undefined && operation.admits !== 'anyone' && (await causesOf(session, world, traceId))),
  };
}

const TOLD = 'etag location retry-after www-authenticate preference-applied preference-ignored allow'.split(' ');
const headerOf = (answer: Response, name: string): [string, string][] => {
  const found = answer.headers.get(name);
  return found === null ? [] : [[name, found]];
};

async function headersOf({ control }: McpSession, world: string, persona: string): Promise<Record<string, string>> {
  const step = { title: 'mcp', persona };
  const { headers } = (await control.call('POST', `${world}/step`, step)) as z.output<typeof StepDone>;
  return headers;
}

function targetOf(operation: Operation, params: Readonly<Record<string, unknown>> = {}): string {
  const inPath = parametersIn(operation.path);
  const inQuery = Object.keys(operation.query ?? {});
  const known = [...inPath, ...inQuery];
  const wrong = Object.keys(params).find((name) => !known.includes(name));
  if (wrong !== undefined)
    throw new CliError(
      `${operation.id} has no parameter ${wrong.slice(0, 40)}. Its parameters are: ${known.join(', ') || 'none'}.`,
    );
  const missing = inPath.find((name) => params[name] === undefined);
  if (missing !== undefined) throw new CliError(`${operation.id} needs the parameter ${missing} in \`params\`.`);
  const query = new URLSearchParams();
  for (const name of inQuery) for (const one of [params[name] ?? []].flat()) query.append(name, String(one));
  return withQuery(`${operation.atRoot ? '' : '/api/v1'}${fillPath(operation.path, params)}`, query);
}

async function contentOf({ control }: McpSession, { operation, body, file }: Call) {
  if (file === undefined) {
    if (operation === 'createUpload')
      throw new CliError('createUpload needs `file`, such as {"sample": "pdf-1-mb.pdf"}, and its fields as `body`.');
    return body === undefined
      ? { headers: {} }
      : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
  }
  const form = new FormData();
  for (const [name, field] of Object.entries(body ?? {})) form.append(name, String(field));
  const bytes = await control.bytes(`/samples/${encodeURIComponent(file.sample)}`);
  form.append('file', new Blob([new Uint8Array(bytes)]), file.name ?? file.sample);
  return { body: form, headers: {} };
}

async function readAnswer(answer: Response): Promise<{ readonly text: string; readonly content: unknown }> {
  const type = answer.headers.get('content-type') ?? '';
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (type.includes('json')) return { text: '', content: JSON.parse(bytes.toString()) };
  const isText = type === '' || type.startsWith('text/');
  return { text: isText ? bytes.toString() : `${type}, ${bytes.length} bytes`, content: null };
}

/** Times, 20 ms apart, that the journal is read until it has a call: it is written when the answer has been sent. */
const ATTEMPTS = 25;

async function causesOf({ control }: McpSession, world: string, traceId: string): Promise<object> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const [entry] = (await control.call('GET', `${world}/journal?trace=${traceId}`)) as RecordedRequest[];
    if (entry !== undefined) return { upstream: callsOf(entry), why: reasonsOf(entry) };
    await setTimeout(20);
  }
  return {};
}

const nameOf = (path: string): string => path.replace(/^docs\//, '').replace(/\.md$/, '');

const readGuide = tool({
  name: 'read_guide',
  description:
    'Read a page of the documentation. Without arguments: the pages, a line each. guides/frontend is how a page calls the service, guides/tests how to test one, reference/problems all problem codes, domain the rules of the register.',
  isRead: true,
  args: argsOf({ page: z.string().optional().describe('Name of the page, such as guides/frontend.') }),
  async run({ page }) {
    const pages = await documentPages();
    const found = pages.find(({ path }) => [path, nameOf(path)].includes(page ?? ''));
    if (found !== undefined) return readDocument(found.path);
    const list = pages.map(({ path, about }) => `${nameOf(path)}: ${about}`).join('\n');
    if (page === undefined) return list;
    throw new CliError(`There is no page ${page.slice(0, 60)}. The pages are:\n${list}`);
  },
});

export const SERVICE_TOOLS: readonly Tool[] = [describeOperation, callOperation, readGuide];
