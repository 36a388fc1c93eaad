import { api, BASE, inWorld } from '../app/api.ts';
import type { App } from '../app/app.ts';
import { panel } from '../app/app.ts';
import { button } from '../elements/controls.ts';
import { h } from '../elements/dom.ts';
import { texts } from '../texts/texts.ts';
import { createEntryList, MAX_ENTRIES } from './entries.ts';
import { watch } from './stream.ts';

const words = texts.journal;
/** Milliseconds between a new journal entry and the next load of the data of the store. */
const REFRESH_DELAY = 300;
/** Milliseconds that a journal entry may take to arrive before the page opens a new event stream. */
const MAX_LATENCY = 2_000;

/**
 * Creates the panel of the journal (the recorded requests to the service in this world), newest first. It is not a live
 * region, because a screen reader would read every new entry aloud.
 */
export function journalPanel(app: App) {
  const { store } = app;
  let stream: ReturnType<typeof watch> | null = null;
  let paused = false;
  let refreshTimer: ReturnType<typeof setTimeout> | undefined;
  let restartTimer: ReturnType<typeof setTimeout> | undefined;

  const list = createEntryList(app, () => part);
  const lost = h('p', { class: 'utrecht-paragraph hint', role: 'status' });
  const pause = button(words.pause, () => (paused ? resume() : stop()), { key: 'pause' });
  const har = h('a', { class: 'utrecht-link utrecht-link--html-a', download: '' }, words.har);
  const part = panel(
    'journaal',
    words.title,
    h('p', { class: 'utrecht-paragraph hint' }, words.intro),
    list.filters,
    h(
      'div',
      { class: 'buttons' },
      pause,
      button(words.clear, () =>
        app.run(
          part,
          () => api(`${inWorld(store.world)}/journal`, { method: 'DELETE' }).then(list.clear),
          words.cleared,
        ),
      ),
      har,
    ),
    lost,
    ...list.elements,
  );

  /** Loads the data of the store again after 300 ms, once for several requests in that time. */
  function scheduleRefresh() {
    if (refreshTimer !== undefined) return;
    refreshTimer = setTimeout(() => {
      refreshTimer = undefined;
      store.refresh().catch(() => {});
    }, REFRESH_DELAY);
  }

  /** Lets the link download the journal of the world that is shown. */
  function setHar() {
    har.href = `${BASE}/${inWorld(store.world)}/journal.har`;
    har.download = `journaal-${store.world}.har`;
  }

  function begin() {
    stream?.close();
    setHar();
    stream = watch(store.world, {
      onList: list.synchronise,
      onEntry(entry) {
        list.add(entry);
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
   * Returns how many of the newest `MAX_ENTRIES` entries of the journal are not in the list; a negative number when the list has
   * more entries than the journal.
   */
  const missing = () => Math.min(store.known.world?.entries ?? 0, MAX_ENTRIES) - list.count();

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
     */
    setVisible(visible: boolean) {
      if (!visible) stream?.close();
      else if (!paused) begin();
    },
    /** Empties the list, and loads the journal of the world that is shown, unless the journal is paused. */
    showCurrentWorld() {
      list.clear();
      if (!paused) begin();
      else setHar();
    },
  };
}
