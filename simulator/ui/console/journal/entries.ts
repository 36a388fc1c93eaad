import { computed, type Signal, signal } from '@preact/signals';
import { isFound } from '../../../worlds/journal-search.ts';
import { address, go } from '../app/address.ts';
import type { Entry } from '../types.d.ts';
import { personText } from './entry.tsx';

/** Maximum number of entries on the page. The page before and after it have the others. */
export const PAGE_SIZE = 200;

const FILTERS = ['caller', 'operation', 'status', 'callSearch'] as const;
export const isFiltered = computed(() => FILTERS.some((member) => address[member].value.trim() !== ''));
export const clearFilters = () => go(Object.fromEntries([...FILTERS, 'before'].map((member) => [member, ''])));

export const filters = computed(() => {
  const { caller, operation, status, callSearch } = address;
  const given = {
    persona: caller.value,
    operation: operation.value,
    status: status.value && `${status.value}xx`,
    search: callSearch.value.trim(),
  };
  return new URLSearchParams(Object.entries(given).filter(([, value]) => value !== '')).toString();
});

/** The query of the page of entries that the address names; empty for the newest of all. */
export const query = computed(() => {
  const before = address.before.value && `before=${address.before.value}`;
  return [filters.value, before].filter(Boolean).join('&');
});

const fits = computed(
  () =>
    (entry: Entry): boolean =>
      [personText(entry.caller), ''].includes(address.caller.value) &&
      [entry.operation, ''].includes(address.operation.value) &&
      String(entry.response.status).startsWith(address.status.value) &&
      (address.before.value === '' || entry.id < Number(address.before.value)) &&
      isFound(entry, address.callSearch.value),
);

const entries: Signal<readonly Entry[]> = signal([]);
const total = signal<number | null>(null);
/** The moment, as ISO text, since which calls are shown; empty for all. */
const since = signal('');
const shown = computed(() => entries.value.filter((entry) => fits.value(entry) && entry.at >= since.value));

/** An entry of another request with the same id is replaced, because ids begin again after a restart of the service. */
const withEntry = (all: readonly Entry[], entry: Entry) =>
  all.some(({ id, traceId }) => id === entry.id && traceId === entry.traceId)
    ? all
    : [...all.filter(({ id }) => id !== entry.id), entry].sort((one, other) => other.id - one.id);

/** The entries on the page, newest first. */
export const list = {
  entries,
  total,
  since,
  shown,
  add(entry: Entry) {
    if (!fits.value(entry)) return;
    entries.value = withEntry(entries.value, entry).slice(0, PAGE_SIZE);
    if (total.value !== null) total.value += 1;
  },
  clear() {
    entries.value = [];
    total.value = 0;
  },
  /** Keeps the entries of which the id is in `since`: these came after `now` was requested. `count` is how many fit. */
  synchronise(now: readonly Entry[], since: ReadonlySet<number>, count: number) {
    const there = new Set(now.map(({ traceId }) => traceId));
    const late = entries.value.filter(({ id, traceId }) => since.has(id) && !there.has(traceId));
    const newest = now.toReversed();
    entries.value = late.reduce(withEntry, newest).slice(0, PAGE_SIZE);
    total.value = count + late.length;
  },
};
