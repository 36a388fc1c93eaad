import { signal } from '@preact/signals';
import { type Option, Select, TextField } from '../../components/fields.tsx';
import { Button, Empty } from '../../components/parts.tsx';
import { address, bindAddress, go } from '../app/address.ts';
import { api, BASE, inWorld, PageError, pageOf } from '../app/api.ts';
import { app, createPart, Panel, Problem } from '../app/app.tsx';
import { store } from '../app/store.ts';
import { closeDrawer } from '../elements/controls.tsx';
import type { Entry } from '../types.d.ts';
import { clearFilters, filters, isFiltered, list, PAGE_SIZE, query } from './entries.ts';
import { EntryLine, HarLink, personText } from './entry.tsx';

/** Milliseconds between a new journal entry and the next load of the data of the store. */
const REFRESH_DELAY = 300;
/** Milliseconds that a journal entry may take to arrive before the page opens a new event stream. */
const MAX_LATENCY = 2_000;
/** Milliseconds until an event stream (server-sent events) that was refused is opened again. */
const RETRY_DELAY = 5_000;
/** Milliseconds that a filter must stay the same before its entries are requested, while the user types. */
const TYPING_PAUSE = 250;

const part = createPart();
let stream: ReturnType<typeof watch> | null = null;
const isPaused = signal(false);
const isLost = signal(false);
let refreshTimer: ReturnType<typeof setTimeout> | undefined;
let restartTimer: ReturnType<typeof setTimeout> | undefined;
let queryTimer: ReturnType<typeof setTimeout> | undefined;
/** The entry that the address names (`aanroep`), when it was requested because it was not on the page. */
const pinned = signal<Entry | null>(null);

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
  stream = watch(store.world);
}

/** `reload` requests the list again, also after `pause`. After `close` nothing of this world is shown any more. */
function watch(world: string) {
  const path = `${inWorld(world)}/journal`;
  /** Ids of the entries that came after the list was last requested: the answer may not contain them. */
  const since: Set<number> = new Set();
  let source: EventSource;
  let timer = 0;
  let closed = false;

  function connect() {
    source = new EventSource(`${BASE}/${path}/stream`);
    source.addEventListener('entry', ({ data }) => {
      const entry = JSON.parse(data);
      since.add(entry.id);
      list.add(entry);
      scheduleRefresh();
    });
    // Requested once the stream is open, so that no entry is missed; duplicates are recognised by id.
    source.addEventListener('open', () => {
      isLost.value = false;
      reload();
    });
    source.addEventListener('error', () => {
      isLost.value = true;
      if (source.readyState === EventSource.CLOSED && !closed) timer = setTimeout(connect, RETRY_DELAY);
    });
  }

  /** Requests the page of entries that the address names, and shows it. Does not reject when that fails. */
  async function reload() {
    since.clear();
    const asked = query.peek();
    const found = await pageOf<Entry>(`${path}?limit=${PAGE_SIZE}&${asked}`).catch((error) => {
      if (!closed && error instanceof PageError && !error.unreachable)
        part.message.value = <Problem of={error} onRetry={() => stream?.reload()} />;
      return null;
    });
    if (closed || found === null || asked !== query.peek()) return;
    part.message.value = null;
    list.synchronise(found.items, since, found.total);
    loadCall();
  }

  function pause() {
    clearTimeout(timer);
    source.close();
  }

  connect();
  return {
    reload,
    pause,
    close() {
      closed = true;
      pause();
    },
  };
}

function togglePause() {
  isPaused.value = !isPaused.value;
  if (isPaused.value) stream?.pause();
  else begin();
  app.say(isPaused.value ? 'Het journaal staat stil.' : 'Het journaal loopt weer.');
}

/** How many of the newest entries the list lacks; less than 0 when it has more than the journal. 0 for a filter. */
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
  list.total.value = null;
  clearTimeout(queryTimer);
  queryTimer = setTimeout(() => stream?.reload(), TYPING_PAUSE);
});
address.call.subscribe(loadCall);

export const journal = {
  setVisible(visible: boolean) {
    if (!visible) stream?.pause();
    else if (!isPaused.value) begin();
  },
  showCurrentWorld() {
    list.clear();
    isPaused.value = false;
    list.total.value = null;
    begin();
  },
};

/** Shows the journal. It is not a live region, because a screen reader would read every new entry aloud. */
export function JournalPanel() {
  const world = store.shown.world.value?.world ?? store.world;
  const clear = () =>
    app.run(part, async () => {
      await api(`${inWorld(store.world)}/journal`, { method: 'DELETE' });
      list.clear();
      return 'Het journaal is leeg.';
    });
  return (
    <>
      <div class="drawer__head">
        <Button onClick={closeDrawer} look="subtle" about="Journaal">
          Sluiten
        </Button>
      </div>
      <Panel id="journaal" title="Journaal" of={part} isInside>
        <Filters />
        <div class="buttons">
          <Button onClick={togglePause}>{isPaused.value ? 'Ga door' : 'Pauzeer'}</Button>
          <Button onClick={clear}>Wis journaal</Button>
          <HarLink world={world} query={filters.value} />
        </div>
        <p class="utrecht-paragraph hint" role="status">
          {isLost.value && 'De verbinding met het journaal is weg; de pagina probeert het opnieuw.'}
        </p>
        <Entries />
        <Pages />
      </Panel>
    </>
  );
}

const NUMBER = new Intl.NumberFormat('nl-NL');
const STATUSES: Option[] = [
  ['', 'alle'],
  ['2', 'gelukt (2xx)'],
  ['4', 'geweigerd (4xx)'],
  ['5', 'storing (5xx)'],
];
function Filters() {
  const all = list.entries.value;
  const subjects = new Set(all.flatMap(({ caller }) => (caller === null ? [] : [personText(caller)])));
  const operations = new Set(all.flatMap((entry) => entry.operation ?? []));
  const { caller, operation } = address;
  return (
    <div class="row row--tight">
      <TextField
        {...bindAddress('callSearch')}
        type="search"
        label="Zoek in het journaal"
        hint="Pad, persoon, code, reden of trace-id."
      />
      <Select {...choose('caller')} label="Persoon" options={choices(subjects, caller.value, app.nameOf)} />
      <Select {...choose('operation')} label="Operatie" options={choices(operations, operation.value)} />
      <Select {...choose('status')} label="Status" options={STATUSES} />
    </div>
  );
}

/** Returns the value of a filter and the function that stores it, for a list. A filter shows the newest entries first. */
const choose = (member: 'caller' | 'operation' | 'status') => ({
  value: address[member].value,
  onInput: (value: string) => go({ [member]: value, before: '' }),
});

function Entries() {
  const all = list.shown.value;
  const named = pinned.value;
  const { before } = address;
  // The journal removes its oldest entries when it is full.
  const kept = query.value === '' ? (store.shown.world.value?.entries ?? 0) : (list.total.value ?? 0);
  const total = Math.max(kept, all.length);
  const isOnPage = all.some(({ traceId }) => traceId === named?.traceId);
  return (
    <>
      <p class="hint journal__count" role="status">
        {list.total.value === null ? 'Laden…' : countText(total, all.length, isFiltered.value)}
      </p>
      {all.length === 0 &&
        list.total.value !== null &&
        (list.since.value !== '' ? (
          <Empty>Bij deze stap is de dienst nog niets gevraagd. Berichten komen niet van deze dienst.</Empty>
        ) : isFiltered.value || before.value !== '' ? (
          <Empty action="Wis de filters" onAction={clearFilters}>
            Geen aanroepen die hierbij passen.
          </Empty>
        ) : (
          <Empty action="Naar Antwoord" onAction={() => go({ tab: 'antwoord', drawer: '' })}>
            Nog geen aanroepen. Hier komt elke aanroep van de frontend, met waarom het antwoord zo is. Open Mijn
            register, of kies “Probeer” bij Antwoord.
          </Empty>
        ))}
      <ol class="entries" aria-label="Aanroepen, de nieuwste eerst">
        {named !== null && !isOnPage && <EntryLine key={named.traceId} of={named} part={part} />}
        {all.map((entry) => (
          <EntryLine key={entry.traceId} of={entry} part={part} />
        ))}
      </ol>
    </>
  );
}

const countText = (total: number, shown: number, isFiltered: boolean) =>
  total > 0 &&
  `${NUMBER.format(total)} ${total === 1 ? 'aanroep' : 'aanroepen'}${isFiltered ? ' gevonden' : ''}${shown < total ? `; u ziet er ${shown}` : ''}`;

function Pages() {
  const all = list.entries.value;
  const oldest = all.at(-1);
  const isFull = all.length === PAGE_SIZE;
  if (!isFull && address.before.value === '') return null;
  return (
    <nav class="buttons" aria-label="Andere aanroepen">
      {address.before.value !== '' && <Button onClick={() => go({ before: '' })}>Nieuwste</Button>}
      {isFull && oldest !== undefined && <Button onClick={() => go({ before: String(oldest.id) })}>Ouder</Button>}
    </nav>
  );
}

/** First the option for all, then the values in order. The chosen value is an option, also while no entry has it. */
const choices = (values: Set<string>, chosen: string, nameOf: (value: string) => string = (value) => value) => [
  ['', 'alle'] as const,
  ...[...values.add(chosen)]
    .filter(Boolean)
    .sort()
    .map((value) => [value, nameOf(value)] as const),
];
