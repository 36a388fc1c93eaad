import { api, BASE, inWorld } from '../app/api.js';
import { panel } from '../app/app.js';
import { button, field, select, setOptions } from '../elements/controls.js';
import { h } from '../elements/dom.js';
import { texts } from '../texts/texts.js';
import { entryItem, personText } from './entry.js';
import { watch } from './stream.js';

/** @import { App } from '../app/app.js' */
/** @import { Entry } from '../types.d.ts' */

const words = texts.journal;
/** Maximum number of entries on the page. Above it, the oldest entries are removed. */
const MAX_ENTRIES = 200;
/** Milliseconds between a new journal entry and the next load of the data of the store. */
const REFRESH_DELAY = 300;
/** Milliseconds that a journal entry may take to arrive before the page opens a new event stream. */
const MAX_LATENCY = 2_000;

/**
 * Creates the panel of the journal (the recorded requests to the service in this world), newest first. It is not a live
 * region, because a screen reader would read every new entry aloud.
 * @param {App} app
 */
export function journalPanel(app) {
  const { store } = app;
  /** @type {{ entry: Entry, item: HTMLLIElement }[]} newest first */
  let kept = [];
  /** @type {ReturnType<typeof watch> | null} */
  let stream = null;
  let paused = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let refreshTimer;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let restartTimer;

  const list = h('ol', { class: 'entries', 'aria-label': words.list });
  const nothing = h('p', { class: 'utrecht-paragraph hint' });
  const lost = h('p', { class: 'utrecht-paragraph hint', role: 'status' });
  const person = select([['', words.all]], { onchange: filter });
  const operation = select([['', words.all]], { onchange: filter });
  const status = select(/** @type {[string, string][]} */ (words.statuses), { onchange: filter });
  const pause = button(words.pause, () => (paused ? resume() : stop()), { key: 'pause' });
  const har = h('a', { class: 'utrecht-link utrecht-link--html-a', download: '' }, words.har);
  const part = panel(
    'journaal',
    words.title,
    h('p', { class: 'utrecht-paragraph hint' }, words.intro),
    h(
      'div',
      { class: 'row row--tight' },
      field(words.person, person),
      field(words.operation, operation),
      field(words.status, status),
    ),
    h(
      'div',
      { class: 'buttons' },
      pause,
      button(words.clear, () =>
        app.run(part, () => api(`${inWorld(store.world)}/journal`, { method: 'DELETE' }).then(clear), words.cleared),
      ),
      har,
    ),
    lost,
    nothing,
    list,
  );

  function clear() {
    kept = [];
    list.replaceChildren();
    filter();
  }

  /**
   * Adds an entry to the list, which is sorted by id. Does nothing when the list already has this request. An entry of
   * another request with the same id is replaced, because ids begin again after a restart of the service.
   * @param {Entry} entry
   */
  function add(entry) {
    const at = kept.findIndex((one) => one.entry.id <= entry.id);
    if (kept[at]?.entry.id === entry.id) {
      if (kept[at]?.entry.traceId === entry.traceId) return;
      remove(at);
    }
    const item = entryItem(app, part, entry);
    list.insertBefore(item, at === -1 ? null : (kept[at]?.item ?? null));
    kept.splice(at === -1 ? kept.length : at, 0, { entry, item });
    for (const { item: oldest } of kept.splice(MAX_ENTRIES)) oldest.remove();
    filter();
  }

  const remove = (/** @type {number} */ at) => kept.splice(at, 1)[0]?.item.remove();

  /**
   * Makes the list equal to `entries`, but keeps entries whose id is in `since`.
   * @param {Entry[]} entries
   * @param {ReadonlySet<number>} since ids that arrived after `entries` was requested
   */
  function synchronise(entries, since) {
    const there = new Set(entries.map(({ traceId }) => traceId));
    for (let at = kept.length - 1; at >= 0; at -= 1) {
      const entry = kept[at]?.entry;
      if (entry !== undefined && !there.has(entry.traceId) && !since.has(entry.id)) remove(at);
    }
    for (const entry of entries) add(entry);
    filter();
  }

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
        String(entry.response.status).startsWith(status.value);
      item.hidden = !fits;
      if (fits) shown += 1;
    }
    nothing.textContent = kept.length === 0 ? words.empty : shown === 0 ? words.nothing : '';
    nothing.hidden = shown > 0;
  }

  /** Loads the data of the store again after 300 ms, once for several requests in that time. */
  function scheduleRefresh() {
    if (refreshTimer !== undefined) return;
    refreshTimer = setTimeout(() => {
      refreshTimer = undefined;
      store.refresh().catch(() => {});
    }, REFRESH_DELAY);
  }

  function begin() {
    stream?.close();
    har.href = `${BASE}/${inWorld(store.world)}/journal.har`;
    har.download = `journaal-${store.world}.har`;
    stream = watch(store.world, {
      onList: synchronise,
      onEntry(entry) {
        add(entry);
        scheduleRefresh();
      },
      onBroken(isBroken) {
        lost.textContent = isBroken ? words.lost : '';
      },
    });
  }

  function stop() {
    paused = true;
    stream?.close();
    pause.replaceChildren(words.resume);
    app.say(words.paused);
  }

  function resume() {
    paused = false;
    pause.replaceChildren(words.pause);
    begin();
    app.say(words.resumed);
  }

  /**
   * Returns how many of the newest 200 entries of the journal are not in the list; a negative number when the list has
   * more entries than the journal.
   */
  const missing = () => Math.min(store.known.world?.entries ?? 0, MAX_ENTRIES) - kept.length;

  store.on('world', () => {
    if (paused || stream === null) return;
    // The journal was emptied, on this page or elsewhere.
    if (missing() < 0) stream.reload();
    // A connection can be dead without an error, for example after the computer slept: open a new stream.
    else if (missing() > 0) {
      clearTimeout(restartTimer);
      restartTimer = setTimeout(() => {
        if (missing() > 0 && !paused && document.visibilityState === 'visible') begin();
      }, MAX_LATENCY);
    }
  });

  return {
    element: part.element,
    /**
     * Closes the event stream when the page is hidden. Opens it when the page is visible and the journal is not paused.
     * @param {boolean} visible
     */
    setVisible(visible) {
      if (!visible) stream?.close();
      else if (!paused) begin();
    },
    /** Empties the list, and loads the journal of the world that is shown, unless the journal is paused. */
    showCurrentWorld() {
      clear();
      if (!paused) begin();
      else har.href = `${BASE}/${inWorld(store.world)}/journal.har`;
    },
  };
}

/**
 * Returns the options of a filter, each as its value and its text: first the option for all (an empty value), then the
 * values in alphabetical order.
 * @param {Set<string>} values
 * @param {(value: string) => string} [nameOf]
 * @returns {[string, string][]}
 */
const choices = (values, nameOf = (value) => value) => [
  ['', words.all],
  .../** @type {[string, string][]} */ (
    [...values]
      .filter(Boolean)
      .sort()
      .map((value) => [value, nameOf(value)])
  ),
];
