/** Generates the types of the client from the operations of the service, with the exact values of each member. */
import type * as z from 'zod';
import type { Operation } from '../../src/http/operation/operation.ts';
import { PROBLEMS } from '../../src/problem-codes.ts';
import { NAMED, type NamedSchema } from '../../src/wire/primitives.ts';
import { PROBLEM_MEMBERS } from '../../src/wire/records.ts';

/** What each request header is for, in English, keyed by name. */
export const HEADER_TEXTS: Readonly<Record<string, string>> = {
  'Idempotency-Key': 'Makes a retry safe: the same key and content give the same answer.',
  'If-Match': 'The ETag of the version that was read. When there is a newer version, the answer is 412.',
  'X-Step-Up': 'Asks for the complete register number, for this request only.',
};

/** A writer of TypeScript types, which collects the declarations of the named types that it uses. */
interface Types {
  /**
   * Returns the source text of the type of a schema; the name of the type if it has one. Throws for a kind of schema
   * that cannot be translated. `owner` is named in that error.
   */
  typeOf(schema: z.core.$ZodType, owner: string): string;
  declarations(): string[];
}

const unique = (words: readonly string[]): string => [...new Set(words)].join(' | ');
const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : String(value));

function declaration({ id, texts }: NamedSchema, type: string): string {
  const options = type.split(/ \| (?=\{)/);
  if (!type.startsWith('{')) return `type ${id} = ${type};`;
  const linesOf = (option: string, indent: string): string =>
    option
      .slice(2, -2)
      .split(/(?<=;) /)
      .flatMap((member) => {
        const text = texts[/^\w+/.exec(member)?.[0] ?? ''];
        // A member that is always null needs no comment.
        return text === undefined || /: null;$/.test(member) ? [member] : [`/** ${text} */`, member];
      })
      .map((line) => `\n${indent}${line}`)
      .join('');
  if (options.length === 1) return `interface ${id} {${linesOf(type, '  ')}\n}`;
  const written = options.map((option) =>
    Object.keys(texts).length === 0 ? option : `{${linesOf(option, '      ')}\n    }`,
  );
  return `type ${id} =\n${written.map((option) => `  | ${option}`).join('\n')};`;
}

/** Returns a new writer of TypeScript types, which has no declarations yet. */
export function createTypes(): Types {
  const written = new Map<string, string>();

  function typeOf(schema: z.core.$ZodType, owner: string): string {
    const named = NAMED.get(schema);
    if (named === undefined) return bare(schema, owner);
    const { id } = named;
    if (!written.has(id)) {
      written.set(id, '');
      written.set(id, declaration(named, bare(schema, id)));
    }
    return id;
  }

  function bare(schema: z.core.$ZodType, owner: string): string {
    const { def } = (schema as z.core.$ZodTypes)._zod;
    switch (def.type) {
      case 'string':
      case 'boolean':
      case 'number':
      case 'null':
      case 'unknown':
        return def.type;
      case 'literal':
        return unique(def.values.map(literal));
      case 'enum':
        return unique(Object.values(def.entries).map(literal));
      case 'lazy':
        return bare((schema as z.core.$ZodLazy)._zod.innerType, owner);
      case 'union':
        return unique(def.options.map((one) => typeOf(one, owner)));
      case 'nullable':
        return `${typeOf(def.innerType, owner)} | null`;
      case 'readonly':
        return `readonly ${typeOf(def.innerType, owner)}`;
      case 'array': {
        const item = typeOf(def.element, owner);
        return /[ |]/.test(item) ? `(${item})[]` : `${item}[]`;
      }
      case 'object':
        return objectOf(def.shape, owner);
      default:
        throw new Error(`${owner}: a schema of type ${def.type} has no translation`);
    }
  }

  function objectOf(shape: z.core.$ZodShape, owner: string): string {
    const members = Object.entries(shape).map(([name, member]) => {
      const { def } = (member as z.core.$ZodTypes)._zod;
      return def.type === 'optional'
        ? `${name}?: ${typeOf(def.innerType, owner)} | undefined;`
        : `${name}: ${typeOf(member, owner)};`;
    });
    return members.length === 0 ? 'Record<string, unknown>' : `{ ${members.join(' ')} }`;
  }

  return { typeOf, declarations: () => [...written.values()].map((type) => `export ${type}`) };
}

const quoted = (word: string): string => `'${word}'`;
const key = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : quoted(name));

/**
 * Returns the source text of the member `name` of an operation, with parameters in it; an empty list for none. The
 * member is optional when all of its parameters are.
 */
function parametersOf(name: string, parameters: readonly (readonly [name: string, type: string])[]): string[] {
  if (parameters.length === 0) return [];
  const members = parameters.map(([parameter, type]) => `${parameter}: ${type}`);
  const optional = parameters.every(([parameter]) => parameter.endsWith('?'));
  return [optional ? `${name}?: { ${members.join('; ')} } | undefined` : `${name}: { ${members.join('; ')} }`];
}

function bodyOf({ id, body, form }: Operation, types: Types): string[] {
  if (form) return ['body: FormData'];
  return body ? [`body: ${types.typeOf(body, id)}`] : [];
}

function dataOf({ id, answers, media }: Operation, types: Types): string {
  const good = Object.entries(answers).filter(([status]) => status.startsWith('2'));
  const data = good.map(([, schema]) => (schema ? types.typeOf(schema, id) : media ? 'Blob' : 'undefined'));
  return `data: ${unique(data)}`;
}

function linesOf(operation: Operation, types: Types): string[] {
  const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, 'string'] as const);
  const inQuery = Object.entries(operation.query ?? {}).map(([name, { isRequired, values }]) => {
    const type = values?.map(quoted).join(' | ') ?? 'string';
    return isRequired ? ([key(name), type] as const) : ([`${key(name)}?`, `${type} | undefined`] as const);
  });
  const parts = [
    ...parametersOf('params', inPath),
    ...parametersOf('query', inQuery),
    ...bodyOf(operation, types),
    dataOf(operation, types),
  ];
  return [`    /** ${operation.english} */`, `    ${operation.method}: { ${parts.join('; ')} };`];
}

/** Throws for a header without a text in `HEADER_TEXTS`. */
function headersOf(operations: readonly Operation[]): string[] {
  const sent = operations.flatMap(({ creates, requestHeaders }) => [
    ...(creates ? ['Idempotency-Key'] : []),
    ...Object.keys(requestHeaders ?? {}),
  ]);
  return [...new Set([...sent, 'X-Step-Up'])].flatMap((name) => {
    const text = HEADER_TEXTS[name];
    if (text === undefined) throw new Error(`${name} has no text (HEADER_TEXTS in scripts/client/types.ts)`);
    return [`  /** ${text} */`, `  ${key(name)}?: string | undefined;`];
  });
}

const problemsOf = (types: Types): string[] =>
  Object.entries(PROBLEMS).flatMap(([code, { members }]) => {
    const written = members.map((member) => {
      const name = member.replace('?', '') as keyof typeof PROBLEM_MEMBERS;
      const { schema, text } = PROBLEM_MEMBERS[name];
      return `/** ${text} */ ${member}: ${name === 'errors' ? 'readonly Fault[]' : types.typeOf(schema, name)}`;
    });
    return written.length === 0 ? [] : [`  '${code}': { ${written.join('; ')} };`];
  });

/** Returns the text of `client/api.ts`. */
export function clientTypes(operations: readonly Operation[]): string {
  const types = createTypes();
  const paths = Object.entries(Object.groupBy(operations, ({ path }) => path)).flatMap(([path, methods = []]) => [
    `  ${quoted(path)}: {`,
    ...methods.flatMap((operation) => linesOf(operation, types)),
    '  };',
  ]);
  const atRoot = operations.filter((operation) => operation.atRoot).map(({ path }) => quoted(path));
  return [
    '/** Generated by `npm run client` from the operations of the service. Do not edit. */',
    "import type { Fault } from './fault.ts';",
    '',
    ...types.declarations().flatMap((declared) => [declared, '']),
    '/** The types of every operation, keyed by path and method. */',
    'export interface Paths {',
    ...paths,
    '}',
    '',
    '/** The request headers that the service reads. */',
    'export interface KnownHeaders {',
    ...headersOf(operations),
    '}',
    '',
    '/** All problem codes: the values of `code` in a problem. */',
    'export type ProblemCode =',
    `${Object.keys(PROBLEMS)
      .map((code) => `  | ${quoted(code)}`)
      .join('\n')};`,
    '',
    '/** The extra members of problems, keyed by problem code. Other problems have none. */',
    'export interface ProblemMembers {',
    ...problemsOf(types),
    '}',
    '',
    '/** Paths that are not below `/api/v1`. */',
    `export const AT_ROOT: readonly string[] = [${atRoot.join(', ')}];`,
    '',
  ].join('\n');
}
