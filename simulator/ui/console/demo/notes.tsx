import { signal } from '@preact/signals';
import { render } from 'preact';
import type { DemoTool } from './demo.tsx';

/**
 * Creates the presenter's notes of a demonstration, which are shown on this screen or in a second window, which the
 * audience does not see.
 * @param onKey called with each key press in the second window
 */
export function createNotes(demo: DemoTool, onKey: (event: KeyboardEvent) => void) {
  let other: Window | null = null;
  const isShown = signal(false);

  /** Shows or hides the notes on this screen. */
  function show(now: boolean) {
    document.body.classList.toggle('with-notes', now);
    isShown.value = now;
  }

  /** Opens the second window. When the browser does not allow that, shows the notes on this screen. */
  function open() {
    other = window.open('', 'notities', 'popup,width=560,height=640');
    if (other === null) {
      show(true);
      return;
    }
    const { document: page } = other;
    const { documentElement: root } = page;
    root.className = document.documentElement.className;
    root.lang = 'nl';
    page.head.replaceChildren(
      ...[...document.querySelectorAll('link[rel="stylesheet"], meta[name="color-scheme"]')].map((one) =>
        page.importNode(one, true),
      ),
    );
    page.title = 'Notities bij de presentatie';
    page.body.className = 'utrecht-surface console notes-window';
    page.body.replaceChildren();
    page.addEventListener('keydown', onKey);
    render(<Notes of={demo} />, page.body);
  }

  return {
    isShown,
    open,
    toggle: () => show(!isShown.value),
    hasWindow: () => other !== null && !other.closed,
    close() {
      show(false);
      other?.close();
      other = null;
    },
  };
}

/** Shows the notes of the step that is being played. */
function Notes({ of }: { of: DemoTool }) {
  const now = of.shown.value;
  const steps = now?.demo.steps ?? [];
  const step = steps[now?.at ?? 0];
  const next = steps[(now?.at ?? 0) + 1];
  if (now === null || step === undefined)
    return <p class="utrecht-paragraph lead">Er wordt geen demonstratie gespeeld.</p>;
  return (
    <>
      <p class="utrecht-paragraph hint">{`Stap ${now.at + 1} van ${steps.length}`}</p>
      <h1 class="utrecht-heading-2">{step.title}</h1>
      <p class="utrecht-paragraph notes-window__text">{step.notes ?? 'Bij deze stap zijn geen notities.'}</p>
      <p class="utrecht-paragraph hint">{next === undefined ? 'Dit is de laatste stap.' : `Hierna: ${next.title}`}</p>
    </>
  );
}
