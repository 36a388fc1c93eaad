/** What the address of the page says about a demonstration: its step (`?stap=3`), and presentation mode (`?beeld=presentatie`). */
const STEP = 'stap';
const VIEW = 'beeld';
const PRESENTING = 'presentatie';

const inAddress = (name: string) => new URL(location.href).searchParams.get(name);

/** Changes query parameters of the address; null removes one. With `isNew` as a new entry in the history of the browser. */
function put(values: Record<string, string | null>, isNew: boolean) {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(values))
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  if (url.href === location.href) return;
  if (isNew) history.pushState(null, '', url);
  else history.replaceState(null, '', url);
}

/** Returns the index of the step in the address; null when it has none. */
export function stepInAddress() {
  const text = inAddress(STEP);
  return text !== null && /^[1-9]\d{0,2}$/.test(text) ? Number(text) - 1 : null;
}

/** Puts a step and its person in the address: Back returns to the step before. null removes the step. */
export function showStepInAddress(step: { at: number; persona: string } | null) {
  if (step === null) put({ [STEP]: null }, false);
  else put({ [STEP]: String(step.at + 1), als: step.persona }, stepInAddress() !== null);
}

export const isPresentingInAddress = () => inAddress(VIEW) === PRESENTING;

export const showPresentingInAddress = (isOn: boolean) => put({ [VIEW]: isOn ? PRESENTING : null }, isOn);
