/** The Documenten API of ZGW as Open Zaak serves it, its unpleasant parts included (upstreams/documenten of the papers). */
import { http, type RequestHandler } from 'msw';
import { resolver, type SimulatedAnswer, type SimulatedRequest } from '../answer.ts';
import { change, lock, putPart, unlock } from './change.ts';
import { create } from './create.ts';
import { fout, whole } from './fout.ts';
import { quirkOf } from './quirks.ts';
import type { Kept, Shelf } from './shelf.ts';
import { tokenFault } from './token.ts';
import { BASE, toWire } from './wire.ts';

type Operation = (shelf: Shelf, request: SimulatedRequest, id: string) => SimulatedAnswer;

const DOCUMENTS = `*${BASE}/enkelvoudiginformatieobjecten`;

export function documentenHandlers(shelf: Shelf): RequestHandler[] {
  /** Every operation wants a token first. */
  const guarded = (operation: Operation) =>
    resolver(
      async (request, { id = '' }) =>
        (await tokenFault(request.headers.get('authorization'))) ?? operation(shelf, request, id),
    );
  return [
    http.post(DOCUMENTS, guarded(create)),
    http.get(DOCUMENTS, guarded(list)),
    http.get(`${DOCUMENTS}/:id/download`, guarded(download)),
    http.post(`${DOCUMENTS}/:id/lock`, guarded(lock)),
    http.post(`${DOCUMENTS}/:id/unlock`, guarded(unlock)),
    http.get(`${DOCUMENTS}/:id`, guarded(read)),
    http.head(`${DOCUMENTS}/:id`, guarded(read)),
    http.patch(`${DOCUMENTS}/:id`, guarded(change)),
    http.delete(`${DOCUMENTS}/:id`, guarded(remove)),
    http.put(`*${BASE}/bestandsdelen/:id`, guarded(putPart)),
  ];
}

const FILTERS = ['identificatie', 'bronorganisatie', 'page', 'expand'];
const PAGE = 100;

const list: Operation = (shelf, { query }) => {
  const unknown = [...query.keys()].filter((name) => !FILTERS.includes(name));
  if (unknown.length > 0) return whole('unknown-parameters', `Onbekende query parameters: ${unknown.join(', ')}`);
  const wanted = ['identificatie', 'bronorganisatie'].filter((name) => query.has(name));
  const found = [...shelf.all()].filter(({ metadata }) => wanted.every((name) => metadata[name] === query.get(name)));
  const page = Number(query.get('page') ?? 1);
  const results = found.slice((page - 1) * PAGE, page * PAGE).map((kept) => ({ ...toWire(kept), _expand: {} }));
  return { status: 200, body: { count: found.length, next: null, previous: null, results } };
};

/** One document, or the 404 of every operation that is about one. */
const about =
  (then: (kept: Kept, request: SimulatedRequest, shelf: Shelf) => SimulatedAnswer): Operation =>
  (shelf, request, id) => {
    const kept = shelf.find(id);
    return kept === undefined ? fout(404, 'not_found') : then(kept, request, shelf);
  };

const read = about((kept) => ({ status: 200, body: { ...toWire(kept), _expand: {} } }));

const download = about((kept, { headers }, shelf) => {
  const accept = headers.get('accept') ?? '*/*';
  if (!/\*\/\*|application\/octet-stream/.test(accept)) return fout(406, 'not_acceptable');
  const content = kept.delen.length > 0 ? null : shelf.content(kept.uuid);
  const quirk = quirkOf(kept);
  // Without content the answer is an empty 204, which is in no document.
  if (content === null || quirk === 'sim-leeg') return { status: 204 };
  return {
    status: 200,
    content,
    headers: {
      'Content-Type': 'application/octet-stream',
      // The name is that of the file in the store, never the one that was sent.
      'Content-Disposition': `attachment; filename="${kept.uuid}.bin"`,
    },
    ...(quirk === 'sim-half' && { quirk: 'half' as const }),
  };
});

const remove = about((kept, _, shelf) => {
  if (kept.lock !== '') return whole('destroy-locked', 'Locked objects cannot be destroyed');
  if (quirkOf(kept) === 'sim-in-gebruik')
    return whole('pending-relations', 'All relations to the document must be destroyed before destroying the document');
  shelf.remove(kept.uuid);
  return { status: 204 };
});
