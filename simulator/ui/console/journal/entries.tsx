import { computed, type Signal, signal } from '@preact/signals';
import { Select, TextField } from '../../components/fields.tsx';
import type { App } from '../app/app.tsx';
import type { Part } from '../app/part.tsx';
import { bind } from '../elements/form.tsx';
import { texts } from '../texts/texts.ts';
import type { Entry } from '../types.d.ts';
import { EntryLine, personText } from './entry.tsx';

const words = texts.journal;
/** Maximum number of entries on the page. Above it, the oldest entries are removed. */
export const MAX_ENTRIES = 200;

/** Creates the list of journal entries (recorded requests to the service), newest first. */
export function createEntries() {
  const entries: Signal<readonly Entry[]> = signal([]);

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
    add(entry: Entry) {
      entries.value = withEntry(entries.value, entry).slice(0, MAX_ENTRIES);
    },
    clear() {
      entries.value = [];
    },
    /**
     * Makes the list equal to `now`, but keeps entries whose id is in `since`.
     * @param since ids that arrived after `now` was requested
     */
    synchronise(now: readonly Entry[], since: ReadonlySet<number>) {
      const there = new Set(now.map(({ traceId }) => traceId));
      const kept = entries.value.filter(({ id, traceId }) => there.has(traceId) || since.has(id));
      entries.value = now.reduce(withEntry, kept).slice(0, MAX_ENTRIES);
    },
  };
}

/** Creates the filters of the list. `fits` returns true for an entry that they show. */
export function createFilters() {
  const [person, operation, status, trace] = [signal(''), signal(''), signal(''), signal('')];
  const fits = computed(
    () => (entry: Entry) =>
      [personText(entry.caller), ''].includes(person.value) &&
      [entry.operation, ''].includes(operation.value) &&
      String(entry.response.status).startsWith(status.value) &&
      entry.traceId.startsWith(trace.value.trim().toLowerCase()),
  );
  return { person, operation, status, trace, fits };
}

interface EntriesProps {
  of: readonly Entry[];
  filters: ReturnType<typeof createFilters>;
  app: App;
}

/** Shows the fields with which the user filters the list. */
export function Filters({ of, filters, app }: EntriesProps) {
  const { person, operation, status, trace } = filters;
  const subjects = new Set(of.flatMap(({ caller }) => (caller === null ? [] : [personText(caller)])));
  const operations = new Set(of.flatMap((entry) => entry.operation ?? []));
  return (
    <div class="row row--tight">
      <Select {...bind(person)} label={words.person} options={choices(subjects, person.value, app.nameOf)} />
      <Select {...bind(operation)} label={words.operation} options={choices(operations, operation.value)} />
      <Select {...bind(status)} label={words.status} options={words.statuses as [string, string][]} />
      <TextField {...bind(trace)} label={words.trace} />
    </div>
  );
}

/**
 * Shows the entries that match the filters.
 * @param props `part` shows the errors
 */
export function Entries({ of, filters: { fits }, app, part }: EntriesProps & { part: Part }) {
  const isEmpty = !of.some(fits.value);
  return (
    <>
      {isEmpty && <p class="utrecht-paragraph hint">{of.length === 0 ? words.empty : words.nothing}</p>}
      <ol class="entries" aria-label={words.list}>
        {of.map((entry) => (
          <EntryLine key={entry.traceId} of={entry} isHidden={!fits.value(entry)} app={app} part={part} />
        ))}
      </ol>
    </>
  );
}

/**
 * Returns the options of a filter, each as its value and its text: first the option for all (an empty value), then the
 * values in alphabetical order. The chosen value is an option, also while no entry has it.
 */
const choices = (values: Set<string>, chosen: string, nameOf: (value: string) => string = (value) => value) => [
  ['', words.all] as const,
  ...[...values.add(chosen)]
    .filter(Boolean)
    .sort()
    .map((value) => [value, nameOf(value)] as const),
];
