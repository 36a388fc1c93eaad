import { randomUUID } from 'node:crypto';
import type { Professional } from '../auth/identity.ts';
import { decide } from '../domain/rule.ts';
import { HARD_CAP, MIB, OVERHEAD, QUOTA, TIME } from '../domain/upload-limits.ts';
import type { Request } from '../http/operation/operation.ts';
import { contentTypeOf, demandUnencoded } from '../http/request/body.ts';
import { UpstreamError, withinTimeout } from '../ports/call.ts';
import type { Documents, StoredDocument } from '../ports/documents.ts';
import type { Scanner } from '../ports/scanner.ts';
import type { Upload, UploadKey, UploadStore } from '../ports/store/uploads.ts';
import type { Timing } from '../ports/timing.ts';
import { Problem } from '../problem.ts';
import { isOneOf } from '../wire/values.ts';
import { RETRY, type RunInTurn } from './admission.ts';
import { MAX_CATEGORY_MB } from './categories.ts';
import { identificatieOf, isStoredCompletely, storeDocument } from './documents.ts';
import {
  boundaryOf,
  type FormField,
  journalFieldsOf,
  purposeOf,
  type ReadUpload,
  type ReceivedUpload,
  type UploadPurpose,
  type UploadReading,
} from './form.ts';
import { fileTooLarge, type Inspected, inspect, REFUSALS, tooLargeForStore } from './inspection/inspect.ts';
import { demandClaim, demandClean, demandInspected, demandQuota, demandSameFile, isSameFile } from './rules.ts';
import { TooLarge } from './spool.ts';

export interface ReceiveDeps {
  readonly uploads: UploadStore;
  readonly documents: Documents;
  readonly scanner: Scanner;
  readonly readUpload: ReadUpload;
  readonly timing: Timing;
}

// `check` runs the checks and the storage of its file in turn.
interface UploadCapacity {
  readonly reserve: UploadReading['reserve'];
  readonly check: RunInTurn;
}

// An upload that was stored now (201), or before with the same file (200).
interface StoredUpload {
  readonly status: 200 | 201;
  readonly upload: Upload;
}

type UploadRequest = Request<Professional>;

/**
 * Receives, checks and stores a file (uploads.md, "The way of a file"). Throws the problem of the first check that
 * fails; it then releases the claim on the name.
 */
export async function receiveUpload(deps: ReceiveDeps & UploadCapacity, request: UploadRequest): Promise<StoredUpload> {
  const boundary = readBoundary(request);
  const { state } = request.http;
  let taken: ClaimedUpload | undefined;
  let stopRenewing: (() => void) | undefined;
  try {
    const received = await deps.readUpload(request.http, {
      boundary,
      reserve: deps.reserve,
      async begin(fields) {
        taken = await claimUpload(deps, request, decide(request.onDecision, purposeOf, fields));
        stopRenewing = renewClaim(deps, taken);
        return taken.purpose.category.maxSizeMb * MIB;
      },
      ...(state.decisions && { onPart: (fields, name) => recordForm(request, fields, name) }),
    });
    if (taken === undefined) throw new Error('a file was read before its fields');
    const claimed = taken;
    if (state.form) state.form = { ...state.form, file: { name: received.name, size: received.file.size } };
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

function readBoundary({ http }: UploadRequest): string {
  const boundary = boundaryOf(contentTypeOf(http));
  if (boundary === null) {
    throw new Problem('mediatype-niet-ondersteund', {
      detail: 'Stuur de upload als `Content-Type: multipart/form-data; boundary=…`.',
      english: 'Send the upload as `Content-Type: multipart/form-data; boundary=…`.',
    });
  }
  demandUnencoded(http, 'de upload', 'the upload');
  if (Number(http.get('Content-Length') || 0) > HARD_CAP + OVERHEAD) throw fileTooLarge(MAX_CATEGORY_MB);
  return boundary;
}

// The journal then also has it when the upload fails.
function recordForm({ http }: UploadRequest, fields: readonly FormField[], name: string | null): void {
  const file = name === null ? (http.state.form?.file ?? null) : { name, size: null };
  http.state.form = { fields: journalFieldsOf(fields), file };
}

// An upload with a claim on its name, unless it is already stored.
interface ClaimedUpload {
  readonly purpose: UploadPurpose;
  readonly name: UploadKey;
  readonly token: string;
  // The new upload, or the one that already had this name.
  readonly upload: Upload;
}

// Of two simultaneous uploads with one name, only one gets the claim.
async function claimUpload(
  { uploads, timing }: ReceiveDeps,
  { caller: { subject: owner, workspace }, onDecision, newId }: UploadRequest,
  purpose: UploadPurpose,
): Promise<ClaimedUpload> {
  const { wizardId, localId } = purpose;
  const { categoryId } = purpose.category;
  const name = { owner, wizardId, localId };
  const token = randomUUID();
  const at = Date.now();
  const claim = { token, until: at + timing.uploadLease };
  const claimed = await uploads.claim(name, { workspace, categoryId, documentId: newId() }, claim, at);
  const upload = decide(onDecision, demandClaim, { ...name, upload: claimed });
  return { purpose, name, token, upload };
}

// Renews the claim until the returned function is called.
function renewClaim({ uploads, timing }: ReceiveDeps, { name, token, upload }: ClaimedUpload): () => void {
  if (upload.state === 'uploaded') return () => undefined;
  const renew = () => uploads.renew(name, token, Date.now() + timing.uploadLease).catch(() => undefined);
  const timer = setInterval(renew, timing.uploadLease / 3);
  return () => clearInterval(timer);
}

// The upload becomes `rejected` when its file failed a check now or before. Else it is deleted, unless an earlier
// attempt may have stored its file.
async function releaseClaim(
  { uploads }: ReceiveDeps,
  { name, token, upload }: ClaimedUpload,
  error: unknown,
): Promise<void> {
  if (upload.state === 'uploaded') return;
  const isRefused = error instanceof Problem && isOneOf(REFUSALS, error.code);
  const wasRefused = upload.state === 'rejected';
  await (isRefused || wasRefused ? uploads.reject(name, token) : uploads.release(name, token, 'unreceived'));
}

async function checkAndStore(
  deps: ReceiveDeps,
  request: UploadRequest,
  taken: ClaimedUpload,
  received: ReceivedUpload,
): Promise<StoredUpload> {
  const { upload, purpose } = taken;
  const { name, file } = received;
  const { onDecision } = request;
  const { size, sha256 } = file;
  const { categoryId, maxSizeMb, acceptedTypes } = purpose.category;
  if (upload.state === 'uploaded') {
    const stored = { sha256: upload.sha256, categoryId: upload.categoryId };
    const sent = { sha256, categoryId };
    // The stored document may have been deleted while this file was being received.
    const [there] = isSameFile(stored, sent) ? await deps.uploads.named(upload.owner, [upload.documentId]) : [];
    decide(onDecision, demandSameFile, { stored, sent, isStillStored: there?.state === 'uploaded' });
    return { status: 200, upload };
  }
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

// After an `UpstreamError` the upload is kept, because its file may be stored. 503 `overbelast` when the claim has
// ended.
async function store(
  deps: ReceiveDeps,
  request: UploadRequest,
  { name, token, upload, purpose: { category } }: ClaimedUpload,
  { file }: ReceivedUpload,
  inspected: Inspected,
): Promise<StoredUpload> {
  const { call, today, onDecision } = request;
  const { sha256, size: omvang } = file;
  const { documentId, there } = await findEarlier(deps, upload, { sha256, omvang }, request);
  const received = await deps.uploads.receive(name, token, { documentId, omvang, sha256, ...inspected }, QUOTA);
  decide(onDecision, demandQuota, { most: QUOTA, wizardId: name.wizardId, size: omvang, found: received });
  if (received === 'lapsed') throw tookTooLong();
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
    if (!(await deps.uploads.settle(name, token, key))) throw tookTooLong();
  } catch (error) {
    const isTooLarge = error instanceof UpstreamError && error.tooLarge === 'certain';
    if (isTooLarge && !error.lost) throw tooLargeForStore(omvang, 'refused');
    // Also after a refusal: a gateway can refuse a request that the store behind it accepted. The next attempt looks
    // first. When this fails as well, the claim expires by itself.
    await deps.uploads.release(name, token, 'perhaps-stored').catch(() => undefined);
    throw isTooLarge ? tooLargeForStore(omvang, 'broken off') : error;
  }
  return { status: 201, upload: { ...upload, documentId, state: 'uploaded' } };
}

// When an earlier attempt with the same file has an unknown outcome, its id is used again, unless the document there
// has other content.
async function findEarlier(
  { documents }: ReceiveDeps,
  upload: Upload,
  file: { sha256: string; omvang: number },
  { call, newId }: UploadRequest,
): Promise<{ documentId: string; there: StoredDocument | null }> {
  if (!upload.perhapsStored || upload.sha256 !== file.sha256) return { documentId: newId(), there: null };
  const { documentId } = upload;
  const there = await withinTimeout(call, TIME.store, 'documenten', (inTime) =>
    documents.find(identificatieOf(documentId), inTime),
  );
  if (there === null || isStoredCompletely(there, file)) return { documentId, there };
  return { documentId: newId(), there: null };
}

const tookTooLong = () => new Problem('overbelast', 'Dit duurde te lang. Probeer het opnieuw.', RETRY);
