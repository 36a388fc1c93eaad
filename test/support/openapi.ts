import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { request } from 'undici';

/** Returns a function that returns the faults of a value under the schema at a JSON pointer in an OpenAPI document. */
export function createValidator(document: object) {
  // Documents of other organisations can have patterns that are not valid with the Unicode flag.
  const ajv = new Ajv2020({ strict: false, allErrors: true, unicodeRegExp: false });
  formats.default(ajv);
  ajv.addFormat('int32', { type: 'number', validate: (n: number) => Number.isInteger(n) && Math.abs(n) <= 2 ** 31 });
  ajv.addSchema({ $id: 'openapi', ...document });
  const compiled = new Map<string, ValidateFunction>();
  return (pointer: string, value: unknown): string[] => {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `openapi#${pointer}` });
    compiled.set(pointer, validate);
    return validate(value) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
  };
}

interface Answered {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly body: unknown;
}

type Documented = {
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        responses: Record<string, { content?: Record<string, unknown>; headers?: Record<string, unknown> }>;
      }
    >
  >;
};

/** Response headers with a meaning for the client, which the document must name where the service sends them. */
const MEANINGFUL = ['Content-Disposition', 'ETag', 'Location', 'Repr-Digest', 'Retry-After', 'WWW-Authenticate'];

const escapeSegment = (text: string): string => encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'));
const validators = new Map<unknown, ReturnType<typeof createValidator>>();
const documents = new Map<string, Promise<unknown>>();
const patterns = new WeakMap<Documented, ReturnType<typeof patternsOf>>();

/**
 * Returns the OpenAPI document that a service serves at this path. It is fetched once for all services of a test
 * worker, because it is always the same.
 */
export function fetchDocument(url: string, path: string): Promise<unknown> {
  const known = documents.get(path);
  if (known !== undefined) return known;
  const fetched = request(url + path).then(({ statusCode, body }) => {
    if (statusCode !== 200) documents.delete(path);
    return body.json();
  });
  documents.set(path, fetched);
  fetched.catch(() => documents.delete(path));
  return fetched;
}

function patternsOf(document: Documented): readonly (readonly [template: string, pattern: RegExp])[] {
  const known = patterns.get(document);
  if (known !== undefined) return known;
  const made = Object.keys(document.paths).map(
    (one) => [one, new RegExp(`^${one.replace(/\{\w+\}/g, '[^/]+')}$`)] as const,
  );
  patterns.set(document, made);
  return made;
}

/** Returns the operation and the path template for a request; undefined when the OpenAPI document has none. */
function operationAt(document: unknown, method: string, path: string) {
  const { paths } = document as Documented;
  const [bare = ''] = path.replace(/^\/api\/v1/, '').split('?');
  const [template] = patternsOf(document as Documented).find(([, pattern]) => pattern.test(bare)) ?? [];
  const operation = template === undefined ? undefined : paths[template]?.[method.toLowerCase()];
  return template === undefined || operation === undefined ? undefined : { template, operation };
}

/** Returns the id of the operation for a request; undefined when the OpenAPI document has none. */
export const operationIdAt = (document: unknown, method: string, path: string): string | undefined =>
  operationAt(document, method, path)?.operation.operationId;

/**
 * Returns the differences between an answer and an OpenAPI document. There are none for a request that is not in the
 * document.
 */
export function openApiFaults(
  document: unknown,
  method: string,
  path: string,
  { status, headers, body }: Answered,
): string[] {
  const found = operationAt(document, method, path);
  if (found === undefined) return [];
  const { template, operation } = found;
  const response = operation.responses[status];
  if (response === undefined) return [`${method} ${template} does not document ${status}`];
  const known = response.headers ?? {};
  // The documents of the simulator and of other organisations describe no headers.
  const unknown = 'API-Version' in known ? MEANINGFUL.filter((name) => !(name in known)) : [];
  const undocumented = unknown.filter((name) => headers[name.toLowerCase()] !== undefined);
  if (undocumented.length > 0) return [`${method} ${template} ${status} does not document ${undocumented.join()}`];
  const types = Object.keys(response.content ?? {});
  if (types.length === 0) return body === '' ? [] : [`${status} has a body that is not documented`];
  const type = types.find((one) => String(headers['content-type']).startsWith(one));
  if (type === undefined) return [`content type is ${headers['content-type']}, not ${types.join(' or ')}`];
  const validate = validators.get(document) ?? createValidator(document as object);
  validators.set(document, validate);
  const pointer = `/paths/${escapeSegment(template)}/${method.toLowerCase()}/responses/${status}/content/${escapeSegment(type)}/schema`;
  return validate(pointer, body);
}
