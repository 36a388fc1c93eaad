/** @import { Change } from './api.js' */
/** @import { Entry, Step } from './types.d.ts' */

/**
 * Something that was done while a demonstration was recorded, with its time in milliseconds since 1970: a setting of the
 * world, a person who was chosen, or a call of the service.
 * @typedef {{ at: number, persona: string } & Partial<Pick<Step, 'reset' | 'restore' | 'clock' | 'scenarios' | 'decide' | 'brief' | 'method' | 'path' | 'body'>>} Deed
 */

/** The members of a step that change the world. */
const SETTINGS = /** @type {const} */ (['reset', 'restore', 'clock', 'scenarios', 'decide', 'brief']);

/**
 * Returns the setting of a step that does the same as a change of the world; null when no step can do it.
 * @param {Change} change its path begins with that of the world
 * @param {readonly string[]} scenarios those that were on before the change
 * @returns {Partial<Step> | null}
 */
export function settingOf({ method, path, body }, scenarios) {
  const [, , what = '', name = '', action] = path.split('/').map(decodeURIComponent);
  const sent = /** @type {any} */ (body);
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
      return name === '' ? { scenarios: [] } : null;
    case 'PUT zaken besluit':
      return { decide: { referentie: name, ...sent } };
    case 'PUT brief':
      return Object.keys(sent).length === 1 ? { brief: sent.tag } : null;
    case 'POST snapshots restore':
      return { restore: name };
    default:
      return null;
  }
}

/**
 * Returns a call in the journal that changed something as a deed; null for a call that cannot be repeated from a file: its
 * body is not JSON, or not whole.
 * @param {Entry} entry
 * @returns {Deed | null}
 */
export function deedOf({ at, caller, request: { method, path, headers, body, truncated } }) {
  const isJson = body !== null || !/multipart/.test(headers['content-type'] ?? '');
  if (caller === null || truncated || !isJson) return null;
  const persona = caller.subject.split('@')[0] ?? '';
  try {
    const sent = body === null || body === '' ? {} : { body: JSON.parse(body) };
    return { at: Date.parse(at), persona, method: /** @type {Step['method']} */ (method), path, ...sent };
  } catch {
    return null;
  }
}

/**
 * Returns the steps that repeat what was done. A step has the settings that came before its call. Of changes that a page
 * saves by itself, one after another to the same address, the last is kept.
 * @param {readonly Deed[]} deeds
 * @param {(deed: Deed) => string} titleOf
 * @param {string} say text of each step, to be edited
 * @returns {Step[]}
 */
export function stepsOf(deeds, titleOf, say) {
  /** @type {Deed[]} */
  const steps = [];
  for (const deed of deeds.toSorted((one, other) => one.at - other.at)) {
    const last = steps.at(-1);
    const taken = SETTINGS.some((name) => deed[name] !== undefined && last?.[name] !== undefined);
    if (last !== undefined && last.path === undefined && !taken) Object.assign(last, deed);
    else if (last !== undefined && isSavedAgain(last, deed)) last.body = deed.body;
    else steps.push({ ...deed });
  }
  return steps.map(({ at: _, ...step }) => ({ title: titleOf({ at: 0, ...step }), say, ...step }));
}

/** @param {Deed} last @param {Deed} deed */
const isSavedAgain = (last, { method, path, persona }) =>
  method === 'PUT' && last.method === 'PUT' && last.path === path && last.persona === persona;
