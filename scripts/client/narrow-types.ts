/** Converts the schemas in `src/openapi/narrow`, which have the exact values of each member, to TypeScript types. */
import type * as z from 'zod';
import { NAMES } from '../../src/openapi/narrow/names.ts';
import { MEMBER_TEXTS } from './member-texts.ts';

/** A writer of TypeScript types, which collects the declarations of the named types that it uses. */
export interface Types {
  /**
   * Returns the source text of the type of a schema; the name of the type if it has one. Throws for undefined, and for
   * a kind of schema that cannot be translated. `owner` is named in that error.
   */
  typeOf(schema: z.core.$ZodType | undefined, owner: string): string;
  /** Returns the declarations of all named types that were used. */
  declarations(): string[];
}

/** Returns the union of types, each once. */
export const unique = (words: readonly string[]): string => [...new Set(words)].join(' | ');
const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : String(value));

/** Returns the comment for a member of the type `id`; an empty text when there is none. */
export const commentOn = (id: string, member: string): string => {
  const text = MEMBER_TEXTS[id]?.[member];
  return text === undefined ? '' : `/** ${text} */`;
};

/** Returns the declaration of the type `id` with the source text `type`, with comments for its members. */
function declaration(id: string, type: string): string {
  const options = type.split(/ \| (?=\{)/);
  if (!type.startsWith('{')) return `type ${id} = ${type};`;
  const linesOf = (option: string, indent: string): string =>
    option
      .slice(2, -2)
      .split(/(?<=;) /)
      // A member that is always null needs no comment.
      .flatMap((member) => [/: null;$/.test(member) ? '' : commentOn(id, /^\w+/.exec(member)?.[0] ?? ''), member])
      .filter((line) => line !== '')
      .map((line) => `\n${indent}${line}`)
      .join('');
  if (options.length === 1) return `interface ${id} {${linesOf(type, '  ')}\n}`;
  const written = options.map((option) =>
    MEMBER_TEXTS[id] === undefined ? option : `{${linesOf(option, '      ')}\n    }`,
  );
  return `type ${id} =\n${written.map((option) => `  | ${option}`).join('\n')};`;
}

/** Returns a new writer of TypeScript types, which has no declarations yet. */
export function createTypes(): Types {
  const written = new Map<string, string>();

  function typeOf(schema: z.core.$ZodType | undefined, owner: string): string {
    if (schema === undefined) throw new Error(`${owner} has no narrow schema (src/openapi/narrow)`);
    const id = NAMES.get(schema as z.ZodType)?.id;
    if (id === undefined) return bare(schema, owner);
    if (!written.has(id)) {
      written.set(id, '');
      written.set(id, declaration(id, bare(schema, id)));
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
        throw new Error(`${owner}: a narrow schema of type ${def.type} has no translation`);
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
