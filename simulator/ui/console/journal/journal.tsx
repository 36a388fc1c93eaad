import { signal } from '@preact/signals';
import { Button } from '../../components/parts.tsx';
import { address } from '../app/address.ts';
import { api, BASE, inWorld, PageError } from '../app/api.ts';
import type { App } from '../app/app.tsx';
import { createPart, Panel, Problem } from '../app/part.tsx';
import type { Entry } from '../types.d.ts';
import { createEntries, Entries, Filters, PAGE_SIZE, Pages, query } from './entries.tsx';
import { watch } from './stream.ts';

/** Milliseconds between a new journal entry and the next load of the data of the store. */
const REFRESH_DELAY = 300;
/** Milliseconds that a journal entry may take to arrive before the page opens a new event stream. */
const MAX_LATENCY = 2_000;
/** Milliseconds that a filter must stay the same before its entries are requested, while the user types. */
const TYPING_PAUSE = 250;

/** Creates the journal: the recorded requests to the service in the shown world, newest first. */
export function createJournal(app: App) {
  const { store } = app;
  let stream: ReturnType<typeof watch> | null = null;
  const isPaused = signal(false);
  const isLost = signal(false);
  /** The world whose journal is in the list. */
  const world = signal(store.world);
  let refreshTimer: ReturnType<typeof setTimeout> | undefined;
  let restartTimer: ReturnType<typeof setTimeout> | undefined;
  let queryTimer: ReturnType<typeof setTimeout> | undefined;
  const list = createEntries();
  /** The entry that the address names (`aanroep`), when it was requested because it was not on the page. */
  const pinned = signal<Entry | null>(null);

  /** Requests the entry that the address names, unless it is on the page. */
  async function loadCall() {
    const trace = address.call.peek();
    const isHere = (entry: Entry) => entry.traceId === trace;
    if (trace === '' || list.entries.peek().some(isHere) || pinned.peek()?.traceId === trace) return;
    const path = `${inWorld(store.world)}/journal?trace=${encodeURIComponent(trace)}`;
    const [found] = await api<Entry[]>(path).catch(() => []);
    if (address.call.peek() === trace) pinned.value = found ?? null;
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
    stream = watch(store.world, {
      onList(entries, since, total) {
        part.message.value = null;
        list.synchronise(entries, since, total);
        loadCall();
      },
      onRefused(error) {
        if (error instanceof PageError && !error.unreachable)
          part.message.value = <Problem of={error} onRetry={() => stream?.reload()} />;
      },
      onEntry(entry) {
        list.add(entry);
        scheduleRefresh();
      },
      onBroken(isBroken) {
        isLost.value = isBroken;
      },
    });
  }

  function togglePause() {
    isPaused.value = !isPaused.value;
    if (isPaused.value) stream?.close();
    else begin();
    app.say(isPaused.value ? 'Het journaal staat stil.' : 'Het journaal loopt weer.');
  }

  /**
   * Returns how many of the newest `PAGE_SIZE` entries of the journal are not in the list; a negative number when the list has
   * more entries than the journal. 0 when the list has older entries, or those of a filter.
   */
  const missing = () =>
    query.peek() === '' ? Math.min(store.known.world?.entries ?? 0, PAGE_SIZE) - list.entries.value.length : 0;

  store.on('world', () => {
    if (isPaused.value || stream === null) return;
    // The journal was emptied, on this page or elsewhere.
    if (missing() < 0) stream.reload();
    // A connection can be dead without an error, for example after the computer slept: open a new stream.
    else if (missing() > 0) {
      clearTimeout(restartTimer);
      restartTimer = setTimeout(() => {
        if (missing() > 0 && !isPaused.value && document.visibilityState === 'visible') begin();
      }, MAX_LATENCY);
    }
  });

  let asked = query.peek();
  query.subscribe((now) => {
    if (now === asked) return;
    asked = now;
    clearTimeout(queryTimer);
    queryTimer = setTimeout(() => stream?.reload(), TYPING_PAUSE);
  });
  address.call.subscribe(loadCall);

  return {
    list,
    pinned,
    isPaused,
    isLost,
    world,
    togglePause,
    /**
     * Closes the event stream when the page is hidden. Opens it when the page is visible and the journal is not paused.
     */
    setVisible(visible: boolean) {
      if (!visible) stream?.close();
      else if (!isPaused.value) begin();
    },
    /** Empties the list, and loads the journal of the world that is shown, unless the journal is paused. */
    showCurrentWorld() {
      list.clear();
      world.value = store.world;
      if (!isPaused.value) begin();
    },
  };
}

const part = createPart();

/** Shows the journal. It is not a live region, because a screen reader would read every new entry aloud. */
export function JournalPanel({ app, of }: { app: App; of: ReturnType<typeof createJournal> }) {
  const world = of.world.value;
  const clear = () =>
    app.run(
      part,
      () => api(`${inWorld(app.store.world)}/journal`, { method: 'DELETE' }).then(of.list.clear),
      'Het journaal is leeg.',
    );
  return (
    <Panel id="journaal" title="Journaal" of={part} isInside>
      <p class="utrecht-paragraph hint">
        Elke aanroep van de frontend, met de bronnen die daarvoor zijn gevraagd en waarom het antwoord zo is.
      </p>
      <Filters of={of.list} app={app} />
      <div class="buttons">
        <Button onClick={of.togglePause}>{of.isPaused.value ? 'Ga door' : 'Pauzeer'}</Button>
        <Button onClick={clear}>Wis journaal</Button>
        <a
          class="utrecht-link utrecht-link--html-a"
          href={`${BASE}/${inWorld(world)}/journal.har`}
          download={`journaal-${world}.har`}
        >
          Download HAR
        </a>
      </div>
      <p class="utrecht-paragraph hint" role="status">
        {of.isLost.value && 'De verbinding met het journaal is weg; de pagina probeert het opnieuw.'}
      </p>
      <Entries of={of.list} app={app} part={part} pinned={of.pinned.value} />
      <Pages of={of.list} />
    </Panel>
  );
}
