import { api, BASE, inWorld } from './api.js';
import { panel } from './app.js';
import { button, field, select, setOptions } from './controls.js';
import { h } from './dom.js';
import { entryItem, personText } from './journal-entry.js';
import { watch } from './journal-stream.js';
import { texts } from './texts.js';

/** @import { App } from './app.js' */
/** @import { Entry } from './types.d.ts' */

const words = texts.journal;
/** Entries kept on the page; the oldest make room. */
const KEPT = 200;
/** Milliseconds between a call and the look at what it changed. */
const SETTLE = 300;
/** Milliseconds that an entry which the world has counted may still be on its way. */
const DOUBT = 2_000;

/**
 * Every call of the frontend as it comes, the newest first. Not a live region: who reads it is not talked through.
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
  let looking;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let doubt;

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

  /** @param {Entry} entry */
  function add(entry) {
    const at = kept.findIndex((one) => one.entry.id <= entry.id);
    if (kept[at]?.entry.id === entry.id) {
      if (kept[at]?.entry.traceId === entry.traceId) return;
      remove(at);
    }
    const item = entryItem(app, part, entry);
    list.insertBefore(item, at === -1 ? null : (kept[at]?.item ?? null));
    kept.splice(at === -1 ? kept.length : at, 0, { entry, item });
    for (const { item: oldest } of kept.splice(KEPT)) oldest.remove();
    filter();
  }

  /** @param {number} at */
  const remove = (at) => kept.splice(at, 1)[0]?.item.remove();

  /**
   * What there is; what is on the page and not there any more goes.
   * @param {Entry[]} entries
   * @param {ReadonlySet<number>} since
   */
  function agree(entries, since) {
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
    setOptions(person, choices(subjects));
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

  /** A call may have changed anything, even one that reads (a letter comes into being when it is opened); many are one look. */
  function lookAround() {
    if (looking !== undefined) return;
    looking = setTimeout(() => {
      looking = undefined;
      store.refresh().catch(() => {});
    }, SETTLE);
  }

  function begin() {
    stream?.close();
    har.href = `${BASE}/${inWorld(store.world)}/journal.har`;
    har.download = `journaal-${store.world}.har`;
    stream = watch(store.world, {
      all: agree,
      arrived(entry) {
        add(entry);
        lookAround();
      },
      broken(broken) {
        lost.textContent = broken ? words.lost : '';
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

  /** What the world counts beyond what the page has, as far as the page keeps them. */
  const missing = () => Math.min(store.known.world?.entries ?? 0, KEPT) - kept.length;

  store.on('world', () => {
    if (paused || stream === null) return;
    // Emptied by a reset, here or elsewhere: there is less than what the page shows.
    if (missing() < 0) stream.again();
    // A line may be dead without a word, after a night's sleep for one: then a new one is begun.
    else if (missing() > 0) {
      clearTimeout(doubt);
      doubt = setTimeout(() => {
        if (missing() > 0 && !paused && document.visibilityState === 'visible') begin();
      }, DOUBT);
    }
  });

  return {
    element: part.element,
    /** @param {boolean} seen whether somebody can see the page */
    seen(seen) {
      if (!seen) stream?.close();
      else if (!paused) begin();
    },
    /** Shows the journal of the world that the page looks at now. */
    look() {
      clear();
      if (!paused) begin();
      else har.href = `${BASE}/${inWorld(store.world)}/journal.har`;
    },
  };
}

/**
 * @param {Set<string>} values
 * @returns {[string, string][]}
 */
const choices = (values) => [
  ['', words.all],
  .../** @type {[string, string][]} */ (
    [...values]
      .filter(Boolean)
      .sort()
      .map((value) => [value, value])
  ),
];
