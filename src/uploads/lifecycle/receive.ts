import type { Professional } from '../../auth/identity.ts';
import { decide } from '../../domain/rule.ts';
import { HARD_CAP, MIB, OVERHEAD, QUOTA, TIME } from '../../domain/upload-limits.ts';
import type { Answer } from '../../http/answer.ts';
import type { Request } from '../../http/operation/operation.ts';
import { contentTypeOf } from '../../http/request/body.ts';
import type { SentForm } from '../../http/state.ts';
import { UpstreamError, withinTimeout } from '../../ports/call.ts';
import type { StoredDocument } from '../../ports/documents.ts';
import type { Upload } from '../../ports/store/uploads.ts';
import { Problem } from '../../problem.ts';
import { MAX_CATEGORY_MB } from '../categories.ts';
import type { UploadDeps } from '../deps.ts';
import { fileTooLarge, type Inspected, inspect, tooLargeForStore } from '../inspection/inspect.ts';
import { toStatusItem } from '../present.ts';
import { RETRY, type RunInTurn } from '../transport/admission.ts';
import { journalFieldsOf, purposeOf } from '../transport/fields.ts';
import { boundaryOf, type FormField, type ReceivedUpload } from '../transport/parts.ts';
import { TooLarge } from '../transport/spool.ts';
import { type ClaimedUpload, claimUpload, releaseClaim, renewClaim } from './claim.ts';
import { demandClean, demandInspected, demandQuota, demandSameFile, isSameFile } from './rules.ts';
import { identificatieOf, isStoredCompletely, storeDocument } from './store-document.ts';

type UploadRequest = Request<Professional>;

/** The limits of this process that an upload has to respect while its file is received and checked. */
interface UploadCapacity {
  /** Reserves space for received bytes. Throws 503 `overbelast` when there is no space left. */
  readonly reserve: (bytes: number) => void;
  /**
   * Runs the checks and the storage of a received file. It first waits while the maximum number of files is being
   * checked and stored.
   */
  readonly check: RunInTurn;
}

/**
 * Receives an uploaded file, checks it, and stores it (uploads.md, "The way of a file"). Returns a 201 answer, or 200
 * when the same file was stored before. Throws the problem of the first check that fails; it then releases the claim
 * (temporary lock) on the name of the upload.
 */
export async function receiveUpload(deps: UploadDeps & UploadCapacity, request: UploadRequest): Promise<Answer> {
  const boundary = readBoundary(request);
  let taken: ClaimedUpload | undefined;
  let stopRenewing: (() => void) | undefined;
  try {
    const onPart =
      request.http.state.decisions &&
      ((fields: readonly FormField[], name: string | null) => recordForm(request, fields, name));
    const begin = async (fields: readonly FormField[]) => {
      taken = await claimUpload(deps, request, decide(request.onDecision, purposeOf, fields));
      stopRenewing = renewClaim(deps, taken);
      return taken.purpose.category.maxSizeMb * MIB;
    };
    const received = await deps.readUpload(request.http, boundary, begin, deps.reserve, onPart);
    if (taken === undefined) throw new Error('a file was read before its fields');
    const claimed = taken;
    const { form } = request.http.state;
    if (form) request.http.state.form = { ...form, file: { name: received.name, size: received.file.size } };
    try {
      return await deps.check(request.caller.subject, () => checkAndStore(deps, request, claimed, received));
    } finally {
      await received.file.close();
    }
  } catch (error) {
    const maxSizeMb = taken?.purpose.category.maxSizeMb ?? MAX_CATEGORY_MB;
    const problem = error instanceof TooLarge ? fileTooLarge(maxSizeMb) : error;
    if (error instanceof TooLarge)
      request.onDecision?.({
        rule: 'fileTooLarge',
        source: 'uploads.md, "Limits"',
        facts: { maxSizeMb },
        outcome: { geweigerd: 'bestand-te-groot', status: 413 },
      });
    // When this fails as well, the claim expires by itself, and the first failure is still the answer.
    if (taken !== undefined) await releaseClaim(deps, taken, problem).catch(() => undefined);
    throw problem;
  } finally {
    stopRenewing?.();
  }
}

/**
 * Returns the boundary of the multipart body, read from the headers. Throws 415 for a wrong content type or encoding,
 * and 413 for a `Content-Length` that is too large.
 */
function readBoundary({ http }: UploadRequest): string {
  const boundary = boundaryOf(contentTypeOf(http));
  if (boundary === null) {
    throw new Problem(
      'mediatype-niet-ondersteund',
      'Stuur de upload als `Content-Type: multipart/form-data; boundary=…`.',
    );
  }
  const encoding = http.get('Content-Encoding');
  if (encoding !== '' && encoding.toLowerCase() !== 'identity')
    throw new Problem('mediatype-niet-ondersteund', 'Stuur de upload onverpakt, zonder Content-Encoding.');
  if (Number(http.get('Content-Length') || 0) > HARD_CAP + OVERHEAD) throw fileTooLarge(MAX_CATEGORY_MB);
  return boundary;
}

/**
 * Records the fields and file name received so far for the simulator's journal (list of recorded requests), which then
 * also has them when the upload fails.
 */
function recordForm({ http }: UploadRequest, fields: readonly FormField[], name: string | null): void {
  const before: SentForm | undefined = http.state.form;
  const file = name === null ? (before?.file ?? null) : { name, size: null };
  http.state.form = { fields: journalFieldsOf(fields), file } satisfies SentForm;
}

/**
 * Checks a received file and stores it. Returns a 201 answer, or 200 when the claimed upload already has the same file
 * (same hash and category). Throws the problem of the first check that fails.
 */
async function checkAndStore(
  deps: UploadDeps,
  request: UploadRequest,
  taken: ClaimedUpload,
  received: ReceivedUpload,
): Promise<Answer> {
  const { upload, purpose } = taken;
  const { file } = received;
  const { onDecision } = request;
  const { size, sha256 } = file;
  const { categoryId, maxSizeMb, acceptedTypes } = purpose.category;
  if (upload.state === 'uploaded') {
    const stored = { sha256: upload.sha256, categoryId: upload.categoryId };
    const sent = { sha256, categoryId };
    // The stored document may have been deleted while this file was being received.
    const [there] = isSameFile(stored, sent) ? await deps.uploads.named(upload.owner, [upload.documentId]) : [];
    decide(onDecision, demandSameFile, { stored, sent, isStillStored: there?.state === 'uploaded' });
    return answer(200, upload);
  }
  const { name } = received;
  const result = await inspect(file, name, purpose.category).catch((error) => {
    if (error instanceof Problem) return error;
    throw error;
  });
  const facts = { name, size, sha256, categoryId, maxSizeMb, acceptedTypes, result };
  const inspected = decide(onDecision, demandInspected, facts);
  const verdict = await withinTimeout(request.call, TIME.scanner, 'scanner', (call) =>
    deps.scanner.scan(file.bytes(), call),
  );
  decide(onDecision, demandClean, { sha256, verdict });
  return store(deps, request, taken, received, inspected);
}

/**
 * Stores a file that passed all checks, and returns a 201 answer. Throws 409 `upload-quotum` when the owner's quota is
 * full, 503 `overbelast` when the claim (temporary lock) has ended, and `UpstreamError` when the document store does
 * not confirm the file. After that last error the upload is kept, because its file may be stored.
 */
async function store(
  deps: UploadDeps,
  request: UploadRequest,
  { name, token, upload, purpose: { category } }: ClaimedUpload,
  { file }: ReceivedUpload,
  inspected: Inspected,
): Promise<Answer> {
  const { call, today, onDecision } = request;
  const { sha256, size: omvang } = file;
  const { documentId, there } = await findEarlier(deps, upload, { sha256, omvang }, request);
  const received = await deps.uploads.receive(name, token, { documentId, omvang, sha256, ...inspected }, QUOTA);
  decide(onDecision, demandQuota, { most: QUOTA, wizardId: name.wizardId, size: omvang, found: received });
  if (received === 'lapsed') throw new Problem('overbelast', TOO_LONG, RETRY);
  const document = {
    identificatie: identificatieOf(documentId),
    titel: category.label,
    beschrijving: `Categorie ${category.categoryId}; wizard ${name.wizardId}`,
    ontvangstdatum: today,
    omvang,
    sha256,
    ...inspected,
    bytes: file.bytes,
  };
  try {
    const { key } =
      there ??
      (await withinTimeout(call, TIME.store, 'documenten', (inTime) =>
        storeDocument(deps.documents, document, inTime),
      ));
    if (!(await deps.uploads.settle(name, token, key))) throw new Problem('overbelast', TOO_LONG, RETRY);
  } catch (error) {
    const isTooLarge = error instanceof UpstreamError && error.tooLarge === 'certain';
    if (isTooLarge && !error.lost) throw tooLargeForStore(omvang, 'refused');
    // Also after a refusal: a gateway can refuse a request that the store behind it accepted. The next attempt looks
    // first.
    // When this fails as well, the claim expires by itself.
    await deps.uploads.release(name, token, 'perhaps-stored').catch(() => undefined);
    throw isTooLarge ? tooLargeForStore(omvang, 'broken off') : error;
  }
  return answer(201, { ...upload, documentId, state: 'uploaded' });
}

/**
 * Returns the id under which to store a file; `there` is the document when an earlier attempt has already stored it,
 * else null. When an earlier attempt with the same file has an unknown outcome, looks for its document in the document
 * store and uses its id again, unless the document there has other content.
 */
async function findEarlier(
  { documents }: UploadDeps,
  upload: Upload,
  file: { sha256: string; omvang: number },
  { call, newId }: UploadRequest,
): Promise<{ documentId: string; there: StoredDocument | null }> {
  if (!upload.perhapsStored || upload.sha256 !== file.sha256) return { documentId: newId(), there: null };
  const { documentId } = upload;
  const there = await withinTimeout(call, TIME.store, 'documenten', (inTime) =>
    documents.find(identificatieOf(documentId), inTime),
  );
  if (there === null) return { documentId, there };
  return isStoredCompletely(there, file) ? { documentId, there } : { documentId: newId(), there: null };
}

const TOO_LONG = 'Dit duurde te lang. Probeer het opnieuw.';

const answer = (status: 200 | 201, upload: Upload): Answer => ({
  status,
  body: toStatusItem(upload),
  headers: { Location: `/api/v1/uploads/${upload.documentId}/content` },
});
