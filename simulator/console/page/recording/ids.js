/** @import { Deed } from './steps.js' */
/** @import { Entry } from '../types.d.ts' */

/** Matches the ids that the service gives: UUIDs, and references of the register such as `HER-2026-000123`. */
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Z]{3}-\d{4}-\d{6}/g;

/**
 * Where an id was first given: the journal entry of the request, and the JSON Pointer of the id in the body of its
 * answer.
 * @typedef {{ entry: Entry, pointer: string }} Source
 */

/**
 * Returns recorded actions in a form that can be played again. An id that the service gave is replaced by a name in
 * braces, because the service gives other ids when the actions are played. The action whose answer had the id keeps it
 * under that name (member `keep`). When that was a request that only reads, it is added to the actions. The result is
 * sorted by time, earliest first.
 * @param {readonly Deed[]} deeds
 * @param {readonly Entry[]} entries the journal, oldest first
 * @param {(entry: Entry) => Deed | null} deedOf returns the action for a journal entry; null when it cannot be repeated
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
 * Returns where each id was first given, keyed by id: the first answer in the journal that has it as a whole value. An
 * id that was in a request before any answer had it was made by the client, and is left out.
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
