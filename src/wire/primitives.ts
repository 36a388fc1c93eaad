/**
 * Schemas of the records in requests and answers. A record is declared once, as a narrow schema: closed values, and the
 * members that an answer always has or a request needs. The types and the tests of the client use that. The service
 * checks requests with the open form, which is that of the specification, and its OpenAPI document shows the open form.
 */
import * as z from 'zod';

/** A record, or a list of values, with a name of its own in the types of the client. */
export interface NamedSchema {
  readonly id: string;
  /** English texts for its members, which an editor shows: units, what null means, and what a Dutch word means. */
  readonly texts: Readonly<Record<string, string>>;
}

const names = new Map<z.core.$ZodType, NamedSchema>();

/** All schemas that have a name in the OpenAPI document. */
export const NAMED: ReadonlyMap<z.core.$ZodType, NamedSchema> = names;

/** Returns `schema`, and gives it a name and the texts for its members. */
export function named<Schema extends z.ZodType>(id: string, schema: Schema, texts: NamedSchema['texts'] = {}): Schema {
  names.set(schema, { id, texts });
  return schema;
}

// Distributes over the shapes of a record with variants.
type RecordOf<Shape> = Shape extends z.ZodRawShape ? z.output<z.ZodObject<Shape>> : never;

// Made when it is first needed, so that the start does not wait for it.
const record = <Value>(id: string, make: () => z.ZodType, texts: NamedSchema['texts'] | undefined) =>
  named(id, z.lazy(make) as z.ZodType as z.ZodType<Value>, texts);

/** Returns the narrow schema of the record `id`. It refuses members that are not in `shape`. */
export const dto = <Shape extends z.ZodRawShape>(id: string, shape: Shape, texts?: NamedSchema['texts']) =>
  record<RecordOf<Shape>>(id, () => z.strictObject(shape), texts);

/** Returns the narrow schema of the record `id`, whose other members depend on the value of the member `tag`. */
export const variants = <const Shapes extends readonly z.ZodRawShape[]>(
  id: string,
  tag: string,
  shapes: Shapes,
  texts?: NamedSchema['texts'],
) => {
  const optionsOf = () => shapes.map((shape) => z.strictObject(shape)) as unknown as [z.ZodObject];
  return record<RecordOf<Shapes[number]>>(id, () => z.discriminatedUnion(tag, optionsOf()), texts);
};

// One of each, because the making of a schema is a part of the start.
export const text = z.string();
export const textOrNull = text.nullable();
export const b = z.boolean();
export const i32 = z.int();
/** A member without a value in this variant. */
export const none = z.null();
/** A calendar date, `YYYY-MM-DD`. */
export const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
export const dayOrNull = day.nullable();
/** A timestamp in whole seconds, such as `2026-04-03T10:15:00Z`. */
export const moment = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/);
export const momentOrNull = moment.nullable();

/** Returns a schema of a member of a request that may also be absent or null, which mean the same (domain.md 4.1). */
export const optionalOrNull = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().optional();
/** A member of a request that has no value. */
export const absent = none.optional();

const openForms = new Map<z.core.$ZodType, z.ZodType>();

/** Returns `narrow`, and sets its open form. Without this, `openOf` derives the open form. */
export function openAs<Schema extends z.ZodType>(narrow: Schema, open: z.ZodType): Schema {
  openForms.set(narrow, open);
  return narrow;
}

/** Maximum number of faults that a refusal names. */
export const MAX_FAULTS = 100;

// With a type of its own, because TypeScript asks that of a function that asserts something.
const initArray: typeof z.ZodArray.init = z.ZodArray.init;

// A list whose check ends when it has found more than `MAX_FAULTS` faults.
const BoundedArray = z.core.$constructor<z.ZodArray>('BoundedArray', (inst, def) => {
  initArray(inst, def);
  const checkAll = inst._zod.parse;
  const max = Math.min(...z.core.util.sizeCaps(def.checks).map(([size]) => size), Number.POSITIVE_INFINITY);
  inst._zod.parse = (payload, context) => {
    const items = payload.value;
    // zod refuses these without a look at the items.
    if (!Array.isArray(items) || items.length > max) return checkAll(payload, context);
    const checked: unknown[] = [];
    for (const [index, item] of items.entries()) {
      const result = def.element._zod.run({ value: item, issues: [] }, context) as z.core.ParsePayload;
      checked.push(result.value);
      if (result.issues.length === 0) continue;
      payload.issues.push(...z.core.util.prefixIssues(index, result.issues));
      if (payload.issues.length > MAX_FAULTS) break;
    }
    payload.value = checked;
    return payload;
  };
});

/**
 * Returns the schema of a list from outside. Its check ends after `MAX_FAULTS` faults: `z.array` finds and keeps all of
 * them, which takes up to ten times as long as the check of right data.
 */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  new BoundedArray({ type: 'array', element: item }) as z.ZodArray<Item>;

/** A schema that accepts any JSON value. */
export const json = z.unknown().optional().meta({ override: {} });

const orNull = (schema: z.ZodType) => schema.nullable().default(null);
const openText = orNull(z.string());
// Rules check the days and the times that a client sends, and can report a more precise fault.
const openDay = openText.meta({ override: { type: ['string', 'null'], format: 'date' } });
const openMoment = openText.meta({ override: { type: ['string', 'null'], format: 'date-time' } });

// A member that may not be null may be absent from a request.
type Sender = 'client' | 'service';

const opened = { client: new Map<unknown, z.ZodType>(), service: new Map<unknown, z.ZodType>() };

/**
 * Returns the open form of a narrow schema, as the specification has it: any string for a closed value, one record for
 * all variants, and null for most members. An absent member becomes null. Limits, such as a maximum, are not in it. It is
 * derived once, when it is first needed. Throws for a kind of schema that it cannot translate.
 */
export const openOf = <Schema extends z.ZodType>(schema: Schema): z.ZodType<Open<Schema>> =>
  open(schema, 'service') as z.ZodType<Open<Schema>>;

/** Returns the open form of a request body, with which the service checks it. */
export const openBodyOf = <Schema extends z.ZodType>(schema: Schema): z.ZodType<OpenBody<Schema>> =>
  open(schema, 'client') as z.ZodType<OpenBody<Schema>>;

function open(schema: z.core.$ZodType, sender: Sender): z.ZodType {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'array') return listOf(open(def.element, sender));
  if (kindOf(schema) === 'string') return z.string();
  // The specification has one record for both directions.
  const id = names.get(schema)?.id.replace(/Input$/, 'Dto');
  const known = opened[sender].get(id ?? schema);
  if (known !== undefined) return known;
  const form = openRecord(schema, sender);
  // The OpenAPI document has the names.
  const result = id === undefined || sender === 'client' ? form : form.meta({ id });
  opened[sender].set(id ?? schema, result);
  return result;
}

// Makes the open form from all variants. An object that may have any members is its own open form.
function openRecord(schema: z.core.$ZodType, sender: Sender): z.ZodType {
  const made = schema instanceof z.ZodLazy ? schema._zod.innerType : schema;
  const all: readonly unknown[] = made instanceof z.ZodDiscriminatedUnion ? made.options : [made];
  const [first] = all;
  if (!(first instanceof z.ZodObject)) throw new Error(`a schema of type ${kindOf(schema)} has no open form`);
  if (first.def.catchall?._zod.def.type !== 'never') return first;
  const members = Object.keys(first.shape).map((key) => {
    const schemas = all.map((one) => (one as z.ZodObject).shape[key] as z.ZodType);
    return [key, openMember(schemas, sender)];
  });
  return z.strictObject(Object.fromEntries(members));
}

// Makes the open form of a member from its schemas in all variants of the record.
function openMember(all: readonly z.ZodType[], sender: Sender): z.ZodType {
  const own = all.map((schema) => openForms.get(schema)).find((form) => form !== undefined);
  if (own !== undefined) return own;
  const present = all.map(bareOf).filter((schema) => schema !== undefined);
  const [bare] = present;
  const [kind, ...others] = new Set(present.map(kindOf));
  if (bare === undefined || others.length > 0)
    throw new Error(`a member of type ${[kind, ...others]} has no open form`);
  if (bare === day) return openDay;
  if (bare === moment) return openMoment;
  switch (kind) {
    case 'string':
      return openText;
    case 'unknown':
      return json;
    case 'boolean':
    case 'number': {
      const scalar = kind === 'boolean' ? z.boolean() : z.int32();
      if (all.some((schema) => schema.safeParse(null).success)) return orNull(scalar);
      return sender === 'client' ? scalar.optional() : scalar;
    }
    default:
      return orNull(open(bare, sender));
  }
}

// Returns the schema without the parts that say that the value may be null or absent; undefined for one that is only
// null.
function bareOf(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'nullable' || def.type === 'optional' || def.type === 'readonly') return bareOf(def.innerType);
  return def.type === 'null' ? undefined : schema;
}

function kindOf(schema: z.core.$ZodType): string {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'literal') return typeof def.values[0];
  return def.type === 'enum' ? 'string' : def.type;
}

/** The value of the open form of an answer. */
export type Open<Schema extends z.ZodType> = OpenValue<z.output<Schema>, never>;

/** The value of the open form of a request body. */
export type OpenBody<Schema extends z.ZodType> = OpenValue<z.output<Schema>, undefined>;

// `Absent` is undefined when a member that may not be null may be absent.
type OpenValue<Value, Absent> = [Value] extends [readonly (infer Item)[]]
  ? OpenValue<Item, Absent>[]
  : [Value] extends [string]
    ? string
    : { [Key in keyof Value & string]: OpenMember<Value[Key], Exclude<Value[Key], null | undefined>, Absent> };

type OpenMember<Value, Present, Absent> = unknown extends Value
  ? unknown
  : [Present] extends [string]
    ? string | null
    : [Present] extends [boolean]
      ? boolean | (null extends Value ? null : Absent)
      : [Present] extends [number]
        ? number | (null extends Value ? null : Absent)
        : OpenValue<Present, Absent> | null;
