// What is done with a value that this service does not understand, such as a new value of an enumeration
// (architecture.md, "What upstreams send").
import * as z from 'zod';
import type { NotUnderstood } from '../../src/wire/json.ts';

const tolerated = z.registry<{ readonly instead: unknown }>();
// Lists that may not become empty because all their items are left out.
const neverEmptied = z.registry<object>();

/**
 * A copy of `schema` for a value that decides nothing, or for an item of a list. When the value does not match,
 * `instead` is read in its place. Without `instead` it counts as absent; an item is left out of its list.
 */
export function tolerant<Schema extends z.ZodType>(schema: Schema, instead?: z.input<Schema>): Schema {
  const copy = schema.clone();
  tolerated.add(copy, { instead });
  return copy;
}

/**
 * A list of at most `max` items, without those that are not understood. The length is checked before the items, because
 * checking a long list of wrong items takes seconds.
 */
export const tolerantListOf = <Item extends z.ZodType>(item: Item, max: number) =>
  z
    .array(z.unknown())
    .max(max)
    .pipe(z.array(tolerant(item)));

/**
 * Returns a schema as `tolerantListOf` does, for a list that means something when it is empty: it may not lose all its
 * items.
 */
export function someOf<Item extends z.ZodType>(item: Item, max: number) {
  const list = tolerantListOf(item, max);
  neverEmptied.add(list, {});
  return list;
}

export type Understood<Body> =
  | { readonly success: true; readonly data: Body; readonly notUnderstood: readonly NotUnderstood[] }
  | { readonly success: false; readonly issues: readonly z.core.$ZodIssue[] };

const NOTHING: readonly NotUnderstood[] = [];
// A few for each level of groups in an answer.
const MAX_ROUNDS = 12;

/** Returns a JSON value parsed by `schema`, and what was left out or replaced (`tolerant`), also in `json` itself. */
export function understand<Body>(schema: z.ZodType<Body>, json: unknown): Understood<Body> {
  let parsed = schema.safeParse(json);
  if (parsed.success) return { success: true, data: parsed.data, notUnderstood: NOTHING };
  const found: NotUnderstood[] = [];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { issues } = parsed.error;
    const places = issues.map(({ path }) => placeOf(schema, json, path));
    if (!places.every((place) => place !== null)) return { success: false, issues };
    for (const { path } of issues) note(found, json, path);
    if (!leaveOut(places)) return { success: false, issues };
    parsed = schema.safeParse(json);
    if (parsed.success) return { success: true, data: parsed.data, notUnderstood: found };
  }
  return { success: false, issues: parsed.error.issues };
}

interface Place {
  readonly container: object;
  readonly key: PropertyKey;
  readonly instead: unknown;
  // An item of a list that may not become empty.
  readonly mayNotBeEmpty: boolean;
}

// The innermost value that may be left out; null for none.
function placeOf(schema: z.core.$ZodType, json: unknown, path: readonly PropertyKey[]): Place | null {
  let place: Place | null = null;
  let [inner, value]: [z.core.$ZodType | undefined, unknown] = [schema, json];
  let mayNotBeEmpty = layersOf(schema).some((layer) => neverEmptied.has(layer));
  for (const key of path) {
    inner = inner && childOf(inner, key);
    if (inner === undefined || typeof value !== 'object' || value === null) break;
    const layers = layersOf(inner);
    const rule = layers.map((layer) => tolerated.get(layer)).find((one) => one !== undefined);
    if (rule !== undefined) place = { container: value, key, instead: rule.instead, mayNotBeEmpty };
    mayNotBeEmpty = layers.some((layer) => neverEmptied.has(layer));
    value = Reflect.get(value, key);
  }
  return place;
}

// A schema and those inside it that are for the same value, such as the one inside `optional()`.
function layersOf(schema: z.core.$ZodType): z.core.$ZodType[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return [schema, ...layersOf(schema.unwrap())];
  if (schema instanceof z.ZodPipe) return [schema, ...layersOf(schema.out)];
  return [schema];
}

function childOf(schema: z.core.$ZodType, key: PropertyKey): z.core.$ZodType | undefined {
  for (const layer of layersOf(schema)) {
    if (layer instanceof z.ZodObject) return layer.shape[String(key)];
    if (layer instanceof z.ZodArray) return layer.element;
  }
  return undefined;
}

// Returns false when a list that may not become empty would be empty.
function leaveOut(places: readonly Place[]): boolean {
  const items = new Map<unknown[], { readonly indexes: Set<PropertyKey>; readonly mayNotBeEmpty: boolean }>();
  for (const { container, key, instead, mayNotBeEmpty } of places) {
    if (instead !== undefined) Reflect.set(container, key, structuredClone(instead));
    else if (!Array.isArray(container)) Reflect.deleteProperty(container, key);
    else {
      const known = items.get(container) ?? { indexes: new Set(), mayNotBeEmpty };
      items.set(container, known);
      known.indexes.add(key);
    }
  }
  for (const [list, { indexes, mayNotBeEmpty }] of items) {
    if (mayNotBeEmpty && indexes.size === list.length) return false;
    list.splice(0, list.length, ...list.filter((_, index) => !indexes.has(index)));
  }
  return true;
}

const MAX_NOTES = 20;

function note(found: NotUnderstood[], json: unknown, path: readonly PropertyKey[]): void {
  const member = path.map((key) => (typeof key === 'number' ? '[]' : `/${String(key)}`)).join('');
  const at = found.findIndex((one) => one.member === member);
  const known = found[at];
  if (known !== undefined) found[at] = { ...known, count: known.count + 1 };
  else if (found.length < MAX_NOTES) {
    const value = path.reduce<unknown>((inner, key) => Reflect.get(Object(inner), key), json);
    found.push({ member, shape: shapeOf(value), count: 1 });
  }
}

const MAX_SHAPE = 24;

// A value may be personal: of a text only the first characters, with `a` or `A` for each letter and `9` for each digit.
function shapeOf(value: unknown): string {
  if (typeof value === 'string') {
    const shape = value
      .slice(0, MAX_SHAPE)
      .replace(/\p{L}/gu, (letter) => (/\p{Lu}/u.test(letter) ? 'A' : 'a'))
      .replace(/\p{N}/gu, '9')
      .replace(/[^Aa9 _.:-]/gu, '?');
    return `"${shape}"${value.length > MAX_SHAPE ? '…' : ''}`;
  }
  if (value === undefined) return 'absent';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}
