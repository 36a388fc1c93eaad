import type { App, Panel } from '../app/app.ts';
import { field, select, setOptions, textbox } from '../elements/controls.ts';
import { h } from '../elements/dom.ts';
import { texts } from '../texts/texts.ts';
import type { Entry } from '../types.d.ts';
import { entryItem, personText } from './entry.ts';

const words = texts.journal;
/** Maximum number of entries on the page. Above it, the oldest entries are removed. */
export const MAX_ENTRIES = 200;

/**
 * Creates the list of journal entries (recorded requests to the service), newest first. `filters` are the fields with
 * which the user filters the list, and `elements` show the list.
 * @param panelOf returns the panel that shows the errors
 */
export function createEntryList(app: App, panelOf: () => Panel) {
  let kept: { entry: Entry; item: HTMLLIElement }[] = [];
  const list = h('ol', { class: 'entries', 'aria-label': words.list });
  const nothing = h('p', { class: 'utrecht-paragraph hint' });
  const person = select([['', words.all]], { onchange: filter });
  const operation = select([['', words.all]], { onchange: filter });
  const status = select(words.statuses as [string, string][], { onchange: filter });
  const trace = textbox({ oninput: filter });
  const filters = h(
    'div',
    { class: 'row row--tight' },
    field(words.person, person),
    field(words.operation, operation),
    field(words.status, status),
    field(words.trace, trace),
  );

  /** Removes all entries from the list. */
  function clear() {
    kept = [];
    list.replaceChildren();
    filter();
  }

  /**
   * Adds an entry to the list, which is sorted by id. Does nothing when the list already has this request. An entry of
   * another request with the same id is replaced, because ids begin again after a restart of the service.
   */
  function add(entry: Entry) {
    const at = kept.findIndex((one) => one.entry.id <= entry.id);
    if (kept[at]?.entry.id === entry.id) {
      if (kept[at]?.entry.traceId === entry.traceId) return;
      remove(at);
    }
    const item = entryItem(app, panelOf(), entry);
    list.insertBefore(item, at === -1 ? null : (kept[at]?.item ?? null));
    kept.splice(at === -1 ? kept.length : at, 0, { entry, item });
    for (const { item: oldest } of kept.splice(MAX_ENTRIES)) oldest.remove();
    filter();
  }

  const remove = (at: number) => kept.splice(at, 1)[0]?.item.remove();

  /**
   * Makes the list equal to `entries`, but keeps entries whose id is in `since`.
   * @param since ids that arrived after `entries` was requested
   */
  function synchronise(entries: Entry[], since: ReadonlySet<number>) {
    const there = new Set(entries.map(({ traceId }) => traceId));
    for (let at = kept.length - 1; at >= 0; at -= 1) {
      const entry = kept[at]?.entry;
      if (entry !== undefined && !there.has(entry.traceId) && !since.has(entry.id)) remove(at);
    }
    for (const entry of entries) add(entry);
    filter();
  }

  /** Hides the entries that do not match the chosen filters, and updates the choices of the filters. */
  function filter() {
    const subjects = new Set(kept.map(({ entry }) => (entry.caller === null ? '' : personText(entry.caller))));
    const operations = new Set(kept.map(({ entry }) => entry.operation ?? ''));
    setOptions(person, choices(subjects, app.nameOf));
    setOptions(operation, choices(operations));
    let shown = 0;
    for (const { entry, item } of kept) {
      const fits =
        [personText(entry.caller), ''].includes(person.value) &&
        [entry.operation, ''].includes(operation.value) &&
        String(entry.response.status).startsWith(status.value) &&
        entry.traceId.startsWith(trace.value.trim().toLowerCase());
      item.hidden = !fits;
      if (fits) shown += 1;
    }
    nothing.textContent = kept.length === 0 ? words.empty : shown === 0 ? words.nothing : '';
    nothing.hidden = shown > 0;
  }

  // An entry can arrive before the name of its caller is known.
  app.store.on('personas', () => {
    for (const name of list.querySelectorAll('[data-slug]') as NodeListOf<HTMLElement>)
      name.textContent = app.nameOf(name.dataset.slug ?? '');
    filter();
  });

  return {
    filters,
    elements: [nothing, list],
    add,
    clear,
    synchronise,
    /** Returns the number of entries in the list. Entries that a filter hides count too. */
    count: () => kept.length,
  };
}

/**
 * Returns the options of a filter, each as its value and its text: first the option for all (an empty value), then the
 * values in alphabetical order.
 */
const choices = (values: Set<string>, nameOf: (value: string) => string = (value) => value): [string, string][] => [
  ['', words.all],
  ...([...values]
    .filter(Boolean)
    .sort()
    .map((value) => [value, nameOf(value)]) as [string, string][]),
];
