import { layout } from '../texts/layout.ts';
import { button } from './controls.ts';
import { h } from './dom.ts';

/**
 * Creates the drawers: panels that open at the side of the page, at most one at a time. Escape closes the open drawer.
 * @param place the element that contains the drawers
 */
export function createDrawers(place: HTMLElement) {
  const all: Map<string, { drawer: HTMLElement; opener: HTMLElement }> = new Map();
  let open = '';

  /** Opens the drawer with this id, and closes every other drawer. An empty id closes all drawers. */
  function show(id: string) {
    open = id;
    for (const [name, { drawer, opener }] of all) {
      drawer.hidden = name !== id;
      opener.setAttribute('aria-expanded', String(name === id));
    }
    document.body.classList.toggle('has-drawer', id !== '');
  }

  function close() {
    const was = all.get(open);
    show('');
    was?.opener.focus();
  }

  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && open !== '') close();
  });

  return {
    /**
     * Adds a drawer that contains `panel`, and returns the button that opens and closes the drawer.
     * @param label content of the button; the title when absent
     */
    add(id: string, title: string, panel: HTMLElement, ...label: (Node | string)[]) {
      const opener = h(
        'button',
        {
          type: 'button',
          class: 'bar__button',
          'aria-expanded': 'false',
          'aria-controls': `lade-${id}`,
          'data-key': `lade-${id}`,
          onclick() {
            show(open === id ? '' : id);
            if (open === id) drawer.focus();
          },
        },
        ...(label.length === 0 ? [title] : label),
      );
      // The drawer has the name of the panel, which would else be announced twice.
      panel.removeAttribute('aria-labelledby');
      const drawer = h(
        'div',
        { class: 'drawer', id: `lade-${id}`, role: 'region', 'aria-label': title, tabindex: '-1', hidden: true },
        h('div', { class: 'drawer__head' }, button(layout.close, close, { look: 'subtle', about: title })),
        panel,
      );
      all.set(id, { drawer, opener });
      place.append(drawer);
      return opener;
    },
  };
}
