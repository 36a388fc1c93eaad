/**
 * Generates the types of the client from the OpenAPI document of the service. Throws for a schema that it does not
 * support.
 */
import { PROBLEMS } from '../src/problem.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly (string | null)[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly minimum?: number;
  readonly description?: string;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
}

interface Operation {
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly servers?: readonly { readonly url: string }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<Record<string, { readonly name?: string; readonly description?: string }>>;
  };
}

const UNDERSTOOD = [
  '$ref',
  'additionalProperties',
  'anyOf',
  'description',
  'enum',
  'format',
  'items',
  'minimum',
  'properties',
  'type',
];
const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

const unique = (words: readonly string[]): string => [...new Set(words)].join(' | ');
const quoted = (word: string): string => `'${word}'`;
const key = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : quoted(name));

function typeOf(schema: Schema): string {
  const strange = Object.keys(schema).filter((word) => !UNDERSTOOD.includes(word));
  if (strange.length > 0) throw new Error(`the client does not know what ${strange.join(', ')} means in a schema`);
  if (schema.$ref !== undefined) return schema.$ref.replace('#/components/schemas/', '');
  if (schema.anyOf !== undefined) return unique(schema.anyOf.map(typeOf));
  if (schema.enum !== undefined) return unique(schema.enum.map((one) => (one === null ? 'null' : quoted(one))));
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return 'unknown';
  return unique(types.map((type) => named(type, schema)));
}

function named(type: string, { items = {}, properties = {} }: Schema): string {
  if (type === 'array') {
    const item = typeOf(items);
    return /[ |]/.test(item) ? `(${item})[]` : `${item}[]`;
  }
  if (type === 'object')
    return Object.keys(properties).length === 0 ? 'Record<string, unknown>' : `{ ${membersOf(properties).join(' ')} }`;
  const primitive = PRIMITIVES[type];
  if (primitive === undefined) throw new Error(`the client does not know type ${type}`);
  return primitive;
}

/**
 * Returns the members of an object type. All members are required, because responses always have all members
 * (`src/wire/primitives.ts`), although the document has no `required`.
 */
const membersOf = (properties: Readonly<Record<string, Schema>>): string[] =>
  Object.entries(properties).map(([name, schema]) => `${key(name)}: ${typeOf(schema)};`);

const schemaOf = ([name, { properties = {} }]: readonly [string, Schema]): string =>
  [`export interface ${name} {`, ...membersOf(properties).map((member) => `  ${member}`), '}'].join('\n');

function parametersOf(parameters: readonly Parameter[], place: Parameter['in']): string[] {
  const found = parameters.filter((one) => one.in === place);
  if (found.length === 0) return [];
  const members = found.map(({ name, required }) => `${key(name)}${required ? '' : '?'}: string`);
  return [`${place === 'path' ? 'params' : place}: { ${members.join('; ')} }`];
}

function bodyOf({ requestBody }: Operation): string[] {
  const [content] = Object.entries(requestBody?.content ?? {});
  if (content === undefined) return [];
  const [type, { schema }] = content;
  return [`body: ${type === 'application/json' ? `Sent<${typeOf(schema)}>` : 'FormData'}`];
}

function dataOf({ responses }: Operation): string {
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const data = good.flatMap(([, { content = {} }]) => {
    const types = Object.entries(content);
    return types.length === 0
      ? ['undefined']
      : types.map(([type, { schema }]) => (type === 'application/json' ? typeOf(schema) : 'Blob'));
  });
  return `data: ${unique(data)}`;
}

const operationOf = ([method, operation]: readonly [string, Operation]): string[] => {
  const { parameters = [] } = operation;
  const parts = [
    ...parametersOf(parameters, 'path'),
    ...parametersOf(parameters, 'query'),
    ...bodyOf(operation),
    dataOf(operation),
  ];
  return [`    /** ${operation.summary}. */`, `    ${method.toUpperCase()}: { ${parts.join('; ')} };`];
};

/**
 * Returns the source text of the members of `KnownHeaders`: the request headers of all operations except
 * `Authorization`, each with its description.
 */
function headersOf({ paths, components }: Document): string[] {
  const all = Object.values(paths).flatMap((path) => Object.values(path));
  const sent = all.flatMap(({ parameters = [] }) => parameters.filter((one) => one.in === 'header'));
  const asked = Object.values(components.securitySchemes).filter((one) => one.name !== undefined);
  const texts = new Map([...sent, ...asked].map(({ name = '', description = '' }) => [name, description]));
  return [...texts].flatMap(([name, text]) => [`  /** ${text} */`, `  ${key(name)}?: string;`]);
}

/** Returns the paths that are not below `/api/v1`. */
const rootOf = ({ paths }: Document): string[] =>
  Object.entries(paths)
    .filter(([, path]) => Object.values(path).some(({ servers }) => servers?.[0]?.url === '/'))
    .map(([path]) => path);

/** Returns the text of `client/api.ts`. Throws for a schema that the generator does not support. */
export function clientTypes(document: Document): string {
  const { paths, components } = document;
  const { ProblemDetails: _, ...schemas } = components.schemas;
  const parts = [
    '/** Generated by `npm run client` from the OpenAPI document of the service. Do not edit. */',
    "import type { Sent } from './sent.ts';",
    ...Object.entries(schemas).map(schemaOf),
    [
      '/** The types of every operation, keyed by path and method. */',
      'export interface Paths {',
      ...Object.entries(paths).flatMap(([path, methods]) => [
        `  ${quoted(path)}: {`,
        ...Object.entries(methods).flatMap(operationOf),
        '  };',
      ]),
      '}',
    ].join('\n'),
    ['/** The request headers of the service. */', 'export interface KnownHeaders {', ...headersOf(document), '}'].join(
      '\n',
    ),
    [
      '/** The values of `code` in a problem. */',
      'export type ProblemCode =',
      ...Object.keys(PROBLEMS).map((code) => `  | ${quoted(code)}`),
    ]
      .join('\n')
      .concat(';'),
    `/** Paths that are not below \`/api/v1\`. */\nexport const AT_ROOT: readonly string[] = [${rootOf(document).map(quoted).join(', ')}];`,
  ];
  return `${parts.join('\n\n')}\n`;
}
