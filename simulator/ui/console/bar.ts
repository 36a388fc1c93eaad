import type { App } from './app/app.ts';
import { dayText } from './elements/dates.ts';
import { h, redraw } from './elements/dom.ts';
import { roving } from './elements/roving.ts';
import { layout } from './texts/layout.ts';
import { label, texts } from './texts/texts.ts';

/**
 * Returns the elements of the bar above the page: the title, and a toolbar with the world, its date, its active faults
 * and buttons.
 * @param undo the button that undoes the last action
 * @param present the buttons of presentation mode
 * @param panels the panels that the buttons open, and the column that contains the journal (`journalPlace`)
 */
export function createBar(
  { store, selection }: App,
  drawers: ReturnType<typeof import('./elements/drawers.ts').createDrawers>,
  undo: HTMLElement,
  present: HTMLElement[],
  panels: Record<'world' | 'clock' | 'faults' | 'snapshots' | 'journal' | 'journalPlace', HTMLElement>,
) {
  const world = h('strong', { class: 'bar__world' });
  const day = h('strong', {}, layout.unknownDay);
  const mode = h('span', { class: 'bar__mode' });
  const faults = h('strong', {}, layout.unknownFaults);
  const { journalPlace } = panels;
  const opener = drawers.add('faults', texts.faults.title, panels.faults, faults);
  // The column around it has the same name.
  panels.journal.removeAttribute('aria-labelledby');
  journalPlace.append(panels.journal);

  store.on('world', ({ world: name, clock, faults: on }) => {
    redraw(world, name);
    redraw(day, dayText(clock.today));
    mode.textContent = label(texts.clock.modes, clock.mode);
    faults.textContent = on.length === 0 ? layout.noFaults : layout.faults(on.length);
    opener.classList.toggle('bar__button--alarm', on.length > 0);
  });

  /** Shows or hides the journal (the list of requests) on a narrow screen, where it is a drawer. */
  function showJournal(open: boolean) {
    journalPlace.classList.toggle('right--open', open);
    journal.setAttribute('aria-expanded', String(open));
  }
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') showJournal(false);
  });

  const link = (href: string, text: string) => h('a', { class: 'bar__link', href }, text);
  const docs = link('/docs', texts.api);
  /** Lets the page about the API begin as the chosen person in this world. */
  const setDocs = () => {
    docs.setAttribute('href', `/docs?${new URLSearchParams({ wereld: store.world, als: selection.slug })}`);
  };
  store.on('world', setDocs);
  selection.on(setDocs);
  const journal = h(
    'button',
    {
      type: 'button',
      class: 'bar__button bar__journal',
      'aria-expanded': 'false',
      'aria-controls': 'rechts',
      onclick: () => showJournal(!journalPlace.classList.contains('right--open')),
    },
    layout.journal,
  );
  const worldOpener = drawers.add('wereld', texts.world.title, panels.world, `${texts.world.title} `, world);
  const snapshotsOpener = drawers.add('momentopnamen', texts.snapshots.title, panels.snapshots);
  for (const one of [worldOpener, snapshotsOpener])
    one.addEventListener('click', () => store.refreshLists().catch(() => {}));
  return [
    h('h1', { class: 'bar__title' }, texts.title, ' ', h('small', {}, texts.of)),
    roving(
      h(
        'div',
        { class: 'bar__tools', role: 'toolbar', 'aria-label': layout.bar },
        worldOpener,
        drawers.add(
          'klok',
          texts.clock.title,
          panels.clock,
          h('span', { class: 'visually-hidden' }, `${texts.clock.title} `),
          day,
          ' ',
          mode,
        ),
        opener,
        snapshotsOpener,
        undo,
        journal,
        h('span', { class: 'bar__space' }),
        docs,
        link('/_simulator/openapi.json', texts.controlApi),
        ...present,
      ),
    ),
  ];
}
