/** The Documenten API of ZGW as Open Zaak serves it, its unpleasant parts included (uploads.md, "The document store"). */
import type { SimulatedAnswer, SimulatedOperation, SimulatedRequest } from '../../transport/operation.ts';
import type { Archive } from './archive.ts';
import { change, lock, putPart, unlock } from './change.ts';
import { create } from './create.ts';
import { fout, whole } from './fout.ts';
import type { Kept } from './kept.ts';
import { quirkOf } from './quirks.ts';
import type { Shelf } from './shelf.ts';
import { tokenFault } from './token.ts';
import { BASE, toWire } from './wire.ts';

type Operation = (archive: Archive, request: SimulatedRequest, id: string) => SimulatedAnswer;

const DOCUMENTS = `*${BASE}/enkelvoudiginformatieobjecten`;

/** Every operation wants a token first. */
const guarded =
  (operation: Operation): SimulatedOperation<Archive>['run'] =>
  async (archive, request, { id = '' }) =>
    (await tokenFault(request.headers.get('authorization'))) ?? operation(archive, request, id);

const FILTERS = ['identificatie', 'bronorganisatie', 'page', 'expand'];
const PAGE = 100;

const list: Operation = ({ shelf }, { query }) => {
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
  ({ shelf }, request, id) => {
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

export const documentenOperations: readonly SimulatedOperation<Archive>[] = [
  { name: 'document-maken', method: 'POST', path: DOCUMENTS, run: guarded(create) },
  { name: 'documenten-zoeken', method: 'GET', path: DOCUMENTS, run: guarded(list) },
  { name: 'document-downloaden', method: 'GET', path: `${DOCUMENTS}/:id/download`, run: guarded(download) },
  { name: 'document-vergrendelen', method: 'POST', path: `${DOCUMENTS}/:id/lock`, run: guarded(lock) },
  { name: 'document-ontgrendelen', method: 'POST', path: `${DOCUMENTS}/:id/unlock`, run: guarded(unlock) },
  { name: 'document-lezen', method: 'GET', path: `${DOCUMENTS}/:id`, run: guarded(read) },
  { name: 'document-lezen', method: 'HEAD', path: `${DOCUMENTS}/:id`, run: guarded(read) },
  { name: 'document-wijzigen', method: 'PATCH', path: `${DOCUMENTS}/:id`, run: guarded(change) },
  { name: 'document-verwijderen', method: 'DELETE', path: `${DOCUMENTS}/:id`, run: guarded(remove) },
  { name: 'bestandsdeel-sturen', method: 'PUT', path: `*${BASE}/bestandsdelen/:id`, run: guarded(putPart) },
];
