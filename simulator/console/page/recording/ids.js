/** @import { Deed } from './steps.js' */
/** @import { Entry } from '../types.d.ts' */

/** Matches the ids that the service gives: UUIDs, and references of the register. */
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Z]{3}-\d{4}-\d{6}/g;

/** An id that an answer gave: its place in the answer as a JSON Pointer. @typedef {{ entry: Entry, pointer: string }} Source */

/**
 * Returns the recorded actions with names in braces instead of the ids that the service gave, because a replay gets
 * other ones. The action whose answer gives an id keeps it under that name. For an id in the answer of a read, the read
 * is added to the actions. They are sorted by time.
 * @param {readonly Deed[]} deeds
 * @param {readonly Entry[]} entries the journal, oldest first
 * @param {(entry: Entry) => Deed | null} deedOf
 * @returns {Deed[]}
 */
export function withKeptIds(deeds, entries, deedOf) {
  const sources = sourcesIn(entries);
  /** @type {Map<string, string>} */
  const names = new Map();
  /** @type {Map<Entry, Record<string, string>>} */
  const keeps = new Map();
  for (const id of deeds.flatMap((deed) => JSON.stringify(deed).match(ID) ?? [])) {
    const source = sources.get(id);
    if (source === undefined || names.has(id)) continue;
    const { entry, pointer } = source;
    const name = `${pointer.split('/').at(-1)}-${names.size + 1}`;
    names.set(id, name);
    keeps.set(entry, { ...keeps.get(entry), [name]: pointer });
  }
  /** @param {Deed} deed @returns {Deed} */
  const named = (deed) =>
    JSON.parse(JSON.stringify(deed).replace(ID, (id) => (names.has(id) ? `{${names.get(id)}}` : id)));
  const kept = [...keeps].flatMap(([entry, keep]) => {
    const deed = deedOf(entry);
    return deed === null ? [] : [{ ...named(deed), keep }];
  });
  const isKept = (/** @type {Deed} */ { at, path }) => kept.some((one) => one.at === at && one.path === path);
  return [...deeds.map(named).filter((deed) => !isKept(deed)), ...kept].toSorted((one, other) => one.at - other.at);
}

/**
 * Returns where each id in the journal was given: the first answer that has it as a whole value. Ids that a client sent
 * before that are its own, and are left out.
 * @param {readonly Entry[]} entries
 */
function sourcesIn(entries) {
  /** @type {Map<string, Source | null>} null for an id of a client */
  const sources = new Map();
  for (const entry of entries) {
    const { request, response } = entry;
    for (const id of `${request.path} ${request.body ?? ''}`.match(ID) ?? [])
      if (!sources.has(id)) sources.set(id, null);
    for (const [pointer, text] of textsIn(response.body))
      if (text.match(ID)?.[0] === text && !sources.has(text)) sources.set(text, { entry, pointer });
  }
  return new Map([...sources].flatMap(([id, source]) => (source === null ? [] : [[id, source]])));
}

/**
 * Returns the texts in a JSON body, each with its JSON Pointer; an empty list when the body is absent or no JSON.
 * @param {string | null} body
 * @returns {[pointer: string, text: string][]}
 */
function textsIn(body) {
  /** @param {unknown} value @param {string} pointer @returns {[string, string][]} */
  const within = (value, pointer) => {
    if (typeof value === 'string') return [[pointer, value]];
    if (value === null || typeof value !== 'object') return [];
    return Object.entries(value).flatMap(([name, part]) => within(part, `${pointer}/${name}`));
  };
  try {
    return within(JSON.parse(body ?? ''), '');
  } catch {
    return [];
  }
}
