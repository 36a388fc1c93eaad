import { api, inWorld } from '../app/api.ts';
import type { App } from '../app/app.ts';
import { copy } from '../app/copy.ts';
import type { Canvas } from '../canvas.ts';
import { button, field, select } from '../elements/controls.ts';
import { h } from '../elements/dom.ts';
import { qrCode } from '../elements/qr-code.ts';
import { layout } from '../texts/layout.ts';

const words = layout.audience;

/**
 * Creates the button that shows a QR code and a link with which an audience opens Mijn register on their own devices,
 * as the chosen person. When the service gives no link, shows the reason.
 */
export function createAudience(app: App, canvas: Canvas) {
  const { store, selection } = app;
  const element = h(
    'button',
    {
      type: 'button',
      class: 'bar__button bar__audience',
      'aria-keyshortcuts': 'Q',
      'aria-haspopup': 'dialog',
      onclick: show,
    },
    words.open,
  );
  let dialog: HTMLDialogElement | null = null;

  async function show() {
    const part = { message: h('div', { class: 'messages' }) };
    const content = h('div', { class: 'audience' });
    const buttons = h(
      'div',
      { class: 'buttons' },
      button(layout.close, () => opened.close()),
    );
    const opened: HTMLDialogElement = h(
      'dialog',
      { class: 'dialog dialog--audience', 'aria-labelledby': 'publiek-kop' },
      h('h2', { class: 'utrecht-heading-2', id: 'publiek-kop' }, words.title),
      part.message,
      content,
      buttons,
    );
    dialog = opened;
    opened.addEventListener('close', () => {
      opened.remove();
      dialog = null;
    });
    document.body.append(opened);
    opened.showModal();
    await app.run(part, async () => {
      const screen = canvas.frames[0]?.contentDocument?.location.hash.slice(2) ?? '';
      const query = new URLSearchParams({ screen });
      const { links, reason } = await api(`${inWorld(store.world)}/audience/${selection.slug}?${query}`);
      if (reason !== null) {
        content.replaceChildren(h('p', { class: 'utrecht-paragraph' }, reason));
        return;
      }
      const link = linkPart(links);
      content.replaceChildren(...link.nodes);
      buttons.prepend(button(words.copy, () => copy(app, part, link.chosen(), words.copied)));
    });
  }

  /**
   * Returns `nodes`, elements that show a link with its QR code, and `chosen`, which returns that link. With several
   * links, the user can choose one.
   */
  function linkPart(links: string[]) {
    const about = words.about(app.nameOf(selection.slug), store.world);
    const choice = select(links.map((link) => [link, new URL(link).host]));
    const code = h('div', {});
    const link = h('a', {
      class: 'utrecht-link utrecht-link--html-a audience__link',
      target: '_blank',
      rel: 'noopener',
    });
    const draw = () => {
      code.replaceChildren(qrCode(choice.value, words.image));
      link.href = choice.value;
      link.textContent = choice.value;
    };
    choice.addEventListener('change', draw);
    draw();
    const nodes = [
      h('p', { class: 'utrecht-paragraph' }, about),
      code,
      h('p', { class: 'utrecht-paragraph' }, link),
      ...(links.length > 1 ? [field(words.address, choice, words.addressHint)] : []),
      h('p', { class: 'utrecht-paragraph hint' }, words.network),
    ];
    return { nodes, chosen: () => choice.value };
  }

  return {
    element,
    /** Shows the QR code, or closes it when it is shown. */
    toggle: () => (dialog === null ? show() : dialog.close()),
    isShown: () => dialog !== null,
  };
}

/** The button for the audience, as `createAudience` returns it. */
export type AudienceTool = ReturnType<typeof createAudience>;
