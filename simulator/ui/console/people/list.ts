import type { App } from '../app/app.ts';
import { badge, field, textbox } from '../elements/controls.ts';
import { h, redraw } from '../elements/dom.ts';
import { roving } from '../elements/roving.ts';
import { toneOf } from '../elements/tones.ts';
import { layout } from '../texts/layout.ts';
import { label, texts } from '../texts/texts.ts';
import type { PersonaCard } from '../types.d.ts';
import { storyDay } from './situation.ts';

const words = texts.personas;

/**
 * Returns the list of all personas (fictional people with a story), with a field to search it. A press on a persona
 * selects that persona.
 */
export function peopleList(app: App) {
  const { store, selection } = app;
  const filter = textbox({ type: 'search', oninput: draw });
  const count = h('p', { class: 'hint', role: 'status' });
  const dayOfStories = h('p', { class: 'hint', hidden: true });
  const list = roving(h('ul', { class: 'people', role: 'listbox', 'aria-label': layout.list }), '[role="option"]');

  function draw() {
    const sought = filter.value.trim().toLowerCase();
    const shown = (store.known.personas ?? []).filter((persona) => searchable(persona).includes(sought));
    count.textContent = words.found(shown.length);
    redraw(list, ...shown.map(line));
  }

  /** Returns the list item of a persona. */
  function line({ slug, naam, kind, toont, nu }: PersonaCard) {
    const choose = () => selection.choose(slug);
    return h(
      'li',
      {
        class: 'person',
        role: 'option',
        tabindex: '-1',
        'aria-selected': String(slug === selection.slug),
        'data-key': `persoon-${slug}`,
        onclick: choose,
        onkeydown(event: KeyboardEvent) {
          if (event.key !== 'Enter' && event.key !== ' ') return;
          event.preventDefault();
          choose();
        },
      },
      h(
        'span',
        { class: 'person__head' },
        h('strong', {}, naam),
        nu === null ? badge(label(words.kinds, kind)) : badge(nu.status ?? words.unregistered, toneOf(nu.status)),
      ),
      h('span', { class: 'person__story' }, toont),
    );
  }

  /** Scrolls to the selected persona; only the list, because in a small window the page scrolls too. */
  function scrollToChosen() {
    const chosen = list.querySelector('[aria-selected="true"]')?.getBoundingClientRect();
    if (chosen === undefined) return;
    const { top, bottom } = list.getBoundingClientRect();
    list.scrollBy(0, Math.min(0, chosen.top - top) || Math.max(0, chosen.bottom - bottom));
  }

  store.on('world', (world) => {
    const day = storyDay(world);
    dayOfStories.textContent = words.storiesOf(day);
    dayOfStories.hidden = day === '';
  });
  store.on('personas', draw);
  selection.on(() => {
    for (const one of list.children)
      one.setAttribute('aria-selected', String(one.getAttribute('data-key') === `persoon-${selection.slug}`));
    scrollToChosen();
  });
  return h('div', { class: 'people__panel', id: 'personen' }, field(words.filter, filter), count, dayOfStories, list);
}

/** Returns the text about a persona in which the search field looks, in lower case. */
const searchable = ({ slug, naam, toont, kind, situaties, nu }: PersonaCard) =>
  [slug, naam, toont, ...situaties, label(words.kinds, kind), nu?.beroep, nu?.status, nu?.woonplaats]
    .join(' ')
    .toLowerCase();
