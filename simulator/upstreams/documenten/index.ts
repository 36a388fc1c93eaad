import { randomUUID, webcrypto } from 'node:crypto';
import { errors, jwtVerify } from 'jose';
import { passesElfproef } from '../../../src/domain/identifiers.ts';
import type {
  SimulatedAnswer,
  SimulatedFile,
  SimulatedOperation,
  SimulatedRequest,
} from '../../transport/operation.ts';
import type { World } from '../../worlds/index.ts';
import { DOCUMENTS_ACCESS } from './access.ts';
import type { DocumentFolder } from './document-folder.ts';
import { quirkOf, SIM_TRAAG_DELAY } from './quirks.ts';
import { documentUuidOf, type SimulatedDocument } from './simulated-document.ts';

/** A simulator of the ZGW Documenten API that behaves like Open Zaak (uploads.md, "The document store"), but takes no document in parts. */

/** The first argument of each operation of the simulated document store. */
interface DocumentStoreContext {
  readonly world: World;
  readonly documentFolder: DocumentFolder;
}

/**
 * An operation of the simulated document store. It does not check the token. `id` is the id in the path; empty for a
 * path without id.
 */
type DocumentOperation = (context: DocumentStoreContext, request: SimulatedRequest, id: string) => SimulatedAnswer;

/** Returns an operation that calls `run` with the document whose id is in the path, or answers 404. */
const onDocument =
  (
    run: (document: SimulatedDocument, request: SimulatedRequest, documentFolder: DocumentFolder) => SimulatedAnswer,
  ): DocumentOperation =>
  ({ documentFolder }, request, id) => {
    const document = documentFolder.find(id);
    return document === undefined ? fout(404, 'not_found') : run(document, request, documentFolder);
  };

/** The host in the URLs of answers. As behind a proxy, it is not the host that the service calls. */
const HOST = 'https://documenten.example.nl';
export const BASE = '/documenten/api/v1';
/** The URL of the list of documents. The URL of a document begins with it. */
const LIST = `${HOST}${BASE}/enkelvoudiginformatieobjecten`;

const toWire = ({ uuid, metadata, omvang, versie, beginRegistratie }: SimulatedDocument) => ({
  verschijningsvorm: '',
  ondertekening: null,
  verzenddatum: null,
  beschrijving: '',
  trefwoorden: [],
  // Real stores send an empty string here, although the OpenAPI document promises a URL or null.
  link: '',
  ...metadata,
  url: `${LIST}/${uuid}`,
  versie,
  beginRegistratie,
  inhoud: omvang === null ? null : `${LIST}/${uuid}/download?versie=${versie}`,
  bestandsomvang: omvang,
  locked: false,
  bestandsdelen: [],
});

const TITLES: Readonly<Record<number, readonly [type: string, title: string]>> = {
  400: ['ValidationError', 'Invalid input.'],
  403: ['PermissionDenied', 'Je hebt geen toestemming om deze actie uit te voeren.'],
  404: ['NotFound', 'Niet gevonden.'],
  406: ['NotAcceptable', 'Kan niet voldoen aan de opgegeven Accept header.'],
  500: ['APIException', 'Er is een serverfout opgetreden.'],
  503: ['APIException', 'Er is een serverfout opgetreden.'],
};

/** Returns an error response in the format of the document store (RFC 9457 with `code` and `instance`). */
function fout(status: number, code: string, detail?: string): SimulatedAnswer {
  const [type = 'APIException', title = ''] = TITLES[status] ?? [];
  return {
    status,
    type: 'application/problem+json',
    body: {
      type: `${HOST}/ref/fouten/${type}/`,
      code,
      title,
      status,
      detail: detail ?? title,
      instance: `urn:uuid:${randomUUID()}`,
    },
  };
}

interface InvalidParam {
  readonly name: string;
  readonly code: string;
  readonly reason: string;
}

function invalid(...invalidParams: readonly InvalidParam[]): SimulatedAnswer {
  const answer = fout(400, 'invalid');
  return { ...answer, body: { ...(answer.body as object), invalidParams } };
}

/** Returns a 400 response with an error that is not about one member of the request. */
const nonFieldError = (code: string, reason: string): SimulatedAnswer =>
  invalid({ name: 'nonFieldErrors', code, reason });

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

type Body = Readonly<Record<string, unknown>>;

/**
 * Creates a document and answers 201, or 400 for metadata or content that is not valid. Some file names cause a fault
 * (`QUIRKS`).
 */
function create({ documentFolder, world }: DocumentStoreContext, { body, file }: SimulatedRequest): SimulatedAnswer {
  const { inhoud, bestandsomvang, ...metadata } = (body ?? {}) as Body;
  const errors = [...metadataErrors(metadata), ...contentErrors(file)];
  if (errors.length > 0) return invalid(...errors);
  const { identificatie = randomUUID(), bronorganisatie } = metadata;
  const isTaken = [...documentFolder.all()].some(
    (one) => one.metadata.identificatie === identificatie && one.metadata.bronorganisatie === bronorganisatie,
  );
  if (isTaken)
    return invalid({
      name: 'identificatie',
      code: 'identificatie-niet-uniek',
      reason: `Deze identificatie (${identificatie}) bestaat al voor deze bronorganisatie`,
    });
  if (typeof bestandsomvang === 'number' && bestandsomvang !== (file?.size ?? 0))
    return nonFieldError('file-size', "The size of upload file should match the 'bestandsomvang' field");

  const quirk = quirkOf({ metadata });
  if (quirk === 'sim-storing') return fout(503, 'error');
  const document: SimulatedDocument = {
    uuid: documentUuidOf(world.name, String(identificatie)),
    metadata: { identificatie, ...metadata },
    omvang: file?.size ?? (typeof bestandsomvang === 'number' ? bestandsomvang : null),
    versie: 1,
    beginRegistratie: world.now().toISOString(),
  };
  if (file !== undefined) documentFolder.fill(document.uuid, file.path);
  documentFolder.put(document);
  const answer = { status: 201, body: { ...toWire(document), lock: '' }, headers: { location: toWire(document).url } };
  if (quirk === 'sim-kwijt') return { ...answer, quirk: 'reset' as const };
  return quirk === 'sim-traag' ? { ...answer, quirk: SIM_TRAAG_DELAY } : answer;
}

const required = (metadata: Body, name: string): InvalidParam[] =>
  typeof metadata[name] === 'string' && metadata[name] !== ''
    ? []
    : [{ name, code: metadata[name] === '' ? 'blank' : 'required', reason: 'Dit veld is vereist.' }];

const MAX_LENGTHS = {
  identificatie: 40,
  titel: 200,
  auteur: 200,
  bestandsnaam: 255,
  formaat: 255,
  beschrijving: 1_000,
  taal: 3,
};

function metadataErrors(metadata: Body): InvalidParam[] {
  const errors = ['bronorganisatie', 'creatiedatum', 'titel', 'auteur', 'taal', 'informatieobjecttype'].flatMap(
    (name) => required(metadata, name),
  );
  for (const [name, maxLength] of Object.entries(MAX_LENGTHS)) {
    const value = metadata[name];
    if (typeof value === 'string' && [...value].length > maxLength)
      errors.push({
        name,
        code: 'max_length',
        reason: `Zorg ervoor dat dit veld niet meer dan ${maxLength} karakters bevat.`,
      });
  }
  const { integriteit, taal, bronorganisatie, informatieobjecttype, status, ontvangstdatum, indicatieGebruiksrecht } =
    metadata;
  if (typeof integriteit === 'object' && integriteit !== null)
    for (const name of ['algoritme', 'waarde', 'datum'])
      if (!(name in integriteit))
        errors.push({ name: `integriteit.${name}`, code: 'required', reason: 'Dit veld is vereist.' });
  if (typeof taal === 'string' && taal.length < 3)
    errors.push({ name: 'taal', code: 'min_length', reason: 'Zorg ervoor dat dit veld ten minste 3 karakters bevat.' });
  if (typeof bronorganisatie === 'string' && !passesElfproef(bronorganisatie))
    errors.push({ name: 'bronorganisatie', code: 'invalid', reason: 'Onjuist RSIN nummer' });
  if (typeof informatieobjecttype === 'string' && !URL.canParse(informatieobjecttype))
    errors.push({ name: 'informatieobjecttype', code: 'bad-url', reason: 'The URL could not be fetched.' });
  if (ontvangstdatum != null && (status === 'in_bewerking' || status === 'ter_vaststelling'))
    errors.push({
      name: 'status',
      code: 'invalid_for_received',
      reason: 'Niet van toepassing op ontvangen documenten.',
    });
  if (indicatieGebruiksrecht === true)
    errors.push({ name: 'indicatieGebruiksrecht', code: 'missing-gebruiksrechten', reason: 'Dit kan niet direct.' });
  return errors;
}

function contentErrors(file: SimulatedFile | undefined): InvalidParam[] {
  if (file?.fault == null) return [];
  return [{ name: 'inhoud', code: file.fault, reason: 'De inhoud is geen geldige base64.' }];
}
