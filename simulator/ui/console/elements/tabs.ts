import { h } from './dom.ts';
import { roving } from './roving.ts';

/**
 * Creates tabs with their panels, of which one is shown. The row of tabs is one stop of the Tab key; the arrow keys
 * choose a tab.
 * @param onShow called with the id of the panel each time that another panel is shown
 */
export function tabs(
  label: string,
  all: readonly { id: string; title: string; panel: HTMLElement }[],
  onShow: (id: string) => void = () => {},
) {
  let shown = '';
  const list = h('div', { class: 'tabs', role: 'tablist', 'aria-label': label });
  const buttons = all.map(({ id, title, panel }) => {
    const place = `tab-${id}`;
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', `${place}-knop`);
    panel.id = place;
    panel.classList.add('tabpanel');
    return h(
      'button',
      {
        type: 'button',
        class: 'tab',
        role: 'tab',
        id: `${place}-knop`,
        'aria-controls': place,
        onclick: () => show(id),
        onfocus: () => show(id),
      },
      title,
    );
  });
  list.append(...buttons);

  /** Shows the panel with this id; the first panel when no panel has this id. */
  function show(wanted: string) {
    const id = all.some((one) => one.id === wanted) ? wanted : (all[0]?.id ?? '');
    if (id === shown) return;
    shown = id;
    for (const [at, one] of all.entries()) {
      one.panel.hidden = one.id !== id;
      buttons[at]?.setAttribute('aria-selected', String(one.id === id));
    }
    onShow(id);
  }

  return {
    list: roving(list, '[role="tab"]'),
    panels: all.map(({ panel }) => panel),
    show,
    get shown() {
      return shown;
    },
  };
}
