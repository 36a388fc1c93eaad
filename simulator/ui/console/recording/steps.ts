import { type Change, isUndoSnapshot } from '../app/api.ts';
import type { Entry, FaultOn, Step, Upload, World } from '../types.d.ts';

/** `at` is the time in milliseconds since 1970. The other members are those of a step that does the same. */
export type RecordedAction = { at: number } & Omit<Step, 'title' | 'say' | 'notes' | 'screen' | 'acts' | 'visible'>;

const SETTINGS = ['reset', 'restore', 'clock', 'scenarios', 'faults', 'decide', 'brief', 'document'] as const;

/** The members of a step that makes the same change; null when no step can. `faults` are those before the change. */
export function settingOf(
  { method, path, body }: Change,
  { scenarios, faults }: Pick<World, 'scenarios' | 'faults'>,
  uploads: readonly Upload[],
): Partial<Step> | null {
  const [, , what = '', name = '', action] = path.split('/').map(decodeURIComponent);
  // biome-ignore lint/suspicious/noExplicitAny: the service has accepted this body
  const sent = body as any;
  const own = faults.filter(({ scenario }) => scenario === null);
  switch (`${method} ${[what, action].filter(Boolean).join(' ')}`) {
    case 'POST reset':
      return { reset: sent?.begin === undefined ? true : { begin: sent.begin } };
    case 'POST clock':
      return { clock: sent };
    case 'PUT scenarios':
      return { scenarios: [...scenarios, name] };
    case 'DELETE scenarios':
      return { scenarios: scenarios.filter((one) => one !== name) };
    case 'DELETE faults':
      return name === '' ? { scenarios: [], faults: [] } : { faults: faultsOf(own.filter(({ id }) => id !== name)) };
    case 'POST faults':
      return { faults: [...faultsOf(own), sent] };
    case 'PUT zaken besluit':
      return { decide: { referentie: name, ...sent } };
    case 'PUT brief':
      return { brief: Object.keys(sent).length === 1 ? sent.tag : sent };
    case 'PUT uploads': {
      const upload = uploads.find(({ documentId }) => documentId === name);
      if (upload === undefined) return null;
      const { slug, wizardId, localId } = upload;
      return { document: { persona: slug, wizardId, localId, ...sent } };
    }
    case 'POST snapshots restore':
      // The snapshot of an undone action is deleted, so no step can restore it.
      return isUndoSnapshot(name) ? null : { restore: name };
    default:
      return null;
  }
}

const faultsOf = (faults: FaultOn[]) => faults.map(({ id: _, scenario: __, ...fault }) => fault);

const NOT_REPEATABLE: Readonly<Record<string, string>> = {
  zaken: 'een zaak terug in behandeling nemen',
  journal: 'het journaal wissen, waarmee de aanroepen van daarvoor weg zijn',
  snapshots: 'iets ongedaan maken, want de momentopname daarvan is daarna weg',
};

export function notRepeatableChange({ method, path }: Change) {
  const [, , what = ''] = path.split('/');
  return NOT_REPEATABLE[what] ?? `de verandering ${method} ${path}`;
}

export const notRepeatableCall = ({ request: { method, path } }: Entry) =>
  `de aanroep ${method} ${path}, waarvan het journaal niet de hele inhoud heeft`;

/** Null when no step can repeat the request, such as one of which the journal has only a part of the body. */
export function actionOf(entry: Entry): RecordedAction | null {
  const { at, caller, request } = entry;
  const { method, path, headers, body, truncated } = request;
  if (caller === null || truncated) return null;
  const action = {
    at: Date.parse(at),
    persona: caller.subject.split('@')[0] ?? '',
    method: method as Step['method'],
    path,
  };
  try {
    if (/multipart/.test(headers['content-type'] ?? '')) {
      const form = formOf(entry);
      return form === null ? null : { ...action, form };
    }
    return body === null || body === '' ? action : { ...action, body: JSON.parse(body) };
  } catch {
    return null;
  }
}

/** A change of the world and the request after it become one step if possible, and so do saves after each other. */
export function stepsOf(
  actions: readonly RecordedAction[],
  titleOf: (action: RecordedAction) => string,
  say: string,
): Step[] {
  const steps: RecordedAction[] = [];
  for (const action of actions.toSorted((one, other) => one.at - other.at)) {
    const last = steps.at(-1);
    const taken = SETTINGS.some((name) => action[name] !== undefined && last?.[name] !== undefined);
    if (last !== undefined && last.path === undefined && !taken) Object.assign(last, action);
    else if (last !== undefined && isSavedAgain(last, action)) Object.assign(last, action, { at: last.at });
    else steps.push({ ...action });
  }
  return steps.map(({ at: _, ...step }) => ({ title: titleOf({ at: 0, ...step }), say, ...step }));
}

const isSavedAgain = (last: RecordedAction, { method, path, persona }: RecordedAction) =>
  method === 'PUT' &&
  last.method === 'PUT' &&
  last.keep === undefined &&
  last.path === path &&
  last.persona === persona;

/** Matches an id of the service: a UUID, or a reference such as `HER-2026-000123`. */
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Z]{3}-\d{4}-\d{6}/g;

/** The first answer that contained an id: the action that gets it again, and the JSON Pointer of the id in it. */
type IdSource = { action: RecordedAction; pointer: string };

/**
 * The service gives other ids when the actions are played: an id from an earlier answer becomes a name in braces, such
 * as `{id-1}`, and the action with that answer keeps it (`keep`). A read of such an id is added as an action.
 */
export function withKeptIds(actions: readonly RecordedAction[], entries: readonly Entry[]): RecordedAction[] {
  const sources = sourcesIn(entries);
  const names: Map<string, string> = new Map();
  /** The ids that each action must keep: JSON Pointers in its answer, keyed by the name of the id. */
  const keeps: Map<RecordedAction, Record<string, string>> = new Map();
  /** Returns the name of an id in braces, and keeps it; the id itself when no answer to an action before `at` has it. */
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
  const named = (action: RecordedAction): RecordedAction =>
    JSON.parse(JSON.stringify(action).replace(ID, (id) => nameOf(id, action.at)));
  const namedActions = actions.map(named);
  const kept: RecordedAction[] = [];
  // An action that is added here can itself need an id, and so add a key or a pointer to the map.
  for (const [action, keep] of keeps) kept.push({ ...named(action), keep });
  const isKept = ({ at, path }: RecordedAction) => kept.some((one) => one.at === at && one.path === path);
  return [...namedActions.filter((action) => !isKept(action)), ...kept].toSorted((one, other) => one.at - other.at);
}

/** The last member name of letters only, such as `documentIds` for `/documentIds/0`; `id` when there is none. */
const wordIn = (pointer: string) => pointer.split('/').findLast((member) => /^[a-zA-Z]+$/.test(member)) ?? 'id';

/** Without ids that the client made, which are in a request before they are in an answer. */
function sourcesIn(entries: readonly Entry[]) {
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

/** Empty when the body is absent or is not JSON. */
function stringsIn(body: string | null): [pointer: string, text: string][] {
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

/** Sample files that the service refuses, keyed by the code of the problem. Two have different extensions. */
const REFUSED_SAMPLES: Readonly<Record<string, readonly string[]>> = {
  'bestand-leeg': ['leeg.pdf'],
  'bestand-te-groot': ['te-groot.pdf'],
  'bestandstype-niet-toegestaan': ['tekst.pdf'],
  'bestandsnaam-onjuist': ['pdf-als-foto.jpg'],
  'bestand-beschadigd': ['afgebroken.pdf', 'afgebroken.jpg'],
  'bestand-versleuteld': ['wachtwoord.pdf'],
  'afbeelding-te-groot': ['te-veel-pixels.png'],
  'bestand-geinfecteerd': ['virus.pdf'],
};

/**
 * A sample file takes the place of the one that was sent, which the journal does not have; for a refused upload, one
 * that is refused with the same code. Null when the journal lacks the name of the file or the value of a field.
 */
export function formOf({ request: { body }, problem }: Entry): Step['form'] | null {
  const {
    fields,
    file,
  }: { fields: Record<string, string | null>; file: { name: string; size: number | null } | null } = JSON.parse(
    body ?? '{}',
  );
  if (!file || Object.values(fields).includes(null)) return null;
  const sent = fields as Record<string, string>;
  const [first, ...others] = REFUSED_SAMPLES[problem ?? ''] ?? [];
  if (first === undefined) {
    const type = extensionOf(file.name);
    const sample = type === 'png' || type === 'pdf' ? type : type === 'jpg' || type === 'jpeg' ? 'jpg' : 'pdf';
    return { fields: sent, file: { name: file.name, sample, size: file.size } };
  }
  const sample = others.find((one) => extensionOf(one) === extensionOf(file.name)) ?? first;
  const isSameType = problem !== 'bestandsnaam-onjuist' && extensionOf(sample) === extensionOf(file.name);
  return { fields: sent, file: { name: isSameType ? file.name : sample, sample, size: null } };
}

const extensionOf = (name: string) => name.toLowerCase().split('.').at(-1);
