import { button } from '../elements/controls.ts';
import { h } from '../elements/dom.ts';
import { layout } from '../texts/layout.ts';

/**
 * Asks the user, in a dialog, whether all worlds (copies of the simulated people and data) may be reset. Resolves with
 * true when the user agrees, and otherwise with false.
 * @param question the sentence in the dialog that says which worlds are reset
 */
export function ask(question: string): Promise<boolean> {
  const dialog: HTMLDialogElement = h(
    'dialog',
    { class: 'dialog', 'aria-labelledby': 'vraag-kop' },
    h('h2', { class: 'utrecht-heading-2', id: 'vraag-kop' }, layout.ask.title),
    h('p', { class: 'utrecht-paragraph' }, question),
    h('p', { class: 'utrecht-paragraph' }, layout.ask.kept),
    h(
      'div',
      { class: 'buttons' },
      button(layout.ask.no, () => dialog.close()),
      button(layout.ask.yes, () => dialog.close('ja'), { look: 'primary-action' }),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'ja');
    });
  });
}
