import { api, callAs, fileAt, inWorld, parsed } from '../app/api.ts';

import type { Step, StepDone } from '../types.d.ts';

/** The result of a step of a demonstration that was played. */
export interface ShownStep {
  /** The step as it was played, with kept parts of earlier answers in place of their names. */
  step: Step;
  /**
   * The answer of the control API after the settings of the step were applied: the state of the world, and the headers
   * and curl command for the persona of the step.
   */
  stepDone: StepDone;
  /** The answer of the service to the request of the step; null when the step makes no request. */
  answer: { status: number; ms: number; text: string } | null;
  /** Parts of answers that this step and earlier steps kept, keyed by name. */
  kept: Record<string, string>;
}

/** Resets a world: all its data are again as at the beginning. */
export const resetWorld = (world: string) => api(`${inWorld(world)}/reset`, { method: 'POST', body: {} });

/** The functions with which a step is shown while it is played. */
export interface Stage {
  /** called before the settings of the step are applied, with the step as it is played */
  prepare: (step: Step) => void;
  /** called when the settings are applied */
  onSet: () => void;
  /**
   * called when the step has acts, with what is known of it; resolves when they are done. Rejects with a `PageError`
   * (an error for the user) when the screen does not have what they need
   */
  act: (now: ShownStep) => Promise<void>;
}

/**
 * Plays a step of a demonstration: applies the settings of the step to the world, and then does its acts in Mijn register
 * or makes its request, if it has one, as its persona. An error status in the answer to that request is no failure. Rejects
 * with a `PageError` (an error for the user) when the settings are refused or there is no answer.
 * @param before the parts of answers that the steps before this one kept, keyed by name
 */
export async function playStep(
  world: string,
  step: Step,
  before: Record<string, string>,
  { prepare, onSet, act }: Stage,
): Promise<ShownStep> {
  const now = filledIn(step, before);
  prepare(now);
  const stepDone = await api<StepDone>(`${inWorld(world)}/step`, { method: 'POST', body: now });
  onSet();
  const { path, method = 'GET', body, form, keep, acts } = now;
  const begun = { step: now, stepDone, answer: null, kept: before };
  if (acts !== undefined) {
    await act(begun);
    return begun;
  }
  const sent = form === undefined ? body : await formOf(form);
  const answer = path === undefined ? null : await callAs(path, stepDone.headers, { method, body: sent });
  return { ...begun, answer, kept: { ...before, ...keptOf(keep ?? {}, parsed(answer?.text ?? '')) } };
}

/**
 * Returns the step with kept parts of earlier answers in place of their names in braces, such as `{id-1}`. A name
 * without a kept part stays as it is.
 */
const filledIn = (step: Step, kept: Record<string, string>): Step =>
  JSON.parse(
    JSON.stringify(step).replace(/\{([a-zA-Z]+-\d+)\}/g, (all, name) =>
      kept[name] === undefined ? all : JSON.stringify(kept[name]).slice(1, -1),
    ),
  );

/**
 * Returns the parts of an answer that a step keeps for later steps, keyed by name. A part that is not a string in the
 * answer is left out.
 * @param keep the JSON Pointer of each part
 */
// biome-ignore lint/suspicious/noExplicitAny: any answer of the service
const keptOf = (keep: Record<string, string>, answer: any): Record<string, string> =>
  Object.fromEntries(
    Object.entries(keep).flatMap(([name, pointer]) => {
      const value = pointer
        .split('/')
        .slice(1)
        .map((member) => member.replaceAll('~1', '/').replaceAll('~0', '~'))
        .reduce((part, member) => part?.[member], answer);
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );

/** Resolves with the form of an upload, with a sample file that is loaded from the control API. */
async function formOf({ fields, file: { name, sample, size } }: NonNullable<Step['form']>) {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append('file', await fileAt(`samples/${encodeURIComponent(sample)}?size=${size ?? 0}`), name);
  return form;
}
