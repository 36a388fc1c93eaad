import * as z from 'zod';
import type { Journal, JournalText } from '../worlds/journal.ts';
import { type ControlDeps, worldNamed } from './deps.ts';
import { toHar } from './har.ts';
import { entryFilterOf, JOURNAL_FILTERS } from './journal-filter.ts';
import { ControlError, done, ok, operation } from './operation.ts';
import { JournalEntry } from './schema.ts';

const TAG = 'Journaal';

/** Returns the operations that read, stream, export and empty the journal (list of recorded requests) of a world. */
export const journalOperations = (journal: Journal, deps: Pick<ControlDeps, 'service' | 'directory'>) => [
  operation({
    id: 'journal',
    method: 'GET',
    path: '/worlds/{world}/journal',
    tag: TAG,
    summary: 'De aanroepen in een wereld, met wat zij veroorzaakten en waarom; de nieuwste het laatst',
    query: {
      after: 'Alleen wat na dit id kwam.',
      limit: 'Ten hoogste zoveel: de nieuwste, of met `after` de eerste daarna.',
      ...JOURNAL_FILTERS,
    },
    answers: { 200: z.array(JournalEntry) },
    handle({ params, query }) {
      const world = worldNamed(params);
      const [after, limit] = [numberIn(query, 'after'), numberIn(query, 'limit')];
      const fits = entryFilterOf(deps, query, world);
      if (fits === null)
        return {
          status: 200,
          text: `[${journal
            .texts(world, after, limit)
            .map(({ text }) => text)
            .join(',')}]`,
        };
      const entries = journal.list(world, after).filter(fits);
      if (limit === undefined) return ok(entries);
      return ok(after === undefined ? entries.slice(Math.max(0, entries.length - limit)) : entries.slice(0, limit));
    },
  }),

  operation({
    id: 'journalStream',
    method: 'GET',
    path: '/worlds/{world}/journal/stream',
    tag: TAG,
    summary: 'Wat er in een wereld gebeurt, terwijl het gebeurt: server-sent events `entry`',
    query: { after: 'Begin met wat na dit id kwam; de kopregel Last-Event-ID doet hetzelfde.' },
    media: 'text/event-stream',
    answers: { 200: null },
    handle({ params, query, headers }) {
      const world = worldNamed(params);
      const after = lastEventId(headers['last-event-id']) ?? numberIn(query, 'after');
      return {
        status: 200,
        events(send) {
          const sendEntry = (kept: JournalText) => send({ ...kept, event: 'entry' });
          // Both lines run synchronously, so no entry can arrive between them and be missed.
          if (after !== undefined) journal.texts(world, after).forEach(sendEntry);
          return journal.subscribe(world, sendEntry);
        },
      };
    },
  }),

  operation({
    id: 'journalHar',
    method: 'GET',
    path: '/worlds/{world}/journal.har',
    tag: TAG,
    summary: 'Het journaal van een wereld als HAR 1.2, voor een browser of bij een melding',
    answers: { 200: z.unknown() },
    handle({ params }) {
      const world = worldNamed(params);
      const headers = { 'Content-Disposition': `attachment; filename="journaal-${world}.har"` };
      return { status: 200, body: toHar(journal.list(world)), headers };
    },
  }),

  operation({
    id: 'clearJournal',
    method: 'DELETE',
    path: '/worlds/{world}/journal',
    tag: TAG,
    summary: 'Het journaal van een wereld leeg',
    answers: { 204: null },
    handle({ params }) {
      journal.clear(worldNamed(params));
      return done;
    },
  }),
];

const WHOLE = /^\d{1,15}$/;

/**
 * Returns the id in the header `Last-Event-ID`, which a browser sends when it reconnects to a stream; undefined when
 * the header is absent or is not a whole number of at most 15 digits.
 */
const lastEventId = (id: string | undefined): number | undefined =>
  id !== undefined && WHOLE.test(id) ? Number(id) : undefined;

/**
 * Returns the whole number in a query parameter; undefined when the parameter is absent. Throws a 400 when its value is
 * not a whole number of 0 or more.
 */
function numberIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (WHOLE.test(text)) return Number(text);
  throw new ControlError(400, 'geen-getal', `${name} is een geheel getal, 0 of meer.`);
}
