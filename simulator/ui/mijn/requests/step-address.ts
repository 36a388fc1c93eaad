import { useLayoutEffect, useRef } from 'preact/hooks';
import { replaceScreen, route } from '../router.ts';

/**
 * Keeps the step of an application in the address (`#/herregistratie/<id>/<step>`, counted from 1), so that Back and
 * Forward of the browser change the step. When the draft changes its step by itself, the address follows.
 * @param step `stepIndex`: the step that is shown, counted from 0; undefined while the draft is being loaded. `count`: the number of
 *   steps. `show` shows a step, counted from 0, without a new entry in the history of the browser.
 */
export function useStepInAddress({
  type,
  id,
  stepIndex,
  count,
  show,
}: {
  type: string;
  id: string;
  stepIndex: number | undefined;
  count: number;
  show: (step: number) => void;
}) {
  const asked = Number(route.value[2]) - 1;
  /** The step in the address that was last shown. */
  const shown = useRef(asked);
  // Before the browser handles Back: an effect after the paint would overwrite the address of the step before.
  useLayoutEffect(() => {
    if (stepIndex === undefined) return;
    const isAsked = asked !== shown.current && Number.isInteger(asked) && asked >= 0 && asked < count;
    shown.current = asked;
    if (stepIndex === asked) return;
    if (isAsked) show(asked);
    else replaceScreen(type, id, String(stepIndex + 1));
  }, [stepIndex, asked]);
}
