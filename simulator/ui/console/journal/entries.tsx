import { computed, type Signal, signal } from '@preact/signals';
import { hasWords } from '../../../worlds/journal-search.ts';
import { type Option, Select, TextField } from '../../components/fields.tsx';
import { Button, Empty } from '../../components/parts.tsx';
import { address, bindAddress, go } from '../app/address.ts';
import type { App } from '../app/app.tsx';
import type { Part } from '../app/part.tsx';
import type { Entry } from '../types.d.ts';
import { EntryLine, personText } from './entry.tsx';

const NUMBER = new Intl.NumberFormat('nl-NL');
const STATUSES: Option[] = [
  ['', 'alle'],
  ['2', 'gelukt (2xx)'],
  ['4', 'geweigerd (4xx)'],
  ['5', 'storing (5xx)'],
];
/** Maximum number of entries on the page. The page before and after it have the others. */
export const PAGE_SIZE = 200;

/** The filters of the journal, which are in the address of the page. */
const FILTERS = ['caller', 'operation', 'status', 'callSearch'] as const;
const isFiltered = computed(() => FILTERS.some((member) => address[member].value.trim() !== ''));
const clearFilters = () => go(Object.fromEntries([...FILTERS, 'before'].map((member) => [member, ''])));

/** Returns the query of the control API for the entries that the address of the page names. */
export const query = computed(() => {
  const { caller, operation, status, callSearch, before } = address;
  const given = {
    persona: caller.value,
    operation: operation.value,
    status: status.value && `${status.value}xx`,
    search: callSearch.value.trim(),
    before: before.value,
  };
  return new URLSearchParams(Object.entries(given).filter(([, value]) => value !== '')).toString();
});

/** Returns true for an entry that fits the filters. */
const fits = computed(
  () =>
    (entry: Entry): boolean =>
      [personText(entry.caller), ''].includes(address.caller.value) &&
      [entry.operation, ''].includes(address.operation.value) &&
      String(entry.response.status).startsWith(address.status.value) &&
      (address.before.value === '' || entry.id < Number(address.before.value)) &&
      hasWords(entry, address.callSearch.value),
);

/** Creates the list of journal entries (recorded requests to the service), newest first. */
export function createEntries() {
  const entries: Signal<readonly Entry[]> = signal([]);
  /** Number of entries in the journal that fit the filters. */
  const total = signal(0);

  /**
   * Returns a list, sorted by id, with one more entry. An entry of another request with the same id is replaced, because
   * ids begin again after a restart of the service.
   */
  const withEntry = (all: readonly Entry[], entry: Entry) =>
    all.some(({ id, traceId }) => id === entry.id && traceId === entry.traceId)
      ? all
      : [...all.filter(({ id }) => id !== entry.id), entry].sort((one, other) => other.id - one.id);

  return {
    entries,
    total,
    add(entry: Entry) {
      if (!fits.value(entry)) return;
      entries.value = withEntry(entries.value, entry).slice(0, PAGE_SIZE);
      total.value += 1;
    },
    clear() {
      entries.value = [];
      total.value = 0;
    },
    /**
     * Makes the list equal to `now`, but keeps entries whose id is in `since`.
     * @param since ids that arrived after `now` was requested
     * @param count number of entries in the journal that fit the filters
     */
    synchronise(now: readonly Entry[], since: ReadonlySet<number>, count: number) {
      const there = new Set(now.map(({ traceId }) => traceId));
      const late = entries.value.filter(({ id, traceId }) => since.has(id) && !there.has(traceId));
      const newest = now.toReversed();
      entries.value = late.reduce(withEntry, newest).slice(0, PAGE_SIZE);
      total.value = count + late.length;
    },
  };
}

interface EntriesProps {
  of: ReturnType<typeof createEntries>;
  app: App;
}

/** Shows the fields with which the user filters the list. */
export function Filters({ of, app }: EntriesProps) {
  const all = of.entries.value;
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

/**
 * Shows one page of the entries that match the filters, with how many there are.
 * @param props `part` shows the errors
 */
export function Entries({ of, app, part, pinned }: EntriesProps & { part: Part; pinned: Entry | null }) {
  const all = of.entries.value.filter(fits.value);
  const { before } = address;
  const isOnPage = all.some(({ traceId }) => traceId === pinned?.traceId);
  return (
    <>
      <p class="hint journal__count" role="status">
        {of.total.value > 0 && countText(of.total.value, all.length, isFiltered.value)}
      </p>
      {all.length === 0 &&
        (isFiltered.value || before.value !== '' ? (
          <Empty action="Wis de filters" onAction={clearFilters}>
            Geen aanroepen die hierbij passen.
          </Empty>
        ) : (
          <Empty action="Naar Antwoord" onAction={() => go({ tab: 'antwoord' })}>
            Nog geen aanroepen. Open Mijn register, of kies “Probeer” bij Antwoord.
          </Empty>
        ))}
      <ol class="entries" aria-label="Aanroepen, de nieuwste eerst">
        {pinned !== null && !isOnPage && <EntryLine key={pinned.traceId} of={pinned} app={app} part={part} />}
        {all.map((entry) => (
          <EntryLine key={entry.traceId} of={entry} app={app} part={part} />
        ))}
      </ol>
    </>
  );
}

const countText = (total: number, shown: number, isFiltered: boolean) =>
  `${NUMBER.format(total)} ${total === 1 ? 'aanroep' : 'aanroepen'}${isFiltered ? ' gevonden' : ''}${shown < total ? `; u ziet er ${shown}` : ''}`;

/** The buttons with which the user goes to an older page and back to the newest. */
export function Pages({ of }: { of: ReturnType<typeof createEntries> }) {
  const all = of.entries.value;
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

/**
 * Returns the options of a filter, each as its value and its text: first the option for all (an empty value), then the
 * values in alphabetical order. The chosen value is an option, also while no entry has it.
 */
const choices = (values: Set<string>, chosen: string, nameOf: (value: string) => string = (value) => value) => [
  ['', 'alle'] as const,
  ...[...values.add(chosen)]
    .filter(Boolean)
    .sort()
    .map((value) => [value, nameOf(value)] as const),
];
