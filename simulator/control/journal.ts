import * as z from 'zod';
import { JournalEntry, type JournalText, type RecordedRequest } from '../worlds/journal.ts';
import { entryFilterOf, JournalFilters } from './journal-filter.ts';
import { ControlAnswer, operation } from './operation.ts';
import { toText } from './print.ts';
import { numberInQuery } from './refusals.ts';

const TAG = 'Journal';

const number = (name: string) =>
  numberInQuery('geen-getal', {
    detail: `${name} is een geheel getal, 0 of meer.`,
    english: `${name} is a whole number, 0 or more.`,
  }).optional();

export const journalOperations = [
  operation(TAG, 'GET /worlds/{world}/journal', {
    id: 'journal',
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
    handle({ world, query }, deps) {
      const { after, before = Number.POSITIVE_INFINITY, limit = Number.POSITIVE_INFINITY } = query;
      const fits = entryFilterOf(deps, query, world);
      const answer = (entries: readonly JournalText[], total: number) =>
        new ControlAnswer({
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

  operation(TAG, 'GET /worlds/{world}/journal/stream', {
    id: 'journalStream',
    description: 'Follow the calls in the world as they come: server-sent events `entry`',
    guide: [['Every call as it happens', 'Journaal: Pauzeer', 'journal --follow']],
    query: z.object({
      after: number('after').describe('Begin with what came after this id; the header Last-Event-ID does the same.'),
    }),
    media: 'text/event-stream',
    answers: { 200: null },
    handle({ world, query, headers }, deps) {
      const after = lastEventId(headers['last-event-id']) ?? query.after;
      return new ControlAnswer({
        events(send) {
          const sendEntry = (kept: JournalText) => send({ ...kept, event: 'entry' });
          // Both lines run synchronously, so no entry can arrive between them and be missed.
          if (after !== undefined) deps.journal.texts(world, after).forEach(sendEntry);
          return deps.journal.subscribe(world, sendEntry);
        },
      });
    },
  }),

  operation(TAG, 'GET /worlds/{world}/journal.har', {
    id: 'journalHar',
    description: 'Get the calls in the world, or those that fit the filters, as HAR 1.2',
    guide: [
      ['The calls that are shown as HAR', 'Journaal: Download HAR', 'journal --status 4xx --har demo.har'],
      ['One call as HAR', 'Journaal, a line: Download HAR', 'journal --trace <traceId> --har call.har'],
    ],
    query: JournalFilters,
    answers: { 200: z.unknown() },
    handle({ world, query }, deps) {
      const headers = { 'Content-Disposition': `attachment; filename="journaal-${world}.har"` };
      const fits = entryFilterOf(deps, query, world) ?? (() => true);
      return new ControlAnswer({ body: toHar(deps.journal.list(world).filter(fits)), headers });
    },
  }),

  operation(TAG, 'DELETE /worlds/{world}/journal', {
    id: 'clearJournal',
    description: 'Empty the journal of the world',
    guide: [['An empty journal', 'Journaal: Wis journaal', 'forget']],
    command: { name: 'forget', print: () => toText('The journal is empty.') },
    answers: { 204: null },
    handle: ({ world }, deps) => deps.journal.clear(world),
  }),
];

const WHOLE = /^\d{1,15}$/;

/** A browser sends the header `Last-Event-ID` when it reconnects to a stream. */
const lastEventId = (id: string | undefined): number | undefined =>
  id !== undefined && WHOLE.test(id) ? Number(id) : undefined;

/** Members that HAR requires, with the values for "not known". A journal entry has no data for them. */
const REQUIRED_MEMBERS = { cookies: [], headersSize: -1 };

/** HTTP Archive 1.2, which browsers import. Members that are not in it begin with `_`, as it asks. */
export const toHar = (entries: readonly RecordedRequest[]) => ({
  log: {
    version: '1.2',
    creator: { name: 'zorgregister-bff', version: '1.0.0' },
    entries: entries.map((entry) => {
      const { request, response, ms } = entry;
      const url = urlOf(request);
      return {
        startedDateTime: entry.at,
        time: ms,
        request: {
          method: request.method,
          url: url.href,
          httpVersion: 'HTTP/1.1',
          headers: toPairs(request.headers),
          queryString: [...url.searchParams].map(([name, value]) => ({ name, value })),
          bodySize: sizeOf(request.headers),
          ...REQUIRED_MEMBERS,
          ...(request.body !== null && { postData: postDataOf(request, request.body) }),
        },
        response: {
          // HAR has no status for a connection that the client closed (499): it uses 0.
          status: response.status === 499 ? 0 : response.status,
          statusText: '',
          httpVersion: 'HTTP/1.1',
          headers: toPairs(response.headers),
          redirectURL: '',
          bodySize: sizeOf(response.headers),
          ...REQUIRED_MEMBERS,
          content: {
            size: Math.max(0, sizeOf(response.headers)),
            mimeType: response.headers['content-type'] ?? '',
            ...(response.body !== null && { text: response.body }),
            ...(response.truncated && { comment: 'ingekort' }),
          },
        },
        cache: {},
        timings: { send: 0, wait: ms, receive: 0 },
        _world: entry.world,
        _caller: entry.caller,
        _operation: entry.operation,
        _problem: entry.problem,
        _upstream: entry.upstream,
        _why: entry.why,
        _traceId: entry.traceId,
      };
    }),
  },
});

function urlOf({ headers, path }: RecordedRequest['request']): URL {
  const base = `http://${headers.host ?? 'localhost'}`;
  // Browsers send some characters that RFC 3986 does not allow: these are percent-encoded.
  const strict = path.replace(/[|^`{}"<>\\…]/g, encodeURIComponent);
  return URL.canParse(strict, base) ? new URL(strict, base) : new URL('http://localhost');
}

const toPairs = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

/** Returns the `content-length` in bytes; -1 (unknown, in HAR) when the header is absent. */
const sizeOf = (headers: Readonly<Record<string, string>>): number => Number(headers['content-length'] ?? -1);

function postDataOf({ headers, truncated }: RecordedRequest['request'], body: string) {
  const mimeType = headers['content-type'] ?? '';
  const comment = truncated ? { comment: 'ingekort' } : {};
  if (!mimeType.startsWith('multipart/')) return { mimeType, text: body, ...comment };
  const { fields, file } = JSON.parse(body) as { fields: Record<string, string | null>; file: { name: string } | null };
  const params = Object.entries(fields).map(([name, value]) => ({ name, value: value ?? '' }));
  return { mimeType, params: [...params, ...(file === null ? [] : [{ name: 'file', fileName: file.name }])] };
}
