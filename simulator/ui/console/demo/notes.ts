import { h } from '../elements/dom.ts';
import { layout } from '../texts/layout.ts';
import { texts } from '../texts/texts.ts';

import type { DemoPanel } from './demo.ts';

const words = layout.present;

/**
 * Creates the presenter's notes of a demonstration: buttons to show them on this screen or in a second window, which
 * the audience does not see.
 * @param onKey called with each key press in the second window
 */
export function createNotes(demo: DemoPanel, onKey: (event: KeyboardEvent) => void) {
  let other: Window | null = null;
  const toggle = h(
    'button',
    {
      type: 'button',
      class: 'bar__button bar__notes',
      'aria-pressed': 'false',
      'aria-keyshortcuts': 'N',
      title: words.notesKey,
      onclick: () => show(!isShown()),
    },
    words.notes,
  );
  const opener = h(
    'button',
    { type: 'button', class: 'bar__button bar__notes bar__window', onclick: open },
    words.notesWindow,
  );

  const isShown = () => document.body.classList.contains('with-notes');

  /** Shows or hides the notes on this screen. */
  function show(now: boolean) {
    document.body.classList.toggle('with-notes', now);
    toggle.setAttribute('aria-pressed', String(now));
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
      h('title', {}, words.notesTitle),
    );
    page.body.className = 'utrecht-surface console notes-window';
    page.addEventListener('keydown', onKey);
    draw();
  }

  function draw() {
    if (other === null || other.closed) return;
    const now = demo.now();
    const step = now?.steps[now.at];
    const next = now?.steps[now.at + 1];
    other.document.body.replaceChildren(
      ...(now === null || step === undefined
        ? [h('p', { class: 'utrecht-paragraph lead' }, words.nothingPlays)]
        : [
            h('p', { class: 'utrecht-paragraph hint' }, texts.demo.step(now.at + 1, now.steps.length)),
            h('h1', { class: 'utrecht-heading-2' }, step.title),
            h('p', { class: 'utrecht-paragraph notes-window__text' }, step.notes ?? words.noNotes),
            h('p', { class: 'utrecht-paragraph hint' }, next === undefined ? words.last : words.next(next.title)),
          ]),
    );
  }

  demo.onShown(draw);
  return {
    elements: [toggle, opener],
    toggle: () => show(!isShown()),
    hasWindow: () => other !== null && !other.closed,
    close() {
      show(false);
      other?.close();
      other = null;
    },
  };
}
