import * as z from 'zod';
import type { JournalText, RecordedRequest } from '../worlds/journal.ts';
import { worldNamed } from './deps.ts';
import { toHar } from './har.ts';
import { entryFilterOf, JournalFilters } from './journal-filter.ts';
import { done, operation } from './operation.ts';
import { toText } from './print.ts';
import { numberInQuery } from './refusals.ts';
import { JournalEntry } from './schema.ts';

const TAG = 'Journal';

const number = (name: string) => numberInQuery('geen-getal', `${name} is een geheel getal, 0 of meer.`).optional();

export const journalOperations = [
  operation({
    id: 'journal',
    method: 'GET',
    path: '/worlds/{world}/journal',
    tag: TAG,
    description:
      'List the calls in the world, oldest first, with the upstreams that they called and the rules that were applied; the header X-Total-Count has how many fit the filters',
    guide: [
      ['Every call, and why', 'Journaal: a line of it', 'journal'],
      ['Some of the calls', 'Journaal: Persoon, Operatie, Status', 'journal --status 4xx'],
      [
        'Calls with these words, or with this trace id',
        'Journaal: Zoek in het journaal',
        'journal --search "te weinig uren"',
      ],
      ['A call to paste', 'Journaal, a line: Kopieer curl', 'journal --json'],
    ],
    query: JournalFilters.extend({
      after: number('after').describe('Only what came after this id.'),
      before: number('before').describe('Only what came before this id.'),
      limit: number('limit').describe('At most so many: the newest, or with `after` the first after it.'),
    }),
    answers: { 200: z.array(JournalEntry) },
    handle({ params, query }, deps) {
      const world = worldNamed(params);
      const { after, before = Number.POSITIVE_INFINITY, limit = Number.POSITIVE_INFINITY } = query;
      const fits = entryFilterOf(deps, query, world);
      const answer = (entries: readonly JournalText[], total: number) => ({
        status: 200,
        text: `[${entries.map(({ text }) => text).join(',')}]`,
        headers: { 'X-Total-Count': String(total) },
      });
      // Without a filter only the entries that are asked for are made, of the thousands that a journal can have.
      if (fits === null) return answer(deps.journal.texts(world, after, limit, before), deps.journal.count(world));
      const found = deps.journal.texts(world).filter(({ text }) => fits(JSON.parse(text) as RecordedRequest));
      const inRange = found.filter(({ id }) => id > (after ?? 0) && id < before);
      const first = after === undefined ? Math.max(0, inRange.length - limit) : 0;
      return answer(inRange.slice(first, first + limit), found.length);
    },
  }),

  operation({
    id: 'journalStream',
    method: 'GET',
    path: '/worlds/{world}/journal/stream',
    tag: TAG,
    description: 'Follow the calls in the world as they come: server-sent events `entry`',
    guide: [['Every call as it happens', 'Journaal: Pauzeer', 'journal --follow']],
    query: z.object({
      after: number('after').describe('Begin with what came after this id; the header Last-Event-ID does the same.'),
    }),
    media: 'text/event-stream',
    answers: { 200: null },
    handle({ params, query, headers }, deps) {
      const world = worldNamed(params);
      const after = lastEventId(headers['last-event-id']) ?? query.after;
      return {
        status: 200,
        events(send) {
          const sendEntry = (kept: JournalText) => send({ ...kept, event: 'entry' });
          // Both lines run synchronously, so no entry can arrive between them and be missed.
          if (after !== undefined) deps.journal.texts(world, after).forEach(sendEntry);
          return deps.journal.subscribe(world, sendEntry);
        },
      };
    },
  }),

  operation({
    id: 'journalHar',
    method: 'GET',
    path: '/worlds/{world}/journal.har',
    tag: TAG,
    description: 'Get the journal of the world as HAR 1.2',
    guide: [['The journal as HAR', 'Journaal: Download HAR', 'journal --har demo.har']],
    answers: { 200: z.unknown() },
    handle({ params }, deps) {
      const world = worldNamed(params);
      const headers = { 'Content-Disposition': `attachment; filename="journaal-${world}.har"` };
      return { status: 200, body: toHar(deps.journal.list(world)), headers };
    },
  }),

  operation({
    id: 'clearJournal',
    method: 'DELETE',
    path: '/worlds/{world}/journal',
    tag: TAG,
    description: 'Empty the journal of the world',
    guide: [['An empty journal', 'Journaal: Wis journaal', 'forget']],
    command: { name: 'forget', print: () => toText('The journal is empty.') },
    answers: { 204: null },
    handle({ params }, deps) {
      deps.journal.clear(worldNamed(params));
      return done;
    },
  }),
];

const WHOLE = /^\d{1,15}$/;

/** A browser sends the header `Last-Event-ID` when it reconnects to a stream. */
const lastEventId = (id: string | undefined): number | undefined =>
  id !== undefined && WHOLE.test(id) ? Number(id) : undefined;
