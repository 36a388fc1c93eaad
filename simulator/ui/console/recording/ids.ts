import type { Entry } from '../types.d.ts';
import type { RecordedAction } from './steps.ts';

/** Matches an id of the service: a UUID, or a reference such as `HER-2026-000123`. */
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Z]{3}-\d{4}-\d{6}/g;

/**
 * Where an id comes from: the first answer that contained it. `action` repeats the request with that answer, and
 * `pointer` is the JSON Pointer (RFC 6901) of the id in that answer.
 */
export type IdSource = { action: RecordedAction; pointer: string };

/**
 * Returns recorded actions in a form that can be played again, sorted by time. The service gives other ids when they
 * are played, so an id from an earlier answer is replaced by a name in braces, such as `{id-1}`. The action with that
 * answer gets the member `keep`, which says under which name the id is kept. A read of such an id is added as an
 * action.
 * @param entries the journal, oldest first
 * @param actionOf returns the action for a journal entry; null when it cannot
 *   be repeated
 */
export function withKeptIds(
  actions: readonly RecordedAction[],
  entries: readonly Entry[],
  actionOf: (entry: Entry) => RecordedAction | null,
): RecordedAction[] {
  const sources = sourcesIn(entries, actionOf);
  const names: Map<string, string> = new Map();
  /** The ids that each action must keep: JSON Pointers in its answer, keyed by the name of the id. */
  const keeps: Map<RecordedAction, Record<string, string>> = new Map();
  /**
   * Returns the name of an id in braces, and adds the id to `keeps`. Returns the id itself when no answer to an earlier
   * action contains it.
   * @param at time of the action
   */
  function nameOf(id: string, at: number) {
    const source = sources.get(id);
    if (source === undefined || source.action.at > at) return id;
    const name = names.get(id) ?? `${wordIn(source.pointer)}-${names.size + 1}`;
    names.set(id, name);
    const keep = keeps.get(source.action) ?? {};
    keep[name] = source.pointer;
    keeps.set(source.action, keep);
    return `{${name}}`;
  }
  /** Returns a copy of an action, with names in place of ids. */
  const named = (action: RecordedAction): RecordedAction =>
    JSON.parse(JSON.stringify(action).replace(ID, (id) => nameOf(id, action.at)));
  const namedActions = actions.map(named);
  const kept: RecordedAction[] = [];
  // An action that is added here can itself need an id, and so add a key or a pointer to the map.
  for (const [action, keep] of keeps) kept.push({ ...named(action), keep });
  const isKept = ({ at, path }: RecordedAction) => kept.some((one) => one.at === at && one.path === path);
  return [...namedActions.filter((action) => !isKept(action)), ...kept].toSorted((one, other) => one.at - other.at);
}

/**
 * Returns the last member name of letters only in a JSON Pointer, such as `documentIds` for `/documentIds/0`; `id` when
 * there is none.
 */
const wordIn = (pointer: string) => pointer.split('/').findLast((member) => /^[a-zA-Z]+$/.test(member)) ?? 'id';

/**
 * Returns where each id in the journal comes from, keyed by id. Left out are ids that the client made, which are in a
 * request before they are in an answer.
 */
function sourcesIn(entries: readonly Entry[], actionOf: (entry: Entry) => RecordedAction | null) {
  const sources: Map<string, IdSource> = new Map();
  const given = new Set();
  const made = new Set();
  for (const entry of entries) {
    const { request, response } = entry;
    const needed = new Set(`${request.path} ${request.body ?? ''}`.match(ID));
    for (const id of needed) if (!given.has(id)) made.add(id);
    const action = actionOf(entry);
    for (const [pointer, text] of stringsIn(response.body)) {
      if (text.match(ID)?.[0] !== text || made.has(text)) continue;
      given.add(text);
      if (action !== null && !needed.has(text) && !sources.has(text)) sources.set(text, { action, pointer });
    }
  }
  return sources;
}

/**
 * Returns the strings at any depth in the objects and lists of a JSON body, each with its JSON Pointer. Returns an
 * empty list when the body is absent or is not JSON.
 */
function stringsIn(body: string | null): [pointer: string, text: string][] {
  /**
   * Returns the strings in one value of the body, each with its JSON Pointer.
   * @param pointer the JSON Pointer of the value
   */
  const within = (value: unknown, pointer: string): [string, string][] => {
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
