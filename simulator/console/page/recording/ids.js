/** @import { RecordedAction } from './steps.js' */
/** @import { Entry } from '../types.d.ts' */

/** Matches an id of the service: a UUID, or a reference such as `HER-2026-000123`. */
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Z]{3}-\d{4}-\d{6}/g;

/**
 * Where an id was first given: the action that repeats that request, and the JSON Pointer (RFC 6901) of the id in the
 * answer.
 * @typedef {{ action: RecordedAction, pointer: string }} Source
 */

/**
 * Returns recorded actions in a form that can be played again, sorted by time. An id from an earlier answer becomes a
 * name in braces, because the service gives another id then; the action with that answer keeps the id under that name
 * (`keep`), and is added when it was only a read.
 * @param {readonly RecordedAction[]} actions
 * @param {readonly Entry[]} entries the journal, oldest first
 * @param {(entry: Entry) => RecordedAction | null} actionOf returns the action for a journal entry; null when it cannot
 *   be repeated
 * @returns {RecordedAction[]}
 */
export function withKeptIds(actions, entries, actionOf) {
  const sources = sourcesIn(entries, actionOf);
  /** @type {Map<string, string>} */
  const names = new Map();
  /**
   * The JSON Pointers of the ids that each action keeps, keyed by the name of the id.
   * @type {Map<RecordedAction, Record<string, string>>}
   */
  const keeps = new Map();
  /**
   * Returns the name of an id in braces, or the id itself when no earlier action gives it.
   * @param {string} id
   * @param {number} at time of the action
   */
  function nameOf(id, at) {
    const source = sources.get(id);
    if (source === undefined || source.action.at > at) return id;
    const name = names.get(id) ?? `${wordIn(source.pointer)}-${names.size + 1}`;
    names.set(id, name);
    const keep = keeps.get(source.action) ?? {};
    keep[name] = source.pointer;
    keeps.set(source.action, keep);
    return `{${name}}`;
  }
  /** @param {RecordedAction} action @returns {RecordedAction} */
  const named = (action) => JSON.parse(JSON.stringify(action).replace(ID, (id) => nameOf(id, action.at)));
  const namedActions = actions.map(named);
  /** @type {RecordedAction[]} */
  const kept = [];
  // An action that is added here can itself need an id, and so add a key or a pointer to the map.
  for (const [action, keep] of keeps) kept.push({ ...named(action), keep });
  const isKept = (/** @type {RecordedAction} */ { at, path }) => kept.some((one) => one.at === at && one.path === path);
  return [...namedActions.filter((action) => !isKept(action)), ...kept].toSorted((one, other) => one.at - other.at);
}

/**
 * Returns the last member name of letters only in a JSON Pointer, such as `documentIds` for `/documentIds/0`; `id` when
 * there is none.
 * @param {string} pointer
 */
const wordIn = (pointer) => pointer.split('/').findLast((member) => /^[a-zA-Z]+$/.test(member)) ?? 'id';

/**
 * Returns where each id was first given by an answer in the journal (the recorded requests), keyed by id. An id that
 * the client made is left out.
 * @param {readonly Entry[]} entries
 * @param {(entry: Entry) => RecordedAction | null} actionOf
 */
function sourcesIn(entries, actionOf) {
  /** @type {Map<string, Source>} */
  const sources = new Map();
  const given = new Set();
  const made = new Set();
  for (const entry of entries) {
    const { request, response } = entry;
    const needed = new Set(`${request.path} ${request.body ?? ''}`.match(ID));
    for (const id of needed) if (!given.has(id)) made.add(id);
    const action = actionOf(entry);
    for (const [pointer, text] of textsIn(response.body)) {
      if (text.match(ID)?.[0] !== text || made.has(text)) continue;
      given.add(text);
      if (action !== null && !needed.has(text) && !sources.has(text)) sources.set(text, { action, pointer });
    }
  }
  return sources;
}

/**
 * Returns the texts in the members of a JSON body, each with its JSON Pointer; an empty list when the body is absent or
 * no JSON.
 * @param {string | null} body
 * @returns {[pointer: string, text: string][]}
 */
function textsIn(body) {
  /** @param {unknown} value @param {string} pointer @returns {[string, string][]} */
  const within = (value, pointer) => {
    if (typeof value === 'string') return pointer === '' ? [] : [[pointer, value]];
    if (value === null || typeof value !== 'object') return [];
    return Object.entries(value).flatMap(([name, part]) =>
      within(part, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
    );
  };
  try {
    return within(JSON.parse(body ?? ''), '');
  } catch {
    return [];
  }
}
