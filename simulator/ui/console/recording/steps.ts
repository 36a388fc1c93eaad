import { type Change, isUndoSnapshot } from '../app/api.ts';
import type { Entry, FaultOn, Step, Upload, World } from '../types.d.ts';
import { formOf } from './upload.ts';

/**
 * An action of the user in a recording: `at` is its time in milliseconds since 1970, and `persona` is the slug of the
 * person. The other members are those of a step of a demonstration (`Step` in control/demo-schema.ts) that does the
 * same.
 */
export type RecordedAction = { at: number; persona: string } & Partial<
  Pick<
    Step,
    | 'reset'
    | 'restore'
    | 'clock'
    | 'scenarios'
    | 'faults'
    | 'decide'
    | 'brief'
    | 'document'
    | 'method'
    | 'path'
    | 'body'
    | 'form'
    | 'keep'
  >
>;

/** The members of a step of a demonstration that change the world. */
const SETTINGS = ['reset', 'restore', 'clock', 'scenarios', 'faults', 'decide', 'brief', 'document'] as const;

/**
 * Returns the members of a demonstration step that change the world in the same way as a request did; null when no step
 * can do that.
 * @param change a request to the control API about the world (its path begins with `worlds/<name>/`)
 * @param before the scenarios and faults that were on before the change
 * @param uploads the documents in the world
 */
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

/**
 * Returns the faults as a step of a demonstration sets them: without their ids and the names of their scenarios.
 */
const faultsOf = (faults: FaultOn[]) => faults.map(({ id: _, scenario: __, ...fault }) => fault);

const NOT_REPEATABLE: Readonly<Record<string, string>> = {
  zaken: 'een zaak terug in behandeling nemen',
  journal: 'het journaal wissen, waarmee de aanroepen van daarvoor weg zijn',
  snapshots: 'iets ongedaan maken, want de momentopname daarvan is daarna weg',
};

/** Returns a Dutch description of a change of the world that no step of a demonstration can make. */
export function notRepeatableChange({ method, path }: Change) {
  const [, , what = ''] = path.split('/');
  return NOT_REPEATABLE[what] ?? `de verandering ${method} ${path}`;
}

/** Returns a Dutch description of a request that no step of a demonstration can make. */
export const notRepeatableCall = ({ request: { method, path } }: Entry) =>
  `de aanroep ${method} ${path}, waarvan het journaal niet de hele inhoud heeft`;

/**
 * Returns the action that repeats the request of a journal entry. Returns null when no step of a demonstration can
 * repeat it, for example because the journal has only a part of the body.
 */
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

/**
 * Returns the steps of a demonstration that repeat recorded actions, sorted by time. When possible, a change of the
 * world and the request after it become one step, and so do saves that follow each other.
 * @param titleOf returns the title of the step for an action
 * @param say text of each step, which the author replaces in the file
 */
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

/**
 * Returns true when both actions are a PUT by the same persona to the same path, and no id in the answer to `last` is
 * kept for later steps.
 */
const isSavedAgain = (last: RecordedAction, { method, path, persona }: RecordedAction) =>
  method === 'PUT' &&
  last.method === 'PUT' &&
  last.keep === undefined &&
  last.path === path &&
  last.persona === persona;
