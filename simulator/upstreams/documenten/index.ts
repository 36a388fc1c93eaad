import { webcrypto } from 'node:crypto';
import { errors, jwtVerify } from 'jose';
import type { SimulatedAnswer, SimulatedOperation } from '../../transport/operation.ts';
import { DOCUMENTS_ACCESS } from './access.ts';
import { type DocumentOperation, type DocumentStoreContext, onDocument } from './context.ts';
import { create } from './create.ts';
import { fout, nonFieldError } from './fout.ts';
import { quirkOf } from './quirks.ts';
import { BASE, LIST, toWire } from './wire.ts';

/** A simulator of the ZGW Documenten API that behaves like Open Zaak (uploads.md, "The document store"), but takes no document in parts. */

const DOCUMENTS = `*${BASE}/enkelvoudiginformatieobjecten`;

const withToken =
  (operation: DocumentOperation): SimulatedOperation<DocumentStoreContext>['run'] =>
  async (context, request, { id = '' }) =>
    (await tokenFault(request.headers.get('authorization'))) ?? operation(context, request, id);

const FILTERS = ['identificatie', 'bronorganisatie', 'page', 'expand'];
const PAGE_SIZE = 100;

const list: DocumentOperation = ({ documentFolder }, { query }) => {
  const unknown = [...query.keys()].filter((name) => !FILTERS.includes(name));
  if (unknown.length > 0)
    return nonFieldError('unknown-parameters', `Onbekende query parameters: ${unknown.join(', ')}`);
  const wanted = ['identificatie', 'bronorganisatie'].filter((name) => query.has(name));
  const found = [...documentFolder.all()].filter(({ metadata }) =>
    wanted.every((name) => metadata[name] === query.get(name)),
  );
  const page = Number(query.get('page') ?? 1);
  const pages = Math.max(1, Math.ceil(found.length / PAGE_SIZE));
  if (!Number.isInteger(page) || page < 1 || page > pages) return fout(404, 'not_found', 'Ongeldige pagina.');
  const results = found
    .slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
    .map((document) => ({ ...toWire(document), _expand: {} }));
  const to = (other: number) => {
    const parameters = new URLSearchParams(query);
    parameters.set('page', String(other));
    return `${LIST}?${parameters}`;
  };
  const next = page < pages ? to(page + 1) : null;
  return { status: 200, body: { count: found.length, next, previous: page > 1 ? to(page - 1) : null, results } };
};

const read = onDocument((document) => ({ status: 200, body: { ...toWire(document), _expand: {} } }));

const download = onDocument((document, { headers }, documentFolder) => {
  const accept = headers.get('accept') ?? '*/*';
  if (!/\*\/\*|application\/octet-stream/.test(accept)) return fout(406, 'not_acceptable');
  const content = documentFolder.content(document.uuid);
  const quirk = quirkOf(document);
  // Without content the response is an empty 204, which the OpenAPI document does not mention.
  if (content === null || quirk === 'sim-leeg') return { status: 204 };
  return {
    status: 200,
    content,
    headers: {
      'content-type': 'application/octet-stream',
      // The file name of the store, not the name with which the document was created.
      'content-disposition': `attachment; filename="${document.uuid}.bin"`,
    },
    ...(quirk === 'sim-half' && { quirk: 'half' as const }),
  };
});

const remove = onDocument((document, _, documentFolder) => {
  if (quirkOf(document) === 'sim-in-gebruik')
    return nonFieldError(
      'pending-relations',
      'All relations to the document must be destroyed before destroying the document',
    );
  documentFolder.remove(document.uuid);
  return { status: 204 };
});

/** The operations of the simulated document store. The first one that matches a request handles it. */
export const documentenOperations: readonly SimulatedOperation<DocumentStoreContext>[] = [
  { name: 'document-maken', method: 'POST', path: DOCUMENTS, run: withToken(create) },
  { name: 'documenten-zoeken', method: 'GET', path: DOCUMENTS, run: withToken(list) },
  { name: 'document-downloaden', method: 'GET', path: `${DOCUMENTS}/:id/download`, run: withToken(download) },
  { name: 'document-lezen', method: 'GET', path: `${DOCUMENTS}/:id`, run: withToken(read) },
  { name: 'document-lezen', method: 'HEAD', path: `${DOCUMENTS}/:id`, run: withToken(read) },
  { name: 'document-verwijderen', method: 'DELETE', path: `${DOCUMENTS}/:id`, run: withToken(remove) },
];

/** Number of seconds after its time of issue (`iat`) in which a token is valid. */
const TOKEN_LIFETIME = 3_600;
// A key, and not the bytes themselves: jose refuses bytes where jsdom has replaced `Uint8Array`, as in a test of a
// page.
const KEY = webcrypto.subtle.importKey(
  'raw',
  Buffer.from(DOCUMENTS_ACCESS.secret),
  { name: 'HMAC', hash: 'SHA-256' },
  false,
  ['verify'],
);

/** Null when the JWT is valid, or else a 403 response, as Open Zaak does. */
async function tokenFault(authorization: string | null): Promise<SimulatedAnswer | null> {
  const [, token] = /^Bearer (.+)$/.exec(authorization ?? '') ?? [];
  if (token === undefined) return fout(403, 'permission_denied');
  try {
    const { payload } = await jwtVerify(token, await KEY, { algorithms: ['HS256'] });
    if (payload.client_id === undefined)
      return fout(403, 'missing-client-identifier', 'Client identifier is not present in JWT');
    if (payload.client_id !== DOCUMENTS_ACCESS.clientId)
      return fout(403, 'invalid-client-identifier', 'Client identifier does not exist');
    if (payload.aud !== undefined) return fout(403, 'jwt-decode-error', 'The JWT could not be decoded');
    if (typeof payload.iat !== 'number') return fout(403, 'jwt-missing-iat-claim', 'The `iat` claim is missing.');
    if (payload.iat + TOKEN_LIFETIME < Date.now() / 1_000)
      return fout(403, 'jwt-expired', 'The JWT used for this request is expired');
    return null;
  } catch (error) {
    if (error instanceof errors.JWSSignatureVerificationFailed)
      return fout(403, 'invalid-jwt-signature', 'Client credentials are not valid');
    if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'nbf')
      return fout(403, 'jwt-immaturesignatureerror', 'The JWT used for this request is not yet valid');
    if (error instanceof errors.JWTExpired) return fout(403, 'jwt-expired', 'The JWT used for this request is expired');
    return fout(403, 'jwt-decode-error', 'The JWT could not be decoded');
  }
}
